/* SPDX-License-Identifier: BSD-3-Clause */
/* set, hold, release, link, clear: one request each. */
#include "client.h"
#include "say.h"
#include "verbs.h"

#include <errno.h>
#include <string.h>

/* Sends body (taken over) and says `done` or the error. */
static int ask(const struct args *args, const char *method, const char *path, json_t *body,
	       const char *done)
{
	json_t *answer = NULL;
	struct place place;
	struct err err = {0};
	int rc = client_place(&place, args, &err);

	if (rc == 0)
		rc = client_json(&place, method, path, body, &answer, &err);
	json_decref(body);
	if (rc != 0)
		return say_err(&err);
	if (options_given(args, "json"))
		say_json(answer);
	else
		printf("%s\n", done);
	json_decref(answer);
	return 0;
}

int verb_set(const struct args *args)
{
	json_t *list = json_array();
	struct err err = {0};
	const char *equals;

	for (int i = 0; i < args->n_words; i++) {
		equals = strchr(args->words[i], '=');
		if (equals == NULL || equals == args->words[i]) {
			json_decref(list);
			err_set(&err, ERR_USAGE, EINVAL, "railyard set", args->words[i],
				"PATH=VALUE, like switches.s1.ecn.3.min=20KB");
			return say_err(&err);
		}
		json_array_append_new(list, json_pack("{s:s% s:s}", "path", args->words[i],
						      (size_t)(equals - args->words[i]), "value",
						      equals + 1));
	}
	return ask(args, "PATCH", "/v1/config", list, "applied");
}

static int port_act(const struct args *args, const char *path, const char *done)
{
	return ask(args, "POST", path, json_pack("{s:s}", "port", args->words[0]), done);
}

int verb_hold(const struct args *args)
{
	return port_act(args, "/v1/hold", "held");
}

int verb_release(const struct args *args)
{
	return port_act(args, "/v1/release", "released");
}

int verb_link(const struct args *args)
{
	bool up = strcmp(args->words[1], "up") == 0;
	struct err err = {0};

	if (!up && strcmp(args->words[1], "down") != 0) {
		err_set(&err, ERR_USAGE, EINVAL, "railyard link", args->words[1], "up or down");
		return say_err(&err);
	}
	return ask(args, "POST", "/v1/link",
		   json_pack("{s:s s:b}", "port", args->words[0], "up", up), up ? "up" : "down");
}

int verb_restart(const struct args *args)
{
	return ask(args, "POST", "/v1/restart", json_pack("{s:s}", "what", args->words[0]),
		   "restarted");
}

int verb_clear(const struct args *args)
{
	return ask(args, "POST", "/v1/clear",
		   json_pack("{s:s s:s}", "what", args->n_words ? args->words[0] : "all", "reader",
			     options_value(args, "reader", "")),
		   "cleared");
}
