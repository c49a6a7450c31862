/* SPDX-License-Identifier: BSD-3-Clause */
/* What came of a play, one NAME VALUE a line: the digest, the mechanisms that acted, the identity. */
#include "play.h"

#include <stdio.h>

static uint64_t sum_queue(const struct result *r, enum sw_queue_counter counter)
{
	uint64_t sum = 0;

	for (int p = 0; p < SCRIPT_PORTS; p++)
		for (int q = 0; q < SW_PRIOS; q++)
			sum += r->ports[p].queues[q].counters[counter];
	return sum;
}

static uint64_t sum_prio(const struct result *r, enum sw_prio_counter counter)
{
	uint64_t sum = 0;

	for (int p = 0; p < SCRIPT_PORTS; p++)
		for (int q = 0; q < SW_PRIOS; q++)
			sum += r->ports[p].prio[counter][q];
	return sum;
}

static uint64_t sum_watchdog(const struct result *r, enum sw_watchdog_counter counter)
{
	uint64_t sum = 0;

	for (int p = 0; p < SCRIPT_PORTS; p++)
		for (int q = 0; q < SW_PRIOS; q++)
			sum += r->ports[p].queues[q].watchdog.counters[counter];
	return sum;
}

static void row(const char *name, uint64_t value)
{
	printf("%s %llu\n", name, (unsigned long long)value);
}

void result_print(const struct result *r)
{
	const struct sw_stats *s = &r->stats;

	printf("digest %016llx\n", (unsigned long long)s->digest);
	row("marks", sum_queue(r, SW_QUEUE_ECN_MARKED));
	row("xoff", sum_prio(r, SW_PRIO_XOFF_EPISODES));
	row("pauses", sum_prio(r, SW_PRIO_PFC_RX_HONOURED));
	row("storms", sum_watchdog(r, SW_WATCHDOG_STORM_RESTORED));
	row("drops", s->dropped);
	row("holds", s->holds);
	row("swaps", s->swaps);
	row("rx", s->rx);
	row("generated", s->generated);
	row("copied", s->copied);
	row("tx", s->tx);
	row("consumed", s->consumed);
	row("held", s->held);
	row("open", s->rx + s->generated + s->copied - s->tx - s->consumed - s->dropped - s->held);
	row("leaked", r->leaked);
	for (int d = 0; d < SW_DROPS; d++)
		if (s->drops[d] != 0)
			printf("drop.%s %llu\n", sw_drop_names[d].name,
			       (unsigned long long)s->drops[d]);
}
