/* SPDX-License-Identifier: BSD-3-Clause */
#include "units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 u128;

struct unit {
	const char *name;
	uint64_t scale;
};

/* Largest first: units_print takes the first of the shortest. */
static const struct unit rate_units[] = {
	{"Tbps", UINT64_C(1000000000000)},
	{"Gbps", 1000000000},
	{"Mbps", 1000000},
	{"Kbps", 1000},
	{"bps", 1},
	{NULL, 0},
};
static const struct unit time_units[] = {
	{"s", UINT64_C(1000000000000)},
	{"ms", 1000000000},
	{"us", 1000000},
	{"ns", 1000},
	{"ps", 1},
	{NULL, 0},
};
static const struct unit size_units[] = {
	{"GiB", UINT64_C(1) << 30},
	{"GB", 1000000000},
	{"MiB", UINT64_C(1) << 20},
	{"MB", 1000000},
	{"KiB", UINT64_C(1) << 10},
	{"KB", 1000},
	{"B", 1},
	{NULL, 0},
};

static const struct quantity {
	const struct unit *units;
	const char *what, *names, *example, *whole;
} quantities[] = {
	[UNITS_RATE] = {rate_units, "a rate", "bps, Kbps, Mbps, Gbps, Tbps, or the word unlimited",
			"100Gbps", "bits per second"},
	[UNITS_TIME] = {time_units, "a time", "ps, ns, us, ms, s", "55us", "picoseconds"},
	[UNITS_SIZE] = {size_units, "a size", "B, KB, MB, GB, KiB, MiB, GiB", "400KB", "bytes"},
};

/* A decimal number: digits / 10^places. */
struct decimal {
	u128 digits;
	u128 tens;
};

__attribute__((format(printf, 4, 5))) static int refuse(int code, char *expected, size_t size,
							const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(expected, size, fmt, ap);
	va_end(ap);
	return -code;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads "12.5" and moves *text past it. At most 28 digits, so that nothing below overflows u128. */
static int decimal_read(const char **text, struct decimal *out)
{
	const char *p = *text;
	int digits = 0;

	*out = (struct decimal){.tens = 1};
	if (!is_digit(*p))
		return -EINVAL;
	for (; is_digit(*p); p++, digits++)
		out->digits = digits < 28 ? out->digits * 10 + (unsigned int)(*p - '0') : 0;
	if (*p == '.' && is_digit(p[1]))
		for (p++; is_digit(*p); p++, digits++) {
			out->digits = digits < 28 ? out->digits * 10 + (unsigned int)(*p - '0') : 0;
			out->tens = digits < 28 ? out->tens * 10 : 1;
		}
	*text = p;
	return digits > 28 ? -ERANGE : 0;
}

static const struct unit *unit_find(const struct unit *units, const char *name)
{
	for (; units->name != NULL; units++)
		if (strcmp(units->name, name) == 0)
			return units;
	return NULL;
}

/* digits / tens x scale, exact and within 64 bits. */
static int scaled(const struct decimal *number, uint64_t scale, uint64_t *out)
{
	u128 whole;

	if (number->digits > (u128)UINT64_MAX * UINT64_MAX / scale)
		return -ERANGE;
	whole = number->digits * scale;
	if (whole % number->tens != 0)
		return -EINVAL;
	if (whole / number->tens > UINT64_MAX)
		return -ERANGE;
	*out = (uint64_t)(whole / number->tens);
	return 0;
}

int units_parse(enum units_kind kind, const char *text, uint64_t *out, char *expected, size_t size)
{
	const struct quantity *q = &quantities[kind];
	const struct unit *unit;
	struct decimal number;
	int rc;

	if (kind == UNITS_RATE && strcmp(text, "unlimited") == 0) {
		*out = UNITS_UNLIMITED_BPS;
		return 0;
	}
	rc = decimal_read(&text, &number);
	if (rc == -ERANGE)
		return refuse(ERANGE, expected, size, "fewer digits: at most 28");
	if (rc < 0)
		return refuse(EINVAL, expected, size, "%s with its unit, such as %s (%s)", q->what,
			      q->example, q->names);
	if (*text == '\0')
		return refuse(EINVAL, expected, size, "a unit after the number: %s such as %s (%s)",
			      q->what, q->example, q->names);
	unit = unit_find(q->units, text + (*text == ' '));
	if (unit == NULL)
		return refuse(EINVAL, expected, size, "%s with one of the units %s, such as %s",
			      q->what, q->names, q->example);
	rc = scaled(&number, unit->scale, out);
	if (rc == -EINVAL)
		return refuse(EINVAL, expected, size, "a whole number of %s", q->whole);
	if (rc < 0)
		return refuse(ERANGE, expected, size, "%s below 2^64 %s", q->what, q->whole);
	return 0;
}

const char *units_print(enum units_kind kind, uint64_t value, char *buf)
{
	const struct unit *unit;
	char text[UNITS_TEXT];

	buf[0] = '\0';
	for (unit = quantities[kind].units; unit->name != NULL; unit++) {
		if (value % unit->scale != 0 || (value == 0 && unit->scale != 1))
			continue;
		snprintf(text, sizeof(text), "%" PRIu64 "%s", value / unit->scale, unit->name);
		if (buf[0] == '\0' || strlen(text) < strlen(buf))
			snprintf(buf, UNITS_TEXT, "%s", text);
	}
	return buf;
}

/* "20%", "1/8" or "0.125" as top / bottom; *bare tells the last. Both stay below 2^115. */
static int ratio_read(const char *text, u128 *top, u128 *bottom, bool *bare)
{
	struct decimal a, b = {.digits = 1, .tens = 1};

	*bare = false;
	if (decimal_read(&text, &a) < 0)
		return -EINVAL;
	if (strcmp(text, "%") == 0) {
		b.digits = 100;
	} else if (*text == '/') {
		text++;
		/* Integers over integers: enough for anyone, and no overflow. */
		if (a.tens != 1 || decimal_read(&text, &b) < 0 || *text != '\0' || b.tens != 1 ||
		    b.digits == 0 || b.digits > UINT32_MAX)
			return -EINVAL;
	} else if (*text != '\0') {
		return -EINVAL;
	} else {
		*bare = true;
	}
	if (a.digits > UINT64_MAX || a.tens > UINT64_MAX)
		return -ERANGE;
	*top = a.digits;
	*bottom = a.tens * b.digits;
	return 0;
}

static int ratio_round(u128 top, u128 bottom, uint64_t one, uint64_t *out)
{
	/* top < 2^64 and one < 2^32: the product fits. */
	u128 value = (top * one + bottom / 2) / bottom;

	if (value > UINT64_MAX)
		return -ERANGE;
	*out = (uint64_t)value;
	return 0;
}

int units_parse_part(const char *text, uint64_t one, uint64_t *out, char *expected, size_t size)
{
	static const char wanted[] = "a percentage such as 20% or a fraction such as 1/5";
	u128 top, bottom;
	bool bare;

	if (ratio_read(text, &top, &bottom, &bare) < 0)
		return refuse(EINVAL, expected, size, "%s", wanted);
	if (bare)
		return refuse(EINVAL, expected, size, "a %% after the number: %s", wanted);
	if (top > bottom)
		return refuse(ERANGE, expected, size, "at most 100%%");
	return ratio_round(top, bottom, one, out);
}

int units_parse_factor(const char *text, uint64_t one, uint64_t *out, char *expected, size_t size)
{
	u128 top, bottom;
	bool bare;

	if (ratio_read(text, &top, &bottom, &bare) < 0 || ratio_round(top, bottom, one, out) < 0)
		return refuse(EINVAL, expected, size, "a factor such as 1/8, 0.125 or 2");
	return 0;
}

const char *units_print_part(uint64_t value, uint64_t one, char *buf)
{
	u128 percent = (u128)value * 100;
	u128 rest = percent % one;
	int n = snprintf(buf, UNITS_TEXT, "%" PRIu64, (uint64_t)(percent / one));

	if (rest != 0)
		buf[n++] = '.';
	/* Ends for every `one` that is a power of ten, exact for those. */
	for (int i = 0; rest != 0 && i < 9; i++, rest %= one) {
		rest *= 10;
		buf[n++] = (char)('0' + (int)(rest / one));
	}
	snprintf(buf + n, UNITS_TEXT - (size_t)n, "%%");
	return buf;
}

const char *units_print_factor(uint64_t value, uint64_t one, char *buf)
{
	uint64_t a = value, b = one, t;

	do {
		t = a % b;
		a = b;
		b = t;
	} while (b != 0);
	if (value == 0 || a == one)
		snprintf(buf, UNITS_TEXT, "%" PRIu64, value / one);
	else
		snprintf(buf, UNITS_TEXT, "%" PRIu64 "/%" PRIu64, value / a, one / a);
	return buf;
}

static int count_digits(const char *text, uint64_t *out)
{
	*out = 0;
	for (; *text != '\0'; text++)
		if (__builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, (uint64_t)(*text - '0'), out))
			return -ERANGE;
	return 0;
}

int units_parse_count(const char *text, uint64_t *out, char *expected, size_t size)
{
	static const char digits[] = "0123456789";
	size_t plain = strspn(text, digits);

	if (plain == 0 || text[plain] != '\0') {
		if (plain > 0 && text[plain] == '_')
			return refuse(EINVAL, expected, size, "digits without underscores");
		if (text[0] == '0' && (text[1] == 'x' || text[1] == 'o' || text[1] == 'b'))
			return refuse(EINVAL, expected, size, "a decimal number");
		return refuse(EINVAL, expected, size, "a whole number");
	}
	if (text[0] == '0' && plain > 1)
		return refuse(EINVAL, expected, size,
			      "no leading zero: some YAML readers take it as octal; write %s",
			      text + strspn(text, "0") - (strspn(text, "0") == plain));
	if (count_digits(text, out) < 0)
		return refuse(ERANGE, expected, size, "a number below 2^64");
	return 0;
}
