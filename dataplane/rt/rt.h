/* SPDX-License-Identifier: BSD-3-Clause */
/* The real-time driver: switches on DPDK ports and lcores.
 *
 * One worker owns each switch and everything it touches; control talks to workers by messages that
 * rt_* calls send and wait for, never by a lock. All functions here are for the one control thread.
 * Times are ps of model time, 0 at rt_start; dilate > 1 makes model time slower than the wall.
 */
#ifndef RY_RT_H
#define RY_RT_H

#include "dataplane/model/pipeline.h"
#include "dataplane/model/sw.h"
#include "dataplane/model/tables.h"

#define RT_DEV 256

enum rt_poll { RT_POLL_BUSY, RT_POLL_ADAPTIVE };

struct rt_port_config {
	uint16_t sw, port; /* indices: switches[sw].config.ports[port] */
	char dev[RT_DEV];  /* DPDK device string ("0000:3b:00.0", "net_af_packet0,iface=tap0", ...)
				   * or "port:N" for an ethdev that exists already (tests) */
	bool carries_time; /* frames bring their stamp in the mbuf (lockstep, replay) */
	bool smooth;       /* stamp arrivals no faster than the declared rate (real ports) */
};

struct rt_link_config { /* a cable between two switches of this process: two rte_rings */
	uint16_t sw[2], port[2];
	uint64_t delay_ps;
};

struct rt_switch_config {
	struct sw_config config;
	const struct pipeline *pipeline;
	const struct sw_tables
		*tables; /* rt's until replaced; given back by rt_install or freed at stop */
};

struct rt_hold_config { /* a port that begins held: nothing leaves it until it is released */
	uint16_t sw, port;
};

struct rt_config {
	uint16_t n_switches, n_ports, n_links, n_holds;
	const struct rt_switch_config *switches;
	const struct rt_port_config *ports;
	const struct rt_link_config *links;
	const struct rt_hold_config *holds;
	uint16_t workers; /* 0 = one per switch, as lcores allow */
	enum rt_poll poll;
	uint32_t dilate;         /* 1 = real time */
	uint64_t late_ps;        /* bound on p99.9 lateness for a valid run; 0 = auto */
	uint64_t memory_bytes;   /* for packet buffers */
	bool no_huge;            /* run on ordinary pages */
	const char *file_prefix; /* EAL's, so that several instances do not meet */
	const char *const *eal;  /* extra EAL words, NULL-ended; may be NULL */
	bool force;              /* take a netdev even if this machine is reached by it */
	bool manual_clock;       /* tests: time moves only by rt_clock_set */
	uint16_t burst;          /* frames a poll, 0 = 32 */
};

struct rt;

/* Something about a port that control should tell its user. */
typedef void rt_event_fn(void *arg, uint16_t sw, uint16_t port, const char *what);

/* Checks the whole (devices, memory, lcores) and starts; on failure everything is as before and
 * *err says what to do. EAL can be started once a process: later calls reuse it. */
int rt_start(struct rt **out, const struct rt_config *config, struct err *err);
/* Stops the workers, gives every buffer back, closes the devices. Returns the number of mbufs that
 * did not come back (a leak): 0 is right. */
int rt_stop(struct rt *rt);
struct rt_buffer_stats;
/* Ends the workers' threads and starts new ones: every switch goes on as it was. Model time stands
 * still in between, and nothing moves: buffers is exact (it may be NULL). After a failure only rt_stop
 * is left. */
int rt_workers_restart(struct rt *rt, struct rt_buffer_stats *buffers, struct err *err);

/* Looks at every device, to be called a few times a second: a carrier that went or came is handed
 * to the switch as its link's state, and a netdev that was made again is taken again. */
void rt_watch(struct rt *rt, rt_event_fn *event, void *arg);

/* Each is a message to the owner of the switch; returns 0 when it took effect, -EINVAL and *err when
 * it was refused, -ETIMEDOUT when the worker stands still. at_ps: model time at which it shall (0 or
 * past = now); lockstep posts several ahead with rt_post_* and does not wait. */
int rt_set(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_config *config,
	   struct err *err);
int rt_hold(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool hold);
int rt_link(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool up);
int rt_install(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_tables *tables,
	       const struct sw_tables **old);

/* The same without waiting, for times ahead. Old tables are freed; a refused set is counted. */
int rt_post_set(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_config *config);
int rt_post_hold(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool hold);
int rt_post_link(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool up);
int rt_post_install(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_tables *tables);
uint64_t rt_post_refused(struct rt *rt);

/* What rt adds to the model's numbers, per port. */
struct rt_port_stats {
	uint64_t staged;                   /* frames the device has not taken yet: held */
	uint64_t device_full;              /* frames lost there: drop `device_full` */
	uint64_t no_buffer;                /* own frames that could not be made: drop `no_buffer` */
	uint64_t losses[SW_LOSSES];        /* frames lost before the switch took them */
	bool link_up;                      /* the device has a carrier */
	bool admin_up;                     /* nobody took the link down (rt_link) */
	int numa;                          /* the device's node; -1 = none, or not known */
};
struct rt_worker_stats {
	uint64_t polls, idle_polls, frames;
	uint64_t late_p50_ps, late_p999_ps, late_max_ps; /* departures: device time - model time */
	int lcore, numa; /* the CPU and its node */
	uint16_t index;  /* of the worker, of n */
	uint16_t n;
};
/* Where the packet buffers are: what is in use and nowhere else is in the devices' rings. */
struct rt_buffer_stats {
	uint64_t total, in_use;
	uint64_t held;    /* in queues, edges, and waiting for a neighbour */
	uint64_t staged;  /* not taken by a device yet, PFC included */
	uint64_t arrived; /* polled, not due */
	uint64_t cables;  /* between two switches */
	int64_t devices;  /* the rest: grows when buffers are lost; below 0 with others' frames */
};
/* Exact with one worker; with several, frames between them may count twice or not. */
int rt_buffers(struct rt *rt, struct rt_buffer_stats *out);

/* A consistent snapshot taken by the owner between two turns: model and rt together; device losses
 * are folded in (tx, held and dropped of *out already say what the wire saw). ports: n_ports of
 * the switch each; rt_ports may be NULL. */
int rt_stats(struct rt *rt, uint16_t sw, struct sw_stats *out, struct rt_port_stats *rt_ports);
/* The same, and watermarks start again in that very instant: nothing is lost between. */
int rt_stats_clear(struct rt *rt, uint16_t sw, struct sw_stats *out,
		   struct rt_port_stats *rt_ports);
int rt_worker_stats(struct rt *rt, uint16_t sw, struct rt_worker_stats *out);
/* Runs f in the owner's thread with the switch (tables dumps). */
int rt_with_switch(struct rt *rt, uint16_t sw, void (*f)(void *arg, const struct sw *), void *arg);
/* Valid: lateness within bound, nothing overflowed. why gets the cure when not. */
bool rt_valid(struct rt *rt, char *why, size_t size);
uint64_t rt_now(const struct rt *rt);
/* Manual clock only: moves it and waits until every switch has done all that is due by then (frames
 * that were in the rings before the call included). -ETIMEDOUT when a worker stands still. */
int rt_clock_set(struct rt *rt, uint64_t t_ps);

#endif
