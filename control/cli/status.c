/* SPDX-License-Identifier: BSD-3-Clause */
#include "status.h"

#include "client.h"
#include "say.h"
#include "table.h"
#include "verbs.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void status_identity(const json_t *t, FILE *out)
{
	bool closed = get_bool(t, "closed");

	fprintf(out,
		"rx + generated + copied = tx + consumed + dropped + held\n"
		"%" PRIu64 " + %" PRIu64 " + %" PRIu64 " = %" PRIu64 " + %" PRIu64 " + %" PRIu64
		" + %" PRIu64 "  %s\n",
		get_u64(t, "rx"), get_u64(t, "generated"), get_u64(t, "copied"), get_u64(t, "tx"),
		get_u64(t, "consumed"), get_u64(t, "dropped"), get_u64(t, "held"),
		closed ? say_coloured(SAY_GOOD, "closed") : say_coloured(SAY_BAD, "NOT CLOSED"));
}

/* Down is what somebody said; no carrier what the device says. */
static const char *port_state(const json_t *port)
{
	if (!get_bool(port, "admin_up"))
		return "down";
	if (!get_bool(port, "link_up") || !get_bool(port, "up"))
		return "no carrier";
	return get_bool(port, "held") ? "held" : "up";
}

static const char *node(const json_t *object, char buf[SAY_NUMBER])
{
	json_int_t numa = json_integer_value(json_object_get(object, "numa"));

	if (numa < 0)
		return "-";
	snprintf(buf, SAY_NUMBER, "%d", (int)numa);
	return buf;
}

static void print_ports(const json_t *switches, FILE *out)
{
	char rate[SAY_NUMBER], headroom[SAY_NUMBER], numa[SAY_NUMBER];
	struct table t;
	json_t *sw, *port;
	size_t s, p;

	table_begin(&t, "PORT STATE RATE MTU PFC EDGE HEADROOM NUMA DEVICE", "llrrllrrl");
	json_array_foreach(switches, s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port)
			table_row(&t, "%s\t%s\t%s\t%" PRIu64 "\t%s\t%s\t%s\t%s\t%s",
				  get_str(port, "name"), port_state(port),
				  say_rate(rate, get_u64(port, "rate_bps")),
				  get_u64(port, "mtu_bytes"), get_bool(port, "pfc") ? "on" : "off",
				  get_bool(port, "edge_emulated") ? "emulated" : "-",
				  say_bytes(headroom, get_u64(port, "headroom_bytes")),
				  node(port, numa), get_str(port, "dev"));
	table_end(&t, out, "no ports");
	json_array_foreach(switches, s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port)
			if (get_str(port, "headroom")[0] != '\0')
				fprintf(out, "headroom of %s: %s\n", get_str(port, "name"),
					get_str(port, "headroom"));
}

/* The rest is the devices': it stays as it is, or buffers are lost. */
static void print_buffers(const json_t *b, FILE *out)
{
	fprintf(out,
		"buffers %" PRIu64 " of %" PRIu64 " in use: %" PRIu64 " held, %" PRIu64
		" not taken by a device yet, %" PRIu64 " not due, %" PRIu64
		" on cables, %" JSON_INTEGER_FORMAT " in devices\n",
		get_u64(b, "in_use"), get_u64(b, "total"), get_u64(b, "held"), get_u64(b, "staged"),
		get_u64(b, "arrived"), get_u64(b, "cables"),
		json_integer_value(json_object_get(b, "devices")));
}

static void print_switch(const json_t *sw, FILE *out)
{
	const json_t *w = json_object_get(sw, "worker");
	char used[SAY_NUMBER], max[SAY_NUMBER], p50[SAY_NUMBER], p999[SAY_NUMBER],
		worst[SAY_NUMBER], numa[SAY_NUMBER];

	fprintf(out, "switch  %s: pipeline %s; buffer %s in use, %s at most\n", get_str(sw, "name"),
		get_str(sw, "pipeline"), say_bytes(used, get_u64(sw, "buffer_bytes")),
		say_bytes(max, get_u64(sw, "buffer_max_bytes")));
	fprintf(out,
		"        worker %" PRIu64 " of %" PRIu64 " on CPU %" PRIu64
		", NUMA node %s; late p50 %s, "
		"p99.9 %s, worst %s\n",
		get_u64(w, "index"), get_u64(w, "workers"), get_u64(w, "lcore"), node(w, numa),
		say_time(p50, get_u64(w, "late_p50_ps")),
		say_time(p999, get_u64(w, "late_p999_ps")),
		say_time(worst, get_u64(w, "late_max_ps")));
}

void status_print(const json_t *status, FILE *out)
{
	const json_t *switches = json_object_get(status, "switches"), *sw, *warning;
	char now[SAY_NUMBER];
	size_t s;

	fprintf(out, "%s    %s, pid %" PRIu64 ", up %s%s\n", say_coloured(SAY_GOOD, "runs"),
		get_str(status, "name"), get_u64(status, "pid"),
		say_time(now, get_u64(status, "time_ps")),
		get_u64(status, "dilate") > 1 ? " of model time" : "");
	fprintf(out, "file    %s\nsocket  %s\n", get_str(status, "file"),
		get_str(status, "socket"));
	if (get_str(status, "listen")[0] != '\0')
		fprintf(out, "listen  %s\n", get_str(status, "listen"));
	if (get_bool(status, "valid"))
		fprintf(out, "valid   %s\n", say_coloured(SAY_GOOD, "yes"));
	else
		fprintf(out, "valid   %s: %s\n", say_coloured(SAY_BAD, "NO"),
			get_str(status, "why"));
	json_array_foreach(switches, s, sw)
		print_switch(sw, out);
	print_buffers(json_object_get(status, "buffers"), out);
	json_array_foreach(json_object_get(status, "warnings"), s, warning)
		fprintf(out, "%s %s\n", say_coloured(SAY_BAD, "warning"),
			json_string_value(warning));
	print_ports(switches, out);
	json_array_foreach(switches, s, sw)
		status_identity(sw, out);
}

static int not_running(const struct args *args, const char *state, const char *text)
{
	json_t *json;

	if (options_given(args, "json")) {
		json = json_pack("{s:i s:s}", "railyard", 1, "state", state);
		say_json(json);
		json_decref(json);
	} else {
		printf("%s: %s\n", state, text);
	}
	return 1;
}

static int running(const struct args *args, const struct place *place)
{
	json_t *status = NULL;
	struct err err = {0};
	bool valid;

	if (client_json(place, "GET", "/v1/status", NULL, &status, &err) != 0)
		return say_err(&err);
	json_object_set_new(status, "state", json_string("running"));
	if (options_given(args, "json"))
		say_json(status);
	else
		status_print(status, stdout);
	valid = get_bool(status, "valid");
	json_decref(status);
	return valid ? 0 : 4;
}

int verb_status(const struct args *args)
{
	const char *given = options_value(args, "socket", NULL);
	struct place place;
	struct err err = {0};
	int rc = given ? place_from_socket(&place, given, &err) : place_find(&place, &err);

	if (rc == -ENOENT)
		return not_running(args, "not running", err.expected);
	if (rc != 0)
		return say_err(&err);
	switch (place_state(&place, NULL)) {
	case PLACE_RUNNING:
		return running(args, &place);
	case PLACE_STALE:
		return not_running(args, "stale",
				   "its daemon was killed; `railyard down` clears up");
	default:
		return not_running(args, "not running", place.socket);
	}
}
