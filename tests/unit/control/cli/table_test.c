/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/cli/table.c"
#include "tests/unit/cu.h"

static void print(struct table *t, char *text, size_t size)
{
	FILE *out = fmemopen(text, size, "w");

	table_end(t, out, "nothing");
	fclose(out);
}

static void aligned(void)
{
	char text[512] = "";
	struct table t;

	table_begin(&t, "PORT COUNT HELP", "lrl");
	table_row(&t, "%s\t%d\t%s", "s1-h1", 7, "a b");
	table_row(&t, "%s\t%d\t%s", "s1-h10", 1234567, "");
	print(&t, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "PORT      COUNT  HELP\n"
				     "s1-h1         7  a b\n"
				     "s1-h10  1234567  \n");
}

static void many_rows(void)
{
	char text[8192] = "";
	struct table t;
	int lines = 0;

	table_begin(&t, "N", "r");
	for (int i = 0; i < 1000; i++)
		table_row(&t, "%d", i);
	print(&t, text, sizeof(text));
	for (const char *c = text; *c != '\0'; c++)
		lines += *c == '\n';
	CU_ASSERT_EQUAL(lines, 1001);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n999\n"));
}

static void empty(void)
{
	char text[64] = "";
	struct table t;

	table_begin(&t, "A B", "ll");
	print(&t, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "nothing\n");
}

static const struct cu_case cases[] = {
	{"table_end__aligned", aligned},
	{"table_row__many", many_rows},
	{"table_end__empty", empty},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/cli/table", cases);
}
