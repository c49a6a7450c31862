/* SPDX-License-Identifier: BSD-3-Clause */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *e, enum err_status status, int code, const char *path, const char *found,
	    const char *fmt, ...)
{
	va_list ap;

	if (e == NULL || e->status != ERR_NONE)
		return -code;
	e->status = status;
	snprintf(e->path, sizeof(e->path), "%s", path ? path : "");
	snprintf(e->found, sizeof(e->found), "%s", found ? found : "");
	va_start(ap, fmt);
	vsnprintf(e->expected, sizeof(e->expected), fmt, ap);
	va_end(ap);
	return -code;
}

void err_at(struct err *e, const char *file, int line, int col)
{
	if (e->file[0] == '\0' && file != NULL)
		snprintf(e->file, sizeof(e->file), "%s", file);
	if (e->line == 0) {
		e->line = line;
		e->col = col;
	}
}

const char *err_text(const struct err *e, char *buf, unsigned long size)
{
	char place[320] = "";
	const char *path_sep = e->path[0] ? ": " : "";

	if (e->file[0] && e->line > 0)
		snprintf(place, sizeof(place), "%s:%d:%d: ", e->file, e->line, e->col);
	else if (e->file[0])
		snprintf(place, sizeof(place), "%s: ", e->file);
	if (e->found[0])
		snprintf(buf, size, "%s%s%sfound %s, expected %s", place, e->path, path_sep,
			 e->found, e->expected);
	else
		snprintf(buf, size, "%s%s%s%s", place, e->path, path_sep, e->expected);
	return buf;
}
