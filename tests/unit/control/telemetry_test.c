/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/telemetry.c"
#include "tests/unit/cu.h"

/* One switch of n ports whose numbers all differ: first, first + 1 ... */
static void make(struct telemetry *t, uint16_t n, uint64_t first)
{
	struct telemetry_switch *sw;
	struct sw_stats *s;

	CU_ASSERT_EQUAL_FATAL(telemetry_init(t, 1, &n), 0);
	sw = &t->switches[0];
	s = &sw->stats;
	snprintf(s->name, sizeof(s->name), "s1");
	s->rx = first + 10;
	s->generated = 2;
	s->copied = 3;
	s->tx = first + 5;
	s->consumed = 4;
	s->dropped = 1;
	s->held = 5;
	s->drops[SW_DROP_NO_ROUTE] = 1;
	for (uint16_t p = 0; p < n; p++) {
		snprintf(sw->ports[p].name, SW_NAME, "s1-h%d", p + 1);
		sw->ports[p].counters[SW_PORT_RX_PACKETS] = first + p;
		sw->ports[p].prio[SW_PRIO_PFC_TX][3] = first;
		sw->ports[p].queues[3].counters[SW_QUEUE_ECN_MARKED] = first;
		sw->ports[p].queues[3].max_bytes = 77;
		sw->ports[p].queues[3].watchdog.counters[SW_WATCHDOG_TX_DROP] = first;
		sw->ports[p].queues[3].watchdog.last[SW_WATCHDOG_TX_DROP] = first / 2;
		sw->ports[p].pgs[3].dropped = first;
		sw->device[p].losses[SW_LOSS_RX_MISSED] = first;
	}
	sw->real = true;
}

static void identity(void)
{
	struct sw_stats s = {.rx = 10,
			     .generated = 1,
			     .copied = 2,
			     .tx = 7,
			     .consumed = 1,
			     .dropped = 3,
			     .held = 2};

	CU_ASSERT_TRUE(telemetry_closed(&s));
	s.held = 3;
	CU_ASSERT_FALSE(telemetry_closed(&s));
}

static json_t *queue_of(const json_t *sw, size_t port, size_t queue)
{
	const json_t *p = json_array_get(json_object_get(sw, "ports"), port);

	return json_array_get(json_object_get(p, "queues"), queue);
}

/* The base's counts are taken off, queue by queue; without room or reading there is none. */
static void latency(void)
{
	struct telemetry now, base;
	json_t *whole, *one, *all;

	make(&base, 2, 100);
	make(&now, 2, 1000);
	whole = telemetry_switch_json(&now.switches[0], TELEMETRY_QUEUES);
	CU_ASSERT_PTR_NOT_NULL(queue_of(whole, 0, 3));
	CU_ASSERT_PTR_NULL(json_object_get(queue_of(whole, 0, 3), "latency"));
	json_decref(whole);
	CU_ASSERT_EQUAL_FATAL(telemetry_add_latency(&now), 0);
	CU_ASSERT_EQUAL_FATAL(telemetry_add_latency(&base), 0);
	now.switches[0].stats.latency = now.switches[0].latency;
	now.switches[0].latency[SW_PRIOS + 3].buckets[10] = 5; /* port 1, queue 3 */
	now.switches[0].latency[SW_PRIOS + 3].buckets[100] = 5;
	now.switches[0].latency[2].buckets[200] = 1;
	telemetry_copy(&base, &now);
	CU_ASSERT_PTR_EQUAL(base.switches[0].stats.latency, base.switches[0].latency);
	now.switches[0].latency[SW_PRIOS + 3].buckets[10] += 1;
	now.switches[0].latency[SW_PRIOS + 3].buckets[20] += 98;
	now.switches[0].latency[2].buckets[200] += 1;
	telemetry_subtract(&now, &base);
	whole = telemetry_switch_json(&now.switches[0], TELEMETRY_QUEUES);
	one = json_object_get(queue_of(whole, 1, 3), "latency");
	CU_ASSERT_EQUAL((uint64_t)json_integer_value(json_object_get(one, "p50_ps")),
			sw_latency_end(20));
	CU_ASSERT_EQUAL((uint64_t)json_integer_value(json_object_get(one, "p99_ps")),
			sw_latency_end(20));
	CU_ASSERT_EQUAL((uint64_t)json_integer_value(json_object_get(one, "p999_ps")),
			sw_latency_end(20));
	json_decref(whole);
	all = telemetry_latency_json(&now);
	CU_ASSERT_EQUAL((uint64_t)json_integer_value(json_object_get(all, "p99_ps")),
			sw_latency_end(20));
	CU_ASSERT_EQUAL((uint64_t)json_integer_value(json_object_get(all, "p999_ps")),
			sw_latency_end(200));
	json_decref(all);
	telemetry_free(&now);
	telemetry_free(&base);
}

static void clear_closes(void)
{
	struct telemetry now, base;

	make(&base, 2, 100);
	make(&now, 2, 1000);
	now.switches[0].stats.held = 2;
	now.switches[0].stats.tx += 3;
	CU_ASSERT_TRUE(telemetry_closed(&base.switches[0].stats));
	CU_ASSERT_TRUE(telemetry_closed(&now.switches[0].stats));
	telemetry_subtract(&now, &base);
	/* 900 came since, and the 5 that were inside. */
	CU_ASSERT_EQUAL(now.switches[0].stats.rx, 905);
	CU_ASSERT_EQUAL(now.switches[0].stats.tx, 903);
	CU_ASSERT_EQUAL(now.switches[0].stats.held, 2);
	CU_ASSERT_EQUAL(now.switches[0].carried, 5);
	CU_ASSERT_EQUAL(now.switches[0].stats.drops[SW_DROP_NO_ROUTE], 0);
	CU_ASSERT_TRUE(telemetry_closed(&now.switches[0].stats));
	CU_ASSERT_EQUAL(now.switches[0].ports[1].counters[SW_PORT_RX_PACKETS], 900);
	CU_ASSERT_EQUAL(now.switches[0].ports[0].prio[SW_PRIO_PFC_TX][3], 900);
	CU_ASSERT_EQUAL(now.switches[0].ports[0].queues[3].counters[SW_QUEUE_ECN_MARKED], 900);
	CU_ASSERT_EQUAL(now.switches[0].ports[0].pgs[3].dropped, 900);
	CU_ASSERT_EQUAL(now.switches[0].device[0].losses[SW_LOSS_RX_MISSED], 900);
	/* A watermark is no counter. */
	CU_ASSERT_EQUAL(now.switches[0].ports[0].queues[3].max_bytes, 77);
	telemetry_free(&now);
	telemetry_free(&base);
}

/* Of the last storm, what was before the clear is gone; the rest stays. */
static void clear_in_a_storm(void)
{
	const struct sw_watchdog_stats *w;
	struct telemetry now, base;

	make(&base, 1, 100);
	make(&now, 1, 1000);
	w = &now.switches[0].ports[0].queues[3].watchdog;
	telemetry_subtract(&now, &base);
	CU_ASSERT_EQUAL(w->counters[SW_WATCHDOG_TX_DROP], 900);
	CU_ASSERT_EQUAL(w->last[SW_WATCHDOG_TX_DROP], 500);
	telemetry_free(&now);
	make(&now, 1, 130);
	w = &now.switches[0].ports[0].queues[3].watchdog;
	telemetry_subtract(&now, &base);
	CU_ASSERT_EQUAL(w->last[SW_WATCHDOG_TX_DROP], 30);
	telemetry_free(&now);
	telemetry_free(&base);
}

static void watchdog_json_names(void)
{
	static const char *const names[] = {
		"priority",    "class",          "state",       "storm_detected", "storm_restored",
		"tx_ok",       "tx_drop",        "rx_ok",       "rx_drop",        "last",
		"detected_ps", "detect_took_ps", "restored_ps", "restore_took_ps"};
	struct telemetry t;
	json_t *list, *w;

	make(&t, 1, 8);
	t.switches[0].ports[0].queues[3].lossless = true;
	t.switches[0].ports[0].queues[3].watchdog.stormed = 1;
	t.switches[0].ports[0].queues[4].watchdog.watched = true;
	w = telemetry_switch_json(&t.switches[0], TELEMETRY_RESULTS);
	list = json_incref(
		json_object_get(json_array_get(json_object_get(w, "ports"), 0), "watchdog"));
	json_decref(w);
	CU_ASSERT_EQUAL_FATAL(json_array_size(list), SW_PRIOS);
	w = json_array_get(list, 3);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		CU_ASSERT_PTR_NOT_NULL(json_object_get(w, names[i]));
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(w, "class")), "lossless");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(w, "state")), "stormed");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(w, "tx_drop")), 8);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(json_object_get(w, "last"), "tx_drop")),
			4);
	w = json_array_get(list, 4);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(w, "state")), "operational");
	w = json_array_get(list, 0);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(w, "state")), "off");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(w, "class")), "lossy");
	json_decref(list);
	telemetry_free(&t);
}

/* A port or a switch that the base does not know starts at zero. */
static void newer_than_clear(void)
{
	struct telemetry now, base;

	make(&base, 1, 100);
	make(&now, 3, 1000);
	telemetry_subtract(&now, &base);
	CU_ASSERT_EQUAL(now.switches[0].ports[0].counters[SW_PORT_RX_PACKETS], 900);
	CU_ASSERT_EQUAL(now.switches[0].ports[2].counters[SW_PORT_RX_PACKETS], 1002);
	telemetry_free(&now);
	make(&now, 3, 1000);
	snprintf(base.switches[0].stats.name, SW_NAME, "s2");
	telemetry_subtract(&now, &base);
	CU_ASSERT_EQUAL(now.switches[0].stats.rx, 1010);
	telemetry_free(&now);
	telemetry_free(&base);
}

static void copies(void)
{
	struct telemetry a, b;

	make(&a, 2, 5);
	make(&b, 2, 50);
	telemetry_copy(&b, &a);
	CU_ASSERT_EQUAL(b.switches[0].stats.rx, 15);
	CU_ASSERT_EQUAL(b.switches[0].ports[1].counters[SW_PORT_RX_PACKETS], 6);
	CU_ASSERT_PTR_EQUAL(b.switches[0].stats.ports, b.switches[0].ports);
	CU_ASSERT_PTR_NOT_EQUAL(b.switches[0].ports, a.switches[0].ports);
	telemetry_free(&a);
	telemetry_free(&b);
}

/* The keys of results.json's "switches", as its readers know them. */
static void contract_names(void)
{
	static const char *const of_switch[] = {
		"name",    "rx",   "generated", "copied",           "tx",   "consumed",
		"dropped", "held", "drops",     "buffer_max_bytes", "ports"};
	static const char *const of_port[] = {
		"name",   "rx_packets",      "rx_bytes",      "tx_packets", "tx_bytes", "pfc_tx",
		"pfc_rx", "pfc_rx_honoured", "xoff_episodes", "paused_ps",  "queues",   "pgs"};
	static const char *const of_queue[] = {"priority", "tx_packets", "ecn_marked",
					       "ce_in",    "dropped",    "max_bytes"};
	static const char *const of_pg[] = {"priority", "max_shared_bytes", "max_headroom_bytes",
					    "dropped"};
	struct telemetry t;
	json_t *sw, *port;

	make(&t, 2, 9);
	sw = telemetry_switch_json(&t.switches[0], TELEMETRY_RESULTS);
	for (size_t i = 0; i < sizeof(of_switch) / sizeof(of_switch[0]); i++)
		CU_ASSERT_PTR_NOT_NULL(json_object_get(sw, of_switch[i]));
	CU_ASSERT_PTR_NOT_NULL(json_object_get(json_object_get(sw, "drops"), "ttl_expired"));
	CU_ASSERT_EQUAL(json_object_size(json_object_get(sw, "drops")), SW_DROPS);
	port = json_array_get(json_object_get(sw, "ports"), 1);
	for (size_t i = 0; i < sizeof(of_port) / sizeof(of_port[0]); i++)
		CU_ASSERT_PTR_NOT_NULL(json_object_get(port, of_port[i]));
	CU_ASSERT_EQUAL(json_array_size(json_object_get(port, "pfc_tx")), SW_PRIOS);
	CU_ASSERT_EQUAL(json_integer_value(json_array_get(json_object_get(port, "pfc_tx"), 3)), 9);
	for (size_t i = 0; i < sizeof(of_queue) / sizeof(of_queue[0]); i++)
		CU_ASSERT_PTR_NOT_NULL(json_object_get(
			json_array_get(json_object_get(port, "queues"), 3), of_queue[i]));
	for (size_t i = 0; i < sizeof(of_pg) / sizeof(of_pg[0]); i++)
		CU_ASSERT_PTR_NOT_NULL(
			json_object_get(json_array_get(json_object_get(port, "pgs"), 3), of_pg[i]));
	json_decref(sw);
	telemetry_free(&t);
}

static void parts(void)
{
	struct telemetry t;
	json_t *sw, *port;

	make(&t, 1, 9);
	sw = telemetry_switch_json(&t.switches[0], TELEMETRY_COUNTERS | TELEMETRY_DEVICE);
	port = json_array_get(json_object_get(sw, "ports"), 0);
	CU_ASSERT_PTR_NULL(json_object_get(port, "queues"));
	CU_ASSERT_PTR_NULL(json_object_get(port, "pfc_tx"));
	CU_ASSERT_EQUAL(
		json_integer_value(json_object_get(json_object_get(port, "device"), "rx_missed")),
		9);
	json_decref(sw);
	/* Virtual time has no device. */
	t.switches[0].real = false;
	sw = telemetry_switch_json(&t.switches[0], TELEMETRY_COUNTERS | TELEMETRY_DEVICE);
	CU_ASSERT_PTR_NULL(
		json_object_get(json_array_get(json_object_get(sw, "ports"), 0), "device"));
	json_decref(sw);
	telemetry_free(&t);
}

/* Lost before the switch: by name and port, in no sum of the identity. */
static void losses_are_apart(void)
{
	struct telemetry t;
	json_t *sw, *port, *sum;

	make(&t, 2, 9);
	t.switches[0].device[1].losses[SW_LOSS_RX_NO_BUFFER] = 4;
	CU_ASSERT_EQUAL(telemetry_lost(&t.switches[0], SW_LOSS_RX_MISSED), 18);
	sw = telemetry_switch_json(&t.switches[0], TELEMETRY_PORT_DROPS);
	CU_ASSERT_EQUAL(
		json_integer_value(json_object_get(json_object_get(sw, "losses"), "rx_missed")),
		18);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(sw, "lost")), 22);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(sw, "dropped")), 1);
	CU_ASSERT_TRUE(json_is_true(json_object_get(sw, "closed")));
	port = json_object_get(json_array_get(json_object_get(sw, "ports"), 1), "losses");
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(port, "rx_no_buffer")), 4);
	json_decref(sw);
	sum = telemetry_totals_json(&t);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(sum, "lost")), 22);
	json_decref(sum);
	/* Virtual time has no device to lose anything. */
	t.switches[0].real = false;
	CU_ASSERT_EQUAL(telemetry_lost(&t.switches[0], SW_LOSS_RX_MISSED), 0);
	telemetry_free(&t);
}

static void totals(void)
{
	uint16_t n[2] = {1, 1};
	struct telemetry t;
	json_t *sum;

	CU_ASSERT_EQUAL_FATAL(telemetry_init(&t, 2, n), 0);
	for (int i = 0; i < 2; i++) {
		t.switches[i].stats.rx = 10;
		t.switches[i].stats.tx = 9;
		t.switches[i].stats.dropped = 1;
		t.switches[i].ports[0].prio[SW_PRIO_XOFF_EPISODES][3] = 2;
		t.switches[i].ports[0].queues[4].counters[SW_QUEUE_ECN_MARKED] = 3;
	}
	sum = telemetry_totals_json(&t);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(sum, "rx")), 20);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(sum, "xoff_episodes")), 4);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(sum, "ecn_marked")), 6);
	CU_ASSERT_TRUE(json_is_true(json_object_get(sum, "closed")));
	json_decref(sum);
	telemetry_free(&t);
}

/* Every stage that `show drops` names is a file of the tree. */
static void stages_are_files(void)
{
	char file[128];
	FILE *f;

	for (int d = 0; d < SW_DROPS; d++) {
		f = fopen(telemetry_stage_file(sw_drop_names[d].stage, file, sizeof(file)), "r");
		if (f == NULL)
			printf("%s: %s is no file\n", sw_drop_names[d].name, file);
		CU_ASSERT_PTR_NOT_NULL(f);
		if (f != NULL)
			fclose(f);
	}
}

static const struct cu_case cases[] = {
	{"telemetry_closed__identity", identity},
	{"telemetry_subtract__closes", clear_closes},
	{"telemetry_subtract__latency", latency},
	{"telemetry_subtract__in_a_storm", clear_in_a_storm},
	{"telemetry_switch_json__watchdog", watchdog_json_names},
	{"telemetry_subtract__newer_than_clear", newer_than_clear},
	{"telemetry_copy__own_arrays", copies},
	{"telemetry_switch_json__contract_names", contract_names},
	{"telemetry_switch_json__parts", parts},
	{"telemetry_switch_json__losses_are_apart", losses_are_apart},
	{"telemetry_totals_json__sums", totals},
	{"telemetry_stage_file__is_there", stages_are_files},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/telemetry", cases);
}
