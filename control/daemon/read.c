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

static json_t *drop_json(const struct sw_wred *drop)
{
	if (!drop->on)
		return json_null();
	return json_pack("{s:I s:I s:f}", "min_bytes", (json_int_t)drop->min_bytes, "max_bytes",
			 (json_int_t)drop->max_bytes, "probability",
			 (double)drop->probability_ppb / 1e9);
}

static json_t *watchdog_json(const struct sw_watchdog *w)
{
	return json_pack("{s:b s:I s:I s:I s:s s:b}", "on", w->on, "detect_ps",
			 (json_int_t)w->detect_ps, "restore_ps", (json_int_t)w->restore_ps,
			 "poll_ps", (json_int_t)w->poll_ps, "action",
			 w->forward ? "forward" : "drop", "idle_counts", w->idle_counts);
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

static void add_watchdog(const struct running *run, json_t *whole)
{
	json_t *sw;
	size_t i;

	json_array_foreach(json_object_get(whole, "switches"), i, sw)
		json_object_set_new(sw, "watchdog",
				    watchdog_json(&run->fabric.switches[i].config.qos.watchdog));
}

static void add_ecn(const struct running *run, json_t *whole)
{
	json_t *sw;
	size_t i;

	json_array_foreach(json_object_get(whole, "switches"), i, sw)
		json_object_set_new(sw, "ecn", ecn_json(&run->fabric.switches[i].config.qos));
}

static void add_drop_names(const struct running *run, json_t *whole)
{
	(void)run;
	json_object_set_new(whole, "drop_names", telemetry_drop_names_json());
}

static const struct view views[] = {
	{"ports", TELEMETRY_COUNTERS | TELEMETRY_DEVICE, NULL},
	{"queues", TELEMETRY_QUEUES, NULL},
	{"pg", TELEMETRY_PGS, NULL},
	{"pfc", TELEMETRY_PFC | TELEMETRY_DEVICE, NULL},
	{"watchdog", TELEMETRY_WATCHDOG, add_watchdog},
	{"ecn", TELEMETRY_QUEUES, add_ecn},
	{"drops", TELEMETRY_PORT_DROPS, add_drop_names},
	{NULL, 0, NULL},
};

const struct view *view_find(const char *name)
{
	for (const struct view *view = views; view->name != NULL; view++)
		if (strcmp(view->name, name) == 0)
			return view;
	return NULL;
}

json_t *view_json(const struct running *run, const struct reader *reader, const struct view *view)
{
	json_t *whole =
		json_pack("{s:i s:s s:s s:b s:o s:o}", "railyard", 1, "name", run->scenario.name,
			  "reader", reader->name, "cleared", reader->cleared, "switches",
			  telemetry_switches_json(&run->now, view->parts), "totals",
			  telemetry_totals_json(&run->now));

	if (whole != NULL && view->parts & TELEMETRY_QUEUES)
		json_object_set_new(whole, "latency", telemetry_latency_json(&run->now));
	if (whole != NULL && view->more != NULL)
		view->more(run, whole);
	return whole;
}

void read_view(struct api *api, const struct request *request, struct reply *reply)
{
	struct running *run = api_running(api);
	struct err err = {0};
	const struct reader *reader = readers_find(&run->readers, request->reader, &err);
	const struct view *view = view_find(request->path + strlen("/v1/"));
	int rc;

	if (reader == NULL) {
		reply_err(reply, &err);
		return;
	}
	rc = running_snapshot(run, reader, view->parts);
	if (rc != 0)
		unreadable(reply, rc);
	else
		reply->json = view_json(run, reader, view);
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
	int rc = running_snapshot(run, NULL, TELEMETRY_RESULTS);
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
