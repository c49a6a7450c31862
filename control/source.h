/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario file kept as it was when it was read, with the assignments made since: what a running
 * switch was started from. A later edit of the file, or standard input being gone, changes nothing.
 * Control thread.
 */
#ifndef RY_SOURCE_H
#define RY_SOURCE_H

#include "control/scenario.h"

#define SOURCE_MAX (16 << 20) /* bytes of a scenario file */

struct source {
	int fd;         /* a copy in memory */
	char path[64];  /* by which it can be opened */
	char name[256]; /* as the user named it; messages say this */
	char **sets;    /* "PATH=VALUE", in the order in which they act */
	uint32_t n_sets;
};

/* Reads all of file ("-" = standard input). */
int source_open(struct source *out, const char *file, struct err *err);
void source_close(struct source *source);

/* Adds an assignment; earlier ones that it makes void (same path, or below it) go. */
int source_set(struct source *source, const char *assignment, struct err *err);
/* A second one with the same file and assignments, to try a change on. */
int source_copy(struct source *out, const struct source *source, struct err *err);

/* The scenario as it is now. */
int source_load(struct scenario *out, const struct source *source, struct err *err);

#endif
