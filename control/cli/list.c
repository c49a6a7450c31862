/* SPDX-License-Identifier: BSD-3-Clause */
/* list: what there is, each with its help. */
#define _GNU_SOURCE
#include "control/metrics.h"
#include "control/telemetry.h"
#include "pipelines/presets/presets.h"
#include "pipelines/registry.h"
#include "say.h"
#include "table.h"
#include "verbs.h"

#include <errno.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

/* Adds {"name", "help", ...} for each thing to the list. */
typedef void list_fn(json_t *list);

static void add(json_t *list, const char *name, const char *more_name, const char *more,
		const char *help)
{
	json_array_append_new(
		list, json_pack("{s:s s:s s:s}", "name", name, more_name, more, "help", help));
}

static void list_pipelines(json_t *list)
{
	for (int i = 0; pipelines[i] != NULL; i++)
		add(list, pipelines[i]->name, "kind", pipelines[i]->lossless ? "lossless" : "lossy",
		    pipelines[i]->help);
}

/* The first sentence of the comment that a YAML text begins with. */
static void first_comment(const char *yaml, char *out, size_t size)
{
	const char *text, *dot;
	size_t used = 0, n;

	out[0] = '\0';
	for (const char *line = yaml; *line == '#'; line += strcspn(line, "\n") + 1) {
		text = line + strspn(line, "# ");
		n = strcspn(text, "\n");
		if (strncmp(text, "SPDX", 4) == 0)
			continue;
		dot = memmem(text, n, ". ", 2);
		if (dot != NULL)
			n = (size_t)(dot - text) + 1;
		used += (size_t)snprintf(out + used, size - used, "%s%.*s", used ? " " : "", (int)n,
					 text);
		if (used >= size || (n > 0 && text[n - 1] == '.') ||
		    line[strcspn(line, "\n")] == '\0')
			return;
	}
}

static void list_presets(json_t *list)
{
	char help[256];

	for (int i = 0; preset_files[i].name != NULL; i++) {
		first_comment(preset_files[i].yaml, help, sizeof(help));
		add(list, preset_files[i].name, "kind", "preset", help);
	}
}

static void add_scenario(json_t *list, const char *path)
{
	char text[1024], help[256];
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	text[n] = '\0';
	first_comment(text, help, sizeof(help));
	add(list, path, "kind", "scenario", help);
	if (f != NULL)
		fclose(f);
}

/* Those of the tree that railyard was built in, or of the directory it is run in. */
static void list_scenarios(json_t *list)
{
	char self[400] = "", pattern[512];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash = n > 0 ? strrchr(self, '/') : NULL;
	const char *dirs[] = {"scenarios", pattern};
	glob_t found;
	char both[600];

	snprintf(pattern, sizeof(pattern), "%.*s/../scenarios", slash ? (int)(slash - self) : 0,
		 self);
	for (int d = 0; d < 2 && json_array_size(list) == 0; d++) {
		snprintf(both, sizeof(both), "%s/{,*/}*.yaml", dirs[d]);
		if (glob(both, GLOB_BRACE, NULL, &found) != 0)
			continue;
		for (size_t i = 0; i < found.gl_pathc; i++)
			add_scenario(list, found.gl_pathv[i]);
		globfree(&found);
	}
}

static void list_drops(json_t *list)
{
	const struct sw_name *name;
	char file[128];

	for (int d = 0; d < SW_DROPS + SW_LOSSES; d++) {
		name = d < SW_DROPS ? &sw_drop_names[d] : &sw_loss_names[d - SW_DROPS];
		add(list, name->name, "file", telemetry_stage_file(name->stage, file, sizeof(file)),
		    name->help);
	}
}

static void list_metrics(json_t *list)
{
	struct metric m;

	for (int i = 0; metric_at(i, &m); i++)
		add(list, m.name, "labels", m.labels, m.help);
}

static const struct {
	const char *name, *second; /* what stands between name and help */
	list_fn *fill;             /* NULL: not in this version */
} lists[] = {
	{"pipelines", "kind", list_pipelines},
	{"presets", "kind", list_presets},
	{"scenarios", "kind", list_scenarios},
	{"drops", "file", list_drops},
	{"metrics", "labels", list_metrics},
	{"cc", NULL, NULL},
	{"rules", NULL, NULL},
	{"prices", NULL, NULL},
	{"models", NULL, NULL},
};

#define N_LISTS ((int)(sizeof(lists) / sizeof(lists[0])))

static void print_names(const json_t *list)
{
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		printf("%s\n", get_str(one, "name"));
}

static void print_list(const json_t *list, const char *second)
{
	struct table t;
	json_t *one;
	size_t i;

	table_begin(&t,
		    strcmp(second, "file") == 0     ? "NAME FILE HELP"
		    : strcmp(second, "labels") == 0 ? "NAME LABELS HELP"
						    : "NAME KIND HELP",
		    "lll");
	json_array_foreach(list, i, one)
		table_row(&t, "%s\t%s\t%s", get_str(one, "name"), get_str(one, second),
			  get_str(one, "help"));
	table_end(&t, stdout, "none");
}

int verb_list(const struct args *args)
{
	const char *names[N_LISTS], *near;
	struct err err = {0};
	json_t *list;
	int i = 0;

	for (int n = 0; n < N_LISTS; n++)
		names[n] = lists[n].name;
	while (i < N_LISTS && strcmp(lists[i].name, args->words[0]) != 0)
		i++;
	if (i == N_LISTS) {
		near = options_nearest(args->words[0], names, N_LISTS);
		err_set(&err, ERR_USAGE, EINVAL, "railyard list", args->words[0], "%s",
			near ? near : "pipelines, presets, scenarios, drops or metrics");
		return say_err(&err);
	}
	if (lists[i].fill == NULL) {
		err_set(&err, ERR_USAGE, ENOTSUP, "railyard list", "",
			"`list %s` is not in this version", lists[i].name);
		return say_err(&err);
	}
	list = json_array();
	lists[i].fill(list);
	if (options_given(args, "json"))
		say_json(list);
	else if (options_given(args, "verbose"))
		print_list(list, lists[i].second);
	else
		print_names(list);
	json_decref(list);
	return 0;
}
