/* SPDX-License-Identifier: BSD-3-Clause */
#include "verbs.h"

#include "control/version.h"
#include "say.h"

#include <string.h>

#define END                                      \
	{                                        \
		NULL, 0, OPTION_FLAG, NULL, NULL \
	}

const struct option_def verb_common[] = {
	{"help", 'h', OPTION_FLAG, NULL, "print what this verb does"},
	END,
};

/* Of every verb that talks to a running daemon. */
static const struct option_def socket_options[] = {
	{"socket", 0, OPTION_VALUE, "PATH",
	 "the daemon's socket; else RAILYARD_SOCKET, else the only one that runs"},
	{"json", 0, OPTION_FLAG, NULL, "print JSON"},
	END,
};

static const struct option_def up_options[] = {
	{"listen", 0, OPTION_VALUE, "ADDR:PORT", "serve the API on TCP too, with a bearer token"},
	{"no-huge", 0, OPTION_FLAG, NULL, "ordinary pages: slower, needs no set-up and no root"},
	{"force", 0, OPTION_FLAG, NULL, "take a port that carries the default route or your ssh"},
	{"set", 0, OPTION_VALUE, "PATH=VALUE",
	 "change the scenario before it is started; repeatable"},
	{"hold", 0, OPTION_VALUE, "PORT",
	 "begin with this port held: nothing leaves it until `railyard release`; repeatable"},
	{"foreground", 0, OPTION_FLAG, NULL, "stay, log here, stop with Ctrl-C"},
	END,
};

static const struct option_def down_options[] = {
	{"force", 0, OPTION_FLAG, NULL, "kill a daemon that does not stop by itself"},
	END,
};

static const struct option_def show_options[] = {
	{"watch", 0, OPTION_MAYBE, "SECONDS", "again and again, every second or every SECONDS"},
	{"count", 0, OPTION_VALUE, "N", "--watch: end after N times"},
	{"all", 'a', OPTION_FLAG, NULL, "also what is zero"},
	{"reader", 0, OPTION_VALUE, "NAME",
	 "as NAME sees it: since NAME's own clear, which no other reader disturbs"},
	{"clear", 0, OPTION_FLAG, NULL, "read and clear in one instant, for this reader"},
	END,
};

static const struct option_def clear_options[] = {
	{"reader", 0, OPTION_VALUE, "NAME", "for NAME alone"},
	END,
};

static const struct option_def check_options[] = {
	{"effective", 0, OPTION_FLAG, NULL, "print the scenario with every default"},
	{"strict", 0, OPTION_FLAG, NULL, "warnings count as errors"},
	{"json", 0, OPTION_FLAG, NULL, "--format json"},
	{"format", 0, OPTION_VALUE, "FORMAT", "text (default), json, sarif, junit, github"},
	END,
};

static const struct option_def list_options[] = {
	{"verbose", 'v', OPTION_FLAG, NULL, "what each one is"},
	{"json", 0, OPTION_FLAG, NULL, "print JSON"},
	END,
};

static const struct option_def selftest_options[] = {
	{"no-huge", 0, OPTION_FLAG, NULL, "ordinary pages (device strings only)"},
	{"force", 0, OPTION_FLAG, NULL, "test a port that carries the default route or your ssh"},
	END,
};

static const struct option_def help_options[] = {
	{"man", 0, OPTION_FLAG, NULL, "print railyard(1)"},
	END,
};

static const char show_details[] =
	"ports        counters of every port, and what its device lost\n"
	"queues       egress queues: now, watermark, marked, dropped   (queue counters, queue watermark)\n"
	"pg           ingress priority groups and the buffer's pools   (priority-group watermark, drop)\n"
	"buffer_pool  shared pool, headroom, egress: now, watermark    (buffer_pool watermark)\n"
	"pfc          PFC sent, received, honoured; time paused        (pfc counters)\n"
	"watchdog     PFC storms: settings, state, what was dropped    (pfcwd stats)\n"
	"ecn          thresholds, what they marked and dropped         (queue wredcounters)\n"
	"drops        by name, with the file that drops, and the accounting identity\n"
	"tables       routes, gateways, neighbours, learned addresses\n"
	"hash         the fields that ECMP looks at\n"
	"effective    the scenario as it is now, as YAML\n\n"
	"Counters count from the last `railyard clear`; frames held at that moment count as received\n"
	"after it. Rows without anything to say are left out; --all shows them.\n\n"
	"Each --reader has counters and watermarks of its own; without the option all are one reader.\n"
	"Reader `persistent` (`show queue persistent-watermark`, `priority-group ...`,\n"
	"`buffer_pool ...`) is cleared by its own name only.";

#define TALKS                               \
	{                                   \
		socket_options, verb_common \
	}

const struct verb verbs[] = {
	{"up",
	 {"railyard up",
	  "FILE [--listen ADDR:PORT] [--no-huge] [--force] [--set PATH=VALUE]... "
	  "[--hold PORT]... [--foreground]",
	  "Checks a scenario and starts railyardd on its ports.",
	  "FILE - is standard input. Ends when the switches run; nothing is started on an error.",
	  {up_options, socket_options, verb_common},
	  1,
	  1},
	 verb_up},
	{"down",
	 {"railyard down",
	  "[--force]",
	  "Stops the daemon and gives its ports back.",
	  "Waits until it is gone and checks that nothing is left. Clears up after a killed one.",
	  {down_options, socket_options, verb_common},
	  0,
	  0},
	 verb_down},
	{"status",
	 {"railyard status", "", "Tells what runs, and whether its numbers are valid.",
	  "Exit status 0: it runs; 1: not running, or killed; 4: it runs, but the run is not valid.",
	  TALKS, 0, 0},
	 verb_status},
	{"show",
	 {"railyard show",
	  "WHAT [--watch[=SECONDS]] [--all] [--reader NAME] [--clear]",
	  "Prints counters and state.",
	  show_details,
	  {show_options, socket_options, verb_common},
	  1,
	  2},
	 verb_show},
	{"set",
	 {"railyard set", "PATH=VALUE...", "Changes the running scenario: all of it or nothing.",
	  "PATH is a place in the scenario: ports.s1-h2.rate=10Mbps, switches.s1.ecn.3.min=20KB,\n"
	  "switch.pfc=off. What needs a restart (devices, topology, names, real.*) is refused.",
	  TALKS, 1, -1},
	 verb_set},
	{"hold",
	 {"railyard hold", "PORT", "Stops what leaves by a port; what comes in is taken.", NULL,
	  TALKS, 1, 1},
	 verb_hold},
	{"release",
	 {"railyard release", "PORT", "Lets a held port go on.", NULL, TALKS, 1, 1},
	 verb_release},
	{"link",
	 {"railyard link", "PORT up|down", "Takes a cable out, or puts it back.",
	  "Of a cable between two switches, both ends.", TALKS, 2, 2},
	 verb_link},
	{"clear",
	 {"railyard clear",
	  "[counters|watermarks] [--reader NAME]",
	  "Starts counters and watermarks again.",
	  "For everybody who reads without --reader; with it, for NAME alone. Frames that are held now\n"
	  "count as received after it. /metrics goes on counting, and its watermarks go on.",
	  {clear_options, socket_options, verb_common},
	  0,
	  1},
	 verb_clear},
	{"restart",
	 {"railyard restart", "workers", "Ends the workers' threads and starts new ones.",
	  "Every switch goes on as it was, and model time stands still in between; what a device\n"
	  "receives meanwhile waits in its ring.",
	  TALKS, 1, 1},
	 verb_restart},
	{"check",
	 {"railyard check",
	  "FILE... [--effective] [--strict] [--format FORMAT]",
	  "Validates scenarios; starts nothing.",
	  NULL,
	  {check_options, verb_common},
	  1,
	  -1},
	 verb_check},
	{"list",
	 {"railyard list",
	  "pipelines|presets|scenarios|drops|metrics [-v]",
	  "Tells what there is.",
	  NULL,
	  {list_options, verb_common},
	  1,
	  1},
	 verb_list},
	{"selftest",
	 {"railyard selftest",
	  "PORT [PORT]",
	  "Tries what ports really do with PFC, jumbo frames, CE and DSCP.",
	  "PORT is a DPDK device string (0000:3b:00.0, net_tap0 ...). Two ports are cabled to each other;\n"
	  "of one alone, the kernel's side is the other end. The name of a running port tells its device.\n"
	  "Exit status 1: something does not work; each verdict has its cure.",
	  {selftest_options, socket_options, verb_common},
	  1,
	  2},
	 verb_selftest},
	{"help",
	 {"railyard help",
	  "[VERB]",
	  "Prints the verbs, or what one does.",
	  NULL,
	  {help_options, verb_common},
	  0,
	  1},
	 verb_help},
	{"run", {.name = "railyard run"}, NULL},
	{"compare", {.name = "railyard compare"}, NULL},
	{"sweep", {.name = "railyard sweep"}, NULL},
	{"report", {.name = "railyard report"}, NULL},
	{"view", {.name = "railyard view"}, NULL},
	{"plan", {.name = "railyard plan"}, NULL},
	{"load", {.name = "railyard load"}, NULL},
	{"rollback", {.name = "railyard rollback"}, NULL},
	{"hosts", {.name = "railyard hosts"}, NULL},
	{"probe", {.name = "railyard probe"}, NULL},
	{"import", {.name = "railyard import"}, NULL},
	{"export", {.name = "railyard export"}, NULL},
	{"inject", {.name = "railyard inject"}, NULL},
	{"measure", {.name = "railyard measure"}, NULL},
	{"capture", {.name = "railyard capture"}, NULL},
	{"record", {.name = "railyard record"}, NULL},
	{"new", {.name = "railyard new"}, NULL},
	{NULL, {.name = NULL}, NULL},
};

const struct verb *verb_find(const char *name)
{
	for (const struct verb *v = verbs; v->name != NULL; v++)
		if (strcmp(v->name, name) == 0)
			return v;
	return NULL;
}

static int unknown_verb(const char *name)
{
	const char *names[64], *near;
	struct err err = {0};
	int n = 0;

	for (const struct verb *v = verbs; v->name != NULL && n < 64; v++)
		names[n++] = v->name;
	near = options_nearest(name, names, n);
	if (near != NULL)
		err_set(&err, ERR_USAGE, 22, "", name, "a verb; did you mean `railyard %s`?", near);
	else
		err_set(&err, ERR_USAGE, 22, "", name, "a verb (`railyard help` lists them)");
	return say_err(&err);
}

int verb_run(int argc, char **argv)
{
	const struct verb *verb = verb_find(argv[0]);
	struct err err = {0};
	struct args args;
	int rc = 0;

	if (verb == NULL)
		return unknown_verb(argv[0]);
	if (verb->run == NULL) {
		fprintf(stderr, "railyard: `%s` is not in this version (%s)\n", verb->name,
			RY_VERSION);
		return ERR_USAGE;
	}
	if (options_parse(&args, &verb->command, argc - 1, argv + 1, &err) != 0)
		return say_err(&err);
	if (options_given(&args, "help"))
		options_help(&verb->command, stdout);
	else
		rc = verb->run(&args);
	options_free(&args);
	return rc;
}
