/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/cli/verbs.c"
#include "tests/unit/cu.h"

#include <stdlib.h>
#include <unistd.h>

/* Every verb that the command line has or will have: an unknown one is a spelling mistake, one of a
 * later version is not. */
static const char *const all[] = {
	"run",      "check",   "compare", "sweep",  "report", "view",    "plan",   "load",
	"rollback", "hosts",   "probe",   "import", "export", "up",      "down",   "status",
	"selftest", "show",    "set",     "inject", "hold",   "release", "link",   "clear",
	"measure",  "capture", "record",  "list",   "new",    "help",    "restart"};

#define N_ALL ((int)(sizeof(all) / sizeof(all[0])))

static void complete(void)
{
	int n = 0;

	for (const struct verb *v = verbs; v->name != NULL; v++)
		n++;
	CU_ASSERT_EQUAL(n, N_ALL);
	for (int i = 0; i < N_ALL; i++)
		CU_ASSERT_PTR_NOT_NULL(verb_find(all[i]));
	CU_ASSERT_PTR_NULL(verb_find("ru"));
}

static bool has_option(const struct command *c, const char *name)
{
	for (int t = 0; t < OPTION_TABLES && c->tables[t] != NULL; t++)
		for (const struct option_def *d = c->tables[t]; d->name != NULL; d++)
			if (strcmp(d->name, name) == 0)
				return true;
	return false;
}

static void whole_entries(void)
{
	char name[64];

	for (const struct verb *v = verbs; v->name != NULL; v++) {
		snprintf(name, sizeof(name), "railyard %s", v->name);
		CU_ASSERT_STRING_EQUAL(v->command.name, name);
		if (v->run == NULL)
			continue;
		CU_ASSERT_PTR_NOT_NULL(v->command.summary);
		CU_ASSERT_PTR_NOT_NULL(v->command.synopsis);
		CU_ASSERT_TRUE(has_option(&v->command, "help"));
		/* All but the one that explains. */
		CU_ASSERT_TRUE(has_option(&v->command, "json") || strcmp(v->name, "help") == 0);
	}
}

/* Every option once per verb, with its help; values where they are taken. */
static void options_are_whole(void)
{
	int same;

	for (const struct verb *v = verbs; v->name != NULL; v++)
		for (int t = 0; t < OPTION_TABLES && v->command.tables[t] != NULL; t++)
			for (const struct option_def *d = v->command.tables[t]; d->name; d++) {
				CU_ASSERT_PTR_NOT_NULL(d->help);
				CU_ASSERT_EQUAL(d->kind == OPTION_FLAG, d->value == NULL);
				same = 0;
				for (int u = 0; u < OPTION_TABLES && v->command.tables[u]; u++)
					for (const struct option_def *e = v->command.tables[u];
					     e->name; e++)
						same += strcmp(e->name, d->name) == 0;
				CU_ASSERT_EQUAL(same, 1);
			}
}

/* What a verb prints on standard error. */
static int run(char *text, size_t size, char *a, char *b)
{
	char *words[] = {a, b, NULL};
	int saved = dup(STDERR_FILENO), rc;
	FILE *file = tmpfile();
	size_t n;

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	rc = verb_run(b ? 2 : 1, words);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	n = fread(text, 1, size - 1, file);
	text[n] = '\0';
	fclose(file);
	return rc;
}

static void mistakes(void)
{
	char text[512];

	CU_ASSERT_EQUAL(run(text, sizeof(text), "stauts", NULL), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "did you mean `railyard status`?"));
	CU_ASSERT_EQUAL(run(text, sizeof(text), "xyzzyxyzzy", NULL), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "railyard help"));
	CU_ASSERT_EQUAL(run(text, sizeof(text), "sweep", NULL), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "`sweep` is not in this version"));
	CU_ASSERT_EQUAL(run(text, sizeof(text), "down", "--frce"), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "did you mean --force?"));
	CU_ASSERT_EQUAL(run(text, sizeof(text), "show", NULL), 2);
	CU_ASSERT_EQUAL(run(text, sizeof(text), "show", "flows"), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "not in this version"));
	CU_ASSERT_EQUAL(run(text, sizeof(text), "show", "prots"), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "did you mean ports?"));
	CU_ASSERT_EQUAL(run(text, sizeof(text), "list", "cc"), 2);
	CU_ASSERT_EQUAL(run(text, sizeof(text), "set", "nothing"), 2);
	CU_ASSERT_EQUAL(run(text, sizeof(text), "up", "/nonexistent.yaml"), 2);
}

/* Without a daemon: 3, and what to do. */
static void nothing_runs(void)
{
	char text[512];

	setenv("RAILYARD_SOCKET", "/nonexistent/x.sock", 1);
	CU_ASSERT_EQUAL(run(text, sizeof(text), "show", "ports"), 3);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "railyard up FILE"));
	CU_ASSERT_EQUAL(run(text, sizeof(text), "down", NULL), 3);
	CU_ASSERT_EQUAL(run(text, sizeof(text), "hold", "s1-h1"), 3);
}

static const struct cu_case cases[] = {
	{"verb_find__complete", complete},
	{"verbs__whole_entries", whole_entries},
	{"verbs__options_are_whole", options_are_whole},
	{"verb_run__mistakes", mistakes},
	{"verb_run__nothing_runs", nothing_runs},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/cli/verbs", cases);
}
