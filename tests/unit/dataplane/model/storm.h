/* SPDX-License-Identifier: BSD-3-Clause */
/* PFC storms on the rig, for the tests of the watchdog: flows and pausing peers that go on by
 * themselves, and what the watchdog makes of them. Times are those of SONiC's tests; rates are scaled
 * down: ports of 1 Gb/s (a full pause is 33.55 ms), flows of a frame a millisecond.
 *
 *	struct source s[] = {storm(1, 8, S, 3 * S), flow(0, 1, 3, S, 5 * S)};
 *	bench(&rig, 2, 200, 200, 100);                     // detect, restore, poll in ms
 *	rig_start(&rig);
 *	play(&rig, s, 2, 6 * S);
 *	storms_are(&rig, 1, 3, 1, 1);                      // port 1, queue 3: detected, restored
 */
#ifndef RY_TEST_STORM_H
#define RY_TEST_STORM_H

#include "rig.h"

#include "tests/unit/cu.h"

#define S (1000 * RIG_MS)
#define FRAME 1000

/* What arrives by itself, again and again: a flow, or a peer's pauses. */
struct source {
	uint64_t at, until, every;
	uint16_t in, out;
	uint8_t prio, vector; /* vector != 0: full pauses, and at the end xon */
	bool no_xon;
	uint32_t sent;
};

static inline void fire(struct rig *rig, struct source *s)
{
	if (s->vector != 0)
		rig_pfc(rig, s->at, s->in, s->vector, 0xffff);
	else
		rig_send(rig, s->at, s->in, s->out, s->prio, 2, FRAME);
	s->sent++;
	s->at += s->every;
	if (s->at < s->until)
		return;
	if (s->vector != 0 && !s->no_xon && s->every != 0) {
		s->at = s->until;
		s->every = 0;
		return;
	}
	s->at = SW_NEVER;
}

/* The xon of a storm's end is its last event: every = 0. */
static inline void step(struct rig *rig, struct source *s)
{
	if (s->vector == 0 || s->every != 0) {
		fire(rig, s);
		return;
	}
	rig_pfc(rig, s->at, s->in, s->vector, 0);
	s->at = SW_NEVER;
}

static inline void play(struct rig *rig, struct source *sources, int n, uint64_t until)
{
	for (;;) {
		struct source *first = &sources[0];

		for (int i = 1; i < n; i++)
			if (sources[i].at < first->at)
				first = &sources[i];
		if (first->at >= until)
			break;
		step(rig, first);
	}
	rig_to(rig, until);
}

static inline struct source flow(uint16_t in, uint16_t out, uint8_t prio, uint64_t from,
				 uint64_t until)
{
	return (struct source){
		.at = from, .until = until, .every = RIG_MS, .in = in, .out = out, .prio = prio};
}

static inline struct source storm(uint16_t port, uint8_t vector, uint64_t from, uint64_t until)
{
	return (struct source){
		.at = from, .until = until, .every = 20 * RIG_MS, .in = port, .vector = vector};
}

static inline void bench(struct rig *rig, uint16_t n, uint64_t detect, uint64_t restore,
			 uint64_t poll)
{
	rig_init(rig, n);
	rig->config.buffer.size_bytes = 4000000;
	for (int i = 0; i < n; i++)
		rig->ports[i].rate_bps = 1000000000;
	rig->config.qos.watchdog = (struct sw_watchdog){.on = true,
							.detect_ps = detect * RIG_MS,
							.restore_ps = restore * RIG_MS,
							.poll_ps = poll * RIG_MS};
	rig->recount_every = 64;
}

static inline const struct sw_watchdog_stats *wd(struct rig *rig, uint16_t port, int q)
{
	return &rig_stats(rig)->ports[port].queues[q].watchdog;
}

static inline uint64_t count(struct rig *rig, uint16_t port, int q, enum sw_watchdog_counter c)
{
	return wd(rig, port, q)->counters[c];
}

static inline void storms_are(struct rig *rig, uint16_t port, int q, uint64_t detected,
			      uint64_t restored)
{
	CU_ASSERT_EQUAL(count(rig, port, q, SW_WATCHDOG_STORM_DETECTED), detected);
	CU_ASSERT_EQUAL(count(rig, port, q, SW_WATCHDOG_STORM_RESTORED), restored);
	CU_ASSERT_EQUAL(wd(rig, port, q)->stormed, detected - restored);
}

/* Frames of a priority that left by a port in [from, to). */
static inline uint32_t left(const struct rig *rig, uint16_t port, uint8_t queue, uint64_t from,
			    uint64_t to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rig->n_recs; i++)
		n += rig->recs[i].kind == SW_REC_FRAME && rig->recs[i].port == port &&
		     rig->recs[i].queue == queue && rig->recs[i].t_ps >= from &&
		     rig->recs[i].t_ps < to;
	return n;
}

/* PFC frames sent by a port from then on that pause. */
static inline uint32_t xoffs(const struct rig *rig, uint16_t port, uint64_t from)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rig->n_recs; i++)
		for (int p = 0; p < SW_PRIOS; p++)
			n += rig->recs[i].kind == SW_REC_PFC && rig->recs[i].port == port &&
			     rig->recs[i].t_ps >= from && rig->recs[i].gen.quanta[p] != 0;
	return n;
}

static inline void buffer_is_empty(struct rig *rig)
{
	const struct sw_stats *s = rig_stats(rig);

	CU_ASSERT_EQUAL(s->buffer_bytes + s->shared_bytes + s->held, 0);
	for (uint16_t i = 0; i < s->n_ports; i++)
		for (int g = 0; g < SW_PRIOS; g++) {
			CU_ASSERT_EQUAL(s->ports[i].pgs[g].headroom_bytes, 0);
			CU_ASSERT_FALSE(s->ports[i].pgs[g].xoff);
		}
}

enum { STORM, STUCK, OTHER_TX, LOSSY_TX, BACK, OTHER_BACK, ELSEWHERE, SOURCES };

/* Port 1 pauses class 3 for 2 s; everything else goes on. */
static inline void around_a_storm(struct source *s)
{
	s[STORM] = storm(1, 8, S, 3 * S);
	s[STUCK] = flow(0, 1, 3, S + 1, 5 * S);
	s[OTHER_TX] = flow(0, 1, 4, S + 2, 5 * S);
	s[LOSSY_TX] = flow(0, 1, 0, S + 3, 5 * S);
	s[BACK] = flow(1, 0, 3, S + 4, 5 * S);
	s[OTHER_BACK] = flow(1, 0, 4, S + 5, 5 * S);
	s[ELSEWHERE] = flow(0, 2, 3, S + 6, 5 * S);
}

#endif
