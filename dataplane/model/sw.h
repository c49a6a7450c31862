/* SPDX-License-Identifier: BSD-3-Clause */
/* THE SWITCH: the whole contract between the model and whoever drives it.
 *
 * The model decides what a frame meets (class, buffer, mark, pause, schedule) and when it leaves.
 * It reads no clock, does no I/O, has no globals, and allocates nothing after sw_new. Time is an
 * argument: uint64_t picoseconds from the start of the run. Two drivers call it: dataplane/rt with
 * real frames in real time and dataplane/sim in virtual time. Same arrivals, same answer, bit for
 * bit: no choice below depends on how often it is called or how bursts are cut.
 *
 * A driver's life, per switch, on one thread:
 *
 *	sw = sw_new(&config, pipeline, &env, &err);
 *	sw_install(sw, tables);
 *	for each arrival time t, in order over all ports:
 *		while (sw_advance(sw, t, &out) == SW_MORE)   // all that is due before t
 *			send(out);
 *		send(out);
 *		sw_rx(sw, t, pkts, n);                       // what arrives at t, by port and order
 *	now and then, with no arrival at t: advance alone, to t = now
 *	free(sw_reap(sw)) whenever convenient
 *
 * THE RULES
 * 1. sw_advance(t) runs to SW_DONE before sw_rx(t, ...), before sw_set/hold/link/install at t, and
 *    t never decreases; asserted.
 * 2. At equal times: timers (refresh, neighbour, edge, watchdog), then control, then arrivals by port and
 *    order, then departures. So sw_advance(t) runs timers due at or before t and departures that
 *    start strictly before t.
 * 3. A frame's bytes leave all counts when its transmission starts; the record says that time.
 * 4. Timers fire at their own time: sw_advance goes through them in order, it never looks at "now".
 * 5. Parsing needs no time: sw_parse may run over a burst as it is polled, before the frames are
 *    due. sw_rx wants parsed descriptors, all of the same t.
 * 6. What the switch says itself leaves as records: PFC, ARP and ND have no pkt; the driver makes
 *    the bytes (sw_gen_bytes). A ping's answer rides on the request's own pkt.
 * 7. Dropped and consumed pkts come back from sw_reap; sent ones in their record.
 *
 * LENGTHS  len is what is in memory: no FCS, tag included. A frame shorter than 60 B counts as 60.
 * On the wire it takes len + overhead (default 24 B: preamble 8, FCS 4, gap 12) byte times.
 * RATES    bits per second; a byte's time is 32.32 fixed point ps, remainder carried per port.
 */
#ifndef RY_SW_H
#define RY_SW_H

#include "err.h"
#include "list.h"
#include "pkt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SW_PRIOS 8
#define SW_NAME 48
#define SW_NEVER UINT64_MAX
#define SW_NO_DOMAIN UINT16_MAX

struct sw;
struct pipeline;  /* pipeline.h */
struct sw_tables; /* tables.h */

/* ---- configuration: plain, filled by control, copied by sw_new and sw_set ---- */

enum sw_trust { SW_TRUST_DSCP, SW_TRUST_PCP };

/* RED of one egress queue: two curves, each 0 up to min, linear to `probability` at max, 1 above max
 * (min == max is a step). The length judged is the queue's in bytes of frames: at enqueue with the
 * frame in it, at dequeue what it leaves behind.
 *
 * The mark curve (RFC 3168) speaks of IP frames. One that carries ECT gets CE; one that cannot carry
 * a mark (not-ECT) is forwarded as it is, or dropped as `not_ect`.
 *
 * The drop curve (WRED) stands beside it, with knees and a draw of its own: "mark before drop" is
 * mark knees below drop knees. It judges every frame at enqueue, in either mark mode, and whatever the
 * frame says of ECN: past this knee a sender has had its marks, and what is not IP knows no other
 * signal. What it chooses is the drop `wred`, on lossless queues too; what it passes, the mark curve
 * may still mark. */
struct sw_wred {
	bool on;
	uint64_t min_bytes, max_bytes;
	uint32_t probability_ppb; /* at max, parts per billion */
};

struct sw_ecn {
	bool on;           /* the mark curve */
	bool at_enqueue;   /* else at dequeue */
	bool drop_not_ect; /* else forward unmarked */
	uint64_t min_bytes, max_bytes;
	uint32_t probability_ppb; /* at max, parts per billion */
	struct sw_wred drop;
};

struct sw_sched {
	bool strict;    /* above all DWRR queues, higher number first */
	uint8_t weight; /* DWRR, 1..100; ignored when strict */
};

/* PFC watchdog of every lossless egress queue: a queue that received PFC keeps shut for more than
 * `detect` is stormed, and is restored when no pause has been in force for more than `restore`. Both
 * are looked at every `poll`, counted from when the watchdog was switched on, so that either is seen
 * less than a poll after it is due. Model times, 1 us to 1 h each. */
struct sw_watchdog {
	bool on;
	bool forward;     /* while stormed: ignore the pauses; else drop, in and out */
	bool idle_counts; /* an empty queue's pause counts too; else only while frames wait */
	uint64_t detect_ps, restore_ps, poll_ps;
};

/* QoS of the whole switch. Priorities, PGs and queues are 0..7. */
struct sw_qos {
	enum sw_trust trust;
	uint8_t dscp_to_prio[64];
	uint8_t pcp_to_prio[8];
	uint8_t prio_to_pg[SW_PRIOS];
	uint8_t prio_to_queue[SW_PRIOS];
	uint8_t pfc_to_queue[SW_PRIOS]; /* received class -> egress queue it pauses */
	uint8_t pfc_mask; /* bit p: priority p is lossless: its PG sends PFC, its queue honours it */
	bool pfc_asymmetric; /* honour all classes, send only for pfc_mask */
	struct sw_watchdog watchdog;
	struct sw_ecn ecn[SW_PRIOS];     /* by queue */
	struct sw_sched sched[SW_PRIOS]; /* by queue */
};

/* Buffer of the whole switch. Sizes are rounded up to cells by sw_new. Alphas: numerator over 65536.
 * headroom_pool_bytes: what all PGs together may have in headroom, and what is set aside for it; each
 * PG's own limit stays. 0: no pool, every PG's headroom is set aside whole. */
struct sw_buffer {
	uint64_t size_bytes;
	uint32_t cell_bytes;
	uint32_t alpha_q16;       /* lossless PG: xoff past alpha x free */
	uint32_t lossy_alpha_q16; /* lossy egress queue: drop past lossy_alpha x free */
	uint64_t reserved_bytes;  /* per (port, PG that some priority reaches) */
	uint64_t xon_offset_bytes;
	uint64_t headroom_pool_bytes;
};

struct sw_port_config {
	char name
		[SW_NAME]; /* "s1-h1": also seeds the port's random streams and orders the digest */
	uint64_t rate_bps; /* declared; shapes egress, stamps arrivals, sizes pause quanta */
	uint32_t overhead_bytes; /* per frame on the wire, not in buffers */
	uint32_t mtu_bytes;      /* IP bytes: a frame may have mtu + 14, + 4 with a tag */
	uint64_t headroom_bytes; /* per lossless PG of this port */
	uint16_t domain;         /* bridge domain; SW_NO_DOMAIN: routed only */
	uint8_t mac[6];          /* source of this port's PFC frames */
	bool pfc;                /* false: this port neither sends nor honours PFC */
	bool edge;               /* a NIC-like per-priority FIFO in front, which honours our PFC */
	uint64_t edge_bytes;     /* that FIFO's size, per priority */
	bool down;               /* link state at start */
};

struct sw_config {
	char name[SW_NAME];
	uint64_t seed;       /* of the run; streams are hash(seed, port name, queue) */
	uint64_t latency_ps; /* ingress to egress queue, added before a frame may start to leave */
	uint8_t router_mac[6];
	uint32_t hash_fields; /* enum sw_hash_field bits for ECMP */
	uint64_t hash_seed;
	uint32_t fdb_size;        /* learned MACs, power of two up to 2^24; 0 = 16384 */
	uint64_t fdb_ageing_ps;   /* a learned MAC unseen for as long goes; 0 = none does */
	uint64_t neigh_ageing_ps; /* a neighbour silent for as long is asked anew; 0 = none is */
	struct sw_qos qos;
	struct sw_buffer buffer;
	uint16_t n_ports;
	const struct sw_port_config *ports; /* borrowed for the call */
	bool digest;                        /* compute the digest (costs time) */
	bool latency; /* keep a histogram per egress queue (2 KiB each, and a ns a frame) */
};

enum sw_hash_field {
	SW_HASH_SRC_IP = 1 << 0,
	SW_HASH_DST_IP = 1 << 1,
	SW_HASH_PROTO = 1 << 2,
	SW_HASH_SRC_PORT = 1 << 3,
	SW_HASH_DST_PORT = 1 << 4,
	SW_HASH_DEST_QP = 1 << 5,
};

/* What the driver lends. copy: a new pkt with its own bytes (len, data, kind ... all equal), or
 * NULL; called for floods only, inside sw_rx or, for frames of an edge, sw_advance and sw_set.
 *
 * The others are for checkpoints alone and may be NULL without them. have: how many of a frame's first
 * bytes are in memory (NULL: all len). alloc: a new pkt for a frame of len bytes, data pointing at room
 * for the `have` of them that come, or NULL; the model fills the rest, but for user. release: takes a
 * pkt back that a restore which failed had got. */
struct sw_env {
	void *ctx;
	struct pkt *(*copy)(void *ctx, const struct pkt *pkt);
	uint32_t (*have)(void *ctx, const struct pkt *pkt);
	struct pkt *(*alloc)(void *ctx, uint32_t len, uint32_t have);
	void (*release)(void *ctx, struct pkt *pkt);
};

/* NULL and *err when the configuration cannot work (pool smaller than what is set aside ...). */
struct sw *sw_new(const struct sw_config *config, const struct pipeline *pipeline,
		  const struct sw_env *env, struct err *err);
void sw_free(struct sw *sw); /* held pkts must have been taken with sw_drain */

/* Checks what sw_new would refuse, without building: -errno and *err. */
int sw_config_check(const struct sw_config *config, struct err *err);

/* ---- frames in ---- */

/* Reads the headers of n frames that arrived on in_port and fills the descriptors (all but data,
 * len, user, which the driver sets). No state, no time. */
void sw_parse(struct sw *sw, uint16_t in_port, struct pkt **pkts, uint32_t n);

/* n parsed frames that arrive at t, by port and order. The model owns them from here on. */
void sw_rx(struct sw *sw, uint64_t t_ps, struct pkt **pkts, uint32_t n);

/* ---- time, and frames out ---- */

enum sw_rec_kind {
	SW_REC_FRAME,
	SW_REC_PFC,
	SW_REC_ARP_REQUEST,
	SW_REC_ARP_REPLY,
	SW_REC_NS,
	SW_REC_NA
};

/* A frame of the switch's own, as values; sw_gen_bytes makes it. Addresses are IPv6 or IPv4-mapped. */
struct sw_gen {
	uint16_t vid; /* PKT_NO_VLAN = untagged */
	uint8_t pcp;
	uint8_t dst_mac[6], src_mac[6];
	uint8_t dst_ip[16], src_ip[16];
	uint8_t target_mac[6];     /* ARP: target hardware address */
	uint8_t class_vector;      /* PFC */
	uint16_t quanta[SW_PRIOS]; /* PFC */
};

struct sw_rec {
	uint64_t t_ps; /* when its first bit leaves */
	uint16_t port;
	uint8_t kind;      /* enum sw_rec_kind */
	struct pkt *pkt;   /* SW_REC_FRAME: the driver's again, edits written; else NULL */
	struct sw_gen gen; /* the others; undefined with a frame */
};

struct sw_out {
	uint32_t n, cap;
	struct sw_rec *recs; /* the driver's array */
};

enum sw_state { SW_DONE, SW_MORE };

/* Runs to t (rule 2), overwriting out from its start. SW_MORE: out is full, send it and call again
 * with the same t. */
enum sw_state sw_advance(struct sw *sw, uint64_t t_ps, struct sw_out *out);

/* The earliest time at which sw_advance has something to do; SW_NEVER when nothing waits. A
 * departure at d is done by sw_advance(t) with t > d. */
uint64_t sw_next(const struct sw *sw);

/* Chain (by next) of pkts that the model is done with: drops, consumed. Empties the chain. */
struct pkt *sw_reap(struct sw *sw);

/* At the end of a run: everything that is still held, as a chain; the switch holds nothing after.
 * They are not counted as dropped: take the snapshot first. */
struct pkt *sw_drain(struct sw *sw);

#define SW_GEN_MAX 128
/* Bytes of a record that has no pkt, padded to 60; returns the length. buf has SW_GEN_MAX bytes. */
uint16_t sw_gen_bytes(const struct sw_rec *rec, uint8_t *buf);

/* ---- control: at t, after sw_advance(t) ---- */

/* New tables in, old out (NULL at first); the caller frees the old. Learned entries that the new
 * ones contradict go. */
const struct sw_tables *sw_install(struct sw *sw, uint64_t t_ps, const struct sw_tables *tables);
/* Everything of config but name, n_ports, port names, seed, fdb_size and digest may change under
 * traffic; the whole is checked first, a refused change changes nothing. */
int sw_set(struct sw *sw, uint64_t t_ps, const struct sw_config *config, struct err *err);
void sw_hold(struct sw *sw, uint64_t t_ps, uint16_t port, bool hold);
void sw_link(struct sw *sw, uint64_t t_ps, uint16_t port, bool up);
void sw_clear_watermarks(struct sw *sw, uint64_t t_ps);

/* ---- checkpoint: the whole switch as bytes ---- */

/* Everything that the switch's future depends on: configuration, tables installed and learned, frames
 * with their bytes wherever they wait, counters, timers, random streams, digest. A switch restored from
 * it, in another process, with another compiler's build of the same version, goes on to the very same
 * end. Not in it: what the driver holds (frames not yet due, records not yet sent) and what waits for
 * sw_reap; so it is taken where control acts: after sw_advance(t) has run to SW_DONE.
 *
 * The bytes have a version, a length and a checksum. What is cut off, damaged or of another version is
 * refused with *err. */
#define SW_CHECKPOINT_VERSION 1

struct sw_writer {
	void *ctx;
	int (*put)(void *ctx, const void *bytes, size_t n); /* 0, or what sw_checkpoint returns */
};

int sw_checkpoint(const struct sw *sw, const struct sw_writer *writer);

/* What it is of, without restoring it: -EINVAL and *err as sw_restore. */
struct sw_about {
	char pipeline[SW_NAME], name[SW_NAME];
	uint64_t t_ps, held; /* the frames to come */
	uint32_t largest_mtu_bytes;
	uint16_t n_ports;
};

int sw_checkpoint_about(const void *bytes, size_t n, struct sw_about *out, struct err *err);

/* A switch as sw_new makes it, and where the other stood: its time goes on from about's t_ps. Its
 * tables (sw_tables_of, sw_install) are the caller's to free. pipeline: by name, NULL when there is
 * none of it. NULL and *err on failure; the driver has all its pkts back then. */
struct sw *sw_restore(const void *bytes, size_t n,
		      const struct pipeline *(*pipeline)(const char *name),
		      const struct sw_env *env, struct err *err);

/* ---- reading ---- */

/* The watchdog of a queue. The last storm's own numbers are those since it was detected. */
struct sw_watchdog_stats {
	uint64_t counters[SW_WATCHDOG_COUNTERS];
	uint64_t last[SW_WATCHDOG_COUNTERS]; /* of the last storm, the running one included */
	uint64_t detected_ps, restored_ps;   /* when, the last time; 0 = never */
	uint64_t detect_took_ps;             /* from when its pause began to count */
	uint64_t restore_took_ps;            /* from when its pause ended; 0 = not by itself */
	uint64_t stormed;                    /* now: 0 or 1 */
	bool watched;                        /* the watchdog is on, and the queue lossless */
};

/* How long the frames of an egress queue were in the switch: from arrival (behind an edge; where the
 * next hop had to be asked for, from the answer) to the first bit's departure, the switch's latency
 * included. Counts per bucket: 8 buckets of 4,096 ps, then 8 for each power of two, the last one open:
 * a bucket is an eighth of its value wide. Free-running. */
#define SW_LATENCY_UNIT_BITS 12
#define SW_LATENCY_BUCKETS 240
struct sw_latency {
	uint64_t buckets[SW_LATENCY_BUCKETS];
};

/* The last value of a bucket, ps; UINT64_MAX of the last. */
uint64_t sw_latency_end(uint32_t bucket);
uint64_t sw_latency_count(const struct sw_latency *latency);
void sw_latency_add(struct sw_latency *to, const struct sw_latency *from);
/* The last value of the bucket in which the quantile lies: at least the exact one, and at most an eighth
 * or 4,095 ps more. ppm: 500000 = the median. 0 when nothing was counted. */
uint64_t sw_latency_quantile(const struct sw_latency *latency, uint32_t ppm);

struct sw_queue_stats {
	uint64_t counters[SW_QUEUE_COUNTERS];
	uint64_t packets, bytes; /* now; bytes are those of the frames, which RED judges */
	uint64_t buffer_bytes;   /* what they take of the buffer, in whole cells */
	uint64_t max_bytes;      /* its watermark */
	struct sw_watchdog_stats watchdog;
	uint64_t paused_ps; /* total, the running pause included */
	bool paused;
	bool lossless; /* a class with PFC pauses it */
};

struct sw_pg_stats {
	uint64_t total_bytes, shared_bytes, headroom_bytes; /* now */
	uint64_t max_shared_bytes, max_headroom_bytes;      /* watermarks */
	uint64_t dropped;
	bool xoff;
};

struct sw_port_stats {
	char name[SW_NAME];
	uint64_t counters[SW_PORT_COUNTERS];
	uint64_t drops[SW_DROPS];
	uint64_t prio[SW_PRIO_COUNTERS][SW_PRIOS];
	struct sw_queue_stats queues[SW_PRIOS];
	struct sw_pg_stats pgs[SW_PRIOS];
	uint64_t edge_packets, edge_bytes, edge_max_bytes,
		edge_paused_ps; /* the FIFO in front, if any */
	uint64_t digest;
	bool up, held;
};

/* The whole, at one time: the identity rx + generated + copied = tx + consumed + dropped + held
 * holds in it exactly. ports points at the caller's array of n_ports. */
struct sw_stats {
	char name[SW_NAME];
	uint64_t t_ps;
	uint64_t rx, generated, copied, tx, consumed, dropped, held;
	uint64_t drops[SW_DROPS];
	uint64_t dropped_lossless, dropped_lossy;
	/* Everything in the buffer, which is also what the egress queues hold. */
	uint64_t buffer_bytes, buffer_max_bytes, buffer_size_bytes;
	/* The shared pool, charged by ingress, and headroom: the pool's size, or the sum of all PGs'. */
	uint64_t shared_bytes, shared_max_bytes, shared_size_bytes;
	uint64_t headroom_bytes, headroom_max_bytes, headroom_size_bytes;
	bool headroom_pooled;
	uint64_t holds, swaps; /* control acts so far */
	uint64_t digest;       /* of all ports, combined in name order */
	uint16_t n_ports;
	struct sw_port_stats *ports;
	/* The caller's array of n_ports x SW_PRIOS, zeroed at first, or NULL: not wanted. Queues that sent
	 * nothing are left as they are. */
	struct sw_latency *latency;
};

void sw_stats(const struct sw *sw, uint64_t t_ps, struct sw_stats *out);

/* Tables as they are: learned and installed. Calls back per entry, in a fixed order. */
struct sw_fdb_row {
	uint8_t mac[6];
	uint16_t domain, vid, port;
	bool installed;
	uint64_t age_ps; /* since it was seen, give or take 17 ms; 0 when installed */
};
struct sw_neigh_row {
	uint8_t ip[16], mac[6];
	uint16_t domain, vid, port;
	bool installed, resolved;
	uint8_t waiting;
	uint64_t age_ps; /* since it was heard of; 0 unless learned and resolved */
};
void sw_fdb_each(const struct sw *sw, void (*f)(void *arg, const struct sw_fdb_row *), void *arg);
void sw_neigh_each(const struct sw *sw, void (*f)(void *arg, const struct sw_neigh_row *),
		   void *arg);
const struct sw_tables *sw_tables_of(const struct sw *sw);

#endif
