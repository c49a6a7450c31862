/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include "control/manpage.h"

static const struct option_def options[] = {
	{"daemon", 0, OPTION_FLAG, NULL,
	 "go to the background; the command ends when the switches run, or with the error"},
	{"socket", 0, OPTION_VALUE, "PATH",
	 "the API's socket instead of the directory's NAME.sock"},
	{"listen", 0, OPTION_VALUE, "ADDR:PORT", "serve the API on TCP too, with a bearer token"},
	{"set", 0, OPTION_VALUE, "PATH=VALUE",
	 "change the scenario before it is started; repeatable"},
	{"hold", 0, OPTION_VALUE, "PORT", "begin with this port held; repeatable"},
	{"no-huge", 0, OPTION_FLAG, NULL, "ordinary pages: slower, needs no set-up and no root"},
	{"force", 0, OPTION_FLAG, NULL, "take a port that carries the default route or your ssh"},
	{"selftest", 0, OPTION_FLAG, NULL, "the words are DPDK device strings: test them and end"},
	{"json", 0, OPTION_FLAG, NULL, "--selftest: the verdicts as JSON"},
	{"man", 0, OPTION_FLAG, NULL, "print railyardd(8)"},
	{"version", 0, OPTION_FLAG, NULL, "print the version"},
	{"help", 'h', OPTION_FLAG, NULL, "print this"},
	{NULL, 0, OPTION_FLAG, NULL, NULL},
};

const struct command daemon_command = {
	.name = "railyardd",
	.synopsis = "FILE [--daemon] [--socket PATH] [--listen ADDR:PORT] [--set PATH=VALUE]... "
		    "[--hold PORT]... [--no-huge] [--force]",
	.summary = "Runs the switches of a scenario on real ports until it is told to stop.",
	.details =
		"`railyard up` and `railyard down` start and stop it; by itself it stays in the\n"
		"foreground and logs to standard error, as a service manager wants it.\n"
		"SIGTERM and SIGINT stop it: buffers are counted back, ports given back.",
	.tables = {options},
	.min_words = 0,
	.max_words = 2,
};

void daemon_manpage(FILE *out)
{
	manpage_head(out, "railyardd", 8, "RoCEv2 switches on DPDK ports");
	manpage_section(out, "SYNOPSIS",
			"railyardd FILE [options]\n\nrailyardd --selftest DEVICE [DEVICE]");
	manpage_section(out, "DESCRIPTION", daemon_command.summary);
	fputs(".PP\n", out);
	manpage_section(out, "OPERATION", daemon_command.details);
	fputs(".SH OPTIONS\n", out);
	manpage_options(out, options);
	manpage_section(
		out, "FILES",
		"/run/railyard/NAME.sock (without root $XDG_RUNTIME_DIR/railyard/NAME.sock): the API, "
		"mode 0600. Beside it NAME.pid, locked while it lives; NAME.log, what it says in the "
		"background; NAME.token, the bearer token with --listen. All go when it stops.");
	manpage_section(
		out, "EXIT STATUS",
		"0 stopped when told; 1 packet buffers were lost; 2 usage or an invalid file, nothing "
		"was started; 3 the machine refused.");
	manpage_section(out, "SEE ALSO", "railyard(1)");
}
