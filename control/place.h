/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a running railyardd is found: its socket and the files beside it.
 *
 *	NAME.sock   the API, mode 0600
 *	NAME.pid    locked as long as the daemon lives, so that a killed one is told from a running one
 *	NAME.log    what it says once it is in the background
 *	NAME.token  the bearer token, with --listen only
 *
 * All in /run/railyard, without root in $XDG_RUNTIME_DIR/railyard; elsewhere with --socket or
 * RAILYARD_SOCKET. Control thread.
 */
#ifndef RY_PLACE_H
#define RY_PLACE_H

#include "dataplane/model/err.h"

#include <stdbool.h>
#include <sys/types.h>

#define PLACE_PATH 100 /* sun_path holds 107 and a NUL */

struct place {
	char socket[PLACE_PATH];
	char pid[PLACE_PATH + 8], log[PLACE_PATH + 8], token[PLACE_PATH + 8];
	char prefix[PLACE_PATH + 16]; /* "railyard-NAME": of DPDK's own files */
	bool made_dir;                /* place_take made the directory: it goes with the rest */
};

enum place_state { PLACE_NONE, PLACE_RUNNING, PLACE_STALE };

/* From an explicit path; refuses one that is too long for a socket. */
int place_from_socket(struct place *out, const char *socket, struct err *err);
/* From the scenario's name, or from RAILYARD_SOCKET when that is set. */
int place_from_name(struct place *out, const char *name, struct err *err);
/* The one that is there: RAILYARD_SOCKET, else the only socket in the directory (running ones
 * before stale ones). None or several: *err says which there are. */
int place_find(struct place *out, struct err *err);

/* Whether a daemon holds it; its pid when it runs. */
enum place_state place_state(const struct place *place, pid_t *pid);

/* The daemon's side: makes the directory (0755), takes the lock and writes the pid. The fd holds it
 * for as long as it is open; -EEXIST when another daemon has it, or when something that is no socket
 * is in its place. On failure nothing is left. */
int place_take(struct place *place, struct err *err);
/* Removes the files, the directory that DPDK leaves, and the place's own if place_take made it. */
void place_remove(const struct place *place);

#endif
