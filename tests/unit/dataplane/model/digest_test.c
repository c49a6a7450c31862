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
		digest_gen(rig.sw, &rec, -1);
		seen[i] = digest_all(rig.sw);
		for (int j = 0; j < i; j++)
			CU_ASSERT_NOT_EQUAL(seen[i], seen[j]);
		rig_stop(&rig);
	}
}

/* ---- what has no frame ---- */

static void all_differ(const uint64_t *seen, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			CU_ASSERT_NOT_EQUAL(seen[i], seen[j]);
}

/* A flood whose copies get no memory. */
static uint64_t with_copies(bool refuse, uint64_t t_ps)
{
	struct rig rig;
	uint64_t digest;

	rig_init(&rig, 3);
	rig_start(&rig);
	rig.refuse_copies = refuse;
	rig_send(&rig, t_ps, 0, 9, 3, 2, 100); /* host 9 is not known */
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_NO_COPY], refuse);
	digest = rig.sw->ports[0].digest; /* the copy's own port is not looked at */
	rig_stop(&rig);
	return digest;
}

static void lost_copies_count(void)
{
	const uint64_t seen[] = {with_copies(false, 5), with_copies(true, 5), with_copies(true, 6)};

	all_differ(seen, 3);
	CU_ASSERT_EQUAL(with_copies(true, 5), seen[1]);
}

static uint64_t lost_answer(uint64_t t_ps, enum sw_rec_kind kind, uint8_t target,
			    enum sw_drop reason)
{
	struct sw_gen gen = {.vid = PKT_NO_VLAN, .dst_ip = {[15] = target}};
	struct rig rig;
	uint64_t digest;

	rig_init(&rig, 2);
	rig_start(&rig);
	sw_drop_gen(rig.sw, t_ps, kind, &gen, reason, 1);
	CU_ASSERT_EQUAL(rig.sw->ports[0].digest, 0);
	digest = digest_all(rig.sw);
	rig_stop(&rig);
	return digest;
}

static void lost_answers_count(void)
{
	const uint64_t seen[] = {
		lost_answer(5, SW_REC_ARP_REPLY, 1, SW_DROP_CTL_FULL),
		lost_answer(6, SW_REC_ARP_REPLY, 1, SW_DROP_CTL_FULL),
		lost_answer(5, SW_REC_ARP_REQUEST, 1, SW_DROP_CTL_FULL),
		lost_answer(5, SW_REC_ARP_REPLY, 2, SW_DROP_CTL_FULL),
		lost_answer(5, SW_REC_ARP_REPLY, 1, SW_DROP_LINK_DOWN),
	};

	all_differ(seen, 5);
	CU_ASSERT_EQUAL(lost_answer(5, SW_REC_ARP_REPLY, 1, SW_DROP_CTL_FULL), seen[0]);
}

/* Where they happen: the ring is full, the port is down, the port goes down. */
static void answers_are_lost(void)
{
	struct sw_gen gen = {.vid = PKT_NO_VLAN};
	uint64_t digest;
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	for (int i = 0; i < SW_GEN_RING; i++)
		port_gen(rig.sw, 0, 1, SW_REC_ARP_REQUEST, &gen);
	CU_ASSERT_EQUAL(rig.sw->ports[1].digest, 0);
	port_gen(rig.sw, 0, 1, SW_REC_ARP_REQUEST, &gen);
	CU_ASSERT_NOT_EQUAL(rig.sw->ports[1].digest, 0);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_CTL_FULL], 1);
	digest = rig.sw->ports[1].digest;
	rig_link(&rig, 0, 1, false);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_LINK_DOWN], SW_GEN_RING);
	CU_ASSERT_NOT_EQUAL(rig.sw->ports[1].digest, digest);
	digest = rig.sw->ports[1].digest;
	port_gen(rig.sw, 0, 1, SW_REC_ARP_REQUEST, &gen);
	CU_ASSERT_NOT_EQUAL(rig.sw->ports[1].digest, digest);
	rig_stop(&rig);
}

enum act { NOTHING, HOLD, HOLD_AND_RELEASE, LINK_DOWN, LINK_DOWN_UP, SWAP, SET, NOTHING_NEW };

static uint64_t after(enum act act, uint64_t t_ps, uint16_t port, bool on)
{
	uint64_t digest;
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.digest = on;
	rig_start(&rig);
	if (act == HOLD || act == HOLD_AND_RELEASE)
		rig_hold(&rig, t_ps, port, true);
	if (act == LINK_DOWN || act == LINK_DOWN_UP)
		rig_link(&rig, t_ps, port, false);
	if (act == HOLD_AND_RELEASE || act == NOTHING_NEW)
		rig_hold(&rig, t_ps, port, false);
	if (act == LINK_DOWN_UP || act == NOTHING_NEW)
		rig_link(&rig, t_ps, port, true);
	if (act == SWAP) {
		rig_to(&rig, t_ps);
		sw_install(rig.sw, t_ps, rig.tables);
	}
	if (act == SET)
		CU_ASSERT_EQUAL(rig_set(&rig, t_ps), 0);
	digest = digest_all(rig.sw);
	rig_stop(&rig);
	return digest;
}

static void acts_count(void)
{
	uint64_t seen[NOTHING_NEW + 3], off = after(NOTHING, 5, 0, false);

	for (enum act act = 0; act < NOTHING_NEW; act++) {
		seen[act] = after(act, 5, 0, true);
		CU_ASSERT_EQUAL(after(act, 5, 0, false), off);
	}
	seen[NOTHING_NEW] = after(HOLD, 6, 0, true);
	seen[NOTHING_NEW + 1] = after(HOLD, 5, 1, true);
	seen[NOTHING_NEW + 2] = after(SWAP, 6, 0, true);
	all_differ(seen, NOTHING_NEW + 3);
	CU_ASSERT_EQUAL(after(NOTHING_NEW, 5, 0, true), seen[NOTHING]);
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
		{"digest_pkt__lost_copies_count", lost_copies_count},
		{"digest_gen__lost_answers_count", lost_answers_count},
		{"digest_gen__answers_are_lost", answers_are_lost},
		{"digest_event__acts_count", acts_count},
		{"digest_pkt__off_is_zero_records", off_is_zero_records},
		{NULL, NULL},
	};

	return cu_main("model/digest", cases);
}
