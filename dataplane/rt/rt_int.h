/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver from inside: what its files share. Only dataplane/rt includes it.
 *
 * A worker thread owns its switches and all that hangs on them; the control thread touches them
 * only before the workers start and after they have ended. What crosses between threads is atomic
 * and said so, or an rte_ring. Times are ps of model time.
 */
#ifndef RY_RT_INT_H
#define RY_RT_INT_H

#include "arrival.h"
#include "clock.h"
#include "device.h"
#include "late.h"
#include "rt.h"
#include "stage.h"

#include <pthread.h>
#include <rte_malloc.h>
#include <rte_ring.h>
#include <stdatomic.h>

#define RT_RECS 256      /* records a call of sw_advance */
#define RT_BURST_MAX 256 /* frames a poll */
#define RT_BURST 32
#define RT_FIFO_FILE 128 /* frames of a file that wait: it keeps the others, and caches are small */
#define RT_FLUSH 32           /* frames staged at a port before the device gets them */
#define RT_CABLE_FRAMES 4096  /* in flight one way; power of two */
#define RT_MESSAGES 256       /* to a worker, not yet read; power of two */
#define RT_WAIT_NS 5000000000 /* an answer from a worker takes no longer, or it is dead */

/* One direction of a cable between two switches. The sender promises that every frame that arrives
 * before horizon_ps is in the ring. */
struct rt_cable {
	struct rte_ring *ring;
	uint64_t delay_ps;
	uint64_t byte_q32; /* of the sender's rate */
	uint32_t overhead_bytes;
	uint64_t floor_ps;           /* the sender's: no frame arrives before */
	_Atomic uint64_t horizon_ps; /* the promise, written by the sender's worker */
};

enum rt_port_kind { RT_PORT_NONE, RT_PORT_DEVICE, RT_PORT_CABLE };

struct rt_port {
	enum rt_port_kind kind;
	struct rt_switch *sw;
	uint16_t index; /* of the model's port */
	struct rt_device device;
	struct rt_cable *in, *out; /* RT_PORT_CABLE */
	struct rte_mempool *pool;  /* what it receives into, and where its own frames come from */
	uint16_t pool_index;       /* while pools are planned */
	bool carries_time, smooth;
	bool admin_up, carrier; /* the model's link is up when both are */
	bool offline;           /* control has the device: neither polled nor sent to */
	bool carrier_seen;      /* control's: what it last told */
	uint32_t mtu_bytes;     /* control's, to open the device again; as are these */
	char dev[RT_DEV], name[SW_NAME];
	uint64_t lost[SW_LOSSES]; /* before the device was opened again */
	unsigned int tried;       /* the netdev of which was said that it could not be taken */
	bool away;                /* offline was told */
	bool no_cleanup; /* the driver does not free sent frames on request */
	bool foreign;    /* a net_ring: its frames come from others' pools */
	uint64_t no_buffer, no_buffer_data,
		no_buffer_bytes; /* own frames; the last two data only */
	uint64_t unusable;       /* received frames that could not be taken */
	uint32_t fifo; /* frames in arrivals at which it is not polled any more */
	struct rt_arrivals arrivals;
	struct rt_stage stage;
};

struct rt_msg;

struct rt_switch {
	struct rt *rt;
	struct rt_worker *worker;
	struct sw *sw;
	const struct sw_tables *tables; /* until the worker installs them: ours to free */
	uint16_t index, n_ports;
	struct rt_port *ports; /* by the model's index */
	uint16_t n_active;
	struct rt_port **active;  /* those with a device or a cable, in order */
	struct rt_merge merge;    /* over active */
	struct rte_mempool *pool; /* for copies of frames from others' pools */
	uint64_t memory_bytes;    /* of buffer and edges: what its pools can hold, whatever is set */
	uint64_t t_ps;            /* the model has been advanced to */
	struct rt_msg *pending;   /* messages by time */
	bool lossless;            /* the pipeline can pause */
	uint8_t lossless_mask;    /* priorities with PFC */
	uint64_t frames;          /* received */
	struct rt_late late;
	struct sw_out out;
	struct sw_rec recs[RT_RECS];
};

struct rt_worker {
	struct rt *rt;
	pthread_t thread;
	bool created;
	_Atomic int state;       /* 0 starting, 1 runs, negative: -errno */
	_Atomic uint64_t caught; /* manual clock: the step for which all that is due is done */
	_Atomic uint64_t turns;  /* life sign */
	uint16_t cpu;
	int numa;
	bool shares_cables; /* with another worker, which waits for our promises */
	struct rte_ring *messages;
	uint16_t n_switches;
	struct rt_switch **switches; /* into by_worker */
	uint64_t polls, idle_polls;
};

struct rt {
	struct rt_clock clock;
	enum rt_poll poll;
	uint16_t burst;
	uint64_t late_ps;
	int stamp_offset; /* of the mbuf's dynamic timestamp */
	uint64_t stamp_flag;
	bool force; /* a netdev by which this machine is reached is no reason to refuse it */
	_Atomic bool stop;
	_Atomic uint64_t step; /* of the manual clock: counts rt_clock_set */
	uint16_t n_switches, n_workers, n_cables, n_pools;
	struct rt_switch *switches;
	struct rt_worker *workers;
	struct rt_switch **by_worker; /* switches, those of a worker side by side */
	struct rt_cable *cables;
	struct rte_mempool **pools;
	uint32_t number;         /* of this rt in the process: makes names unique */
	struct rt_msg *messages; /* control's: all that have not been freed */
	uint64_t refused;        /* posted messages that were */
};

/* ---- ports.c: control thread ---- */
int rt_devices_open(struct rt *rt, const struct rt_config *config, struct err *err);
/* Lists the ports that have a device or a cable, once all are known. */
int rt_ports_activate(struct rt_switch *s, const struct rt_switch_config *config, struct err *err);
int rt_devices_start(struct rt *rt, const struct rt_config *config, struct err *err);
/* The owner: a new declared rate, from t_ps on. */
void rt_port_rate(struct rt_port *port, uint64_t t_ps, const struct sw_port_config *config);
/* Gives every frame back that waits at a port and closes its device. */
void rt_ports_close(struct rt_switch *s);

/* ---- cable.c ---- */
int rt_cables_open(struct rt *rt, const struct rt_config *config, struct err *err);
void rt_cables_close(struct rt *rt);
/* Earliest time at which a frame not yet in the ring may arrive. */
uint64_t rt_cable_horizon(const struct rt_cable *cable);
/* The sender: a new rate, from t_ps on; what was promised holds. */
void rt_cable_rate(struct rt_cable *cable, uint64_t t_ps, const struct sw_port_config *config);
/* Arrival at the far end of a frame of len bytes that starts at t_ps. */
uint64_t rt_cable_arrival(const struct rt_cable *cable, uint64_t t_ps, uint32_t len);
/* Tells what this switch has sent. */
void rt_cables_promise(struct rt_switch *s);

/* ---- inventory.c ---- */
/* Adds what a switch has; by its owner, or while no worker runs. */
void rt_inventory_switch(struct rt_switch *s, struct sw_stats *scratch,
			 struct rt_buffer_stats *out);
/* What the pools say, and what is left of it. */
void rt_inventory_pools(const struct rt *rt, struct rt_buffer_stats *out);
/* Ports of a scratch sw_stats; NULL when memory is short. */
struct sw_port_stats *rt_inventory_scratch(const struct rt *rt);

/* ---- watch.c: control thread ---- */
/* What the port's devices have lost so far: the one of now, and those before it. */
void rt_port_losses(struct rt_port *port, uint64_t out[SW_LOSSES]);

/* ---- poll.c, turn.c: worker ---- */
/* Polls every port; *got: frames taken. Returns the horizon: arrivals before it are all known. */
uint64_t rt_poll_ports(struct rt_switch *s, uint64_t now_ps, uint32_t *got);
/* One turn of a switch at model time now_ps. True when there was something to do; *caught when
 * everything due by now_ps is done. */
bool rt_turn(struct rt_switch *s, uint64_t now_ps, bool *caught);
/* Frees a chain of the model's. */
void rt_free_chain(struct pkt *chain);
/* gen.c: a record without a frame of its own; NULL counts no_buffer. */
struct rte_mbuf *rt_gen_frame(struct rt_port *port, const struct sw_rec *rec);
/* The model's flood copies; ctx is the rt_switch. */
struct pkt *rt_copy(void *ctx, const struct pkt *pkt);

/* ---- workers.c: control thread ---- */
int rt_workers_make(struct rt *rt, const struct rt_config *config, struct err *err);
int rt_workers_launch(struct rt *rt, struct err *err);
/* Waits for their ends; switches, rings and messages stay. */
void rt_workers_join(struct rt *rt);

/* ---- worker.c, nap.c ---- */
void *rt_worker_main(void *arg);
struct rt_nap {
	uint64_t idle_tsc; /* since when nothing happened; 0 = it is busy */
	uint64_t nap_ns;   /* of the last nap; 0 = none yet */
};
void rt_nap(struct rt_nap *nap, struct rt_worker *worker, bool worked);

#endif
