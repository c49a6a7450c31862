/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include "dataplane/rt/frame.c"
#include "tests/unit/cu.h"

static struct bench bench;

static void done(void)
{
	CU_ASSERT_EQUAL(rte_mempool_in_use_count(bench.pool), 0);
}

static void stripped_tag_is_put_back(void)
{
	struct rte_mbuf *m;
	struct pkt *pkt;

	bench_eal(&bench);
	m = bench_frame(&bench, 1, 2, 100, 0);
	m->ol_flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
	m->vlan_tci = 5 << 13 | 100;
	pkt = rt_frame_in(m);
	CU_ASSERT_PTR_NOT_NULL_FATAL(pkt);
	CU_ASSERT_EQUAL(pkt->len, 104);
	CU_ASSERT_PTR_EQUAL(pkt->data, rte_pktmbuf_mtod(m, uint8_t *));
	CU_ASSERT_EQUAL(pkt->data[5], 2);
	CU_ASSERT_EQUAL(pkt->data[11], 1);
	CU_ASSERT_EQUAL(memcmp(pkt->data + 12, "\x81\x00\xa0\x64\x88\xb5", 6), 0);
	CU_ASSERT_EQUAL(m->ol_flags, 0);
	rte_pktmbuf_free(m);
	done();
}

static void tag_in_place_is_left(void)
{
	struct rte_mbuf *m;

	bench_eal(&bench);
	m = bench_frame(&bench, 1, 2, 100, 0);
	m->ol_flags |= RTE_MBUF_F_RX_VLAN; /* known, not stripped */
	CU_ASSERT_EQUAL(rt_frame_in(m)->len, 100);
	rte_pktmbuf_free(m);
	done();
}

static void several_segments_are_refused(void)
{
	struct rte_mbuf *m, *tail;

	bench_eal(&bench);
	m = bench_frame(&bench, 1, 2, 100, 0);
	tail = bench_frame(&bench, 1, 2, 100, 0);
	CU_ASSERT_EQUAL(rte_pktmbuf_chain(m, tail), 0);
	CU_ASSERT_PTR_NULL(rt_frame_in(m));
	rte_pktmbuf_free(m);
	done();
}

static void out_is_as_the_model_left_it(void)
{
	struct rte_mbuf *m;
	struct pkt *pkt;

	bench_eal(&bench);
	m = bench_frame(&bench, 1, 2, 100, 0);
	m->ol_flags = RTE_MBUF_F_RX_RSS_HASH;
	pkt = rt_frame_in(m);
	pkt->data += 4;
	pkt->len = 90;
	CU_ASSERT_PTR_EQUAL(rt_frame_out(pkt), m);
	CU_ASSERT_EQUAL(rte_pktmbuf_data_len(m), 90);
	CU_ASSERT_EQUAL(rte_pktmbuf_pkt_len(m), 90);
	CU_ASSERT_PTR_EQUAL(rte_pktmbuf_mtod(m, uint8_t *), pkt->data);
	CU_ASSERT_EQUAL(m->ol_flags, 0);
	rte_pktmbuf_free(m);
	done();
}

static void copy_has_its_own_bytes(void)
{
	struct pkt *pkt, *copy;

	bench_eal(&bench);
	pkt = rt_frame_in(bench_frame(&bench, 1, 2, 100, 0));
	pkt->prio = 3;
	pkt->next = pkt;
	copy = rt_frame_copy(bench.pool, pkt);
	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	CU_ASSERT_PTR_NOT_EQUAL(copy->data, pkt->data);
	CU_ASSERT_EQUAL(memcmp(copy->data, pkt->data, 100), 0);
	CU_ASSERT_EQUAL(copy->len, 100);
	CU_ASSERT_EQUAL(copy->prio, 3);
	CU_ASSERT_PTR_NULL(copy->next);
	rte_pktmbuf_free(rt_frame(copy));
	rte_pktmbuf_free(rt_frame(pkt));
	done();
}

static void no_buffer_no_copy(void)
{
	struct rte_mempool *one;
	struct pkt *pkt, *copy;

	bench_eal(&bench);
	one = rte_pktmbuf_pool_create("one", 1, 0, sizeof(struct pkt), 128 + 256, SOCKET_ID_ANY);
	CU_ASSERT_PTR_NOT_NULL(one);
	if (one == NULL)
		return;
	pkt = rt_frame_in(bench_frame(&bench, 1, 2, 300, 0));
	CU_ASSERT_PTR_NULL(rt_frame_copy(one, pkt)); /* too long */
	CU_ASSERT_EQUAL(rte_mempool_in_use_count(one), 0);
	pkt->len = 200;
	copy = rt_frame_copy(one, pkt);
	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	CU_ASSERT_PTR_NULL(rt_frame_copy(one, pkt)); /* none left */
	rte_pktmbuf_free(rt_frame(copy));
	rte_pktmbuf_free(rt_frame(pkt));
	rte_mempool_free(one);
	done();
}

static const struct cu_case cases[] = {
	{"rt_frame_in__stripped_tag_is_put_back", stripped_tag_is_put_back},
	{"rt_frame_in__tag_in_place_is_left", tag_in_place_is_left},
	{"rt_frame_in__several_segments_are_refused", several_segments_are_refused},
	{"rt_frame_out__as_the_model_left_it", out_is_as_the_model_left_it},
	{"rt_frame_copy__has_its_own_bytes", copy_has_its_own_bytes},
	{"rt_frame_copy__no_buffer_no_copy", no_buffer_no_copy},
	{NULL, NULL},
};

int main(void)
{
	return bench_main("rt/frame", cases, BENCH_MEMORY);
}
