/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoint: a switch as bytes (restore.c is the way back).
 *
 *	8 B   "RYSWCKPT"
 *	u32   SW_CHECKPOINT_VERSION
 *	u32   0
 *	u64   names: XXH64 of all of list.h, so that counters of another build are not taken for ours
 *	u64   length of the body
 *	      the body: what the switch is (pipeline, configuration), then its state
 *	u64   XXH64 of all before it
 *
 * A change of what is in the body needs a new version; a field that is only worked out from others
 * does not.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

/* With out == NULL it only counts. */
struct ck_sink {
	const struct sw_writer *out;
	int rc;
	uint64_t length;
	uint32_t n;
	uint8_t buf[4096];
	XXH64_state_t sum;
};

static void flush(struct ck_sink *sink)
{
	if (sink->rc == 0 && sink->n > 0)
		sink->rc = sink->out->put(sink->out->ctx, sink->buf, sink->n);
	sink->n = 0;
}

static void sink_bytes(struct ck_sink *sink, const uint8_t *bytes, size_t n)
{
	sink->length += n;
	if (sink->out == NULL)
		return;
	XXH64_update(&sink->sum, bytes, n);
	while (n > 0) {
		size_t part = sizeof(sink->buf) - sink->n;

		part = n < part ? n : part;
		memcpy(sink->buf + sink->n, bytes, part);
		sink->n += (uint32_t)part;
		bytes += part;
		n -= part;
		if (sink->n == sizeof(sink->buf))
			flush(sink);
	}
}

/* ---- both ways ---- */

bool ck_check(struct ck *ck, bool holds, const char *what)
{
	if (ck_reading(ck) && ck->bad == NULL && !ck->no_memory && !holds)
		ck->bad = what;
	return ck->bad == NULL && !ck->no_memory;
}

bool ck_room(struct ck *ck, uint64_t n, size_t bytes)
{
	return ck_check(ck, n <= (uint64_t)(ck->end - ck->at) / bytes, "more items than bytes");
}

void ck_bytes(struct ck *ck, void *bytes, size_t n)
{
	if (!ck_reading(ck)) {
		sink_bytes(ck->sink, bytes, n);
		return;
	}
	if (!ck_check(ck, n <= (size_t)(ck->end - ck->at), "an end before its time")) {
		memset(bytes, 0, n);
		return;
	}
	memcpy(bytes, ck->at, n);
	ck->at += n;
}

static uint64_t number(struct ck *ck, uint64_t value, size_t n)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
	ck_bytes(ck, bytes, n);
	value = 0;
	for (size_t i = 0; i < n; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

/* Writing leaves the switch as it is: it may be const. */
void ck_u8(struct ck *ck, uint8_t *value)
{
	uint64_t got = number(ck, *value, 1);

	if (ck_reading(ck))
		*value = (uint8_t)got;
}

void ck_u16(struct ck *ck, uint16_t *value)
{
	uint64_t got = number(ck, *value, 2);

	if (ck_reading(ck))
		*value = (uint16_t)got;
}

void ck_u32(struct ck *ck, uint32_t *value)
{
	uint64_t got = number(ck, *value, 4);

	if (ck_reading(ck))
		*value = (uint32_t)got;
}

void ck_u64(struct ck *ck, uint64_t *value)
{
	uint64_t got = number(ck, *value, 8);

	if (ck_reading(ck))
		*value = got;
}

void ck_u64s(struct ck *ck, uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ck_u64(ck, &values[i]);
}

void ck_bool(struct ck *ck, bool *value)
{
	uint64_t got = number(ck, *value, 1);

	ck_check(ck, got <= 1, "a truth value that is none");
	if (ck_reading(ck))
		*value = got == 1;
}

void ck_name(struct ck *ck, char name[SW_NAME])
{
	char text[SW_NAME] = {0};

	if (!ck_reading(ck))
		snprintf(text, sizeof(text), "%s", name);
	ck_bytes(ck, text, sizeof(text));
	ck_check(ck, memchr(text, 0, sizeof(text)) != NULL, "a name without an end");
	if (ck_reading(ck))
		snprintf(name, SW_NAME, "%.*s", SW_NAME - 1, text);
}

/* ---- what is in it, in order ---- */

void ck_about(struct ck *ck, struct sw_about *out)
{
	ck_name(ck, out->pipeline);
	ck_name(ck, out->name);
	ck_u64(ck, &out->t_ps);
	ck_u64(ck, &out->held);
	ck_u32(ck, &out->largest_mtu_bytes);
	ck_u16(ck, &out->n_ports);
}

static void fill_about(const struct sw *sw, struct sw_about *out)
{
	*out = (struct sw_about){.t_ps = sw->now, .held = sw->held, .n_ports = sw->n_ports};
	memcpy(out->name, sw->cfg.name, sizeof(out->name));
	snprintf(out->pipeline, sizeof(out->pipeline), "%s", sw->pipeline->name);
	for (uint16_t i = 0; i < sw->n_ports; i++)
		if (sw->ports[i].cfg.mtu_bytes > out->largest_mtu_bytes)
			out->largest_mtu_bytes = sw->ports[i].cfg.mtu_bytes;
}

void ck_state(struct ck *ck, struct sw *sw)
{
	ck_u64(ck, &sw->now);
	ck_u64(ck, &sw->generated);
	ck_u64(ck, &sw->consumed);
	ck_u64(ck, &sw->copied);
	ck_u64(ck, &sw->rx);
	ck_u64(ck, &sw->tx);
	ck_u64(ck, &sw->dropped);
	ck_u64(ck, &sw->dropped_lossless);
	ck_u64(ck, &sw->holds);
	ck_u64(ck, &sw->swaps);
	ck_u64(ck, &sw->digest);
	ck_u64(ck, &sw->max_used);
	ck_u64(ck, &sw->max_shared_used);
	ck_u64(ck, &sw->max_headroom_used);
	ck_u64(ck, &sw->watch_on);
	ck_u64(ck, &sw->watch_from);
	for (uint16_t i = 0; i < sw->n_ports && ck_check(ck, true, ""); i++)
		ck_port(ck, sw, i);
	ck_fdb(ck, sw);
	ck_neigh(ck, sw);
	ck_latency(ck, sw);
}

uint64_t ck_names(void)
{
	static const struct {
		const struct sw_name *names;
		int n;
	} lists[] = {
		{sw_drop_names, SW_DROPS},
		{sw_port_counter_names, SW_PORT_COUNTERS},
		{sw_prio_counter_names, SW_PRIO_COUNTERS},
		{sw_queue_counter_names, SW_QUEUE_COUNTERS},
		{sw_watchdog_counter_names, SW_WATCHDOG_COUNTERS},
	};
	uint64_t sum = 0;

	for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++)
		for (int i = 0; i < lists[l].n; i++)
			sum = XXH64(lists[l].names[i].name, strlen(lists[l].names[i].name) + 1,
				    sum);
	return sum;
}

void ck_head(struct ck *ck, struct ck_head *head)
{
	ck_bytes(ck, head->magic, sizeof(head->magic));
	ck_u32(ck, &head->version);
	ck_u32(ck, &head->zero);
	ck_u64(ck, &head->names);
	ck_u64(ck, &head->length);
}

static void body(struct ck *ck, struct sw *sw)
{
	struct sw_about it;

	fill_about(sw, &it);
	ck_about(ck, &it);
	ck_config(ck, &sw->cfg);
	for (uint16_t i = 0; i < sw->n_ports; i++)
		ck_port_config(ck, &sw->ports[i].cfg);
	ck_tables(ck, sw);
	ck_state(ck, sw);
}

int sw_checkpoint(const struct sw *sw, const struct sw_writer *writer)
{
	struct ck_sink sink = {.out = NULL};
	struct ck ck = {.sink = &sink};
	struct ck_head head = {
		.magic = CK_MAGIC, .version = SW_CHECKPOINT_VERSION, .names = ck_names()};
	uint64_t sum;

	assert(due_first(&sw->departures) >= sw->now && due_first(&sw->timers) > sw->now);
	body(&ck, (struct sw *)sw);
	head.length = sink.length;
	sink.out = writer;
	XXH64_reset(&sink.sum, 0);
	ck_head(&ck, &head);
	body(&ck, (struct sw *)sw);
	sum = XXH64_digest(&sink.sum);
	ck_u64(&ck, &sum);
	flush(&sink);
	return sink.rc;
}
