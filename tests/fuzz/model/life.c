/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of things in a life: time goes on, control acts, frames arrive. */
#include "life.h"

#include "dataplane/model/icrc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PS_MAX (1ULL << 61) /* 26 days */
#define DRAIN_STEPS 400
#define AUDIT_EVERY 1000 /* frames */
#define BURST 8

char life_name[160];

void life_fault(const struct life *life, const char *text, const char *file, int line)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
	fprintf(stderr, "after %llu frames, at %llu ps\nagain: %s\n", (unsigned long long)life->fed,
		(unsigned long long)life->now_ps, life_name);
	abort();
}

/* ---- arrivals ---- */

static void parse(struct life *life, struct fuzz_pkt *made)
{
	struct pkt *pkt = &made->pkt;

	sw_parse(life->sw, pkt->in_port, &pkt, 1);
}

/* How many frames come at once, and from which ports: sorted, as the driver brings them. Those that were
 * polled early are parsed before control has acted. */
static uint32_t draw_burst(struct life *life, struct frame *frame, struct fuzz_pkt *burst[BURST])
{
	struct source *s = life->source;
	uint32_t n = one_in(s, 3) ? draw_between(s, 1, BURST) : 1;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i;
		struct fuzz_pkt *made;

		if (life->n_answers > 0 && one_in(s, life->scans ? 3 : 12))
			answer_frame(life, &life->answers[--life->n_answers], frame);
		else
			draw_frame(life, frame);
		made = life_new_pkt(life, frame->bytes, frame->len);
		made->valid = frame->valid;
		made->pkt.in_port = frame->port;
		for (; at > 0 && burst[at - 1]->pkt.in_port > frame->port; at--)
			burst[at] = burst[at - 1];
		burst[at] = made;
	}
	return n;
}

static void count(struct life *life, struct fuzz_pkt *made)
{
	const struct pkt *pkt = &made->pkt;
	bool control = pkt->kind == PKT_PFC || pkt->kind == PKT_PAUSE || pkt->kind == PKT_MAC_CTL;

	made->id = ++life->fed;
	made->icrc = (pkt->len <= LOOK_MAX * 4 || made->id % 16 == 0) && icrc_check(pkt) == ICRC_OK;
	life->data_fed += !control;
	life->report->frames++;
	life->report->valid += made->valid && !control;
	life->report->control += control;
	made->in_model = true;
	life->alive++;
}

/* At once, or one by one. */
static void feed(struct life *life, struct fuzz_pkt *burst[BURST], uint32_t n, bool early)
{
	struct pkt *pkts[BURST];
	uint32_t cut;

	for (uint32_t i = 0; i < n; i++) {
		if (!early)
			parse(life, burst[i]);
		count(life, burst[i]);
		pkts[i] = &burst[i]->pkt;
		oracle_arrival(life, burst[i]);
	}
	for (uint32_t i = 0; i < n; i += cut) {
		cut = 1 + life_cadence(life, n - i);
		sw_rx(life->sw, life->now_ps, pkts + i, cut);
	}
}

/* ---- the whole ---- */

static void draw_character(struct life *life)
{
	struct source *s = life->source;
	uint64_t rate;

	life->polite = one_in(s, 2);
	life->talkative = !one_in(s, 6);
	life->scans = one_in(s, 40);
	life->fixed = one_in(s, 4);
	life->heat = (uint8_t)(one_in(s, 2) ? draw(s, 9) : 0);
	life->fill = (uint8_t)draw_between(s, 0, 9);
	draw_config(life);
	life->hot = (uint16_t)draw(s, life->config.n_ports);
	rate = life->ports[life->hot].rate_bps;
	life->gap_ps = (uint64_t)(3000 * 1000000000000.0 / (double)rate) / life->config.n_ports;
	life->now_ps = one_in(s, 8) ? draw64(s) % PS_MAX : 0;
}

static void begin(struct life *life)
{
	struct sw_env env = {.ctx = life,
			     .copy = life_copy,
			     .have = life_have,
			     .alloc = life_alloc,
			     .release = life_release};
	struct err err = {0};

	draw_character(life);
	life->sw = sw_new(&life->config, life->pipeline, &env, &err);
	must(life, life->sw != NULL && err.status == ERR_NONE);
	oracle_start(life);
	life_advance(life, life->now_ps);
	if (one_in(life->source, 60))
		return; /* without tables */
	life->tables = draw_tables(life);
	life->steady = true;
	must(life, sw_install(life->sw, life->now_ps, life->tables) == NULL);
}

/* Where this life lets the buffer stand: not so full that one queue alone finds its limit. */
static uint64_t fill_of(const struct life *life)
{
	const struct sw_buffer *b = &life->config.buffer;
	uint64_t alpha = b->alpha_q16 < b->lossy_alpha_q16 ? b->alpha_q16 : b->lossy_alpha_q16;
	uint64_t own = life->sw->shared_size * alpha / (alpha + 65536);

	return own * life->fill / 8;
}

static void drain(struct life *life)
{
	uint64_t most = fill_of(life);

	for (int i = 0; i < DRAIN_STEPS && life->sw->used > most; i++) {
		uint64_t next = sw_next(life->sw);

		if (next == SW_NEVER || next - life->now_ps > 1000000000000ULL)
			break;
		life_walk(life, next + 1);
	}
	if (life->sw->used > most && one_in(life->source, 16))
		life_recover(life);
}

static void step(struct life *life, struct frame *frame)
{
	bool early = life_cadence(life, 3) == 0;
	struct fuzz_pkt *burst[BURST];
	uint32_t n;

	if (life->storm > 0)
		life->storm--;
	else
		drain(life);
	life->asks &= life->storm > 0;
	if (one_in(life->source, life->busy ? 400 : 60))
		life->busy = life->scans || !life->busy;
	n = draw_burst(life, frame, burst);
	for (uint32_t i = 0; i < n && early; i++)
		parse(life, burst[i]);
	life_walk(life, life_draw_time(life));
	if (one_in(life->source, 80))
		life_control(life);
	if (life_cadence(life, 600) == 0)
		life_restore(life);
	feed(life, burst, n, early);
	if (one_in(life->source, 64))
		oracle_check(life);
}

static void finish(struct life *life, struct life_end *end)
{
	life_take_back_all(life, sw_reap(life->sw));
	audit(life);
	audit_add(life->report, &life->stats);
	life->report->valid_sent += life->good;
	end->time_ps = life->now_ps;
	end->stats = life->stats;
	end->stats.ports = end->ports;
	memcpy(end->ports, life->port_stats, sizeof(end->ports));
	life_take_back_all(life, sw_drain(life->sw));
	must(life, life->alive == 0);
	must(life, sw_reap(life->sw) == NULL && sw_drain(life->sw) == NULL);
	sw_free(life->sw);
	sw_tables_free(life->tables);
	free(life->image);
	free(life->written);
}

/* A life in which little comes through is a short one. */
static bool is_over(const struct life *life)
{
	return life->now_ps > 2 * PS_MAX ||
	       (!life->scans && life->fed > 3000 && life->good * 2 < life->fed);
}

void life_run(struct source *source, uint64_t start, uint32_t frames, struct report *report,
	      struct life_end *end)
{
	struct life *life = calloc(1, sizeof(*life));
	struct frame *frame = malloc(sizeof(*frame));
	uint64_t audited = 0;

	if (life == NULL || frame == NULL)
		abort();
	life->source = source;
	life->cadence = start;
	life->report = report;
	begin(life);
	while (life->fed < frames && !source_done(source) && !is_over(life)) {
		step(life, frame);
		if (life->fed - audited >= AUDIT_EVERY) {
			audited = life->fed;
			life_take_back_all(life, sw_reap(life->sw));
			audit(life);
		}
	}
	report->lives++;
	finish(life, end);
	free(frame);
	free(life);
}
