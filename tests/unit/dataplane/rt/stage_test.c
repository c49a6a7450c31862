/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include "dataplane/rt/frame.h"
#include "dataplane/rt/stage.c"
#include "tests/unit/cu.h"

static struct bench bench;
static struct rt_stage stage;
static struct rt_late late;
static uint32_t appetite, eaten; /* of the device */
static uint16_t last_len;

static uint16_t device(void *ctx, struct rte_mbuf **frames, uint16_t n)
{
	uint16_t i;

	CU_ASSERT_PTR_EQUAL(ctx, &appetite);
	for (i = 0; i < n && appetite > 0; i++, appetite--, eaten++) {
		last_len = frames[i]->data_len;
		rte_pktmbuf_free(frames[i]);
	}
	return i;
}

static void reset(void)
{
	bench_eal(&bench);
	memset(&stage, 0, sizeof(stage));
	memset(&late, 0, sizeof(late));
	stage.tx = device;
	stage.ctx = &appetite;
	appetite = eaten = 0;
}

static void push(uint8_t kind, uint8_t prio, uint16_t len, uint64_t t_ps)
{
	struct rte_mbuf *m = bench_frame(&bench, 0, 1, len, 0);

	*rt_pkt(m) = (struct pkt){
		.kind = kind, .prio = prio, .len = len, .data = rte_pktmbuf_mtod(m, uint8_t *)};
	rt_stage_push(&stage, m, t_ps);
}

static void waits(uint64_t want_frames, uint64_t want_bytes)
{
	uint64_t frames, bytes;

	rt_stage_waiting(&stage, &frames, &bytes);
	CU_ASSERT_EQUAL(frames, want_frames);
	CU_ASSERT_EQUAL(bytes, want_bytes);
}

static void nothing_lost(void)
{
	rt_stage_drain(&stage);
	CU_ASSERT_EQUAL(rte_mempool_in_use_count(bench.pool), 0);
}

static void what_is_not_taken_waits(void)
{
	reset();
	push(PKT_ROCE, 3, 100, 1000);
	push(PKT_ROCE, 3, 200, 2000);
	push(PKT_PFC, 0, 60, 3000);
	waits(2, 300); /* PFC is not data */
	appetite = 1;
	CU_ASSERT_EQUAL(rt_stage_flush(&stage, 5000, &late), 1);
	waits(1, 200);
	CU_ASSERT_EQUAL(rt_stage_first(&stage), 2000);
	appetite = 5;
	CU_ASSERT_EQUAL(rt_stage_flush(&stage, 9000, &late), 2);
	waits(0, 0);
	CU_ASSERT_EQUAL(rt_stage_first(&stage), SW_NEVER);
	CU_ASSERT_EQUAL(late.count, 3);
	CU_ASSERT_EQUAL(late.max_ps, 7000);
	nothing_lost();
}

/* The device gets a frame as the model left it, whatever the mbuf said before; one that it does not
 * take is not made twice. */
static void frames_are_made_when_they_go(void)
{
	struct rte_mbuf *m;

	reset();
	push(PKT_ROCE, 3, 100, 1000);
	push(PKT_ROCE, 3, 100, 1000);
	m = stage.ring[1];
	rt_pkt(stage.ring[0])->len = 77;
	rt_pkt(m)->len = 78;
	appetite = 1;
	rt_stage_flush(&stage, 5000, NULL);
	CU_ASSERT_EQUAL(last_len, 77);
	CU_ASSERT_EQUAL(m->data_len, 78);
	rt_pkt(m)->len = 79;
	appetite = 1;
	rt_stage_flush(&stage, 5000, NULL);
	CU_ASSERT_EQUAL(last_len, 78);
	nothing_lost();
}

static void never_early(void)
{
	reset();
	push(PKT_ROCE, 3, 100, 1000);
	appetite = 1;
	rt_stage_flush(&stage, 900, &late);
	CU_ASSERT_EQUAL(late.max_ps, 0);
	nothing_lost();
}

static void overflow_is_counted_by_priority(void)
{
	uint32_t i;

	reset();
	for (i = 0; i < RT_STAGE; i++)
		push(PKT_ROCE, 3, 100, i);
	push(PKT_ROCE, 3, 100, i);
	push(PKT_ROCE, 5, 150, i);
	push(PKT_PFC, 0, 60, i);
	waits(RT_STAGE, 100 * RT_STAGE);
	CU_ASSERT_EQUAL(stage.full.frames, 2);
	CU_ASSERT_EQUAL(stage.full.bytes, 250);
	CU_ASSERT_EQUAL(stage.full.prio[3], 1);
	CU_ASSERT_EQUAL(stage.full.prio[5], 1);
	CU_ASSERT_EQUAL(stage.full_any, 3);
	CU_ASSERT_EQUAL(rte_mempool_in_use_count(bench.pool), RT_STAGE);
	nothing_lost();
}

/* The device went away: what waited has left the model, and is lost by name. */
static void lost_with_its_device(void)
{
	reset();
	push(PKT_ROCE, 3, 100, 1000);
	push(PKT_ROCE, 5, 200, 1000);
	push(PKT_PFC, 0, 60, 1000);
	rt_stage_lose(&stage);
	waits(0, 0);
	CU_ASSERT_EQUAL(stage.gone.frames, 2);
	CU_ASSERT_EQUAL(stage.gone.bytes, 300);
	CU_ASSERT_EQUAL(stage.gone.prio[3], 1);
	CU_ASSERT_EQUAL(stage.gone.prio[5], 1);
	CU_ASSERT_EQUAL(stage.full.frames, 0);
	CU_ASSERT_EQUAL(rt_stage_first(&stage), SW_NEVER);
	CU_ASSERT_EQUAL(rte_mempool_in_use_count(bench.pool), 0);
}

/* A device that keeps up sees the first lines of the ring only. */
static void empty_begins_again(void)
{
	uint32_t i;

	reset();
	appetite = 100;
	for (i = 0; i < 3; i++) {
		push(PKT_ROCE, 3, 100, 1000);
		push(PKT_ROCE, 3, 100, 1000);
		CU_ASSERT_EQUAL(rt_stage_flush(&stage, 5000, NULL), 2);
		CU_ASSERT_EQUAL(stage.tail, 0);
	}
	appetite = 1;
	push(PKT_ROCE, 3, 100, 1000);
	push(PKT_ROCE, 3, 100, 1000);
	CU_ASSERT_EQUAL(rt_stage_flush(&stage, 5000, NULL), 1);
	CU_ASSERT_EQUAL(stage.tail, 2);
	nothing_lost();
}

static void wraps_around(void)
{
	uint32_t i;

	reset();
	stage.head = stage.tail = stage.made = UINT32_MAX - 5;
	for (i = 0; i < 20; i++)
		push(PKT_ROCE, 3, (uint16_t)(60 + i), i);
	appetite = 100;
	CU_ASSERT_EQUAL(rt_stage_flush(&stage, 100, NULL), 20);
	CU_ASSERT_EQUAL(eaten, 20);
	CU_ASSERT_EQUAL(last_len, 79);
	nothing_lost();
}

static const struct cu_case cases[] = {
	{"rt_stage_flush__what_is_not_taken_waits", what_is_not_taken_waits},
	{"rt_stage_flush__frames_are_made_when_they_go", frames_are_made_when_they_go},
	{"rt_stage_flush__never_early", never_early},
	{"rt_stage_push__overflow_is_counted_by_priority", overflow_is_counted_by_priority},
	{"rt_stage_flush__wraps_around", wraps_around},
	{"rt_stage_flush__empty_begins_again", empty_begins_again},
	{"rt_stage_lose__with_its_device", lost_with_its_device},
	{NULL, NULL},
};

int main(void)
{
	return bench_main("rt/stage", cases, BENCH_MEMORY);
}
