/* SPDX-License-Identifier: BSD-3-Clause */
/* The QoS keys of a switch: maps to priorities, pfc, scheduler; ecn is in scenario_ecn.c. */
#include "scenario_int.h"

#include "units.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A key that is a number below n. */
int qos_key_number(const struct yaml_node *item, uint32_t n, uint32_t *out, struct err *err)
{
	char expected[128];
	uint64_t value;

	if (units_parse_count(item->key, &value, expected, sizeof(expected)) < 0 || value >= n)
		return yaml_error_key(item, err, "a key that is no number here",
				      "0 to %u, or a range A-B", n - 1);
	*out = (uint32_t)value;
	return 0;
}

static int priority(const struct yaml_node *node, uint8_t *out, struct err *err)
{
	const struct field field = {.max = SW_PRIOS - 1};
	uint32_t value = 0;
	int rc = field_count32(node, &field, &value, err);

	if (rc == 0)
		*out = (uint8_t)value;
	return rc;
}

int qos_read_map(const struct yaml_node *map, const char *what, uint32_t n, uint8_t *out,
		 struct err *err)
{
	const struct yaml_node *rest;
	uint8_t value = 0;
	uint32_t k = 0;

	if (fields_map(map, what, err) < 0)
		return -EINVAL;
	rest = yaml_get(map, "default");
	if (rest != NULL) {
		if (priority(rest, &value, err) < 0)
			return -EINVAL;
		memset(out, value, n);
	}
	for (uint32_t i = 0; i < map->n; i++) {
		if (map->items[i] == rest)
			continue;
		if (qos_key_number(map->items[i], n, &k, err) < 0 ||
		    priority(map->items[i], &out[k], err) < 0)
			return -EINVAL;
	}
	return 0;
}

int qos_read_pfc(const struct yaml_node *pfc, struct sw_qos *qos, struct err *err)
{
	static const struct field fields[] = {
		{.key = "priorities"},
		{"asymmetric", field_bool, offsetof(struct sw_qos, pfc_asymmetric), 0, 0, NULL},
		{"watchdog", qos_read_watchdog, offsetof(struct sw_qos, watchdog), 0, 0, NULL},
		{.key = NULL},
	};
	const struct yaml_node *list;
	uint8_t p = 0;

	if (pfc == NULL)
		return 0;
	if (yaml_switch(pfc) == 0) {
		qos->pfc_mask = 0;
		qos->pfc_asymmetric = false;
		qos->watchdog = (struct sw_watchdog){0};
		return 0;
	}
	if (pfc->kind != YAML_MAP)
		return yaml_error(pfc, err, NULL, "off, or a map such as {priorities: [3]}");
	if (fields_read(pfc, fields, "pfc", qos, err) < 0)
		return -EINVAL;
	list = yaml_get(pfc, "priorities");
	if (list == NULL)
		return 0;
	if (fields_list(list, "priorities, such as [3]", err) < 0)
		return -EINVAL;
	qos->pfc_mask = 0;
	for (uint32_t i = 0; i < list->n; i++) {
		if (priority(list->items[i], &p, err) < 0)
			return -EINVAL;
		if (qos->pfc_mask & 1 << p)
			return yaml_error(list->items[i], err, NULL, "each priority once");
		qos->pfc_mask |= (uint8_t)(1 << p);
	}
	return 0;
}

static int scheduler_entry(const struct yaml_node *item, struct sw_sched *sched, struct err *err)
{
	static const struct field fields[] = {{.key = "dwrr"}, {.key = NULL}};
	const struct field weight = {.min = 1, .max = 100};
	const struct yaml_node *dwrr;
	uint32_t value = 0;

	if (item->kind == YAML_SCALAR && strcmp(item->text, "strict") == 0) {
		*sched = (struct sw_sched){.strict = true};
		return 0;
	}
	if (item->kind != YAML_MAP || item->n == 0)
		return yaml_error(item, err, NULL, "strict, or {dwrr: WEIGHT}");
	if (fields_check(item, fields, "scheduler", err) < 0)
		return -EINVAL;
	dwrr = yaml_get(item, "dwrr");
	if (field_count32(dwrr, &weight, &value, err) < 0)
		return -EINVAL;
	*sched = (struct sw_sched){.weight = (uint8_t)value};
	return 0;
}

int qos_read_scheduler(const struct yaml_node *map, struct sw_qos *qos, struct err *err)
{
	uint32_t q = 0;

	if (map == NULL)
		return 0;
	if (fields_map(map, "queues, such as {6: strict, 3: {dwrr: 50}}", err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < map->n; i++) {
		if (qos_key_number(map->items[i], SW_PRIOS, &q, err) < 0 ||
		    scheduler_entry(map->items[i], &qos->sched[q], err) < 0)
			return -EINVAL;
	}
	return 0;
}
