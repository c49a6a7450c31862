/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/scenario.c"

#include "control/netaddr.h"
#include "tests/unit/cu.h"

#define STAR "railyard: 1\ntopology: {kind: star, hosts: 2}\n"

static struct scenario s;
static struct err err;

static bool load_set(const char *text, const char *const *sets, uint32_t n)
{
	scenario_free(&s);
	err = (struct err){0};
	if (scenario_parse_set(&s, text, strlen(text), "t.yaml", sets, n, &err) == 0)
		return true;
	/* A failed load leaves nothing to free and always says why. */
	CU_ASSERT_PTR_NULL(s.host_list);
	CU_ASSERT_NOT_EQUAL(err.status, ERR_NONE);
	return false;
}

static bool load(const char *text)
{
	return load_set(text, NULL, 0);
}

static void defaults(void)
{
	CU_ASSERT_TRUE_FATAL(load(STAR));
	CU_ASSERT_STRING_EQUAL(s.name, "t");
	CU_ASSERT_EQUAL(s.seed, 1);
	CU_ASSERT_EQUAL(s.hosts, 2);
	CU_ASSERT_EQUAL(s.link.rate_bps, 100000000000);
	CU_ASSERT_EQUAL(s.link.delay_ps, 1000000);
	CU_ASSERT_EQUAL(s.link.overhead_bytes, 24);
	CU_ASSERT_STRING_EQUAL(s.sw.pipeline, "lossless");
	CU_ASSERT_STRING_EQUAL(s.sw.preset, "nvidia");
	CU_ASSERT_EQUAL(s.sw.latency_ps, 500000);
	CU_ASSERT_EQUAL(s.sw.fdb_ageing_ps, UINT64_C(300000000000000));
	CU_ASSERT_EQUAL(s.sw.neigh_ageing_ps, UINT64_C(300000000000000));
	CU_ASSERT_EQUAL(s.sw.buffer.size_bytes, 32u << 20);
	CU_ASSERT_EQUAL(s.sw.buffer.alpha_q16, 8192);
	CU_ASSERT_TRUE(s.sw.headroom_auto);
	CU_ASSERT_EQUAL(s.n_hosts, 2);
	CU_ASSERT_FALSE(s.host_list[0].has_mac);
	CU_ASSERT_EQUAL(s.real.dilate, 1);
	CU_ASSERT_EQUAL(s.real.memory_bytes, UINT64_C(2) << 30);
	CU_ASSERT_FALSE(s.real.adaptive);
}

static void ecn_by_rate(void)
{
	CU_ASSERT_TRUE_FATAL(load(STAR));
	CU_ASSERT_TRUE(s.sw.qos.ecn[3].on);
	CU_ASSERT_EQUAL(s.sw.qos.ecn[3].min_bytes, 400000);
	CU_ASSERT_EQUAL(s.sw.qos.ecn[3].max_bytes, 1600000);
	CU_ASSERT_EQUAL(s.sw.qos.ecn[3].probability_ppb, 200000000);
	CU_ASSERT_FALSE(s.sw.qos.ecn[3].drop_not_ect);
	CU_ASSERT_FALSE(s.sw.qos.ecn[0].on);
	CU_ASSERT_TRUE_FATAL(
		load("railyard: 1\ntopology: {kind: star, hosts: 2, link: {rate: 400Gbps}}\n"));
	CU_ASSERT_EQUAL(s.sw.qos.ecn[3].min_bytes, 1600000);
	CU_ASSERT_EQUAL(s.sw.qos.ecn[3].max_bytes, 6400000);
	/* Slow links: not below a few frames. One given threshold gives the other. */
	CU_ASSERT_TRUE_FATAL(
		load("railyard: 1\ntopology: {kind: star, hosts: 2, link: {rate: 20Mbps}}\n"));
	CU_ASSERT_EQUAL(s.sw.qos.ecn[3].min_bytes, 16000);
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {ecn: {3: {min: 100KB}, 0: {max: 100KB}}}\n"));
	CU_ASSERT_EQUAL(s.sw.qos.ecn[3].max_bytes, 400000);
	CU_ASSERT_EQUAL(s.sw.qos.ecn[0].min_bytes, 25000);
	CU_ASSERT_TRUE(s.sw.qos.ecn[0].drop_not_ect);
}

/* The drop curve beside the mark curve: its own knees, and off unless said. */
static void wred(void)
{
	const struct sw_ecn *e = &s.sw.qos.ecn[3];

	CU_ASSERT_TRUE_FATAL(load(STAR));
	CU_ASSERT_FALSE(e->drop.on);
	CU_ASSERT_TRUE_FATAL(
		load(STAR "switch: {ecn: {3: {drop: {min: 2MB, max: 4MB, probability: 5%}}}}\n"));
	CU_ASSERT(e->on && e->min_bytes == 400000 && e->max_bytes == 1600000);
	CU_ASSERT(e->drop.on && e->drop.min_bytes == 2000000 && e->drop.max_bytes == 4000000);
	CU_ASSERT_EQUAL(e->drop.probability_ppb, 50000000);
	CU_ASSERT_TRUE_FATAL(
		load(STAR "switch: {ecn: {3: {mark: off, drop: {min: 1MB, max: 1MB}}}}\n"));
	CU_ASSERT(!e->on && e->drop.on && e->drop.probability_ppb == 200000000);
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {ecn: {3: {drop: {min: 2MB, max: 4MB}}}}\n"
				       "switches: {s1: {ecn: {3: {drop: off}}}}\n"));
	CU_ASSERT(e->drop.on && !s.switches[0].qos.ecn[3].drop.on && s.switches[0].qos.ecn[3].on);
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {ecn: {3: {mark: off}}}\n"));
	CU_ASSERT(!e->on && !e->drop.on);
}

/* What the user does not say: forward where PFC is, drop where it is not. */
static void not_ect(void)
{
	const struct sw_ecn *e = s.sw.qos.ecn;

	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {ecn: {0-7: {min: 1KB}}}\n"));
	for (int q = 0; q < SW_PRIOS; q++)
		CU_ASSERT_EQUAL(e[q].drop_not_ect, q != 3);
	/* Priorities, as they are mapped to queues. */
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {tc_to_queue: {3: 5}, ecn: {0-7: {min: 1KB}}}\n"));
	for (int q = 0; q < SW_PRIOS; q++)
		CU_ASSERT_EQUAL(e[q].drop_not_ect, q != 5);
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {pfc: off, ecn: {3: {min: 1KB}}}\n"));
	CU_ASSERT_TRUE(e[3].drop_not_ect);
	/* A pipeline without PFC has no such priorities, whatever pfc says. */
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {pipeline: lossy}\n"));
	CU_ASSERT(s.sw.qos.pfc_mask != 0 && e[3].on && e[3].drop_not_ect);
	CU_ASSERT_TRUE_FATAL(
		load(STAR "switch: {ecn: {3: {not_ect: drop}, 0: {not_ect: forward}}}\n"));
	CU_ASSERT(e[3].drop_not_ect && !e[0].drop_not_ect);
}

static void headroom(void)
{
	CU_ASSERT_TRUE_FATAL(load(STAR));
	CU_ASSERT_EQUAL(s.sw.buffer.headroom_pool_bytes, 0);
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {buffer: {headroom_pool: 1MB}}\n"
				       "switches: {s1: {buffer: {headroom_pool: off}}}\n"));
	CU_ASSERT_EQUAL(s.sw.buffer.headroom_pool_bytes, 1000000);
	CU_ASSERT_EQUAL(s.switches[0].buffer.headroom_pool_bytes, 0);
	/* None at all is refused where something is promised, and only there. */
	CU_ASSERT_FALSE(load(STAR "switch: {buffer: {headroom: 0B}}\n"));
	CU_ASSERT_STRING_EQUAL(err.path, "switch.buffer.headroom");
	CU_ASSERT(err.line == 3 && err.col == 29);
	CU_ASSERT_TRUE(load(STAR "switch: {buffer: {headroom: 1B}}\n"));
	CU_ASSERT_TRUE(load(STAR "switch: {buffer: {headroom: 0B}, pfc: off}\n"));
	CU_ASSERT_TRUE(load(STAR "switch: {buffer: {headroom: 0B}, pipeline: lossy}\n"));
}

static void layers(void)
{
	CU_ASSERT_TRUE_FATAL(load(STAR "switch:\n"
				       "  dscp: {10: 3}\n"
				       "  ecn: {3: {min: 100KB, max: 200KB}}\n"
				       "  latency: 1us\n"
				       "switches:\n"
				       "  s1: {ecn: {3: {min: 150KB}}, pfc: {asymmetric: on}}\n"));
	CU_ASSERT_EQUAL_FATAL(s.n_switches, 1);
	/* The preset's keys stay, those above it win, one by one. */
	CU_ASSERT_EQUAL(s.sw.qos.dscp_to_prio[26], 3);
	CU_ASSERT_EQUAL(s.sw.qos.dscp_to_prio[10], 3);
	CU_ASSERT_EQUAL(s.sw.qos.dscp_to_prio[11], 0);
	CU_ASSERT_EQUAL(s.sw.qos.ecn[3].min_bytes, 100000);
	CU_ASSERT_EQUAL(s.switches[0].qos.ecn[3].min_bytes, 150000);
	CU_ASSERT_EQUAL(s.switches[0].qos.ecn[3].max_bytes, 200000);
	CU_ASSERT_EQUAL(s.switches[0].latency_ps, 1000000);
	CU_ASSERT_EQUAL(s.switches[0].qos.pfc_mask, 1 << 3);
	CU_ASSERT_TRUE(s.switches[0].qos.pfc_asymmetric);
	CU_ASSERT_FALSE(s.sw.qos.pfc_asymmetric);
}

static void ageing(void)
{
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {fdb_ageing: off, neighbour_ageing: 1000000s}\n"
				       "switches: {s1: {fdb_ageing: 1s, neighbour_ageing: no}}\n"));
	CU_ASSERT_EQUAL(s.sw.fdb_ageing_ps, 0);
	CU_ASSERT_EQUAL(s.sw.neigh_ageing_ps, UINT64_C(1000000000000000000));
	CU_ASSERT_EQUAL(s.switches[0].fdb_ageing_ps, UINT64_C(1000000000000));
	CU_ASSERT_EQUAL(s.switches[0].neigh_ageing_ps, 0);
	CU_ASSERT_FALSE(load(STAR "switch: {fdb_ageing: 999ms}\n"));
	CU_ASSERT_FALSE(load(STAR "switch: {fdb_ageing: 1000001s}\n"));
	CU_ASSERT_FALSE(load(STAR "switch: {fdb_ageing: on}\n"));
	CU_ASSERT_FALSE(load(STAR "switch: {neighbour_ageing: [1s]}\n"));
}

static void layers_other_preset(void)
{
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {preset: nvidia, latency: 1us}\n"
				       "switches: {s1: {preset: azure}}\n"));
	/* azure in place of nvidia, not over it; what `switch:` says holds. */
	CU_ASSERT_EQUAL(s.switches[0].qos.dscp_to_prio[26], 1);
	CU_ASSERT_EQUAL(s.switches[0].latency_ps, 1000000);
	CU_ASSERT_EQUAL(s.sw.qos.dscp_to_prio[26], 3);
}

static void off_words(void)
{
	static const char *const words[] = {"off", "'off'", "no", "false", "False", "OFF"};
	char text[256];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		snprintf(text, sizeof(text),
			 STAR "switch: {pfc: %s, ecn: %s}\nports: {s1-h1: {pfc: %s}}\n", words[i],
			 words[i], words[i]);
		CU_ASSERT_TRUE_FATAL(load(text));
		CU_ASSERT_EQUAL(s.sw.qos.pfc_mask, 0);
		CU_ASSERT_FALSE(s.sw.qos.ecn[3].on);
		CU_ASSERT_EQUAL(s.ports[0].pfc, PFC_OFF);
	}
	CU_ASSERT_TRUE_FATAL(load(STAR "ports: {s1-h1: {pfc: yes}, s1-h2: {pfc: auto}}\n"));
	CU_ASSERT_EQUAL(s.ports[0].pfc, PFC_ON);
	CU_ASSERT_EQUAL(s.ports[1].pfc, PFC_AUTO);
}

static void watchdog(void)
{
	const struct sw_watchdog *w = &s.sw.qos.watchdog, *own;

	CU_ASSERT_TRUE_FATAL(load(STAR));
	CU_ASSERT_FALSE(w->on);
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {pfc: {watchdog: on}}\n"));
	CU_ASSERT_TRUE(w->on);
	CU_ASSERT_FALSE(w->forward || w->idle_counts);
	CU_ASSERT_EQUAL(w->detect_ps, 200000000000);
	CU_ASSERT_EQUAL(w->restore_ps, 200000000000);
	CU_ASSERT_EQUAL(w->poll_ps, 100000000000);
	/* The edges of the ranges; each layer over the one below, key by key. */
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {pfc: {watchdog: {detect: 100ms, restore: 60s, "
				       "poll: 3s, action: forward}}}\n"
				       "switches: {s1: {pfc: {watchdog: {detect: 5s, idle_counts: "
				       "on}}}}\n"));
	own = &s.switches[0].qos.watchdog;
	CU_ASSERT_EQUAL(w->detect_ps, 100000000000);
	CU_ASSERT_FALSE(w->idle_counts);
	CU_ASSERT_TRUE(own->on && own->forward && own->idle_counts);
	CU_ASSERT_EQUAL(own->detect_ps, 5000000000000);
	CU_ASSERT_EQUAL(own->restore_ps, 60000000000000);
	CU_ASSERT_EQUAL(own->poll_ps, 3000000000000);
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {pfc: {watchdog: {detect: 1s}}}\n"
				       "switches: {s1: {pfc: {watchdog: off}}}\n"));
	CU_ASSERT_FALSE(s.switches[0].qos.watchdog.on);
	CU_ASSERT_TRUE_FATAL(load(STAR "switch: {pfc: {watchdog: on}}\n"
				       "switches: {s1: {pfc: off}}\n"));
	CU_ASSERT_FALSE(s.switches[0].qos.watchdog.on);
}

static void ranges(void)
{
	CU_ASSERT_TRUE_FATAL(load(STAR "switch:\n"
				       "  preset: none\n"
				       "  dscp: {24-31: 3, default: 1}\n"
				       "  scheduler: {0-5: {dwrr: 7}, 6-7: strict}\n"
				       "  ecn: {2-3: {min: 1KB, max: 2KB}}\n"
				       "switches: {s1: {dscp: {26: 5}, ecn: {3: off}}}\n"
				       "hosts: {h1-h2: {pfc_response: 2us}}\n"));
	CU_ASSERT_EQUAL(s.sw.qos.dscp_to_prio[24], 3);
	CU_ASSERT_EQUAL(s.sw.qos.dscp_to_prio[31], 3);
	CU_ASSERT_EQUAL(s.sw.qos.dscp_to_prio[32], 1);
	CU_ASSERT_EQUAL(s.sw.qos.sched[5].weight, 7);
	CU_ASSERT_TRUE(s.sw.qos.sched[7].strict);
	CU_ASSERT_EQUAL(s.switches[0].qos.dscp_to_prio[26], 5);
	CU_ASSERT_EQUAL(s.switches[0].qos.dscp_to_prio[27], 3);
	CU_ASSERT_TRUE(s.switches[0].qos.ecn[2].on);
	CU_ASSERT_FALSE(s.switches[0].qos.ecn[3].on);
	CU_ASSERT_EQUAL(s.host_list[1].pfc_response_ps, 2000000);
}

static void ports(void)
{
	CU_ASSERT_TRUE_FATAL(load(STAR "ports:\n"
				       "  s1-h1: {dev: \"0000:3b:00.0\"}\n"
				       "  s1-h2: {rate: unlimited, mtu: 1500}\n"));
	CU_ASSERT_EQUAL(s.n_ports, 2);
	CU_ASSERT_STRING_EQUAL(s.ports[0].dev, "0000:3b:00.0");
	CU_ASSERT_EQUAL(s.ports[0].rate_bps, 100000000000);
	CU_ASSERT_EQUAL(s.ports[0].mtu_bytes, 4200);
	CU_ASSERT_EQUAL(s.ports[0].delay_ps, 1000000);
	CU_ASSERT_EQUAL(s.ports[0].edge, EDGE_AUTO);
	CU_ASSERT_EQUAL(s.ports[1].rate_bps, 1600000000000);
	CU_ASSERT_EQUAL(s.ports[1].mtu_bytes, 1500);
}

static void subnets(void)
{
	char text[NETADDR_TEXT];

	CU_ASSERT_TRUE_FATAL(load(STAR
				  "subnets:\n"
				  "  - {prefix: 10.1.0.0/24, ports: [s1-h1]}\n"
				  "  - {prefix: fd01::/64, ports: [s1-h1], gateway: fd01::1:1}\n"
				  "  - {prefix: 10.2.0.0/24, ports: [s1-h2], gateway: off}\n"));
	CU_ASSERT_EQUAL(s.n_subnets, 3);
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(s.subnets[0].gateway, text), "10.1.0.254");
	CU_ASSERT_STRING_EQUAL(netaddr_print_ip(s.subnets[1].gateway, text), "fd01::1:1");
	CU_ASSERT_FALSE(s.subnets[2].has_gateway);
}

static void set_creates(void)
{
	static const char *const sets[] = {"switches.s1.ecn.3.min=200KB", "ports.s1-h1.rate=20Mbps",
					   "switch.ecn.3.max=300KB", "seed=9", "switch.pfc=off"};

	CU_ASSERT_TRUE_FATAL(load_set(STAR "switch: {ecn: {2-3: {min: 10KB}}}\n", sets, 5));
	CU_ASSERT_EQUAL_FATAL(s.n_switches, 1);
	CU_ASSERT_EQUAL(s.switches[0].qos.ecn[3].min_bytes, 200000);
	CU_ASSERT_EQUAL(s.switches[0].qos.ecn[3].max_bytes, 300000);
	CU_ASSERT_EQUAL(s.sw.qos.ecn[3].min_bytes, 10000);
	CU_ASSERT_EQUAL(s.sw.qos.ecn[2].max_bytes, 40000);
	CU_ASSERT_EQUAL(s.ports[0].rate_bps, 20000000);
	CU_ASSERT_EQUAL(s.seed, 9);
	CU_ASSERT_EQUAL(s.sw.qos.pfc_mask, 0);
}

static void set_refused(const char *set, const char *path, const char *word)
{
	char text[1024];

	CU_ASSERT_FALSE(load_set(STAR, &set, 1));
	CU_ASSERT_STRING_EQUAL(err.path, path);
	err_text(&err, text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, word));
}

static void sets_refused(void)
{
	set_refused("switches.s1.ecn.3.min=200", "switches.s1.ecn.3.min",
		    "a unit after the number");
	set_refused("switches.s9.latency=1us", "switches.s9", "no such switch");
	set_refused("switch.ecn.3.mim=1KB", "switch.ecn.3.mim", "min?");
	set_refused("ports.s1-h7.rate=1Gbps", "ports.s1-h7", "no such port");
	set_refused("traffic=[]", "traffic", "not in this version");
	set_refused("switch.ecn.3={min: 9MB, max: 1MB}", "switch.ecn.3.max", "at least min");
	set_refused("switch.ecn.3.drop={min: 9MB, max: 1MB}", "switch.ecn.3.drop.max",
		    "at least min");
	set_refused("switch.ecn.3.drop={max: 1MB}", "switch.ecn.3.drop", "no min");
	set_refused("switch.ecn.3.drop.min=1MB", "switch.ecn.3.drop", "no max");
	set_refused("switch.ecn.3.drop=on", "switch.ecn.3.drop", "off, or a map");
	set_refused("switch.ecn.3.drop={min: 1MB, max: 2MB, mark: off}", "switch.ecn.3.drop.mark",
		    "Keys here: min, max, probability");
	set_refused("switch.buffer.headroom_pool=on", "switch.buffer.headroom_pool", "size");
	set_refused("switch.buffer.headroom_pool=0B", "switch.buffer.headroom_pool", "1B to");
	set_refused("switch.buffer.headroom=0B", "switch.buffer.headroom", "pfc: off");
	set_refused("nonsense", "", "PATH=VALUE");
}

static void custom(void)
{
	CU_ASSERT_TRUE_FATAL(load("railyard: 1\n"
				  "topology:\n"
				  "  kind: custom\n"
				  "  switches: [s1-s2, core]\n"
				  "  hosts: [h1-h3]\n"
				  "  link: {rate: 25Gbps}\n"
				  "  links:\n"
				  "    - {a: s1, b: h1}\n"
				  "    - {a: h2, b: s1, rate: 10Gbps}\n"
				  "    - {a: s2, b: h3}\n"
				  "    - {a: s1, b: s2, count: 2}\n"
				  "    - {a: s1, b: core, delay: 5us}\n"
				  "ports: {s1-s2.2: {rate: 1Gbps}}\n"));
	CU_ASSERT_EQUAL(s.n_custom_switches, 3);
	CU_ASSERT_EQUAL(s.n_custom_hosts, 3);
	CU_ASSERT_EQUAL(s.custom_links[0].rate_bps, 25000000000);
	CU_ASSERT_EQUAL(s.custom_links[1].rate_bps, 10000000000);
	CU_ASSERT_EQUAL(s.custom_links[3].count, 2);
	CU_ASSERT_STRING_EQUAL(s.ports[0].name, "s1-s2.2");
}

/* Every prefix of a whole scenario either loads or says why; nothing leaks (the sanitizers look). */
static void cut_anywhere(void)
{
	static const char text[] =
		STAR "switch: {preset: azure, ecn: {3: {min: 1KB, max: 2KB}}}\n"
		     "switches: {s1: {dscp: {1-9: 2}}}\n"
		     "hosts: {h1: {ip: 10.1.0.7, mac: 02:00:00:00:00:99}}\n"
		     "ports: {s1-h1: {dev: net_tap0}}\n"
		     "subnets: [{prefix: 10.1.0.0/24, ports: [s1-h1]}]\n"
		     "routes: [{on: s1, prefix: 10.9.0.0/16, via: [s1-h1, s1-h2]}]\n"
		     "real: {eal: [\"--no-pci\"]}\n";
	char copy[sizeof(text)];
	int loaded = 0;

	for (size_t n = 0; n < sizeof(text); n++) {
		memcpy(copy, text, n);
		copy[n] = '\0';
		loaded += load(copy);
	}
	CU_ASSERT_TRUE(loaded > 1 && loaded < 40);
	for (size_t n = 0; n < sizeof(text) - 1; n++) {
		strcpy(copy, text);
		memmove(copy + n, copy + n + 1, strlen(copy + n));
		load(copy);
	}
	CU_ASSERT_TRUE(load(text));
}

static void freed(void)
{
	scenario_free(&s);
	CU_ASSERT_PTR_NULL(s.switches);
	scenario_free(&s);
}

static const struct cu_case cases[] = {
	{"scenario_parse__defaults", defaults},
	{"scenario_parse__ecn_by_rate", ecn_by_rate},
	{"scenario_parse__wred", wred},
	{"scenario_parse__not_ect", not_ect},
	{"scenario_parse__headroom", headroom},
	{"scenario_parse__layers", layers},
	{"scenario_parse__ageing", ageing},
	{"scenario_parse__layers_other_preset", layers_other_preset},
	{"scenario_parse__off_words", off_words},
	{"scenario_parse__ranges", ranges},
	{"scenario_load__watchdog", watchdog},
	{"scenario_parse__ports", ports},
	{"scenario_parse__subnets", subnets},
	{"scenario_parse__custom", custom},
	{"scenario_parse_set__creates", set_creates},
	{"scenario_parse_set__refused", sets_refused},
	{"scenario_parse__cut_anywhere", cut_anywhere},
	{"scenario_free__twice", freed},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/scenario", cases);
}
