/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "control.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* ---- the owner ---- */

/* By time, and among equals as they came. */
static void insert(struct rt_msg **list, struct rt_msg *msg)
{
	while (*list != NULL && (*list)->at_ps <= msg->at_ps)
		list = &(*list)->next;
	msg->next = *list;
	*list = msg;
}

void rt_control_read(struct rt_worker *worker)
{
	struct rt_msg *msg;

	while (rte_ring_sc_dequeue(worker->messages, (void **)&msg) == 0)
		insert(&worker->rt->switches[msg->sw].pending, msg);
}

void rt_control_now(struct rt_switch *s, uint64_t limit_ps)
{
	struct rt_msg *past = NULL, **end = &past, *msg;

	while (s->pending != NULL && (s->pending->at_ps == 0 || s->pending->at_ps < s->t_ps)) {
		msg = s->pending;
		s->pending = msg->next;
		msg->next = NULL;
		msg->at_ps = limit_ps;
		*end = msg;
		end = &msg->next;
	}
	while (past != NULL) {
		msg = past;
		past = msg->next;
		insert(&s->pending, msg);
	}
}

void rt_control_apply(struct rt_switch *s, uint64_t t_ps)
{
	struct rt_msg *msg = s->pending;
	int waits = RT_MSG_WAITS;

	s->pending = msg->next;
	if (!atomic_compare_exchange_strong(&msg->state, &waits, RT_MSG_RUNS))
		return; /* cancelled: control frees it at stop */
	msg->run(s, msg, t_ps);
	atomic_store_explicit(&msg->state, RT_MSG_DONE, memory_order_release);
}

/* ---- control ---- */

static uint64_t wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void pause_ns(long ns)
{
	struct timespec ts = {0, ns};

	nanosleep(&ts, NULL);
}

struct rt_msg *rt_msg_new(struct rt *rt, void (*run)(struct rt_switch *, struct rt_msg *, uint64_t))
{
	struct rt_msg *msg = calloc(1, sizeof(*msg));

	if (msg == NULL)
		return NULL;
	msg->run = run;
	msg->all = rt->messages;
	rt->messages = msg;
	return msg;
}

static void release(struct rt_msg *msg)
{
	free((struct sw_port_config *)msg->config.ports);
	free(msg);
}

void rt_msg_free(struct rt *rt, struct rt_msg *msg)
{
	struct rt_msg **link = &rt->messages;

	while (*link != msg)
		link = &(*link)->all;
	*link = msg->all;
	release(msg);
}

int rt_msg_post(struct rt *rt, uint16_t sw, struct rt_msg *msg)
{
	uint64_t start = wall_ns();

	msg->sw = sw;
	while (rte_ring_sp_enqueue(rt->switches[sw].worker->messages, msg) != 0) {
		if (wall_ns() - start > RT_WAIT_NS)
			return -EAGAIN;
		pause_ns(50000);
	}
	return 0;
}

/* The worker may be late, but it must move: only a standing one is given up. */
static bool worker_moves(struct rt_worker *worker, uint64_t *turns, uint64_t *since)
{
	uint64_t now = wall_ns(), seen = atomic_load(&worker->turns);

	if (seen != *turns) {
		*turns = seen;
		*since = now;
	}
	return now - *since < RT_WAIT_NS;
}

int rt_msg_wait(struct rt *rt, uint16_t sw, struct rt_msg *msg)
{
	struct rt_worker *worker = rt->switches[sw].worker;
	uint64_t since = wall_ns(), turns = atomic_load(&worker->turns), spins = 0;
	int waits = RT_MSG_WAITS, ret;

	/* Nobody but the waiting caller could move a manual clock on. */
	if (rt->clock.manual && msg->at_ps > rt_clock_now(&rt->clock)) {
		rt_msg_free(rt, msg);
		return -EINVAL;
	}
	msg->waited = true;
	ret = rt_msg_post(rt, sw, msg);
	while (ret == 0 && atomic_load_explicit(&msg->state, memory_order_acquire) != RT_MSG_DONE) {
		if (!worker_moves(worker, &turns, &since) &&
		    atomic_compare_exchange_strong(&msg->state, &waits, RT_MSG_CANCELLED))
			ret = -ETIMEDOUT;
		waits = RT_MSG_WAITS;
		if (spins++ < 200)
			sched_yield();
		else
			pause_ns(50000);
	}
	return ret;
}

/* What a posted message leaves behind; before its run `tables` are the new ones, after it the old:
 * either way nobody else has them. */
static void drop_posted(struct rt *rt, struct rt_msg *msg)
{
	if (msg->result != 0)
		rt->refused++;
	if (msg->tables != NULL)
		sw_tables_free((struct sw_tables *)msg->tables);
	release(msg);
}

void rt_msg_reap(struct rt *rt)
{
	struct rt_msg **link = &rt->messages, *msg;

	while ((msg = *link) != NULL) {
		if (msg->waited ||
		    atomic_load_explicit(&msg->state, memory_order_acquire) != RT_MSG_DONE) {
			link = &msg->all;
			continue;
		}
		*link = msg->all;
		drop_posted(rt, msg);
	}
}

void rt_msg_free_all(struct rt *rt)
{
	struct rt_msg *msg;

	while ((msg = rt->messages) != NULL) {
		rt->messages = msg->all;
		drop_posted(rt, msg);
	}
}
