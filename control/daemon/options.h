/* SPDX-License-Identifier: BSD-3-Clause */
/* railyardd's command line and man page, as tables. */
#ifndef RY_DAEMON_OPTIONS_H
#define RY_DAEMON_OPTIONS_H

#include "control/options.h"

extern const struct command daemon_command;

/* railyardd(8). */
void daemon_manpage(FILE *out);

#endif
