/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of keys in a switch's maps, `dscp: {24-31: 3}`, written out: layers (preset, switch,
 * switches) merge key by key, and only then is it clear what overrides what. */
#include "scenario_int.h"

#include "yaml_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "24-31": both ends plain numbers below 64. */
static bool is_range(const char *key, uint32_t *first, uint32_t *last)
{
	const char *dash = strchr(key, '-');
	size_t a, b;

	if (dash == NULL)
		return false;
	a = strspn(key, "0123456789");
	b = strspn(dash + 1, "0123456789");
	if (key + a != dash || a == 0 || a > 2 || b == 0 || b > 2 || dash[1 + b] != '\0')
		return false;
	*first = (uint32_t)strtoul(key, NULL, 10);
	*last = (uint32_t)strtoul(dash + 1, NULL, 10);
	return *first <= *last && *last < 64;
}

static struct yaml_node **find(struct yaml_node *map, const char *key)
{
	for (uint32_t i = 0; i < map->n; i++)
		if (strcmp(map->items[i]->key, key) == 0)
			return &map->items[i];
	return NULL;
}

/* Adds item as `key`. What an assignment put beside a range overrides it; in a file it is a
 * mistake. */
static int add(struct yaml *yaml, struct yaml_node *map, const struct yaml_node *item,
	       const char *key, struct err *err)
{
	struct yaml_node **before = find(map, key), *copy;

	copy = yaml_node_new(yaml, item->kind, item->file, item->line, item->col);
	if (copy == NULL)
		return err_set(err, ERR_USAGE, ENOMEM, "switch", "", "fewer ranges of keys");
	*copy = *item;
	copy->key = key;
	if (before == NULL)
		return yaml_append(yaml, map, copy) < 0
			       ? err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "not enough memory")
			       : 0;
	if (item->key_line > 0)
		return yaml_error_key(item, err, "a key that overlaps another",
				      "each once: %s is at line %d too", key, (*before)->key_line);
	*before = yaml_merge(yaml, *before, copy);
	return *before == NULL ? -ENOMEM : 0;
}

static struct yaml_node *expand_map(struct yaml *yaml, const struct yaml_node *map, struct err *err)
{
	struct yaml_node *out = yaml_node_new(yaml, map->kind, map->file, map->line, map->col);
	uint32_t first, last;
	char key[8];

	if (out == NULL)
		return NULL;
	*out = *map;
	out->items = NULL;
	out->n = out->cap = 0;
	for (uint32_t i = 0; i < map->n; i++) {
		const struct yaml_node *item = map->items[i];

		if (!is_range(item->key, &first, &last)) {
			if (add(yaml, out, item, item->key, err) < 0)
				return NULL;
			continue;
		}
		for (uint32_t k = first; k <= last; k++) {
			snprintf(key, sizeof(key), "%u", k);
			if (add(yaml, out, item, yaml_strndup(yaml, key, strlen(key)), err) < 0)
				return NULL;
		}
	}
	return out;
}

int switch_expand(struct yaml *yaml, struct yaml_node *layer, struct yaml_node **out,
		  struct err *err)
{
	static const char *const maps[] = {"dscp",         "pcp", "tc_to_pg", "tc_to_queue",
					   "pfc_to_queue", "ecn", "scheduler"};
	struct yaml_node *copy;

	*out = layer;
	if (layer == NULL || layer->kind != YAML_MAP)
		return 0;
	copy = yaml_node_new(yaml, layer->kind, layer->file, layer->line, layer->col);
	if (copy == NULL)
		return err_set(err, ERR_USAGE, ENOMEM, "switch", "", "a smaller scenario");
	*copy = *layer;
	copy->items = NULL;
	copy->n = copy->cap = 0;
	for (uint32_t i = 0; i < layer->n; i++) {
		struct yaml_node *item = layer->items[i];

		for (size_t m = 0; m < sizeof(maps) / sizeof(maps[0]); m++)
			if (item != NULL && item->kind == YAML_MAP &&
			    strcmp(item->key, maps[m]) == 0)
				item = expand_map(yaml, item, err);
		if (item == NULL || yaml_append(yaml, copy, item) < 0)
			return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "not enough memory");
	}
	*out = copy;
	return 0;
}
