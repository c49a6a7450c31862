/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/names.c"

#include "tests/unit/cu.h"

static void valid(void)
{
	CU_ASSERT_TRUE(name_valid("h1", 20));
	CU_ASSERT_TRUE(name_valid("leaf_1", 20));
	CU_ASSERT_TRUE(name_valid("abc", 3));
	CU_ASSERT_FALSE(name_valid("abcd", 3));
	CU_ASSERT_FALSE(name_valid("", 20));
	CU_ASSERT_FALSE(name_valid("1h", 20));
	CU_ASSERT_FALSE(name_valid("H1", 20));
	CU_ASSERT_FALSE(name_valid("h-1", 20));
	CU_ASSERT_FALSE(name_valid("h.1", 20));
}

static void range(void)
{
	uint32_t first = 0;
	size_t prefix = 0;

	CU_ASSERT_EQUAL(name_range("h1-h16", &prefix, &first), 16);
	CU_ASSERT_EQUAL(prefix, 1);
	CU_ASSERT_EQUAL(first, 1);
	CU_ASSERT_EQUAL(name_range("leaf7-leaf7", &prefix, &first), 1);
	CU_ASSERT_EQUAL(name_range("h2-h1", &prefix, &first), 0);
	CU_ASSERT_EQUAL(name_range("s1-h1", &prefix, &first), 0);
	CU_ASSERT_EQUAL(name_range("h1", &prefix, &first), 0);
	CU_ASSERT_EQUAL(name_range("h-h2", &prefix, &first), 0);
	CU_ASSERT_EQUAL(name_range("h1-h2-h3", &prefix, &first), 0);
	CU_ASSERT_EQUAL(name_range("h01-h02", &prefix, &first), 0);
	CU_ASSERT_EQUAL(name_range("h1-h999999", &prefix, &first), 0);
	CU_ASSERT_EQUAL(name_range("h1-h99999999999", &prefix, &first), 0);
}

static void from_file(const char *file, const char *expected)
{
	char name[20];

	name_from_file(file, name, sizeof(name));
	CU_ASSERT_STRING_EQUAL(name, expected);
	CU_ASSERT_TRUE(name_valid(name, 19));
}

static void from_files(void)
{
	from_file("dir.d/01-first-light.yaml", "first_light");
	from_file("Incast.yml", "incast");
	from_file("-", "scenario");
	from_file("42.yaml", "scenario");
	from_file("a_very_long_name_that_goes_on.yaml", "a_very_long_name_th");
}

static const struct cu_case cases[] = {
	{"name_valid__forms", valid},
	{"name_range__forms", range},
	{"name_from_file__forms", from_files},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/names", cases);
}
