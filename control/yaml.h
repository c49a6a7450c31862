/* SPDX-License-Identifier: BSD-3-Clause */
/* A YAML document as a tree in which every node knows file, line and column.
 *
 * Scalars stay text: `off`, `010` and `1:30` mean what the reader of that key says, not what some
 * YAML version says. Refused with a place: what is not UTF-8, control characters, tabs as
 * indentation, keys given twice, more than one document, tags, merge keys, nesting beyond
 * YAML_DEPTH, more than YAML_NODES nodes (aliases are copied, so a bomb ends there), files beyond
 * YAML_BYTES. Nodes belong to their struct yaml and live as long. Control thread.
 */
#ifndef RY_YAML_H
#define RY_YAML_H

#include "dataplane/model/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define YAML_DEPTH 32
#define YAML_NODES 400000
#define YAML_BYTES (16u << 20)

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_node {
	enum yaml_kind kind;
	bool null;                /* a plain scalar with nothing in it, or ~, or null */
	uint32_t n, cap;          /* of items */
	const char *text;         /* SCALAR: one line, no control characters */
	const char *file;         /* as the user named it */
	int line, col;            /* 1-based; 0 when it is not from a file */
	struct yaml_node *parent; /* where it was written: a merged map's items keep theirs */
	const char *key;          /* its key in the parent, if that is a map */
	int key_line, key_col;
	struct yaml_node **items;
};

struct yaml;

struct yaml *yaml_new(void);
void yaml_free(struct yaml *yaml);

/* Parses text[len] into a tree; name is the file's in messages. Several may share one yaml. */
int yaml_parse(struct yaml *yaml, const char *name, const char *text, size_t len,
	       struct yaml_node **root, struct err *err);

/* The whole of a file ("-" = standard input) in *text (to be freed), with a NUL after it. */
int yaml_read_file(const char *file, char **text, size_t *len, struct err *err);

/* A map's item, or NULL; NULL too when map is NULL or no map. */
struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);

/* base with over laid on top, deep: maps merge key by key, anything else of over replaces. Either
 * may be NULL. The two stay as they are. NULL when memory is short. */
struct yaml_node *yaml_merge(struct yaml *yaml, struct yaml_node *base, struct yaml_node *over);

/* Applies "PATH=VALUE" to the document: steps are keys (a port's may hold dots) and list indices
 * from 0; maps that are missing are made; VALUE is YAML. */
int yaml_set(struct yaml *yaml, struct yaml_node *root, const char *assignment, struct err *err);

/* "switch.ecn.3.min" of a node. Returns buf. */
const char *yaml_path(const struct yaml_node *node, char *buf, size_t size);

/* -EINVAL with the node's place and path; found may be NULL: then the node's own text. */
int yaml_error(const struct yaml_node *node, struct err *err, const char *found, const char *fmt,
	       ...) __attribute__((format(printf, 4, 5)));
/* The same at its key. */
int yaml_error_key(const struct yaml_node *node, struct err *err, const char *found,
		   const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
