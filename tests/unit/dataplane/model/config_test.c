/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/config.c"

#include "rig.h"

#include "tests/unit/cu.h"

/* ---- what is refused: one change of a good configuration each ---- */

struct refusal {
	const char *path;
	void (*spoil)(struct rig *rig);
};

static void dscp(struct rig *r)
{
	r->config.qos.dscp_to_prio[63] = 8;
}
static void pcp(struct rig *r)
{
	r->config.qos.pcp_to_prio[0] = 8;
}
static void pg(struct rig *r)
{
	r->config.qos.prio_to_pg[7] = 8;
}
static void queue(struct rig *r)
{
	r->config.qos.prio_to_queue[7] = 255;
}
static void pfc_queue(struct rig *r)
{
	r->config.qos.pfc_to_queue[7] = 8;
}
static void trust(struct rig *r)
{
	r->config.qos.trust = 2;
}
static void weight_0(struct rig *r)
{
	r->config.qos.sched[2].weight = 0;
}
static void weight_101(struct rig *r)
{
	r->config.qos.sched[2].weight = 101;
}
static void ecn_order(struct rig *r)
{
	r->config.qos.ecn[3] = (struct sw_ecn){.on = true, .min_bytes = 2, .max_bytes = 1};
}
static void ecn_probability(struct rig *r)
{
	r->config.qos.ecn[3] = (struct sw_ecn){.on = true, .probability_ppb = 1000000001};
}
static void drop_order(struct rig *r)
{
	r->config.qos.ecn[3].drop = (struct sw_wred){.on = true, .min_bytes = 2, .max_bytes = 1};
}
static void drop_probability(struct rig *r)
{
	r->config.qos.ecn[3].drop = (struct sw_wred){.on = true, .probability_ppb = 1000000001};
}
static void drop_max_wraps(struct rig *r)
{
	r->config.qos.ecn[3].drop = (struct sw_wred){.on = true, .max_bytes = UINT64_MAX};
}
static void pool_wraps(struct rig *r)
{
	r->config.buffer.headroom_pool_bytes = UINT64_MAX;
}
static void pool_larger_than_size(struct rig *r)
{
	r->config.buffer.headroom_pool_bytes = 1000000;
}
static void no_ports(struct rig *r)
{
	r->config.n_ports = 0;
}
static void same_names(struct rig *r)
{
	r->ports[1] = r->ports[0];
}
static void rate_0(struct rig *r)
{
	r->ports[1].rate_bps = 0;
}
static void rate_low(struct rig *r)
{
	r->ports[1].rate_bps = 999;
}
static void rate_high(struct rig *r)
{
	r->ports[1].rate_bps = 8000000000001;
}
static void mtu_low(struct rig *r)
{
	r->ports[1].mtu_bytes = 67;
}
static void mtu_high(struct rig *r)
{
	r->ports[1].mtu_bytes = 65001;
}
static void overhead(struct rig *r)
{
	r->ports[1].overhead_bytes = 1001;
}
static void edge(struct rig *r)
{
	r->ports[1].edge = true;
	r->ports[1].edge_bytes = r->ports[1].mtu_bytes + 17;
}
static void cell_0(struct rig *r)
{
	r->config.buffer.cell_bytes = 0;
}
static void cell_high(struct rig *r)
{
	r->config.buffer.cell_bytes = 16385;
}
static void size_high(struct rig *r)
{
	r->config.buffer.size_bytes = (1ULL << 40) + 1;
}
static void alpha_0(struct rig *r)
{
	r->config.buffer.alpha_q16 = 0;
}
static void alpha_high(struct rig *r)
{
	r->config.buffer.alpha_q16 = (1024u << 16) + 1;
}
static void lossy_alpha_0(struct rig *r)
{
	r->config.buffer.lossy_alpha_q16 = 0;
}
static void pool(struct rig *r)
{
	r->config.buffer.size_bytes = 2 * 2 * 20000 + 9017;
}
static void headroom(struct rig *r)
{
	r->ports[1].headroom_bytes = 1000000;
}
static void reserved(struct rig *r)
{
	r->config.buffer.reserved_bytes = 100000;
}
/* Sums that would wrap around to something small. */
static void headroom_wraps(struct rig *r)
{
	r->ports[1].headroom_bytes = UINT64_MAX;
}
static void headroom_sum_wraps(struct rig *r)
{
	r->ports[1].headroom_bytes = 1ULL << 63;
}
static void reserved_wraps(struct rig *r)
{
	r->config.buffer.reserved_bytes = 1ULL << 60;
}
static void xon_wraps(struct rig *r)
{
	r->config.buffer.xon_offset_bytes = UINT64_MAX;
}
static void latency(struct rig *r)
{
	r->config.latency_ps = UINT64_MAX;
}
static void fdb_odd(struct rig *r)
{
	r->config.fdb_size = 100;
}

static void fdb_huge(struct rig *r)
{
	r->config.fdb_size = 1u << 25;
}

static void refused(void)
{
	static const struct refusal all[] = {
		{"switch.dscp", dscp},
		{"switch", pcp},
		{"switch", pg},
		{"switch", queue},
		{"switch", pfc_queue},
		{"switch.trust", trust},
		{"switch.scheduler.2.dwrr", weight_0},
		{"switch.scheduler.2.dwrr", weight_101},
		{"switch.ecn.3.min", ecn_order},
		{"switch.ecn.3.probability", ecn_probability},
		{"switch.ecn.3.drop.min", drop_order},
		{"switch.ecn.3.drop.min", drop_max_wraps},
		{"switch.ecn.3.drop.probability", drop_probability},
		{"switch.buffer.headroom_pool", pool_wraps},
		{"switch.buffer.size", pool_larger_than_size},
		{"topology", no_ports},
		{"topology", same_names},
		{"s1-h01", rate_0},
		{"s1-h01", rate_low},
		{"s1-h01", rate_high},
		{"s1-h01", mtu_low},
		{"s1-h01", mtu_high},
		{"s1-h01", overhead},
		{"s1-h01", edge},
		{"switch.buffer.cell", cell_0},
		{"switch.buffer.cell", cell_high},
		{"switch.buffer.size", size_high},
		{"switch.buffer.alpha", alpha_0},
		{"switch.buffer.alpha", alpha_high},
		{"switch.buffer.lossy_alpha", lossy_alpha_0},
		{"switch.buffer.size", pool},
		{"switch.buffer.size", headroom},
		{"switch.buffer.size", reserved},
		{"switch.buffer.headroom", headroom_wraps},
		{"switch.buffer.headroom", headroom_sum_wraps},
		{"switch.buffer.reserved", reserved_wraps},
		{"switch.buffer.xon_offset", xon_wraps},
		{"switch.latency", latency},
		{"switch.fdb_size", fdb_odd},
		{"switch.fdb_size", fdb_huge},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct err err = {0};
		struct sw_env env = {0};
		struct rig rig;

		rig_init(&rig, 2);
		CU_ASSERT_EQUAL(sw_config_check(&rig.config, &err), 0);
		all[i].spoil(&rig);
		CU_ASSERT_EQUAL(sw_config_check(&rig.config, &err), -EINVAL);
		CU_ASSERT_EQUAL(err.status, ERR_USAGE);
		CU_ASSERT_STRING_EQUAL(err.path, all[i].path);
		CU_ASSERT(err.expected[0] != '\0');
		CU_ASSERT_PTR_NULL(sw_new(&rig.config, pipeline_by_name("lossless"), &env, &err));
	}
}

static void limits_are_accepted(void)
{
	struct err err = {0};
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.buffer.size_bytes = 2 * 2 * 20000 + 9018;
	CU_ASSERT_EQUAL(sw_config_check(&rig.config, &err), 0);
	rig_init(&rig, 2);
	rig.ports[0].rate_bps = 1000;
	rig.ports[1].rate_bps = 8000000000000;
	rig.config.buffer.cell_bytes = 16384;
	rig.config.qos.sched[2].weight = 100;
	rig.ports[0].edge = true;
	rig.ports[0].edge_bytes = 9018;
	CU_ASSERT_EQUAL(sw_config_check(&rig.config, &err), 0);
}

/* A strict queue has no weight; ECN that is off has no limits. */
static void what_is_off_is_not_judged(void)
{
	struct err err = {0};
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.qos.sched[2] = (struct sw_sched){.strict = true};
	rig.config.qos.ecn[2] = (struct sw_ecn){.min_bytes = 9, .max_bytes = 1};
	CU_ASSERT_EQUAL(sw_config_check(&rig.config, &err), 0);
}

/* ---- what follows ---- */

/* Only PGs that some DSCP reaches have a reserve, and only lossless ones of PFC ports headroom. */
static void set_aside_for_what_is_reached(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.buffer.reserved_bytes = 1000;
	rig.config.buffer.cell_bytes = 256;
	for (int d = 0; d < 64; d++)
		rig.config.qos.dscp_to_prio[d] = d == 26 ? 3 : 0;
	rig.ports[1].pfc = false;
	rig_start(&rig);
	for (int g = 0; g < SW_PRIOS; g++) {
		const struct sw_pg *a = &rig.sw->ports[0].pgs[g], *b = &rig.sw->ports[1].pgs[g];

		CU_ASSERT_EQUAL(a->reserved_size, g == 0 || g == 3 ? 4 : 0);
		CU_ASSERT_EQUAL(b->reserved_size, a->reserved_size);
		CU_ASSERT_EQUAL(a->headroom_size, g == 3 ? 79 : 0);
		CU_ASSERT_EQUAL(b->headroom_size, 0);
	}
	CU_ASSERT_EQUAL(rig.sw->shared_size, 1000000 / 256 - 2 * 2 * 4 - 79);
	rig_stop(&rig);
}

/* What is trusted says what is reached: PCPs here, and 0 for what has no tag. */
static void reached_by_pcp(void)
{
	struct rig rig;

	rig_init(&rig, 1);
	rig.config.buffer.reserved_bytes = 1000;
	rig.config.qos.trust = SW_TRUST_PCP;
	for (int p = 0; p < 8; p++)
		rig.config.qos.pcp_to_prio[p] = p < 4 ? 2 : 3;
	rig.config.qos.prio_to_pg[2] = 7;
	rig_start(&rig);
	for (int g = 0; g < SW_PRIOS; g++) {
		const struct sw_pg *pg = &rig.sw->ports[0].pgs[g];

		CU_ASSERT_EQUAL(pg->reserved_size, g == 3 || g == 7 ? 1000 : 0);
		CU_ASSERT_EQUAL(pg->headroom_size, g == 3 ? 20000 : 0);
	}
	rig_stop(&rig);
}

/* The pool is set aside in place of the sum, in whole cells, whatever each PG may take of it; and not
 * where nobody could take from it. */
static void pool_in_place_of_the_sum(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.buffer.cell_bytes = 256;
	rig.config.buffer.headroom_pool_bytes = 25000;
	rig.config.buffer.size_bytes = 25600;
	rig.ports[0].mtu_bytes = rig.ports[1].mtu_bytes = 68;
	rig_start(&rig);
	CU_ASSERT_EQUAL(rig.sw->headroom_size, 98);
	CU_ASSERT_EQUAL(rig.sw->headroom_limit, 98);
	CU_ASSERT_EQUAL(rig.sw->shared_size, 2);
	CU_ASSERT_EQUAL(rig.sw->ports[0].pgs[3].headroom_size, 79);
	rig.config.qos.pfc_mask = 0;
	CU_ASSERT_EQUAL(rig_set(&rig, 1), 0);
	CU_ASSERT_EQUAL(rig.sw->headroom_size, 0);
	CU_ASSERT_EQUAL(rig.sw->shared_size, 100);
	rig_stop(&rig);
}

/* The quantum a weight stays at or below a maximal frame over the heaviest weight, and above 0. */
static void quantum_follows_the_heaviest(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	for (int q = 0; q < SW_PRIOS; q++)
		rig.config.qos.sched[q].weight = q == 0 ? 100 : q;
	rig_start(&rig);
	for (int mask = 1; mask < 256; mask++) {
		uint32_t heaviest = mask & 1 ? 100 : 31 - __builtin_clz(mask);

		CU_ASSERT(rig.sw->dwrr_quantum[mask] > 0);
		CU_ASSERT(rig.sw->dwrr_quantum[mask] * heaviest <= 1500);
	}
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"sw_config_check__refused", refused},
		{"sw_config_check__limits_are_accepted", limits_are_accepted},
		{"sw_config_check__what_is_off_is_not_judged", what_is_off_is_not_judged},
		{"config_apply__set_aside_for_what_is_reached", set_aside_for_what_is_reached},
		{"config_apply__reached_by_pcp", reached_by_pcp},
		{"config_apply__pool_in_place_of_the_sum", pool_in_place_of_the_sum},
		{"config_apply__quantum_follows_the_heaviest", quantum_follows_the_heaviest},
		{NULL, NULL},
	};

	return cu_main("model/config", cases);
}
