/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of a snapshot as Prometheus metrics, railyard_*. Counters are the free-running ones:
 * `clear` does not touch them. Made from the lists of list.h; a new counter appears by itself.
 */
#ifndef RY_METRICS_H
#define RY_METRICS_H

#include "telemetry.h"

#include <stdio.h>

enum metric_scope { /* what the labels are */
		    METRIC_SWITCH,
		    METRIC_WORKER,
		    METRIC_DROP,
		    METRIC_PORT,
		    METRIC_DEVICE,
		    METRIC_PRIORITY,
		    METRIC_QUEUE,
		    METRIC_PG,
		    METRIC_LATENCY,
};

struct metric {
	char name[64]; /* whole, "railyard_port_rx_packets_total" */
	const char *help, *labels;
	enum metric_scope scope;
	bool counter;  /* else a gauge */
	bool ps;       /* counted in ps, shown in seconds */
	bool histogram; /* neither counter nor gauge; offset says nothing */
	size_t offset; /* of the u64 in its scope's struct */
};

/* The i-th metric; false past the last. */
bool metric_at(int i, struct metric *out);

/* The text that /metrics answers. */
void metrics_write(FILE *out, const struct telemetry *telemetry, bool valid);

#endif
