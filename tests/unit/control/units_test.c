/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/units.c"

#include "tests/unit/cu.h"

#include <stdlib.h>

static uint64_t good(enum units_kind kind, const char *text)
{
	char why[256] = "";
	uint64_t value = 0;

	CU_ASSERT_EQUAL(units_parse(kind, text, &value, why, sizeof(why)), 0);
	if (why[0] != '\0')
		printf("%s: %s\n", text, why);
	return value;
}

/* That it is refused with that code and a sentence that holds the word. */
static void bad(enum units_kind kind, const char *text, int code, const char *word)
{
	char why[256] = "";
	uint64_t value = 77;

	CU_ASSERT_EQUAL(units_parse(kind, text, &value, why, sizeof(why)), -code);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, word));
	CU_ASSERT_EQUAL(value, 77);
}

static void parse_values(void)
{
	CU_ASSERT_EQUAL(good(UNITS_RATE, "100Gbps"), 100000000000u);
	CU_ASSERT_EQUAL(good(UNITS_RATE, "1.6Tbps"), UNITS_UNLIMITED_BPS);
	CU_ASSERT_EQUAL(good(UNITS_RATE, "unlimited"), UNITS_UNLIMITED_BPS);
	CU_ASSERT_EQUAL(good(UNITS_RATE, "20 Mbps"), 20000000u);
	CU_ASSERT_EQUAL(good(UNITS_RATE, "9bps"), 9u);
	CU_ASSERT_EQUAL(good(UNITS_TIME, "1us"), 1000000u);
	CU_ASSERT_EQUAL(good(UNITS_TIME, "1.5ns"), 1500u);
	CU_ASSERT_EQUAL(good(UNITS_TIME, "0s"), 0u);
	CU_ASSERT_EQUAL(good(UNITS_TIME, "2ms"), 2000000000u);
	CU_ASSERT_EQUAL(good(UNITS_SIZE, "64B"), 64u);
	CU_ASSERT_EQUAL(good(UNITS_SIZE, "400KB"), 400000u);
	CU_ASSERT_EQUAL(good(UNITS_SIZE, "32KiB"), 32768u);
	CU_ASSERT_EQUAL(good(UNITS_SIZE, "0.5KiB"), 512u);
	CU_ASSERT_EQUAL(good(UNITS_SIZE, "2GiB"), UINT64_C(2) << 30);
	CU_ASSERT_EQUAL(good(UNITS_SIZE, "18446744073709551615B"), UINT64_MAX);
}

static void parse_bare_number(void)
{
	bad(UNITS_RATE, "100", EINVAL, "a unit after the number: a rate such as 100Gbps");
	bad(UNITS_TIME, "100", EINVAL, "55us");
	bad(UNITS_SIZE, "1.5", EINVAL, "400KB");
}

static void parse_refused(void)
{
	bad(UNITS_RATE, "100G", EINVAL, "Gbps");
	bad(UNITS_RATE, "100gbps", EINVAL, "Gbps");
	bad(UNITS_RATE, "100KB", EINVAL, "a rate");
	bad(UNITS_RATE, "fast", EINVAL, "a rate");
	bad(UNITS_RATE, "", EINVAL, "a rate");
	bad(UNITS_TIME, "1:30", EINVAL, "a time");
	bad(UNITS_TIME, "-1us", EINVAL, "a time");
	bad(UNITS_TIME, "+1us", EINVAL, "a time");
	bad(UNITS_TIME, "1.us", EINVAL, "a time");
	bad(UNITS_TIME, "1us ", EINVAL, "a time");
	bad(UNITS_TIME, "1  us", EINVAL, "a time");
	bad(UNITS_TIME, "1_000us", EINVAL, "a time");
	bad(UNITS_TIME, "unlimited", EINVAL, "a time");
	bad(UNITS_SIZE, "1e3B", EINVAL, "a size");
	bad(UNITS_SIZE, "0x10B", EINVAL, "a size");
}

static void parse_inexact(void)
{
	bad(UNITS_TIME, "0.5ps", EINVAL, "whole number of picoseconds");
	bad(UNITS_TIME, "1.0001ns", EINVAL, "whole");
	bad(UNITS_SIZE, "0.1KiB", EINVAL, "whole number of bytes");
	CU_ASSERT_EQUAL(good(UNITS_TIME, "1.000ps"), 1u);
}

static void parse_overflow(void)
{
	bad(UNITS_SIZE, "18446744073709551616B", ERANGE, "2^64");
	bad(UNITS_SIZE, "20000000000GiB", ERANGE, "2^64");
	bad(UNITS_TIME, "9999999999999999999999999999s", ERANGE, "2^64");
	bad(UNITS_TIME, "99999999999999999999999999999s", ERANGE, "28");
	bad(UNITS_RATE, "18446744.0737095516161Tbps", EINVAL, "whole");
	bad(UNITS_RATE, "18446745Tbps", ERANGE, "2^64");
}

static void print_shortest(void)
{
	char text[UNITS_TEXT];

	CU_ASSERT_STRING_EQUAL(units_print(UNITS_TIME, 1500000, text), "1500ns");
	CU_ASSERT_STRING_EQUAL(units_print(UNITS_TIME, 1000000000000, text), "1s");
	CU_ASSERT_STRING_EQUAL(units_print(UNITS_SIZE, 33554432, text), "32MiB");
	CU_ASSERT_STRING_EQUAL(units_print(UNITS_SIZE, 400000, text), "400KB");
	CU_ASSERT_STRING_EQUAL(units_print(UNITS_SIZE, 1, text), "1B");
	CU_ASSERT_STRING_EQUAL(units_print(UNITS_SIZE, 0, text), "0B");
	CU_ASSERT_STRING_EQUAL(units_print(UNITS_RATE, 100000000000, text), "100Gbps");
}

/* What is printed reads back, for values of every size. */
static void print_reads_back(void)
{
	uint64_t x = 88172645463325252u;
	char text[UNITS_TEXT];

	for (int i = 0; i < 30000; i++) {
		enum units_kind kind = (enum units_kind)(i % 3);
		uint64_t value;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		value = x >> (i % 64);
		if (i & 64)
			value *= 1000;
		CU_ASSERT_EQUAL_FATAL(good(kind, units_print(kind, value, text)), value);
	}
}

static void part_values(void)
{
	char why[128], text[UNITS_TEXT];
	uint64_t value;

	CU_ASSERT_EQUAL(units_parse_part("20%", 1000000000, &value, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(value, 200000000);
	CU_ASSERT_EQUAL(units_parse_part("1/16", 1000000000, &value, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(value, 62500000);
	CU_ASSERT_EQUAL(units_parse_part("0.1%", 1000000000, &value, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(value, 1000000);
	CU_ASSERT_EQUAL(units_parse_part("1/3", 1000000000, &value, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(value, 333333333);
	CU_ASSERT_STRING_EQUAL(units_print_part(333333333, 1000000000, text), "33.3333333%");
	CU_ASSERT_STRING_EQUAL(units_print_part(200000000, 1000000000, text), "20%");
	CU_ASSERT_STRING_EQUAL(units_print_part(1, 1000000000, text), "0.0000001%");
	CU_ASSERT_STRING_EQUAL(units_print_part(1000000000, 1000000000, text), "100%");
	for (uint64_t v = 0; v <= 1000000000; v += 999331) {
		CU_ASSERT_EQUAL(units_parse_part(units_print_part(v, 1000000000, text), 1000000000,
						 &value, why, sizeof(why)),
				0);
		CU_ASSERT_EQUAL(value, v);
	}
}

static void part_refused(void)
{
	char why[128];
	uint64_t value;

	CU_ASSERT_EQUAL(units_parse_part("20", 1000, &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "20%"));
	CU_ASSERT_EQUAL(units_parse_part("0.2", 1000, &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_EQUAL(units_parse_part("101%", 1000, &value, why, sizeof(why)), -ERANGE);
	CU_ASSERT_EQUAL(units_parse_part("3/2", 1000, &value, why, sizeof(why)), -ERANGE);
	CU_ASSERT_EQUAL(units_parse_part("1/0", 1000, &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_EQUAL(units_parse_part("1/", 1000, &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_EQUAL(units_parse_part("%", 1000, &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_EQUAL(units_parse_part("99999999999999999999%", 1000, &value, why, sizeof(why)),
			-EINVAL);
}

static void factor_values(void)
{
	char why[128], text[UNITS_TEXT];
	uint64_t value;

	CU_ASSERT_EQUAL(units_parse_factor("1/8", 65536, &value, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(value, 8192);
	CU_ASSERT_EQUAL(units_parse_factor("0.125", 65536, &value, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(value, 8192);
	CU_ASSERT_EQUAL(units_parse_factor("2", 65536, &value, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(value, 131072);
	CU_ASSERT_EQUAL(units_parse_factor("half", 65536, &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_STRING_EQUAL(units_print_factor(8192, 65536, text), "1/8");
	CU_ASSERT_STRING_EQUAL(units_print_factor(131072, 65536, text), "2");
	CU_ASSERT_STRING_EQUAL(units_print_factor(98304, 65536, text), "3/2");
	CU_ASSERT_STRING_EQUAL(units_print_factor(0, 65536, text), "0");
	for (uint64_t v = 1; v < 300000; v += 7) {
		CU_ASSERT_EQUAL(units_parse_factor(units_print_factor(v, 65536, text), 65536,
						   &value, why, sizeof(why)),
				0);
		CU_ASSERT_EQUAL(value, v);
	}
}

static void count_values(void)
{
	char why[128] = "";
	uint64_t value;

	CU_ASSERT_EQUAL(units_parse_count("0", &value, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(value, 0);
	CU_ASSERT_EQUAL(units_parse_count("18446744073709551615", &value, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(value, UINT64_MAX);
	CU_ASSERT_EQUAL(units_parse_count("18446744073709551616", &value, why, sizeof(why)),
			-ERANGE);
	CU_ASSERT_EQUAL(units_parse_count("", &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_EQUAL(units_parse_count("1.0", &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_EQUAL(units_parse_count("1_000", &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "underscore"));
	CU_ASSERT_EQUAL(units_parse_count("0x1f", &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "decimal"));
	CU_ASSERT_EQUAL(units_parse_count("026", &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "write 26"));
	CU_ASSERT_EQUAL(units_parse_count("00", &value, why, sizeof(why)), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "write 0"));
}

static const struct cu_case cases[] = {
	{"units_parse__values", parse_values},
	{"units_parse__bare_number_says_the_unit", parse_bare_number},
	{"units_parse__refused", parse_refused},
	{"units_parse__inexact", parse_inexact},
	{"units_parse__overflow", parse_overflow},
	{"units_print__shortest", print_shortest},
	{"units_print__reads_back", print_reads_back},
	{"units_parse_part__values", part_values},
	{"units_parse_part__refused", part_refused},
	{"units_parse_factor__values", factor_values},
	{"units_parse_count__values", count_values},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/units", cases);
}
