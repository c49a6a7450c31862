/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/check.c"

#include "tests/unit/cu.h"

#include <jansson.h>
#include <unistd.h>

static const char good[] = "scenarios/01-first-light.yaml";
static const char broken[] = "tests/broken/key-unknown-nested.yaml";

static char *out, *errors;

static int run(const char *const *files, int n, struct check_options options)
{
	size_t out_len, errors_len;
	FILE *o, *e;
	int status;

	free(out);
	free(errors);
	o = open_memstream(&out, &out_len);
	e = open_memstream(&errors, &errors_len);
	status = check_files(files, n, &options, o, e);
	fclose(o);
	fclose(e);
	return status;
}

static void text(void)
{
	const char *both[] = {good, broken};

	CU_ASSERT_EQUAL(run(both, 1, (struct check_options){0}), 0);
	CU_ASSERT_STRING_EQUAL(out, "scenarios/01-first-light.yaml: ok\n");
	CU_ASSERT_STRING_EQUAL(errors, "");
	CU_ASSERT_EQUAL(run(both, 2, (struct check_options){0}), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(errors, "key-unknown-nested.yaml:6:5: switch.buffer.sise: "));
	CU_ASSERT_PTR_EQUAL(strchr(errors, '\n'), errors + strlen(errors) - 1);
}

/* A warning is told, and fails only who wants it to. */
static void warnings(void)
{
	char path[] = "/tmp/ry-check-XXXXXX";
	const char *one[] = {path};
	FILE *f = fdopen(mkstemp(path), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs("railyard: 1\nname: w\ntopology: {kind: star, hosts: 2}\nreal: {workers: 4}\n", f);
	fclose(f);
	CU_ASSERT_EQUAL(run(one, 1, (struct check_options){0}), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, ": ok\n"));
	CU_ASSERT_EQUAL(strncmp(errors, "warning: /tmp/ry-check-", 23), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(errors, ":4:1: real.workers: found 4 workers"));
	CU_ASSERT_EQUAL(run(one, 1, (struct check_options){.strict = true}), 1);
	unlink(path);
}

static void effective(void)
{
	const char *one[] = {good};
	struct scenario s;
	struct err err = {0};

	CU_ASSERT_EQUAL(run(one, 1, (struct check_options){.effective = true}), 0);
	CU_ASSERT_EQUAL_FATAL(scenario_parse(&s, out, strlen(out), "out", &err), 0);
	CU_ASSERT_STRING_EQUAL(s.name, "first_light");
	scenario_free(&s);
}

static void json(void)
{
	const char *both[] = {good, broken};
	json_t *root, *file, *finding;

	CU_ASSERT_EQUAL(run(both, 2, (struct check_options){.format = CHECK_JSON}), 2);
	root = json_loads(out, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(root, "railyard")), 1);
	file = json_array_get(json_object_get(root, "files"), 0);
	CU_ASSERT_TRUE(json_is_true(json_object_get(file, "valid")));
	file = json_array_get(json_object_get(root, "files"), 1);
	CU_ASSERT_TRUE(json_is_false(json_object_get(file, "valid")));
	finding = json_array_get(json_object_get(file, "findings"), 0);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(finding, "line")), 6);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(finding, "rule")), "invalid");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(finding, "path")),
			       "switch.buffer.sise");
	json_decref(root);
}

static void sarif(void)
{
	const char *one[] = {broken};
	json_t *root, *result, *region;

	CU_ASSERT_EQUAL(run(one, 1, (struct check_options){.format = CHECK_SARIF}), 2);
	root = json_loads(out, 0, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(root, "version")), "2.1.0");
	result = json_array_get(
		json_object_get(json_array_get(json_object_get(root, "runs"), 0), "results"), 0);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(result, "level")), "error");
	region = json_object_get(
		json_object_get(json_array_get(json_object_get(result, "locations"), 0),
				"physicalLocation"),
		"region");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(region, "startLine")), 6);
	json_decref(root);
}

static void junit(void)
{
	struct check_file file = {.file = "a<b>.yaml"};
	struct err err = {0};
	size_t len;
	FILE *o;

	err_set(&err, ERR_USAGE, EINVAL, "x", "\"&\"", "y");
	CU_ASSERT_TRUE(check_add(&file, "RY012", FINDING_WARNING, &err));
	free(out);
	o = open_memstream(&out, &len);
	CU_ASSERT_EQUAL(check_print(&file, 1, CHECK_JUNIT, o), 0);
	fclose(o);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "tests=\"1\" failures=\"1\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "a&lt;b&gt;.yaml"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(out, "<failure type=\"RY012\" message=\"x: found &quot;&amp;&quot;"));
	free(file.findings);
}

static void github(void)
{
	const char *one[] = {broken};

	CU_ASSERT_EQUAL(run(one, 1, (struct check_options){.format = CHECK_GITHUB}), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(out,
				      "::error file=tests/broken/key-unknown-nested.yaml,"
				      "line=6,col=5::switch.buffer.sise: found an unknown key"));
}

static void statuses(void)
{
	struct check_file file = {.file = "f"};
	struct err note = {0};
	const char *none[] = {"no-such-file.yaml"};

	CU_ASSERT_EQUAL(run(none, 1, (struct check_options){0}), 2);
	check_add(&file, "RY001", FINDING_NOTE, &note);
	CU_ASSERT_EQUAL(status_of(&file, true), 0);
	check_add(&file, "RY002", FINDING_WARNING, &note);
	CU_ASSERT_EQUAL(status_of(&file, false), 0);
	CU_ASSERT_EQUAL(status_of(&file, true), 1);
	check_add(&file, "RY003", FINDING_ERROR, &note);
	CU_ASSERT_EQUAL(status_of(&file, false), 1);
	free(file.findings);
}

static void formats(void)
{
	CU_ASSERT_EQUAL(check_format_by_name("text"), CHECK_TEXT);
	CU_ASSERT_EQUAL(check_format_by_name("github"), CHECK_GITHUB);
	CU_ASSERT_EQUAL(check_format_by_name("xml"), -1);
	free(out);
	free(errors);
	out = errors = NULL;
}

static const struct cu_case cases[] = {
	{"check_files__text", text},
	{"check_files__warnings", warnings},
	{"check_files__effective", effective},
	{"check_files__json", json},
	{"check_files__sarif", sarif},
	{"check_print__junit", junit},
	{"check_files__github", github},
	{"check_files__statuses", statuses},
	{"check_format_by_name__all", formats},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/check", cases);
}
