/* SPDX-License-Identifier: BSD-3-Clause */
#include "verbs.h"

#include "control/manpage.h"

#include <stdio.h>

static const char statuses[] =
	"0 fine; 1 an expectation or a finding failed; 2 usage or an invalid file, nothing was started; "
	"3 the machine refused (port, hugepages, permission), or nothing runs; 4 the run is not valid.";

static void list_absent(FILE *out)
{
	const char *comma = "";

	for (const struct verb *v = verbs; v->name != NULL; v++)
		if (v->run == NULL) {
			fprintf(out, "%s%s", comma, v->name);
			comma = ", ";
		}
	fputc('\n', out);
}

static void overview(void)
{
	printf("usage: railyard VERB [options]\n\nA RoCEv2 fabric in a box.\n\n");
	for (const struct verb *v = verbs; v->name != NULL; v++)
		if (v->run != NULL)
			printf("  %-10s %s\n", v->name, v->command.summary);
	printf("\n`railyard VERB --help` tells more; --version the version.\nNot in this version: ");
	list_absent(stdout);
	printf("Exit status: %s\n", statuses);
}

static void manpage(FILE *out)
{
	manpage_head(out, "railyard", 1, "a RoCEv2 fabric in a box");
	manpage_section(out, "SYNOPSIS", "railyard VERB [options]");
	manpage_section(
		out, "DESCRIPTION",
		"Checks scenarios, and starts, watches, changes and stops railyardd, which runs "
		"their switches on real ports. Quantities carry units: 100Gbps, 55us, 400KB.");
	fputs(".SH VERBS\n", out);
	for (const struct verb *v = verbs; v->name != NULL; v++)
		if (v->run != NULL)
			manpage_command(out, &v->command, verb_common);
	fputs(".SH NOT IN THIS VERSION\n", out);
	list_absent(out);
	manpage_section(
		out, "ENVIRONMENT",
		"RAILYARD_SOCKET: the daemon's socket. XDG_RUNTIME_DIR: where sockets are without "
		"root. NO_COLOR: no colours on a terminal either.");
	manpage_section(out, "EXIT STATUS", statuses);
	manpage_section(
		out, "FILES",
		"/run/railyard/NAME.sock, without root $XDG_RUNTIME_DIR/railyard/NAME.sock: NAME is the "
		"scenario's name.");
	manpage_section(out, "SEE ALSO", "railyardd(8)");
}

int verb_help(const struct args *args)
{
	char *words[] = {NULL, "--help", NULL};

	if (options_given(args, "man")) {
		manpage(stdout);
		return 0;
	}
	if (args->n_words == 0) {
		overview();
		return 0;
	}
	words[0] = (char *)args->words[0];
	return verb_run(2, words);
}
