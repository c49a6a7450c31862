/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/headroom.c"

#include "tests/unit/cu.h"

#include <string.h>

#define GBPS UINT64_C(1000000000)

static void bytes_in(void)
{
	CU_ASSERT_EQUAL(headroom_bytes_in(1000000, 100 * GBPS), 12500);
	CU_ASSERT_EQUAL(headroom_bytes_in(0, 100 * GBPS), 0);
	CU_ASSERT_EQUAL(headroom_bytes_in(1, 100 * GBPS), 1);
	CU_ASSERT_EQUAL(headroom_bytes_in(UINT64_C(10000000000000), 1600 * GBPS),
			UINT64_C(2000000000000));
}

static void cable(void)
{
	CU_ASSERT_EQUAL(headroom_cable(1000000, 100 * GBPS), 25000);
}

static void frames(void)
{
	CU_ASSERT_EQUAL(headroom_frames(4200, 24), 2 * (4200 + 18 + 24));
}

static void pfc(void)
{
	CU_ASSERT_EQUAL(headroom_pfc(24), 88);
}

static uint64_t quanta(uint64_t rate)
{
	/* Back from time to quanta of 512 bits, rounded. */
	return (headroom_bytes_in(headroom_peer_response_ps(rate), rate) + 32) / 64;
}

static void response(void)
{
	CU_ASSERT_EQUAL(quanta(1 * GBPS), 2);
	CU_ASSERT_EQUAL(quanta(10 * GBPS), 67);
	CU_ASSERT_EQUAL(quanta(25 * GBPS), 80);
	CU_ASSERT_EQUAL(quanta(40 * GBPS), 118);
	CU_ASSERT_EQUAL(quanta(50 * GBPS), 147);
	CU_ASSERT_EQUAL(quanta(100 * GBPS), 394);
	CU_ASSERT_EQUAL(quanta(200 * GBPS), 453);
	CU_ASSERT_EQUAL(quanta(400 * GBPS), 905);
	/* Between two speeds the faster one's; past the last the same time. */
	CU_ASSERT_EQUAL(quanta(20 * GBPS), 80);
	CU_ASSERT_EQUAL(quanta(800 * GBPS), 1810);
	CU_ASSERT_EQUAL(quanta(20000000), 2);
}

static void worker(void)
{
	CU_ASSERT_EQUAL(headroom_worker(100 * GBPS, 1500, 24, false), 250000 + 32 * 1542);
	CU_ASSERT_EQUAL(headroom_worker(100 * GBPS, 1500, 24, true), 3125000 + 32 * 1542);
}

/* The need at 100 Gb/s, 1 us, MTU 1024 and its headers is some 27 KB. */
static void simulated(void)
{
	struct headroom_input in = {.peer = HEADROOM_SIMULATED,
				    .rate_bps = 100 * GBPS,
				    .delay_ps = 1000000,
				    .mtu_bytes = 1084,
				    .overhead_bytes = 24,
				    .cell_bytes = 1};
	char terms[256];

	CU_ASSERT_EQUAL(headroom_auto(&in, terms, sizeof(terms)), 25000 + 2252 + 88);
	CU_ASSERT_PTR_NOT_NULL(strstr(terms, "cable 25000 B"));
	CU_ASSERT_PTR_NOT_NULL(strstr(terms, "= 27340 B"));
	in.response_ps = 1000000;
	in.cell_bytes = 256;
	CU_ASSERT_EQUAL(headroom_auto(&in, terms, sizeof(terms)), (39840 + 255) / 256 * 256);
	CU_ASSERT_PTR_NOT_NULL(strstr(terms, "response 12500 B"));
	CU_ASSERT_PTR_NOT_NULL(strstr(terms, "cells of 256 B"));
}

static void peers(void)
{
	struct headroom_input in = {.rate_bps = 100 * GBPS,
				    .delay_ps = 1000000,
				    .response_ps = 5000000,
				    .mtu_bytes = 1500,
				    .overhead_bytes = 24,
				    .cell_bytes = 1};
	uint64_t edge, real;
	char terms[256];

	in.peer = HEADROOM_EDGE;
	edge = headroom_auto(&in, terms, sizeof(terms));
	CU_ASSERT_EQUAL(edge, 25000 + 2 * 1542 + 88);
	in.peer = HEADROOM_REAL;
	real = headroom_auto(&in, terms, sizeof(terms));
	CU_ASSERT_EQUAL(real, edge + 394 * 64 + 250000 + 32 * 1542);
}

static const struct cu_case cases[] = {
	{"headroom_bytes_in__rounds_up", bytes_in},
	{"headroom_cable__there_and_back", cable},
	{"headroom_frames__one_each_way", frames},
	{"headroom_pfc__minimal_frame", pfc},
	{"headroom_peer_response_ps__table", response},
	{"headroom_worker__busy_and_adaptive", worker},
	{"headroom_auto__simulated", simulated},
	{"headroom_auto__peers", peers},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/headroom", cases);
}
