/* SPDX-License-Identifier: BSD-3-Clause */
/* Ageing through the whole switch: what a host that was silent for too long means for frames to it,
 * whenever and however often the switch is called. */
#include "dataplane/model/fdb.c"

#include "rig.h"
#include "tests/unit/cu.h"

#define SECOND (1000 * RIG_MS)
#define STRANGER 20 /* a host that is installed nowhere */

static void start(struct rig *rig, uint64_t fdb_ageing_ps, uint64_t neigh_ageing_ps)
{
	rig_init(rig, 3);
	rig->config.fdb_ageing_ps = fdb_ageing_ps;
	rig->config.neigh_ageing_ps = neigh_ageing_ps;
	rig_start(rig);
}

/* The stranger speaks, on a port. */
static void speak(struct rig *rig, uint64_t t_ps, uint16_t port)
{
	rig_one(rig, t_ps, port, rig_frame(rig, STRANGER, (port + 1) % 3, 3, 2, 100));
}

static uint64_t floods(struct rig *rig)
{
	return rig_stats(rig)->ports[0].counters[SW_PORT_FLOODED];
}

/* A frame to the stranger, from port 0: whether it was flooded. */
static bool is_flooded(struct rig *rig, uint64_t t_ps)
{
	uint64_t before = floods(rig);

	rig_send(rig, t_ps, 0, STRANGER, 3, 2, 100);
	return floods(rig) > before;
}

/* The first tick that lies ageing_ps behind the one after t. */
static uint64_t end_of(uint64_t t_ps, uint64_t ageing_ps)
{
	return ((t_ps >> 34) + ((ageing_ps + (1ULL << 34) - 1) >> 34) + 1) << 34;
}

static void flooded_when_old(void)
{
	struct rig rig;
	uint64_t end = end_of(5, 10 * SECOND);

	start(&rig, 10 * SECOND, 0);
	CU_ASSERT(is_flooded(&rig, 1));
	speak(&rig, 5, 1);
	CU_ASSERT_FALSE(is_flooded(&rig, 5 + 10 * SECOND));
	CU_ASSERT_FALSE(is_flooded(&rig, end - 1));
	CU_ASSERT(is_flooded(&rig, end));
	CU_ASSERT(is_flooded(&rig, end + SECOND));
	rig_settle(&rig);
	CU_ASSERT_EQUAL(sw_next(rig.sw), SW_NEVER); /* no timer goes on for a table at rest */
	rig_stop(&rig);
}

/* Live, while frames are on their way; the entries of the tables are not touched. */
static void set_under_traffic(void)
{
	struct rig rig;

	start(&rig, 0, 0);
	speak(&rig, 5, 1);
	rig_send(&rig, 3600 * SECOND, 0, STRANGER, 3, 2, 1000);
	rig.config.fdb_ageing_ps = 7200 * SECOND;
	CU_ASSERT_EQUAL(rig_set(&rig, 3600 * SECOND), 0);
	CU_ASSERT_FALSE(is_flooded(&rig, 3601 * SECOND));
	rig.config.fdb_ageing_ps = 60 * SECOND;
	CU_ASSERT_EQUAL(rig_set(&rig, 3602 * SECOND), 0);
	CU_ASSERT(is_flooded(&rig, 3602 * SECOND));
	rig_send(&rig, 9999 * SECOND, 0, 1, 3, 2, 100); /* installed: never too old */
	rig_to(&rig, 10000 * SECOND);
	CU_ASSERT_EQUAL(floods(&rig), 1);
	rig.config.fdb_ageing_ps = 1000001 * SECOND;
	CU_ASSERT_NOT_EQUAL(rig_set(&rig, 10000 * SECOND), 0);
	rig_stop(&rig);
}

/* The same, with the switch called every so often: one digest. */
static uint64_t play(uint64_t step_ps)
{
	struct rig rig;
	uint64_t seed = 7, digest, now = 0;

	start(&rig, 2 * SECOND, 1 * SECOND);
	rig.recount_every = 0;
	for (uint64_t t = 0; t < 60 * SECOND; t += rig_random(&seed) % (400 * RIG_MS)) {
		for (; step_ps != 0 && now < t; now += step_ps)
			rig_to(&rig, now);
		if (rig_random(&seed) % 4 == 0)
			speak(&rig, t, 1 + rig_random(&seed) % 2);
		else
			rig_send(&rig, t, 0, STRANGER, 3, 2, 100);
		now = now < t ? t : now;
	}
	rig_to(&rig, 61 * SECOND);
	CU_ASSERT(floods(&rig) > 5 && floods(&rig) < 100);
	digest = rig_stats(&rig)->digest;
	rig_stop(&rig);
	return digest;
}

static void any_cadence(void)
{
	uint64_t digest = play(0);

	CU_ASSERT_EQUAL(play(10 * RIG_MS), digest);
	CU_ASSERT_EQUAL(play(777777777777), digest);
}

/* From a host of 10.0.0.0/24 on port 1 to the gateway: an ARP question. */
static void arp(struct rig *rig, uint64_t t_ps)
{
	static const uint8_t bytes[60] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2,  0, 0,  1, 0,
					  1,    8,    6,    0,    1,    8,    0,  6, 4,  0, 1,
					  2,    0,    0,    1,    0,    1,    10, 0, 0,  7, 0,
					  0,    0,    0,    0,    0,    10,   0,  0, 254};

	rig_one(rig, t_ps, 1, rig_raw(rig, bytes, 60));
}

/* Silent: asked on every port of the domain, thrice; gone after that. Answers in time: stays. */
static void neighbour_is_probed(void)
{
	struct rig rig;
	uint32_t asked = 0;

	start(&rig, 0, 10 * SECOND);
	arp(&rig, 5);
	rig_to(&rig, 10 * SECOND + 5);
	CU_ASSERT_EQUAL(rig_count(&rig, 2, SW_REC_ARP_REQUEST), 0);
	rig_to(&rig, 10 * SECOND + 6);
	CU_ASSERT_EQUAL(rig_count(&rig, 2, SW_REC_ARP_REQUEST), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 2, SW_REC_ARP_REQUEST, 0)->t_ps, 10 * SECOND + 5);
	arp(&rig, 10 * SECOND + 700);
	rig_to(&rig, 20 * SECOND + 700);
	CU_ASSERT_EQUAL(rig_count(&rig, 2, SW_REC_ARP_REQUEST), 1);
	rig_settle(&rig); /* comes to rest, since it is gone */
	for (uint16_t p = 0; p < 3; p++)
		asked += rig_count(&rig, p, SW_REC_ARP_REQUEST);
	CU_ASSERT_EQUAL(asked, 3 + 9);
	CU_ASSERT_EQUAL(rig_nth(&rig, 2, SW_REC_ARP_REQUEST, 3)->t_ps, 22 * SECOND + 700);
	CU_ASSERT_EQUAL(sw_next(rig.sw), SW_NEVER);
	rig_stop(&rig);
}

/* Off at first; what has long been silent when it is set is asked from then on. */
static void neighbour_set_live(void)
{
	struct rig rig;

	start(&rig, 0, 0);
	arp(&rig, 5);
	rig_to(&rig, 100 * SECOND);
	CU_ASSERT_EQUAL(rig_count(&rig, 2, SW_REC_ARP_REQUEST), 0);
	rig.config.neigh_ageing_ps = SECOND;
	CU_ASSERT_EQUAL(rig_set(&rig, 100 * SECOND), 0);
	rig_to(&rig, 100 * SECOND + 2);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 2, SW_REC_ARP_REQUEST), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 2, SW_REC_ARP_REQUEST, 0)->t_ps, 100 * SECOND + 1);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"ageing__flooded_when_old", flooded_when_old},
		{"ageing__set_under_traffic", set_under_traffic},
		{"ageing__any_cadence", any_cadence},
		{"ageing__neighbour_is_probed", neighbour_is_probed},
		{"ageing__neighbour_set_live", neighbour_set_live},
		{NULL, NULL},
	};

	return cu_main("model/age", cases);
}
