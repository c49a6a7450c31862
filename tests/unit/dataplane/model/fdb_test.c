/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/fdb.c"

#include "fake_sw.h"

/* The first n MACs (counted up from 02:00:...) that share a bucket with the first. */
static void colliding(const struct fdb *fdb, uint8_t macs[][6], unsigned int n)
{
	uint32_t bucket = 0;

	for (uint32_t i = 0, found = 0; found < n; i++) {
		uint8_t mac[6] = {0x02, 0, (uint8_t)(i >> 16), 0, (uint8_t)(i >> 8), (uint8_t)i};
		uint32_t here = fdb_bucket_of(fdb, fdb_key(mac, 1), PKT_NO_VLAN);

		if (found == 0)
			bucket = here;
		if (here == bucket)
			memcpy(macs[found++], mac, 6);
	}
}

static uint16_t find_plain(const struct fdb *fdb, const uint8_t mac[6])
{
	return fdb_find(fdb, 0, mac, 1, PKT_NO_VLAN);
}

static void learns_and_moves(void)
{
	struct fdb *fdb = fdb_new(64);

	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), PKT_NO_PORT);
	fdb_learn(fdb, 0, fake_mac(1), 1, PKT_NO_VLAN, 3);
	fdb_learn(fdb, 0, fake_mac(2), 1, PKT_NO_VLAN, 4);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), 3);
	fdb_learn(fdb, 0, fake_mac(1), 1, PKT_NO_VLAN, 5);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), 5);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(2)), 4);
	fdb_free(fdb);
}

static void keeps_domains_and_vlans_apart(void)
{
	struct fdb *fdb = fdb_new(64);

	fdb_learn(fdb, 0, fake_mac(1), 1, PKT_NO_VLAN, 1);
	fdb_learn(fdb, 0, fake_mac(1), 1, 10, 2);
	fdb_learn(fdb, 0, fake_mac(1), 2, PKT_NO_VLAN, 3);
	CU_ASSERT_EQUAL(fdb_find(fdb, 0, fake_mac(1), 1, PKT_NO_VLAN), 1);
	CU_ASSERT_EQUAL(fdb_find(fdb, 0, fake_mac(1), 1, 10), 2);
	CU_ASSERT_EQUAL(fdb_find(fdb, 0, fake_mac(1), 2, PKT_NO_VLAN), 3);
	CU_ASSERT_EQUAL(fdb_find(fdb, 0, fake_mac(1), 2, 10), PKT_NO_PORT);
	fdb_free(fdb);
}

static void newest_replaces_oldest(void)
{
	struct fdb *fdb = fdb_new(64);
	uint8_t macs[6][6];

	colliding(fdb, macs, 6);
	for (uint16_t i = 0; i < WAYS; i++)
		fdb_learn(fdb, 0, macs[i], 1, PKT_NO_VLAN, i);
	fdb_learn(fdb, 0, macs[0], 1, PKT_NO_VLAN, 0); /* seen again: 1 is the oldest now */
	fdb_learn(fdb, 0, macs[4], 1, PKT_NO_VLAN, 4);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[1]), PKT_NO_PORT);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[0]), 0);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[4]), 4);
	fdb_learn(fdb, 0, macs[5], 1, PKT_NO_VLAN, 5);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[2]), PKT_NO_PORT);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[3]), 3);
	fdb_free(fdb);
}

static void free_way_before_oldest(void)
{
	struct fdb *fdb = fdb_new(64);
	uint8_t macs[5][6];

	colliding(fdb, macs, 5);
	for (uint16_t i = 0; i < WAYS; i++)
		fdb_learn(fdb, 0, macs[i], 1, PKT_NO_VLAN, i);
	fdb_flush_port(fdb, 2);
	fdb_learn(fdb, 0, macs[4], 1, PKT_NO_VLAN, 4);
	for (uint16_t i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(find_plain(fdb, macs[i]), i == 2 ? PKT_NO_PORT : i);
	fdb_free(fdb);
}

static void flushes_one_port(void)
{
	struct fdb *fdb = fdb_new(256);

	for (uint8_t i = 0; i < 32; i++)
		fdb_learn(fdb, 0, fake_mac(i), 1, PKT_NO_VLAN, i % 2);
	fdb_flush_port(fdb, 1);
	for (uint8_t i = 0; i < 32; i++)
		CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(i)), i % 2 ? PKT_NO_PORT : 0);
	fdb_free(fdb);
}

static struct sw_tables *tables_with_fdb(uint8_t host, uint16_t port)
{
	struct sw_static_fdb fdb = {.domain = 1, .vid = PKT_NO_VLAN, .port = port};

	memcpy(fdb.mac, fake_mac(host), 6);
	return fake_tables(&(struct sw_tables_spec){.n_fdb = 1, .fdb = &fdb});
}

static void drops_only_contradicted(void)
{
	struct sw_tables *tables = tables_with_fdb(1, 4);
	struct fdb *fdb = fdb_new(64);

	fdb_learn(fdb, 0, fake_mac(1), 1, PKT_NO_VLAN, 3);
	fdb_learn(fdb, 0, fake_mac(1), 1, 10, 3);
	fdb_learn(fdb, 0, fake_mac(2), 1, PKT_NO_VLAN, 3);
	fdb_drop_contradicted(fdb, tables);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), PKT_NO_PORT);
	CU_ASSERT_EQUAL(fdb_find(fdb, 0, fake_mac(1), 1, 10), 3);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(2)), 3);
	fdb_learn(fdb, 0, fake_mac(1), 1, PKT_NO_VLAN, 4);
	fdb_drop_contradicted(fdb, tables);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), 4);
	fdb_free(fdb);
	sw_tables_free(tables);
}

/* ---- ageing ---- */

#define TICK (1ULL << FDB_TICK_BITS)

static uint16_t find_at(const struct fdb *fdb, uint64_t t_ps, uint8_t host)
{
	return fdb_find(fdb, t_ps, fake_mac(host), 1, PKT_NO_VLAN);
}

static void learn_at(struct fdb *fdb, uint64_t t_ps, uint8_t host, uint16_t port)
{
	fdb_learn(fdb, t_ps, fake_mac(host), 1, PKT_NO_VLAN, port);
}

/* Never before its time, never more than two ticks after it, wherever in a tick it was seen. */
static void goes_in_time(void)
{
	static const uint64_t ages[] = {
		1, TICK - 1, TICK, TICK + 1, FAKE_S, 300 * FAKE_S, 1000000 * FAKE_S};
	static const uint64_t seen[] = {0, 1, TICK - 1, TICK, 5 * FAKE_S + 12345};

	for (size_t a = 0; a < sizeof(ages) / sizeof(ages[0]); a++)
		for (size_t s = 0; s < sizeof(seen) / sizeof(seen[0]); s++) {
			struct fdb *fdb = fdb_new(64);
			uint64_t end = (seen[s] / TICK + (ages[a] + TICK - 1) / TICK + 1) * TICK;

			fdb_set_ageing(fdb, 0, ages[a]);
			learn_at(fdb, seen[s], 1, 3);
			CU_ASSERT_EQUAL(find_at(fdb, seen[s] + ages[a] - 1, 1), 3);
			CU_ASSERT_EQUAL(find_at(fdb, end - 1, 1), 3);
			CU_ASSERT_EQUAL(find_at(fdb, end, 1), PKT_NO_PORT);
			CU_ASSERT_EQUAL(find_at(fdb, UINT64_MAX, 1), PKT_NO_PORT);
			CU_ASSERT(end >= seen[s] + ages[a] && end <= seen[s] + ages[a] + 2 * TICK);
			fdb_free(fdb);
		}
}

static void off_means_never(void)
{
	struct fdb *fdb = fdb_new(64);

	learn_at(fdb, 0, 1, 3);
	CU_ASSERT_EQUAL(find_at(fdb, UINT64_MAX, 1), 3);
	fdb_free(fdb);
}

static void seen_again_stays(void)
{
	struct fdb *fdb = fdb_new(64);

	fdb_set_ageing(fdb, 0, 10 * FAKE_S);
	for (uint64_t s = 0; s < 100; s += 9)
		learn_at(fdb, s * FAKE_S, 1, 3);
	CU_ASSERT_EQUAL(find_at(fdb, 108 * FAKE_S, 1), 3);
	CU_ASSERT_EQUAL(find_at(fdb, 110 * FAKE_S, 1), PKT_NO_PORT);
	learn_at(fdb, 200 * FAKE_S, 1, 4);
	CU_ASSERT_EQUAL(find_at(fdb, 200 * FAKE_S, 1), 4);
	fdb_free(fdb);
}

/* Shorter: what is too old goes at once. Longer or off: what was gone does not come back. */
static void setting_changes(void)
{
	struct fdb *fdb = fdb_new(64);

	fdb_set_ageing(fdb, 0, 300 * FAKE_S);
	learn_at(fdb, 0, 1, 3);
	learn_at(fdb, 50 * FAKE_S, 2, 3);
	fdb_set_ageing(fdb, 60 * FAKE_S, 30 * FAKE_S);
	CU_ASSERT_EQUAL(find_at(fdb, 60 * FAKE_S, 1), PKT_NO_PORT);
	CU_ASSERT_EQUAL(find_at(fdb, 60 * FAKE_S, 2), 3);
	fdb_set_ageing(fdb, 61 * FAKE_S, 0);
	CU_ASSERT_EQUAL(find_at(fdb, 61 * FAKE_S, 1), PKT_NO_PORT);
	CU_ASSERT_EQUAL(find_at(fdb, 9999 * FAKE_S, 2), 3);
	fdb_set_ageing(fdb, 9999 * FAKE_S, 300 * FAKE_S); /* counts from when it was seen */
	CU_ASSERT_EQUAL(find_at(fdb, 9999 * FAKE_S, 2), PKT_NO_PORT);
	fdb_free(fdb);
}

static void old_way_before_oldest(void)
{
	struct fdb *fdb = fdb_new(64);
	uint8_t macs[5][6];

	colliding(fdb, macs, 5);
	fdb_set_ageing(fdb, 0, 10 * FAKE_S);
	for (uint16_t i = 0; i < WAYS; i++)
		fdb_learn(fdb, 0, macs[i], 1, PKT_NO_VLAN, i);
	for (uint16_t i = 0; i < WAYS - 1; i++) /* all but the one seen last */
		fdb_learn(fdb, 5 * FAKE_S, macs[i], 1, PKT_NO_VLAN, i);
	fdb_learn(fdb, 12 * FAKE_S, macs[4], 1, PKT_NO_VLAN, 4);
	for (uint16_t i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(fdb_find(fdb, 12 * FAKE_S, macs[i], 1, PKT_NO_VLAN),
				i == 3 ? PKT_NO_PORT : i);
	fdb_free(fdb);
}

/* One port makes up addresses: those behind the others stay, at least half of each bucket. */
static void one_port_has_its_share(void)
{
	struct fdb *fdb = fdb_new(64);
	uint8_t macs[40][6];

	colliding(fdb, macs, 40);
	fdb_learn(fdb, 0, macs[0], 1, PKT_NO_VLAN, 1);
	fdb_learn(fdb, 0, macs[1], 1, PKT_NO_VLAN, 2);
	for (int i = 2; i < 40; i++)
		fdb_learn(fdb, 0, macs[i], 1, PKT_NO_VLAN, 3);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[0]), 1);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[1]), 2);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[39]), 3);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[38]), 3);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[37]), PKT_NO_PORT);
	fdb_free(fdb);
}

/* A port may use what nobody else needs, and gives it up to whoever comes. */
static void share_is_no_quota(void)
{
	struct fdb *fdb = fdb_new(64);
	uint8_t macs[5][6];

	colliding(fdb, macs, 5);
	for (int i = 0; i < WAYS; i++)
		fdb_learn(fdb, 0, macs[i], 1, PKT_NO_VLAN, 3);
	for (int i = 0; i < WAYS; i++)
		CU_ASSERT_EQUAL(find_plain(fdb, macs[i]), 3);
	fdb_learn(fdb, 0, macs[4], 1, PKT_NO_VLAN, 1);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[4]), 1);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[0]), PKT_NO_PORT);
	fdb_free(fdb);
}

struct rows {
	struct sw_fdb_row rows[8];
	unsigned int n;
};

static void take_row(void *arg, const struct sw_fdb_row *row)
{
	struct rows *rows = arg;

	rows->rows[rows->n++ % 8] = *row;
}

static void installed_first(void)
{
	struct sw_tables *tables = tables_with_fdb(1, 4);
	struct sw *sw = fake_new(tables);
	struct rows rows = {.n = 0};

	sw->fdb = fdb_new(64);
	fdb_learn(sw->fdb, 0, fake_mac(1), 1, PKT_NO_VLAN,
		  4); /* in the shadow of the installed one */
	fdb_learn(sw->fdb, 0, fake_mac(2), 7, 9, 3);
	sw_fdb_each(sw, take_row, &rows);
	CU_ASSERT_EQUAL(rows.n, 2);
	CU_ASSERT(rows.rows[0].installed);
	CU_ASSERT_EQUAL(rows.rows[0].port, 4);
	CU_ASSERT_FALSE(rows.rows[1].installed);
	CU_ASSERT_EQUAL(memcmp(rows.rows[1].mac, fake_mac(2), 6), 0);
	CU_ASSERT_EQUAL(rows.rows[1].domain, 7);
	CU_ASSERT_EQUAL(rows.rows[1].vid, 9);
	CU_ASSERT_EQUAL(rows.rows[1].port, 3);
	fdb_free(sw->fdb);
	sw_tables_free(tables);
}

static void rows_say_age(void)
{
	struct sw_tables *tables = tables_with_fdb(9, 4);
	struct sw *sw = fake_new(tables);
	struct rows rows = {.n = 0};

	sw->fdb = fdb_new(64);
	fdb_set_ageing(sw->fdb, 0, 10 * FAKE_S);
	learn_at(sw->fdb, 1 * FAKE_S, 1, 3);
	learn_at(sw->fdb, 8 * FAKE_S, 2, 3);
	sw->now = 10 * FAKE_S;
	sw_fdb_each(sw, take_row, &rows);
	CU_ASSERT_EQUAL_FATAL(rows.n, 3);
	CU_ASSERT_EQUAL(rows.rows[0].age_ps, 0); /* installed */
	for (int i = 1; i < 3; i++) {
		uint64_t age = rows.rows[i].mac[5] == 1 ? 9 * FAKE_S : 2 * FAKE_S;

		CU_ASSERT(rows.rows[i].age_ps + TICK > age && rows.rows[i].age_ps < age + TICK);
	}
	sw->now = 100 * FAKE_S; /* they are gone, installed ones stay */
	rows.n = 0;
	sw_fdb_each(sw, take_row, &rows);
	CU_ASSERT_EQUAL(rows.n, 1);
	CU_ASSERT(rows.rows[0].installed);
	fdb_free(sw->fdb);
	sw_tables_free(tables);
}

/* A table of fewer entries than a bucket has is one bucket. */
static void tiny(void)
{
	struct fdb *fdb = fdb_new(1);

	fdb_learn(fdb, 0, fake_mac(1), 1, PKT_NO_VLAN, 1);
	fdb_learn(fdb, 0, fake_mac(2), 1, PKT_NO_VLAN, 2);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), 1);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(2)), 2);
	fdb_free(fdb);
}

static const struct cu_case cases[] = {
	{"fdb_learn__learns_and_moves", learns_and_moves},
	{"fdb_learn__newest_replaces_oldest", newest_replaces_oldest},
	{"fdb_learn__free_way_before_oldest", free_way_before_oldest},
	{"fdb_find__keeps_domains_and_vlans_apart", keeps_domains_and_vlans_apart},
	{"fdb_flush_port__flushes_one_port", flushes_one_port},
	{"fdb_drop_contradicted__drops_only_contradicted", drops_only_contradicted},
	{"sw_fdb_each__installed_first", installed_first},
	{"sw_fdb_each__rows_say_age", rows_say_age},
	{"fdb_new__tiny", tiny},
	{"fdb_set_ageing__goes_in_time", goes_in_time},
	{"fdb_set_ageing__off_means_never", off_means_never},
	{"fdb_set_ageing__seen_again_stays", seen_again_stays},
	{"fdb_set_ageing__setting_changes", setting_changes},
	{"fdb_learn__old_way_before_oldest", old_way_before_oldest},
	{"fdb_learn__one_port_has_its_share", one_port_has_its_share},
	{"fdb_learn__share_is_no_quota", share_is_no_quota},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/fdb", cases);
}
