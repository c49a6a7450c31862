/* SPDX-License-Identifier: BSD-3-Clause */
#include "readers.h"

#include "control/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Watermarks, where they lie in what. */
static const size_t of_switch[] = {offsetof(struct sw_stats, buffer_max_bytes),
				   offsetof(struct sw_stats, shared_max_bytes),
				   offsetof(struct sw_stats, headroom_max_bytes)};
static const size_t of_port[] = {offsetof(struct sw_port_stats, edge_max_bytes)};
static const size_t of_queue[] = {offsetof(struct sw_queue_stats, max_bytes)};
static const size_t of_pg[] = {offsetof(struct sw_pg_stats, max_shared_bytes),
			       offsetof(struct sw_pg_stats, max_headroom_bytes)};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* from == NULL: to 0; else to the larger. */
static void raise_at(void *to, const void *from, const size_t *offsets, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t *mark = (uint64_t *)((char *)to + offsets[i]);
		uint64_t other = from ? *(const uint64_t *)((const char *)from + offsets[i]) : 0;

		if (from == NULL || other > *mark)
			*mark = other;
	}
}

static void raise_port(struct sw_port_stats *to, const struct sw_port_stats *from)
{
	raise_at(to, from, of_port, COUNT(of_port));
	for (int i = 0; i < SW_PRIOS; i++) {
		raise_at(&to->queues[i], from ? &from->queues[i] : NULL, of_queue, COUNT(of_queue));
		raise_at(&to->pgs[i], from ? &from->pgs[i] : NULL, of_pg, COUNT(of_pg));
	}
}

static void raise_switch(struct telemetry_switch *to, const struct telemetry_switch *from)
{
	raise_at(&to->stats, from ? &from->stats : NULL, of_switch, COUNT(of_switch));
	for (uint16_t p = 0; p < to->stats.n_ports; p++)
		raise_port(&to->ports[p], from ? &from->ports[p] : NULL);
}

static void raise_all(struct telemetry *to, const struct telemetry *from)
{
	for (uint16_t i = 0; i < to->n_switches; i++)
		raise_switch(&to->switches[i], from ? &from->switches[i] : NULL);
}

static int add(struct readers *readers, const char *name)
{
	struct reader *reader = &readers->list[readers->n];
	int rc = telemetry_init(&reader->base, readers->n_switches, readers->n_ports);

	if (rc == 0)
		rc = telemetry_add_latency(&reader->base);
	if (rc == 0)
		rc = telemetry_init(&reader->marks, readers->n_switches, readers->n_ports);
	if (rc != 0) {
		telemetry_free(&reader->base);
		return rc;
	}
	reader->cleared = false;
	snprintf(reader->name, sizeof(reader->name), "%s", name);
	readers->n++;
	return 0;
}

int readers_init(struct readers *readers, uint16_t n_switches, const uint16_t *n_ports)
{
	memset(readers, 0, sizeof(*readers));
	readers->n_switches = n_switches;
	readers->n_ports = calloc(n_switches + 1u, sizeof(*n_ports));
	if (readers->n_ports == NULL)
		return -ENOMEM;
	memcpy(readers->n_ports, n_ports, n_switches * sizeof(*n_ports));
	return add(readers, "") == 0 && add(readers, READER_PERSISTENT) == 0 ? 0 : -ENOMEM;
}

void readers_free(struct readers *readers)
{
	for (uint16_t i = 0; i < readers->n; i++) {
		telemetry_free(&readers->list[i].base);
		telemetry_free(&readers->list[i].marks);
	}
	free(readers->n_ports);
	memset(readers, 0, sizeof(*readers));
}

static const struct reader *persistent(const struct readers *readers)
{
	return &readers->list[1];
}

struct reader *readers_find(struct readers *readers, const char *name, struct err *err)
{
	if (name == NULL)
		name = "";
	for (uint16_t i = 0; i < readers->n; i++)
		if (strcmp(readers->list[i].name, name) == 0)
			return &readers->list[i];
	if (!name_valid(name, READER_NAME - 1))
		err_set(err, ERR_USAGE, EINVAL, "reader", name,
			"a name: a small letter, then small letters, digits and _, at most %d",
			READER_NAME - 1);
	else if (readers->n == READERS_MAX)
		err_set(err, ERR_USAGE, ENOSPC, "reader", name,
			"one of the %d that have read before: there is no room for more",
			READERS_MAX);
	else if (add(readers, name) != 0)
		err_set(err, ERR_ENVIRONMENT, ENOMEM, "reader", name, "memory for a reader");
	else {
		struct reader *made = &readers->list[readers->n - 1];

		raise_all(&made->marks, &persistent(readers)->marks);
		return made;
	}
	return NULL;
}

void reader_view(const struct reader *reader, struct telemetry *now)
{
	if (reader->cleared)
		telemetry_subtract(now, &reader->base);
	raise_all(now, &reader->marks);
}

void readers_view_all(const struct readers *readers, struct telemetry *now)
{
	raise_all(now, &persistent(readers)->marks);
}

void readers_keep(struct readers *readers, uint16_t i, const struct telemetry_switch *raw)
{
	for (uint16_t r = 0; r < readers->n; r++)
		raise_switch(&readers->list[r].marks.switches[i], raw);
}

void reader_clear(struct reader *reader, const struct telemetry *raw, bool counters,
		  bool watermarks)
{
	if (counters) {
		telemetry_copy(&reader->base, raw);
		reader->cleared = true;
	}
	if (watermarks)
		raise_all(&reader->marks, NULL);
}
