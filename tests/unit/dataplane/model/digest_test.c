/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/digest.c"

#include "rig.h"

#include "tests/unit/cu.h"

/* One event on a fresh switch, as the caller has changed it. */
struct event {
	uint64_t t_ps;
	enum digest_dir dir;
	int drop;
	uint16_t len;
	uint8_t edit;
	int flip; /* byte of the frame to change; -1 = none */
};

static const struct event plain = {.t_ps = 1000, .drop = -1, .len = 200, .flip = -1};

static uint64_t digest_of(const struct event *e)
{
	struct pkt *pkt;
	struct rig rig;
	uint64_t digest;

	rig_init(&rig, 2);
	rig_start(&rig);
	pkt = rig_frame(&rig, 0, 1, 3, 2, e->len);
	if (e->flip >= 0)
		pkt->data[e->flip] ^= 1;
	sw_parse(rig.sw, 0, &pkt, 1);
	pkt->edit = e->edit;
	digest_pkt(rig.sw, 0, e->t_ps, e->dir, pkt, e->drop);
	digest = digest_all(rig.sw);
	rig_one(&rig, 1, 0, pkt); /* so that it is given back */
	rig_stop(&rig);
	return digest;
}

static void each_part_counts(void)
{
	const struct event changed[] = {
		{.t_ps = 1001, .drop = -1, .len = 200, .flip = -1},
		{.t_ps = 1000, .drop = -1, .len = 201, .flip = -1},
		{.t_ps = 1000, .drop = -1, .len = 200, .flip = 0},  /* destination MAC */
		{.t_ps = 1000, .drop = -1, .len = 200, .flip = 22}, /* TTL */
		{.t_ps = 1000, .drop = -1, .len = 200, .flip = 53}, /* PSN */
		{.t_ps = 1000, .drop = SW_DROP_QUEUE_FULL, .len = 200, .flip = -1},
		{.t_ps = 1000, .drop = SW_DROP_NOT_ECT, .len = 200, .flip = -1},
		{.t_ps = 1000, .drop = SW_DROP_RUNT, .len = 200, .flip = -1},
		{.t_ps = 1000, .drop = -1, .len = 200, .flip = -1, .edit = PKT_EDIT_CE},
		{.t_ps = 1000, .drop = -1, .len = 200, .flip = -1, .dir = DIGEST_TX},
	};
	uint64_t seen[11] = {digest_of(&plain)};

	CU_ASSERT_EQUAL(seen[0], digest_of(&plain));
	for (int i = 1; i < 11; i++) {
		seen[i] = digest_of(&changed[i - 1]);
		for (int j = 0; j < i; j++)
			CU_ASSERT_NOT_EQUAL(seen[i], seen[j]);
	}
}

static void payload_does_not(void)
{
	for (int byte = 70; byte < RIG_BYTES; byte++) {
		struct event e = plain;

		e.flip = byte;
		CU_ASSERT_EQUAL(digest_of(&e), digest_of(&plain));
	}
}

/* An acknowledgement's headers end before 64 B: its ICRC and padding are not in it. */
static void icrc_does_not(void)
{
	struct event ack = plain, other;

	ack.len = 62; /* 14 + 20 + 8 + 12 + AETH 4 + ICRC 4 */
	other = ack;
	other.flip = 60;
	CU_ASSERT_EQUAL(digest_of(&ack), digest_of(&other));
	other.flip = 56;
	CU_ASSERT_NOT_EQUAL(digest_of(&ack), digest_of(&other));
}

/* The same life under the same names, whatever the ports' numbers. */
static uint64_t with_ports(const uint16_t at[3], const char *const names[3])
{
	struct rig rig;
	uint64_t digest;

	rig_init(&rig, 3);
	rig.config.qos.ecn[3] = (struct sw_ecn){
		.on = true, .min_bytes = 1000, .max_bytes = 9000, .probability_ppb = 500000000};
	for (int i = 0; i < 3; i++)
		snprintf(rig.ports[at[i]].name, SW_NAME, "%s", names[i]);
	rig_start(&rig);
	for (int i = 0; i < 60; i++) {
		struct pkt *pkt = rig_frame(&rig, at[i % 2], at[2], 3, 2, 1000);

		pkt->data[5] = pkt->data[11] = 0; /* the MACs tell ports by number */
		pkt->data[0] = 0x03;              /* to a group: flooded */
		rig_one(&rig, RIG_US + i * 50 * RIG_NS, at[i % 2], pkt);
	}
	rig_settle(&rig);
	digest = rig_stats(&rig)->digest;
	rig_stop(&rig);
	return digest;
}

static void ports_by_name(void)
{
	static const char *const names[3] = {"s1-a", "s1-b", "s1-c"};
	static const char *const other[3] = {"s1-a", "s1-c", "s1-b"};
	static const uint16_t orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}};
	uint64_t first = with_ports(orders[0], names);

	for (int i = 1; i < 4; i++)
		CU_ASSERT_EQUAL(with_ports(orders[i], names), first);
	CU_ASSERT_NOT_EQUAL(with_ports(orders[0], other), first);
}

/* What the switch says itself is in it. */
static void own_frames_count(void)
{
	struct sw_rec rec = {.t_ps = 5, .kind = SW_REC_PFC, .gen = {.vid = PKT_NO_VLAN}};
	uint64_t seen[4];
	struct rig rig;

	for (int i = 0; i < 4; i++) {
		rig_init(&rig, 2);
		rig_start(&rig);
		rec.t_ps = i == 1 ? 6 : 5;
		rec.gen.quanta[3] = i == 2;
		rec.gen.class_vector = i == 3;
		digest_gen(rig.sw, &rec);
		seen[i] = digest_all(rig.sw);
		for (int j = 0; j < i; j++)
			CU_ASSERT_NOT_EQUAL(seen[i], seen[j]);
		rig_stop(&rig);
	}
}

static void off_is_zero_records(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.digest = false;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 1, 3, 2, 1000);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].digest, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].digest, 0);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"digest_pkt__each_part_counts", each_part_counts},
		{"digest_pkt__payload_does_not", payload_does_not},
		{"digest_pkt__icrc_does_not", icrc_does_not},
		{"digest_all__ports_by_name", ports_by_name},
		{"digest_gen__own_frames_count", own_frames_count},
		{"digest_pkt__off_is_zero_records", off_is_zero_records},
		{NULL, NULL},
	};

	return cu_main("model/digest", cases);
}
