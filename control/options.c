/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 64
#define MAX_WORD 64

static int min3(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

/* Edits (insert, delete, change a letter) from a to b. */
static int distance(const char *a, const char *b)
{
	int row[MAX_WORD + 1], n = (int)strlen(b), diagonal, above;

	for (int j = 0; j <= n; j++)
		row[j] = j;
	for (int i = 1; a[i - 1] != '\0'; i++) {
		diagonal = row[0];
		row[0] = i;
		for (int j = 1; j <= n; j++) {
			above = row[j];
			row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[n];
}

const char *options_nearest(const char *word, const char *const *names, int n)
{
	int length = (int)strlen(word), best = length / 2 < 3 ? length / 2 + 1 : 4, d;
	const char *found = NULL;

	if (length > MAX_WORD)
		return NULL;
	for (int i = 0; i < n; i++) {
		if (names[i] == NULL || strlen(names[i]) > MAX_WORD)
			continue;
		d = distance(word, names[i]);
		if (d < best) {
			best = d;
			found = names[i];
		}
	}
	return found;
}

static const struct option_def *find(const struct command *command, const char *name, size_t length,
				     char letter)
{
	for (int t = 0; t < OPTION_TABLES && command->tables[t] != NULL; t++)
		for (const struct option_def *d = command->tables[t]; d->name != NULL; d++) {
			if (letter != 0 && d->letter == letter)
				return d;
			if (letter == 0 && strlen(d->name) == length &&
			    strncmp(d->name, name, length) == 0)
				return d;
		}
	return NULL;
}

static int unknown(const struct command *command, const char *word, struct err *err)
{
	const char *names[MAX_OPTIONS], *near;
	char bare[MAX_WORD + 1];
	int n = 0;

	for (int t = 0; t < OPTION_TABLES && command->tables[t] != NULL; t++)
		for (const struct option_def *d = command->tables[t]; d->name != NULL; d++)
			if (n < MAX_OPTIONS)
				names[n++] = d->name;
	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(word, "="), word);
	near = options_nearest(bare + strspn(bare, "-"), names, n);
	if (near != NULL)
		return err_set(err, ERR_USAGE, EINVAL, command->name, word,
			       "an option it has; did you mean --%s?", near);
	return err_set(err, ERR_USAGE, EINVAL, command->name, word,
		       "an option it has (%s --help lists them)", command->name);
}

/* The value of argv[i], whose option is def and whose "=VALUE" part is inline_value; moves *i on
 * when the next word is the value. */
static int take_value(struct option_use *use, const struct command *command, char **argv, int argc,
		      int *i, struct err *err)
{
	const char *next = *i + 1 < argc ? argv[*i + 1] : NULL;

	if (use->def->kind == OPTION_FLAG) {
		if (use->value == NULL)
			return 0;
		return err_set(err, ERR_USAGE, EINVAL, command->name, argv[*i],
			       "--%s without a value", use->def->name);
	}
	if (use->value != NULL)
		return 0;
	if (use->def->kind == OPTION_MAYBE && (next == NULL || !isdigit((unsigned char)*next)))
		return 0;
	if (next == NULL)
		return err_set(err, ERR_USAGE, EINVAL, command->name, argv[*i], "--%s %s",
			       use->def->name, use->def->value);
	use->value = next;
	(*i)++;
	return 0;
}

static int parse_option(struct args *out, const struct command *command, int argc, char **argv,
			int *i, struct err *err)
{
	struct option_use *use = &out->uses[out->n_uses];
	const char *word = argv[*i], *equals;
	size_t length;

	if (word[1] == '-') {
		equals = strchr(word, '=');
		length = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
		use->def = find(command, word + 2, length, 0);
		use->value = equals ? equals + 1 : NULL;
	} else {
		use->def = find(command, NULL, 0, word[1]);
		use->value = word[2] != '\0' ? word + 2 : NULL;
	}
	if (use->def == NULL)
		return unknown(command, word, err);
	out->n_uses++;
	return take_value(use, command, argv, argc, i, err);
}

static int check_words(const struct args *args, const struct command *command, struct err *err)
{
	const char *verb = command->synopsis;

	if (args->n_words < command->min_words)
		return err_set(err, ERR_USAGE, EINVAL, command->name,
			       args->n_words ? args->words[args->n_words - 1] : "nothing", "%s",
			       verb);
	if (command->max_words >= 0 && args->n_words > command->max_words)
		return err_set(err, ERR_USAGE, EINVAL, command->name,
			       args->words[command->max_words], "%s",
			       verb[0] ? verb : "no more words");
	return 0;
}

static int parse_all(struct args *out, const struct command *command, int argc, char **argv,
		     struct err *err)
{
	bool only_words = false;
	int rc;

	for (int i = 0; i < argc; i++) {
		if (!only_words && strcmp(argv[i], "--") == 0) {
			only_words = true;
		} else if (only_words || argv[i][0] != '-' || argv[i][1] == '\0') {
			out->words[out->n_words++] = argv[i];
		} else {
			rc = parse_option(out, command, argc, argv, &i, err);
			if (rc != 0)
				return rc;
			if (options_given(out, "help"))
				return 0;
		}
	}
	return check_words(out, command, err);
}

int options_parse(struct args *out, const struct command *command, int argc, char **argv,
		  struct err *err)
{
	int rc;

	memset(out, 0, sizeof(*out));
	out->uses = calloc((size_t)argc + 1, sizeof(*out->uses));
	out->words = calloc((size_t)argc + 1, sizeof(*out->words));
	if (out->uses == NULL || out->words == NULL)
		rc = err_set(err, ERR_ENVIRONMENT, ENOMEM, command->name, "", "out of memory");
	else
		rc = parse_all(out, command, argc, argv, err);
	if (rc != 0)
		options_free(out);
	return rc;
}

void options_free(struct args *args)
{
	free(args->uses);
	free(args->words);
	memset(args, 0, sizeof(*args));
}

bool options_given(const struct args *args, const char *name)
{
	for (int i = 0; i < args->n_uses; i++)
		if (strcmp(args->uses[i].def->name, name) == 0)
			return true;
	return false;
}

const char *options_value(const struct args *args, const char *name, const char *fallback)
{
	for (int i = args->n_uses - 1; i >= 0; i--)
		if (strcmp(args->uses[i].def->name, name) == 0 && args->uses[i].value != NULL)
			return args->uses[i].value;
	return fallback;
}

int options_values(const struct args *args, const char *name, const char **values, int max)
{
	int n = 0;

	for (int i = 0; i < args->n_uses; i++) {
		if (strcmp(args->uses[i].def->name, name) != 0 || args->uses[i].value == NULL)
			continue;
		if (n < max)
			values[n] = args->uses[i].value;
		n++;
	}
	return n;
}

static void option_line(const struct option_def *d, FILE *out)
{
	char left[64];

	snprintf(left, sizeof(left), "%c%c%s--%s%s%s%s", d->letter ? '-' : ' ',
		 d->letter ? d->letter : ' ', d->letter ? ", " : "  ", d->name,
		 d->kind == OPTION_FLAG ? "" : (d->kind == OPTION_MAYBE ? "[=" : " "),
		 d->value ? d->value : "", d->kind == OPTION_MAYBE ? "]" : "");
	if (strlen(left) <= 26)
		fprintf(out, "  %-26s  %s\n", left, d->help);
	else
		fprintf(out, "  %s\n  %-26s  %s\n", left, "", d->help);
}

void options_help(const struct command *command, FILE *out)
{
	fprintf(out, "usage: %s%s%s\n\n%s\n", command->name, command->synopsis[0] ? " " : "",
		command->synopsis, command->summary);
	if (command->details != NULL)
		fprintf(out, "\n%s\n", command->details);
	fprintf(out, "\noptions:\n");
	for (int t = 0; t < OPTION_TABLES && command->tables[t] != NULL; t++)
		for (const struct option_def *d = command->tables[t]; d->name != NULL; d++)
			option_line(d, out);
}
