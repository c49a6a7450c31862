/* SPDX-License-Identifier: BSD-3-Clause */
/* The control thread's loop: requests, signals, a look at the clock once a second. */
#ifndef RY_DAEMON_LOOP_H
#define RY_DAEMON_LOOP_H

#include "api.h"

/* Blocks SIGTERM, SIGINT, SIGHUP and gives a descriptor that tells of them. Before any thread is
 * started, so that all have them blocked. */
int loop_signals(struct err *err);
/* Until a signal or POST /v1/stop. */
void loop_run(struct api *api, int signal_fd);

#endif
