/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "client.h"
#include "say.h"
#include "verbs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#define WAIT_MS 10000

/* Whether the process ends within ms. */
static bool ends(int pidfd, int ms)
{
	struct pollfd fd = {.fd = pidfd, .events = POLLIN};

	return pidfd < 0 || poll(&fd, 1, ms) == 1;
}

/* By request, else by signal, else (--force) by force. */
static int stop(const struct place *place, pid_t pid, int pidfd, bool force, json_t **answer,
		struct err *err)
{
	struct err ignored = {0};

	if (client_json(place, "POST", "/v1/stop", NULL, answer, &ignored) != 0 && pidfd >= 0)
		pidfd_send_signal(pidfd, SIGTERM, NULL, 0);
	if (ends(pidfd, WAIT_MS))
		return 0;
	if (force) {
		pidfd_send_signal(pidfd, SIGKILL, NULL, 0);
		if (ends(pidfd, WAIT_MS))
			return 0;
	}
	return err_set(err, ERR_ENVIRONMENT, ETIMEDOUT, "", "a daemon that does not stop",
		       "pid %d to end within 10 s; `railyard down --force` kills it", (int)pid);
}

static int nothing_left(const struct place *place, struct err *err)
{
	const char *files[] = {place->socket, place->pid, place->token};

	for (int i = 0; i < 3; i++)
		if (access(files[i], F_OK) == 0)
			return err_set(err, ERR_ENVIRONMENT, EEXIST, "", files[i],
				       "it to be gone with the daemon; `railyard down` again");
	return 0;
}

static int report(const struct args *args, const struct place *place, const json_t *answer,
		  const char *how)
{
	uint64_t lost = get_u64(answer, "buffers_lost");
	json_t *json = json_pack("{s:i s:s s:s s:I}", "railyard", 1, "state", how, "socket",
				 place->socket, "buffers_lost", (json_int_t)lost);

	if (options_given(args, "json"))
		say_json(json);
	else
		printf("%s: %s\n", how, place->socket);
	json_decref(json);
	if (lost > 0)
		fprintf(stderr,
			"railyard: %d packet buffers did not come back: a fault of railyardd\n",
			(int)lost);
	return lost > 0;
}

static int stop_running(const struct args *args, const struct place *place, pid_t pid)
{
	int pidfd = pidfd_open(pid, 0), rc;
	json_t *answer = NULL;
	struct err err = {0};

	rc = stop(place, pid, pidfd, options_given(args, "force"), &answer, &err);
	if (pidfd >= 0)
		close(pidfd);
	if (rc == 0 && place_state(place, NULL) == PLACE_STALE)
		place_remove(place); /* it was killed */
	if (rc == 0)
		rc = nothing_left(place, &err);
	rc = rc == 0 ? report(args, place, answer, "stopped") : say_err(&err);
	json_decref(answer);
	return rc;
}

int verb_down(const struct args *args)
{
	const char *given = options_value(args, "socket", NULL);
	struct place place;
	struct err err = {0};
	pid_t pid = 0;
	int rc = given ? place_from_socket(&place, given, &err) : place_find(&place, &err);

	if (rc != 0)
		return say_err(&err);
	switch (place_state(&place, &pid)) {
	case PLACE_RUNNING:
		return stop_running(args, &place, pid);
	case PLACE_STALE:
		place_remove(&place);
		return report(args, &place, NULL, "cleared up after a killed daemon");
	default:
		err_set(&err, ERR_ENVIRONMENT, ENOENT, "", "", "nothing is running at %s",
			place.socket);
		return say_err(&err);
	}
}
