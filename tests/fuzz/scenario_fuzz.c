/* SPDX-License-Identifier: BSD-3-Clause */
/* libFuzzer entry: any bytes as a scenario. It loads and builds, or says why not in one line; what
 * it prints as effective loads again. */
#include "control/fabric.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
	if (!ok)
		abort();
}

static void reload(const struct scenario *scenario)
{
	struct scenario again;
	struct err err = {0};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	must(out != NULL && scenario_effective(scenario, out) == 0);
	fclose(out);
	must(scenario_parse(&again, text, len, "effective", &err) == 0);
	scenario_free(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scenario scenario;
	struct fabric fabric;
	struct err err = {0};
	char text[1024];

	if (scenario_parse(&scenario, (const char *)data, size, "fuzz", &err) == 0) {
		reload(&scenario);
		if (fabric_build(&fabric, &scenario, &err) == 0)
			fabric_free(&fabric);
		scenario_free(&scenario);
	}
	if (err.status != ERR_NONE) {
		must(err.expected[0] != '\0');
		must(strchr(err_text(&err, text, sizeof(text)), '\n') == NULL);
	}
	return 0;
}
