/* SPDX-License-Identifier: BSD-3-Clause */
/* GET /v1/stream: server-sent events (WHATWG HTML, "Server-sent events"), one snapshot each
 * interval. A reader that is slower than its interval misses events, it never makes the daemon
 * wait or grow. Control thread.
 */
#ifndef RY_DAEMON_STREAM_H
#define RY_DAEMON_STREAM_H

#include "api.h"

#include <microhttpd.h>

#define STREAMS_MAX 16

struct streams;

struct streams *streams_new(void);
/* All must have ended: after MHD_stop_daemon. */
void streams_free(struct streams *streams);

/* Begins one on a connection; a reply with an error when it cannot. */
enum MHD_Result streams_begin(struct streams *streams, struct MHD_Connection *connection,
			      struct running *run, const char *reader, struct reply *reply);
/* Ms until the next event is due, -1 when nobody listens. */
int streams_timeout(const struct streams *streams);
/* Makes what is due. */
void streams_run(struct streams *streams);
/* Ends all: their connections can then be closed. */
void streams_end(struct streams *streams);

#endif
