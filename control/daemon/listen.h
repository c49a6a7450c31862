/* SPDX-License-Identifier: BSD-3-Clause */
/* Listening sockets of the API. Control thread. */
#ifndef RY_DAEMON_LISTEN_H
#define RY_DAEMON_LISTEN_H

#include "dataplane/model/err.h"

/* A Unix socket at path, mode 0600; a socket that is left there is replaced, anything else is not.
 * The caller holds the place's lock. Returns the fd. */
int listen_unix(const char *path, struct err *err);
/* ADDR:PORT, [ADDR6]:PORT or :PORT (loopback). */
int listen_tcp(const char *address, struct err *err);

#endif
