/* SPDX-License-Identifier: BSD-3-Clause */
/* Going to the background: the parent stays until the daemon is ready or has failed, and tells.
 * Before any thread is started.
 */
#ifndef RY_DAEMON_BACKGROUND_H
#define RY_DAEMON_BACKGROUND_H

#include "dataplane/model/err.h"

#include <stdbool.h>

/* Forks. In the parent: waits, prints the error and exits with its status (0 when ready); does not
 * return. In the child: a session of its own, *ready_fd to tell by. */
int background_begin(int *ready_fd, const char *log, struct err *err);
/* In the child: from now on stdin is /dev/null, stdout and stderr go to the log. */
int background_log(const char *log, struct err *err);
/* Tells the parent: all is well (err NULL), or what is not. Closes ready_fd. False: it is gone. */
bool background_ready(int ready_fd, const struct err *err);

#endif
