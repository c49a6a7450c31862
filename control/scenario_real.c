/* SPDX-License-Identifier: BSD-3-Clause */
/* `real:`: how railyardd runs it. */
#include "scenario_int.h"

#include <errno.h>
#include <string.h>

/* What the table fills; wider than where it goes. */
struct real_words {
	uint32_t workers, dilate;
	int poll;
	uint64_t late_ps, memory_bytes;
};

static int read_workers(const struct yaml_node *node, const struct field *field, void *out,
			struct err *err)
{
	if (node->kind == YAML_SCALAR && strcmp(node->text, "auto") == 0) {
		*(uint32_t *)out = 0;
		return 0;
	}
	return field_count32(node, field, out, err);
}

static int read_eal(struct reader *r, const struct yaml_node *list)
{
	const struct field field = {.max = sizeof(r->out->real.eal[0])};

	if (list == NULL)
		return 0;
	if (fields_list(list, "EAL words, such as [\"--lcores\", \"1\"]", r->err) < 0 ||
	    scenario_array(&r->out->real.eal, list->n, sizeof(r->out->real.eal[0]), r->err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < list->n; i++, r->out->real.n_eal++)
		if (field_text(list->items[i], &field, r->out->real.eal[i], r->err) < 0)
			return -EINVAL;
	return 0;
}

static void place(int *line, int *col, const struct yaml_node *node)
{
	*line = node != NULL ? node->key_line : 0;
	*col = node != NULL ? node->key_col : 0;
}

int scenario_read_real(struct reader *r)
{
	static const char *const polls[] = {"busy", "adaptive", NULL};
	static const struct field fields[] = {
		{"workers", read_workers, offsetof(struct real_words, workers), 1, 1024, NULL},
		{"dilate", field_count32, offsetof(struct real_words, dilate), 1, 1000000, NULL},
		{"poll", field_word, offsetof(struct real_words, poll), 0, 0, polls},
		{"late", field_time_or_auto, offsetof(struct real_words, late_ps), 1, TIME_MAX,
		 NULL},
		{"memory", field_size, offsetof(struct real_words, memory_bytes), 1u << 20,
		 SIZE_MAX_BYTES, NULL},
		{.key = "eal"},
		{.key = NULL},
	};
	const struct yaml_node *real = yaml_get(r->root, "real");
	struct real_words w = {.dilate = 1, .memory_bytes = UINT64_C(2) << 30};

	if (real != NULL && fields_read(real, fields, "real", &w, r->err) < 0)
		return -EINVAL;
	r->out->real.workers = (uint16_t)w.workers;
	r->out->real.dilate = w.dilate;
	r->out->real.adaptive = w.poll == 1;
	r->out->real.late_ps = w.late_ps;
	r->out->real.memory_bytes = w.memory_bytes;
	place(&r->out->real.line, &r->out->real.col, real);
	place(&r->out->real.memory_line, &r->out->real.memory_col, yaml_get(real, "memory"));
	return read_eal(r, yaml_get(real, "eal"));
}
