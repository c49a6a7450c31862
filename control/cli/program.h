/* SPDX-License-Identifier: BSD-3-Clause */
/* The other program, railyardd. */
#ifndef RY_CLI_PROGRAM_H
#define RY_CLI_PROGRAM_H

#include <stddef.h>

/* Beside this one, in ../sbin, or wherever PATH says. */
void program_daemon(char *out, size_t size);
/* Becomes it; returns an exit status, with the reason said, only when it cannot. */
int program_become(const char **words);

#endif
