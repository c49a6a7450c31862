/* SPDX-License-Identifier: BSD-3-Clause */
/* Storms while the switch is changed under them; whose frame is whose; all of it at any cadence. */
#include "storm.h"

/* ---- A5.7, A5.8 and other live changes ---- */

static void enabled_under_traffic(void)
{
	struct source s[] = {flow(0, 1, 3, S, 16 * S), flow(1, 0, 3, S + 1, 16 * S),
			     flow(0, 1, 4, S + 2, 16 * S), flow(0, 1, 0, S + 3, 16 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.recount_every = 512;
	rig.config.qos.watchdog.on = false;
	rig_start(&rig);
	play(&rig, s, 4, 4 * S);
	rig.config.qos.watchdog.on = true;
	CU_ASSERT_EQUAL(rig_set(&rig, 4 * S), 0);
	CU_ASSERT_TRUE(wd(&rig, 1, 3)->watched);
	play(&rig, s, 4, 17 * S);
	CU_ASSERT_EQUAL(rig_stats(&rig)->tx, rig_stats(&rig)->rx);
	CU_ASSERT_EQUAL(rig_stats(&rig)->rx, 4 * 15000);
	storms_are(&rig, 1, 3, 0, 0);
	rig_stop(&rig);
}

/* In a storm: it counts from the switching on, polls from there too. */
static void enabled_in_a_storm(void)
{
	struct source s[] = {storm(1, 8, S, 5 * S), flow(0, 1, 3, S, 2 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.config.qos.watchdog.on = false;
	rig_start(&rig);
	play(&rig, s, 2, 2 * S + 33);
	storms_are(&rig, 1, 3, 0, 0);
	rig.config.qos.watchdog.on = true;
	CU_ASSERT_EQUAL(rig_set(&rig, 2 * S + 33), 0);
	play(&rig, s, 2, 3 * S);
	storms_are(&rig, 1, 3, 1, 0);
	CU_ASSERT_EQUAL(wd(&rig, 1, 3)->detected_ps, 2 * S + 33 + 300 * RIG_MS);
	rig_stop(&rig);
}

/* A storm seen at 1.3 s, the pauses go on until 4 s. */
static void in_a_storm(struct rig *rig, struct source *s, bool forward)
{
	bench(rig, 2, 200, 200, 100);
	rig->config.qos.watchdog.forward = forward;
	rig_start(rig);
	s[0] = storm(1, 8, S, 4 * S);
	s[1] = flow(0, 1, 3, S, 3 * S);
	s[2] = flow(1, 0, 3, S, 3 * S);
	play(rig, s, 3, 2 * S + 1);
	storms_are(rig, 1, 3, 1, 0);
}

/* Restored at once: the queue listens again, to the pause that is in force. */
static void disabled_in_a_storm(void)
{
	struct source s[3];
	struct rig rig;

	in_a_storm(&rig, s, false);
	rig.config.qos.watchdog.on = false;
	CU_ASSERT_EQUAL(rig_set(&rig, 2 * S + 1), 0);
	storms_are(&rig, 1, 3, 1, 1);
	CU_ASSERT_EQUAL(wd(&rig, 1, 3)->restore_took_ps, 0);
	CU_ASSERT_FALSE(wd(&rig, 1, 3)->watched);
	CU_ASSERT_TRUE(rig_stats(&rig)->ports[1].queues[3].paused);
	play(&rig, s, 3, 4 * S);
	CU_ASSERT_EQUAL(left(&rig, 1, 3, S, 4 * S), 0);
	CU_ASSERT_EQUAL(left(&rig, 0, 3, 2 * S, 4 * S), 999); /* the PG forwards */
	play(&rig, s, 3, 5 * S);
	CU_ASSERT_EQUAL(left(&rig, 1, 3, 4 * S, 5 * S), 999);
	storms_are(&rig, 1, 3, 1, 1);
	rig_stop(&rig);
}

/* A02: with its priority's PFC gone the queue is no longer watched, and forwards. */
static void priority_removed_in_a_storm(void)
{
	struct source s[3];
	struct rig rig;

	in_a_storm(&rig, s, false);
	rig.config.qos.pfc_mask = 0x10;
	CU_ASSERT_EQUAL(rig_set(&rig, 2 * S + 1), 0);
	storms_are(&rig, 1, 3, 1, 1);
	play(&rig, s, 3, 6 * S);
	storms_are(&rig, 1, 3, 1, 1);
	CU_ASSERT_EQUAL(left(&rig, 1, 3, 2 * S, 6 * S), 999);
	CU_ASSERT_EQUAL(left(&rig, 0, 3, 2 * S, 6 * S), 999);
	CU_ASSERT_FALSE(rig_stats(&rig)->ports[1].queues[3].lossless);
	CU_ASSERT_TRUE(rig_stats(&rig)->ports[1].queues[4].lossless);
	CU_ASSERT_TRUE(wd(&rig, 1, 4)->watched);
	rig_stop(&rig);
}

static void port_pfc_off_in_a_storm(void)
{
	struct source s[3];
	struct rig rig;

	in_a_storm(&rig, s, false);
	rig.ports[1].pfc = false;
	CU_ASSERT_EQUAL(rig_set(&rig, 2 * S + 1), 0);
	storms_are(&rig, 1, 3, 1, 1);
	CU_ASSERT_FALSE(rig_stats(&rig)->ports[1].queues[3].lossless);
	play(&rig, s, 3, 6 * S);
	CU_ASSERT_EQUAL(left(&rig, 1, 3, 2 * S, 6 * S), 999);
	rig_stop(&rig);
}

static void action_changed_in_a_storm(void)
{
	for (int to_forward = 0; to_forward < 2; to_forward++) {
		struct source s[3];
		struct rig rig;

		in_a_storm(&rig, s, !to_forward);
		rig_hold(&rig, 2 * S + 1, 1, true);
		play(&rig, s, 3, 2 * S + 100 * RIG_MS);
		rig.config.qos.watchdog.forward = to_forward;
		CU_ASSERT_EQUAL(rig_set(&rig, 2 * S + 100 * RIG_MS), 0);
		storms_are(&rig, 1, 3, 1, 0);
		/* What waits is lost when drop begins. */
		CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_DROP), to_forward ? 1100 : 99);
		CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].queues[3].packets, 0);
		rig_hold(&rig, 2 * S + 100 * RIG_MS, 1, false);
		play(&rig, s, 3, 5 * S);
		CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_DROP), to_forward ? 1100 : 999);
		CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_OK), to_forward ? 900 : 1001);
		CU_ASSERT_EQUAL(left(&rig, 1, 3, 0, 5 * S), to_forward ? 900 : 1001);
		storms_are(&rig, 1, 3, 1, 1);
		buffer_is_empty(&rig);
		rig_stop(&rig);
	}
}

/* Polls count from the change of poll; a shorter detect fires at the next look. */
static void times_changed(void)
{
	struct source s[] = {storm(1, 8, S, 9 * S), flow(0, 1, 3, S, 2 * S)};
	struct rig rig;

	bench(&rig, 2, 5000, 200, 100);
	rig_start(&rig);
	play(&rig, s, 2, 2 * S + 30 * RIG_MS);
	rig.config.qos.watchdog.detect_ps = 100 * RIG_MS;
	CU_ASSERT_EQUAL(rig_set(&rig, 2 * S + 30 * RIG_MS), 0);
	play(&rig, s, 2, 2 * S + 100 * RIG_MS - 1);
	storms_are(&rig, 1, 3, 0, 0);
	play(&rig, s, 2, 2 * S + 100 * RIG_MS);
	storms_are(&rig, 1, 3, 1, 0);
	rig.config.qos.watchdog.poll_ps = 300 * RIG_MS;
	play(&rig, s, 2, 9 * S + 50 * RIG_MS); /* it is over since 50 ms */
	CU_ASSERT_EQUAL(rig_set(&rig, 9 * S + 50 * RIG_MS), 0);
	rig_to(&rig, 9 * S + 350 * RIG_MS - 1);
	storms_are(&rig, 1, 3, 1, 0);
	rig_to(&rig, 9 * S + 350 * RIG_MS);
	storms_are(&rig, 1, 3, 1, 1);
	rig_stop(&rig);
}

/* The class is sent to another queue: the old one is not watched on its account any more. */
static void map_changed_in_a_storm(void)
{
	struct source s[3];
	struct rig rig;

	in_a_storm(&rig, s, false);
	rig.config.qos.pfc_to_queue[3] = 5;
	rig.config.qos.prio_to_queue[3] = 5;
	CU_ASSERT_EQUAL(rig_set(&rig, 2 * S + 1), 0);
	storms_are(&rig, 1, 3, 1, 1);
	play(&rig, s, 3, 3 * S);
	storms_are(&rig, 1, 5, 1, 0); /* and the new one is */
	CU_ASSERT_EQUAL(wd(&rig, 1, 5)->detect_took_ps, 299 * RIG_MS);
	rig_stop(&rig);
}

static void mmu_changed_in_a_storm(void)
{
	struct source s[3];
	struct rig rig;

	in_a_storm(&rig, s, false);
	rig.config.buffer.alpha_q16 = 65536 / 16;
	rig.config.buffer.size_bytes = 2000000;
	rig.ports[0].headroom_bytes = rig.ports[1].headroom_bytes = 100000;
	CU_ASSERT_EQUAL(rig_set(&rig, 2 * S + 1), 0);
	storms_are(&rig, 1, 3, 1, 0);
	play(&rig, s, 3, 6 * S);
	storms_are(&rig, 1, 3, 1, 1);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_DROP), 2000);
	buffer_is_empty(&rig);
	rig_stop(&rig);
}

/* A link that goes takes its storm with it; the peer's next pauses are a new one. */
static void link_toggled_in_a_storm(void)
{
	struct source s[3];
	struct rig rig;

	in_a_storm(&rig, s, false);
	rig_link(&rig, 2 * S + 1, 1, false);
	storms_are(&rig, 1, 3, 1, 1);
	CU_ASSERT_FALSE(wd(&rig, 1, 3)->watched);
	rig_link(&rig, 2 * S + 2, 1, true);
	CU_ASSERT_TRUE(wd(&rig, 1, 3)->watched);
	play(&rig, s, 3, 2 * S + 220 * RIG_MS); /* told again at 2.02 s */
	storms_are(&rig, 1, 3, 1, 1);
	play(&rig, s, 3, 2 * S + 300 * RIG_MS);
	storms_are(&rig, 1, 3, 2, 1);
	play(&rig, s, 3, 6 * S);
	storms_are(&rig, 1, 3, 2, 2);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_LINK_DOWN], 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_WATCHDOG], rig_stats(&rig)->dropped);
	buffer_is_empty(&rig);
	rig_stop(&rig);
}

/* A5.8: every port, both lossless classes, frames from each to the next. */
static void all_ports(bool forward)
{
	struct source s[8 * 3];
	const struct sw_stats *st;
	struct rig rig;

	bench(&rig, 8, 400, 400, 400);
	rig.config.buffer.size_bytes = 100000000;
	rig.config.qos.watchdog.forward = forward;
	rig_start(&rig);
	for (uint16_t i = 0; i < 8; i++) {
		s[i] = storm(i, 0x18, S + i * RIG_MS, 3 * S + i * RIG_MS);
		s[8 + i] = flow(i, (i + 1) % 8, 3, S + 10 * RIG_MS + i, 2 * S);
		s[16 + i] = flow(i, (i + 1) % 8, 4, S + 10 * RIG_MS + i, 2 * S);
	}
	play(&rig, s, 24, 5 * S);
	st = rig_stats(&rig);
	for (uint16_t i = 0; i < 8; i++)
		for (int q = 3; q < 5; q++) {
			storms_are(&rig, i, q, 1, 1);
			CU_ASSERT_EQUAL(count(&rig, i, q, SW_WATCHDOG_TX_OK), forward ? 990 : 0);
		}
	CU_ASSERT_EQUAL(st->dropped, forward ? 0 : 8 * 2 * 990);
	CU_ASSERT_EQUAL(st->drops[SW_DROP_WATCHDOG], st->dropped);
	buffer_is_empty(&rig);
	for (uint16_t i = 0; i < 8; i++) {
		s[i] = flow(i, (i + 1) % 8, 3, 5 * S + i, 6 * S);
		s[8 + i] = flow(i, (i + 1) % 8, 4, 5 * S + i, 6 * S);
	}
	play(&rig, s, 16, 7 * S);
	for (uint16_t i = 0; i < 16; i++)
		CU_ASSERT_EQUAL(left(&rig, (i + 1) % 8, 3 + i / 8, 5 * S, 7 * S), 1000);
	rig_stop(&rig);
}

static void all_port_storm(void)
{
	all_ports(false);
	all_ports(true);
}

/* A1.7: a held port, headroom in use behind it, a storm on top; then all of it goes. */
static void storm_over_headroom(bool forward)
{
	struct source s[] = {storm(1, 8, S, 2 * S)};
	uint32_t told;
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.config.qos.watchdog.forward = forward;
	rig.config.buffer.size_bytes = 20000 + 2 * 2 * 40000;
	rig.ports[0].headroom_bytes = rig.ports[1].headroom_bytes = 40000;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 30; i++)
		rig_send(&rig, S / 2 + i * 10 * RIG_US, 0, 1, 3, 2, FRAME);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].pgs[3].max_headroom_bytes, 20000);
	play(&rig, s, 1, 3 * S);
	storms_are(&rig, 1, 3, 1, 1);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, forward ? 0 : 30);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_WATCHDOG], rig_stats(&rig)->dropped);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].pgs[3].headroom_bytes, forward ? 20000 : 0);
	rig_hold(&rig, 3 * S, 1, false);
	rig_to(&rig, 4 * S);
	told = rig_count(&rig, 0, SW_REC_PFC);
	rig_to(&rig, 30 * S);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), told); /* silence from now on */
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), forward ? 30 : 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, forward ? 0 : 30);
	CU_ASSERT_EQUAL(sw_next(rig.sw), SW_NEVER);
	buffer_is_empty(&rig);
	rig_stop(&rig);
}

static void shared_headroom(void)
{
	storm_over_headroom(false);
	storm_over_headroom(true);
}

/* ---- what is watched, and whose frame is whose ---- */

/* With asymmetric PFC a lossy queue is paused too; nobody watches it. */
static void lossless_queues_only(void)
{
	struct source s[] = {storm(1, 0xff, S, 3 * S), flow(0, 1, 0, S, 2 * S),
			     flow(0, 1, 4, S, 2 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.config.qos.pfc_asymmetric = true;
	rig_start(&rig);
	play(&rig, s, 3, 5 * S);
	storms_are(&rig, 1, 0, 0, 0);
	storms_are(&rig, 1, 4, 1, 1);
	CU_ASSERT_EQUAL(left(&rig, 1, 0, 0, 5 * S), 1000);
	for (int q = 0; q < SW_PRIOS; q++) {
		CU_ASSERT_EQUAL(wd(&rig, 1, q)->watched, q == 3 || q == 4);
		CU_ASSERT_EQUAL(rig.port_stats[1].queues[q].lossless, q == 3 || q == 4);
	}
	rig_stop(&rig);
}

static void lossy_pipeline(void)
{
	struct source s[] = {storm(1, 8, S, 3 * S), flow(0, 1, 3, S, 3 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.pipeline = "lossy";
	rig.config.qos.watchdog.idle_counts = true;
	rig_start(&rig);
	play(&rig, s, 2, 4 * S);
	storms_are(&rig, 1, 3, 0, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->tx, 2000);
	CU_ASSERT_FALSE(wd(&rig, 1, 3)->watched);
	rig_stop(&rig);
}

/* Priorities 3 and 4 come in by one PG: that PG is the storm's, in both. */
static void shared_pg(void)
{
	struct source s[] = {storm(1, 8, S, 3 * S), flow(1, 0, 3, S, 3 * S),
			     flow(1, 0, 4, S, 3 * S), flow(0, 1, 4, S, 3 * S),
			     flow(1, 0, 0, S, 3 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.config.qos.watchdog.idle_counts = true;
	rig.config.qos.prio_to_pg[4] = 3;
	rig_start(&rig);
	play(&rig, s, 5, 3 * S);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_RX_DROP), 2 * 1700);
	CU_ASSERT_EQUAL(count(&rig, 1, 4, SW_WATCHDOG_RX_DROP), 0);
	CU_ASSERT_EQUAL(left(&rig, 1, 4, 0, 3 * S), 2000); /* another queue */
	CU_ASSERT_EQUAL(left(&rig, 0, 0, 0, 3 * S), 2000); /* another PG */
	rig_stop(&rig);
}

/* Both queues stormed, each frame is its own queue's. A frame from the port to itself's like is one
 * drop: where it came from goes first. */
static void both_queues(void)
{
	struct source s[] = {storm(1, 0x18, S, 3 * S), storm(0, 8, S, 3 * S),
			     flow(1, 0, 3, 2 * S, 3 * S), flow(1, 0, 4, 2 * S, 3 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.config.qos.watchdog.idle_counts = true;
	rig_start(&rig);
	play(&rig, s, 4, 3 * S);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_RX_DROP), 1000);
	CU_ASSERT_EQUAL(count(&rig, 1, 4, SW_WATCHDOG_RX_DROP), 1000);
	CU_ASSERT_EQUAL(count(&rig, 0, 3, SW_WATCHDOG_TX_DROP), 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 2000);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].counters[SW_PORT_DROPPED], 2000);
	rig_stop(&rig);
}

/* The lower of two stormed queues does not use the PG: the frame is the higher one's. */
static void pg_of_the_higher_queue(void)
{
	struct source s[] = {storm(1, 0x38, S, 3 * S), flow(1, 0, 5, 2 * S, 3 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.config.qos.watchdog.idle_counts = true;
	rig.config.qos.prio_to_pg[5] = 4;
	rig_start(&rig);
	play(&rig, s, 2, 3 * S);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_RX_DROP), 0);
	CU_ASSERT_EQUAL(count(&rig, 1, 4, SW_WATCHDOG_RX_DROP), 1000);
	rig_stop(&rig);
}

/* Behind an emulated NIC too: what its FIFO sends on is the port's. */
static void edge_port(void)
{
	struct source s[] = {storm(1, 8, S, 3 * S), flow(1, 0, 3, 2 * S, 3 * S - 1),
			     flow(0, 1, 3, 2 * S, 3 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.ports[1].edge = true;
	rig.config.qos.watchdog.idle_counts = true;
	rig_start(&rig);
	play(&rig, s, 3, 5 * S);
	storms_are(&rig, 1, 3, 1, 1);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_RX_DROP), 1000);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_DROP), 1000);
	rig_stop(&rig);
}

/* A flood loses the copy for the stormed queue, and that alone. */
static void flooded_copy(void)
{
	struct source s[] = {storm(1, 8, S, 3 * S)};
	struct rig rig;

	bench(&rig, 4, 200, 200, 100);
	rig.config.qos.watchdog.idle_counts = true;
	rig_start(&rig);
	play(&rig, s, 1, 2 * S);
	rig_send(&rig, 2 * S, 0, 20, 3, 2, FRAME); /* host 20 is not known */
	rig_to(&rig, 3 * S);
	CU_ASSERT_EQUAL(rig_count(&rig, 2, SW_REC_FRAME) + rig_count(&rig, 3, SW_REC_FRAME), 2);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 0);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_DROP), 1);
	rig_stop(&rig);
}

/* ---- the same at any cadence; on and idle, nothing ---- */

static uint64_t digest_of(uint32_t out_cap, uint64_t stride, bool on)
{
	struct source s[SOURCES];
	struct rig rig;
	uint64_t digest;

	bench(&rig, 3, 100, 100, 100);
	rig.config.qos.watchdog.on = on;
	rig.out_cap = out_cap;
	rig_start(&rig);
	around_a_storm(s);
	s[STORM] = storm(1, 8, S + 123456789, 2 * S);
	for (uint64_t t = S; t < 4 * S; t += stride)
		play(&rig, s, SOURCES, t);
	play(&rig, s, SOURCES, 4 * S);
	digest = rig_stats(&rig)->digest;
	rig_stop(&rig);
	return digest;
}

static void any_cadence(void)
{
	uint64_t digest = digest_of(64, S, true);

	CU_ASSERT_EQUAL(digest_of(64, 777 * RIG_US, true), digest);
	CU_ASSERT_EQUAL(digest_of(1, 10 * RIG_MS + 1, true), digest);
	CU_ASSERT_NOT_EQUAL(digest_of(64, S, false), digest);
}

static void refused(uint64_t detect_ps, uint64_t restore_ps, uint64_t poll_ps, const char *path)
{
	struct err err = {0};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.config.ports = rig.ports;
	CU_ASSERT_EQUAL(sw_config_check(&rig.config, &err), 0);
	rig.config.qos.watchdog.detect_ps = detect_ps;
	rig.config.qos.watchdog.restore_ps = restore_ps;
	rig.config.qos.watchdog.poll_ps = poll_ps;
	CU_ASSERT_NOT_EQUAL(sw_config_check(&rig.config, &err), 0);
	CU_ASSERT_STRING_EQUAL(err.path, path);
	rig.config.qos.watchdog.on = false; /* then nobody asks */
	CU_ASSERT_EQUAL(sw_config_check(&rig.config, &(struct err){0}), 0);
}

static void times_are_bounded(void)
{
	refused(0, RIG_MS, RIG_MS, "switch.pfc.watchdog.detect");
	refused(RIG_MS, 3601 * S, RIG_MS, "switch.pfc.watchdog.restore");
	refused(RIG_MS, RIG_MS, RIG_US - 1, "switch.pfc.watchdog.poll");
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"watchdog_reconfigured__enabled_under_traffic", enabled_under_traffic},
		{"watchdog_reconfigured__enabled_in_a_storm", enabled_in_a_storm},
		{"watchdog_reconfigured__disabled_in_a_storm", disabled_in_a_storm},
		{"watchdog_reconfigured__priority_removed", priority_removed_in_a_storm},
		{"watchdog_reconfigured__port_pfc_off", port_pfc_off_in_a_storm},
		{"watchdog_reconfigured__action_changed", action_changed_in_a_storm},
		{"watchdog_reconfigured__times_changed", times_changed},
		{"watchdog_reconfigured__map_changed", map_changed_in_a_storm},
		{"watchdog_reconfigured__mmu_changed", mmu_changed_in_a_storm},
		{"watchdog_settle__link_toggled", link_toggled_in_a_storm},
		{"watchdog_storm__all_ports", all_port_storm},
		{"watchdog_storm__shared_headroom", shared_headroom},
		{"watchdog_poll__lossless_queues_only", lossless_queues_only},
		{"watchdog_poll__lossy_pipeline", lossy_pipeline},
		{"watchdog_storm_rx__shared_pg", shared_pg},
		{"watchdog_storm_rx__both_queues", both_queues},
		{"watchdog_storm_rx__pg_of_the_higher_queue", pg_of_the_higher_queue},
		{"watchdog_storm_rx__edge_port", edge_port},
		{"watchdog_storm_tx__flooded_copy", flooded_copy},
		{"watchdog_poll__any_cadence", any_cadence},
		{"sw_config_check__watchdog_times", times_are_bounded},
		{NULL, NULL},
	};

	return cu_main("model/watchdog_live", cases);
}
