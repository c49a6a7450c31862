/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/source.c"
#include "tests/unit/cu.h"

static const char text[] = "railyard: 1\nname: first\ntopology: {kind: star, hosts: 2}\n";

static void write_file(char *path, const char *body)
{
	int fd = mkstemp(path);

	CU_ASSERT_NOT_EQUAL_FATAL(fd, -1);
	CU_ASSERT_EQUAL(write(fd, body, strlen(body)), (ssize_t)strlen(body));
	close(fd);
}

static void keeps_the_text(void)
{
	char path[] = "/tmp/railyard-source-XXXXXX";
	struct scenario scenario;
	struct source source;
	struct err err = {0};

	write_file(path, text);
	CU_ASSERT_EQUAL_FATAL(source_open(&source, path, &err), 0);
	unlink(path);
	CU_ASSERT_EQUAL_FATAL(source_load(&scenario, &source, &err), 0);
	CU_ASSERT_STRING_EQUAL(scenario.name, "first");
	CU_ASSERT_STRING_EQUAL(scenario.file, path);
	scenario_free(&scenario);
	CU_ASSERT_EQUAL_FATAL(source_set(&source, "name=second", &err), 0);
	CU_ASSERT_EQUAL_FATAL(source_load(&scenario, &source, &err), 0);
	CU_ASSERT_STRING_EQUAL(scenario.name, "second");
	scenario_free(&scenario);
	source_close(&source);
}

static void names_the_users_file(void)
{
	char path[] = "/tmp/railyard-source-XXXXXX";
	struct scenario scenario;
	struct source source;
	struct err err = {0};

	write_file(path, "railyard: 1\nname: 7up\n");
	CU_ASSERT_EQUAL_FATAL(source_open(&source, path, &err), 0);
	unlink(path);
	CU_ASSERT_NOT_EQUAL(source_load(&scenario, &source, &err), 0);
	CU_ASSERT_STRING_EQUAL(err.file, path);
	source_close(&source);
}

static void refuses(void)
{
	struct source source;
	struct err err = {0};

	CU_ASSERT_NOT_EQUAL(source_open(&source, "/nonexistent/x.yaml", &err), 0);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(err.file, "/nonexistent/x.yaml");
	memset(&err, 0, sizeof(err));
	CU_ASSERT_NOT_EQUAL(source_open(&source, "/tmp", &err), 0);
}

/* What a later assignment makes void goes: the list does not grow for ever. */
static void later_wins(void)
{
	struct source source = {.fd = -1}, copy;
	struct err err = {0};

	source_set(&source, "a.b=1", &err);
	source_set(&source, "a.bc=2", &err);
	source_set(&source, "a.b.c=3", &err);
	CU_ASSERT_EQUAL(source.n_sets, 3);
	source_set(&source, "a.b=4", &err);
	CU_ASSERT_EQUAL_FATAL(source.n_sets, 2);
	CU_ASSERT_STRING_EQUAL(source.sets[0], "a.bc=2");
	CU_ASSERT_STRING_EQUAL(source.sets[1], "a.b=4");
	source.fd = memfd_create("t", 0);
	CU_ASSERT_EQUAL_FATAL(source_copy(&copy, &source, &err), 0);
	source_set(&copy, "a=5", &err);
	CU_ASSERT_EQUAL(copy.n_sets, 1);
	CU_ASSERT_EQUAL(source.n_sets, 2);
	source_close(&copy);
	source_close(&source);
}

static const struct cu_case cases[] = {
	{"source_open__keeps_the_text", keeps_the_text},
	{"source_open__refuses", refuses},
	{"source_load__names_the_users_file", names_the_users_file},
	{"source_set__later_wins", later_wins},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/source", cases);
}
