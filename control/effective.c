/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario printed back with every default. What it prints loads to the same struct: a default
 * that is no setting (a host's address) stands in a comment. */
#include "addresses.h"
#include "netaddr.h"
#include "scenario_int.h"
#include "units.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void quantity(FILE *out, const char *before, enum units_kind kind, uint64_t value)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s%s", before, units_print(kind, value, text));
}

static void time_or_off(FILE *out, const char *in, const char *key, uint64_t value)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s%s: %s\n", in, key,
		value == 0 ? "off" : units_print(UNITS_TIME, value, text));
}

static void quoted(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void print_link(FILE *out, const char *key, const struct scenario_link *link)
{
	fprintf(out, "  %s: {", key);
	quantity(out, "rate: ", UNITS_RATE, link->rate_bps);
	quantity(out, ", delay: ", UNITS_TIME, link->delay_ps);
	fprintf(out, ", overhead: %uB}\n", link->overhead_bytes);
}

static void print_names(FILE *out, const char *key, char (*names)[SW_NAME], uint32_t n)
{
	fprintf(out, "%s: [", key);
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? ", " : "", names[i]);
	fprintf(out, "]");
}

static void print_custom(const struct scenario *s, FILE *out)
{
	print_names(out, "  kind: custom\n  switches", s->custom_switches, s->n_custom_switches);
	print_names(out, "\n  hosts", s->custom_hosts, s->n_custom_hosts);
	fprintf(out, "\n  links:%s\n", s->n_custom_links ? "" : " []");
	for (uint32_t i = 0; i < s->n_custom_links; i++) {
		const struct scenario_link *link = &s->custom_links[i];

		fprintf(out, "    - {a: %s, b: %s", link->a, link->b);
		quantity(out, ", rate: ", UNITS_RATE, link->rate_bps);
		quantity(out, ", delay: ", UNITS_TIME, link->delay_ps);
		fprintf(out, ", count: %u}\n", link->count);
	}
}

static void print_topology(const struct scenario *s, FILE *out)
{
	fprintf(out, "topology:\n");
	if (s->topology == TOPO_STAR)
		fprintf(out, "  kind: star\n  hosts: %u\n", s->hosts);
	if (s->topology == TOPO_DUMBBELL) {
		fprintf(out, "  kind: dumbbell\n  left: %u\n  right: %u\n", s->left, s->right);
		print_link(out, "middle", &s->middle);
	}
	if (s->topology == TOPO_CUSTOM)
		print_custom(s, out);
	print_link(out, "link", &s->link);
}

static void print_map(FILE *out, const char *in, const char *key, const uint8_t *map, uint32_t n)
{
	fprintf(out, "%s%s: {", in, key);
	for (uint32_t i = 0, last; i < n; i = last + 1) {
		for (last = i; last + 1 < n && map[last + 1] == map[i]; last++)
			;
		fprintf(out, "%s%u", i ? ", " : "", i);
		if (last > i)
			fprintf(out, "-%u", last);
		fprintf(out, ": %d", map[i]);
	}
	fprintf(out, "}\n");
}

static void print_buffer(const struct scenario_switch *sw, const char *in, FILE *out)
{
	const struct sw_buffer *b = &sw->buffer;
	char text[UNITS_TEXT];

	fprintf(out, "%sbuffer: {", in);
	quantity(out, "size: ", UNITS_SIZE, b->size_bytes);
	quantity(out, ", cell: ", UNITS_SIZE, b->cell_bytes);
	fprintf(out, ", alpha: %s", units_print_factor(b->alpha_q16, 65536, text));
	if (sw->headroom_auto)
		fprintf(out, ", headroom: auto");
	else
		quantity(out, ", headroom: ", UNITS_SIZE, sw->headroom_bytes);
	if (b->headroom_pool_bytes == 0)
		fprintf(out, ", headroom_pool: off");
	else
		quantity(out, ", headroom_pool: ", UNITS_SIZE, b->headroom_pool_bytes);
	quantity(out, ", reserved: ", UNITS_SIZE, b->reserved_bytes);
	quantity(out, ", xon_offset: ", UNITS_SIZE, b->xon_offset_bytes);
	fprintf(out, ", lossy_alpha: %s}\n", units_print_factor(b->lossy_alpha_q16, 65536, text));
}

static void print_curve(FILE *out, uint64_t min_bytes, uint64_t max_bytes, uint32_t ppb)
{
	char text[UNITS_TEXT];

	quantity(out, "min: ", UNITS_SIZE, min_bytes);
	quantity(out, ", max: ", UNITS_SIZE, max_bytes);
	fprintf(out, ", probability: %s", units_print_part(ppb, 1000000000, text));
}

static void print_queue(const struct sw_ecn *ecn, FILE *out)
{
	fprintf(out, "{");
	if (ecn->on) {
		print_curve(out, ecn->min_bytes, ecn->max_bytes, ecn->probability_ppb);
		fprintf(out,
			", mark: %s, not_ect: %s, drop: ", ecn->at_enqueue ? "enqueue" : "dequeue",
			ecn->drop_not_ect ? "drop" : "forward");
	} else {
		fprintf(out, "mark: off, drop: ");
	}
	if (ecn->drop.on) {
		fprintf(out, "{");
		print_curve(out, ecn->drop.min_bytes, ecn->drop.max_bytes,
			    ecn->drop.probability_ppb);
		fprintf(out, "}}\n");
	} else {
		fprintf(out, "off}\n");
	}
}

static void print_ecn(const struct sw_qos *qos, const char *in, FILE *out)
{
	fprintf(out, "%secn:\n", in);
	for (int q = 0; q < SW_PRIOS; q++) {
		fprintf(out, "%s  %d: ", in, q);
		if (qos->ecn[q].on || qos->ecn[q].drop.on)
			print_queue(&qos->ecn[q], out);
		else
			fprintf(out, "off\n");
	}
}

static void print_watchdog(const struct sw_watchdog *w, FILE *out)
{
	if (!w->on) {
		fprintf(out, "off");
		return;
	}
	quantity(out, "{detect: ", UNITS_TIME, w->detect_ps);
	quantity(out, ", restore: ", UNITS_TIME, w->restore_ps);
	quantity(out, ", poll: ", UNITS_TIME, w->poll_ps);
	fprintf(out, ", action: %s, idle_counts: %s}", w->forward ? "forward" : "drop",
		w->idle_counts ? "on" : "off");
}

static void print_pfc(const struct sw_qos *qos, const char *in, FILE *out)
{
	const char *comma = "";

	fprintf(out, "%spfc: {priorities: [", in);
	for (int p = 0; p < SW_PRIOS; p++)
		if (qos->pfc_mask & 1 << p) {
			fprintf(out, "%s%d", comma, p);
			comma = ", ";
		}
	fprintf(out, "], asymmetric: %s, watchdog: ", qos->pfc_asymmetric ? "on" : "off");
	print_watchdog(&qos->watchdog, out);
	fprintf(out, "}\n");
}

static void print_scheduler(const struct sw_qos *qos, const char *in, FILE *out)
{
	fprintf(out, "%sscheduler: {", in);
	for (int q = 0; q < SW_PRIOS; q++) {
		fprintf(out, "%s%d: ", q ? ", " : "", q);
		if (qos->sched[q].strict)
			fprintf(out, "strict");
		else
			fprintf(out, "{dwrr: %d}", qos->sched[q].weight);
	}
	fprintf(out, "}\n");
}

static void print_hash(uint32_t bits, const char *in, FILE *out)
{
	static const char *const names[] = {"src_ip",   "dst_ip",   "proto",
					    "src_port", "dst_port", "dest_qp"};
	const char *comma = "";

	fprintf(out, "%shash: [", in);
	for (int i = 0; i < 6; i++)
		if (bits & 1u << i) {
			fprintf(out, "%s%s", comma, names[i]);
			comma = ", ";
		}
	fprintf(out, "]\n");
}

static void print_switch(const struct scenario_switch *sw, const char *in, FILE *out)
{
	const struct sw_qos *qos = &sw->qos;

	fprintf(out, "%spipeline: %s\n%spreset: %s\n%s", in, sw->pipeline, in, sw->preset, in);
	quantity(out, "latency: ", UNITS_TIME, sw->latency_ps);
	fputc('\n', out);
	time_or_off(out, in, "fdb_ageing", sw->fdb_ageing_ps);
	time_or_off(out, in, "neighbour_ageing", sw->neigh_ageing_ps);
	print_buffer(sw, in, out);
	fprintf(out, "%strust: %s\n", in, qos->trust == SW_TRUST_DSCP ? "dscp" : "pcp");
	print_map(out, in, "dscp", qos->dscp_to_prio, 64);
	print_map(out, in, "pcp", qos->pcp_to_prio, SW_PRIOS);
	print_map(out, in, "tc_to_pg", qos->prio_to_pg, SW_PRIOS);
	print_map(out, in, "tc_to_queue", qos->prio_to_queue, SW_PRIOS);
	print_map(out, in, "pfc_to_queue", qos->pfc_to_queue, SW_PRIOS);
	print_ecn(qos, in, out);
	print_pfc(qos, in, out);
	print_scheduler(qos, in, out);
	print_hash(sw->hash_fields, in, out);
}

static void print_hosts(const struct scenario *s, const struct topology *t, FILE *out)
{
	char mac[NETADDR_TEXT], ip4[NETADDR_TEXT], ip6[NETADDR_TEXT];
	struct host_addresses a;

	fprintf(out, "hosts:\n");
	for (uint32_t i = 0; i < s->n_hosts; i++) {
		const struct scenario_host *h = &s->host_list[i];

		host_addresses(s, t, i, &a);
		netaddr_print_mac(a.mac, mac);
		netaddr_print_ip(a.ip4, ip4);
		netaddr_print_ip(a.ip6, ip6);
		fprintf(out, "  %s: {", h->name);
		if (h->has_mac)
			fprintf(out, "mac: \"%s\", ", mac);
		if (h->has_ip4)
			fprintf(out, "ip: %s, ", ip4);
		if (h->has_ip6)
			fprintf(out, "ip6: \"%s\", ", ip6);
		quantity(out, "pfc_response: ", UNITS_TIME, h->pfc_response_ps);
		fprintf(out, "}  # %s %s %s\n", mac, ip4, ip6);
	}
}

static void print_ports(const struct scenario *s, FILE *out)
{
	static const char *const edges[] = {"auto", "emulate", "off"};
	static const char *const pfcs[] = {"auto", "on", "off"};

	fprintf(out, "ports:%s\n", s->n_ports ? "" : " {}");
	for (uint32_t i = 0; i < s->n_ports; i++) {
		const struct scenario_port *p = &s->ports[i];

		fprintf(out, "  %s: {", p->name);
		if (p->dev[0] != '\0') {
			fprintf(out, "dev: ");
			quoted(out, p->dev);
			quantity(out, ", delay: ", UNITS_TIME, p->delay_ps);
			fprintf(out, ", edge: %s", edges[p->edge]);
			quantity(out, ", edge_buffer: ", UNITS_SIZE, p->edge_bytes);
			fprintf(out, ", ");
		}
		quantity(out, "rate: ", UNITS_RATE, p->rate_bps);
		fprintf(out, ", mtu: %uB, pfc: %s}\n", p->mtu_bytes, pfcs[p->pfc]);
	}
}

static void print_subnets(const struct scenario *s, FILE *out)
{
	char text[NETADDR_TEXT];

	fprintf(out, "subnets:%s\n", s->n_subnets ? "" : " []");
	for (uint32_t i = 0; i < s->n_subnets; i++) {
		const struct scenario_subnet *sub = &s->subnets[i];

		fprintf(out, "  - {prefix: \"%s\", ",
			netaddr_print_prefix(sub->prefix, sub->len, text));
		print_names(out, "ports", sub->ports, sub->n_ports);
		if (sub->has_gateway)
			fprintf(out, ", gateway: \"%s\"}\n", netaddr_print_ip(sub->gateway, text));
		else
			fprintf(out, ", gateway: off}\n");
	}
}

static void print_routes(const struct scenario *s, FILE *out)
{
	char text[NETADDR_TEXT];

	fprintf(out, "routes:%s\n", s->n_routes ? "" : " []");
	for (uint32_t i = 0; i < s->n_routes; i++) {
		const struct scenario_route *route = &s->routes[i];

		fprintf(out, "  - {on: %s, prefix: \"%s\", ", route->on,
			netaddr_print_prefix(route->prefix, route->len, text));
		print_names(out, "via", route->via, route->n_via);
		fprintf(out, "}\n");
	}
}

static void print_real(const struct scenario *s, FILE *out)
{
	fprintf(out, "real:\n  workers: ");
	if (s->real.workers == 0)
		fprintf(out, "auto\n");
	else
		fprintf(out, "%d\n", s->real.workers);
	fprintf(out, "  dilate: %u\n  poll: %s\n", s->real.dilate,
		s->real.adaptive ? "adaptive" : "busy");
	if (s->real.late_ps == 0)
		fprintf(out, "  late: auto\n");
	else {
		quantity(out, "  late: ", UNITS_TIME, s->real.late_ps);
		fputc('\n', out);
	}
	quantity(out, "  memory: ", UNITS_SIZE, s->real.memory_bytes);
	fprintf(out, "\n  eal: [");
	for (uint32_t i = 0; i < s->real.n_eal; i++) {
		fprintf(out, "%s", i ? ", " : "");
		quoted(out, s->real.eal[i]);
	}
	fprintf(out, "]\n");
}

int scenario_effective(const struct scenario *s, FILE *out)
{
	struct topology topology;
	struct err err = {0};
	int rc = topology_build(&topology, s, &err);

	if (rc < 0)
		return rc;
	fprintf(out, "railyard: 1\nname: %s\nseed: %" PRIu64 "\n", s->name, s->seed);
	print_topology(s, out);
	fprintf(out, "switch:\n");
	print_switch(&s->sw, "  ", out);
	if (s->n_switches > 0)
		fprintf(out, "switches:\n");
	for (uint32_t i = 0; i < s->n_switches; i++) {
		fprintf(out, "  %s:\n", s->switches[i].name);
		print_switch(&s->switches[i], "    ", out);
	}
	print_hosts(s, &topology, out);
	print_ports(s, out);
	print_subnets(s, out);
	print_routes(s, out);
	print_real(s, out);
	topology_free(&topology);
	return ferror(out) ? -EIO : 0;
}
