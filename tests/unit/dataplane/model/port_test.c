/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/port.c"

#include "dataplane/model/hdr.h"
#include "rig.h"

#include "tests/unit/cu.h"

static void send_n(struct rig *rig, uint64_t t, uint16_t in, uint16_t out, uint8_t prio, int n)
{
	for (int i = 0; i < n; i++)
		rig_send(rig, t + i * 10 * RIG_NS, in, out, prio, 2, 1000);
}

/* ---- MAC control frames ---- */

static struct pkt *mac_control_frame(struct rig *rig, uint16_t opcode)
{
	uint8_t bytes[60] = {0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 0x08};

	put_be16(bytes + MAC_CTL_OPCODE, opcode);
	bytes[16] = 0xff;
	bytes[17] = 0xff;
	return rig_raw(rig, bytes, sizeof(bytes));
}

/* A3.3: a global pause stops nothing. */
static void global_pause_counted_and_ignored(void)
{
	const struct sw_port_stats *port;
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	for (int i = 0; i < 5; i++)
		rig_one(&rig, RIG_US, 1, mac_control_frame(&rig, 0x0001));
	rig_one(&rig, RIG_US, 1, mac_control_frame(&rig, 0x0002));
	for (int p = 0; p < SW_PRIOS; p++)
		rig_send(&rig, RIG_US, 0, 1, p, 2, 1000);
	rig_to(&rig, 3 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 8);
	CU_ASSERT_EQUAL(rig.n_recs, 8); /* none of them was forwarded */
	port = &rig_stats(&rig)->ports[1];
	CU_ASSERT_EQUAL(port->counters[SW_PORT_PAUSE_RX], 5);
	CU_ASSERT_EQUAL(port->counters[SW_PORT_MAC_CTL_RX], 1);
	CU_ASSERT_EQUAL(port->counters[SW_PORT_RX_PACKETS], 0);
	for (int p = 0; p < SW_PRIOS; p++)
		CU_ASSERT_EQUAL(port->prio[SW_PRIO_PFC_RX][p], 0);
	rig_stop(&rig);
}

static void runt_dropped_by_name(void)
{
	uint8_t bytes[20] = {2, 0, 0, 1, 0, 1, 2, 0, 0, 1, 0, 0, 0x08, 0x00, 0x45};
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_one(&rig, RIG_US, 0, rig_raw(&rig, bytes, sizeof(bytes)));
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[0].drops[SW_DROP_RUNT], 1);
	rig_stop(&rig);
}

/* ---- hold ---- */

static void hold_lets_nothing_out(void)
{
	struct rig rig;

	rig_init(&rig, 3);
	rig_start(&rig);
	send_n(&rig, RIG_US, 0, 1, 0, 3); /* 10 ns apart, 81.92 ns each: the first is on the wire */
	rig_hold(&rig, RIG_US + 30 * RIG_NS, 1, true);
	send_n(&rig, 2 * RIG_US, 0, 1, 3, 20);
	send_n(&rig, 3 * RIG_US, 0, 2, 3, 5);
	rig_to(&rig, 1000 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 1); /* leak-out: none */
	CU_ASSERT_EQUAL(rig_count(&rig, 2, SW_REC_FRAME), 5);
	CU_ASSERT_EQUAL(rig_stats(&rig)->held, 22);
	CU_ASSERT_TRUE(rig_stats(&rig)->ports[1].held);
	CU_ASSERT_EQUAL(sw_next(rig.sw), SW_NEVER);
	rig_stop(&rig);
}

static void release_starts_now(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	rig_hold(&rig, 1, 1, true); /* twice is once */
	send_n(&rig, RIG_US, 0, 1, 3, 2);
	rig_hold(&rig, RIG_MS, 1, false);
	rig_to(&rig, RIG_MS + RIG_US);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 1, SW_REC_FRAME), 2);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->t_ps, RIG_MS);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 1)->t_ps, RIG_MS + 81920);
	CU_ASSERT_EQUAL(rig_stats(&rig)->holds, 1);
	rig_stop(&rig);
}

/* A held port still says what its own PGs need. */
static void hold_does_not_stop_pfc(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.buffer.size_bytes = 10000 + 4 * 20000;
	rig_start(&rig);
	rig_hold(&rig, 0, 0, true);
	rig_hold(&rig, 0, 1, true);
	send_n(&rig, RIG_US, 0, 1, 3, 6);
	rig_to(&rig, 2 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	rig_stop(&rig);
}

/* ---- link ---- */

static void down_flushes_by_name(void)
{
	const struct sw_stats *s;
	struct rig rig;

	rig_init(&rig, 3);
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	send_n(&rig, RIG_US, 0, 1, 3, 10);
	send_n(&rig, 2 * RIG_US, 2, 1, 0, 4);
	rig_link(&rig, 3 * RIG_US, 1, false);
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->ports[1].drops[SW_DROP_LINK_DOWN], 14);
	CU_ASSERT_EQUAL(s->dropped_lossless, 10);
	CU_ASSERT(s->held == 0 && s->buffer_bytes == 0 && s->shared_bytes == 0);
	CU_ASSERT_FALSE(s->ports[1].up);
	rig_send(&rig, 4 * RIG_US, 1, 0, 3, 2,
		 1000); /* what arrives there, what would leave there */
	rig_send(&rig, 4 * RIG_US, 0, 1, 3, 2, 1000);
	CU_ASSERT_EQUAL(rig_stats(&rig)->drops[SW_DROP_LINK_DOWN], 16);
	rig_hold(&rig, 5 * RIG_US, 1, false);
	rig_link(&rig, 6 * RIG_US, 1, true);
	rig_send(&rig, 7 * RIG_US, 0, 1, 3, 2, 1000);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_FRAME, 0)->t_ps, 7 * RIG_US);
	rig_stop(&rig);
}

/* A flush gives buffer back: what it filled goes to xon. */
static void down_ends_xoff_of_others(void)
{
	struct rig rig;

	rig_init(&rig, 3);
	rig.config.buffer.size_bytes = 10000 + 6 * 20000;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	send_n(&rig, RIG_US, 0, 1, 3, 8);
	rig_link(&rig, 3 * RIG_US, 1, false);
	rig_to(&rig, 4 * RIG_US);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 0, SW_REC_PFC), 2);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_PFC, 1)->gen.quanta[3], 0);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_PFC, 1)->t_ps, 3 * RIG_US);
	rig_stop(&rig);
}

/* What the neighbour had asked for is forgotten with the link. */
static void down_forgets_pauses(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig_start(&rig);
	rig_pfc(&rig, RIG_US, 1, 0x18, 0xffff);
	rig_link(&rig, 11 * RIG_US, 1, false);
	rig_pfc(&rig, 12 * RIG_US, 1, 0x18, 0xffff); /* a stray one on a dead link */
	rig_link(&rig, 20 * RIG_US, 1, true);
	rig_send(&rig, 21 * RIG_US, 0, 1, 3, 2, 1000);
	rig_pfc(&rig, 22 * RIG_US, 1, 0x10, 0xffff); /* speaks of class 4 alone */
	rig_send(&rig, 23 * RIG_US, 0, 1, 3, 2, 1000);
	rig_to(&rig, 24 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 2);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].queues[3].paused_ps, 10 * RIG_US);
	rig_stop(&rig);
}

/* A PG that is still full when its link comes back says so again, and not while it is down. */
static void up_tells_again(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.buffer.size_bytes = 10000 + 4 * 20000;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	send_n(&rig, RIG_US, 0, 1, 3, 8);
	rig_to(&rig, 2 * RIG_US);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	rig_link(&rig, 3 * RIG_US, 0, false);
	rig_to(&rig, 10 * RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	rig_link(&rig, 10 * RIG_MS, 0, true);
	rig_to(&rig, 10 * RIG_MS + 1);
	CU_ASSERT_EQUAL_FATAL(rig_count(&rig, 0, SW_REC_PFC), 2);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_PFC, 1)->t_ps, 10 * RIG_MS);
	CU_ASSERT_EQUAL(rig_nth(&rig, 0, SW_REC_PFC, 1)->gen.quanta[3], 0xffff);
	rig_stop(&rig);
}

/* It ended while the link was down: the peer knows of nothing, so nothing is said. */
static void up_says_nothing_when_it_ended(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.config.buffer.size_bytes = 10000 + 4 * 20000;
	rig_start(&rig);
	rig_hold(&rig, 0, 1, true);
	send_n(&rig, RIG_US, 0, 1, 3, 8);
	rig_link(&rig, 3 * RIG_US, 0, false);
	rig_hold(&rig, 4 * RIG_US, 1, false);
	rig_link(&rig, 10 * RIG_US, 0, true);
	CU_ASSERT_EQUAL(rig_set(&rig, 20 * RIG_US), 0); /* nor is it when all is looked at anew */
	rig_to(&rig, RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&rig, 0, SW_REC_PFC), 1);
	rig_stop(&rig);
}

static void down_at_start(void)
{
	struct rig rig;

	rig_init(&rig, 2);
	rig.ports[1].down = true;
	rig_start(&rig);
	rig_send(&rig, RIG_US, 0, 1, 3, 2, 1000);
	CU_ASSERT_EQUAL(rig_stats(&rig)->ports[1].drops[SW_DROP_LINK_DOWN], 1);
	rig_link(&rig, 2 * RIG_US, 1, true);
	rig_send(&rig, 3 * RIG_US, 0, 1, 3, 2, 1000);
	rig_settle(&rig);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_FRAME), 1);
	rig_stop(&rig);
}

/* ---- the switch's own frames ---- */

static void own_frames_wait_and_overflow_by_name(void)
{
	const struct sw_gen gen = {.vid = PKT_NO_VLAN};
	const struct sw_stats *s;
	struct rig rig;

	rig_init(&rig, 2);
	rig.recount_every = 0;
	rig_start(&rig);
	for (int i = 0; i < SW_GEN_RING + 3; i++)
		port_gen(rig.sw, 0, 1, SW_REC_ARP_REQUEST, &gen);
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->ports[1].drops[SW_DROP_CTL_FULL], 3);
	CU_ASSERT_EQUAL(s->generated, 3);
	rig_to(&rig, RIG_MS);
	CU_ASSERT_EQUAL(rig_count(&rig, 1, SW_REC_ARP_REQUEST), SW_GEN_RING);
	CU_ASSERT_EQUAL(rig_nth(&rig, 1, SW_REC_ARP_REQUEST, 1)->t_ps,
			6720); /* at the port's rate */
	for (int i = 0; i < 5; i++)
		port_gen(rig.sw, RIG_MS, 1, SW_REC_ARP_REQUEST, &gen);
	rig_link(&rig, RIG_MS, 1, false);
	s = rig_stats(&rig);
	CU_ASSERT_EQUAL(s->ports[1].drops[SW_DROP_LINK_DOWN], 5);
	CU_ASSERT_EQUAL(s->generated, SW_GEN_RING + 3 + 5);
	rig_check(&rig);
	rig_stop(&rig);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"port_rx__global_pause_counted_and_ignored", global_pause_counted_and_ignored},
		{"port_rx__runt_dropped_by_name", runt_dropped_by_name},
		{"sw_hold__lets_nothing_out", hold_lets_nothing_out},
		{"sw_hold__release_starts_now", release_starts_now},
		{"sw_hold__does_not_stop_pfc", hold_does_not_stop_pfc},
		{"port_link__down_flushes_by_name", down_flushes_by_name},
		{"port_link__down_ends_xoff_of_others", down_ends_xoff_of_others},
		{"port_link__down_forgets_pauses", down_forgets_pauses},
		{"port_link__up_tells_again", up_tells_again},
		{"port_link__up_says_nothing_when_it_ended", up_says_nothing_when_it_ended},
		{"port_link__down_at_start", down_at_start},
		{"port_gen__wait_and_overflow_by_name", own_frames_wait_and_overflow_by_name},
		{NULL, NULL},
	};

	return cu_main("model/port", cases);
}
