/* SPDX-License-Identifier: BSD-3-Clause */
/* GET /v1/tables: what is installed is read from the snapshot, what is learned from the switch. */
#include "endpoints.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 65536

/* Filled in the worker's thread: room is made before, so that it never waits for memory. */
struct dump {
	struct sw_fdb_row *fdb;
	struct sw_neigh_row *neigh;
	uint32_t n_fdb, n_neigh, more;
};

static void take_fdb(void *arg, const struct sw_fdb_row *row)
{
	struct dump *dump = arg;

	if (dump->n_fdb < MAX_ROWS)
		dump->fdb[dump->n_fdb++] = *row;
	else
		dump->more++;
}

static void take_neigh(void *arg, const struct sw_neigh_row *row)
{
	struct dump *dump = arg;

	if (dump->n_neigh < MAX_ROWS)
		dump->neigh[dump->n_neigh++] = *row;
	else
		dump->more++;
}

static void dump_switch(void *arg, const struct sw *sw)
{
	sw_fdb_each(sw, take_fdb, arg);
	sw_neigh_each(sw, take_neigh, arg);
}

static bool is_v4(const uint8_t ip[16])
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

	return memcmp(ip, mapped, sizeof(mapped)) == 0;
}

static json_t *ip_json(const uint8_t ip[16], int length)
{
	char text[INET6_ADDRSTRLEN], whole[INET6_ADDRSTRLEN + 16];
	bool v4 = is_v4(ip) && (length < 0 || length >= 96);

	inet_ntop(v4 ? AF_INET : AF_INET6, v4 ? ip + 12 : ip, text, sizeof(text));
	if (length < 0)
		snprintf(whole, sizeof(whole), "%s", text);
	else
		snprintf(whole, sizeof(whole), "%s/%d", text, v4 ? length - 96 : length);
	return json_string(whole);
}

static json_t *mac_json(const uint8_t mac[6])
{
	char text[18];

	snprintf(text, sizeof(text), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
		 mac[3], mac[4], mac[5]);
	return json_string(text);
}

static json_t *vid_json(uint16_t vid)
{
	return vid == PKT_NO_VLAN ? json_null() : json_integer(vid);
}

/* What was never learned has no age. */
static json_t *age_json(bool none, uint64_t ps)
{
	return none ? json_null() : json_integer((json_int_t)ps);
}

static const char *port_name(const struct fabric_switch *sw, uint16_t port)
{
	return port < sw->config.n_ports ? sw->ports[port].name : "";
}

static json_t *fdb_json(const struct dump *dump, const struct fabric_switch *sw)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < dump->n_fdb; i++) {
		const struct sw_fdb_row *r = &dump->fdb[i];

		json_array_append_new(
			list, json_pack("{s:o s:o s:i s:s s:b s:o}", "mac", mac_json(r->mac), "vid",
					vid_json(r->vid), "domain", (int)r->domain, "port",
					port_name(sw, r->port), "installed", r->installed, "age_ps",
					age_json(r->installed, r->age_ps)));
	}
	return list;
}

static json_t *neigh_json(const struct dump *dump, const struct fabric_switch *sw)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < dump->n_neigh; i++) {
		const struct sw_neigh_row *r = &dump->neigh[i];

		json_array_append_new(list,
				      json_pack("{s:o s:o s:o s:s s:b s:b s:i s:o}", "ip",
						ip_json(r->ip, -1), "mac", mac_json(r->mac), "vid",
						vid_json(r->vid), "port", port_name(sw, r->port),
						"installed", r->installed, "resolved", r->resolved,
						"waiting", (int)r->waiting, "age_ps",
						age_json(r->installed || !r->resolved, r->age_ps)));
	}
	return list;
}

static json_t *via_json(const struct sw_route *route, const struct fabric_switch *sw)
{
	json_t *list = json_array(), *via;

	for (int v = 0; route->kind == SW_ROUTE_VIA && v < route->n_via; v++) {
		via = json_pack("{s:s}", "port", port_name(sw, route->via[v].port));
		if (route->via[v].has_mac)
			json_object_set_new(via, "mac", mac_json(route->via[v].mac));
		json_array_append_new(list, via);
	}
	return list;
}

static json_t *routes_json(const struct sw_tables_spec *spec, const struct fabric_switch *sw)
{
	static const char *const kinds[] = {"connected", "via", "cross_rail"};
	json_t *list = json_array();

	for (uint32_t i = 0; spec != NULL && i < spec->n_routes; i++) {
		const struct sw_route *r = &spec->routes[i];

		json_array_append_new(list, json_pack("{s:o s:s s:o}", "prefix",
						      ip_json(r->prefix, r->len), "kind",
						      kinds[r->kind], "via", via_json(r, sw)));
	}
	return list;
}

static json_t *gateways_json(const struct sw_tables_spec *spec)
{
	json_t *list = json_array();

	for (uint32_t i = 0; spec != NULL && i < spec->n_gateways; i++)
		json_array_append_new(list, json_pack("{s:o s:i s:b}", "ip",
						      ip_json(spec->gateways[i].ip, -1), "domain",
						      (int)spec->gateways[i].domain, "proxy",
						      spec->gateways[i].proxy));
	return list;
}

static json_t *tables_json(struct running *run, uint16_t s, struct dump *dump)
{
	const struct fabric_switch *sw = &run->fabric.switches[s];
	const struct sw_tables_spec *spec = run->tables[s] ? sw_tables_spec(run->tables[s]) : NULL;

	dump->n_fdb = dump->n_neigh = dump->more = 0;
	if (rt_with_switch(run->rt, s, dump_switch, dump) != 0)
		return NULL;
	return json_pack("{s:i s:s s:s s:I s:o s:o s:o s:o s:i}", "railyard", 1, "name",
			 sw->config.name, "switch", sw->config.name, "version",
			 (json_int_t)(spec ? spec->version : 0), "routes", routes_json(spec, sw),
			 "gateways", gateways_json(spec), "neighbours", neigh_json(dump, sw), "fdb",
			 fdb_json(dump, sw), "left_out", (int)dump->more);
}

void read_tables(struct api *api, const struct request *request, struct reply *reply)
{
	struct running *run = api_running(api);
	struct dump dump = {.fdb = calloc(MAX_ROWS, sizeof(*dump.fdb)),
			    .neigh = calloc(MAX_ROWS, sizeof(*dump.neigh))};
	json_t *list = json_array(), *one = list;

	(void)request;
	for (uint16_t s = 0; dump.fdb && dump.neigh && one && s < run->fabric.n_switches; s++) {
		one = tables_json(run, s, &dump);
		if (one != NULL)
			json_array_append_new(list, one);
	}
	if (dump.fdb == NULL || dump.neigh == NULL || one == NULL)
		reply_error(reply, 409, "", "no answer", "workers that answer, and memory");
	else
		reply->json = json_pack("{s:i s:O}", "railyard", 1, "switches", list);
	json_decref(list);
	free(dump.fdb);
	free(dump.neigh);
}
