/* SPDX-License-Identifier: BSD-3-Clause */
/* The QoS keys of a switch: maps to priorities, ecn, pfc, scheduler. */
#include "scenario_int.h"

#include "units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A key that is a number below n. */
static int key_number(const struct yaml_node *item, uint32_t n, uint32_t *out, struct err *err)
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
		if (key_number(map->items[i], n, &k, err) < 0 ||
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
		{.key = NULL},
	};
	const struct yaml_node *list;
	uint8_t p = 0;

	if (pfc == NULL)
		return 0;
	if (yaml_switch(pfc) == 0) {
		qos->pfc_mask = 0;
		qos->pfc_asymmetric = false;
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
		if (key_number(map->items[i], SW_PRIOS, &q, err) < 0 ||
		    scheduler_entry(map->items[i], &qos->sched[q], err) < 0)
			return -EINVAL;
	}
	return 0;
}

static bool queue_is_lossless(const struct sw_qos *qos, uint32_t queue)
{
	for (int p = 0; p < SW_PRIOS; p++)
		if (qos->pfc_mask & 1 << p && qos->prio_to_queue[p] == queue)
			return true;
	return false;
}

/* What a map of ecn said, before `auto` is resolved. */
struct ecn_words {
	uint64_t min_bytes, max_bytes;
	bool min_auto, max_auto;
	uint32_t probability_ppb;
	int mark, not_ect;
};

static int size_or_auto(const struct yaml_node *node, const struct field *field, void *out,
			struct err *err)
{
	if (node->kind == YAML_SCALAR && strcmp(node->text, "auto") == 0)
		return 0;
	return field_size(node, field, out, err);
}

/* Public RoCEv2 settings agree on one thing: thresholds linear in the rate, 400 KB and 1600 KB at
 * 100 Gb/s. Below a few frames they would mark at an idle port. */
static void auto_thresholds(struct ecn_words *w, uint64_t rate_bps)
{
	uint64_t min = rate_bps / 250000 > 16000 ? rate_bps / 250000 : 16000;

	if (w->min_auto && w->max_auto) {
		w->min_bytes = min;
		w->max_bytes = 4 * min;
	} else if (w->min_auto) {
		w->min_bytes = w->max_bytes / 4;
	} else if (w->max_auto) {
		w->max_bytes = 4 * w->min_bytes;
	}
}

static int ecn_entry(const struct yaml_node *item, uint64_t rate_bps, bool lossless,
		     struct sw_ecn *out, struct err *err)
{
	static const char *const marks[] = {"dequeue", "enqueue", NULL};
	static const char *const not_ects[] = {"auto", "forward", "drop", NULL};
	static const struct field fields[] = {
		{"min", size_or_auto, offsetof(struct ecn_words, min_bytes), 0, SIZE_MAX_BYTES,
		 NULL},
		{"max", size_or_auto, offsetof(struct ecn_words, max_bytes), 0, SIZE_MAX_BYTES,
		 NULL},
		{"probability", field_ppb, offsetof(struct ecn_words, probability_ppb), 0, 0, NULL},
		{"mark", field_word, offsetof(struct ecn_words, mark), 0, 0, marks},
		{"not_ect", field_word, offsetof(struct ecn_words, not_ect), 0, 0, not_ects},
		{.key = NULL},
	};
	/* A size that stays at this value was not given. */
	struct ecn_words w = {
		.min_bytes = UINT64_MAX, .max_bytes = UINT64_MAX, .probability_ppb = 200000000};

	*out = (struct sw_ecn){0};
	if (yaml_switch(item) == 0)
		return 0;
	if (item->kind != YAML_MAP)
		return yaml_error(item, err, NULL,
				  "off, or a map such as {min: 400KB, max: 1600KB}");
	if (fields_read(item, fields, "ecn", &w, err) < 0)
		return -EINVAL;
	w.min_auto = w.min_bytes == UINT64_MAX;
	w.max_auto = w.max_bytes == UINT64_MAX;
	auto_thresholds(&w, rate_bps);
	if (w.min_bytes > w.max_bytes) {
		char min[UNITS_TEXT];

		return yaml_error(yaml_get(item, "max"), err, NULL, "at least min, which is %s",
				  units_print(UNITS_SIZE, w.min_bytes, min));
	}
	*out = (struct sw_ecn){.on = true,
			       .at_enqueue = w.mark == 1,
			       .drop_not_ect = w.not_ect == 2 || (w.not_ect == 0 && !lossless),
			       .min_bytes = w.min_bytes,
			       .max_bytes = w.max_bytes,
			       .probability_ppb = w.probability_ppb};
	return 0;
}

int qos_read_ecn(const struct yaml_node *ecn, uint64_t link_rate_bps, struct sw_qos *qos,
		 struct err *err)
{
	uint32_t q = 0;

	if (ecn == NULL)
		return 0;
	if (yaml_switch(ecn) == 0) {
		memset(qos->ecn, 0, sizeof(qos->ecn));
		return 0;
	}
	if (ecn->kind != YAML_MAP)
		return yaml_error(ecn, err, NULL,
				  "off, or a map of queues, such as {3: {min: 400KB}}");
	for (uint32_t i = 0; i < ecn->n; i++) {
		if (key_number(ecn->items[i], SW_PRIOS, &q, err) < 0 ||
		    ecn_entry(ecn->items[i], link_rate_bps, queue_is_lossless(qos, q), &qos->ecn[q],
			      err) < 0)
			return -EINVAL;
	}
	return 0;
}
