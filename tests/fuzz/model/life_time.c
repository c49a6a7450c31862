/* SPDX-License-Identifier: BSD-3-Clause */
/* Time: how it goes on, and what comes out meanwhile. */
#include "life.h"

#include <string.h>

#define WALK_STEPS 3000 /* events that one walk goes through at most */

/* What must not matter: drawn apart from the script. */
uint32_t life_cadence(struct life *life, uint32_t n)
{
	struct source source = {.state = life->cadence};
	uint32_t value = draw(&source, n);

	life->cadence = source.state;
	return value;
}

static void take_records(struct life *life, const struct sw_out *out, uint64_t t_ps)
{
	for (uint32_t i = 0; i < out->n; i++) {
		const struct sw_rec *rec = &out->recs[i];

		must(life, rec->t_ps < t_ps);
		oracle_record(life, rec);
		life->left += rec->kind != SW_REC_PFC;
		if (rec->pkt == NULL)
			continue;
		life->good += ((struct fuzz_pkt *)rec->pkt)->valid;
		life_take_back(life, rec->pkt);
	}
}

/* What spares searches is no part of the switch's state. */
static void forget(struct sw *sw)
{
	memset(sw->recent, 0, sizeof(sw->recent));
	memset(sw->recent_hops, 0, sizeof(sw->recent_hops));
}

void life_advance(struct life *life, uint64_t t_ps)
{
	struct sw_rec recs[64];
	struct sw_out out = {.recs = recs};
	enum sw_state state;

	do {
		out.cap = 1 + life_cadence(life, 64);
		state = sw_advance(life->sw, t_ps, &out);
		must(life, out.n <= out.cap && (state == SW_DONE || out.n == out.cap));
		take_records(life, &out, t_ps);
	} while (state == SW_MORE);
	must(life, sw_next(life->sw) >= t_ps);
	life->now_ps = t_ps;
	if (life_cadence(life, 4) == 0)
		life_take_back_all(life, sw_reap(life->sw));
	if (life_cadence(life, 64) == 0)
		forget(life->sw);
}

/* To t, asked now and then on the way. */
static void advance_by(struct life *life, uint64_t t_ps)
{
	for (uint32_t n = life_cadence(life, 8); n > 5; n--)
		if (t_ps > life->now_ps + 1)
			life_advance(life, life->now_ps + life_cadence(life, UINT32_MAX) %
								  (t_ps - life->now_ps));
	life_advance(life, t_ps);
}

/* To t, or as far as some thousand events go: a pause of hours is refreshed all the while. */
void life_walk(struct life *life, uint64_t t_ps)
{
	if (t_ps - life->now_ps > 10000000000ULL)
		for (uint32_t i = 0; i < WALK_STEPS; i++) {
			uint64_t next = sw_next(life->sw);

			if (next >= t_ps)
				break;
			advance_by(life, next + 1);
			if (i == WALK_STEPS - 1)
				t_ps = life->now_ps;
		}
	if (t_ps > life->now_ps)
		advance_by(life, t_ps);
}

/* Times at which something is about to happen: the edges are where faults are. */
static uint64_t interesting(struct life *life)
{
	struct source *s = life->source;
	const struct sw_port *port = &life->sw->ports[draw(s, life->config.n_ports)];
	int p = (int)draw(s, SW_PRIOS);

	switch (draw(s, 10)) {
	case 0:
		return port->queues[p].pause.until;
	case 1:
		return port->class_until[p];
	case 2:
		return port->refresh_at;
	case 3:
		return port->free_at;
	case 4:
		return port->edge.pause[p].until;
	case 5:
		return port->edge.sending != NULL ? port->edge.sent_at : port->edge.pfc_at;
	case 6: /* a tick of the FDB's */
		return ((life->now_ps >> 34) + 1) << 34;
	case 7:
		return port->queues[p].head != NULL
			       ? port->queues[p].head->t_ps + life->config.latency_ps
			       : SW_NEVER;
	case 8:
		return port->watch_at;
	default:
		return sw_next(life->sw);
	}
}

/* Busy: queues stand, as frames come faster than they leave. Else there is time for all that waits. */
uint64_t life_draw_time(struct life *life)
{
	static const uint8_t busy[] = {170, 30, 20, 36, 0},
			     calm[] = {110, 25, 20, 40, 30, 20, 1, 0};
	struct source *s = life->source;
	uint64_t now = life->now_ps, at, far = life->busy ? 100000000 : 1000000000000;

	if (life->asks)
		return now + 1;
	switch (draw_weighted(s, life->busy ? busy : calm)) {
	case 0:
		return now + 1 + life->gap_ps * draw(s, 16) / (life->busy ? 16 : 4);
	case 1:
		return now + 1;
	case 2:
		return now + draw_between(s, 1, 1000);
	case 3:
		at = interesting(life) + draw(s, 3) - 1;
		return at > now && at - now < far ? at : now + 1;
	case 4:
		return now + 1 + life->gap_ps * 1000;
	case 5:
		return now + 1 + draw64(s) % 2000000000000ULL;
	default:
		return now + 1 + draw64(s) % 10000000000000000ULL;
	}
}
