/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Splits text at `separator` into the next row; text is used up. */
static void add(struct table *t, char *text, const char *separator)
{
	int at = t->rows * t->columns;
	char **grown;

	if (t->rows == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 32;
		grown = realloc(t->cells, sizeof(*grown) * (size_t)t->cap * (size_t)t->columns);
		if (grown == NULL)
			abort();
		t->cells = grown;
	}
	for (int c = 0; c < t->columns; c++) {
		char *cell = text ? strsep(&text, separator) : NULL;

		t->cells[at + c] = strdup(cell ? cell : "");
		if (t->cells[at + c] == NULL)
			abort();
	}
	t->rows++;
}

void table_begin(struct table *table, const char *headers, const char *align)
{
	char *copy = strdup(headers);

	*table = (struct table){.columns = (int)strlen(align), .right = align};
	if (copy == NULL)
		abort();
	add(table, copy, " ");
	free(copy);
}

void table_row(struct table *table, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	add(table, text, "\t");
	free(text);
}

static void print_row(const struct table *t, int row, const int *width, FILE *out)
{
	const char *cell;
	bool right, last;

	for (int c = 0; c < t->columns; c++) {
		cell = t->cells[row * t->columns + c];
		right = t->right[c] == 'r';
		last = c == t->columns - 1;
		/* No blanks at the end of a line. */
		fprintf(out, "%s%*s", c ? "  " : "", right ? width[c] : (last ? 0 : -width[c]),
			cell);
	}
	fputc('\n', out);
}

void table_end(struct table *t, FILE *out, const char *empty)
{
	int width[TABLE_COLUMNS] = {0}, n;

	for (int i = 0; i < t->rows * t->columns; i++) {
		n = (int)strlen(t->cells[i]);
		if (n > width[i % t->columns])
			width[i % t->columns] = n;
	}
	if (t->rows == 1)
		fprintf(out, "%s\n", empty);
	for (int r = 0; r < t->rows && t->rows > 1; r++)
		print_row(t, r, width, out);
	for (int i = 0; i < t->rows * t->columns; i++)
		free(t->cells[i]);
	free(t->cells);
	memset(t, 0, sizeof(*t));
}
