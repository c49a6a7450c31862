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
	CU_ASSERT_EQUAL(headroom_frames(4200, 24), 3 * (4200 + 18 + 24));
}

static void pfc(void)
{
	CU_ASSERT_EQUAL(headroom_pfc(24), 84);
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

static uint64_t stored(uint32_t cell, uint64_t wire, uint32_t *frame)
{
	struct headroom_input in = {.mtu_bytes = 1500, .overhead_bytes = 24, .cell_bytes = cell};

	return headroom_stored(wire, &in, frame);
}

/* What fills the buffer fastest: long frames where nothing is rounded, else those just past a cell. */
static void worst_frames(void)
{
	uint32_t frame = 0;

	CU_ASSERT_EQUAL(stored(1, 1542000, &frame), 1518000);
	CU_ASSERT_EQUAL(frame, 1518);
	CU_ASSERT_EQUAL(stored(256, 84000, &frame), 256000);
	CU_ASSERT_EQUAL(frame, 60);
	CU_ASSERT_EQUAL(stored(80, 105000, &frame), 160000); /* 81 B: two cells in 105 B */
	CU_ASSERT_EQUAL(frame, 81);
	CU_ASSERT_EQUAL(stored(1518, 84, &frame), 1518);
	CU_ASSERT_EQUAL(stored(256, 1, &frame), 4); /* up */
	CU_ASSERT_EQUAL(stored(256, 0, &frame), 0);
	CU_ASSERT_EQUAL(stored(16384, UINT64_C(84000000000000), &frame),
			UINT64_C(16384000000000000));
}

/* The need at 100 Gb/s, 1 us, MTU 1024 and its headers is some 28 KB. */
static void simulated(void)
{
	struct headroom_input in = {.peer = HEADROOM_SIMULATED,
				    .rate_bps = 100 * GBPS,
				    .delay_ps = 1000000,
				    .mtu_bytes = 1084,
				    .overhead_bytes = 24,
				    .cell_bytes = 1};
	char terms[256];

	CU_ASSERT_EQUAL(headroom_auto(&in, terms, sizeof(terms)),
			(25000 + 1126 + 84) * 1102 / 1126 + 1 + 2 * 1102);
	CU_ASSERT_PTR_NOT_NULL(strstr(terms, "cable 25000 B"));
	CU_ASSERT_PTR_NOT_NULL(strstr(terms, "frames 3378 B + pfc 84 B = 28462 B on the wire"));
	CU_ASSERT_PTR_NOT_NULL(strstr(terms, "(frames of 1102 B)"));
	in.response_ps = 1000000;
	in.cell_bytes = 256;
	CU_ASSERT_EQUAL(headroom_auto(&in, terms, sizeof(terms)),
			((25000 + 12500 + 1126 + 84) * 256 / 84 / 256 + 1 + 2 * 5) * 256);
	CU_ASSERT_PTR_NOT_NULL(strstr(terms, "response 12500 B"));
	CU_ASSERT_PTR_NOT_NULL(strstr(terms, "cells of 256 B (frames of 60 B)"));
}

static void peers(void)
{
	struct headroom_input in = {.rate_bps = 100 * GBPS,
				    .delay_ps = 1000000,
				    .response_ps = 5000000,
				    .mtu_bytes = 1500,
				    .overhead_bytes = 24,
				    .cell_bytes = 1};
	uint64_t edge = 25000 + 1542 + 84, real = edge + 394 * 64 + 250000 + 32 * 1542;
	char terms[256];

	in.peer = HEADROOM_EDGE;
	CU_ASSERT_EQUAL(headroom_auto(&in, terms, sizeof(terms)),
			(edge * 1518 + 1541) / 1542 + 2 * 1518);
	in.peer = HEADROOM_REAL;
	CU_ASSERT_EQUAL(headroom_auto(&in, terms, sizeof(terms)),
			(real * 1518 + 1541) / 1542 + 2 * 1518);
}

/* The line that `up` prints: each term is what it says, and they add up to what is set aside. */
static void terms_add_up(void)
{
	static const uint64_t rates[] = {20000000,   GBPS,       25 * GBPS,
					 100 * GBPS, 400 * GBPS, 1600 * GBPS};
	static const uint32_t cells[] = {1, 25, 60, 80, 208, 256, 4096, 16384};

	for (int i = 0; i < 3 * 6 * 8; i++) {
		struct headroom_input in = {.peer = (enum headroom_peer)(i % 3),
					    .rate_bps = rates[i / 3 % 6],
					    .delay_ps = 1500000,
					    .response_ps = 700000,
					    .mtu_bytes = 4200,
					    .overhead_bytes = 24,
					    .cell_bytes = cells[i / 18]};
		unsigned long part[5], sum, total;
		unsigned int cell, frame;
		char terms[256];
		uint64_t got = headroom_auto(&in, terms, sizeof(terms));

		CU_ASSERT_EQUAL_FATAL(
			sscanf(terms,
			       "cable %lu B + response %lu B + worker %lu B + frames %lu B + pfc "
			       "%lu B = %lu B on the wire, %lu B in cells of %u B (frames of %u B)",
			       &part[0], &part[1], &part[2], &part[3], &part[4], &sum, &total,
			       &cell, &frame),
			9);
		CU_ASSERT_EQUAL(part[0], headroom_bytes_in(3000000, in.rate_bps));
		CU_ASSERT_EQUAL(part[1] != 0, in.peer != HEADROOM_EDGE);
		CU_ASSERT_EQUAL(part[2] != 0, in.peer == HEADROOM_REAL);
		CU_ASSERT_EQUAL(part[3], 3 * (4200 + 18 + 24));
		CU_ASSERT_EQUAL(part[4], 84);
		CU_ASSERT_EQUAL(sum, part[0] + part[1] + part[2] + part[3] + part[4]);
		CU_ASSERT(total == got && got % cell == 0 && cell == in.cell_bytes);
		CU_ASSERT(frame >= 60 && frame <= 4218);
	}
}

static const struct cu_case cases[] = {
	{"headroom_bytes_in__rounds_up", bytes_in},
	{"headroom_cable__there_and_back", cable},
	{"headroom_frames__ours_and_two", frames},
	{"headroom_pfc__minimal_frame", pfc},
	{"headroom_peer_response_ps__table", response},
	{"headroom_worker__busy_and_adaptive", worker},
	{"headroom_stored__worst_frames", worst_frames},
	{"headroom_auto__simulated", simulated},
	{"headroom_auto__peers", peers},
	{"headroom_auto__terms_add_up", terms_add_up},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/headroom", cases);
}
