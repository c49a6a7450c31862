/* SPDX-License-Identifier: BSD-3-Clause */
/* The switch from inside: what the stages share. Only dataplane/model and pipelines include it.
 *
 * Each stage is one file; its state sits here so that a reader sees in one place what a switch
 * remembers. Counts of the buffer are in cells, queue lengths in bytes (60 at least a frame), times
 * in ps. One owner thread, no atomics.
 */
#ifndef RY_SW_INT_H
#define RY_SW_INT_H

#include "due.h"
#include "pipeline.h"
#include "sw.h"
#include "tables.h"

/* A page of a pipeline becomes one function, with all that it calls; but for what few frames meet.
 * Both together spare some 5 ns a frame where the linker optimises (docs/performance.md). */
#define SW_STRAIGHT __attribute__((flatten))
#define SW_ASIDE __attribute__((noinline, cold))

#define SW_MIN_FRAME 60 /* shorter frames count as this, without FCS (IEEE 802.3) */
#define SW_GEN_RING 64  /* the switch's own frames that may wait at a port; power of two */
#define SW_PFC_BYTES 60 /* a PFC frame without FCS */
#define SW_PFC_QUANTA 0xffff
#define SW_QUANTUM_BYTES 64 /* a pause quantum is 512 bit times (IEEE 802.3, 31B.2) */

/* A byte's time at a rate, 32.32 fixed point ps: integer and fraction apart so that no product
 * overflows; the remainder lives with whoever sends. */
struct wire {
	uint64_t whole_ps;
	uint32_t fraction;
};

/* A RED curve as it is judged: never up to min, always above sure, and between them a chance (of
 * 2^32) of slope (32.32) for each byte above min. */
struct sw_curve {
	uint64_t min, sure, slope;
};

/* Where frames of one DSCP or PCP go. */
struct sw_class {
	uint8_t prio, pg, queue;
};

/* A pause that was received: closed once until <= now. */
struct sw_pause {
	uint64_t from, until;
	uint64_t total_ps; /* of pauses that are over */
};

struct sw_queue {
	struct pkt *head, *last;
	uint64_t packets, bytes;
	uint64_t cells, max_cells;
	struct sw_pause pause;
	uint64_t rng, drop_rng;     /* streams of the mark and of the drop curve */
	struct sw_latency *latency; /* the queue's in sw->latency; NULL = not kept */
	uint32_t deficit_bytes;     /* DWRR */
	uint64_t counters[SW_QUEUE_COUNTERS];
} __attribute__((aligned(64)));

struct sw_pg {
	uint64_t ingress;  /* cells in reserved and shared */
	uint64_t headroom; /* cells in headroom */
	uint64_t reserved_size, headroom_size;
	uint64_t max_shared, max_headroom;
	uint64_t dropped;
	bool lossless, xoff;
};

/* What the watchdog knows of an egress queue (watchdog.c). */
struct sw_watch {
	uint64_t since; /* the running pause began */
	uint64_t counters[SW_WATCHDOG_COUNTERS];
	uint64_t before[SW_WATCHDOG_COUNTERS]; /* what they were when the last storm was seen */
	uint64_t tx_before;                    /* the queue's tx_packets then */
	uint64_t detected_ps, restored_ps, detect_took_ps, restore_took_ps;
};

/* NIC-like FIFO per priority between device and switch (edge.c). */
struct sw_edge {
	bool on; /* what cfg.edge was when it was last acted upon */
	struct pkt *head[SW_PRIOS], *last[SW_PRIOS];
	uint64_t bytes[SW_PRIOS], packets, max_bytes, all_bytes;
	struct sw_pause pause[SW_PRIOS];
	struct pkt *sending; /* being serialised, arrives at sent_at */
	uint64_t sent_at;
	uint32_t rem;      /* of the byte time */
	uint8_t next_prio; /* round robin */
	uint64_t pfc_at;   /* a PFC frame on its way: takes effect then; SW_NEVER = none */
	uint8_t pfc_vector;
	uint16_t pfc_quanta[SW_PRIOS];
};

struct sw_gen_item {
	uint8_t kind; /* enum sw_rec_kind */
	struct sw_gen gen;
};

/* All of it is written to checkpoints or worked out again (checkpoint_ports.c): a new field too. */
struct sw_port {
	struct sw_port_config cfg;
	struct wire wire;
	uint32_t rem; /* of the byte time at egress */
	bool up, held;
	uint8_t storm_queues;   /* bit q: queue q is stormed */
	uint8_t storm_pgs;      /* bit g: PG g's frames from here belong to such a queue */
	uint64_t free_at;       /* end of the running transmission */
	uint8_t active;         /* bit q: queue q is not empty */
	uint8_t dwrr_at;        /* queue whose turn it is */
	bool dwrr_fresh;        /* its quantum for this turn is not given yet */
	uint8_t pfc_pending;    /* classes whose state must be told */
	uint8_t pfc_told_xoff;  /* classes whose last told state is xoff */
	uint64_t data_at;       /* the first data frame may leave then, as port_due found it */
	uint64_t pending_since; /* of pfc or gen; SW_NEVER when nothing is */
	uint64_t refresh_at;    /* SW_NEVER when no class is in xoff */
	uint64_t class_until[SW_PRIOS]; /* received pause per class */
	struct sw_gen_item gens[SW_GEN_RING];
	uint32_t gen_head, gen_tail;
	struct sw_queue queues[SW_PRIOS];
	struct sw_pg pgs[SW_PRIOS];
	struct sw_edge edge;
	struct sw_watch watch[SW_PRIOS];
	uint64_t watch_at; /* the watchdog's next look; SW_NEVER when nothing is paused */
	uint64_t counters[SW_PORT_COUNTERS];
	uint64_t drops[SW_DROPS];
	uint64_t prio[SW_PRIO_COUNTERS][SW_PRIOS];
	uint64_t digest;
};

/* One learned MAC (fdb.c) and one neighbour (neigh.c): their tables are theirs alone. */
struct fdb;
struct fdb_entry;
struct neigh;

/* The way of a frame seen lately (recent.h). */
#define SW_RECENT_BITS 8
struct recent {
	uint64_t front; /* the frame's first 12 bytes: destination and source */
	uint32_t back;
	uint16_t vid, in_port, out_port;
	uint32_t tick;            /* of the FDB's time, in which it was found */
	uint64_t generation;      /* of the FDB; 0 = none */
	struct fdb_entry *source; /* to be kept young; NULL = installed */
};

/* Where a routed destination lies: nothing but what the tables say. */
struct recent_hop {
	uint64_t dst[2];
	uint64_t generation; /* as above */
	const struct sw_route *route;
	const struct sw_static_neigh
		*fixed; /* installed neighbour; NULL = learned, or by next hop */
};

/* As struct sw_port: checkpoint.c. */
struct sw {
	struct sw_config cfg; /* .ports points into nothing: see ports[].cfg */
	const struct pipeline *pipeline;
	struct sw_env env;
	const struct sw_tables *tables;
	struct fdb *fdb;
	struct neigh *neigh;
	struct recent recent[1 << SW_RECENT_BITS];
	struct recent_hop recent_hops[1 << SW_RECENT_BITS];
	uint64_t done_ps; /* sw_advance was last done to here: for assertions only */
	uint64_t now;     /* the last t given: for assertions only */

	struct due departures; /* by port: when it wants to start sending */
	struct due timers;     /* by port: refresh, edge and watchdog */

	/* buffer, in cells */
	uint64_t cell_inverse; /* ceil(2^32 / cell): exact for lengths below 2^16 */
	uint64_t shared_size, shared_used, used, max_used, max_shared_used;
	uint64_t headroom_used, max_headroom_used;
	uint64_t headroom_limit, headroom_size; /* limit: UINT64_MAX without a pool */
	uint64_t xon_offset;
	struct sw_class by_dscp[64], by_pcp[8];
	uint8_t lossless_mask;            /* priorities with PFC, the pipeline asked */
	uint8_t queue_classes[SW_PRIOS];  /* queue -> classes that pause it */
	uint8_t red_enqueue, red_dequeue; /* queues whose frames mark.c judges there */
	struct sw_curve mark_curve[SW_PRIOS], drop_curve[SW_PRIOS]; /* by queue */
	uint32_t dwrr_quantum[256]; /* by mask of DWRR queues that compete: bytes per weight */
	uint8_t strict_mask;
	uint32_t storms;     /* queues that are stormed now */
	uint64_t watch_on;   /* since when the watchdog is */
	uint64_t watch_from; /* where its polls count from */

	uint64_t held, generated, consumed, copied, rx, tx, dropped;
	uint64_t dropped_lossless;
	uint64_t holds, swaps;
	uint64_t digest;  /* of what was done to the whole switch */
	struct pkt *dead; /* for sw_reap */

	struct sw_latency *latency; /* by port and queue; NULL = not kept */

	uint16_t *flood; /* ports of the last SW_LOOKUP_FLOOD, n_flood of them */
	uint16_t n_flood;
	uint16_t *by_name; /* port indices in name order */
	uint16_t n_ports;
	struct sw_port *ports;
};

/* ---- wire.c: byte times ---- */
struct wire wire_of(uint64_t rate_bps);
/* Time of `bytes` at the rate; *rem carries what is below a ps. */
uint64_t wire_time(struct wire wire, uint64_t bytes, uint32_t *rem);
/* Bytes that a frame counts as, and what it takes on the wire. */
static inline uint32_t frame_bytes(uint32_t len)
{
	return len < SW_MIN_FRAME ? SW_MIN_FRAME : len;
}

/* What a frame takes of the buffer. */
static inline uint16_t cells_of(const struct sw *sw, uint32_t len)
{
	uint64_t bytes = frame_bytes(len) + sw->cfg.buffer.cell_bytes - 1;

	return (uint16_t)((bytes * sw->cell_inverse) >> 32);
}

/* The bucket of struct sw_latency: below 16 units the unit itself, then 8 for each power of two. */
static inline uint32_t latency_bucket(uint64_t ps)
{
	uint64_t units = ps >> SW_LATENCY_UNIT_BITS;
	uint32_t shift;

	if (units > UINT32_MAX)
		units = UINT32_MAX;
	shift = 31 - 3 - (uint32_t)__builtin_clz((uint32_t)units | 8);
	return shift * 8 + ((uint32_t)units >> shift);
}

/* ---- config.c: what follows from a configuration that sw_config_check passed ---- */
void config_apply(struct sw *sw, const struct sw_config *config);

/* ---- sw.c, port.c: what stages call ---- */
/* Drops a frame under its name, charged to the port given; it is the model's no more. */
SW_ASIDE void sw_drop(struct sw *sw, uint64_t t_ps, struct pkt *pkt, enum sw_drop reason,
		      uint16_t port);
/* Drops of frames that never had a pkt: a copy that could not be made, a frame of the switch's own. */
SW_ASIDE void sw_drop_copy(struct sw *sw, uint64_t t_ps, const struct pkt *of, enum sw_drop reason,
			   uint16_t port);
SW_ASIDE void sw_drop_gen(struct sw *sw, uint64_t t_ps, enum sw_rec_kind kind,
			  const struct sw_gen *gen, enum sw_drop reason, uint16_t port);
/* A frame to the switch itself has been read: counted, given back. */
SW_ASIDE void sw_consume(struct sw *sw, struct pkt *pkt);
/* The driver's again, no count: MAC control frames. */
void sw_give_back(struct sw *sw, struct pkt *pkt);
/* A frame of the switch's own shall leave by a port as soon as it is free, ahead of data. */
void port_gen(struct sw *sw, uint64_t t_ps, uint16_t port, enum sw_rec_kind kind,
	      const struct sw_gen *gen);
/* Something changed that may move the port's next departure. */
void port_due(struct sw *sw, uint16_t port);
void port_timer_due(struct sw *sw, uint16_t port);

/* ---- the stages, in the order of a frame's life ---- */

/* port.c: link state, MAC control frames, rx counts. False: the frame went no further. */
void port_link(struct sw *sw, uint64_t t_ps, uint16_t port, bool up);
bool port_rx(struct sw *sw, uint64_t t_ps, struct pkt *pkt, struct sw_port *in);
/* classify.c: priority, PG, queue from DSCP or PCP. */
void classify(const struct sw *sw, struct pkt *pkt);
/* edge.c: a port with an edge (cfg.edge) leaves the frame to it. */
__attribute__((noinline)) void edge_rx(struct sw *sw, uint64_t t_ps, struct pkt *pkt,
				       struct sw_port *in);

/* lookup.c: learns the source, finds the way. ONE: pkt->out_port is set (and edit, dmac). FLOOD:
 * sw->flood lists the ports. TAKEN: consumed, dropped or waiting for a neighbour. */
enum sw_lookup { SW_LOOKUP_ONE, SW_LOOKUP_FLOOD, SW_LOOKUP_TAKEN };
enum sw_lookup lookup(struct sw *sw, uint64_t t_ps, struct pkt *pkt);
/* flood.c: one copy for each port of sw->flood, through pipeline->enqueue. */
SW_ASIDE void flood(struct sw *sw, uint64_t t_ps, struct pkt *pkt);

/* admit.c: charges the buffer; false: dropped. release: gives it back when the frame leaves. */
bool admit(struct sw *sw, uint64_t t_ps, struct pkt *pkt, const struct sw_port *out,
	   const struct sw_queue *queue);
void admit_release(struct sw *sw, uint64_t t_ps, struct pkt *pkt);
/* Limits changed: xoff and xon are judged at once, not at the next frame, which a peer that was told
 * to stop would never send. */
void admit_reconfigured(struct sw *sw, uint64_t t_ps, uint16_t port);
/* recount.c: everything counted in cells of old_bytes is counted anew in those of the configuration. */
void recount_cells(struct sw *sw, uint32_t old_bytes);
/* mark.c: RED by the queue's length; false: dropped (the drop curve at enqueue, or
 * not-ECT where a mark is due and the policy is drop). */
bool mark_enqueue(struct sw *sw, uint64_t t_ps, struct pkt *pkt, struct sw_queue *queue);
bool mark_dequeue(struct sw *sw, uint64_t t_ps, struct pkt *pkt, struct sw_queue *queue);
/* queue.c */
/* port and queue are those that the frame leaves by. */
void queue_push(struct sw *sw, struct pkt *pkt, struct sw_port *port, struct sw_queue *queue);
struct pkt *queue_pop(struct sw_port *port, struct sw_queue *queue);
/* sched.c: the queue that sends at t, NULL when none may; sched_next: the earliest time one may. */
struct sw_queue *sched_pick(struct sw *sw, uint64_t t_ps, struct sw_port *port);
uint64_t sched_next(const struct sw *sw, const struct sw_port *port);

/* pause.c: a received pause replaces the running one; total at now, the running one included. */
void pause_set(struct sw_pause *pause, uint64_t t_ps, uint64_t until_ps);
uint64_t pause_total(const struct sw_pause *pause, uint64_t now_ps);
/* pfc.c: our PGs tell, their frames are honoured. */
SW_ASIDE void pfc_xoff(struct sw *sw, uint64_t t_ps, uint16_t port, uint8_t pg);
SW_ASIDE void pfc_xon(struct sw *sw, uint64_t t_ps, uint16_t port, uint8_t pg);
SW_ASIDE void pfc_rx(struct sw *sw, uint64_t t_ps, const struct pkt *pkt);
/* Fills rec with the PFC frame that the port owes; false when nothing is owed after all. */
bool pfc_tx(struct sw *sw, uint64_t t_ps, uint16_t port, struct sw_rec *rec);
SW_ASIDE void pfc_refresh(struct sw *sw, uint64_t t_ps, uint16_t port);
/* Somebody else listens to the port's PFC from now on, who was told nothing yet. */
void pfc_new_peer(struct sw_port *port);
/* Classes or PGs were reconfigured: what no longer holds is taken back, on both sides. */
void pfc_reconfigured(struct sw *sw, uint64_t t_ps, uint16_t port);
/* The end of the pauses that a queue was told, honoured or not. */
uint64_t pfc_until(const struct sw *sw, const struct sw_port *port, int queue);

/* watchdog.c: queues whose pause does not end. Pipelines ask before lookup and before the queue; false:
 * dropped. A test is all that a frame costs while nothing is stormed. */
SW_ASIDE bool watchdog_storm_rx(struct sw *sw, uint64_t t_ps, struct pkt *pkt);
SW_ASIDE bool watchdog_storm_tx(struct sw *sw, uint64_t t_ps, struct pkt *pkt);

static inline bool watchdog_rx(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	return sw->storms == 0 || watchdog_storm_rx(sw, t_ps, pkt);
}

static inline bool watchdog_tx(struct sw *sw, uint64_t t_ps, struct pkt *pkt)
{
	return sw->storms == 0 || watchdog_storm_tx(sw, t_ps, pkt);
}

/* A queue of the port is told to pause: look at it from the next poll on. */
SW_ASIDE void watchdog_paused(struct sw *sw, uint64_t t_ps, uint16_t port);
SW_ASIDE void watchdog_poll(struct sw *sw, uint64_t t_ps, uint16_t port);
/* The port's link or the switch's configuration changed: what is no longer watched is restored. */
void watchdog_settle(struct sw *sw, uint64_t t_ps, uint16_t port);
void watchdog_reconfigured(struct sw *sw, uint64_t t_ps, const struct sw_watchdog *old);
/* After a restore: what follows from the queues that are stormed; false: they cannot be. */
bool watchdog_restored(struct sw *sw, uint16_t port);
void watchdog_stats(const struct sw *sw, const struct sw_port *port, int queue,
		    struct sw_watchdog_stats *out);

/* edge.c: the FIFO in front of a port whose peer ignores PFC. */
void edge_pfc(struct sw *sw, uint64_t t_ps, uint16_t port, const struct sw_gen *pfc);
/* cfg.edge is not what it was. */
void edge_switched(struct sw *sw, uint64_t t_ps, uint16_t port);
uint64_t edge_next(const struct sw *sw, uint16_t port);
void edge_timer(struct sw *sw, uint64_t t_ps, uint16_t port);
/* Takes a frame out, whatever is paused: the one being serialised, then by time of arrival; NULL when
 * there is none. */
struct pkt *edge_take(struct sw *sw, uint16_t port);

/* rewrite.c: writes pkt->edit into the frame's bytes; router_mac is the new source. */
void rewrite(struct pkt *pkt, const uint8_t router_mac[6]);

/* fdb.c: learned MACs. Sizes are powers of two; entries go when the port goes down or installed
 * entries contradict them. */
struct fdb *fdb_new(uint32_t size);
void fdb_free(struct fdb *fdb);
/* The MAC's entry: found, moved to this port, or new in the place of its bucket's oldest. */
struct fdb_entry *fdb_learn(struct fdb *fdb, uint64_t t_ps, const uint8_t mac[6], uint16_t domain,
			    uint16_t vid, uint16_t port);
/* What lookup asks beside the FDB has changed: recent.h starts anew. */
void fdb_changed(struct fdb *fdb);
/* PKT_NO_PORT when not known, or not seen for the ageing time. */
uint16_t fdb_find(const struct fdb *fdb, uint64_t t_ps, const uint8_t mac[6], uint16_t domain,
		  uint16_t vid);
/* From t on; 0 = entries do not age, as at first. */
void fdb_set_ageing(struct fdb *fdb, uint64_t t_ps, uint64_t ageing_ps);
void fdb_flush_port(struct fdb *fdb, uint16_t port);
void fdb_drop_contradicted(struct fdb *fdb, const struct sw_tables *tables);

/* neigh.c: addresses to MACs on the routed side, and frames that wait for one. */
struct neigh *neigh_new(void);
void neigh_free(struct neigh *neigh);
/* An ARP or ND frame that the switch may answer or learn from. True: it was for us, consumed. */
SW_ASIDE bool neigh_rx(struct sw *sw, uint64_t t_ps, struct pkt *pkt);
/* The frame's next hop is ip in domain (port: only there, or PKT_NO_PORT): sets out_port and dmac
 * and returns true, or keeps the frame (asks; holds; drops by name) and returns false. */
SW_ASIDE bool neigh_resolve(struct sw *sw, uint64_t t_ps, struct pkt *pkt, const uint8_t ip[16],
			    uint16_t domain, uint16_t port);
uint64_t neigh_next(const struct sw *sw);
void neigh_timer(struct sw *sw, uint64_t t_ps);
void neigh_flush_port(struct sw *sw, uint64_t t_ps, uint16_t port);
/* From t on; 0 = resolved neighbours stay, as at first. */
void neigh_set_ageing(struct sw *sw, uint64_t t_ps, uint64_t ageing_ps);
/* Tables changed: learned entries that they contradict go. */
void neigh_installed(struct sw *sw, uint64_t t_ps);
struct pkt *neigh_drain(struct sw *sw);

/* tables.c, for lookup and neigh: installed entries. */
uint16_t tables_fdb(const struct sw_tables *tables, const uint8_t mac[6], uint16_t domain,
		    uint16_t vid); /* PKT_NO_PORT when none */
const struct sw_static_neigh *tables_neigh(const struct sw_tables *tables, const uint8_t ip[16],
					   uint16_t domain);
const struct sw_gateway *tables_gateway(const struct sw_tables *tables, const uint8_t ip[16],
					uint16_t domain);
/* Whether ip is the switch's own in any domain. */
bool tables_own(const struct sw_tables *tables, const uint8_t ip[16]);
/* The gateway of ip's family in domain that is nearest to ip (longest common prefix), or NULL. */
const struct sw_gateway *tables_gateway_for(const struct sw_tables *tables, const uint8_t ip[16],
					    uint16_t domain);
/* Whether some gateway of ip's family answers in domain for every address. */
bool tables_proxy(const struct sw_tables *tables, const uint8_t ip[16], uint16_t domain);
/* hash.c: ECMP member of n for this frame. Fields and seed from cfg. */
uint32_t hash_pick(const struct sw *sw, const struct pkt *pkt, uint32_t n);

/* digest.c */
enum digest_dir { DIGEST_RX, DIGEST_TX, DIGEST_DROP, DIGEST_EVENT };
__attribute__((noinline)) void digest_pkt(struct sw *sw, uint16_t port, uint64_t t_ps,
					  enum digest_dir dir, const struct pkt *pkt, int drop);
/* A frame of the switch's own: sent (drop = -1) or dropped. */
__attribute__((noinline)) void digest_gen(struct sw *sw, const struct sw_rec *rec, int drop);
/* port: PKT_NO_PORT for what is done to the whole switch. */
SW_ASIDE void digest_event(struct sw *sw, uint16_t port, uint64_t t_ps, enum sw_event event);
uint64_t digest_all(const struct sw *sw);

#endif
