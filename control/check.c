/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include "check_real.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool check_add(struct check_file *file, const char *rule, enum finding_level level,
	       const struct err *at)
{
	struct finding *more =
		realloc(file->findings, (file->n_findings + 1) * sizeof(*file->findings));

	if (more == NULL)
		return false;
	file->findings = more;
	more = &file->findings[file->n_findings++];
	*more = (struct finding){.level = level, .at = *at};
	snprintf(more->rule, sizeof(more->rule), "%s", rule);
	return true;
}

/* Loads and builds; on success prints what was asked for. */
static void check_one(struct check_file *file, bool effective, FILE *out)
{
	struct scenario scenario;
	struct fabric fabric;
	struct err err = {0};

	if (scenario_load(&scenario, file->file, &err) == 0) {
		if (fabric_build(&fabric, &scenario, &err) == 0) {
			snprintf(file->name, sizeof(file->name), "%s", scenario.name);
			check_real(file, &scenario, &fabric);
			fabric_free(&fabric);
			if (effective && scenario_effective(&scenario, out) < 0)
				err_set(&err, ERR_ENVIRONMENT, EIO, "", "",
					"cannot write the output");
		}
		scenario_free(&scenario);
	}
	if (err.status == ERR_NONE)
		return;
	err_at(&err, file->file, 0, 0);
	check_add(file, err.status == ERR_ENVIRONMENT ? "environment" : "invalid", FINDING_ERROR,
		  &err);
}

static int worst(int a, int b)
{
	return a > b ? a : b;
}

static int status_of(const struct check_file *file, bool strict)
{
	int status = 0;

	for (uint32_t i = 0; i < file->n_findings; i++) {
		const struct finding *f = &file->findings[i];

		if (f->at.status != ERR_NONE)
			status = worst(status, (int)f->at.status);
		else if (f->level == FINDING_ERROR || (strict && f->level == FINDING_WARNING))
			status = worst(status, 1);
	}
	return status;
}

/* An error needs no word: the exit status says it. */
static const char *const level_words[] =
	{[FINDING_ERROR] = "", [FINDING_WARNING] = "warning: ", [FINDING_NOTE] = "note: "};

static void print_lines(const struct check_file *file, FILE *errors)
{
	char text[1024];

	for (uint32_t i = 0; i < file->n_findings; i++)
		fprintf(errors, "%s%s\n", level_words[file->findings[i].level],
			err_text(&file->findings[i].at, text, sizeof(text)));
}

static bool has_errors(const struct check_file *file)
{
	for (uint32_t i = 0; i < file->n_findings; i++)
		if (file->findings[i].level == FINDING_ERROR)
			return true;
	return false;
}

int check_files(const char *const *files, int n, const struct check_options *options, FILE *out,
		FILE *errors)
{
	struct check_file *results = calloc((size_t)n + 1, sizeof(*results));
	bool effective = options->effective && options->format == CHECK_TEXT;
	int status = 0;

	if (results == NULL)
		return ERR_ENVIRONMENT;
	for (int i = 0; i < n; i++) {
		results[i].file = files[i];
		if (effective && i > 0)
			fprintf(out, "---\n");
		check_one(&results[i], effective, out);
		status = worst(status, status_of(&results[i], options->strict));
		print_lines(&results[i], errors);
		if (options->format == CHECK_TEXT && !effective && !has_errors(&results[i]))
			fprintf(out, "%s: ok\n", files[i]);
	}
	if (options->format != CHECK_TEXT && check_print(results, n, options->format, out) < 0)
		status = ERR_ENVIRONMENT;
	for (int i = 0; i < n; i++)
		free(results[i].findings);
	free(results);
	return status;
}
