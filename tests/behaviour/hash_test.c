/* SPDX-License-Identifier: BSD-3-Clause */
/* Load spreading (users' reports on QPs that share a path): which fields choose the path, how even it
 * gets with how many flows, and that two switches in a row do not choose alike.
 *
 * Host 1 sends to an address behind the other hosts, which are the next hops of one route.
 */
#include "lab.h"

#include <string.h>

#include "tests/unit/cu.h"

#define HOPS 4

/* `name` is the switch's; its own seed of the hash follows from it. */
static void begin(struct lab *lab, const char *name, uint64_t seed, const char *hash)
{
	char text[900];

	snprintf(text, sizeof(text),
		 "seed: %llu\n"
		 "topology:\n"
		 "  kind: custom\n"
		 "  switches: [%s]\n"
		 "  hosts: [h1, h2, h3, h4, h5]\n"
		 "  links: [{a: %s, b: h1}, {a: %s, b: h2}, {a: %s, b: h3}, {a: %s, b: h4},"
		 " {a: %s, b: h5}]\n"
		 "routes: [{on: %s, prefix: 10.9.0.0/16, via: [%s-h2, %s-h3, %s-h4, %s-h5]}]\n%s",
		 (unsigned long long)seed, name, name, name, name, name, name, name, name, name,
		 name, name, hash);
	lab_open(lab, text);
}

static void send(struct lab *lab, uint8_t host, uint16_t sport, uint32_t qp)
{
	lab_flow(lab, (struct lab_flow){.src = 1,
					.to = {10, 9, 0, host},
					.sport = sport,
					.qp = qp,
					.len = 100,
					.count = 1});
}

static uint32_t paths_used(struct lab *lab)
{
	uint32_t used = 0;

	lab_settle(lab);
	CU_ASSERT_EQUAL(lab_drops(lab), 0);
	for (uint16_t h = 2; h <= 1 + HOPS; h++)
		used += lab->hosts[h].data_seen > 0;
	return used;
}

/* n flows over 4 paths: each within 4 sigma of a quarter, sigma of n independent choices. */
static void spread_evenly(struct lab *lab, uint32_t n)
{
	double share = n / (double)HOPS, variance = n * (1.0 / HOPS) * (1 - 1.0 / HOPS);

	lab_settle(lab);
	for (uint16_t h = 2; h <= 1 + HOPS; h++) {
		double off = (double)lab->hosts[h].data_seen - share;

		CU_ASSERT(off * off <= 16 * variance);
	}
}

/* A73: every QP with the same source port is one flow to the default hash, and takes one path. */
static void one_source_port(void)
{
	struct lab lab;

	begin(&lab, "s1", 1, "");
	for (uint32_t qp = 1; qp <= 64; qp++)
		send(&lab, 1, 49152, qp);
	CU_ASSERT_EQUAL(paths_used(&lab), 1);
	lab_close(&lab);
}

/* A73, A78: as even as the number of distinct ports allows, whatever the number of QPs. */
static void entropy_of_ports(void)
{
	static const uint32_t ports[] = {1, 2, 4, 64, 1024};

	for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
		struct lab lab;

		begin(&lab, "s1", 3, "");
		for (uint32_t qp = 0; qp < 1024; qp++)
			send(&lab, 1, (uint16_t)(49152 + qp % ports[i]), qp);
		CU_ASSERT(paths_used(&lab) <= ports[i]);
		if (ports[i] == 1024)
			spread_evenly(&lab, 1024);
		for (uint16_t h = 2; h <= 1 + HOPS; h++) /* a port's QPs stay together */
			CU_ASSERT_EQUAL(lab.hosts[h].data_seen % (1024 / ports[i]), 0);
		lab_close(&lab);
	}
}

/* A74: with dest_qp among the fields, or alone, the same QPs spread. */
static void by_destination_qp(void)
{
	static const char *const hashes[] = {
		"switch: {hash: [src_ip, dst_ip, proto, src_port, dst_port, dest_qp]}\n",
		"switch: {hash: [dest_qp]}\n"};

	for (int i = 0; i < 2; i++) {
		struct lab lab;

		begin(&lab, "s1", 1, hashes[i]);
		for (uint32_t qp = 1; qp <= 1000; qp++)
			send(&lab, 1, 49152, qp);
		spread_evenly(&lab, 1000);
		lab_close(&lab);
	}
}

/* A75: 1, 2, 4, 8 QPs a connection, each with a port of its own: k paths of 4 are hit by
 * 4 (1 - (3/4)^k) of them on average; over 256 connections that shows within a tenth. */
static void more_qps_more_paths(void)
{
	uint32_t before = 0;

	for (uint32_t qps = 1; qps <= 8; qps *= 2) {
		double miss = 1, want;
		uint32_t used = 0;

		for (uint32_t c = 0; c < 256; c++) {
			struct lab lab;

			begin(&lab, "s1", c, "");
			for (uint32_t q = 0; q < qps; q++)
				send(&lab, (uint8_t)c, (uint16_t)(0xc000 + 977 * q), q);
			used += paths_used(&lab);
			lab_close(&lab);
		}
		for (uint32_t q = 0; q < qps; q++)
			miss *= 0.75;
		want = 256 * HOPS * (1 - miss);
		CU_ASSERT(used > want * 0.9 && used < want * 1.1);
		CU_ASSERT(used > before);
		before = used;
	}
}

/* A76: routes of one next hop each are exact where hashing is not. */
static void pinned(void)
{
	struct lab lab;

	lab_open(&lab, "topology: {kind: star, hosts: 5}\n"
		       "routes:\n"
		       "  - {on: s1, prefix: 10.9.0.0/30, via: [s1-h2]}\n"
		       "  - {on: s1, prefix: 10.9.0.4/30, via: [s1-h3]}\n"
		       "  - {on: s1, prefix: 10.9.0.8/30, via: [s1-h4]}\n"
		       "  - {on: s1, prefix: 10.9.0.12/30, via: [s1-h5]}\n");
	for (uint8_t host = 0; host < 16; host++)
		send(&lab, host, 49152, host);
	lab_settle(&lab);
	for (uint16_t h = 2; h <= 5; h++)
		CU_ASSERT_EQUAL(lab.hosts[h].data_seen, 4);
	lab_close(&lab);
}

/* A80: the default looks at both addresses and both ports, not at addresses alone. */
static void default_is_the_five_tuple(void)
{
	struct lab lab;

	begin(&lab, "s1", 1, "");
	CU_ASSERT_EQUAL(lab.fabric.switches[0].config.hash_fields,
			SW_HASH_SRC_IP | SW_HASH_DST_IP | SW_HASH_PROTO | SW_HASH_SRC_PORT |
				SW_HASH_DST_PORT);
	for (uint16_t port = 0; port < 1000; port++)
		send(&lab, 1, (uint16_t)(0xc000 + port), 1);
	spread_evenly(&lab, 1000);
	lab_close(&lab);
	begin(&lab, "s1", 1, "switch: {hash: [src_ip, dst_ip]}\n");
	for (uint16_t port = 0; port < 100; port++)
		send(&lab, 1, (uint16_t)(0xc000 + port), 1);
	CU_ASSERT_EQUAL(paths_used(&lab), 1);
	lab_close(&lab);
}

/* The field may be changed live, and the next frame goes by it. */
static void fields_change_live(void)
{
	struct lab lab;

	begin(&lab, "s1", 1, "");
	for (uint32_t qp = 1; qp <= 100; qp++)
		send(&lab, 1, 49152, qp);
	CU_ASSERT_EQUAL(paths_used(&lab), 1);
	lab_set(&lab, "switch.hash=[dest_qp]");
	for (uint32_t qp = 1; qp <= 100; qp++)
		send(&lab, 1, 49152, qp);
	CU_ASSERT_EQUAL(paths_used(&lab), HOPS);
	lab_close(&lab);
}

/* What one switch sends to its first next hop, the second spreads over all of its own: with one seed
 * for all it would send all of that to its first again. */
static void switches_choose_apart(void)
{
	static uint16_t kept[4000];
	struct lab lab;
	uint32_t n = 0;

	begin(&lab, "leaf1", 1, "");
	lab.keep = true;
	for (uint32_t i = 0; i < 4000; i++)
		send(&lab, 1, (uint16_t)(0xc000 + i), 1);
	lab_settle(&lab);
	for (uint32_t i = 0; i < lab.n_recs; i++)
		if (lab.recs[i].host == 2)
			kept[n++] = (uint16_t)(0xc000 + lab.recs[i].flow);
	lab_close(&lab);
	CU_ASSERT(n > 800);
	begin(&lab, "spine1", 1, "");
	for (uint32_t i = 0; i < n; i++)
		send(&lab, 1, kept[i], 1);
	spread_evenly(&lab, n);
	lab_close(&lab);
}

/* A77: all QPs on one of two members: the counters of the ports say so. */
static void imbalance_shows(void)
{
	struct lab lab;
	uint64_t most = 0;

	begin(&lab, "s1", 1, "");
	for (uint32_t qp = 1; qp <= 64; qp++)
		send(&lab, 1, 49152, qp);
	lab_settle(&lab);
	for (uint16_t h = 2; h <= 1 + HOPS; h++) {
		uint64_t tx = lab_port(&lab, h)->counters[SW_PORT_TX_PACKETS];

		CU_ASSERT_EQUAL(tx, lab.hosts[h].data_seen);
		most = tx > most ? tx : most;
	}
	CU_ASSERT_EQUAL(most, 64);
	lab_close(&lab);
}

static const struct cu_case cases[] = {
	{"A73__one_source_port", one_source_port},
	{"A73__entropy_of_ports", entropy_of_ports},
	{"A74__by_destination_qp", by_destination_qp},
	{"A75__more_qps_more_paths", more_qps_more_paths},
	{"A76__pinned", pinned},
	{"A77__imbalance_shows", imbalance_shows},
	{"A78__switches_choose_apart", switches_choose_apart},
	{"A79__fields_change_live", fields_change_live},
	{"A80__default_is_the_five_tuple", default_is_the_five_tuple},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/hash", cases);
}
