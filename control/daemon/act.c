/* SPDX-License-Identifier: BSD-3-Clause */
/* PATCH and POST: what changes something. */
#define _GNU_SOURCE
#include "endpoints.h"
#include "placement.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

static void wrong(struct reply *reply, const char *path, const json_t *value, const char *expected)
{
	char *found = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

	reply_error(reply, MHD_HTTP_BAD_REQUEST, path, found ? found : "nothing", expected);
	free(found);
}

/* False with a reply when there is a body with anything but these keys (ended by NULL): what is
 * misspelt must not act as if it were not there. */
static bool only(const struct request *request, const char *const *keys, const char *expected,
		 struct reply *reply)
{
	json_t *value;
	const char *key;

	if (request->body != NULL && !json_is_object(request->body)) {
		wrong(reply, "body", request->body, "a JSON object");
		return false;
	}
	json_object_foreach(request->body, key, value) {
		int i = 0;

		while (keys[i] != NULL && strcmp(keys[i], key) != 0)
			i++;
		if (keys[i] == NULL) {
			reply_error(reply, MHD_HTTP_BAD_REQUEST, "body", key, expected);
			return false;
		}
	}
	return true;
}

/* ---- PATCH /v1/config ---- */

/* "PATH=VALUE"; numbers, booleans, lists and maps as YAML's flow style, which JSON is. */
static char *assignment(const char *path, const json_t *value)
{
	char *text, *out = NULL;

	if (json_is_string(value))
		return asprintf(&out, "%s=%s", path, json_string_value(value)) < 0 ? NULL : out;
	if (json_is_boolean(value))
		return asprintf(&out, "%s=%s", path, json_is_true(value) ? "on" : "off") < 0 ? NULL
											     : out;
	text = json_dumps(value, JSON_ENCODE_ANY);
	if (text != NULL && asprintf(&out, "%s=%s", path, text) < 0)
		out = NULL;
	free(text);
	return out;
}

/* Both forms of the body as a list of {path, value}. NULL: the body is neither. */
static json_t *as_list(json_t *body)
{
	json_t *list, *value;
	const char *path;

	if (json_is_array(body))
		return json_incref(body);
	if (!json_is_object(body))
		return NULL;
	list = json_array();
	json_object_foreach(body, path, value)
		json_array_append_new(list, json_pack("{s:s s:O}", "path", path, "value", value));
	return list;
}

static int collect(json_t *list, char **sets, struct reply *reply)
{
	json_t *one, *value;
	const char *path;
	size_t i;

	json_array_foreach(list, i, one) {
		path = json_string_value(json_object_get(one, "path"));
		value = json_object_get(one, "value");
		if (path == NULL || path[0] == '\0' || value == NULL) {
			wrong(reply, "", one, "{\"path\": PATH, \"value\": VALUE}");
			return -EINVAL;
		}
		sets[i] = assignment(path, value);
		if (sets[i] == NULL)
			return -ENOMEM;
	}
	return 0;
}

void act_config(struct api *api, const struct request *request, struct reply *reply)
{
	json_t *list = as_list(request->body);
	size_t n = json_array_size(list);
	char **sets = calloc(n + 1, sizeof(*sets));
	struct err err = {0};

	if (list == NULL || n == 0 || sets == NULL) {
		wrong(reply, "", request->body, "{\"PATH\": VALUE, ...} with at least one");
	} else if (collect(list, sets, reply) == 0) {
		if (running_change(api_running(api), (const char *const *)sets, (uint32_t)n,
				   &err) != 0)
			reply_err(reply, &err);
		else
			reply->json =
				json_pack("{s:i s:I}", "railyard", 1, "applied", (json_int_t)n);
	}
	for (size_t i = 0; sets != NULL && i < n; i++)
		free(sets[i]);
	free(sets);
	json_decref(list);
}

/* ---- ports ---- */

struct port_at {
	uint16_t sw, port;
};

static void other_end(const struct fabric *fabric, struct port_at at[2], int *n)
{
	for (uint16_t i = 0; i < fabric->n_links; i++)
		for (int end = 0; end < 2; end++)
			if (fabric->links[i].sw[end] == at[0].sw &&
			    fabric->links[i].port[end] == at[0].port) {
				at[1].sw = fabric->links[i].sw[!end];
				at[1].port = fabric->links[i].port[!end];
				*n = 2;
			}
}

/* The port that the body names, and with `cable` the other end of its cable too. Returns how many,
 * 0 with a reply. */
static int named_port(struct api *api, const struct request *request, struct reply *reply,
		      bool cable, struct port_at at[2])
{
	const struct fabric *fabric = &api_running(api)->fabric;
	json_t *port = json_object_get(request->body, "port");
	int n = 1;

	if (!json_is_string(port)) {
		wrong(reply, "port", port, "a port's name, like \"s1-h1\"");
		return 0;
	}
	if (fabric_port_find(fabric, json_string_value(port), &at[0].sw, &at[0].port) < 0) {
		wrong(reply, "port", port, "a port that `railyard show ports` lists");
		return 0;
	}
	if (cable)
		other_end(fabric, at, &n);
	return n;
}

static void done(struct reply *reply, int rc, const struct request *request)
{
	if (rc == 0)
		reply->json = json_pack("{s:i s:O}", "railyard", 1, "port",
					json_object_get(request->body, "port"));
	else
		reply_error(reply, MHD_HTTP_CONFLICT, "port", strerror(-rc),
			    "a worker that answers");
}

static void hold(struct api *api, const struct request *request, struct reply *reply, bool on)
{
	static const char *const keys[] = {"port", NULL};
	struct port_at at[2];

	if (only(request, keys, "port alone", reply) &&
	    named_port(api, request, reply, false, at) != 0)
		done(reply, rt_hold(api_running(api)->rt, at[0].sw, 0, at[0].port, on), request);
}

void act_hold(struct api *api, const struct request *request, struct reply *reply)
{
	hold(api, request, reply, true);
}

void act_release(struct api *api, const struct request *request, struct reply *reply)
{
	hold(api, request, reply, false);
}

void act_link(struct api *api, const struct request *request, struct reply *reply)
{
	static const char *const keys[] = {"port", "up", NULL};
	json_t *up = json_object_get(request->body, "up");
	struct port_at at[2];
	int n, rc = 0;

	if (!only(request, keys, "port and up alone", reply))
		return;
	if (!json_is_boolean(up)) {
		wrong(reply, "up", up, "true or false");
		return;
	}
	n = named_port(api, request, reply, true, at);
	for (int i = 0; rc == 0 && i < n; i++)
		rc = rt_link(api_running(api)->rt, at[i].sw, 0, at[i].port, json_is_true(up));
	if (n > 0)
		done(reply, rc, request);
}

/* A word of the body; fallback where there is none, NULL with a reply where it is no word. */
static const char *word_of(const struct request *request, const char *key, const char *fallback,
			   const char *expected, struct reply *reply)
{
	const json_t *value = json_object_get(request->body, key);

	if (value == NULL)
		return fallback;
	if (!json_is_string(value))
		wrong(reply, key, value, expected);
	return json_string_value(value);
}

static void clear(struct api *api, struct reader *reader, const char *what, const struct view *view,
		  struct reply *reply)
{
	struct running *run = api_running(api);
	bool all = strcmp(what, "all") == 0;
	int rc = running_clear(run, reader, all || strcmp(what, "counters") == 0,
			       all || strcmp(what, "watermarks") == 0);

	if (rc != 0) {
		reply_error(reply, MHD_HTTP_CONFLICT, "", strerror(-rc), "a worker that answers");
		return;
	}
	reply->json = view ? view_json(run, reader, view) : json_pack("{s:i}", "railyard", 1);
	json_object_set_new(reply->json, "reader", json_string(reader->name));
	json_object_set_new(reply->json, view ? "cleared_now" : "cleared", json_string(what));
}

void act_clear(struct api *api, const struct request *request, struct reply *reply)
{
	static const char *const keys[] = {"what", "reader", "show", NULL};
	static const char whats[] = "counters, watermarks or all";
	static const char shows[] = "ports, queues, pg, pfc, ecn or drops";
	const struct view *view = NULL;
	const char *what, *show, *name;
	struct reader *reader;
	struct err err = {0};

	if (!only(request, keys, "what, reader and show alone", reply))
		return;
	what = word_of(request, "what", "all", whats, reply);
	name = what ? word_of(request, "reader", "", "a reader's name", reply) : NULL;
	show = name ? word_of(request, "show", "", shows, reply) : NULL;
	if (show == NULL)
		return;
	view = view_find(show);
	reader = readers_find(&api_running(api)->readers, name, &err);
	if (strcmp(what, "counters") != 0 && strcmp(what, "watermarks") != 0 &&
	    strcmp(what, "all") != 0)
		reply_error(reply, MHD_HTTP_BAD_REQUEST, "what", what, whats);
	else if (show[0] != '\0' && view == NULL)
		reply_error(reply, MHD_HTTP_BAD_REQUEST, "show", show, shows);
	else if (reader == NULL)
		reply_err(reply, &err);
	else
		clear(api, reader, what, view, reply);
}

void act_restart(struct api *api, const struct request *request, struct reply *reply)
{
	static const char *const keys[] = {"what", NULL};
	json_t *what = json_object_get(request->body, "what");
	struct rt_buffer_stats buffers;
	struct err err = {0};

	if (!only(request, keys, "what alone", reply))
		return;
	if (!json_is_string(what) || strcmp(json_string_value(what), "workers") != 0)
		wrong(reply, "what", what, "workers");
	else if (rt_workers_restart(api_running(api)->rt, &buffers, &err) != 0)
		reply_err(reply, &err);
	else
		reply->json = json_pack("{s:i s:s s:o}", "railyard", 1, "restarted", "workers",
					"buffers", placement_buffers(&buffers));
}

void act_stop(struct api *api, const struct request *request, struct reply *reply)
{
	int lost;

	(void)request;
	lost = api_stop_switches(api);
	reply->json = json_pack("{s:i s:b s:i}", "railyard", 1, "stopped", 1, "buffers_lost", lost);
}
