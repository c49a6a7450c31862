/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/check_real.c"
#include "tests/unit/cu.h"

#include <stdlib.h>

/* A star of n hosts, each on a device, with `real` as its last line. */
static struct check_file check(int n, const char *real)
{
	struct check_file file = {.file = "f.yaml"};
	struct scenario scenario;
	struct fabric fabric;
	struct err err = {0};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "railyard: 1\nname: many\ntopology: {kind: star, hosts: %d}\nports:\n", n);
	for (int i = 1; i <= n; i++)
		fprintf(f, "  s1-h%d: {dev: net_null%d}\n", i, i);
	fprintf(f, "%s\n", real);
	fclose(f);
	CU_ASSERT_EQUAL_FATAL(scenario_parse(&scenario, text, size, "f.yaml", &err), 0);
	CU_ASSERT_EQUAL_FATAL(fabric_build(&fabric, &scenario, &err), 0);
	check_real(&file, &scenario, &fabric);
	fabric_free(&fabric);
	scenario_free(&scenario);
	free(text);
	return file;
}

static void quiet(void)
{
	CU_ASSERT_EQUAL(check(32, "real: {workers: 1}").n_findings, 0);
	CU_ASSERT_EQUAL(check(2, "real: {workers: auto}").n_findings, 0);
	CU_ASSERT_EQUAL(check(2, "").n_findings, 0);
}

/* The 33rd is what is wrong: lines 1 to 4 come before the first. */
static void too_many_ports(void)
{
	struct check_file file = check(33, "");

	CU_ASSERT_EQUAL_FATAL(file.n_findings, 1);
	CU_ASSERT_STRING_EQUAL(file.findings[0].rule, "RY090");
	CU_ASSERT_EQUAL(file.findings[0].level, FINDING_WARNING);
	CU_ASSERT_EQUAL(file.findings[0].at.status, ERR_NONE);
	CU_ASSERT_EQUAL(file.findings[0].at.line, 37);
	CU_ASSERT_STRING_EQUAL(file.findings[0].at.path, "ports.s1-h33.dev");
	CU_ASSERT_STRING_EQUAL(file.findings[0].at.found, "33 real ports");
	free(file.findings);
}

static void too_many_workers(void)
{
	struct check_file file = check(2, "real: {workers: 4}");

	CU_ASSERT_EQUAL_FATAL(file.n_findings, 1);
	CU_ASSERT_STRING_EQUAL(file.findings[0].rule, "RY091");
	CU_ASSERT_EQUAL(file.findings[0].at.line, 7);
	CU_ASSERT_STRING_EQUAL(file.findings[0].at.found, "4 workers");
	CU_ASSERT_PTR_NOT_NULL(strstr(file.findings[0].at.expected, "1 will run"));
	free(file.findings);
}

static const struct cu_case cases[] = {
	{"check_real__quiet", quiet},
	{"check_real__too_many_ports", too_many_ports},
	{"check_real__too_many_workers", too_many_workers},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/check_real", cases);
}
