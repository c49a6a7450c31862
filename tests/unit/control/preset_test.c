/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/preset.c"

#include "control/scenario_int.h"
#include "tests/unit/cu.h"

static bool load(const char *name, struct scenario_switch *sw)
{
	struct yaml *yaml = yaml_new();
	struct yaml_node *map = NULL;
	struct err err = {0};
	int rc;

	scenario_switch_defaults(sw);
	rc = preset_load(yaml, name, &map, &err);
	if (rc == 0)
		rc = switch_expand(yaml, map, &map, &err);
	if (rc == 0)
		rc = scenario_switch_read(map, 100000000000, sw, &err);
	yaml_free(yaml);
	return rc == 0;
}

static void all_load(void)
{
	struct scenario_switch sw;
	int n = 0;

	for (const struct preset_file *file = preset_files; file->name != NULL; file++, n++)
		CU_ASSERT_TRUE(load(file->name, &sw));
	CU_ASSERT_TRUE(n >= 2);
	CU_ASSERT_TRUE(load("none", &sw));
	CU_ASSERT_FALSE(load("cisco", &sw));
}

static void names(void)
{
	char buf[128];

	CU_ASSERT_STRING_EQUAL(preset_names(buf, sizeof(buf)), "azure, nvidia, none");
}

static void nvidia(void)
{
	struct scenario_switch sw;

	CU_ASSERT_TRUE_FATAL(load("nvidia", &sw));
	for (int d = 0; d < 64; d++)
		CU_ASSERT_EQUAL(sw.qos.dscp_to_prio[d], d == 26 ? 3 : d == 48 ? 6 : 0);
	CU_ASSERT_EQUAL(sw.qos.pfc_mask, 1 << 3);
	CU_ASSERT_TRUE(sw.qos.sched[6].strict);
	CU_ASSERT_EQUAL(sw.qos.sched[3].weight, 50);
	CU_ASSERT_EQUAL(sw.qos.sched[0].weight, 50);
	CU_ASSERT_EQUAL(sw.qos.ecn[3].min_bytes, 400000);
	CU_ASSERT_EQUAL(sw.qos.ecn[3].max_bytes, 1600000);
	CU_ASSERT_FALSE(sw.qos.ecn[3].at_enqueue);
}

/* The queue and PG that each DSCP of a default SONiC gets: 1, 58, 1, 1, 1, 1, 1, 0 by queue. */
static void azure(void)
{
	int queues[8] = {0}, pgs[8] = {0};
	static const int want_queues[8] = {1, 58, 1, 1, 1, 1, 1, 0};
	static const int want_pgs[8] = {62, 0, 0, 1, 1, 0, 0, 0};
	struct scenario_switch sw;

	CU_ASSERT_TRUE_FATAL(load("azure", &sw));
	for (int d = 0; d < 64; d++) {
		queues[sw.qos.prio_to_queue[sw.qos.dscp_to_prio[d]]]++;
		pgs[sw.qos.prio_to_pg[sw.qos.dscp_to_prio[d]]]++;
	}
	CU_ASSERT_EQUAL(memcmp(queues, want_queues, sizeof(queues)), 0);
	CU_ASSERT_EQUAL(memcmp(pgs, want_pgs, sizeof(pgs)), 0);
	CU_ASSERT_EQUAL(sw.qos.dscp_to_prio[46], 5);
	CU_ASSERT_EQUAL(sw.qos.dscp_to_prio[5], 2);
	CU_ASSERT_EQUAL(sw.qos.pfc_mask, 1 << 3 | 1 << 4);
	CU_ASSERT_EQUAL(sw.qos.sched[3].weight, 15);
	CU_ASSERT_EQUAL(sw.qos.sched[1].weight, 14);
	CU_ASSERT_EQUAL(sw.qos.ecn[4].min_bytes, 1048576);
	CU_ASSERT_EQUAL(sw.qos.ecn[4].probability_ppb, 50000000);
}

static const struct cu_case cases[] = {
	{"preset_load__all", all_load},
	{"preset_names__all", names},
	{"preset_load__nvidia", nvidia},
	{"preset_load__azure", azure},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/preset", cases);
}
