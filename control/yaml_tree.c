/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking at a tree: items, merging, paths, errors with a place. */
#include "yaml_int.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
{
	if (map == NULL || map->kind != YAML_MAP)
		return NULL;
	for (uint32_t i = 0; i < map->n; i++)
		if (strcmp(map->items[i]->key, key) == 0)
			return map->items[i];
	return NULL;
}

/* A copy of the node itself: what points at it stays right, what it holds is shared. */
static struct yaml_node *shallow(struct yaml *yaml, const struct yaml_node *from)
{
	struct yaml_node *to = yaml_node_new(yaml, from->kind, from->file, from->line, from->col);

	if (to == NULL)
		return NULL;
	*to = *from;
	to->items = NULL;
	to->n = to->cap = 0;
	return to;
}

struct yaml_node *yaml_merge(struct yaml *yaml, struct yaml_node *base, struct yaml_node *over)
{
	struct yaml_node *out, *item;

	if (base == NULL || over == NULL || base->kind != YAML_MAP || over->kind != YAML_MAP)
		return over != NULL ? over : base;
	out = shallow(yaml, over);
	if (out == NULL)
		return NULL;
	/* What is only in base comes first, so that a later range of keys may override it. */
	for (uint32_t i = 0; i < base->n; i++)
		if (yaml_get(over, base->items[i]->key) == NULL &&
		    yaml_append(yaml, out, base->items[i]) < 0)
			return NULL;
	for (uint32_t i = 0; i < over->n; i++) {
		item = yaml_merge(yaml, yaml_get(base, over->items[i]->key), over->items[i]);
		if (item == NULL || yaml_append(yaml, out, item) < 0)
			return NULL;
	}
	return out;
}

static uint32_t index_in_list(const struct yaml_node *node)
{
	uint32_t i = 0;

	while (i < node->parent->n && node->parent->items[i] != node)
		i++;
	return i;
}

const char *yaml_path(const struct yaml_node *node, char *buf, size_t size)
{
	const struct yaml_node *up[YAML_DEPTH + 1];
	size_t used = 0;
	int depth = 0;

	buf[0] = '\0';
	for (; node->parent != NULL && depth <= YAML_DEPTH; node = node->parent)
		up[depth++] = node;
	while (depth-- > 0 && used < size) {
		const char *dot = used ? "." : "";
		int n = up[depth]->key != NULL
				? snprintf(buf + used, size - used, "%s%s", dot, up[depth]->key)
				: snprintf(buf + used, size - used, "%s%u", dot,
					   index_in_list(up[depth]));
		used += n > 0 ? (size_t)n : 0;
	}
	return buf;
}

/* Cuts long text with "..." at a character's start. */
static void cut(char *text, size_t max)
{
	if (strlen(text) <= max)
		return;
	while (max > 0 && ((unsigned char)text[max] & 0xc0) == 0x80)
		max--;
	memcpy(text + max, "...", 4);
}

static void describe(const struct yaml_node *node, char *buf, size_t size)
{
	if (node->kind == YAML_SCALAR && node->null)
		snprintf(buf, size, "nothing");
	else if (node->kind == YAML_SCALAR)
		snprintf(buf, size, "'%.*s'", (int)size - 8, node->text);
	else
		snprintf(buf, size, node->kind == YAML_MAP ? "a map" : "a list");
}

static int error_at(const struct yaml_node *node, int line, int col, struct err *err,
		    const char *found, const char *fmt, va_list ap)
{
	char path[256] = "", mine[256] = "", expected[384];

	vsnprintf(expected, sizeof(expected), fmt, ap);
	if (found == NULL)
		describe(node, mine, sizeof(mine) - 4);
	else
		snprintf(mine, sizeof(mine) - 4, "%s", found);
	cut(mine, 100);
	if (mine[0] == '\'' && mine[strlen(mine) - 1] == '.')
		strcat(mine, "'");
	yaml_path(node, path, sizeof(path) - 4);
	cut(path, 120);
	err_set(err, ERR_USAGE, EINVAL, path, mine, "%s", expected);
	err_at(err, node->file, line, col);
	return -EINVAL;
}

int yaml_error(const struct yaml_node *node, struct err *err, const char *found, const char *fmt,
	       ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_at(node, node->line, node->col, err, found, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

int yaml_error_key(const struct yaml_node *node, struct err *err, const char *found,
		   const char *fmt, ...)
{
	bool keyed = node->key != NULL;
	va_list ap;

	va_start(ap, fmt);
	error_at(node, keyed ? node->key_line : node->line, keyed ? node->key_col : node->col, err,
		 found, fmt, ap);
	va_end(ap);
	return -EINVAL;
}
