/* SPDX-License-Identifier: BSD-3-Clause */
/* Man pages (man(7) macros) from the command tables of options.h. Writes only; any thread. */
#ifndef RY_MANPAGE_H
#define RY_MANPAGE_H

#include "options.h"

/* .TH, NAME. */
void manpage_head(FILE *out, const char *program, int section, const char *summary);
void manpage_section(FILE *out, const char *title, const char *text);
/* One command as a subsection: synopsis, text, options but those of the table `shared`. */
void manpage_command(FILE *out, const struct command *command, const struct option_def *shared);
void manpage_options(FILE *out, const struct option_def *table);

#endif
