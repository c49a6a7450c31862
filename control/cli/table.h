/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of words printed with aligned columns: numbers to the right, words to the left. */
#ifndef RY_CLI_TABLE_H
#define RY_CLI_TABLE_H

#include <stdio.h>

#define TABLE_COLUMNS 16

struct table {
	int columns, rows, cap;
	const char *right; /* per column 'r' or 'l' */
	char **cells;      /* rows * columns */
};

/* headers: words separated by single spaces; align: one of l, r per column. */
void table_begin(struct table *table, const char *headers, const char *align);
/* One row, cells as one format whose cells are separated by tabs. */
void table_row(struct table *table, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints and frees; a table without rows prints `empty` instead. */
void table_end(struct table *table, FILE *out, const char *empty);

#endif
