/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files yaml_*.c share: the memory that a document lives in. Control thread. */
#ifndef RY_YAML_INT_H
#define RY_YAML_INT_H

#include "yaml.h"

struct yaml_chunk {
	struct yaml_chunk *next;
	size_t used, size;
	_Alignas(16) char bytes[];
};

struct yaml {
	struct yaml_chunk *chunks; /* newest first */
	uint32_t n_nodes;
};

/* Zeroed; NULL when memory is short. */
void *yaml_alloc(struct yaml *yaml, size_t size);
char *yaml_strndup(struct yaml *yaml, const char *text, size_t len);
/* NULL when memory is short or YAML_NODES is reached. */
struct yaml_node *yaml_node_new(struct yaml *yaml, enum yaml_kind kind, const char *file, int line,
				int col);
/* Appends; -ENOMEM. */
int yaml_append(struct yaml *yaml, struct yaml_node *list, struct yaml_node *item);

/* Text that may not be what a YAML file may hold; *line and *col say where. NULL when it is fine,
 * else what was found. */
const char *yaml_bad_text(const char *text, size_t len, int *line, int *col);
/* libfyaml 0.7.12 leaks memory over a text in single quotes with a few quotes in it, written ''.
 * Nothing in a scenario needs as many. True with the place of the fourth. */
bool yaml_many_quotes(const char *text, size_t len, int *line, int *col);
/* Column of a tab in a line's indentation, 0 when there is none. */
int yaml_tab_in_indent(const char *text, size_t len, int line);

#endif
