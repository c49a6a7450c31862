/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/metrics.c"
#include "tests/unit/cu.h"

#include <stdlib.h>
#include <string.h>

static void every_counter_is_there(void)
{
	int n = 0, distinct = 0;
	struct metric m, other;

	for (; metric_at(n, &m); n++) {
		CU_ASSERT_EQUAL(strncmp(m.name, "railyard_", 9), 0);
		CU_ASSERT_PTR_NOT_NULL(m.help);
		CU_ASSERT(!(m.counter && m.histogram));
		/* Prometheus' own rule for counters. */
		CU_ASSERT_EQUAL(m.counter, strcmp(m.name + strlen(m.name) - 6, "_total") == 0);
		distinct = 1;
		for (int i = 0; i < n; i++)
			if (metric_at(i, &other) && strcmp(other.name, m.name) == 0)
				distinct = 0;
		CU_ASSERT_TRUE(distinct);
	}
	CU_ASSERT_EQUAL(n, COUNT(others) + 2 + SW_PORT_COUNTERS + SW_PRIO_COUNTERS +
				   SW_QUEUE_COUNTERS + SW_WATCHDOG_COUNTERS + SW_LOSSES);
}

static void text(void)
{
	uint16_t ports = 2;
	struct telemetry t;
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	CU_ASSERT_EQUAL_FATAL(telemetry_init(&t, 1, &ports), 0);
	snprintf(t.switches[0].stats.name, SW_NAME, "s1");
	snprintf(t.switches[0].ports[1].name, SW_NAME, "s1-h2");
	t.switches[0].stats.drops[SW_DROP_NO_ROUTE] = 7;
	t.switches[0].ports[1].counters[SW_PORT_RX_BYTES] = 123;
	t.switches[0].ports[1].prio[SW_PRIO_PFC_RX][4] = 8;
	t.switches[0].ports[1].queues[3].counters[SW_QUEUE_ECN_MARKED] = 9;
	t.switches[0].ports[1].queues[3].paused_ps = 1500000000000;
	t.switches[0].ports[1].queues[3].watchdog.counters[SW_WATCHDOG_TX_DROP] = 11;
	t.switches[0].ports[1].queues[3].watchdog.stormed = 1;
	t.switches[0].ports[1].pgs[5].max_shared_bytes = 10;
	metrics_write(f, &t, true);
	fclose(f);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nrailyard_valid 1\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		out, "railyard_drops_total{switch=\"s1\",drop=\"no_route\",stage=\"lookup\"} 7\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(out, "railyard_port_rx_bytes_total{switch=\"s1\",port=\"s1-h2\"} 123\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		out, "railyard_pfc_rx_total{switch=\"s1\",port=\"s1-h2\",priority=\"4\"} 8\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		out,
		"railyard_queue_ecn_marked_total{switch=\"s1\",port=\"s1-h2\",queue=\"3\"} 9\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		out,
		"railyard_watchdog_tx_drop_total{switch=\"s1\",port=\"s1-h2\",queue=\"3\"} 11\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		out, "railyard_watchdog_stormed{switch=\"s1\",port=\"s1-h2\",queue=\"3\"} 1\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		out, "queue_paused_seconds_total{switch=\"s1\",port=\"s1-h2\",queue=\"3\"} 1.5"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		out, "railyard_pg_max_shared_bytes{switch=\"s1\",port=\"s1-h2\",pg=\"5\"} 10\n"));
	/* Not real: no device, no worker. */
	CU_ASSERT_PTR_NULL(strstr(out, "railyard_device_rx_missed_total{"));
	CU_ASSERT_PTR_NULL(strstr(out, "railyard_worker_polls_total{"));
	free(out);
	telemetry_free(&t);
}

static void losses(void)
{
	uint16_t ports = 1;
	struct telemetry t;
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	CU_ASSERT_EQUAL_FATAL(telemetry_init(&t, 1, &ports), 0);
	snprintf(t.switches[0].stats.name, SW_NAME, "s1");
	snprintf(t.switches[0].ports[0].name, SW_NAME, "s1-h1");
	t.switches[0].real = true;
	t.switches[0].device[0].losses[SW_LOSS_RX_RING_FULL] = 11;
	metrics_write(f, &t, true);
	fclose(f);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		out, "railyard_device_rx_ring_full_total{switch=\"s1\",port=\"s1-h1\"} 11\n"));
	free(out);
	telemetry_free(&t);
}

/* A histogram as Prometheus has it: cumulative, ending in +Inf, which is the count. */
static void latencies(void)
{
	uint16_t ports = 2;
	struct telemetry t;
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);
	struct sw_latency *l;

	CU_ASSERT_EQUAL_FATAL(telemetry_init(&t, 1, &ports), 0);
	CU_ASSERT_EQUAL_FATAL(telemetry_add_latency(&t), 0);
	t.switches[0].stats.latency = t.switches[0].latency;
	snprintf(t.switches[0].stats.name, SW_NAME, "s1");
	snprintf(t.switches[0].ports[1].name, SW_NAME, "s1-h2");
	t.switches[0].ports[1].queues[3].counters[SW_QUEUE_TX_PACKETS] = 7;
	l = &t.switches[0].latency[SW_PRIOS + 3];
	l->buckets[7] = 4;   /* ends at 32,768 ps */
	l->buckets[15] = 2;  /* ends at 65,536 ps */
	l->buckets[239] = 1; /* open */
	metrics_write(f, &t, true);
	fclose(f);
#define LABELS "{switch=\"s1\",port=\"s1-h2\",queue=\"3\""
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "# TYPE railyard_queue_latency_seconds histogram\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "seconds_bucket" LABELS
					   ",le=\"0.000000032768\"} 4\nrailyard_queue_latency_"
					   "seconds_bucket" LABELS ",le=\"0.000000065536\"} 6\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "seconds_bucket" LABELS ",le=\"+Inf\"} 7\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "railyard_queue_latency_seconds_count" LABELS "} 7\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "railyard_queue_latency_seconds_sum" LABELS "} 1"));
	CU_ASSERT_PTR_NULL(strstr(out, "queue_latency_seconds_count{switch=\"s1\",port=\"\""));
	free(out);
	telemetry_free(&t);
}

static const struct cu_case cases[] = {
	{"metric_at__every_counter", every_counter_is_there},
	{"metrics_write__samples", text},
	{"metrics_write__losses", losses},
	{"metrics_write__latencies", latencies},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/metrics", cases);
}
