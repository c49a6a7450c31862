/* SPDX-License-Identifier: BSD-3-Clause */
/* One turn of a switch: what came and what control said, in time order through the model; what
 * leaves to the stages. The straight path of a frame in real time is this page. */
#include "control.h"
#include "frame.h"
#include "rt_int.h"

static uint32_t flush(struct rt_switch *s, struct rt_port *port)
{
	/* A clock moved by hand says nothing about lateness. */
	struct rt_late *late = s->rt->clock.manual ? NULL : &s->late;

	return rt_stage_flush(&port->stage, rt_clock_now(&s->rt->clock), late);
}

static void send_one(struct rt_switch *s, const struct sw_rec *rec)
{
	struct rt_port *port = &s->ports[rec->port];
	struct rte_mbuf *frame;
	struct pkt *pkt;

	frame = rec->pkt != NULL ? rt_frame(rec->pkt) : rt_gen_frame(port, rec);
	if (frame == NULL)
		return;
	pkt = rt_pkt(frame);
	if (port->kind == RT_PORT_CABLE) {
		pkt->t_ps = rt_cable_arrival(port->out, rec->t_ps, pkt->len);
	} else if (port->carries_time) {
		*rt_frame_stamp(frame, s->rt->stamp_offset) = rec->t_ps;
		frame->ol_flags |= s->rt->stamp_flag;
	}
	rt_stage_push(&port->stage, frame, rec->t_ps);
	if (port->stage.tail - port->stage.head >= RT_FLUSH)
		flush(s, port);
}

/* Advances the model to t; returns how many records left. */
static uint32_t advance(struct rt_switch *s, uint64_t t_ps)
{
	enum sw_state state;
	uint32_t total = 0, i;

	/* At one time timers come before, departures after what arrives: both must be past. */
	if (sw_next(s->sw) > t_ps) {
		s->t_ps = t_ps;
		return 0;
	}
	do {
		state = sw_advance(s->sw, t_ps, &s->out);
		for (i = 0; i < s->out.n; i++)
			send_one(s, &s->out.recs[i]);
		total += s->out.n;
	} while (state == SW_MORE);
	s->t_ps = t_ps;
	return total;
}

static void arrive(struct rt_switch *s, uint64_t t_ps)
{
	struct pkt *pkts[RT_BURST_MAX];
	uint32_t n;

	do {
		n = rt_merge_take(&s->merge, t_ps, pkts, RT_BURST_MAX);
		if (n > 0)
			sw_rx(s->sw, t_ps, pkts, n);
	} while (n == RT_BURST_MAX);
}

void rt_free_chain(struct pkt *chain)
{
	struct rte_mbuf *frames[64];
	unsigned int n = 0;

	while (chain != NULL) {
		struct pkt *next = chain->next;

		frames[n++] = rt_frame(chain);
		if (n == 64 || next == NULL) {
			rte_pktmbuf_free_bulk(frames, n);
			n = 0;
		}
		chain = next;
	}
}

static uint32_t flush_all(struct rt_switch *s)
{
	uint32_t total = 0;
	uint16_t i;

	for (i = 0; i < s->n_active; i++)
		if (s->active[i]->stage.head != s->active[i]->stage.tail)
			total += flush(s, s->active[i]);
	return total;
}

/* What came and what control said, in time order, up to last_ps; control up to limit_ps. */
static bool events(struct rt_switch *s, uint64_t last_ps, uint64_t limit_ps, uint32_t *sent)
{
	uint64_t control = rt_control_next(s), arrival;
	bool any = false;

	for (;; any = true) {
		arrival = rt_merge_next(&s->merge);
		if (control <= arrival && control <= limit_ps) {
			*sent += advance(s, control);
			rt_control_apply(s, control);
			control = rt_control_next(s);
		} else if (arrival <= last_ps) {
			*sent += advance(s, arrival);
			arrive(s, arrival);
		} else {
			return any;
		}
	}
}

bool rt_turn(struct rt_switch *s, uint64_t now_ps, bool *caught)
{
	uint32_t got, sent = 0;
	uint64_t horizon = rt_poll_ports(s, now_ps, &got);
	uint64_t limit = horizon < now_ps ? horizon : now_ps;
	bool any;

	/* A horizon may lie behind what was reached already; time does not go back. */
	if (limit < s->t_ps)
		limit = s->t_ps;
	rt_control_now(s, limit);
	/* At the horizon itself more may come, by a port that is first in order. */
	any = events(s, limit < horizon ? limit : horizon - 1, limit, &sent);
	sent += advance(s, limit);
	sent += flush_all(s);
	rt_cables_promise(s);
	rt_free_chain(sw_reap(s->sw));
	*caught = horizon > now_ps && rt_merge_next(&s->merge) > now_ps;
	return any || got + sent > 0;
}
