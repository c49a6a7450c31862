/* SPDX-License-Identifier: BSD-3-Clause */
/* A switch on a bench, for the tests of the stages: frames in at given times, records out, and after
 * every step the accounting closed and the buffer recounted from what lies in the queues.
 *
 *	struct rig rig;
 *	rig_init(&rig, 3);             // 3 ports of 100 Gb/s, one bridge domain, priorities 3 and 4
 *	rig.config.buffer.cell_bytes = 256;                               // lossless; change at will
 *	rig_start(&rig);
 *	rig_send(&rig, 1000, 0, 2, 3, 2, 1024);  // at 1 ns, from port 0 to 2, priority 3, ECT(0)
 *	rig_to(&rig, RIG_US);
 *	CU_ASSERT_EQUAL(rig.recs[0].t_ps, 1000);
 *	rig_stop(&rig);                // every frame came back once
 *
 * Times are ps, lengths bytes without FCS. Only the first RIG_BYTES of a frame are in memory: the
 * model reads headers. Host i's MAC is installed at port i; any other host is not known. The switch is
 * 10.0.0.254 and routes 10.0.0.0/24, whose hosts it must ask for. One thread.
 */
#ifndef RY_TEST_RIG_H
#define RY_TEST_RIG_H

#include "dataplane/model/sw_int.h"
#include "pipelines/registry.h"

#define RIG_NS 1000ULL
#define RIG_US 1000000ULL
#define RIG_MS 1000000000ULL
#define RIG_BYTES 128
#define RIG_PORTS 32

/* A record as it was when it came out. */
struct rig_rec {
	uint64_t t_ps;
	uint16_t port, in_port, len;
	uint8_t kind; /* enum sw_rec_kind */
	uint8_t queue, ecn;
	uint32_t id;       /* of the frame, in the order made, from 1; 0 without one */
	struct sw_gen gen; /* PFC and the like */
};

struct rig {
	struct sw_config config;
	struct sw_port_config ports[RIG_PORTS];
	const char *pipeline;
	struct sw *sw;
	struct sw_tables *tables;
	uint32_t out_cap;       /* records that one sw_advance may give */
	uint32_t recount_every; /* steps between recounts; 0 = never */
	uint32_t steps, made;
	int64_t alive; /* frames that the model has */
	bool refuse_copies;
	uint32_t allocs_left; /* frames that a restore gets; rig_init: as many as it wants */
	uint64_t data_in, control_in; /* frames fed */
	struct rig_rec *recs;
	uint32_t n_recs, cap_recs;
	struct sw_stats stats; /* of the last rig_stats */
	struct sw_port_stats port_stats[RIG_PORTS];
};

void rig_init(struct rig *rig, uint16_t n_ports);
void rig_start(struct rig *rig);
/* Drains, checks that every frame came back exactly once, frees. */
void rig_stop(struct rig *rig);
/* The same of a switch whose counts are not the bench's: only the frames are looked at. */
void rig_discard(struct rig *rig);

/* The switch as bytes, malloc'd. */
uint8_t *rig_checkpoint(const struct rig *rig, size_t *n);
/* A second bench with the switch that the bytes are; all else is as in from, its records none. When
 * they are refused (-1 and *err), no frame is left and the bench needs no stop. */
int rig_restore(struct rig *rig, const struct rig *from, const void *bytes, size_t n,
		struct err *err);

/* Frames; DSCP equals the priority wanted (see rig_init). */
struct pkt *rig_frame(struct rig *rig, uint16_t in, uint16_t out, uint8_t dscp, uint8_t ecn,
		      uint16_t len);
struct pkt *rig_raw(struct rig *rig, const uint8_t *bytes, uint16_t len);
struct pkt *rig_pfc_frame(struct rig *rig, uint16_t vector, const uint16_t quanta[SW_PRIOS],
			  bool zero_source);

/* Time. rig_to advances and collects; the others do that first, so that they act at t. */
void rig_to(struct rig *rig, uint64_t t_ps);
void rig_rx(struct rig *rig, uint64_t t_ps, uint16_t port, struct pkt **pkts, uint32_t n);
void rig_one(struct rig *rig, uint64_t t_ps, uint16_t port, struct pkt *pkt);
void rig_send(struct rig *rig, uint64_t t_ps, uint16_t in, uint16_t out, uint8_t dscp, uint8_t ecn,
	      uint16_t len);
void rig_pfc(struct rig *rig, uint64_t t_ps, uint16_t port, uint8_t vector, uint16_t quanta);
void rig_hold(struct rig *rig, uint64_t t_ps, uint16_t port, bool hold);
void rig_link(struct rig *rig, uint64_t t_ps, uint16_t port, bool up);
int rig_set(struct rig *rig, uint64_t t_ps); /* rig->config and rig->ports as they are now */
/* Until nothing waits. */
void rig_settle(struct rig *rig);

/* Reading. */
const struct sw_stats *rig_stats(struct rig *rig);
void rig_check(struct rig *rig);
uint32_t rig_count(const struct rig *rig, uint16_t port, enum sw_rec_kind kind);
/* The i-th record of that kind on that port; NULL when there are fewer. */
const struct rig_rec *rig_nth(const struct rig *rig, uint16_t port, enum sw_rec_kind kind,
			      uint32_t i);

/* The tests' own draws: never the model's streams. */
uint64_t rig_random(uint64_t *state);

#endif
