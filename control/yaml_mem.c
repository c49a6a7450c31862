/* SPDX-License-Identifier: BSD-3-Clause */
#include "yaml_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK (64u << 10)

struct yaml *yaml_new(void)
{
	return calloc(1, sizeof(struct yaml));
}

void yaml_free(struct yaml *yaml)
{
	struct yaml_chunk *chunk, *next;

	if (yaml == NULL)
		return;
	for (chunk = yaml->chunks; chunk != NULL; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(yaml);
}

void *yaml_alloc(struct yaml *yaml, size_t size)
{
	struct yaml_chunk *chunk = yaml->chunks;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (chunk == NULL || chunk->size - chunk->used < size) {
		size_t room = size > CHUNK ? size : CHUNK;

		chunk = calloc(1, sizeof(*chunk) + room);
		if (chunk == NULL)
			return NULL;
		chunk->size = room;
		chunk->next = yaml->chunks;
		yaml->chunks = chunk;
	}
	p = chunk->bytes + chunk->used;
	chunk->used += size;
	return p;
}

char *yaml_strndup(struct yaml *yaml, const char *text, size_t len)
{
	char *copy = yaml_alloc(yaml, len + 1);

	if (copy != NULL && len > 0)
		memcpy(copy, text, len);
	return copy;
}

struct yaml_node *yaml_node_new(struct yaml *yaml, enum yaml_kind kind, const char *file, int line,
				int col)
{
	struct yaml_node *node;

	if (yaml->n_nodes >= YAML_NODES)
		return NULL;
	node = yaml_alloc(yaml, sizeof(*node));
	if (node == NULL)
		return NULL;
	yaml->n_nodes++;
	node->kind = kind;
	node->file = file;
	node->line = line;
	node->col = col;
	return node;
}

int yaml_append(struct yaml *yaml, struct yaml_node *list, struct yaml_node *item)
{
	if (list->n == list->cap) {
		uint32_t cap = list->cap ? list->cap * 2 : 4;
		struct yaml_node **items = yaml_alloc(yaml, cap * sizeof(struct yaml_node *));

		if (items == NULL)
			return -ENOMEM;
		if (list->n > 0)
			memcpy(items, list->items, list->n * sizeof(struct yaml_node *));
		list->items = items;
		list->cap = cap;
	}
	list->items[list->n++] = item;
	return 0;
}
