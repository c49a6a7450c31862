/* SPDX-License-Identifier: BSD-3-Clause */
#include "placement.h"

#include <stdio.h>

static void warn(json_t *list, const char *text)
{
	json_array_append_new(list, json_string(text));
}

static const struct rt_worker_stats *worker_of(const struct running *run, uint16_t sw)
{
	return &run->now.switches[sw].worker;
}

static void asked_for_more(json_t *list, const struct running *run)
{
	char text[256];
	uint16_t asked = run->scenario.real.workers;

	if (run->now.n_switches == 0 || asked <= worker_of(run, 0)->n)
		return;
	snprintf(text, sizeof(text),
		 "real.workers asks for %u workers: %u run, since a switch has one owner and there "
		 "are %u switches",
		 asked, worker_of(run, 0)->n, run->now.n_switches);
	warn(list, text);
}

/* A frame then crosses the machine twice: into the worker's cache and out of it. */
static void far_ports(json_t *list, const struct running *run)
{
	char text[384];

	for (uint16_t s = 0; s < run->now.n_switches; s++) {
		const struct telemetry_switch *sw = &run->now.switches[s];

		for (uint16_t p = 0; p < sw->stats.n_ports; p++) {
			if (sw->device[p].numa < 0 || sw->worker.numa < 0 ||
			    sw->device[p].numa == sw->worker.numa)
				continue;
			snprintf(
				text, sizeof(text),
				"%s is on NUMA node %d, its worker's CPU %d on node %d: start "
				"railyardd on the port's node (taskset -c, or real.eal: [-l, CPUS])",
				sw->ports[p].name, sw->device[p].numa, sw->worker.lcore,
				sw->worker.numa);
			warn(list, text);
		}
	}
}

/* Adaptive workers may share one; each then waits for the other's time slice. */
static void shared_cpus(json_t *list, const struct running *run)
{
	char text[256];

	for (uint16_t a = 0; a < run->now.n_switches; a++)
		for (uint16_t b = 0; b < a; b++) {
			const struct rt_worker_stats *x = worker_of(run, b), *y = worker_of(run, a);

			if (x->index == y->index || x->lcore != y->lcore)
				continue;
			snprintf(text, sizeof(text),
				 "workers %u and %u share CPU %d: departures will be late; lower "
				 "real.workers, or give railyardd more CPUs",
				 x->index, y->index, x->lcore);
			warn(list, text);
			return;
		}
}

json_t *placement_warnings(const struct running *run)
{
	json_t *list = json_array();

	asked_for_more(list, run);
	far_ports(list, run);
	shared_cpus(list, run);
	return list;
}

json_t *placement_buffers(const struct rt_buffer_stats *b)
{
	return json_pack("{s:I s:I s:I s:I s:I s:I s:I}", "total", (json_int_t)b->total, "in_use",
			 (json_int_t)b->in_use, "held", (json_int_t)b->held, "staged",
			 (json_int_t)b->staged, "arrived", (json_int_t)b->arrived, "cables",
			 (json_int_t)b->cables, "devices", (json_int_t)b->devices);
}
