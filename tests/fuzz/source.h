/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a fuzz program's choices come from: a seed, or the bytes that libFuzzer hands it (which it can
 * then change choice by choice). The same seed or bytes give the same choices on every machine.
 */
#ifndef RY_FUZZ_SOURCE_H
#define RY_FUZZ_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source {
	const uint8_t *bytes; /* NULL: drawn from state, without end */
	size_t left;
	uint64_t state;
};

struct source source_of_seed(uint64_t seed);
struct source source_of_bytes(const uint8_t *bytes, size_t n);
/* The bytes are used up: all further choices are 0. */
bool source_done(const struct source *source);

uint64_t draw64(struct source *source);
/* 0 .. n-1; n at least 1. */
uint32_t draw(struct source *source, uint32_t n);
/* True once in n; false when the bytes are used up. n at least 2. */
bool one_in(struct source *source, uint32_t n);
/* low .. high. */
uint32_t draw_between(struct source *source, uint32_t low, uint32_t high);
/* The index of a weight, as often as it weighs; the weights end with a 0. */
uint32_t draw_weighted(struct source *source, const uint8_t *weights);

#define draw_of(source, array) ((array)[draw(source, sizeof(array) / sizeof((array)[0]))])

#endif
