/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the API of a running railyardd, over its Unix socket. One request a connection. */
#ifndef RY_CLI_CLIENT_H
#define RY_CLI_CLIENT_H

#include "control/options.h"
#include "control/place.h"

#include <jansson.h>

/* The place that --socket, RAILYARD_SOCKET or the directory says, for a verb that needs a daemon:
 * *err when none runs. */
int client_place(struct place *out, const struct args *args, struct err *err);

/* METHOD path with body (may be NULL; not taken over); *out is the answer, a new reference. An error
 * that the API gives comes back as *err. */
int client_json(const struct place *place, const char *method, const char *path, const json_t *body,
		json_t **out, struct err *err);
/* The same for an answer that is no JSON; free it. */
int client_text(const struct place *place, const char *path, char **out, struct err *err);

#endif
