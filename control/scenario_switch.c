/* SPDX-License-Identifier: BSD-3-Clause */
/* `switch:` and `switches:`. A switch is read from one map: its preset, `switch:` over it, its own
 * entry of `switches:` over that. */
#include "scenario_int.h"

#include "pipelines/registry.h"
#include "preset.h"
#include "topology.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void scenario_switch_defaults(struct scenario_switch *sw)
{
	*sw = (struct scenario_switch){
		.pipeline = "lossless",
		.preset = PRESET_NONE,
		.latency_ps = 500000,
		.fdb_ageing_ps = AGEING_DEFAULT,
		.neigh_ageing_ps = AGEING_DEFAULT,
		.buffer = {.size_bytes = 32u << 20,
			   .cell_bytes = 1,
			   .alpha_q16 = 65536 / 8,
			   .lossy_alpha_q16 = 65536,
			   .reserved_bytes = 4096,
			   .xon_offset_bytes = 3072},
		.headroom_auto = true,
		.hash_fields = SW_HASH_SRC_IP | SW_HASH_DST_IP | SW_HASH_PROTO | SW_HASH_SRC_PORT |
			       SW_HASH_DST_PORT,
	};
	for (uint8_t p = 0; p < SW_PRIOS; p++) {
		sw->qos.pcp_to_prio[p] = p;
		sw->qos.prio_to_pg[p] = p;
		sw->qos.prio_to_queue[p] = p;
		sw->qos.pfc_to_queue[p] = p;
		sw->qos.sched[p].weight = 10;
	}
}

static int read_pipeline(const struct yaml_node *node, const struct field *field, void *out,
			 struct err *err)
{
	char names[256] = "";
	size_t used = 0;

	if (field_text(node, field, out, err) < 0)
		return -EINVAL;
	if (not_yet_value("pipeline", node->text) != NULL)
		return yaml_error(node, err, NULL,
				  "another one: it is not in this version of railyard");
	if (pipeline_by_name(node->text) != NULL)
		return 0;
	for (int i = 0; pipelines[i] != NULL && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
					 pipelines[i]->name);
	return yaml_error(node, err, NULL, "a pipeline: %s", names);
}

static int read_trust(const struct yaml_node *node, const struct field *field, void *out,
		      struct err *err)
{
	int value;
	int rc = field_word(node, field, &value, err);

	if (rc == 0)
		*(enum sw_trust *)out = value == 0 ? SW_TRUST_DSCP : SW_TRUST_PCP;
	return rc;
}

static int read_hash(const struct yaml_node *node, const struct field *field, void *out,
		     struct err *err)
{
	uint32_t bits = 0;
	int value;

	if (fields_list(node, "fields, such as [src_ip, dst_ip]", err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < node->n; i++) {
		if (field_word(node->items[i], field, &value, err) < 0)
			return -EINVAL;
		if (bits & 1u << value)
			return yaml_error(node->items[i], err, NULL, "each field once");
		bits |= 1u << value;
	}
	*(uint32_t *)out = bits;
	return 0;
}

static int read_headroom_pool(const struct yaml_node *node, const struct field *field, void *out,
			      struct err *err)
{
	*(uint64_t *)out = 0;
	if (yaml_switch(node) == 0)
		return 0;
	if (yaml_switch(node) == 1)
		return yaml_error(node, err, NULL, "off, or the pool's size, such as 2MB");
	return field_size(node, field, out, err);
}

static int read_headroom(const struct yaml_node *node, const struct field *field, void *out,
			 struct err *err)
{
	struct scenario_switch *sw = out;

	sw->headroom_auto = node->kind == YAML_SCALAR && strcmp(node->text, "auto") == 0;
	sw->headroom_bytes = 0;
	return sw->headroom_auto ? 0 : field_size(node, field, &sw->headroom_bytes, err);
}

#define BUF(member) offsetof(struct scenario_switch, buffer.member)

static int read_buffer(const struct yaml_node *node, const struct field *field, void *out,
		       struct err *err)
{
	static const struct field fields[] = {
		{"size", field_size, BUF(size_bytes), 4096, SIZE_MAX_BYTES, NULL},
		{"cell", field_size32, BUF(cell_bytes), 1, 16384, NULL},
		{"alpha", field_q16, BUF(alpha_q16), 1, 128 * 65536, NULL},
		{"headroom", read_headroom, 0, 0, SIZE_MAX_BYTES, NULL},
		{"headroom_pool", read_headroom_pool, BUF(headroom_pool_bytes), 1, SIZE_MAX_BYTES,
		 NULL},
		{"reserved", field_size, BUF(reserved_bytes), 0, SIZE_MAX_BYTES, NULL},
		{"xon_offset", field_size, BUF(xon_offset_bytes), 0, SIZE_MAX_BYTES, NULL},
		{"lossy_alpha", field_q16, BUF(lossy_alpha_q16), 1, 128 * 65536, NULL},
		{.key = NULL},
	};

	(void)field;
	return fields_read(node, fields, "buffer", out, err);
}

/* A peer that is told to stop still sends what headroom is for. */
static int check_headroom(const struct yaml_node *map, const struct scenario_switch *sw,
			  uint8_t pfc_mask, struct err *err)
{
	if (pfc_mask == 0 || sw->headroom_auto || sw->headroom_bytes != 0)
		return 0;
	return yaml_error(yaml_get(yaml_get(map, "buffer"), "headroom"), err, NULL,
			  "headroom for the priorities in pfc, such as auto: without it they lose "
			  "frames; or pfc: off");
}

int scenario_switch_read(const struct yaml_node *map, uint64_t link_rate_bps,
			 struct scenario_switch *sw, struct err *err)
{
	static const char *const trusts[] = {"dscp", "pcp", NULL};
	static const char *const hashes[] = {"src_ip",   "dst_ip",  "proto", "src_port",
					     "dst_port", "dest_qp", NULL};
	static const struct field fields[] = {
		{"pipeline", read_pipeline, offsetof(struct scenario_switch, pipeline), 0, 32,
		 NULL},
		{.key = "preset"},
		{"latency", field_time, offsetof(struct scenario_switch, latency_ps), 0, TIME_MAX,
		 NULL},
		{"fdb_ageing", field_time_or_off, offsetof(struct scenario_switch, fdb_ageing_ps),
		 AGEING_MIN, AGEING_MAX, NULL},
		{"neighbour_ageing", field_time_or_off,
		 offsetof(struct scenario_switch, neigh_ageing_ps), AGEING_MIN, AGEING_MAX, NULL},
		{"buffer", read_buffer, 0, 0, 0, NULL},
		{"trust", read_trust, offsetof(struct scenario_switch, qos.trust), 0, 0, trusts},
		{.key = "dscp"},
		{.key = "pcp"},
		{.key = "tc_to_pg"},
		{.key = "tc_to_queue"},
		{.key = "pfc_to_queue"},
		{.key = "ecn"},
		{.key = "pfc"},
		{.key = "scheduler"},
		{"hash", read_hash, offsetof(struct scenario_switch, hash_fields), 0, 0, hashes},
		{.key = NULL},
	};
	struct sw_qos *qos = &sw->qos;
	uint8_t pfc_mask;
	const struct {
		const char *key, *what;
		uint32_t n;
		uint8_t *out;
	} maps[] = {
		{"dscp", "DSCPs to priorities, such as {26: 3, default: 0}", 64, qos->dscp_to_prio},
		{"pcp", "PCPs to priorities, such as {3: 3, default: 0}", 8, qos->pcp_to_prio},
		{"tc_to_pg", "priorities to PGs, such as {3: 3, default: 0}", 8, qos->prio_to_pg},
		{"tc_to_queue", "priorities to queues", 8, qos->prio_to_queue},
		{"pfc_to_queue", "PFC classes to queues", 8, qos->pfc_to_queue},
	};

	if (map == NULL)
		return 0;
	if (fields_read(map, fields, "switch", sw, err) < 0)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		const struct yaml_node *node = yaml_get(map, maps[i].key);

		if (node != NULL &&
		    qos_read_map(node, maps[i].what, maps[i].n, maps[i].out, err) < 0)
			return -EINVAL;
	}
	if (qos_read_scheduler(yaml_get(map, "scheduler"), qos, err) < 0 ||
	    qos_read_pfc(yaml_get(map, "pfc"), qos, err) < 0)
		return -EINVAL;
	pfc_mask = pipeline_by_name(sw->pipeline)->lossless ? qos->pfc_mask : 0;
	if (check_headroom(map, sw, pfc_mask, err) < 0)
		return -EINVAL;
	return qos_read_ecn(yaml_get(map, "ecn"), link_rate_bps, pfc_mask, qos, err);
}

/* The preset that own or else all names, loaded; its name in sw. */
static int find_preset(struct reader *r, struct yaml_node *all, struct yaml_node *own,
		       struct scenario_switch *sw, struct yaml_node **preset)
{
	const struct field field = {.max = sizeof(sw->preset)};
	struct yaml_node *node = yaml_get(own, "preset");
	char names[256];
	int rc;

	if (node == NULL)
		node = yaml_get(all, "preset");
	snprintf(sw->preset, sizeof(sw->preset), "%s", PRESET_DEFAULT);
	if (node != NULL && field_text(node, &field, sw->preset, r->err) < 0)
		return -EINVAL;
	rc = preset_load(r->yaml, sw->preset, preset, r->err);
	if (rc == -ENOENT && node != NULL)
		return yaml_error(node, r->err, NULL, "a preset: %s",
				  preset_names(names, sizeof(names)));
	return rc;
}

/* Where a buffer that cannot work is to be changed: its size if the file gives one. */
static void place(struct scenario_switch *sw, const struct yaml_node *at,
		  const struct yaml_node *map, const char *file)
{
	const struct yaml_node *size = yaml_get(yaml_get(map, "buffer"), "size");

	if (size != NULL && size->line > 0 && strcmp(size->file, file) == 0) {
		sw->line = size->line;
		sw->col = size->col;
	} else if (at != NULL) {
		sw->line = at->key_line;
		sw->col = at->key_col;
	}
}

static int read_switch(struct reader *r, struct yaml_node *all, struct yaml_node *own,
		       const char *name, struct scenario_switch *sw)
{
	struct yaml_node *preset, *map, *at = own ? own : all;

	scenario_switch_defaults(sw);
	if (find_preset(r, all, own, sw, &preset) < 0 ||
	    switch_expand(r->yaml, preset, &preset, r->err) < 0 ||
	    switch_expand(r->yaml, all, &all, r->err) < 0 ||
	    switch_expand(r->yaml, own, &own, r->err) < 0)
		return -EINVAL;
	map = yaml_merge(r->yaml, yaml_merge(r->yaml, preset, all), own);
	snprintf(sw->name, sizeof(sw->name), "%s", name);
	place(sw, at, map, r->out->file);
	return scenario_switch_read(map, r->out->link.rate_bps, sw, r->err);
}

int scenario_read_switches(struct reader *r)
{
	struct yaml_node *all = yaml_get(r->root, "switch");
	struct yaml_node *each = yaml_get(r->root, "switches"), *item;
	struct scenario *s = r->out;

	if (read_switch(r, all, NULL, "", &s->sw) < 0)
		return -EINVAL;
	if (each == NULL)
		return 0;
	if (fields_map(each, "switches by name, such as {s1: {latency: 1us}}", r->err) < 0 ||
	    scenario_array(&s->switches, each->n, sizeof(*s->switches), r->err) < 0)
		return -EINVAL;
	for (uint32_t i = 0; i < each->n; i++) {
		item = each->items[i];
		if (topology_switch(&r->topology, item->key) < 0)
			return yaml_error_key(
				item, r->err, "no such switch", "one of %s%s%s",
				r->topology.switches[0], r->topology.n_switches > 1 ? " to " : "",
				r->topology.n_switches > 1
					? r->topology.switches[r->topology.n_switches - 1]
					: "");
		if (read_switch(r, all, item, item->key, &s->switches[s->n_switches]) < 0)
			return -EINVAL;
		s->n_switches++;
	}
	return 0;
}
