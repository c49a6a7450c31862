/* SPDX-License-Identifier: BSD-3-Clause */
/* HTTP+JSON over a Unix socket and, when asked for, TCP with a bearer token.
 *
 * libmicrohttpd runs without threads of its own: main's loop calls api_run when one of the api's
 * descriptors is ready, so that every request is served on the one control thread that rt_* wants.
 * Errors are 4xx with {"error":{"path","found","expected"}}.
 */
#ifndef RY_DAEMON_API_H
#define RY_DAEMON_API_H

#include "running.h"

#include <jansson.h>
#include <poll.h>
#include <stdint.h>

#define API_BODY_MAX (1 << 20) /* bytes of a request's body */
#define API_FDS 2
#define API_TOKEN 65 /* 64 hex digits and a NUL */

struct api;

struct request {
	const char *method, *path;
	const char *reader; /* ?reader=NAME; NULL when there is none */
	json_t *body; /* of PATCH and POST; NULL when there was none */
};

struct reply {
	unsigned int status; /* 0 = 200 */
	json_t *json;        /* this, or */
	char *text;          /* this (malloc'd) */
	const char *type;    /* of text */
};

/* Serves run on the listening Unix socket `fd` (taken over) and, unless listen is NULL, on its
 * ADDR:PORT. The token is written to run->place.token, mode 0600. */
struct api *api_start(struct running *run, int fd, const char *listen, struct err *err);
void api_stop(struct api *api);

/* What to poll, and for how long at most (ms, -1 = for ever). Returns the number of descriptors. */
int api_poll(struct api *api, struct pollfd fds[API_FDS], int *timeout_ms);
void api_run(struct api *api);
/* True once POST /v1/stop was answered. */
bool api_stopped(const struct api *api);

/* ---- between the files of the api ---- */

struct running *api_running(struct api *api);
const char *api_listen(const struct api *api);
/* The switches are stopped by this request; lost: buffers that did not come back. */
int api_stop_switches(struct api *api);

/* Finds the endpoint and calls it (endpoints.c). */
void api_serve(struct api *api, const struct request *request, struct reply *reply);
/* {"error": ...}; the status is 400, 409 when the machine refused. */
void reply_err(struct reply *reply, const struct err *err);
/* The same in place. */
void reply_error(struct reply *reply, unsigned int status, const char *path, const char *found,
		 const char *expected);

#endif
