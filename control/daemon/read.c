/* SPDX-License-Identifier: BSD-3-Clause */
/* GET: what the switches counted. */
#include "endpoints.h"

#include "control/metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

static void unreadable(struct reply *reply, int rc)
{
	reply_error(reply, MHD_HTTP_CONFLICT, "", strerror(-rc),
		    "workers that answer; see `railyard status`");
}

/* {"railyard", "name", "switches": [...], "totals"} with the parts asked for. */
static json_t *snapshot(struct api *api, struct reply *reply, unsigned int parts)
{
	struct running *run = api_running(api);
	int rc = running_snapshot(run, true);

	if (rc != 0) {
		unreadable(reply, rc);
		return NULL;
	}
	reply->json = json_pack("{s:i s:s s:b s:o s:o}", "railyard", 1, "name", run->scenario.name,
				"cleared", run->cleared, "switches",
				telemetry_switches_json(&run->now, parts), "totals",
				telemetry_totals_json(&run->now));
	return reply->json;
}

void read_ports(struct api *api, const struct request *request, struct reply *reply)
{
	(void)request;
	snapshot(api, reply, TELEMETRY_COUNTERS | TELEMETRY_DEVICE);
}

void read_queues(struct api *api, const struct request *request, struct reply *reply)
{
	(void)request;
	snapshot(api, reply, TELEMETRY_QUEUES);
}

void read_pg(struct api *api, const struct request *request, struct reply *reply)
{
	(void)request;
	snapshot(api, reply, TELEMETRY_PGS);
}

void read_pfc(struct api *api, const struct request *request, struct reply *reply)
{
	(void)request;
	snapshot(api, reply, TELEMETRY_PFC | TELEMETRY_DEVICE);
}

void read_drops(struct api *api, const struct request *request, struct reply *reply)
{
	json_t *whole = snapshot(api, reply, TELEMETRY_PORT_DROPS);

	(void)request;
	if (whole != NULL)
		json_object_set_new(whole, "drop_names", telemetry_drop_names_json());
}

static json_t *drop_json(const struct sw_wred *drop)
{
	if (!drop->on)
		return json_null();
	return json_pack("{s:I s:I s:f}", "min_bytes", (json_int_t)drop->min_bytes, "max_bytes",
			 (json_int_t)drop->max_bytes, "probability",
			 (double)drop->probability_ppb / 1e9);
}

static json_t *ecn_json(const struct sw_qos *qos)
{
	json_t *list = json_array();

	for (int q = 0; q < SW_PRIOS; q++) {
		const struct sw_ecn *e = &qos->ecn[q];

		if (!e->on && !e->drop.on)
			continue;
		json_array_append_new(list,
				      json_pack("{s:i s:I s:I s:f s:s s:s s:o}", "priority", q,
						"min_bytes", (json_int_t)e->min_bytes, "max_bytes",
						(json_int_t)e->max_bytes, "probability",
						(double)e->probability_ppb / 1e9, "mark",
						!e->on          ? "off"
						: e->at_enqueue ? "enqueue"
								: "dequeue",
						"not_ect", e->drop_not_ect ? "drop" : "forward",
						"drop", drop_json(&e->drop)));
	}
	return list;
}

void read_ecn(struct api *api, const struct request *request, struct reply *reply)
{
	json_t *whole = snapshot(api, reply, TELEMETRY_QUEUES), *sw;
	struct running *run = api_running(api);
	size_t i;

	(void)request;
	json_array_foreach(json_object_get(whole, "switches"), i, sw)
		json_object_set_new(sw, "ecn", ecn_json(&run->fabric.switches[i].config.qos));
}

void read_hash(struct api *api, const struct request *request, struct reply *reply)
{
	static const char *const names[] = {"src_ip",   "dst_ip",   "proto",
					    "src_port", "dst_port", "dest_qp"};
	struct running *run = api_running(api);
	json_t *list = json_array(), *fields;
	char seed[20];

	(void)request;
	for (uint16_t i = 0; i < run->fabric.n_switches; i++) {
		const struct sw_config *c = &run->fabric.switches[i].config;

		fields = json_array();
		for (int f = 0; f < 6; f++)
			if (c->hash_fields & (1u << f))
				json_array_append_new(fields, json_string(names[f]));
		snprintf(seed, sizeof(seed), "0x%016" PRIx64, c->hash_seed);
		json_array_append_new(list, json_pack("{s:s s:o s:s}", "name", c->name, "fields",
						      fields, "seed", seed));
	}
	reply->json = json_pack("{s:i s:o}", "railyard", 1, "switches", list);
}

/* Text made by a writer, as the reply. */
static FILE *open_text(struct reply *reply, size_t *size, const char *type)
{
	FILE *out = open_memstream(&reply->text, size);

	reply->type = type;
	if (out == NULL)
		unreadable(reply, -ENOMEM);
	return out;
}

void read_metrics(struct api *api, const struct request *request, struct reply *reply)
{
	struct running *run = api_running(api);
	int rc = running_snapshot(run, false);
	char why[256];
	size_t size;
	FILE *out;

	(void)request;
	if (rc != 0) {
		unreadable(reply, rc);
		return;
	}
	out = open_text(reply, &size, "text/plain; version=0.0.4");
	if (out == NULL)
		return;
	metrics_write(out, &run->now, rt_valid(run->rt, why, sizeof(why)));
	fclose(out);
}

void read_effective(struct api *api, const struct request *request, struct reply *reply)
{
	size_t size;
	FILE *out = open_text(reply, &size, "application/yaml");

	(void)request;
	if (out == NULL)
		return;
	scenario_effective(&api_running(api)->scenario, out);
	fclose(out);
}

void read_page(struct api *api, const struct request *request, struct reply *reply)
{
	size_t size;
	FILE *out = open_text(reply, &size, "text/plain; charset=utf-8");

	(void)request;
	if (out == NULL)
		return;
	fprintf(out, "railyardd runs %s\n\n", api_running(api)->scenario.name);
	for (const struct endpoint *e = endpoints; e->method != NULL; e++)
		if (e->help != NULL)
			fprintf(out, "%-6s %-15s %s\n", e->method, e->path, e->help);
	fclose(out);
}
