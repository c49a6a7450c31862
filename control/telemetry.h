/* SPDX-License-Identifier: BSD-3-Clause */
/* What the switches counted, as one snapshot, and as JSON: the "switches" of results.json. The API,
 * the CLI and result files take it from here, so that a number has one name everywhere.
 *
 * Counters are free-running and are never reset. `clear` keeps a snapshot, the base, which is
 * subtracted from later ones; it is global: every reader sees the numbers start again. Levels (bytes
 * now) are never subtracted; watermarks are cleared in the switch itself. The frames that a switch held at the
 * clear count as received after it ("carried" says how many), so that the identity
 * rx + generated + copied = tx + consumed + dropped + held closes after a clear as before.
 *
 * Losses before the switch have names like drops, and are counted apart ("losses", their sum "lost"): the
 * frames were never in "rx", so they are not in "dropped".
 *
 * Bytes, frames, ps. Control thread.
 */
#ifndef RY_TELEMETRY_H
#define RY_TELEMETRY_H

#include "dataplane/model/sw.h"
#include "dataplane/rt/rt.h"

#include <jansson.h>

struct telemetry_switch {
	struct sw_stats stats; /* .ports = ports */
	struct sw_port_stats *ports;
	struct rt_port_stats *device; /* per port; only when `real` */
	struct sw_latency *latency; /* n_ports x SW_PRIOS, or NULL: no room; see stats.latency */
	struct rt_worker_stats worker;
	bool real;        /* device and worker are filled */
	uint64_t carried; /* frames held at the last clear */
};

struct telemetry {
	uint16_t n_switches;
	struct telemetry_switch *switches;
};

/* Room for switches of n_ports[i] ports, all zero; -ENOMEM. */
int telemetry_init(struct telemetry *out, uint16_t n_switches, const uint16_t *n_ports);
void telemetry_free(struct telemetry *telemetry);
/* Room for latencies as well. They are there when stats.latency is set, which whoever reads the switch
 * does: it is 2 KiB for each queue in use. */
int telemetry_add_latency(struct telemetry *telemetry);
/* Takes from's numbers; both must have been made for the same switches. */
void telemetry_copy(struct telemetry *out, const struct telemetry *from);

/* Subtracts a base, matched by the names of switches and ports: what the base does not know starts
 * at zero. */
void telemetry_subtract(struct telemetry *now, const struct telemetry *base);

bool telemetry_closed(const struct sw_stats *stats);
/* Frames of all ports that were lost before the switch took them, by name. */
uint64_t telemetry_lost(const struct telemetry_switch *sw, enum sw_loss loss);

/* What an object of "switches" shall have beside names and the identity. */
enum telemetry_part {
	TELEMETRY_COUNTERS = 1 << 0, /* ports' counters */
	TELEMETRY_PFC = 1 << 1,
	TELEMETRY_QUEUES = 1 << 2,
	TELEMETRY_PGS = 1 << 3,
	TELEMETRY_DEVICE = 1 << 4, /* the device's own losses, stage and edge FIFO, when real */
	TELEMETRY_PORT_DROPS = 1 << 5,
	TELEMETRY_WATCHDOG = 1 << 6,
	TELEMETRY_RESULTS = ((1 << 4) - 1) | TELEMETRY_WATCHDOG, /* results.json */
};

/* New references; NULL when out of memory. */
json_t *telemetry_switch_json(const struct telemetry_switch *sw, unsigned int parts);
json_t *telemetry_switches_json(const struct telemetry *telemetry, unsigned int parts);
/* "totals": sums over switches. */
json_t *telemetry_totals_json(const struct telemetry *telemetry);
/* "latency": quantiles over all queues of all switches. */
json_t *telemetry_latency_json(const struct telemetry *telemetry);
/* Every drop: {"NAME": {"stage", "file", "help"}}. */
json_t *telemetry_drop_names_json(void);

/* The file in which a drop of this stage happens: "dataplane/model/admit.c". Returns buf. */
const char *telemetry_stage_file(const char *stage, char *buf, size_t size);

#endif
