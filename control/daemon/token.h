/* SPDX-License-Identifier: BSD-3-Clause */
/* The bearer token (RFC 6750) of the TCP listener: made new at each start. Control thread. */
#ifndef RY_DAEMON_TOKEN_H
#define RY_DAEMON_TOKEN_H

#include "api.h"

/* Makes one and stores it in file, mode 0600. */
int token_make(char token[API_TOKEN], const char *file, struct err *err);
/* Whether an Authorization header (may be NULL) carries it; takes as long for every wrong one. */
bool token_fits(const char *header, const char *token);

#endif
