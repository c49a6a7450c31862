/* SPDX-License-Identifier: BSD-3-Clause */
/* Who reads, and since when: counters that begin at a reader's own `clear`, and watermarks that no
 * other reader's clear disturbs.
 *
 * The switches know one watermark each, which a clear restarts. Whoever clears, all readers first keep
 * what was read in the same instant; a reader's watermark is the larger of what it kept and what the
 * switch has. Counters run freely and are never reset: a reader keeps the snapshot to subtract.
 *
 * Two readers are always there: "", which everybody is who gives no name, and "persistent", which
 * only its own name clears. Others are made when first named and remember since the start. Control
 * thread; bytes, frames.
 */
#ifndef RY_DAEMON_READERS_H
#define RY_DAEMON_READERS_H

#include "control/telemetry.h"

#define READERS_MAX 16
#define READER_NAME 32
#define READER_PERSISTENT "persistent"

struct reader {
	char name[READER_NAME];
	bool cleared;           /* its counters do not begin at the start */
	struct telemetry base;  /* what they begin at */
	struct telemetry marks; /* watermarks that others cleared since it did */
};

struct readers {
	uint16_t n, n_switches;
	uint16_t *n_ports;
	struct reader list[READERS_MAX];
};

/* With the two that are always there; -ENOMEM. */
int readers_init(struct readers *readers, uint16_t n_switches, const uint16_t *n_ports);
void readers_free(struct readers *readers);

/* The one of that name (NULL = ""), made if there is none yet; NULL and *err when it is no name or
 * there are too many. It stays where it is. */
struct reader *readers_find(struct readers *readers, const char *name, struct err *err);

/* A snapshot as the switches gave it becomes what the reader sees. */
void reader_view(const struct reader *reader, struct telemetry *now);
/* Watermarks since the start, counters as they are. */
void readers_view_all(const struct readers *readers, struct telemetry *now);

/* Watermarks of switch i were restarted when raw was read: everybody keeps them. */
void readers_keep(struct readers *readers, uint16_t i, const struct telemetry_switch *raw);
/* The reader begins anew at raw, which readers_keep has seen where watermarks were restarted. */
void reader_clear(struct reader *reader, const struct telemetry *raw, bool counters,
		  bool watermarks);

#endif
