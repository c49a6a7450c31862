/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of switches and hosts, and ranges of them. No state; any thread. */
#ifndef RY_NAMES_H
#define RY_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest name of a node: the port "x-y.99" fits SW_NAME. */
#define NAME_NODE 20

/* [a-z][a-z0-9_]*, at most max bytes. */
bool name_valid(const char *text, size_t max);

/* "h1-h16": both ends the same prefix and a number, the second not smaller, at most 4096 of them.
 * 0 = it is not a range; else how many, with the prefix's length and the first number. */
uint32_t name_range(const char *text, size_t *prefix, uint32_t *first);

/* A scenario's name from its file's: "dir/01-first-light.yaml" -> "first_light". */
void name_from_file(const char *file, char *buf, size_t size);

#endif
