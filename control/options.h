/* SPDX-License-Identifier: BSD-3-Clause */
/* Command lines from tables: what an option is called, what it takes and what it does stand in one
 * place, from which the parser, --help and the man pages are made.
 *
 * A command takes options from several tables (its own, those all share). Nothing is copied: the
 * words of argv live on. No globals, any thread.
 */
#ifndef RY_OPTIONS_H
#define RY_OPTIONS_H

#include "dataplane/model/err.h"

#include <stdbool.h>
#include <stdio.h>

enum option_kind {
	OPTION_FLAG,
	OPTION_VALUE, /* --name VALUE or --name=VALUE */
	OPTION_MAYBE, /* --name, --name=VALUE, or --name VALUE when VALUE starts with a digit */
};

struct option_def {
	const char *name; /* without the dashes; NULL ends a table */
	char letter;      /* one-letter form, 0 = none */
	enum option_kind kind;
	const char *value; /* what the value is, "ADDR:PORT"; NULL for a flag */
	const char *help;
};

#define OPTION_TABLES 4

/* What a command line may say. */
struct command {
	const char *name;     /* "railyard up": begins every message */
	const char *synopsis; /* "FILE [--listen ADDR:PORT]" */
	const char *summary;  /* one line */
	const char *details;  /* paragraphs for --help and the man page; may be NULL */
	const struct option_def *tables[OPTION_TABLES];
	int min_words, max_words; /* how many that are not options; max < 0: any number */
};

struct option_use {
	const struct option_def *def;
	const char *value; /* NULL when none was given */
};

/* What it said, in order. */
struct args {
	struct option_use *uses;
	const char **words;
	int n_uses, n_words;
};

/* Parses argv[0..argc), without the program's and the verb's names. --help stops the parse: it is
 * then the last use. -EINVAL and *err name the word, and the nearest option when one is near. */
int options_parse(struct args *out, const struct command *command, int argc, char **argv,
		  struct err *err);
void options_free(struct args *args);

bool options_given(const struct args *args, const char *name);
/* The last value given, or fallback. */
const char *options_value(const struct args *args, const char *name, const char *fallback);
/* All values of a repeated option, in order, into values[max]; how many there were. */
int options_values(const struct args *args, const char *name, const char **values, int max);

/* --help. */
void options_help(const struct command *command, FILE *out);

/* The one of n names (NULLs skipped) that `word` was probably meant to be, or NULL. */
const char *options_nearest(const char *word, const char *const *names, int n);

#endif
