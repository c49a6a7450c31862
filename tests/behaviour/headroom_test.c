/* SPDX-License-Identifier: BSD-3-Clause */
/* `headroom: auto` against hosts that do the worst that they may: no loss with it, loss at 90 % of
 * what was measured, and what was measured is within one maximal frame of what it says.
 *
 * The worst: the frame that finds no room below the threshold is a maximal one, and lies in headroom
 * whole. A picosecond before, the port had begun to send a maximal frame to that sender, which the
 * PFC frame waits for. Until it acts the sender sends the frames that take most of the buffer for
 * their time, and a picosecond before it acts a maximal one again.
 */
#include "lab.h"

#include "control/headroom.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/cu.h"

#define BELOW 4 /* maximal frames that a PG may have below headroom */

struct setup {
	uint16_t senders;
	const char *rate, *delay, *response;
	uint32_t mtu, cell;
};

static uint32_t in_cells(const struct setup *s, uint32_t bytes)
{
	return (bytes + s->cell - 1) / s->cell * s->cell;
}

/* Every sender has its own reserve, and nothing is shared: what one does is nobody else's. */
static void begin(struct lab *lab, const struct setup *s, const char *buffer)
{
	size_t size = 1000 + 40u * (s->senders + 1), n;
	char *text = malloc(size);

	n = (size_t)snprintf(text, size,
			     "topology: {kind: star, hosts: %u, link: {rate: %s, delay: %s}}\n"
			     "switch:\n"
			     "  preset: none\n"
			     "  latency: 0ns\n"
			     "  dscp: {3: 3, default: 0}\n"
			     "  pfc: {priorities: [3]}\n"
			     "  buffer: {cell: %uB, %s}\n"
			     "host: {pfc_response: %s}\n"
			     "ports:\n",
			     s->senders + 1u, s->rate, s->delay, s->cell, buffer, s->response);
	for (unsigned h = 1; h <= s->senders + 1u; h++)
		n += (size_t)snprintf(text + n, size - n, "  s1-h%u: {mtu: %uB}\n", h, s->mtu);
	lab_open(lab, text);
	free(text);
}

static struct headroom_input input(const struct lab *lab, const struct setup *s)
{
	return (struct headroom_input){.peer = HEADROOM_SIMULATED,
				       .rate_bps = lab->scenario.link.rate_bps,
				       .delay_ps = lab->hosts[1].delay_ps,
				       .response_ps = lab->hosts[1].response_ps,
				       .mtu_bytes = s->mtu,
				       .overhead_bytes = 24,
				       .cell_bytes = s->cell};
}

/* A maximal frame has the longest datagram and a tag. */
static struct lab_flow maximal(const struct setup *s, unsigned src, unsigned dst, uint8_t dscp,
			       uint64_t count)
{
	return (struct lab_flow){.src = (uint16_t)src,
				 .dst = (uint16_t)dst,
				 .dscp = dscp,
				 .len = (uint16_t)(s->mtu + 18),
				 .tagged = true,
				 .count = count};
}

/* The senders' flows, so that xoff comes at `xoff_ps` everywhere and acts at `acts_ps`. */
static void script(struct lab *lab, const struct setup *s, uint64_t xoff_ps, uint64_t acts_ps)
{
	const struct headroom_input in = input(lab, s);
	uint64_t next = xoff_ps - lab->hosts[1].delay_ps, time;
	uint32_t worst = 0;

	headroom_stored(1, &in, &worst);
	time = lab_wire_ps(lab, 1, worst);
	for (unsigned h = 1; h <= s->senders; h++) {
		struct lab_flow last = maximal(s, h, s->senders + 1u, 3, 1);
		struct lab_flow small = {.src = (uint16_t)h,
					 .dst = s->senders + 1,
					 .dscp = 3,
					 .len = (uint16_t)worst,
					 .tagged = worst > 64,
					 .start_ps = next,
					 .count = (acts_ps - 1 - next) / time};

		lab_flow(lab, maximal(s, h, s->senders + 1u, 3, BELOW + 1));
		if (small.count > 0)
			lab_flow(lab, small);
		last.start_ps = acts_ps - 1;
		lab_flow(lab, last);
	}
}

static uint64_t peak_of(struct lab *lab, const struct setup *s)
{
	uint64_t peak = 0;

	for (uint16_t h = 1; h <= s->senders; h++) {
		uint64_t max = lab_pg(lab, h, 3)->max_headroom_bytes;

		peak = max > peak ? max : peak;
	}
	return peak;
}

static void all_delivered(const struct lab *lab)
{
	for (uint32_t i = 0; i < lab->n_flows; i++) {
		CU_ASSERT_EQUAL(lab->flows[i].received, lab->flows[i].sent);
		CU_ASSERT_EQUAL(lab->flows[i].out_of_order, 0);
	}
}

/* All senders at once into a port that is held. What their headroom came to, and the frames lost. */
static uint64_t worst_peak(const struct setup *s, const char *headroom, uint64_t *lost)
{
	uint64_t maximal_ps, xoff_ps, acts_ps, peak;
	char buffer[200];
	struct lab lab;

	snprintf(buffer, sizeof(buffer),
		 "size: 60GB, alpha: 1/65536, lossy_alpha: 1/65536, reserved: %uB, headroom: %s",
		 BELOW * in_cells(s, s->mtu + 18), headroom);
	begin(&lab, s, buffer);
	/* The rest of the pool would be shared: none of it is left. */
	snprintf(buffer, sizeof(buffer), "switch.buffer.size=%lluB",
		 (unsigned long long)(60000000000 - lab_stats(&lab)->shared_size_bytes +
				      in_cells(s, s->mtu + 18)));
	lab_set(&lab, buffer);
	for (unsigned h = 1; h <= s->senders; h++) {
		lab_hold(&lab, (uint16_t)h, true);
		lab_flow(&lab, maximal(s, h, h % s->senders + 1, 0, 2));
	}
	lab_settle(&lab);
	lab_hold(&lab, s->senders + 1, true);
	maximal_ps = lab_wire_ps(&lab, 1, s->mtu + 18);
	xoff_ps = lab.now + (BELOW + 1) * maximal_ps + lab.hosts[1].delay_ps;
	acts_ps = xoff_ps - 1 + maximal_ps + lab_wire_ps(&lab, 1, SW_PFC_BYTES) +
		  lab.hosts[1].delay_ps + lab.hosts[1].response_ps;
	script(&lab, s, xoff_ps, acts_ps);
	lab_to(&lab, xoff_ps - 1);
	for (uint16_t h = 1; h <= s->senders; h++)
		lab_hold(&lab, h, false);
	lab_to(&lab, acts_ps + maximal_ps + lab.hosts[1].delay_ps + 1);
	for (uint16_t h = 1; h <= s->senders; h++) {
		CU_ASSERT_EQUAL(lab.hosts[h].pfc_seen[3], 1);
		CU_ASSERT_EQUAL(lab.hosts[h].last_pfc_ps, xoff_ps - 1 + maximal_ps);
	}
	peak = peak_of(&lab, s);
	lab_hold(&lab, s->senders + 1, false);
	lab_settle(&lab);
	*lost = lab_drops(&lab);
	CU_ASSERT_EQUAL(lab_stats(&lab)->dropped_lossless, *lost);
	if (*lost == 0)
		all_delivered(&lab);
	lab_close(&lab);
	return peak;
}

/* What fabric.c makes of the scenario. */
static uint64_t formula(const struct setup *s)
{
	uint64_t bytes;
	struct lab lab;
	char terms[256];
	struct headroom_input in;

	begin(&lab, s, "size: 60GB");
	in = input(&lab, s);
	bytes = headroom_auto(&in, terms, sizeof(terms));
	for (uint16_t p = 0; p < lab.n_hosts; p++)
		CU_ASSERT_EQUAL(lab.fabric.switches[0].ports[p].headroom_bytes, bytes);
	CU_ASSERT_STRING_EQUAL(lab.fabric.switches[0].headroom_terms[0], terms);
	lab_close(&lab);
	return bytes;
}

static void exact(const struct setup *s)
{
	uint64_t need = formula(s), lost, peak = worst_peak(s, "auto", &lost);
	char less[40];

	CU_ASSERT_EQUAL(lost, 0);
	CU_ASSERT(peak <= need);
	CU_ASSERT(need - peak <= in_cells(s, s->mtu + 18));
	/* RAILYARD_SHOW: all of them, for a table. */
	if (getenv("RAILYARD_SHOW") || lost != 0 || need - peak > in_cells(s, s->mtu + 18))
		printf("\n%u x %s %s %s mtu %u cell %u: formula %llu, peak %llu, lost %llu",
		       s->senders, s->rate, s->delay, s->response, s->mtu, s->cell,
		       (unsigned long long)need, (unsigned long long)peak,
		       (unsigned long long)lost);
	snprintf(less, sizeof(less), "%lluB", (unsigned long long)(peak * 9 / 10));
	worst_peak(s, less, &lost);
	CU_ASSERT(lost > 0);
}

static void two_to_512_senders(void)
{
	for (uint16_t n = 2; n <= 512; n = n == 3 ? 4 : n == 2 ? 3 : 2 * n) {
		exact(&(struct setup){n, "100Gbps", "1us", "0us", 1500, 1});
		/* Frames of 60 B are many: a shorter cable where there are many senders too. */
		exact(&(struct setup){n, "100Gbps", n > 64 ? "200ns" : "1us", "0us", 1500, 256});
	}
}

static void rates_delays_mtus_responses(void)
{
	static const struct setup setups[] = {
		{2, "100Gbps", "0ns", "0us", 1500, 1},    {2, "100Gbps", "100ns", "0us", 1500, 1},
		{2, "100Gbps", "5us", "0us", 1500, 1},    {2, "100Gbps", "40us", "0us", 1084, 1},
		{2, "10Gbps", "1us", "0us", 1500, 1},     {2, "25Gbps", "300ns", "2us", 4200, 1},
		{2, "40Gbps", "1us", "3us", 9000, 1},     {2, "200Gbps", "1us", "0us", 9216, 1},
		{2, "400Gbps", "1us", "0us", 4200, 1},    {2, "400Gbps", "10us", "1us", 1500, 1},
		{2, "1600Gbps", "1us", "0us", 9000, 1},   {2, "1Gbps", "1us", "0us", 576, 1},
		{3, "100Gbps", "1us", "2017ns", 1500, 1}, {3, "33Gbps", "777ns", "1us", 1500, 1},
	};
	static const uint32_t cells[] = {1, 60, 80, 208, 256, 4096};

	for (size_t i = 0; i < sizeof(setups) / sizeof(setups[0]); i++)
		for (size_t c = 0; c < sizeof(cells) / sizeof(cells[0]); c++) {
			struct setup s = setups[i];

			s.cell = cells[c];
			exact(&s);
		}
}

/* ---- as it goes when nobody is held: xoff and xon in turns ---- */

/* The senders at line rate into one port, which sends maximal frames to each of them meanwhile. */
static void runs_without_loss(const struct setup *s, uint16_t len)
{
	uint64_t need = formula(s), start;
	char buffer[200];
	struct lab lab;

	snprintf(buffer, sizeof(buffer), "size: %lluB, alpha: 1, reserved: 0B, headroom: auto",
		 (unsigned long long)(s->senders + 1) * (need + 4 * in_cells(s, s->mtu + 18)));
	begin(&lab, s, buffer);
	start = LAB_US;
	for (unsigned h = 1; h <= s->senders; h++) {
		struct lab_flow back = maximal(s, s->senders + 1u, h, 0, 20);

		back.start_ps = start;
		lab_flow(&lab, back);
		lab_flow(&lab, (struct lab_flow){.src = (uint16_t)h,
						 .dst = s->senders + 1,
						 .dscp = 3,
						 .len = len,
						 .start_ps = start + 10 * h,
						 .count = 300});
	}
	lab_settle(&lab);
	CU_ASSERT_EQUAL(lab_drops(&lab), 0);
	all_delivered(&lab);
	CU_ASSERT(peak_of(&lab, s) > 0);
	CU_ASSERT(peak_of(&lab, s) <= need);
	for (uint16_t h = 1; h <= s->senders; h++)
		CU_ASSERT(lab_prio(&lab, h, SW_PRIO_XOFF_EPISODES, 3) > 0);
	CU_ASSERT_EQUAL(lab_stats(&lab)->buffer_bytes, 0);
	lab_close(&lab);
}

static void incast_without_loss(void)
{
	for (uint16_t n = 2; n <= 64; n *= 2) {
		runs_without_loss(&(struct setup){n, "100Gbps", "1us", "0us", 1500, 1}, 1514);
		runs_without_loss(&(struct setup){n, "100Gbps", "1us", "1us", 1500, 256}, 1082);
		runs_without_loss(&(struct setup){n, "100Gbps", "1us", "0us", 1500, 256}, 60);
	}
}

static const struct cu_case cases[] = {
	{"headroom_auto__two_to_512_senders", two_to_512_senders},
	{"headroom_auto__rates_delays_mtus_responses", rates_delays_mtus_responses},
	{"headroom_auto__incast_without_loss", incast_without_loss},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("behaviour/headroom", cases);
}
