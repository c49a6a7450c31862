/* SPDX-License-Identifier: BSD-3-Clause */
/* railyardd: from a scenario to running switches and back, in the order in which things can fail. */
#include "background.h"
#include "control/std_files.h"
#include "control/version.h"
#include "listen.h"
#include "loop.h"
#include "options.h"
#include "selftest.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETS_MAX 256

static int say(const struct err *err)
{
	char text[1024];

	fprintf(stderr, "railyardd: %s\n", err_text(err, text, sizeof(text)));
	return err->status;
}

static int load(struct running *run, const struct args *args, struct err *err)
{
	const char *sets[SETS_MAX];
	int n = options_values(args, "set", sets, SETS_MAX);
	int rc = source_open(&run->source, args->words[0], err);

	if (n > SETS_MAX)
		return err_set(err, ERR_USAGE, 7, "--set", "more", "at most %d", SETS_MAX);
	for (int i = 0; rc == 0 && i < n; i++)
		rc = source_set(&run->source, sets[i], err);
	if (rc == 0)
		rc = running_load(run, err);
	return rc;
}

static int find_place(struct place *place, const struct args *args, const char *name,
		      struct err *err)
{
	const char *given = options_value(args, "socket", NULL);

	return given ? place_from_socket(place, given, err) : place_from_name(place, name, err);
}

/* Serves until it is told to stop; tells the parent, if there is one, when it is ready. */
static int serve(struct running *run, const struct args *args, int ready_fd, struct err *err)
{
	int signal_fd = loop_signals(err), fd, lost;
	struct api *api = NULL;

	if (signal_fd < 0 || running_start(run, err) != 0)
		return -1;
	fd = listen_unix(run->place.socket, err);
	if (fd >= 0)
		api = api_start(run, fd, options_value(args, "listen", NULL), err);
	if (api == NULL) {
		running_stop(run);
		return -1;
	}
	fprintf(stderr, "railyardd: %s runs; socket %s\n", run->scenario.name, run->place.socket);
	/* Whoever was to be told and is gone (^C) does not want it any more. */
	if (ready_fd < 0 || background_ready(ready_fd, NULL))
		loop_run(api, signal_fd);
	api_stop(api);
	lost = running_stop(run);
	if (lost > 0)
		fprintf(stderr, "railyardd: %d packet buffers did not come back\n", lost);
	close(signal_fd);
	return lost > 0;
}

static int run_locked(struct running *run, const struct args *args, int ready_fd, struct err *err)
{
	int lock = place_take(&run->place, err), rc = -1;

	if (lock < 0)
		return -1;
	if (ready_fd < 0 || background_log(run->place.log, err) == 0)
		rc = serve(run, args, ready_fd, err);
	place_remove(&run->place);
	close(lock);
	return rc;
}

static int run_daemon(const struct args *args)
{
	struct running run = {.no_huge = options_given(args, "no-huge"),
			      .force = options_given(args, "force")};
	int ready_fd = -1, rc;
	struct err err = {0};

	run.n_holds = options_values(args, "hold", run.holds, RUNNING_HOLDS);
	if (run.n_holds > RUNNING_HOLDS)
		err_set(&err, ERR_USAGE, 7, "--hold", "more", "at most %d", RUNNING_HOLDS);
	if (err.status != ERR_NONE || load(&run, args, &err) != 0)
		return say(&err);
	rc = find_place(&run.place, args, run.scenario.name, &err);
	if (rc == 0 && options_given(args, "daemon"))
		rc = background_begin(&ready_fd, run.place.log, &err);
	if (rc == 0)
		rc = run_locked(&run, args, ready_fd, &err);
	running_free(&run);
	source_close(&run.source);
	if (rc >= 0)
		return rc;
	if (ready_fd >= 0)
		background_ready(ready_fd, &err);
	else
		say(&err);
	return err.status;
}

int main(int argc, char **argv)
{
	struct args args;
	struct err err = {0};
	int rc = 0;

	std_files();
	if (options_parse(&args, &daemon_command, argc - 1, argv + 1, &err) != 0)
		return say(&err);
	if (options_given(&args, "help")) {
		options_help(&daemon_command, stdout);
	} else if (options_given(&args, "version")) {
		printf("railyardd %s (%s)\n", RY_VERSION, RY_BUILD);
	} else if (options_given(&args, "man")) {
		daemon_manpage(stdout);
	} else if (args.n_words == 0) {
		err_set(&err, ERR_USAGE, 22, "", "", "railyardd FILE (--help tells more)");
		rc = say(&err);
	} else if (options_given(&args, "selftest")) {
		rc = selftest_run(&args);
	} else if (args.n_words > 1) {
		err_set(&err, ERR_USAGE, 22, "", args.words[1], "one FILE");
		rc = say(&err);
	} else {
		rc = run_daemon(&args);
	}
	options_free(&args);
	return rc;
}
