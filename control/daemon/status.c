/* SPDX-License-Identifier: BSD-3-Clause */
/* GET /v1/status: what runs, on what, and whether its numbers may be believed. */
#include "endpoints.h"

#include "control/version.h"
#include "placement.h"

#include <string.h>
#include <unistd.h>

static json_t *worker_json(const struct telemetry_switch *sw)
{
	const struct rt_worker_stats *w = &sw->worker;

	return json_pack("{s:i s:i s:i s:i s:I s:I s:I s:I s:I s:I}", "index", (int)w->index,
			 "workers", (int)w->n, "lcore", w->lcore, "numa", w->numa, "polls",
			 (json_int_t)w->polls, "idle_polls", (json_int_t)w->idle_polls, "frames",
			 (json_int_t)w->frames, "late_p50_ps", (json_int_t)w->late_p50_ps,
			 "late_p999_ps", (json_int_t)w->late_p999_ps, "late_max_ps",
			 (json_int_t)w->late_max_ps);
}

static const struct fabric_real_port *real_port(const struct fabric *fabric, uint16_t sw,
						uint16_t port)
{
	for (uint16_t i = 0; i < fabric->n_real; i++)
		if (fabric->real[i].sw == sw && fabric->real[i].port == port)
			return &fabric->real[i];
	return NULL;
}

/* What a port is, beside what it counted. */
static void describe_port(json_t *o, const struct running *run, uint16_t s, uint16_t p)
{
	const struct fabric_switch *sw = &run->fabric.switches[s];
	const struct sw_port_config *c = &sw->ports[p];
	const struct fabric_real_port *real = real_port(&run->fabric, s, p);
	const struct rt_port_stats *device = &run->now.switches[s].device[p];

	json_object_update_new(o, json_pack("{s:s s:b s:b s:i s:I s:i s:b s:b s:I s:s}", "dev",
					    real ? real->dev : "", "link_up", device->link_up,
					    "admin_up", device->admin_up, "numa", device->numa,
					    "rate_bps", (json_int_t)c->rate_bps, "mtu_bytes",
					    (int)c->mtu_bytes, "pfc", c->pfc, "edge_emulated",
					    c->edge, "headroom_bytes",
					    (json_int_t)c->headroom_bytes, "headroom",
					    sw->headroom_terms ? sw->headroom_terms[p] : ""));
}

static json_t *switch_json(const struct running *run, uint16_t s)
{
	const struct fabric_switch *sw = &run->fabric.switches[s];
	json_t *o =
		telemetry_switch_json(&run->now.switches[s], TELEMETRY_RESULTS | TELEMETRY_DEVICE);
	json_t *ports = json_object_get(o, "ports");

	for (uint16_t p = 0; p < sw->config.n_ports; p++)
		describe_port(json_array_get(ports, p), run, s, p);
	json_object_set_new(o, "pipeline", json_string(sw->pipeline->name));
	json_object_set_new(o, "worker", worker_json(&run->now.switches[s]));
	return o;
}

static json_t *sets_json(const struct source *source)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < source->n_sets; i++)
		json_array_append_new(list, json_string(source->sets[i]));
	return list;
}

void read_status(struct api *api, const struct request *request, struct reply *reply)
{
	struct running *run = api_running(api);
	json_t *switches = json_array();
	struct rt_buffer_stats buffers = {0};
	struct err err = {0};
	const struct reader *reader = readers_find(&run->readers, request->reader, &err);
	int rc = reader != NULL ? running_snapshot(run, reader, TELEMETRY_RESULTS) : 0;
	char why[256] = "";
	bool valid;

	if (reader == NULL) {
		json_decref(switches);
		reply_err(reply, &err);
		return;
	}
	if (rc == 0)
		rc = rt_buffers(run->rt, &buffers);
	if (rc != 0) {
		json_decref(switches);
		reply_error(reply, 409, "", strerror(-rc), "workers that answer");
		return;
	}
	for (uint16_t s = 0; s < run->fabric.n_switches; s++)
		json_array_append_new(switches, switch_json(run, s));
	valid = rt_valid(run->rt, why, sizeof(why));
	reply->json = json_pack(
		"{s:i s:s s:s s:s s:s s:i s:s s:s* s:b s:I s:i s:s s:b s:s s:b s:o s:o s:o s:o}",
		"railyard", 1, "version", RY_VERSION, "build", RY_BUILD, "name", run->scenario.name,
		"file", run->source.name, "pid", (int)getpid(), "socket", run->place.socket,
		"listen", api_listen(api), "huge", !run->no_huge, "time_ps",
		(json_int_t)rt_now(run->rt), "dilate", (int)run->scenario.real.dilate, "poll",
		run->scenario.real.adaptive ? "adaptive" : "busy", "valid", valid, "why",
		valid ? "" : why, "cleared", reader->cleared, "sets", sets_json(&run->source),
		"warnings", placement_warnings(run), "buffers", placement_buffers(&buffers),
		"switches", switches);
}
