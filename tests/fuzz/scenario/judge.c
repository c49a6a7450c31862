/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"

#include "control/check.h"
#include "control/fabric.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void must(bool ok, const char *what, const struct err *err)
{
	if (ok)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	fprintf(stderr, "place %s:%d:%d path '%s' found '%s' expected '%s'\n", err->file, err->line,
		err->col, err->path, err->found, err->expected);
	abort();
}

static char *effective(const struct scenario *scenario)
{
	const struct err none = {0};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	must(out != NULL && scenario_effective(scenario, out) == 0, "it can be printed", &none);
	fclose(out);
	return text;
}

/* What is printed loads again and prints the same. */
static void check_effective(const struct scenario *scenario)
{
	char *text = effective(scenario), *twice;
	struct scenario again;
	struct err err = {0};
	int rc = scenario_parse(&again, text, strlen(text), "effective", &err);

	if (rc != 0)
		fputs(text, stderr);
	must(rc == 0, "what is printed loads", &err);
	twice = effective(&again);
	if (strcmp(text, twice) != 0)
		fprintf(stderr, "%s\n---\n%s\n", text, twice);
	must(strcmp(text, twice) == 0, "it prints the same twice", &err);
	scenario_free(&again);
	free(text);
	free(twice);
}

/* One line that a person can act on. An assignment has no place in the file. */
static void check_words(const struct err *err, bool set)
{
	char text[1024];

	must(err->status == ERR_USAGE, "it is the user's mistake", err);
	must(set || (strcmp(err->file, "fuzz") == 0 && err->line > 0 && err->col > 0),
	     "the place is named", err);
	/* A key that is to come is not a wrong one. */
	must(err->found[0] != '\0' || strncmp(err->expected, "not in this version", 19) == 0,
	     "it says what was found", err);
	must(err->expected[0] != '\0', "it says what was expected", err);
	err_text(err, text, sizeof(text));
	for (const char *c = text; *c != '\0'; c++)
		must(!iscntrl((unsigned char)*c), "it is one line of text", err);
}

/* What programs read is JSON, whatever bytes the user has typed. */
static void check_documents(const struct err *err)
{
	struct finding finding = {.rule = "invalid", .at = *err};
	struct check_file file = {.file = "fuzz", .findings = &finding, .n_findings = 1};
	static const enum check_format formats[] = {CHECK_JSON, CHECK_SARIF};

	for (int i = 0; i < 2; i++) {
		char *text = NULL;
		size_t len = 0;
		FILE *out = open_memstream(&text, &len);
		json_t *json;

		must(out != NULL && check_print(&file, 1, formats[i], out) == 0,
		     "programs are told", err);
		fclose(out);
		json = json_loadb(text, len, 0, NULL);
		must(json != NULL, "what programs are told is JSON", err);
		json_decref(json);
		free(text);
	}
}

static int build(const struct scenario *scenario, struct err *err)
{
	const struct err none = {0};
	struct fabric fabric;
	int rc = fabric_build(&fabric, scenario, err);

	if (rc != 0)
		return rc;
	for (uint16_t i = 0; i < fabric.n_switches; i++) {
		must(sw_config_check(&fabric.switches[i].config, err) == 0, "the model takes it",
		     err);
		must(fabric.switches[i].tables != NULL, "it has tables", &none);
	}
	fabric_free(&fabric);
	return 0;
}

bool judge(const char *text, size_t len, const char *const *sets, uint32_t n)
{
	struct scenario scenario;
	struct err err = {0};
	int rc = scenario_parse_set(&scenario, text, len, "fuzz", sets, n, &err);

	if (rc == 0) {
		check_effective(&scenario);
		rc = build(&scenario, &err);
		scenario_free(&scenario);
	}
	must((rc == 0) == (err.status == ERR_NONE), "an error has words, and words an error", &err);
	if (rc != 0) {
		check_words(&err, n > 0);
		check_documents(&err);
	}
	return rc == 0;
}
