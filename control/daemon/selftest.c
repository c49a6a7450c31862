/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest.h"

#include "control/eal_dir.h"

#include <jansson.h>
#include <unistd.h>

static const char *way_name(enum rt_pfc_way way)
{
	switch (way) {
	case RT_PFC_FRAME:
		return "frame";
	case RT_PFC_HW:
		return "hw";
	default:
		return "none";
	}
}

static json_t *end_json(const struct rt_selftest_end *end)
{
	return json_pack("{s:s s:s s:s s:s s:s}", "name", end->name, "driver", end->driver,
			 "pfc_tx", way_name(end->pfc_tx), "pfc_rx", way_name(end->pfc_rx), "peer",
			 end->peer_ignores_pfc ? "ignores" : "honours");
}

static json_t *whole_json(const struct rt_selftest *test)
{
	json_t *rows = json_array();

	for (int way = 0; way < 2; way++)
		for (int p = 0; p < RT_PROBES; p++) {
			const struct rt_selftest_row *row = &test->rows[way][p];

			json_array_append_new(
				rows, json_pack("{s:s s:s s:s s:s s:s s:s}", "from",
						test->ends[way].name, "to", test->ends[!way].name,
						"probe", rt_probe_names[p].name, "verdict",
						rt_verdict_names[row->verdict], "detail",
						row->detail, "cure", row->cure));
		}
	return json_pack("{s:i s:[o,o] s:o}", "railyard", 1, "ends", end_json(&test->ends[0]),
			 end_json(&test->ends[1]), "verdicts", rows);
}

static void print_way(const struct rt_selftest *test, int way, FILE *out)
{
	const struct rt_selftest_row *row;

	fprintf(out, "%s -> %s\n", test->ends[way].name, test->ends[!way].name);
	for (int p = 0; p < RT_PROBES; p++) {
		row = &test->rows[way][p];
		fprintf(out, "  %-6s %-14s %s%s%s\n", rt_probe_names[p].name,
			rt_verdict_names[row->verdict], rt_probe_names[p].help,
			row->detail[0] ? ": " : "", row->detail);
		if (row->cure[0] != '\0')
			fprintf(out, "  %-6s %-14s cure: %s\n", "", "", row->cure);
	}
}

static void print_end(const struct rt_selftest_end *end, FILE *out)
{
	if (end->driver[0] == '\0')
		return;
	fprintf(out, "%s (%s): pfc: {tx: %s, rx: %s, peer: %s\n", end->name, end->driver,
		way_name(end->pfc_tx), way_name(end->pfc_rx),
		end->peer_ignores_pfc ? "ignores}, so edge: emulate" : "honours}");
}

int selftest_print(const struct rt_selftest *test, bool json, FILE *out)
{
	int bad = 0;
	json_t *whole;

	for (int way = 0; way < 2; way++)
		for (int p = 0; p < RT_PROBES; p++)
			bad += test->rows[way][p].verdict != RT_VERDICT_WORKS;
	if (json) {
		whole = whole_json(test);
		json_dumpf(whole, out, JSON_INDENT(1));
		fputc('\n', out);
		json_decref(whole);
		return bad;
	}
	for (int way = 0; way < 2; way++) {
		print_way(test, way, out);
		print_end(&test->ends[way], out);
	}
	return bad;
}

int selftest_run(const struct args *args)
{
	char prefix[32], text[1024];
	struct rt_selftest_config config = {
		.dev = {args->words[0], args->n_words > 1 ? args->words[1] : NULL},
		.force = options_given(args, "force"),
		.no_huge = options_given(args, "no-huge"),
		.file_prefix = prefix,
	};
	struct rt_selftest test = {0};
	struct err err = {0};
	int rc;

	snprintf(prefix, sizeof(prefix), "railyard-test-%d", (int)getpid());
	rc = rt_selftest(&test, &config, &err);
	eal_dir_remove(prefix);
	if (rc != 0) {
		fprintf(stderr, "railyardd: %s\n", err_text(&err, text, sizeof(text)));
		return err.status;
	}
	return selftest_print(&test, options_given(args, "json"), stdout) > 0;
}
