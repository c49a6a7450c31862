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
	return fdb_find(fdb, mac, 1, PKT_NO_VLAN);
}

static void learns_and_moves(void)
{
	struct fdb *fdb = fdb_new(64);

	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), PKT_NO_PORT);
	fdb_learn(fdb, fake_mac(1), 1, PKT_NO_VLAN, 3);
	fdb_learn(fdb, fake_mac(2), 1, PKT_NO_VLAN, 4);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), 3);
	fdb_learn(fdb, fake_mac(1), 1, PKT_NO_VLAN, 5);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), 5);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(2)), 4);
	fdb_free(fdb);
}

static void keeps_domains_and_vlans_apart(void)
{
	struct fdb *fdb = fdb_new(64);

	fdb_learn(fdb, fake_mac(1), 1, PKT_NO_VLAN, 1);
	fdb_learn(fdb, fake_mac(1), 1, 10, 2);
	fdb_learn(fdb, fake_mac(1), 2, PKT_NO_VLAN, 3);
	CU_ASSERT_EQUAL(fdb_find(fdb, fake_mac(1), 1, PKT_NO_VLAN), 1);
	CU_ASSERT_EQUAL(fdb_find(fdb, fake_mac(1), 1, 10), 2);
	CU_ASSERT_EQUAL(fdb_find(fdb, fake_mac(1), 2, PKT_NO_VLAN), 3);
	CU_ASSERT_EQUAL(fdb_find(fdb, fake_mac(1), 2, 10), PKT_NO_PORT);
	fdb_free(fdb);
}

static void newest_replaces_oldest(void)
{
	struct fdb *fdb = fdb_new(64);
	uint8_t macs[6][6];

	colliding(fdb, macs, 6);
	for (uint16_t i = 0; i < WAYS; i++)
		fdb_learn(fdb, macs[i], 1, PKT_NO_VLAN, i);
	fdb_learn(fdb, macs[0], 1, PKT_NO_VLAN, 0); /* seen again: 1 is the oldest now */
	fdb_learn(fdb, macs[4], 1, PKT_NO_VLAN, 4);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[1]), PKT_NO_PORT);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[0]), 0);
	CU_ASSERT_EQUAL(find_plain(fdb, macs[4]), 4);
	fdb_learn(fdb, macs[5], 1, PKT_NO_VLAN, 5);
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
		fdb_learn(fdb, macs[i], 1, PKT_NO_VLAN, i);
	fdb_flush_port(fdb, 2);
	fdb_learn(fdb, macs[4], 1, PKT_NO_VLAN, 4);
	for (uint16_t i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(find_plain(fdb, macs[i]), i == 2 ? PKT_NO_PORT : i);
	fdb_free(fdb);
}

static void flushes_one_port(void)
{
	struct fdb *fdb = fdb_new(256);

	for (uint8_t i = 0; i < 32; i++)
		fdb_learn(fdb, fake_mac(i), 1, PKT_NO_VLAN, i % 2);
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

	fdb_learn(fdb, fake_mac(1), 1, PKT_NO_VLAN, 3);
	fdb_learn(fdb, fake_mac(1), 1, 10, 3);
	fdb_learn(fdb, fake_mac(2), 1, PKT_NO_VLAN, 3);
	fdb_drop_contradicted(fdb, tables);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), PKT_NO_PORT);
	CU_ASSERT_EQUAL(fdb_find(fdb, fake_mac(1), 1, 10), 3);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(2)), 3);
	fdb_learn(fdb, fake_mac(1), 1, PKT_NO_VLAN, 4);
	fdb_drop_contradicted(fdb, tables);
	CU_ASSERT_EQUAL(find_plain(fdb, fake_mac(1)), 4);
	fdb_free(fdb);
	sw_tables_free(tables);
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
	fdb_learn(sw->fdb, fake_mac(1), 1, PKT_NO_VLAN, 4); /* in the shadow of the installed one */
	fdb_learn(sw->fdb, fake_mac(2), 7, 9, 3);
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

/* A table of fewer entries than a bucket has is one bucket. */
static void tiny(void)
{
	struct fdb *fdb = fdb_new(1);

	fdb_learn(fdb, fake_mac(1), 1, PKT_NO_VLAN, 1);
	fdb_learn(fdb, fake_mac(2), 1, PKT_NO_VLAN, 2);
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
	{"fdb_new__tiny", tiny},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/fdb", cases);
}
