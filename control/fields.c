/* SPDX-License-Identifier: BSD-3-Clause */
#include "fields.h"

#include "options.h"
#include "units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define KEYS_MAX 32

static const struct field *find(const struct field *table, const char *key)
{
	for (; table->key != NULL; table++)
		if (strcmp(table->key, key) == 0)
			return table;
	return NULL;
}

/* "a, b, c" */
static void join(const char *const *words, int n, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (int i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", words[i]);
}

static int unknown_key(const struct yaml_node *item, const struct field *table, const char *scope,
		       struct err *err)
{
	const char *keys[KEYS_MAX], *near;
	char found[128], all[256];
	int n = 0;

	for (; table->key != NULL && n < KEYS_MAX; table++)
		keys[n++] = table->key;
	join(keys, n, all, sizeof(all));
	if (not_yet_key(scope, item->key) != NULL)
		return yaml_error_key(item, err, "",
				      "not in this version of railyard; here are: %s", all);
	near = options_nearest(item->key, keys, n);
	snprintf(found, sizeof(found), "an unknown key");
	if (near != NULL)
		return yaml_error_key(item, err, found, "%s? Keys here: %s", near, all);
	return yaml_error_key(item, err, found, "one of %s", all);
}

int fields_map(const struct yaml_node *node, const char *of_what, struct err *err)
{
	if (node->kind == YAML_MAP)
		return 0;
	return yaml_error(node, err, NULL, "a map of %s", of_what);
}

int fields_list(const struct yaml_node *node, const char *of_what, struct err *err)
{
	if (node->kind == YAML_LIST)
		return 0;
	return yaml_error(node, err, NULL, "a list of %s", of_what);
}

int fields_scalar(const struct yaml_node *node, const char *what, struct err *err)
{
	if (node->kind == YAML_SCALAR && !node->null)
		return 0;
	return yaml_error(node, err, NULL, "%s", what);
}

int fields_check(const struct yaml_node *map, const struct field *table, const char *scope,
		 struct err *err)
{
	if (map->kind != YAML_MAP) {
		const char *keys[KEYS_MAX];
		char all[256];
		int n = 0;

		for (; table->key != NULL && n < KEYS_MAX; table++)
			keys[n++] = table->key;
		join(keys, n, all, sizeof(all));
		return yaml_error(map, err, NULL, "a map with keys of %s", all);
	}
	for (uint32_t i = 0; i < map->n; i++)
		if (find(table, map->items[i]->key) == NULL)
			return unknown_key(map->items[i], table, scope, err);
	return 0;
}

int fields_read(const struct yaml_node *map, const struct field *table, const char *scope,
		void *out, struct err *err)
{
	int rc = fields_check(map, table, scope, err);

	for (uint32_t i = 0; rc == 0 && i < map->n; i++) {
		const struct field *field = find(table, map->items[i]->key);

		if (field->read != NULL)
			rc = field->read(map->items[i], field, (char *)out + field->offset, err);
	}
	return rc;
}

/* also: what else may stand there, to be told who is out of range. */
static int quantity_or(const char *also, enum units_kind kind, const struct yaml_node *node,
		       const struct field *field, uint64_t *out, struct err *err)
{
	static const char *const what[] = {"a rate such as 100Gbps", "a time such as 55us",
					   "a size such as 400KB"};
	char expected[256], low[UNITS_TEXT], high[UNITS_TEXT];
	uint64_t value;

	if (fields_scalar(node, what[kind], err) < 0)
		return -EINVAL;
	if (units_parse(kind, node->text, &value, expected, sizeof(expected)) < 0)
		return yaml_error(node, err, NULL, "%s", expected);
	if (value < field->min || value > field->max)
		return yaml_error(node, err, NULL, "%s to %s%s", units_print(kind, field->min, low),
				  units_print(kind, field->max, high), also);
	*out = value;
	return 0;
}

static int quantity(enum units_kind kind, const struct yaml_node *node, const struct field *field,
		    uint64_t *out, struct err *err)
{
	return quantity_or("", kind, node, field, out, err);
}

int field_rate(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	return quantity(UNITS_RATE, node, field, out, err);
}

int field_time(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	return quantity(UNITS_TIME, node, field, out, err);
}

int field_time_or_auto(const struct yaml_node *node, const struct field *field, void *out,
		       struct err *err)
{
	if (node->kind == YAML_SCALAR && strcmp(node->text, "auto") == 0) {
		*(uint64_t *)out = 0;
		return 0;
	}
	return quantity(UNITS_TIME, node, field, out, err);
}

int field_time_or_off(const struct yaml_node *node, const struct field *field, void *out,
		      struct err *err)
{
	if (yaml_switch(node) != 0)
		return quantity_or(", or off", UNITS_TIME, node, field, out, err);
	*(uint64_t *)out = 0;
	return 0;
}

int field_size(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	return quantity(UNITS_SIZE, node, field, out, err);
}

int field_size32(const struct yaml_node *node, const struct field *field, void *out,
		 struct err *err)
{
	uint64_t value = 0;
	int rc = quantity(UNITS_SIZE, node, field, &value, err);

	if (rc == 0)
		*(uint32_t *)out = (uint32_t)value;
	return rc;
}

/* As on `ip link`, an MTU may stand without its unit. */
int field_mtu(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	char expected[256];
	uint64_t value;

	if (node->kind == YAML_SCALAR &&
	    units_parse_count(node->text, &value, expected, sizeof(expected)) == 0 &&
	    value >= field->min && value <= field->max) {
		*(uint32_t *)out = (uint32_t)value;
		return 0;
	}
	if (node->kind == YAML_SCALAR && strspn(node->text, "0123456789") == strlen(node->text))
		return yaml_error(node, err, NULL, "%" PRIu64 "B to %" PRIu64 "B", field->min,
				  field->max);
	return field_size32(node, field, out, err);
}

int field_count(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	char expected[128];
	uint64_t value;

	if (fields_scalar(node, "a whole number", err) < 0)
		return -EINVAL;
	if (units_parse_count(node->text, &value, expected, sizeof(expected)) < 0)
		return yaml_error(node, err, NULL, "%s", expected);
	if (value < field->min || value > field->max)
		return yaml_error(node, err, NULL, "%" PRIu64 " to %" PRIu64, field->min,
				  field->max);
	*(uint64_t *)out = value;
	return 0;
}

int field_count32(const struct yaml_node *node, const struct field *field, void *out,
		  struct err *err)
{
	uint64_t value = 0;
	int rc = field_count(node, field, &value, err);

	if (rc == 0)
		*(uint32_t *)out = (uint32_t)value;
	return rc;
}

int field_q16(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	char expected[128], low[UNITS_TEXT], high[UNITS_TEXT];
	uint64_t value;

	if (fields_scalar(node, "a factor such as 1/8", err) < 0)
		return -EINVAL;
	if (units_parse_factor(node->text, 65536, &value, expected, sizeof(expected)) < 0)
		return yaml_error(node, err, NULL, "%s", expected);
	if (value < field->min || value > field->max)
		return yaml_error(node, err, NULL, "%s to %s",
				  units_print_factor(field->min, 65536, low),
				  units_print_factor(field->max, 65536, high));
	*(uint32_t *)out = (uint32_t)value;
	return 0;
}

int field_ppb(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	char expected[128];
	uint64_t value;

	(void)field;
	if (fields_scalar(node, "a percentage such as 20%", err) < 0)
		return -EINVAL;
	if (units_parse_part(node->text, 1000000000, &value, expected, sizeof(expected)) < 0)
		return yaml_error(node, err, NULL, "%s", expected);
	*(uint32_t *)out = (uint32_t)value;
	return 0;
}

int yaml_switch(const struct yaml_node *node)
{
	static const char *const words[] = {"off", "on", "false", "true", "no", "yes"};

	if (node->kind != YAML_SCALAR)
		return -1;
	for (int i = 0; i < 6; i++)
		if (strcasecmp(node->text, words[i]) == 0)
			return i & 1;
	return -1;
}

int field_bool(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	int value = yaml_switch(node);

	(void)field;
	if (value < 0)
		return yaml_error(node, err, NULL, "on or off");
	*(bool *)out = value;
	return 0;
}

int field_word(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	static const char *const on_off[] = {"off", "on"};
	const char *text, *near = NULL;
	char all[256];
	int n = 0, sw = yaml_switch(node);

	while (field->words[n] != NULL)
		n++;
	join(field->words, n, all, sizeof(all));
	if (node->kind == YAML_SCALAR) {
		for (int i = 0; i < n; i++) {
			text = field->words[i];
			if (strcmp(node->text, text) == 0 ||
			    (sw >= 0 && strcmp(text, on_off[sw]) == 0)) {
				*(int *)out = i;
				return 0;
			}
		}
		near = options_nearest(node->text, field->words, n);
	}
	if (near != NULL)
		return yaml_error(node, err, NULL, "%s? Words here: %s", near, all);
	return yaml_error(node, err, NULL, "one of %s", all);
}

int field_text(const struct yaml_node *node, const struct field *field, void *out, struct err *err)
{
	if (fields_scalar(node, "a word", err) < 0)
		return -EINVAL;
	if (node->text[0] == '\0')
		return yaml_error(node, err, "an empty text", "a word");
	if (strlen(node->text) >= field->max)
		return yaml_error(node, err, NULL, "at most %" PRIu64 " bytes", field->max - 1);
	strcpy(out, node->text);
	return 0;
}
