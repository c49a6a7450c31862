/* SPDX-License-Identifier: BSD-3-Clause */
/* lockstep FILE sim | rt CADENCE_NS BURST: plays a script and prints what came of it (print.c). */
#include "play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct script script;
	struct result result;
	int rc = -1;

	memset(&result, 0, sizeof(result));
	if (argc < 3 || script_load(&script, argv[1]) != 0 || script.n == 0) {
		fprintf(stderr, "usage: lockstep FILE sim | rt CADENCE_NS BURST\n");
		return 2;
	}
	if (strcmp(argv[2], "sim") == 0)
		rc = play_sim(&script, &result);
	else if (argc > 4)
		rc = play_rt(&script, strtoull(argv[3], NULL, 10) * 1000, (uint16_t)atoi(argv[4]),
			     &result);
	if (rc == 0)
		result_print(&result);
	script_free(&script);
	return rc == 0 ? 0 : 1;
}
