/* SPDX-License-Identifier: BSD-3-Clause */
/* PATH=VALUE on a document, before it is read. */
#include "yaml_int.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET_FILE "set"

/* What a message shows of words that were typed is one line of text. */
static void clean(char *text)
{
	for (char *c = text; *c != '\0'; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
}

static int refuse(struct err *err, const char *path, size_t len, const char *found,
		  const char *expected)
{
	char where[128], what[128];

	snprintf(where, sizeof(where), "%.*s", (int)len, path);
	snprintf(what, sizeof(what), "%s", found);
	clean(where);
	clean(what);
	return err_set(err, ERR_USAGE, EINVAL, where, what, "%s", expected);
}

/* What may not be a key in a file may not be one here; NULL when it is fine. */
static const char *bad_path(const char *path)
{
	int line, col;

	if (strpbrk(path, "\t\r\n") != NULL)
		return "a control character";
	return yaml_bad_text(path, strlen(path), &line, &col);
}

/* Length of the first step of path in map: a key that is there (the longest, since keys of ports
 * hold dots), else up to a dot; "s1-s2.2" is one step when more follows. */
static size_t step_length(const struct yaml_node *node, const char *path)
{
	size_t best = 0, len = strcspn(path, "."), more;

	for (uint32_t i = 0; node->kind == YAML_MAP && i < node->n; i++) {
		size_t n = strlen(node->items[i]->key);

		if (n > best && strncmp(path, node->items[i]->key, n) == 0 &&
		    (path[n] == '.' || path[n] == '\0'))
			best = n;
	}
	if (best > 0)
		return best;
	if (memchr(path, '-', len) != NULL && path[len] == '.') {
		more = strspn(path + len + 1, "0123456789");
		if (more > 0 && path[len + 1 + more] == '.')
			return len + 1 + more;
	}
	return len;
}

static struct yaml_node **slot(struct yaml_node *node, const char *step, size_t len)
{
	for (uint32_t i = 0; i < node->n; i++) {
		const char *key = node->items[i]->key;
		char number[16];

		if (node->kind == YAML_LIST) {
			snprintf(number, sizeof(number), "%u", i);
			key = number;
		}
		if (strlen(key) == len && memcmp(key, step, len) == 0)
			return &node->items[i];
	}
	return NULL;
}

/* The item of a step, made as an empty map when a map has none. */
static struct yaml_node **descend(struct yaml *yaml, struct yaml_node *node, const char *path,
				  const char *step, size_t len, struct err *err)
{
	size_t upto = (size_t)(step - path) + len;
	struct yaml_node **found, *item;
	char scalar[128];

	if (len == 0) {
		refuse(err, path, strlen(path), "an empty step", "PATH=VALUE, keys joined by dots");
		return NULL;
	}
	if (node->kind == YAML_SCALAR) {
		snprintf(scalar, sizeof(scalar), "'%.90s'", node->text);
		refuse(err, path, upto, scalar, "a map or list there; set that to a map first");
		return NULL;
	}
	found = slot(node, step, len);
	if (found != NULL)
		return found;
	if (node->kind == YAML_LIST) {
		refuse(err, path, upto, "no such item", "a list index, from 0");
		return NULL;
	}
	item = yaml_node_new(yaml, YAML_MAP, SET_FILE, 0, 0);
	if (item == NULL || yaml_append(yaml, node, item) < 0 ||
	    (item->key = yaml_strndup(yaml, step, len)) == NULL) {
		refuse(err, path, upto, "", "too much to set");
		return NULL;
	}
	item->parent = node;
	return &node->items[node->n - 1];
}

/* Nodes that come from a command line have no line. */
static void no_place(struct yaml_node *node)
{
	node->line = node->col = node->key_line = node->key_col = 0;
	for (uint32_t i = 0; i < node->n; i++)
		no_place(node->items[i]);
}

static int put(struct yaml *yaml, struct yaml_node **where, const char *path, size_t path_len,
	       const char *value, struct err *err)
{
	struct yaml_node *old = *where, *node;
	struct err inner = {0};
	char found[128];

	if (yaml_parse(yaml, SET_FILE, value, strlen(value), &node, &inner) < 0) {
		snprintf(found, sizeof(found), "'%.90s'", value);
		return refuse(err, path, path_len, found,
			      "a value in YAML, such as 200KB or [3, 4]");
	}
	no_place(node);
	node->parent = old->parent;
	node->key = old->key;
	*where = node;
	return 0;
}

int yaml_set(struct yaml *yaml, struct yaml_node *root, const char *assignment, struct err *err)
{
	const char *equals = strchr(assignment, '='), *step;
	struct yaml_node **where = &root;
	int rc = 0, depth = 0;
	size_t len;
	char *path;

	if (equals == NULL || equals == assignment)
		return refuse(err, "", 0, assignment, "PATH=VALUE, as in switch.ecn.3.min=200KB");
	path = strndup(assignment, (size_t)(equals - assignment));
	if (path == NULL)
		return refuse(err, "", 0, "", "not enough memory");
	if (bad_path(path) != NULL)
		rc = refuse(err, path, strlen(path), bad_path(path), "a key of the scenario");
	for (step = path; rc == 0; step += len + 1) {
		len = step_length(*where, step);
		where = descend(yaml, *where, path, step, len, err);
		if (where == NULL)
			rc = -EINVAL;
		else if (++depth == YAML_DEPTH)
			rc = refuse(err, path, strlen(path), "too many steps",
				    "a key of the scenario");
		else if (step[len] == '\0')
			break;
	}
	if (rc == 0)
		rc = put(yaml, where, path, strlen(path), equals + 1, err);
	free(path);
	return rc;
}
