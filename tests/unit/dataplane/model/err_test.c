/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/err.c"

#include <errno.h>

#include "tests/unit/cu.h"

static void first_wins(void)
{
	struct err e = {0};

	CU_ASSERT_EQUAL(err_set(&e, ERR_USAGE, EINVAL, "seed", "x", "a number"), -EINVAL);
	CU_ASSERT_EQUAL(err_set(&e, ERR_ENVIRONMENT, ENOMEM, "b", "y", "memory"), -ENOMEM);
	CU_ASSERT_EQUAL(e.status, ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(e.path, "seed");
	CU_ASSERT_STRING_EQUAL(e.expected, "a number");
}

static void no_err_wanted(void)
{
	CU_ASSERT_EQUAL(err_set(NULL, ERR_USAGE, ERANGE, "a", "b", "c"), -ERANGE);
}

static void keeps_inner_place(void)
{
	struct err e = {0};

	err_at(&e, "inner.yaml", 3, 7);
	err_at(&e, "outer.yaml", 9, 1);
	CU_ASSERT_STRING_EQUAL(e.file, "inner.yaml");
	CU_ASSERT_EQUAL(e.line, 3);
	CU_ASSERT_EQUAL(e.col, 7);
}

static void whole_sentence(void)
{
	struct err e = {0};
	char buf[512];

	err_set(&e, ERR_USAGE, EINVAL, "switch.latency", "500", "a time such as %s", "500ns");
	err_at(&e, "a.yaml", 4, 12);
	CU_ASSERT_STRING_EQUAL(
		err_text(&e, buf, sizeof(buf)),
		"a.yaml:4:12: switch.latency: found 500, expected a time such as 500ns");
}

static void parts_left_out(void)
{
	struct err e = {0};
	char buf[512];

	err_set(&e, ERR_ENVIRONMENT, EPERM, NULL, NULL, "run it as root");
	CU_ASSERT_STRING_EQUAL(err_text(&e, buf, sizeof(buf)), "run it as root");
	err_at(&e, "a.yaml", 0, 0);
	CU_ASSERT_STRING_EQUAL(err_text(&e, buf, sizeof(buf)), "a.yaml: run it as root");
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"err_set__first_wins", first_wins},
		{"err_set__no_err_wanted", no_err_wanted},
		{"err_at__keeps_inner_place", keeps_inner_place},
		{"err_text__whole_sentence", whole_sentence},
		{"err_text__parts_left_out", parts_left_out},
		{NULL, NULL},
	};

	return cu_main("model/err", cases);
}
