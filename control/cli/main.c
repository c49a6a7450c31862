/* SPDX-License-Identifier: BSD-3-Clause */
/* railyard: finds the verb and runs it. */
#include "control/std_files.h"
#include "control/version.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `railyard --socket PATH VERB` is `RAILYARD_SOCKET=PATH railyard VERB`. Returns how many words it
 * took. */
static int socket_before_verb(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "--socket") == 0)
		return setenv("RAILYARD_SOCKET", argv[2], 1) == 0 ? 2 : 0;
	if (argc > 1 && strncmp(argv[1], "--socket=", 9) == 0)
		return setenv("RAILYARD_SOCKET", argv[1] + 9, 1) == 0 ? 1 : 0;
	return 0;
}

int main(int argc, char **argv)
{
	char *help[] = {"help", NULL};
	int rc, taken;

	std_files();
	taken = socket_before_verb(argc, argv);
	argc -= taken;
	argv += taken;
	if (argc < 2) {
		verb_run(1, help);
		return ERR_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("railyard %s (%s)\n", RY_VERSION, RY_BUILD);
		return 0;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		rc = verb_run(1, help);
	else
		rc = verb_run(argc - 1, argv + 1);
	/* A full disk must not look like success. */
	if (fflush(stdout) != 0 && rc == 0) {
		perror("railyard: standard output");
		return ERR_ENVIRONMENT;
	}
	return rc;
}
