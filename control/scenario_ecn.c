/* SPDX-License-Identifier: BSD-3-Clause */
/* `ecn` of a switch: for each egress queue the mark curve, and `drop`, the drop curve beside it. */
#include "scenario_int.h"

#include "units.h"

#include <errno.h>
#include <string.h>

/* What a map of ecn said, before `auto` is resolved. */
struct words {
	uint64_t min_bytes, max_bytes;
	uint32_t probability_ppb;
	int mark, not_ect;
	struct sw_wred drop;
};

enum mark { MARK_DEQUEUE, MARK_ENQUEUE, MARK_OFF };
enum not_ect { NOT_ECT_AUTO, NOT_ECT_FORWARD, NOT_ECT_DROP };

#define NOT_GIVEN UINT64_MAX
#define PROBABILITY 200000000

static int size_or_auto(const struct yaml_node *node, const struct field *field, void *out,
			struct err *err)
{
	if (node->kind == YAML_SCALAR && strcmp(node->text, "auto") == 0)
		return 0;
	return field_size(node, field, out, err);
}

/* Public RoCEv2 settings agree on one thing: thresholds linear in the rate, 400 KB and 1600 KB at
 * 100 Gb/s. Below a few frames they would mark at an idle port. */
static void auto_thresholds(struct words *w, uint64_t rate_bps)
{
	uint64_t min = rate_bps / 250000 > 16000 ? rate_bps / 250000 : 16000;
	bool min_auto = w->min_bytes == NOT_GIVEN, max_auto = w->max_bytes == NOT_GIVEN;

	if (min_auto)
		w->min_bytes = max_auto ? min : w->max_bytes / 4;
	if (max_auto)
		w->max_bytes = 4 * w->min_bytes;
}

static int knees_in_order(const struct yaml_node *map, uint64_t min_bytes, uint64_t max_bytes,
			  struct err *err)
{
	char min[UNITS_TEXT];

	if (min_bytes <= max_bytes)
		return 0;
	return yaml_error(yaml_get(map, "max"), err, NULL, "at least min, which is %s",
			  units_print(UNITS_SIZE, min_bytes, min));
}

/* No two public settings agree on where WRED shall drop: both knees are the user's. */
static int read_drop(const struct yaml_node *node, const struct field *field, void *out,
		     struct err *err)
{
	static const struct field fields[] = {
		{"min", field_size, offsetof(struct sw_wred, min_bytes), 0, SIZE_MAX_BYTES, NULL},
		{"max", field_size, offsetof(struct sw_wred, max_bytes), 0, SIZE_MAX_BYTES, NULL},
		{"probability", field_ppb, offsetof(struct sw_wred, probability_ppb), 0, 0, NULL},
		{.key = NULL},
	};
	struct sw_wred *drop = out;

	(void)field;
	*drop = (struct sw_wred){0};
	if (yaml_switch(node) == 0)
		return 0;
	if (node->kind != YAML_MAP)
		return yaml_error(node, err, NULL,
				  "off, or a map such as {min: 2MB, max: 4MB, probability: 20%%}");
	*drop = (struct sw_wred){.on = true, .probability_ppb = PROBABILITY};
	if (fields_read(node, fields, "drop", drop, err) < 0)
		return -EINVAL;
	if (yaml_get(node, "min") == NULL || yaml_get(node, "max") == NULL)
		return yaml_error(node, err, yaml_get(node, "min") ? "no max" : "no min",
				  "both knees, such as {min: 2MB, max: 4MB, probability: 20%%}");
	return knees_in_order(node, drop->min_bytes, drop->max_bytes, err);
}

static struct sw_ecn resolve(const struct words *w, bool lossless)
{
	struct sw_ecn ecn = {.drop = w->drop};

	if (w->mark == MARK_OFF)
		return ecn;
	ecn.on = true;
	ecn.at_enqueue = w->mark == MARK_ENQUEUE;
	ecn.drop_not_ect = w->not_ect == NOT_ECT_DROP || (w->not_ect == NOT_ECT_AUTO && !lossless);
	ecn.min_bytes = w->min_bytes;
	ecn.max_bytes = w->max_bytes;
	ecn.probability_ppb = w->probability_ppb;
	return ecn;
}

static int entry(const struct yaml_node *item, uint64_t rate_bps, bool lossless, struct sw_ecn *out,
		 struct err *err)
{
	static const char *const marks[] = {"dequeue", "enqueue", "off", NULL};
	static const char *const not_ects[] = {"auto", "forward", "drop", NULL};
	static const struct field fields[] = {
		{"min", size_or_auto, offsetof(struct words, min_bytes), 0, SIZE_MAX_BYTES, NULL},
		{"max", size_or_auto, offsetof(struct words, max_bytes), 0, SIZE_MAX_BYTES, NULL},
		{"probability", field_ppb, offsetof(struct words, probability_ppb), 0, 0, NULL},
		{"mark", field_word, offsetof(struct words, mark), 0, 0, marks},
		{"not_ect", field_word, offsetof(struct words, not_ect), 0, 0, not_ects},
		{"drop", read_drop, offsetof(struct words, drop), 0, 0, NULL},
		{.key = NULL},
	};
	struct words w = {
		.min_bytes = NOT_GIVEN, .max_bytes = NOT_GIVEN, .probability_ppb = PROBABILITY};

	*out = (struct sw_ecn){0};
	if (yaml_switch(item) == 0)
		return 0;
	if (item->kind != YAML_MAP)
		return yaml_error(item, err, NULL,
				  "off, or a map such as {min: 400KB, max: 1600KB}");
	if (fields_read(item, fields, "ecn", &w, err) < 0)
		return -EINVAL;
	auto_thresholds(&w, rate_bps);
	if (knees_in_order(item, w.min_bytes, w.max_bytes, err) < 0)
		return -EINVAL;
	*out = resolve(&w, lossless);
	return 0;
}

static bool queue_is_lossless(const struct sw_qos *qos, uint8_t pfc_mask, uint32_t queue)
{
	for (int p = 0; p < SW_PRIOS; p++)
		if (pfc_mask & 1 << p && qos->prio_to_queue[p] == queue)
			return true;
	return false;
}

int qos_read_ecn(const struct yaml_node *ecn, uint64_t link_rate_bps, uint8_t pfc_mask,
		 struct sw_qos *qos, struct err *err)
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
		if (qos_key_number(ecn->items[i], SW_PRIOS, &q, err) < 0 ||
		    entry(ecn->items[i], link_rate_bps, queue_is_lossless(qos, pfc_mask, q),
			  &qos->ecn[q], err) < 0)
			return -EINVAL;
	}
	return 0;
}
