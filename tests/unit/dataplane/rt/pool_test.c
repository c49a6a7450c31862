/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/rt/eal.h"
#include "dataplane/rt/pool.c"
#include "tests/unit/cu.h"

#include <string.h>

static struct rt_pool_need one(uint64_t buffer)
{
	return (struct rt_pool_need){.name = "p",
				     .room_bytes = 2176,
				     .frame_bytes = 1518,
				     .cell_bytes = 1,
				     .fixed = 4096,
				     .buffer_bytes = buffer,
				     .threads = 2};
}

static void room_covers_mtu_tag_and_driver(void)
{
	CU_ASSERT_EQUAL(rt_pool_room(1500, 0), 128 + 2048);
	CU_ASSERT_TRUE(rt_pool_room(4200, 0) >= 128 + 4200 + 22);
	CU_ASSERT_EQUAL(rt_pool_room(1500, 8192), 128 + 8192);
	CU_ASSERT_TRUE(rt_pool_room(9000, 0) < 128 + 9000 + 22 + 64);
}

static void buffer_counts_edges(void)
{
	/* headroom is part of the buffer's size */
	struct sw_port_config ports[2] = {
		{.headroom_bytes = 1000},
		{.headroom_bytes = 1000, .edge = true, .edge_bytes = 500}};
	struct sw_config config = {.n_ports = 2, .ports = ports};

	config.buffer.size_bytes = 100000;
	config.qos.pfc_mask = 1 << 3;
	CU_ASSERT_EQUAL(rt_pool_buffer(&config), 100000 + 8 * 500);
}

static void minimum_frames_when_memory_allows(void)
{
	struct rt_pool_need need = one(6000000);
	struct rt_pool_plan plan;
	struct err err = {0};

	CU_ASSERT_EQUAL(rt_pool_plan(&plan, &need, 1, 0, &err), 0);
	CU_ASSERT_EQUAL(plan.count, 4096 + 2 * 384 + 100001);
	CU_ASSERT_EQUAL(rt_pool_plan(&plan, &need, 1, 1ull << 40, &err), 0);
	CU_ASSERT_EQUAL(plan.count, plan.best);
}

static void cells_make_frames_larger(void)
{
	struct rt_pool_need need = one(256 * 1000);
	struct rt_pool_plan plan;
	struct err err = {0};

	need.cell_bytes = 256;
	CU_ASSERT_EQUAL(rt_pool_plan(&plan, &need, 1, 0, &err), 0);
	CU_ASSERT_EQUAL(plan.best, 4096 + 2 * 384 + 1001);
	/* Not so what is needed at least: the cell may shrink later. */
	CU_ASSERT_EQUAL(plan.least, 4096 + 2 * 384 + 256000 / 1518 + 1);
	need.cell_bytes = 16384;
	CU_ASSERT_EQUAL(rt_pool_plan(&plan, &need, 1, 0, &err), 0);
	CU_ASSERT_EQUAL(plan.best, plan.least);
}

static void between_what_memory_allows(void)
{
	struct rt_pool_need needs[2] = {one(6000000), one(6000000)};
	struct rt_pool_plan plans[2];
	struct err err = {0};
	uint64_t memory = 200u << 20, used;

	CU_ASSERT_EQUAL_FATAL(rt_pool_plan(plans, needs, 2, memory, &err), 0);
	used = plans[0].count * plans[0].mbuf_bytes + plans[1].count * plans[1].mbuf_bytes;
	CU_ASSERT_TRUE(used <= memory);
	CU_ASSERT_TRUE(used > memory - 2 * plans[0].mbuf_bytes - 2);
	CU_ASSERT_TRUE(plans[0].count > plans[0].least && plans[0].count < plans[0].best);
	CU_ASSERT_EQUAL(plans[0].count, plans[1].count);
}

static void too_small_shows_the_arithmetic(void)
{
	struct rt_pool_need need = one(32u << 20);
	struct rt_pool_plan plan;
	struct err err = {0};
	char text[1024];

	CU_ASSERT_EQUAL(rt_pool_plan(&plan, &need, 1, 16u << 20, &err), -ENOMEM);
	CU_ASSERT_EQUAL(err.status, ERR_ENVIRONMENT);
	err_text(&err, text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "found 16 MiB"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "4864 frames"));    /* 4096 and two caches */
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "22105 MTU-size")); /* 32 MiB / 1,518 */
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "raise real.memory"));
}

/* Whatever the plan says must also be there, on ordinary pages too. */
static void memory_holds_the_plan(void)
{
	struct rt_eal_config eal = {.memory_bytes = 64u << 20, .no_huge = true};
	struct rt_pool_need need = one(60000000);
	struct rt_pool_plan plan;
	struct rte_mempool *pool;
	struct err err = {0};

	need.room_bytes = rt_pool_room(1500, 0);
	need.numa = SOCKET_ID_ANY;
	CU_ASSERT_EQUAL_FATAL(rt_eal_start(&eal, &err), 0);
	CU_ASSERT_EQUAL(rt_pool_plan(&plan, &need, 1, eal.memory_bytes * 3, &err), 0);
	CU_ASSERT_TRUE(plan.count < plan.best);
	pool = rt_pool_new(&need, plan.count, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(pool);
	CU_ASSERT_EQUAL(rte_mempool_avail_count(pool), plan.count);
	CU_ASSERT_EQUAL(rte_pktmbuf_data_room_size(pool), need.room_bytes);
	CU_ASSERT_EQUAL(rte_pktmbuf_priv_size(pool), sizeof(struct pkt));
	rte_mempool_free(pool);
	/* More than there is. */
	CU_ASSERT_PTR_NULL(rt_pool_new(&need, 1u << 20, &err));
	CU_ASSERT_EQUAL(err.status, ERR_ENVIRONMENT);
	CU_ASSERT_PTR_NULL(strstr(err.expected, "--no-huge"));
}

static uint64_t mapped_kb(void)
{
	uint64_t kb = 0;
	char line[256];
	FILE *f = fopen("/proc/self/status", "r");

	while (fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "VmSize: %lu", &kb) == 1)
			break;
	fclose(f);
	return kb;
}

/* Where no device reaches into it, the memory lies in whole large pages, and all of it goes back. */
static void own_memory_comes_and_goes(void)
{
	struct rt_eal_config eal = {.no_huge = true, .memory_bytes = 64u << 20};
	struct rt_pool_need need = {.name = "own", .numa = SOCKET_ID_ANY, .copied = true};
	struct rte_mempool_memhdr *chunk;
	struct rte_mempool *pool;
	struct err err = {0};
	uint64_t before;
	int i;

	need.room_bytes = rt_pool_room(1500, 0);
	CU_ASSERT_EQUAL_FATAL(rt_eal_start(&eal, &err), 0);
	before = mapped_kb();
	for (i = 0; i < 3; i++) {
		pool = rt_pool_new(&need, 20000, &err);
		CU_ASSERT_PTR_NOT_NULL_FATAL(pool);
		CU_ASSERT_EQUAL(rte_mempool_avail_count(pool), 20000);
		CU_ASSERT_EQUAL(pool->nb_mem_chunks, 1);
		chunk = STAILQ_FIRST(&pool->mem_list);
		CU_ASSERT_EQUAL((uintptr_t)chunk->addr % (2u << 20), 0);
		CU_ASSERT_EQUAL(chunk->len % (2u << 20), 0);
		rte_mempool_free(pool);
	}
	CU_ASSERT_TRUE(mapped_kb() < before + 4096);
}

static const struct cu_case cases[] = {
	{"rt_pool_room__covers_mtu_tag_and_driver", room_covers_mtu_tag_and_driver},
	{"rt_pool_buffer__counts_edges", buffer_counts_edges},
	{"rt_pool_plan__minimum_frames_when_memory_allows", minimum_frames_when_memory_allows},
	{"rt_pool_plan__cells_make_frames_larger", cells_make_frames_larger},
	{"rt_pool_plan__between_what_memory_allows", between_what_memory_allows},
	{"rt_pool_plan__too_small_shows_the_arithmetic", too_small_shows_the_arithmetic},
	{"rt_pool_new__memory_holds_the_plan", memory_holds_the_plan},
	{"rt_pool_new__own_memory_comes_and_goes", own_memory_comes_and_goes},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("rt/pool", cases);
}
