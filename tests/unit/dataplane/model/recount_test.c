/* SPDX-License-Identifier: BSD-3-Clause */
/* The cell size changes under traffic. After every step the rig adds the buffer up anew from the
 * frames that lie in the queues. */
#include "dataplane/model/recount.c"

#include "rig.h"

#include "tests/unit/cu.h"

static void set_cell(struct rig *rig, uint64_t t, uint32_t cell)
{
	rig->config.buffer.cell_bytes = cell;
	CU_ASSERT_EQUAL(rig_set(rig, t), 0);
	CU_ASSERT_EQUAL(rig->sw->cfg.buffer.cell_bytes, cell);
}

/* Frames of all lengths from all ports in all queues, some in headroom, some in an edge, some that
 * wait for a neighbour. */
static uint64_t mixed(struct rig *rig, uint64_t seed)
{
	uint64_t t = RIG_US;

	rig_init(rig, 4);
	rig->config.seed = seed;
	rig->config.buffer.cell_bytes = 256;
	rig->config.buffer.size_bytes = 600000;
	rig->config.buffer.reserved_bytes = 1000;
	rig->config.buffer.alpha_q16 = 65536 / 8;
	rig->ports[2].edge = true;
	rig_start(rig);
	rig_hold(rig, 0, 1, true);
	for (int i = 0; i < 200; i++, t += 20 * RIG_NS) {
		uint16_t in = rig_random(&seed) % 4;
		struct pkt *pkt = rig_frame(rig, in, 1, rig_random(&seed) % 8, 2,
					    58 + rig_random(&seed) % 8000);

		for (int b = 0; i % 50 == 49 && b < 6; b++)
			pkt->data[b] = rig->config.router_mac[b];
		rig_one(rig, t, in, pkt);
	}
	CU_ASSERT(rig_stats(rig)->held > 50 && rig_stats(rig)->headroom_bytes > 0);
	CU_ASSERT(rig_stats(rig)->ports[2].edge_packets > 0);
	return t;
}

static void any_cell_to_any_other(void)
{
	static const uint32_t cells[] = {1, 254, 16384, 60, 80, 64, 4096, 2, 9000, 208};

	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct rig rig;
		uint64_t t = mixed(&rig, seed);

		for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++, t += RIG_US) {
			rig.config.buffer.size_bytes = 600000 + 100ULL * cells[i];
			set_cell(&rig, t, cells[i]);
			rig_send(&rig, t, 0, 1, 3, 2, 500);
		}
		rig_hold(&rig, t, 1, false);
		rig_settle(&rig);
		CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_bytes, 0);
		CU_ASSERT_EQUAL(rig_stats(&rig)->shared_bytes, 0);
		CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_bytes, 0);
		rig_stop(&rig);
	}
}

/* 40 frames of 64 B in cells of 256, the last 10 in headroom; then exact bytes. */
static void counts_follow(void)
{
	const struct sw_stats *s;
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.buffer.cell_bytes = 256;
	rig.config.buffer.size_bytes = (60 + 4 * 10) * 256;
	for (int i = 0; i < 2; i++)
		rig.ports[i].headroom_bytes = 10 * 256;
	rig.ports[0].mtu_bytes = rig.ports[1].mtu_bytes = 200;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (uint64_t i = 0; i < 40; i++)
		rig_send(&rig, RIG_US + i * RIG_NS, 0, 1, 3, 2, 64);
	s = rig_stats(&rig);
	CU_ASSERT(s->buffer_bytes == 40 * 256 && s->headroom_bytes == 10 * 256);
	CU_ASSERT_TRUE(s->ports[0].pgs[3].xoff);
	rig.config.buffer.xon_offset_bytes = 30 * 256; /* xoff stays, whatever the new counts are */
	set_cell(&rig, 2 * RIG_US, 1);
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->buffer_bytes, 40 * 64);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].total_bytes, 40 * 64);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].headroom_bytes, 10 * 256); /* keeps its bytes ... */
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].shared_bytes, 0);          /* ... which are all there are */
	CU_ASSERT_EQUAL(s->ports[1].queues[3].buffer_bytes, 40 * 64);
	CU_ASSERT_EQUAL(s->ports[1].queues[3].bytes, 40 * 64);
	/* Watermarks stay what they were, in bytes. */
	CU_ASSERT_EQUAL(s->buffer_max_bytes, 40 * 256);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].max_shared_bytes, 30 * 256);
	CU_ASSERT_EQUAL(s->ports[0].pgs[3].max_headroom_bytes, 10 * 256);
	CU_ASSERT_EQUAL(s->ports[1].queues[3].max_bytes, 40 * 256);
	rig_hold(&rig, 3 * RIG_US, 1, false);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_stats(&rig)->headroom_bytes, 0);
	CU_ASSERT_FALSE(rig_stats(&rig)->ports[0].pgs[3].xoff);
	rig_stop(&rig);
}

/* The other way: what is in the buffer grows, past the threshold: xoff at once, at that time. */
static void larger_cells_pass_the_threshold(void)
{
	const struct rig_rec *xoff;
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.buffer.size_bytes = 20000 + 4 * 20000;
	rig.ports[0].mtu_bytes = rig.ports[1].mtu_bytes = 1500;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	for (int i = 0; i < 60; i++)
		rig_send(&rig, RIG_US, 0, 1, 3, 2, 64);
	CU_ASSERT_FALSE(rig_stats(&rig)->ports[0].pgs[3].xoff);
	set_cell(&rig, 5 * RIG_US, 256);
	CU_ASSERT_EQUAL(rig_stats(&rig)->buffer_bytes, 60 * 256);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].pgs[3].max_shared_bytes, 60 * 256);
	CU_ASSERT_TRUE(rig_stats(&rig)->ports[0].pgs[3].xoff);
	rig_to(&rig, 6 * RIG_US);
	xoff = rig_nth(&rig, 0, SW_REC_PFC, 0);
	CU_ASSERT(xoff != NULL && xoff->t_ps == 5 * RIG_US && xoff->gen.quanta[3] == 0xffff);
	rig_stop(&rig);
}

/* Nothing in it depends on anything but the frames. */
static void same_digest_twice(void)
{
	uint64_t digests[2];

	for (int i = 0; i < 2; i++) {
		struct rig rig;
		uint64_t t = mixed(&rig, 5);

		rig.out_cap = i == 0 ? 64 : 1;
		set_cell(&rig, t, 1);
		rig_hold(&rig, t + RIG_US, 1, false);
		set_cell(&rig, t + 2 * RIG_US, 208);
		rig_settle(&rig);
		digests[i] = rig_stats(&rig)->digest;
		rig_stop(&rig);
	}
	CU_ASSERT_EQUAL(digests[0], digests[1]);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"recount_cells__any_cell_to_any_other", any_cell_to_any_other},
		{"recount_cells__counts_follow", counts_follow},
		{"recount_cells__larger_cells_pass_the_threshold", larger_cells_pass_the_threshold},
		{"recount_cells__same_digest_twice", same_digest_twice},
		{NULL, NULL},
	};

	return cu_main("model/recount", cases);
}
