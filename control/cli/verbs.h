/* SPDX-License-Identifier: BSD-3-Clause */
/* The verbs of railyard: one table (verbs.c) that the dispatcher, `help`, the man page and the tests
 * read. A verb gets its parsed command line and returns the exit status. One thread.
 */
#ifndef RY_CLI_VERBS_H
#define RY_CLI_VERBS_H

#include "control/options.h"

typedef int verb_fn(const struct args *args);

struct verb {
	const char *name;
	struct command command; /* .name "railyard NAME" */
	verb_fn *run;           /* NULL: not in this version */
};

/* Ended by a NULL name. */
extern const struct verb verbs[];
/* Options that every verb has: --help. */
extern const struct option_def verb_common[];

/* NULL when there is none of that name. */
const struct verb *verb_find(const char *name);
/* Runs argv[0] with the words after it; the exit status. */
int verb_run(int argc, char **argv);

verb_fn verb_up, verb_down, verb_status, verb_show, verb_set, verb_hold, verb_release, verb_link,
	verb_clear, verb_restart, verb_check, verb_list, verb_selftest, verb_help;

#endif
