/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/cli/say.c"
#include "tests/unit/cu.h"

static void bytes(void)
{
	char buf[SAY_NUMBER];

	CU_ASSERT_STRING_EQUAL(say_bytes(buf, 0), "0 B");
	CU_ASSERT_STRING_EQUAL(say_bytes(buf, 999), "999 B");
	CU_ASSERT_STRING_EQUAL(say_bytes(buf, 1000), "1 KB");
	CU_ASSERT_STRING_EQUAL(say_bytes(buf, 1500000), "1.5 MB");
	CU_ASSERT_STRING_EQUAL(say_bytes(buf, 999999), "1 MB");
	CU_ASSERT_STRING_EQUAL(say_bytes(buf, UINT64_MAX), "1.845e+04 PB");
}

static void rates_and_times(void)
{
	char buf[SAY_NUMBER];

	CU_ASSERT_STRING_EQUAL(say_rate(buf, 100000000000), "100 Gb/s");
	CU_ASSERT_STRING_EQUAL(say_rate(buf, 20000000), "20 Mb/s");
	CU_ASSERT_STRING_EQUAL(say_time(buf, 0), "0 s");
	CU_ASSERT_STRING_EQUAL(say_time(buf, 12300000), "12.3 us");
	CU_ASSERT_STRING_EQUAL(say_time(buf, 2500000000000), "2.5 s");
}

static void plain_without_terminal(void)
{
	if (!isatty(STDOUT_FILENO))
		CU_ASSERT_STRING_EQUAL(say_coloured(SAY_BAD, "NO"), "NO");
	setenv("NO_COLOR", "1", 1);
	CU_ASSERT_STRING_EQUAL(say_coloured(SAY_BAD, "NO"), "NO");
}

static const struct cu_case cases[] = {
	{"say_bytes__units", bytes},
	{"say_rate__units", rates_and_times},
	{"say_coloured__plain", plain_without_terminal},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/cli/say", cases);
}
