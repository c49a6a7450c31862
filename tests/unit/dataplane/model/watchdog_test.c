/* SPDX-License-Identifier: BSD-3-Clause */
/* What is a storm, when, and what it does: SONiC's cases. */
#include "dataplane/model/watchdog.c"

#include "storm.h"

/* ---- A5.1: accuracy ---- */

static uint64_t first_change(struct rig *rig, struct source *sources, int n, bool stormed,
			     uint64_t poll, uint64_t from)
{
	uint64_t t = from / poll * poll;

	do {
		t += poll;
		play(rig, sources, n, t); /* the watchdog's look at t has been */
	} while (rig->sw->ports[1].storm_queues != (stormed ? 8 : 0) && t < from + 100 * poll);
	return t;
}

/* One storm that begins at some moment of the poll's phase. */
static uint64_t one_storm(struct rig *rig, uint64_t begin, bool xon, bool traffic)
{
	const struct sw_watchdog *cfg = &rig->config.qos.watchdog;
	uint64_t end = begin + cfg->detect_ps + 2 * cfg->poll_ps, seen, over;
	struct source sources[] = {storm(1, 8, begin, end),
				   flow(0, 1, 3, begin + 1, end + cfg->restore_ps)};
	int n = traffic ? 2 : 1;

	sources[0].no_xon = !xon;
	seen = first_change(rig, sources, n, true, cfg->poll_ps, begin);
	CU_ASSERT(seen - begin > cfg->detect_ps && seen - begin < cfg->detect_ps + cfg->poll_ps);
	CU_ASSERT_EQUAL(wd(rig, 1, 3)->detected_ps, seen);
	CU_ASSERT(wd(rig, 1, 3)->detect_took_ps <= seen - begin);
	play(rig, sources, n, end + 1);
	if (!xon)
		end = rig->sw->ports[1].class_until[3];
	over = first_change(rig, sources, n, false, cfg->poll_ps, end);
	CU_ASSERT(over - end > cfg->restore_ps && over - end < cfg->restore_ps + cfg->poll_ps);
	CU_ASSERT_EQUAL(wd(rig, 1, 3)->restored_ps, over);
	CU_ASSERT_EQUAL(wd(rig, 1, 3)->restore_took_ps, over - end);
	play(rig, sources, n, over + cfg->poll_ps);
	return over + cfg->poll_ps;
}

static void accuracy(void)
{
	static const uint64_t times[][3] = {{200, 200, 100},
					    {400, 400, 400},
					    {400, 3000, 400},
					    {100, 100, 300},
					    {200, 200, 200}};
	uint64_t random = 7;

	for (size_t i = 0; i < 5; i++)
		for (int idle = 0; idle < 2; idle++) {
			struct rig rig;
			uint64_t t = S;

			bench(&rig, 2, times[i][0], times[i][1], times[i][2]);
			rig.config.qos.watchdog.idle_counts = idle;
			rig_start(&rig);
			for (int n = 0; n < 20; n++)
				t = one_storm(&rig,
					      t + rig_random(&random) %
							      rig.config.qos.watchdog.poll_ps,
					      n % 2, idle == 0 || n % 4 < 2);
			storms_are(&rig, 1, 3, 20, 20);
			rig_settle(&rig);
			buffer_is_empty(&rig);
			rig_stop(&rig);
		}
}

/* In the polls' own phase: not yet at detect, seen by detect + poll; the look is before arrivals. */
static void accuracy_in_phase(void)
{
	struct source sources[] = {storm(1, 8, S, 2 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.config.qos.watchdog.idle_counts = true;
	rig_start(&rig);
	play(&rig, sources, 1, S + 200 * RIG_MS);
	storms_are(&rig, 1, 3, 0, 0);
	play(&rig, sources, 1, S + 300 * RIG_MS - 1);
	storms_are(&rig, 1, 3, 0, 0);
	play(&rig, sources, 1, S + 300 * RIG_MS);
	storms_are(&rig, 1, 3, 1, 0);
	play(&rig, sources, 1, 2 * S + 200 * RIG_MS);
	storms_are(&rig, 1, 3, 1, 0);
	play(&rig, sources, 1, 2 * S + 300 * RIG_MS);
	storms_are(&rig, 1, 3, 1, 1);
	rig_stop(&rig);
}

/* A storm that lasts exactly as long as it may take is seen; one that ends just before is not. */
static void shortest_storm(void)
{
	for (int late = 0; late < 2; late++) {
		struct source sources[] = {storm(1, 8, S, S + 300 * RIG_MS - 1 + late)};
		struct rig rig;

		bench(&rig, 2, 200, 200, 100);
		rig.config.qos.watchdog.idle_counts = true;
		rig_start(&rig);
		play(&rig, sources, 1, 2 * S);
		storms_are(&rig, 1, 3, late, late);
		rig_stop(&rig);
	}
}

/* ---- idle policy ---- */

static void idle_queue(void)
{
	for (int idle = 0; idle < 2; idle++) {
		struct source sources[] = {storm(1, 8, S + 7, 3 * S)};
		struct rig rig;

		bench(&rig, 2, 200, 200, 100);
		rig.config.qos.watchdog.idle_counts = idle;
		rig_start(&rig);
		play(&rig, sources, 1, 5 * S);
		storms_are(&rig, 1, 3, idle, idle);
		CU_ASSERT_EQUAL(sw_next(rig.sw), SW_NEVER); /* nothing to look at */
		rig_stop(&rig);
	}
}

/* Where idle time does not count, it counts from the first frame that waits. */
static void waits_from_the_first_frame(void)
{
	struct source sources[] = {storm(1, 8, S, 3 * S), flow(0, 1, 3, S + 510 * RIG_MS, 2 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig_start(&rig);
	play(&rig, sources, 2, S + 710 * RIG_MS);
	storms_are(&rig, 1, 3, 0, 0);
	play(&rig, sources, 2, S + 800 * RIG_MS);
	storms_are(&rig, 1, 3, 1, 0);
	CU_ASSERT_EQUAL(wd(&rig, 1, 3)->detect_took_ps, 290 * RIG_MS);
	rig_stop(&rig);
}

/* Frames of another queue of the port are not this queue's. */
static void other_queues_do_not_count(void)
{
	struct source sources[] = {storm(1, 8, S, 3 * S), flow(0, 1, 4, S, 3 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig_start(&rig);
	play(&rig, sources, 2, 4 * S);
	storms_are(&rig, 1, 3, 0, 0);
	storms_are(&rig, 1, 4, 0, 0);
	CU_ASSERT_EQUAL(left(&rig, 1, 4, 0, 4 * S), sources[1].sent);
	rig_stop(&rig);
}

/* ---- A5.2, A5.3: what a storm does ---- */

/* Seen at 1.3 s after 300 frames; over at 3.3 s, 2,300 frames after the first. */
static void storm_of_two_seconds(struct rig *rig, struct source *s)
{
	around_a_storm(s);
	rig_start(rig);
	play(rig, s, SOURCES, S + 300 * RIG_MS - 1);
	CU_ASSERT_EQUAL(left(rig, 1, 3, S, 2 * S), 0);
	CU_ASSERT_EQUAL(rig_stats(rig)->dropped, 0);
	play(rig, s, SOURCES, 3 * S + 300 * RIG_MS);
	storms_are(rig, 1, 3, 1, 1);
	CU_ASSERT_EQUAL(wd(rig, 1, 3)->detected_ps, S + 300 * RIG_MS);
	CU_ASSERT_EQUAL(wd(rig, 1, 3)->restored_ps, 3 * S + 300 * RIG_MS);
	CU_ASSERT_EQUAL(s[STUCK].sent, 2300);
	CU_ASSERT_EQUAL(s[BACK].sent, 2300);
	play(rig, s, SOURCES, 6 * S);
}

static void others_go_on(struct rig *rig, const struct source *s)
{
	CU_ASSERT_EQUAL(left(rig, 1, 4, 0, 6 * S), s[OTHER_TX].sent);
	CU_ASSERT_EQUAL(left(rig, 1, 0, 0, 6 * S), s[LOSSY_TX].sent);
	CU_ASSERT_EQUAL(left(rig, 0, 4, 0, 6 * S), s[OTHER_BACK].sent);
	CU_ASSERT_EQUAL(left(rig, 2, 3, 0, 6 * S), s[ELSEWHERE].sent);
	CU_ASSERT_EQUAL(rig_stats(rig)->ports[1].prio[SW_PRIO_PFC_RX][3], s[STORM].sent + 1);
	storms_are(rig, 1, 3, 1, 1); /* and no second one */
	storms_are(rig, 1, 4, 0, 0);
	storms_are(rig, 2, 3, 0, 0);
	storms_are(rig, 0, 3, 0, 0);
	buffer_is_empty(rig);
}

static void action_drop(void)
{
	struct source s[SOURCES];
	const struct sw_stats *st;
	struct rig rig;

	bench(&rig, 3, 200, 200, 100);
	storm_of_two_seconds(&rig, s);
	others_go_on(&rig, s);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_DROP), 2300);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_OK), 0);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_RX_DROP), 2000);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_RX_OK), 0);
	/* After the restore all forward: 1,700 of 4,000. */
	CU_ASSERT_EQUAL(left(&rig, 1, 3, 0, 6 * S), 1700);
	CU_ASSERT_EQUAL(left(&rig, 0, 3, 0, 6 * S), 2000);
	/* Once in the reason, once in the port's sum, by where it came from or was to go. */
	st = rig_stats(&rig);
	CU_ASSERT_EQUAL(st->drops[SW_DROP_WATCHDOG], 4300);
	CU_ASSERT_EQUAL(st->dropped, 4300);
	CU_ASSERT_EQUAL(st->dropped_lossless, 4300);
	CU_ASSERT_EQUAL(st->ports[1].counters[SW_PORT_DROPPED], 4300);
	CU_ASSERT_EQUAL(st->ports[1].drops[SW_DROP_WATCHDOG], 4300);
	CU_ASSERT_EQUAL(st->ports[1].queues[3].counters[SW_QUEUE_DROPPED], 2300);
	rig_stop(&rig);
}

static void action_forward(void)
{
	struct source s[SOURCES];
	struct rig rig;

	bench(&rig, 3, 200, 200, 100);
	rig.config.qos.watchdog.forward = true;
	storm_of_two_seconds(&rig, s);
	others_go_on(&rig, s);
	/* The 300 that waited leave at once, at line rate; nothing is lost. */
	CU_ASSERT_EQUAL(left(&rig, 1, 3, 0, S + 300 * RIG_MS), 0);
	CU_ASSERT(left(&rig, 1, 3, 0, S + 304 * RIG_MS) >= 300);
	CU_ASSERT_EQUAL(left(&rig, 1, 3, 0, 6 * S), s[STUCK].sent);
	CU_ASSERT_EQUAL(left(&rig, 0, 3, 0, 6 * S), s[BACK].sent);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_OK), 2300);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_DROP), 0);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_RX_OK), 2000);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_RX_DROP), 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	rig_stop(&rig);
}

/* A35: what waits has the upstream port paused; from the detection on it is not, on no account. */
static void no_xoff_upstream(void)
{
	struct source s[] = {storm(1, 8, S, 3 * S), flow(0, 1, 3, S, 5 * S)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.config.buffer.size_bytes = 100000 + 2 * 2 * 400000; /* 50 kB are xoff */
	rig.ports[0].headroom_bytes = rig.ports[1].headroom_bytes = 400000;
	rig_start(&rig);
	play(&rig, s, 2, S + 300 * RIG_MS - 1);
	CU_ASSERT(xoffs(&rig, 0, S) > 0);
	CU_ASSERT(rig_stats(&rig)->ports[0].pgs[3].headroom_bytes > 0);
	play(&rig, s, 2, S + 300 * RIG_MS);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].pgs[3].headroom_bytes, 0);
	CU_ASSERT_FALSE(rig_stats(&rig)->ports[0].pgs[3].xoff);
	play(&rig, s, 2, 6 * S);
	CU_ASSERT_EQUAL(xoffs(&rig, 0, S + 300 * RIG_MS), 0);
	CU_ASSERT_EQUAL(left(&rig, 1, 3, 0, 6 * S), s[1].sent - 2300);
	buffer_is_empty(&rig);
	rig_stop(&rig);
}

/* The storm's own PFC is seen, but does not act. */
static void pauses_do_not_act(void)
{
	struct source s[] = {storm(1, 8, S, 3 * S), flow(0, 1, 3, S, 3 * S)};
	const struct sw_port_stats *port;
	struct rig rig;
	uint64_t acted;

	bench(&rig, 2, 200, 200, 100);
	rig.config.qos.watchdog.forward = true;
	rig_start(&rig);
	play(&rig, s, 2, S + 300 * RIG_MS);
	acted = rig_stats(&rig)->ports[1].prio[SW_PRIO_PFC_RX_HONOURED][3];
	CU_ASSERT_EQUAL(acted, 15);
	play(&rig, s, 2, 3 * S + 1);
	port = &rig_stats(&rig)->ports[1];
	CU_ASSERT_EQUAL(port->prio[SW_PRIO_PFC_RX][3], 101);
	CU_ASSERT_EQUAL(port->prio[SW_PRIO_PFC_RX_HONOURED][3], acted);
	CU_ASSERT_EQUAL(port->queues[3].paused_ps, 300 * RIG_MS);
	CU_ASSERT_FALSE(port->queues[3].paused);
	rig_stop(&rig);
}

/* A second storm counts on; "last" is its alone. */
static void two_storms(void)
{
	struct source s[] = {storm(1, 8, S, 2 * S), flow(0, 1, 3, S, 2 * S),
			     storm(1, 8, 3 * S, 4 * S), flow(0, 1, 3, 3 * S, 3 * S + 500 * RIG_MS)};
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig_start(&rig);
	play(&rig, s, 4, 5 * S);
	storms_are(&rig, 1, 3, 2, 2);
	CU_ASSERT_EQUAL(count(&rig, 1, 3, SW_WATCHDOG_TX_DROP), 1500);
	CU_ASSERT_EQUAL(wd(&rig, 1, 3)->last[SW_WATCHDOG_TX_DROP], 500);
	CU_ASSERT_EQUAL(wd(&rig, 1, 3)->last[SW_WATCHDOG_STORM_DETECTED], 1);
	CU_ASSERT_EQUAL(wd(&rig, 1, 3)->last[SW_WATCHDOG_STORM_RESTORED], 1);
	rig_stop(&rig);
}

/* A pause longer than `restore`, told once: it is in force all the while. */
static void a_long_pause_is_one_storm(void)
{
	struct rig rig;

	bench(&rig, 2, 200, 200, 100);
	rig.ports[1].rate_bps = 10000000; /* full quanta are 3.355 s */
	rig_start(&rig);
	rig_pfc(&rig, S + 1, 1, 8, 0xffff);
	rig_send(&rig, S + 2, 0, 1, 3, 2, FRAME);
	rig_to(&rig, 4 * S);
	storms_are(&rig, 1, 3, 1, 0);
	rig_to(&rig, 5 * S);
	storms_are(&rig, 1, 3, 1, 1);
	CU_ASSERT_EQUAL(wd(&rig, 1, 3)->restored_ps, 4600 * RIG_MS); /* it ended at 4.355 */
	rig_stop(&rig);
}

/* ---- A5.4: the timeline ---- */

static void timeline(uint64_t detect, uint64_t restore, uint64_t poll, bool trigger, bool idle)
{
	uint64_t begin = S + 37 * RIG_MS; /* somewhere in the polls' phase */
	uint64_t dur = trigger ? (detect + poll + 100 + 999) / 1000 * S : detect * RIG_MS / 2;
	uint64_t one = begin + restore * RIG_MS / 2, two = begin + dur + (restore + poll) * RIG_MS;
	struct source s[] = {storm(1, 8, begin, begin + dur), flow(0, 1, 3, one, one + dur),
			     flow(0, 1, 3, two, two + S)};
	struct rig rig;
	uint32_t got1, got2;

	bench(&rig, 2, detect, restore, poll);
	rig.config.qos.watchdog.idle_counts = idle;
	rig_start(&rig);
	play(&rig, s, 3, two);
	got1 = left(&rig, 1, 3, 0, two);
	play(&rig, s, 3, two + 2 * S);
	got2 = left(&rig, 1, 3, two, two + 2 * S);
	CU_ASSERT_EQUAL(got2, s[2].sent); /* loss 0 */
	CU_ASSERT_EQUAL(s[2].sent, 1000);
	/* Loss of 70 % at least: here of all, the restore comes behind the flow. */
	CU_ASSERT_EQUAL(got1, trigger ? 0 : s[1].sent);
	storms_are(&rig, 1, 3, trigger, trigger);
	buffer_is_empty(&rig);
	rig_stop(&rig);
}

static void basic_timeline(void)
{
	static const uint64_t times[][3] = {{200, 200, 100}, {400, 400, 400}, {200, 200, 200}};

	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 4; k++)
			timeline(times[i][0], times[i][1], times[i][2], k & 1, k & 2);
}

/* ---- A3.10 (f): throttling is no storm ---- */

/* 5 of 10 ms are paused, for 3 s, with something to send all the while. */
static void throttle(bool xon, bool idle)
{
	struct rig rig;
	uint32_t got = 0;

	bench(&rig, 2, 100, 100, 100);
	rig.config.qos.watchdog.idle_counts = idle;
	rig.config.buffer.size_bytes = 10000000;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 2000; i++)
		rig_send(&rig, S / 2 + i * 10 * RIG_US, 0, 1, 3, 2, FRAME);
	for (uint64_t t = S; t < 4 * S; t += 10 * RIG_MS) {
		rig_pfc(&rig, t, 1, 8, xon ? 0xffff : 9765); /* 5 ms */
		if (t == S)
			rig_hold(&rig, t, 1, false);
		rig_send(&rig, t + 1, 0, 1, 3, 2, FRAME);
		if (xon)
			rig_pfc(&rig, t + 5 * RIG_MS, 1, 8, 0);
		if (t == S + 20 * RIG_MS)
			got = rig_count(&rig, 1, SW_REC_FRAME);
		if (t == S + 30 * RIG_MS)
			got = rig_count(&rig, 1, SW_REC_FRAME) - got;
	}
	rig_to(&rig, 4 * S);
	/* Half of the line rate: a frame is 8.192 us on the wire. */
	CU_ASSERT(got >= 609 && got <= 612);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 2300);
	CU_ASSERT_EQUAL(rig_stats(&rig)->dropped, 0);
	storms_are(&rig, 1, 3, 0, 0);
	rig_stop(&rig);
}

static void throttling(void)
{
	for (int k = 0; k < 4; k++)
		throttle(k & 1, k & 2);
}

/* The shortest gap there is: a picosecond between two pauses. None: xon and xoff at one time. */
static void a_gap_is_a_gap(void)
{
	for (uint64_t gap = 0; gap < 2; gap++) {
		struct rig rig;

		bench(&rig, 2, 200, 200, 100);
		rig.config.qos.watchdog.idle_counts = true;
		rig_start(&rig);
		for (uint64_t t = S; t < 2 * S; t += 20 * RIG_MS) {
			rig_pfc(&rig, t, 1, 8, 0);
			rig_pfc(&rig, t + gap, 1, 8, 0xffff);
		}
		storms_are(&rig, 1, 3, 1 - gap, 0);
		rig_stop(&rig);
	}
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"watchdog_poll__accuracy", accuracy},
		{"watchdog_poll__accuracy_in_phase", accuracy_in_phase},
		{"watchdog_poll__shortest_storm", shortest_storm},
		{"watchdog_poll__idle_queue", idle_queue},
		{"watchdog_poll__waits_from_the_first_frame", waits_from_the_first_frame},
		{"watchdog_poll__other_queues_do_not_count", other_queues_do_not_count},
		{"watchdog_storm__action_drop", action_drop},
		{"watchdog_storm__action_forward", action_forward},
		{"watchdog_storm__no_xoff_upstream", no_xoff_upstream},
		{"watchdog_storm__pauses_do_not_act", pauses_do_not_act},
		{"watchdog_storm__two_storms", two_storms},
		{"watchdog_storm__a_long_pause_is_one_storm", a_long_pause_is_one_storm},
		{"watchdog_storm__basic_timeline", basic_timeline},
		{"watchdog_poll__throttling", throttling},
		{"watchdog_poll__a_gap_is_a_gap", a_gap_is_a_gap},
		{NULL, NULL},
	};

	return cu_main("model/watchdog", cases);
}
