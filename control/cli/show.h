/* SPDX-License-Identifier: BSD-3-Clause */
/* What `show` can print: one function a word, from the API's answer. */
#ifndef RY_CLI_SHOW_H
#define RY_CLI_SHOW_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* all: also rows without anything to say. */
typedef void show_fn(const json_t *answer, bool all, FILE *out);

struct show_what {
	const char *words;  /* "queues", "queue counters" */
	const char *path;   /* of the API; NULL: not in this version */
	show_fn *print;     /* NULL: the answer is text */
	const char *clears; /* what --clear starts again, a word of POST /v1/clear; NULL: nothing */
	const char *reader; /* whose numbers these are; NULL: --reader says */
};

/* Ended by NULL words. */
extern const struct show_what show_whats[];

/* show_ports.c, show_queues.c, show_watchdog.c, show_tables.c */
show_fn show_ports, show_pfc, show_drops, show_queues, show_pg, show_buffer_pool, show_ecn,
	show_watchdog, show_tables, show_hash;

#endif
