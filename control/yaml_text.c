/* SPDX-License-Identifier: BSD-3-Clause */
/* Before the parser sees it: is it a text that a YAML file may hold, and the file's reading. */
#include "yaml_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Length of the UTF-8 sequence at p (RFC 3629: no overlong forms, no surrogates), 0 = it is none. */
static size_t utf8_length(const unsigned char *p, size_t left)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;

	if (n == 0 || n > left || p[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

const char *yaml_bad_text(const char *text, size_t len, int *line, int *col)
{
	const unsigned char *p = (const unsigned char *)text;

	*line = *col = 1;
	for (size_t i = 0, n; i < len; i += n, ++*col) {
		n = utf8_length(p + i, len - i);
		if (n == 0)
			return "a byte that is not UTF-8";
		if (p[i] == '\0')
			return "a NUL byte";
		if (p[i] == 0x7f || (p[i] < 0x20 && p[i] != '\t' && p[i] != '\n' && p[i] != '\r'))
			return "a control character";
		if (p[i] == '\n') {
			++*line;
			*col = 0;
		}
	}
	return NULL;
}

bool yaml_many_quotes(const char *text, size_t len, int *line, int *col)
{
	int pairs = 0;

	*line = *col = 1;
	for (size_t i = 0; i + 1 < len; i++, ++*col) {
		if (text[i] == '\n') {
			++*line;
			*col = 0;
		} else if (text[i] == '\'' && text[i + 1] == '\'') {
			if (++pairs == 4)
				return true;
			i++;
			++*col;
		}
	}
	return false;
}

int yaml_tab_in_indent(const char *text, size_t len, int line)
{
	const char *p = text, *end = text + len;

	for (; line > 1 && p != NULL; line--) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	for (int col = 1; p != NULL && p < end && (*p == ' ' || *p == '\t'); p++, col++)
		if (*p == '\t')
			return col;
	return 0;
}

static int file_error(struct err *err, const char *file, int code)
{
	enum err_status status =
		code == EACCES || code == EPERM || code == EIO ? ERR_ENVIRONMENT : ERR_USAGE;

	err_set(err, status, code, "", "", "cannot read it: %s", strerror(code));
	err_at(err, file, 0, 0);
	return -code;
}

static int too_long(struct err *err, const char *file)
{
	err_set(err, ERR_USAGE, EFBIG, "", "a file of more than 16 MiB", "a scenario");
	err_at(err, file, 0, 0);
	return -EFBIG;
}

static int read_all(FILE *in, const char *file, char **text, size_t *len, struct err *err)
{
	size_t size = 16384, n;
	char *buf = NULL, *more;

	*len = 0;
	do {
		size *= 2;
		more = realloc(buf, size + 1);
		if (more == NULL) {
			free(buf);
			return file_error(err, file, ENOMEM);
		}
		buf = more;
		n = fread(buf + *len, 1, size - *len, in);
		*len += n;
	} while (*len == size && size < 2 * YAML_BYTES);
	if (ferror(in) || *len > YAML_BYTES) {
		n = ferror(in) ? 1 : 0;
		free(buf);
		return n ? file_error(err, file, errno ? errno : EIO) : too_long(err, file);
	}
	buf[*len] = '\0';
	*text = buf;
	return 0;
}

int yaml_read_file(const char *file, char **text, size_t *len, struct err *err)
{
	struct stat st;
	FILE *in;
	int rc;

	*text = NULL;
	if (strcmp(file, "-") == 0)
		return read_all(stdin, "-", text, len, err);
	in = fopen(file, "re");
	if (in == NULL)
		return file_error(err, file, errno);
	if (fstat(fileno(in), &st) == 0 && S_ISDIR(st.st_mode))
		rc = file_error(err, file, EISDIR);
	else
		rc = read_all(in, file, text, len, err);
	fclose(in);
	return rc;
}
