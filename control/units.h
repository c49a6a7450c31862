/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities with units, as a user writes them: "100Gbps" "55us" "32KiB" "20%" "1/8".
 *
 * Integers throughout: "1.5us" is exact, "1.5ps" is refused, so is what does not fit 64 bits. What
 * units_print writes, units_parse reads back as the same value. No state; any thread.
 */
#ifndef RY_UNITS_H
#define RY_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum units_kind {
	UNITS_RATE, /* bits per second; "unlimited" is UNITS_UNLIMITED_BPS */
	UNITS_TIME, /* picoseconds */
	UNITS_SIZE, /* bytes */
};

#define UNITS_UNLIMITED_BPS UINT64_C(1600000000000)
#define UNITS_TEXT 32 /* room for any printed quantity */

/* 0 and *out, or -EINVAL / -ERANGE and in expected a sentence that goes after "expected ". */
int units_parse(enum units_kind kind, const char *text, uint64_t *out, char *expected, size_t size);

/* The shortest exact form, "1500ns" rather than "1500000ps". Returns buf[UNITS_TEXT]. */
const char *units_print(enum units_kind kind, uint64_t value, char *buf);

/* A part of `one` (20% or 1/5, with one = 1000000000: 200000000), rounded to the nearest; above 1 is
 * out of range. A bare number is refused: is 20 meant as 20 % or as 20 times? */
int units_parse_part(const char *text, uint64_t one, uint64_t *out, char *expected, size_t size);
const char *units_print_part(uint64_t value, uint64_t one, char *buf);

/* A factor ("1/8", "0.125", "2", "50%") in units of 1/one, rounded to the nearest. */
int units_parse_factor(const char *text, uint64_t one, uint64_t *out, char *expected, size_t size);
const char *units_print_factor(uint64_t value, uint64_t one, char *buf);

/* Decimal digits alone. 0x10, 010 and 1_000, which YAML readers disagree about, are refused. */
int units_parse_count(const char *text, uint64_t *out, char *expected, size_t size);

#endif
