/* SPDX-License-Identifier: BSD-3-Clause */
#include "api.h"

#include <microhttpd.h>

static void fill(struct reply *reply, const char *path, const char *found, const char *expected,
		 const char *message, int status)
{
	json_decref(reply->json);
	reply->json = json_pack("{s:{s:s s:s s:s s:s s:i}}", "error", "path", path, "found", found,
				"expected", expected, "message", message, "status", status);
}

/* Bytes that are no UTF-8 (a user's own words) would make jansson refuse the whole. */
static const char *clean(char *s)
{
	json_t *test = json_string(s);

	if (test == NULL)
		for (char *c = s; *c != '\0'; c++)
			if ((unsigned char)*c >= 0x80)
				*c = '?';
	json_decref(test);
	return s;
}

void reply_err(struct reply *reply, const struct err *err)
{
	struct err e = *err;
	char text[1024];

	err_text(err, text, sizeof(text));
	reply->status = err->status == ERR_ENVIRONMENT ? MHD_HTTP_CONFLICT : MHD_HTTP_BAD_REQUEST;
	fill(reply, clean(e.path), clean(e.found), clean(e.expected), clean(text),
	     (int)err->status);
}

void reply_error(struct reply *reply, unsigned int status, const char *path, const char *found,
		 const char *expected)
{
	struct err err = {0};

	err_set(&err, ERR_USAGE, 22, path, found, "%s", expected);
	reply_err(reply, &err);
	reply->status = status;
}
