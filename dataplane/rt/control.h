/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages from control to the owner of a switch.
 *
 * A message is on the heap and goes by pointer through a bounded ring; the owner runs it at its
 * time, in order with arrivals (control before arrivals at equal times). The sender waits for the
 * state, or posts and forgets. One that is not answered in time is cancelled, so that a late worker
 * never writes into a caller's stack that is gone.
 */
#ifndef RY_RT_CONTROL_H
#define RY_RT_CONTROL_H

#include "rt_int.h"
#include "valid.h"

enum rt_msg_state { RT_MSG_WAITS, RT_MSG_RUNS, RT_MSG_DONE, RT_MSG_CANCELLED };

struct rt_msg {
	_Atomic int state; /* enum rt_msg_state */
	uint64_t at_ps;    /* 0 = as soon as it is read */
	void (*run)(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps);
	int result;          /* of run: 0 or -errno */
	struct rt_msg *next; /* in the owner's list */
	struct rt_msg *all;  /* in control's list */

	uint16_t sw, port; /* the switch it is for; a port of it */
	bool flag;
	bool waited;                    /* a caller waits, or waited, and reads the result */
	struct sw_config config;        /* set; ports allocated */
	const struct sw_tables *tables; /* install: the new, afterwards the old */
	struct err err;
	struct sw_stats *stats; /* stats, with the two below */
	struct rt_port_stats *rt_ports;
	struct rt_worker_stats *worker_stats;
	struct rt_health *health;
	struct rt_buffer_stats *buffers;
	void (*call)(void *arg, const struct sw *sw);
	void *arg;
};

/* ---- the owner ---- */
/* Reads the ring into the owner's lists. */
void rt_control_read(struct rt_worker *worker);
/* Gives messages without a time, or whose time is past, the time limit_ps. */
void rt_control_now(struct rt_switch *s, uint64_t limit_ps);
/* Time of the first message; SW_NEVER when none. */
static inline uint64_t rt_control_next(const struct rt_switch *s)
{
	return s->pending == NULL ? SW_NEVER : s->pending->at_ps;
}
/* Runs the first message, after sw_advance(t_ps). */
void rt_control_apply(struct rt_switch *s, uint64_t t_ps);

/* ---- control ---- */
struct rt_msg *rt_msg_new(struct rt *rt,
			  void (*run)(struct rt_switch *, struct rt_msg *, uint64_t));
/* Takes it from control's list and frees it. */
void rt_msg_free(struct rt *rt, struct rt_msg *msg);
/* Sends and does not wait; -EAGAIN when the worker does not read. */
int rt_msg_post(struct rt *rt, uint16_t sw, struct rt_msg *msg);
/* Sends and waits: 0 when it was run (msg->result says how), and the caller frees it. Otherwise it
 * is the caller's no more: -ETIMEDOUT when the worker stands still, -EINVAL when a manual clock is
 * not there yet. */
int rt_msg_wait(struct rt *rt, uint16_t sw, struct rt_msg *msg);
/* Frees posted messages that are done, and what they left (old tables). */
void rt_msg_reap(struct rt *rt);
/* After the workers ended: frees all. */
void rt_msg_free_all(struct rt *rt);

#endif
