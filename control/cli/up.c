/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "client.h"
#include "program.h"
#include "say.h"
#include "status.h"
#include "verbs.h"

#include "control/fabric.h"
#include "control/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SETS_MAX 256

static int check_holds(const struct fabric *fabric, const struct args *args, struct err *err)
{
	const char *holds[SETS_MAX];
	int n = options_values(args, "hold", holds, SETS_MAX);
	uint16_t sw, port;

	if (n > SETS_MAX)
		return err_set(err, ERR_USAGE, E2BIG, "--hold", "more", "at most %d", SETS_MAX);
	for (int i = 0; i < n; i++)
		if (fabric_port_find(fabric, holds[i], &sw, &port) < 0)
			return err_set(err, ERR_USAGE, ENOENT, "--hold", holds[i],
				       "a port of the scenario, like %s",
				       fabric->switches[0].ports[0].name);
	return 0;
}

/* Everything that can be wrong with the file is found here, before a process exists. */
static int check(struct source *source, const struct args *args, struct place *place,
		 struct err *err)
{
	const char *sets[SETS_MAX], *given = options_value(args, "socket", NULL);
	int n = options_values(args, "set", sets, SETS_MAX), rc = 0;
	struct scenario scenario;
	struct fabric fabric;

	if (n > SETS_MAX)
		return err_set(err, ERR_USAGE, E2BIG, "--set", "more", "at most %d", SETS_MAX);
	for (int i = 0; rc == 0 && i < n; i++)
		rc = source_set(source, sets[i], err);
	if (rc == 0)
		rc = source_load(&scenario, source, err);
	if (rc != 0)
		return rc;
	rc = fabric_build(&fabric, &scenario, err);
	if (rc == 0) {
		rc = check_holds(&fabric, args, err);
		fabric_free(&fabric);
	}
	if (rc == 0)
		rc = given ? place_from_socket(place, given, err)
			   : place_from_name(place, scenario.name, err);
	scenario_free(&scenario);
	return rc;
}

static int refuse_second(const struct place *place, struct err *err)
{
	pid_t pid = 0;

	switch (place_state(place, &pid)) {
	case PLACE_RUNNING:
		return err_set(err, ERR_USAGE, EEXIST, "", "",
			       "already running: pid %d, %s; stop it with `railyard down` first",
			       (int)pid, place->socket);
	case PLACE_STALE:
		fprintf(stderr,
			"railyard: note: %s was left by a daemon that was killed; replaced\n",
			place->socket);
		return 0;
	default:
		return 0;
	}
}

/* What can be read once only (standard input, a pipe of the shell's) was read by the check; the daemon
 * gets the copy. */
static bool read_once(const char *file)
{
	struct stat st;

	return strcmp(file, "-") == 0 || (stat(file, &st) == 0 && !S_ISREG(st.st_mode));
}

/* The daemon's command line: this one's, with the socket that was found. */
static void daemon_words(const struct args *args, const struct place *place, const char *program,
			 const char **out, bool background)
{
	int n = 0;

	out[n++] = program;
	out[n++] = read_once(args->words[0]) ? "-" : args->words[0];
	out[n++] = "--socket";
	out[n++] = place->socket;
	if (background)
		out[n++] = "--daemon";
	if (options_given(args, "no-huge"))
		out[n++] = "--no-huge";
	if (options_given(args, "force"))
		out[n++] = "--force";
	if (options_value(args, "listen", NULL) != NULL) {
		out[n++] = "--listen";
		out[n++] = options_value(args, "listen", NULL);
	}
	for (int i = 0; i < args->n_uses; i++) {
		bool set = strcmp(args->uses[i].def->name, "set") == 0;

		if (set || strcmp(args->uses[i].def->name, "hold") == 0) {
			out[n++] = set ? "--set" : "--hold";
			out[n++] = args->uses[i].value;
		}
	}
	out[n] = NULL;
}

static int become(const struct source *source, const char **words)
{
	if (strcmp(words[1], "-") == 0 && lseek(source->fd, 0, SEEK_SET) == 0)
		dup2(source->fd, STDIN_FILENO);
	return program_become(words);
}

static int start(const struct args *args, const struct source *source, const struct place *place)
{
	const char *words[4 * SETS_MAX + 16];
	bool foreground = options_given(args, "foreground");
	char program[512];
	int status;
	pid_t pid;

	program_daemon(program, sizeof(program));
	daemon_words(args, place, program, words, !foreground);
	fflush(stdout);
	if (foreground)
		return become(source, words);
	pid = fork();
	if (pid == 0)
		_exit(become(source, words));
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror("railyard: railyardd");
		return ERR_ENVIRONMENT;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : ERR_ENVIRONMENT;
}

static int tell(const struct args *args, const struct place *place, struct err *err)
{
	json_t *status = NULL;

	if (client_json(place, "GET", "/v1/status", NULL, &status, err) != 0)
		return say_err(err);
	if (options_given(args, "json"))
		say_json(status);
	else
		status_print(status, stdout);
	if (!options_given(args, "json") && get_str(status, "listen")[0] != '\0')
		printf("token   in %s\n", place->token);
	json_decref(status);
	return 0;
}

int verb_up(const struct args *args)
{
	struct source source;
	struct place place;
	struct err err = {0};
	int rc;

	if (source_open(&source, args->words[0], &err) != 0)
		return say_err(&err);
	if (check(&source, args, &place, &err) != 0 || refuse_second(&place, &err) != 0) {
		source_close(&source);
		return say_err(&err);
	}
	rc = start(args, &source, &place);
	source_close(&source);
	return rc != 0 ? rc : tell(args, &place, &err);
}
