/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"

#include "client.h"
#include "control/names.h"
#include "say.h"
#include "verbs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PERSISTENT "persistent"

const struct show_what show_whats[] = {
	{"ports", "/v1/ports", show_ports, "counters", NULL},
	{"queues", "/v1/queues", show_queues, "all", NULL},
	{"queue counters", "/v1/queues", show_queues, "counters", NULL},
	{"queue wredcounters", "/v1/ecn", show_ecn, "counters", NULL},
	{"queue watermark", "/v1/queues", show_queues, "watermarks", NULL},
	{"queue persistent-watermark", "/v1/queues", show_queues, "watermarks", PERSISTENT},
	{"pg", "/v1/pg", show_pg, "all", NULL},
	{"priority-group watermark", "/v1/pg", show_pg, "watermarks", NULL},
	{"priority-group persistent-watermark", "/v1/pg", show_pg, "watermarks", PERSISTENT},
	{"priority-group drop", "/v1/pg", show_pg, "counters", NULL},
	{"buffer_pool", "/v1/pg", show_buffer_pool, "watermarks", NULL},
	{"buffer_pool watermark", "/v1/pg", show_buffer_pool, "watermarks", NULL},
	{"buffer_pool persistent-watermark", "/v1/pg", show_buffer_pool, "watermarks", PERSISTENT},
	{"pfc", "/v1/pfc", show_pfc, "counters", NULL},
	{"pfc counters", "/v1/pfc", show_pfc, "counters", NULL},
	{"watchdog", "/v1/watchdog", show_watchdog, "counters", NULL},
	{"pfcwd stats", "/v1/watchdog", show_watchdog, "counters", NULL},
	{"pfcwd config", "/v1/watchdog", show_watchdog, "counters", NULL},
	{"ecn", "/v1/ecn", show_ecn, "counters", NULL},
	{"drops", "/v1/drops", show_drops, "counters", NULL},
	{"tables", "/v1/tables", show_tables, NULL, NULL},
	{"hash", "/v1/hash", show_hash, NULL, NULL},
	{"effective", "/v1/effective", NULL, NULL, NULL},
	{"flows", NULL, NULL, NULL, NULL},
	{"cc", NULL, NULL, NULL, NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static const struct show_what *find(const struct args *args, struct err *err)
{
	const char *names[32], *near;
	char words[128];
	int n = 0;

	snprintf(words, sizeof(words), "%s%s%s", args->words[0], args->n_words > 1 ? " " : "",
		 args->n_words > 1 ? args->words[1] : "");
	for (const struct show_what *w = show_whats; w->words != NULL; w++) {
		if (strcmp(w->words, words) == 0 && w->path != NULL)
			return w;
		if (strcmp(w->words, words) == 0) {
			err_set(err, ERR_USAGE, ENOTSUP, "railyard show", "",
				"`show %s` is not in this version: a switch on real ports has none",
				words);
			return NULL;
		}
		names[n++] = w->words;
	}
	near = options_nearest(words, names, n);
	err_set(err, ERR_USAGE, EINVAL, "railyard show", words, "%s%s%s",
		near ? "a word it knows; did you mean " : "a word it knows: ",
		near ? near
		     : "ports queues pg buffer_pool pfc watchdog ecn drops tables hash effective",
		near ? "?" : "");
	return NULL;
}

static int show_text(const struct place *place, const struct show_what *what,
		     const struct args *args, struct err *err)
{
	char *text = NULL;
	json_t *json;
	int rc = client_text(place, what->path, &text, err);

	if (rc != 0)
		return rc;
	if (options_given(args, "json")) {
		json = json_pack("{s:i s:s}", "railyard", 1, args->words[0], text);
		say_json(json);
		json_decref(json);
	} else {
		fputs(text, stdout);
	}
	free(text);
	return 0;
}

/* Who reads, "" = everybody who gives no name; NULL and *err where there are no readers, or it is no
 * name. */
static const char *reader_of(const struct show_what *what, const struct args *args, struct err *err)
{
	bool asks = options_given(args, "reader") || options_given(args, "clear");
	const char *given = options_value(args, "reader", NULL);
	const char *name = given ? given : what->reader ? what->reader : "";

	if (what->clears == NULL && asks)
		err_set(err, ERR_USAGE, EINVAL, "railyard show", what->words,
			"counters or watermarks: --reader and --clear are for those");
	else if (what->reader != NULL && given != NULL && strcmp(given, what->reader) != 0)
		err_set(err, ERR_USAGE, EINVAL, "railyard show", given,
			"no --reader: `show %s` is what %s has", what->words, what->reader);
	else if (name[0] != '\0' && !name_valid(name, 64))
		err_set(err, ERR_USAGE, EINVAL, "railyard show", name,
			"--reader with a name: a small letter, then small letters, digits and _");
	else
		return name;
	return NULL;
}

static int ask(const struct place *place, const struct show_what *what, const struct args *args,
	       json_t **answer, struct err *err)
{
	const char *reader = reader_of(what, args, err);
	char path[160];
	json_t *body;
	int rc;

	if (reader == NULL)
		return -EINVAL;
	if (!options_given(args, "clear")) {
		snprintf(path, sizeof(path), "%s%s%s", what->path, reader[0] ? "?reader=" : "",
			 reader);
		return client_json(place, "GET", path, NULL, answer, err);
	}
	body = json_pack("{s:s s:s s:s}", "what", what->clears, "reader", reader, "show",
			 what->path + strlen("/v1/"));
	rc = client_json(place, "POST", "/v1/clear", body, answer, err);
	json_decref(body);
	return rc;
}

static int show_once(const struct place *place, const struct show_what *what,
		     const struct args *args, struct err *err)
{
	json_t *answer;
	int rc;

	if (what->print == NULL && reader_of(what, args, err) == NULL)
		return -EINVAL;
	if (what->print == NULL)
		return show_text(place, what, args, err);
	rc = ask(place, what, args, &answer, err);
	if (rc != 0)
		return rc;
	if (options_given(args, "json"))
		say_json(answer);
	else
		what->print(answer, options_given(args, "all"), stdout);
	json_decref(answer);
	return 0;
}

/* A positive number of up to max; -EINVAL and *err. */
static int number(const struct args *args, const char *name, double fallback, double max,
		  double *out, struct err *err)
{
	const char *text = options_value(args, name, NULL);
	char *end;

	*out = fallback;
	if (text == NULL)
		return 0;
	*out = strtod(text, &end);
	if (end != text && strcmp(end, "s") == 0)
		end++;
	if (end == text || *end != '\0' || !(*out >= 0.1) || *out > max)
		return err_set(err, ERR_USAGE, EINVAL, "railyard show", text,
			       "--%s with a number from 0.1 to %.0f", name, max);
	return 0;
}

static int watch(const struct place *place, const struct show_what *what, const struct args *args,
		 struct err *err)
{
	double seconds, count;
	struct timespec pause;
	int rc = number(args, "watch", 1, 86400, &seconds, err);

	if (rc == 0)
		rc = number(args, "count", 1e9, 1e9, &count, err);
	if (rc != 0)
		return rc;
	pause.tv_sec = (time_t)seconds;
	pause.tv_nsec = (long)((seconds - (double)pause.tv_sec) * 1e9);
	for (long i = 0; rc == 0 && i < (long)count; i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		if (isatty(STDOUT_FILENO))
			fputs("\033[H\033[2J", stdout);
		else if (i > 0)
			putchar('\n');
		rc = show_once(place, what, args, err);
		fflush(stdout);
	}
	return rc;
}

int verb_show(const struct args *args)
{
	struct err err = {0};
	const struct show_what *what = find(args, &err);
	struct place place;
	int rc;

	if (what == NULL)
		return say_err(&err);
	rc = client_place(&place, args, &err);
	if (rc == 0 && options_given(args, "watch"))
		rc = watch(&place, what, args, &err);
	else if (rc == 0)
		rc = show_once(&place, what, args, &err);
	return rc == 0 ? 0 : say_err(&err);
}
