/* SPDX-License-Identifier: BSD-3-Clause */
/* `railyard check`: is what the user wrote valid, and what is to be said about it.
 *
 * A file that cannot be used gives one finding, the error of its reading. People read findings on
 * the error stream, one line each; programs read a document on the output, in one of the formats.
 * Control thread.
 */
#ifndef RY_CHECK_H
#define RY_CHECK_H

#include "dataplane/model/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum check_format { CHECK_TEXT, CHECK_JSON, CHECK_SARIF, CHECK_JUNIT, CHECK_GITHUB };
enum finding_level { FINDING_ERROR, FINDING_WARNING, FINDING_NOTE };

struct finding {
	char rule[16]; /* stable: "invalid", "environment" */
	enum finding_level level;
	struct err at; /* place, path, found, expected */
};

struct check_file {
	const char *file; /* as the user named it */
	char name[64];    /* the scenario's; "" when it is not valid */
	struct finding *findings;
	uint32_t n_findings;
};

struct check_options {
	bool effective; /* print the scenario with every default */
	bool strict;    /* a warning fails too */
	enum check_format format;
};

/* The exit status: 0 fine, 1 a finding failed, 2 a file is invalid, 3 it cannot be read. */
int check_files(const char *const *files, int n, const struct check_options *options, FILE *out,
		FILE *errors);

/* -1 when there is none of that name: text json sarif junit github. */
int check_format_by_name(const char *name);

/* Adds a finding; false when memory is short. */
bool check_add(struct check_file *file, const char *rule, enum finding_level level,
	       const struct err *at);

/* The document of a format. 0, or -errno. */
int check_print(const struct check_file *files, int n, enum check_format format, FILE *out);

#endif
