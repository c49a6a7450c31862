/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes to the user: errors, colours, numbers with units. */
#ifndef RY_CLI_SAY_H
#define RY_CLI_SAY_H

#include "dataplane/model/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#define SAY_NUMBER 32

/* Prints "railyard: ERROR" and returns the exit status. */
int say_err(const struct err *err);

enum say_colour { SAY_GOOD, SAY_BAD };
/* The word, coloured when standard output is a terminal (and NO_COLOR is not set). In one of two
 * buffers of the caller's thread: good for a single printf. */
const char *say_coloured(enum say_colour colour, const char *word);

/* "1.5 MB", "100 Gb/s", "12.3 us"; powers of 1000, at most four digits. Return buf. */
const char *say_bytes(char buf[SAY_NUMBER], uint64_t bytes);
const char *say_rate(char buf[SAY_NUMBER], uint64_t bps);
const char *say_time(char buf[SAY_NUMBER], uint64_t ps);

/* Prints JSON to standard output, indented. */
void say_json(const json_t *json);

/* A member as a number, 0 when it is not there. */
uint64_t get_u64(const json_t *object, const char *name);
const char *get_str(const json_t *object, const char *name);
bool get_bool(const json_t *object, const char *name);

#endif
