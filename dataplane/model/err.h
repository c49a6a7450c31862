/* SPDX-License-Identifier: BSD-3-Clause */
/* One error, whole: where it is, what was found, what was expected, how to cure it.
 *
 * Cold code returns -errno and fills a struct err; hot code cannot fail, it counts.
 * The caller owns the struct; it holds no pointers. The first error wins: err_set on a filled
 * struct changes nothing, so that the cause is not hidden by what it caused. Any thread.
 */
#ifndef RY_ERR_H
#define RY_ERR_H

enum err_status {
	ERR_NONE = 0,
	ERR_USAGE = 2,       /* the user's words or file: nothing was started */
	ERR_ENVIRONMENT = 3, /* the machine refused: port, hugepages, permission */
};

struct err {
	enum err_status status;
	int line, col;      /* 1-based place in `file`; 0 where there is none */
	char file[256];     /* as the user named it; "" where there is none */
	char path[128];     /* place in the document, "switch.ecn.3.min" */
	char found[128];    /* what was found there */
	char expected[384]; /* what was expected, and the cure */
};

/* Fills *e (unless it is filled) and returns -code, code a positive errno value. found and fmt
 * make the sentence "found FOUND, expected FMT..."; found may be "". */
int err_set(struct err *e, enum err_status status, int code, const char *path, const char *found,
	    const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* Adds the place in a file; keeps what is there already. */
void err_at(struct err *e, const char *file, int line, int col);

/* Writes "FILE:LINE:COL: path: found X, expected Y" without a newline; parts that are not known
 * are left out. Returns buf. */
const char *err_text(const struct err *e, char *buf, unsigned long size);

#endif
