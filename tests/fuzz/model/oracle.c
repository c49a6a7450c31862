/* SPDX-License-Identifier: BSD-3-Clause */
/* The oracle: what a neighbour on the wire may demand of every record, worked out from the frames that
 * went in and came out, and not from the model's own counts. */
#include "life.h"

#include "dataplane/model/hdr.h"
#include "dataplane/model/icrc.h"

#include <string.h>

#define QUANTUM_BITS 512

/* Rounded down, and one less: the model keeps 32 bits of a ps' fraction. */
static uint64_t least_time(const struct sw_port_config *port, uint64_t bits)
{
	uint64_t ps = (uint64_t)((unsigned __int128)bits * 1000000000000ULL / port->rate_bps);

	return ps > 0 ? ps - 1 : 0;
}

static uint64_t wire_bits(const struct sw_port_config *port, uint32_t len)
{
	return 8ULL * ((len < 60 ? 60 : len) + port->overhead_bytes);
}

void oracle_start(struct life *life)
{
	memset(&life->oracle, 0, sizeof(life->oracle));
	life->oracle.same_domains = true;
	for (uint16_t i = 0; i < life->config.n_ports; i++)
		life->oracle.ports[i].up = !life->ports[i].down;
}

/* ---- pauses that we are told ---- */

static uint8_t honoured(const struct life *life, uint16_t port)
{
	const struct sw_qos *qos = &life->config.qos;

	if (!life->ports[port].pfc || !life->pipeline->lossless || qos->pfc_mask == 0)
		return 0;
	return qos->pfc_asymmetric ? 0xff : qos->pfc_mask;
}

void oracle_arrival(struct life *life, const struct fuzz_pkt *in)
{
	const struct pkt *pkt = &in->pkt;
	struct oracle_port *port = &life->oracle.ports[pkt->in_port];
	uint8_t classes = honoured(life, pkt->in_port);

	if (pkt->kind != PKT_PFC || !port->up)
		return;
	classes &= pkt->data[PFC_VECTOR + 1];
	for (int c = 0; c < SW_PRIOS; c++) {
		uint64_t quanta = be16(pkt->data + PFC_QUANTA + 2 * c);

		if (classes >> c & 1)
			port->until_ps[c] = life->now_ps + least_time(&life->ports[pkt->in_port],
								      quanta * QUANTUM_BITS);
	}
}

/* At a new rate what was told lasts otherwise, and is told again within half of a whole time from now:
 * a tenth of that is for the frame that is on the wire. */
static uint64_t told_before(const struct life *life, uint16_t port)
{
	uint64_t part = least_time(&life->ports[port], 0xffffULL * QUANTUM_BITS) / 20 * 9;

	return life->now_ps > part ? life->now_ps - part : 0;
}

void oracle_changed(struct life *life, const struct sw_port_config *old)
{
	for (uint16_t i = 0; i < life->config.n_ports; i++) {
		struct oracle_port *port = &life->oracle.ports[i];
		uint8_t classes = honoured(life, i);

		if (old[i].edge != life->ports[i].edge)
			port->told = 0; /* somebody else listens now */
		life->steady &= old[i].domain == life->ports[i].domain;
		life->oracle.same_domains &= old[i].domain == life->ports[i].domain;
		for (int c = 0; c < SW_PRIOS; c++) {
			if ((classes >> c & 1) == 0)
				port->until_ps[c] = 0;
			if (old[i].rate_bps != life->ports[i].rate_bps)
				port->told_ps[c] = told_before(life, i);
		}
	}
	life->oracle.order_from = life->fed;
}

void oracle_link(struct life *life, uint16_t index, bool up)
{
	struct oracle_port *port = &life->oracle.ports[index];

	if (port->up == up)
		return;
	port->up = up;
	port->told = 0;
	port->free_ps = 0;
	memset(port->until_ps, 0, sizeof(port->until_ps));
}

/* ---- frames that leave ---- */

static bool sum_is_right(const uint8_t *ip)
{
	uint32_t sum = 0;

	for (int i = 0; i < (ip[0] & 15) * 4; i += 2)
		sum += be16(ip + i);
	return sum_fold(sum) == 0xffff;
}

/* Only ECT becomes CE, and the DSCP stays. */
static void check_mark(const struct life *life, uint8_t before, uint8_t after)
{
	must(life, (before & 3) == 1 || (before & 3) == 2);
	must(life, after == (before | 3));
}

static void undo_v4(const struct life *life, const struct pkt *pkt, const uint8_t *was,
		    uint8_t *now)
{
	const uint8_t *before = was + pkt->l3_off;
	uint8_t *ip = now + pkt->l3_off;

	must(life, !sum_is_right(before) || sum_is_right(ip));
	memcpy(ip + IPV4_SUM, before + IPV4_SUM, 2);
	if (pkt->edit & PKT_EDIT_CE)
		check_mark(life, before[IPV4_TOS], ip[IPV4_TOS]);
	if (pkt->edit & PKT_EDIT_ECHO) {
		must(life, ip[IPV4_TTL] == 64);
		must(life, memcmp(ip + IPV4_SRC, before + IPV4_DST, 4) == 0);
		must(life, memcmp(ip + IPV4_DST, before + IPV4_SRC, 4) == 0);
		memcpy(ip + IPV4_SRC, before + IPV4_SRC, 8);
	} else if (pkt->edit & PKT_EDIT_ROUTE) {
		must(life, ip[IPV4_TTL] + 1 == before[IPV4_TTL] && ip[IPV4_TTL] > 0);
	}
	if (pkt->edit & (PKT_EDIT_ECHO | PKT_EDIT_ROUTE))
		ip[IPV4_TTL] = before[IPV4_TTL];
	if (pkt->edit & PKT_EDIT_CE)
		ip[IPV4_TOS] = before[IPV4_TOS];
}

static void undo_v6(const struct life *life, const struct pkt *pkt, const uint8_t *was,
		    uint8_t *now)
{
	const uint8_t *before = was + pkt->l3_off;
	uint8_t *ip = now + pkt->l3_off;

	if (pkt->edit & PKT_EDIT_CE) {
		check_mark(life, (uint8_t)(be16(before) >> 4), (uint8_t)(be16(ip) >> 4));
		ip[1] = before[1];
	}
	if (pkt->edit & PKT_EDIT_ECHO) {
		must(life, ip[IPV6_HOPS] == 64);
		must(life, memcmp(ip + IPV6_SRC, before + IPV6_DST, 16) == 0);
		must(life, memcmp(ip + IPV6_DST, before + IPV6_SRC, 16) == 0);
		memcpy(ip + IPV6_SRC, before + IPV6_SRC, 32);
	} else if (pkt->edit & PKT_EDIT_ROUTE) {
		must(life, ip[IPV6_HOPS] + 1 == before[IPV6_HOPS] && ip[IPV6_HOPS] > 0);
	}
	if (pkt->edit & (PKT_EDIT_ECHO | PKT_EDIT_ROUTE))
		ip[IPV6_HOPS] = before[IPV6_HOPS];
}

static void undo_macs(const struct life *life, const struct pkt *pkt, const uint8_t *was,
		      uint8_t *now)
{
	if (pkt->edit & PKT_EDIT_ECHO)
		must(life, memcmp(now + ETH_DST, was + ETH_SRC, 6) == 0);
	else
		must(life, memcmp(now + ETH_SRC, life->config.router_mac, 6) == 0);
	memcpy(now, was, 12);
}

/* What the switch may change is put back: all must then be as it came. */
static void check_bytes(const struct life *life, const struct fuzz_pkt *sent)
{
	const struct pkt *pkt = &sent->pkt;
	uint8_t now[LOOK_MAX];

	memcpy(now, pkt->data, pkt->len);
	if (pkt->edit & (PKT_EDIT_ROUTE | PKT_EDIT_ECHO))
		undo_macs(life, pkt, sent->was, now);
	if (pkt->edit != 0 && (pkt->flags & PKT_F_V4))
		undo_v4(life, pkt, sent->was, now);
	else if (pkt->edit != 0 && (pkt->flags & PKT_F_V6))
		undo_v6(life, pkt, sent->was, now);
	if (pkt->edit & PKT_EDIT_ECHO) {
		uint8_t *icmp = now + pkt->l4_off, answer = pkt->flags & PKT_F_V4 ? 0 : 129;

		must(life, icmp[ICMP_TYPE] == answer);
		icmp[ICMP_TYPE] = sent->was[pkt->l4_off + ICMP_TYPE];
		memcpy(icmp + ICMP_SUM, sent->was + pkt->l4_off + ICMP_SUM, 2);
	}
	must(life, memcmp(now, sent->was, pkt->len) == 0);
}

/* Whoever gets it reads what was sent. */
static void check_reading(const struct life *life, const struct fuzz_pkt *sent)
{
	struct pkt again = sent->pkt, *burst = &again;

	sw_parse(life->sw, again.in_port, &burst, 1);
	must(life, again.kind == sent->pkt.kind && again.vid == sent->pkt.vid);
	must(life, again.dscp == sent->pkt.dscp && again.hdr_len == sent->pkt.hdr_len);
	must(life, !sent->icrc || icrc_check(&again) == ICRC_OK);
}

/* A bridge keeps domains apart and sends nothing back, and of one class to one port nothing
 * overtakes. */
static void check_bridged(struct life *life, const struct fuzz_pkt *sent, uint16_t out)
{
	const struct pkt *pkt = &sent->pkt;
	uint64_t *last = &life->oracle.ports[out].last_id[pkt->in_port][pkt->prio];

	must(life, pkt->in_port != out);
	if (life->oracle.same_domains)
		must(life, life->ports[pkt->in_port].domain == life->ports[out].domain);
	if (sent->id <= life->oracle.order_from)
		return;
	must(life, sent->id > *last);
	*last = sent->id;
}

static void check_frame(struct life *life, const struct sw_rec *rec)
{
	const struct fuzz_pkt *sent = (const struct fuzz_pkt *)rec->pkt;
	const struct oracle_port *port = &life->oracle.ports[rec->port];
	const struct pkt *pkt = rec->pkt;

	must(life, sent->in_model && pkt->out_port == rec->port && pkt->len == sent->len);
	must(life, !port->held);
	must(life, rec->t_ps >= pkt->t_ps + life->config.latency_ps);
	/* In a storm pauses are not heard; the watchdog's own tests say when. */
	for (int c = 0; c < SW_PRIOS && !life->config.qos.watchdog.on; c++)
		must(life, life->config.qos.pfc_to_queue[c] != pkt->queue ||
				   port->until_ps[c] <= rec->t_ps);
	if (sent->was != NULL)
		check_bytes(life, sent);
	check_reading(life, sent);
	if ((pkt->edit & (PKT_EDIT_ROUTE | PKT_EDIT_ECHO)) == 0)
		check_bridged(life, sent, rec->port);
}

/* ---- the switch's own ---- */

static void check_pfc(struct life *life, const struct sw_rec *rec)
{
	struct oracle_port *port = &life->oracle.ports[rec->port];
	const struct sw_gen *gen = &rec->gen;
	uint8_t xoff = 0, xon = 0;

	for (int c = 0; c < SW_PRIOS; c++) {
		bool in = gen->class_vector >> c & 1;

		must(life, gen->quanta[c] == 0 || (in && gen->quanta[c] == 0xffff));
		if (in && gen->quanta[c] != 0) {
			xoff |= 1u << c;
			port->told_ps[c] = rec->t_ps;
		} else if (in) {
			xon |= 1u << c;
		}
	}
	must(life, gen->class_vector != 0 && gen->vid == PKT_NO_VLAN);
	must(life, !life->ports[rec->port].edge);
	must(life, (xon & ~port->told) == 0);
	must(life, xoff == 0 || (life->ports[rec->port].pfc && life->pipeline->lossless));
	must(life, (xoff & ~life->config.qos.pfc_mask) == 0);
	must(life, memcmp(gen->src_mac, life->ports[rec->port].mac, 6) == 0);
	port->told = (port->told | xoff) & ~xon;
}

/* Who answers is a gateway of the port's domain, or stands in for all. */
static bool is_gateway(const struct life *life, const struct sw_rec *rec)
{
	const struct sw_tables_spec *spec = sw_tables_spec(life->tables);

	for (uint32_t i = 0; i < spec->n_gateways; i++) {
		const struct sw_gateway *g = &spec->gateways[i];

		if (g->domain == life->ports[rec->port].domain &&
		    (g->proxy || memcmp(g->ip, rec->gen.src_ip, 16) == 0))
			return true;
	}
	return false;
}

/* Its bytes are what the record says; returns their number. */
static uint16_t check_gen(struct life *life, const struct sw_rec *rec)
{
	static const uint8_t kinds[] = {[SW_REC_PFC] = PKT_PFC,
					[SW_REC_ARP_REQUEST] = PKT_ARP,
					[SW_REC_ARP_REPLY] = PKT_ARP,
					[SW_REC_NS] = PKT_ND,
					[SW_REC_NA] = PKT_ND};
	uint8_t bytes[SW_GEN_MAX];
	struct pkt pkt = {.data = bytes, .len = sw_gen_bytes(rec, bytes)}, *burst = &pkt;

	must(life, pkt.len >= 60 && pkt.len <= SW_GEN_MAX);
	sw_parse(life->sw, rec->port, &burst, 1);
	must(life, pkt.kind == kinds[rec->kind]);
	must(life, pkt.vid == rec->gen.vid || rec->kind == SW_REC_PFC);
	if (rec->kind == SW_REC_PFC)
		check_pfc(life, rec);
	if ((rec->kind == SW_REC_ARP_REPLY || rec->kind == SW_REC_NA) && life->steady)
		must(life, is_gateway(life, rec));
	return pkt.len;
}

static void keep_question(struct life *life, const struct sw_rec *rec)
{
	if (rec->kind != SW_REC_ARP_REQUEST && rec->kind != SW_REC_NS)
		return;
	if (!life->talkative || life->n_answers == ANSWERS)
		return;
	life->answers[life->n_answers++] = (struct answer){.port = rec->port, .rec = *rec};
}

void oracle_record(struct life *life, const struct sw_rec *rec)
{
	const struct sw_port_config *config = &life->ports[rec->port];
	struct oracle_port *port = &life->oracle.ports[rec->port];
	uint32_t len;

	must(life, rec->port < life->config.n_ports && port->up);
	must(life, rec->t_ps >= life->oracle.last_ps && rec->t_ps >= port->last_ps);
	must(life, rec->t_ps >= port->free_ps);
	must(life, (rec->kind == SW_REC_FRAME) == (rec->pkt != NULL));
	if (rec->pkt != NULL) {
		check_frame(life, rec);
		len = rec->pkt->len;
	} else {
		len = check_gen(life, rec);
		keep_question(life, rec);
	}
	life->oracle.last_ps = port->last_ps = rec->t_ps;
	port->free_ps = rec->t_ps + least_time(config, wire_bits(config, len));
}

/* Who was told to stop is told again before its time is over. */
static void check_told(struct life *life, uint16_t index)
{
	const struct oracle_port *port = &life->oracle.ports[index];
	uint64_t all = least_time(&life->ports[index], 0xffffULL * QUANTUM_BITS);

	for (int c = 0; c < SW_PRIOS; c++)
		must(life, (port->told >> c & 1) == 0 || life->now_ps <= port->told_ps[c] + all);
}

/* No frame waits that nothing stops: what could have left before now has left. */
static void check_idle(struct life *life, uint16_t index)
{
	const struct oracle_port *port = &life->oracle.ports[index];
	const struct sw_port *own = &life->sw->ports[index];

	for (int q = 0; q < SW_PRIOS && port->up && !port->held; q++) {
		const struct pkt *head = own->queues[q].head;
		uint64_t from = own->free_at;

		if (head == NULL)
			continue;
		if (from < head->t_ps + life->config.latency_ps)
			from = head->t_ps + life->config.latency_ps;
		for (int c = 0; c < SW_PRIOS; c++)
			if (life->config.qos.pfc_to_queue[c] == q && from < port->until_ps[c] + 2)
				from = port->until_ps[c] + 2; /* until_ps is rounded down */
		must(life, from >= life->now_ps);
	}
}

void oracle_check(struct life *life)
{
	for (uint16_t i = 0; i < life->config.n_ports; i++) {
		check_told(life, i);
		check_idle(life, i);
	}
}
