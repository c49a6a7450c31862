/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices are railyardd's: this program is linked without DPDK. */
#define _GNU_SOURCE
#include "client.h"
#include "program.h"
#include "say.h"
#include "verbs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* "s1-h1" and the like: names of ports begin with a letter and have no colon and no underscore before
 * their dash, as device strings ("net_tap0", "0000:3b:00.0") have. */
static bool is_port_name(const char *word)
{
	size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789");

	return word[0] >= 'a' && word[0] <= 'z' && word[n] == '-' && strchr(word, ',') == NULL;
}

/* A port of a running switch is in use: says which device to test, and when. */
static int in_use(const struct args *args, const char *name, struct err *err)
{
	json_t *status = NULL, *sw, *port;
	struct place place;
	size_t s, p;
	int rc = client_place(&place, args, err);

	if (rc == 0)
		rc = client_json(&place, "GET", "/v1/status", NULL, &status, err);
	if (rc != 0)
		return rc;
	json_array_foreach(json_object_get(status, "switches"), s, sw)
		json_array_foreach(json_object_get(sw, "ports"), p, port)
			if (strcmp(get_str(port, "name"), name) == 0)
				rc = err_set(err, ERR_ENVIRONMENT, EBUSY, "railyard selftest", name,
					     "a port that is not switching: `railyard down`, then "
					     "`railyard selftest '%s'`",
					     get_str(port, "dev"));
	json_decref(status);
	if (rc != 0)
		return rc;
	return err_set(err, ERR_USAGE, ENOENT, "railyard selftest", name,
		       "a port that `railyard show ports` lists, or a DPDK device string");
}

int verb_selftest(const struct args *args)
{
	const char *words[10];
	char program[512];
	struct err err = {0};
	int n = 0;

	for (int i = 0; i < args->n_words; i++)
		if (is_port_name(args->words[i]) && in_use(args, args->words[i], &err) != 0)
			return say_err(&err);
	program_daemon(program, sizeof(program));
	words[n++] = program;
	words[n++] = "--selftest";
	if (options_given(args, "json"))
		words[n++] = "--json";
	if (options_given(args, "no-huge"))
		words[n++] = "--no-huge";
	if (options_given(args, "force"))
		words[n++] = "--force";
	words[n++] = "--";
	for (int i = 0; i < args->n_words; i++)
		words[n++] = args->words[i];
	words[n] = NULL;
	fflush(stdout);
	return program_become(words);
}
