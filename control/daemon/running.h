/* SPDX-License-Identifier: BSD-3-Clause */
/* What one railyardd runs: the scenario as it is now, the fabric made of it, the switches on rt, and
 * who reads their numbers since when. Owned by main; everything here is for the one control thread.
 */
#ifndef RY_DAEMON_RUNNING_H
#define RY_DAEMON_RUNNING_H

#include "control/fabric.h"
#include "control/place.h"
#include "control/source.h"
#include "control/telemetry.h"
#include "dataplane/rt/rt.h"
#include "readers.h"

#define RUNNING_HOLDS 256

struct running {
	struct place place;
	bool no_huge, force;
	const char *holds[RUNNING_HOLDS]; /* names of ports that begin held */
	int n_holds;
	struct source source;
	struct scenario scenario;
	struct fabric fabric;            /* its tables are NULL: rt has them */
	struct rt *rt;                   /* NULL once stopped */
	uint64_t *size_bytes;            /* per switch, the buffer that memory was made for */
	const struct sw_tables **tables; /* per switch, what rt has: immutable, may be read */
	struct telemetry now, raw;       /* the last snapshot; what `clear` began at */
	struct readers readers;
};

/* Reads and builds what run->source says: all that can go wrong before the machine is touched. On
 * failure nothing is left but the source. */
int running_load(struct running *run, struct err *err);
/* Starts what was loaded. */
int running_start(struct running *run, struct err *err);
/* Ends it; returns the number of packet buffers that did not come back (0 is right). */
int running_stop(struct running *run);
void running_free(struct running *run);

/* A snapshot into run->now as the reader sees it; NULL: since the start. parts (enum telemetry_part):
 * what will be asked of it; latencies are read with TELEMETRY_QUEUES alone. */
int running_snapshot(struct running *run, const struct reader *reader, unsigned int parts);
/* The same, and the reader begins anew: its counters at 0, its watermarks at the level of now. */
int running_clear(struct running *run, struct reader *reader, bool counters, bool watermarks);

/* Applies n assignments "PATH=VALUE" to everything that runs: all or, with *err, none of them. */
int running_change(struct running *run, const char *const *sets, uint32_t n, struct err *err);

#endif
