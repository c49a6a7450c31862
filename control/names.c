/* SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool name_valid(const char *text, size_t max)
{
	size_t n = 0;

	if (!is_lower(text[0]))
		return false;
	while (is_lower(text[n]) || is_digit(text[n]) || text[n] == '_')
		n++;
	return text[n] == '\0' && n <= max;
}

/* Splits "h12" at its number; false without one, or with a leading zero. */
static bool number_at_end(const char *text, size_t len, size_t *prefix, uint32_t *number)
{
	size_t at = len;

	while (at > 0 && is_digit(text[at - 1]))
		at--;
	if (at == 0 || at == len || len - at > 6 || (text[at] == '0' && len - at > 1))
		return false;
	*prefix = at;
	*number = (uint32_t)strtoul(text + at, NULL, 10);
	return true;
}

uint32_t name_range(const char *text, size_t *prefix, uint32_t *first)
{
	const char *dash = strchr(text, '-');
	size_t before, after;
	uint32_t last;

	if (dash == NULL || strchr(dash + 1, '-') != NULL ||
	    !number_at_end(text, (size_t)(dash - text), &before, first) ||
	    !number_at_end(dash + 1, strlen(dash + 1), &after, &last))
		return 0;
	if (before != after || memcmp(text, dash + 1, before) != 0 || last < *first ||
	    last - *first >= 4096)
		return 0;
	*prefix = before;
	return last - *first + 1;
}

void name_from_file(const char *file, char *buf, size_t size)
{
	const char *slash = strrchr(file, '/');
	size_t n = 0;

	for (file = slash ? slash + 1 : file; *file != '\0' && *file != '.' && n + 1 < size;
	     file++) {
		char c = *file >= 'A' && *file <= 'Z' ? (char)(*file - 'A' + 'a') : *file;

		if (n == 0 && !is_lower(c))
			continue;
		buf[n++] = is_lower(c) || is_digit(c) ? c : '_';
	}
	buf[n] = '\0';
	if (n == 0)
		snprintf(buf, size, "scenario");
}
