/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/rt/arrival.c"
#include "tests/unit/cu.h"

#include <string.h>

#define GBPS100 100000000000ULL /* a byte is 80 ps */

static struct rt_arrivals a, b, c;
static struct pkt pkts[4 * RT_FIFO];

static struct pkt *frame(uint32_t i, uint16_t len)
{
	memset(&pkts[i], 0, sizeof(pkts[i]));
	pkts[i].len = len;
	pkts[i].user = i;
	return &pkts[i];
}

static void reset(uint64_t rate_bps)
{
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	memset(&c, 0, sizeof(c));
	rt_wire_init(&a.wire, rate_bps, 24);
	rt_wire_init(&b.wire, rate_bps, 24);
	rt_wire_init(&c.wire, rate_bps, 24);
}

static void polled(uint32_t i, uint64_t poll_ps, bool smooth)
{
	struct pkt *pkt = frame(i, 976);

	rt_arrivals_put_polled(&a, &pkt, 1, poll_ps, smooth);
}

static void counts_60_bytes_at_least(void)
{
	struct rt_wire wire;

	rt_wire_init(&wire, GBPS100, 24);
	CU_ASSERT_EQUAL(rt_wire_time(&wire, 20), 84 * 80);
	CU_ASSERT_EQUAL(rt_wire_time(&wire, 60), 84 * 80);
	CU_ASSERT_EQUAL(rt_wire_time(&wire, 976), 1000 * 80);
}

static void carries_the_remainder(void)
{
	struct rt_wire wire;
	uint64_t sum = 0;
	int i;

	rt_wire_init(&wire, 2880000000000ULL, 24); /* 2.777... ps a byte */
	for (i = 0; i < 360; i++)
		sum += rt_wire_time(&wire, 76);
	/* 360 x 100 B = 100,000 ps; what 2^-32 of a ps a byte adds up to is below one ps */
	CU_ASSERT_TRUE(sum == 100000 || sum == 99999);
}

static void slow_rates_do_not_overflow(void)
{
	struct rt_wire wire;

	rt_wire_init(&wire, 1000000, 24);
	CU_ASSERT_EQUAL(rt_wire_time(&wire, 9976), 10000 * 8000000ULL);
}

static void burst_is_spread_over_the_wire(void)
{
	reset(GBPS100);
	polled(0, 1000000, true);
	polled(1, 1000000, true);
	polled(2, 1000000, true);
	CU_ASSERT_EQUAL(pkts[0].t_ps, 1000000);
	CU_ASSERT_EQUAL(pkts[1].t_ps, 1080000);
	CU_ASSERT_EQUAL(pkts[2].t_ps, 1160000);
	/* polled before the wire could have brought it, then long after */
	polled(3, 1200000, true);
	polled(4, 9000000, true);
	CU_ASSERT_EQUAL(pkts[3].t_ps, 1240000);
	CU_ASSERT_EQUAL(pkts[4].t_ps, 9000000);
}

/* The same stamps, to the remainder, however a poll's frames are cut. */
static void burst_is_as_one_by_one(void)
{
	struct pkt *burst[7];
	uint64_t want[7];
	uint32_t i;

	reset(2880000000000ULL);
	for (i = 0; i < 7; i++) {
		polled(i, 5, true);
		want[i] = pkts[i].t_ps;
	}
	reset(2880000000000ULL);
	for (i = 0; i < 7; i++)
		burst[i] = frame(i, 976);
	rt_arrivals_put_polled(&a, burst, 3, 5, true);
	rt_arrivals_put_polled(&a, burst + 3, 0, 5, true);
	rt_arrivals_put_polled(&a, burst + 3, 4, 5, true);
	for (i = 0; i < 7; i++)
		CU_ASSERT_EQUAL(pkts[i].t_ps, want[i]);
}

static void not_smoothed_at_the_poll(void)
{
	reset(GBPS100);
	polled(0, 1000000, false);
	polled(1, 1000000, false);
	CU_ASSERT_EQUAL(pkts[1].t_ps, 1000000);
}

static void stamp_is_kept(void)
{
	reset(GBPS100);
	rt_arrivals_put_stamped(&a, frame(0, 976), 5);
	rt_arrivals_put_stamped(&a, frame(1, 976), 6);
	CU_ASSERT_EQUAL(pkts[1].t_ps, 6);
	CU_ASSERT_EQUAL(a.behind, 0);
}

static void stamp_of_the_past_is_raised_and_counted(void)
{
	reset(GBPS100);
	rt_arrivals_put_stamped(&a, frame(0, 976), 50);
	rt_arrivals_put_stamped(&a, frame(1, 976), 40);
	CU_ASSERT_EQUAL(pkts[1].t_ps, 50);
	CU_ASSERT_EQUAL(a.behind, 1);
}

static void wraps_in_order(void)
{
	uint32_t i;

	reset(GBPS100);
	a.head = a.tail = UINT32_MAX - 3;
	for (i = 0; i < RT_FIFO; i++)
		rt_arrivals_put_stamped(&a, frame(i, 60), i);
	CU_ASSERT_EQUAL(rt_arrivals_room(&a), 0);
	for (i = 0; i < RT_FIFO; i++)
		CU_ASSERT_EQUAL(rt_arrivals_pop(&a)->user, i);
	CU_ASSERT_PTR_NULL(rt_arrivals_pop(&a));
	CU_ASSERT_EQUAL(rt_arrivals_next(&a), SW_NEVER);
}

/* Takes all, run by run, and notes the order. */
static uint32_t take_all(struct rt_merge *merge, uint32_t cap, uint32_t *order)
{
	struct pkt *out[16];
	uint32_t n, i, total = 0;
	uint64_t t;

	while ((t = rt_merge_next(merge)) != SW_NEVER) {
		n = rt_merge_take(merge, t, out, cap);
		for (i = 0; i < n; i++) {
			CU_ASSERT_EQUAL(out[i]->t_ps, t);
			order[total++] = out[i]->user;
		}
	}
	return total;
}

static void by_time_port_order(void)
{
	struct rt_arrivals *fifos[] = {&a, &b, &c};
	static const uint32_t want[] = {20, 0, 1, 10, 21, 2, 22, 11};
	uint64_t next[3];
	struct rt_merge merge = {.n = 3, .fifos = fifos, .next_ps = next};
	uint32_t order[16], cap, i;

	for (cap = 16; cap >= 1; cap--) {
		reset(GBPS100);
		rt_arrivals_put_stamped(&a, frame(0, 60), 100);
		rt_arrivals_put_stamped(&a, frame(1, 60), 100);
		rt_arrivals_put_stamped(&a, frame(2, 60), 200);
		rt_arrivals_put_stamped(&b, frame(10, 60), 100);
		rt_arrivals_put_stamped(&b, frame(11, 60), 300);
		rt_arrivals_put_stamped(&c, frame(20, 60), 50);
		rt_arrivals_put_stamped(&c, frame(21, 60), 100);
		rt_arrivals_put_stamped(&c, frame(22, 60), 200);
		for (i = 0; i < 3; i++)
			next[i] = rt_arrivals_next(fifos[i]);
		CU_ASSERT_EQUAL_FATAL(take_all(&merge, cap, order), 8);
		CU_ASSERT_EQUAL(memcmp(order, want, sizeof(want)), 0);
	}
}

static const struct cu_case cases[] = {
	{"rt_wire_time__counts_60_bytes_at_least", counts_60_bytes_at_least},
	{"rt_wire_time__carries_the_remainder", carries_the_remainder},
	{"rt_wire_time__slow_rates_do_not_overflow", slow_rates_do_not_overflow},
	{"rt_arrivals_put_polled__burst_is_spread_over_the_wire", burst_is_spread_over_the_wire},
	{"rt_arrivals_put_polled__burst_is_as_one_by_one", burst_is_as_one_by_one},
	{"rt_arrivals_put_polled__not_smoothed_at_the_poll", not_smoothed_at_the_poll},
	{"rt_arrivals_put_stamped__stamp_is_kept", stamp_is_kept},
	{"rt_arrivals_put_stamped__the_past_is_raised_and_counted",
	 stamp_of_the_past_is_raised_and_counted},
	{"rt_arrivals_pop__wraps_in_order", wraps_in_order},
	{"rt_merge_take__by_time_port_order", by_time_port_order},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("rt/arrival", cases);
}
