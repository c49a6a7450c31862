/* SPDX-License-Identifier: BSD-3-Clause */
/* What one frame costs in the model, in ns of this thread's own time, while the switch is hard at it:
 * two senders share one egress port that is busy all the time, its queue stands between Kmin and
 * Kmax, and both senders' PGs are in xoff (they do not listen, so headroom is in use). Nothing is
 * dropped; frames are marked at dequeue.
 *
 *	model.burst32   a poll takes 32 frames (16 of each sender): one sw_parse a port, then each
 *	                frame at its own arrival time: sw_advance, sw_rx
 *	model.burst1    the same with a poll for each frame
 *	model.*.SIZE    the same at other sizes: ack (62 B) and 4096 (4,156 B)
 *	model.routed    burst 32, by router MAC, longest prefix and neighbour; .ecmp: over 8 next hops
 *	model.STAGE     burst 32, one stage's share: parse, arrive (port to queue), depart (sched to record)
 *	run.*           that the state was what it should be: all above 0
 *
 * What the loop itself costs (some 3 ns: taking and giving descriptors) is measured without a switch
 * and taken off. No digest; latency histograms as railyardd keeps them. Descriptors lie as in an mbuf: 64 B before the data.
 */
#include "dataplane/model/sw.h"
#include "dataplane/model/tables.h"
#include "pipelines/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POLLS 40000U
#define BURST 32U
#define PORTS 10 /* 0, 1 in; 2 out; 3..9 more next hops for ECMP, of port 2's MAC */
#define SLOT 256 /* of a frame in memory: descriptor and headers */
#define MOST 65536
#define RATE 100000000000ULL
#define STANDING 1000000ULL /* bytes in the queue: between Kmin and Kmax */

/* One header a line. */
/* clang-format off */
static const uint8_t headers[62] = {
	0x02, 0, 0, 0, 0, 3, 0x02, 0, 0, 0, 0, 1, 0x08, 0x00, /* h3, h1, IPv4 */
	0x45, 0x6a, 0, 48, 0, 0, 0x40, 0, 64, 17, 0x26, 0x50, /* DSCP 26, ECT(0) */
	10, 0, 0, 1, 10, 0, 0, 3,
	0xc0, 0x00, 0x12, 0xb7, 0, 28, 0, 0,                  /* UDP to 4791 */
	0x07, 0x40, 0xff, 0xff, 0, 0, 0, 0x11, 0, 0, 0, 0,    /* BTH: RDMA WRITE MIDDLE */
};
/* clang-format on */

struct bench {
	struct sw *sw;
	uint8_t *memory;
	struct pkt *free[MOST];
	uint32_t n_free, len;
	uint64_t t, gap_ps; /* next arrival; between two of them */
	struct sw_rec recs[64];
	struct sw_out out;
	uint64_t sent, pfc;
	uint64_t parse_ticks, arrive_ticks, depart_ticks;
	bool by_stage, idle;
};

static struct pkt *no_copy(void *ctx, const struct pkt *pkt)
{
	(void)ctx;
	(void)pkt;
	return NULL;
}

static struct sw_config config_of(struct sw_port_config ports[PORTS])
{
	struct sw_config c = {
		.name = "s1",
		.seed = 1,
		.latency_ps = 500000,
		.router_mac = {0x02, 0xff, 0, 0, 0, 1},
		.hash_fields = SW_HASH_SRC_IP | SW_HASH_DST_IP | SW_HASH_PROTO | SW_HASH_SRC_PORT |
			       SW_HASH_DST_PORT | SW_HASH_DEST_QP,
		.buffer = {.size_bytes = 32U << 20,
			   .cell_bytes = 1,
			   .alpha_q16 = 65536 / 64, /* xoff near 400 KB */
			   .lossy_alpha_q16 = 65536,
			   .reserved_bytes = 4096,
			   .xon_offset_bytes = 3072},
		.latency = true,
		.n_ports = PORTS,
		.ports = ports,
	};

	c.qos.dscp_to_prio[26] = 3;
	c.qos.pfc_mask = 1 << 3;
	c.qos.ecn[3] = (struct sw_ecn){.on = true,
				       .min_bytes = 400000,
				       .max_bytes = 1600000,
				       .probability_ppb = 200000000};
	for (uint8_t i = 0; i < SW_PRIOS; i++) {
		c.qos.pcp_to_prio[i] = i;
		c.qos.prio_to_pg[i] = i;
		c.qos.prio_to_queue[i] = i;
		c.qos.pfc_to_queue[i] = i;
		c.qos.sched[i].weight = 50;
	}
	for (int i = 0; i < PORTS; i++) {
		snprintf(ports[i].name, sizeof(ports[i].name), "s1-h%d", i + 1);
		ports[i].rate_bps = RATE;
		ports[i].overhead_bytes = 24;
		ports[i].mtu_bytes = 9000;
		ports[i].headroom_bytes = 1U << 20;
		ports[i].pfc = true;
	}
	return c;
}

static struct sw_tables *tables_of(struct err *err)
{
	static struct sw_static_fdb fdb[3];
	static struct sw_route routes[2];
	static const struct sw_static_neigh neigh = {
		.ip = {[10] = 0xff, 0xff, 10, 0, 0, 3}, .mac = {0x02, 0, 0, 0, 0, 3}, .port = 2};
	static const struct sw_gateway gateway = {.ip = {[10] = 0xff, 0xff, 10, 0, 255, 254}};
	struct sw_tables_spec spec = {.version = 1,
				      .n_fdb = 3,
				      .fdb = fdb,
				      .n_routes = 2,
				      .routes = routes,
				      .n_neighs = 1,
				      .neighs = &neigh,
				      .n_gateways = 1,
				      .gateways = &gateway};

	for (uint16_t i = 0; i < 3; i++)
		fdb[i] = (struct sw_static_fdb){
			.mac = {0x02, 0, 0, 0, 0, (uint8_t)(i + 1)}, .vid = PKT_NO_VLAN, .port = i};
	routes[0] = (struct sw_route){
		.prefix = {[10] = 0xff, 0xff, 10, 0, 0, 0}, .len = 112, .kind = SW_ROUTE_CONNECTED};
	routes[1] = (struct sw_route){.prefix = {[10] = 0xff, 0xff, 10, 1, 0, 0},
				      .len = 112,
				      .kind = SW_ROUTE_VIA,
				      .n_via = 8};
	for (uint16_t i = 0; i < 8; i++)
		routes[1].via[i] =
			(struct sw_via){.port = 2, .has_mac = true, .mac = {0x02, 0, 0, 0, 0, 3}};
	return sw_tables_new(&spec, PORTS, err);
}

static int make(struct bench *b, uint32_t len, struct err *err)
{
	static const struct sw_env env = {NULL, no_copy};
	struct sw_port_config ports[PORTS] = {0};
	struct sw_config config = config_of(ports);
	struct sw_tables *tables = tables_of(err);

	b->sw = tables ? sw_new(&config, pipeline_by_name("lossless"), &env, err) : NULL;
	if (b->sw == NULL)
		return -1;
	sw_install(b->sw, 0, tables);
	b->len = len;
	b->gap_ps = (len + 24) * 8000000000000ULL / RATE;
	b->memory = aligned_alloc(64, (size_t)MOST * SLOT);
	if (b->memory == NULL)
		return -1;
	memset(b->memory, 0, (size_t)MOST * SLOT);
	for (uint32_t i = 0; i < MOST; i++)
		b->free[b->n_free++] = (struct pkt *)(b->memory + (size_t)i * SLOT);
	b->out = (struct sw_out){.cap = 64, .recs = b->recs};
	return 0;
}

static void discard(struct bench *b)
{
	const struct sw_tables *tables = sw_tables_of(b->sw);

	sw_drain(b->sw);
	sw_free(b->sw);
	sw_tables_free((struct sw_tables *)tables);
	free(b->memory);
}

static void give(struct bench *b)
{
	for (uint32_t i = 0; i < b->out.n; i++) {
		if (b->recs[i].pkt != NULL) {
			b->free[b->n_free++] = b->recs[i].pkt;
			b->sent++;
		} else {
			b->pfc++;
		}
	}
}

static double clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* The thread's own time: what else runs on the machine is not the model's cost. */
static double now_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static double wall_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return (uint64_t)wall_ns();
#endif
}

/* What a driver writes: where the frame lies, and the frame. */
static struct pkt *frame(struct bench *b, const uint8_t *bytes, uint8_t host)
{
	struct pkt *pkt = b->free[--b->n_free];

	pkt->len = (uint16_t)b->len;
	if (pkt->edit != 0 || pkt->data == NULL) { /* was changed on its way: as it was, again */
		pkt->data = (uint8_t *)(pkt + 1);
		memcpy(pkt->data, bytes, sizeof(headers));
	}
	pkt->data[11] = host;
	return pkt;
}

/* The driver's own part of a poll, without a switch: its cost is not the model's. */
static void idle(struct bench *b, struct pkt *pkts[2][BURST], uint32_t n)
{
	for (uint32_t i = 0; i < n; i++, b->t += b->gap_ps) {
		b->out.n = 1;
		b->recs[0].pkt = pkts[i & 1][i / 2];
		give(b);
	}
}

/* One poll of n frames, alternately of port 0 and 1, each at its time. */
static void poll(struct bench *b, const uint8_t *bytes, uint32_t n, uint64_t gap_ps)
{
	struct pkt *pkts[2][BURST];
	uint32_t each[2] = {(n + 1) / 2, n / 2};
	uint64_t start;

	for (uint32_t i = 0; i < n; i++)
		pkts[i & 1][i / 2] = frame(b, bytes, 1 + (i & 1));
	if (b->idle) {
		idle(b, pkts, n);
		return;
	}
	start = b->by_stage ? ticks() : 0;
	for (uint16_t p = 0; p < 2; p++)
		if (each[p] > 0)
			sw_parse(b->sw, p, pkts[p], each[p]);
	if (b->by_stage)
		b->parse_ticks += ticks() - start;
	for (uint32_t i = 0; i < n; i++, b->t += gap_ps) {
		enum sw_state state;

		start = b->by_stage ? ticks() : 0;
		do {
			state = sw_advance(b->sw, b->t, &b->out);
			give(b);
		} while (state == SW_MORE);
		if (b->by_stage) {
			uint64_t middle = ticks();

			b->depart_ticks += middle - start;
			start = middle;
		}
		sw_rx(b->sw, b->t, &pkts[i & 1][i / 2], 1);
		if (b->by_stage)
			b->arrive_ticks += ticks() - start;
	}
}

/* Twice the port's rate until the queue stands where it should. */
static void fill(struct bench *b, const uint8_t *bytes, uint32_t n)
{
	while ((MOST - b->n_free) * (uint64_t)(b->len < 60 ? 60 : b->len) < STANDING)
		poll(b, bytes, n, b->gap_ps / 2);
}

/* The state that is measured must be the state that was asked for. */
static int judge(struct bench *b, const char *name)
{
	static struct sw_port_stats ports[PORTS];
	struct sw_stats stats = {.ports = ports};
	uint64_t marked, queue, xoff;

	sw_stats(b->sw, b->t, &stats);
	marked = ports[2].queues[3].counters[SW_QUEUE_ECN_MARKED];
	queue = ports[2].queues[3].bytes;
	xoff = ports[0].pgs[3].xoff + ports[1].pgs[3].xoff;
	if (strcmp(name, "model.burst32") == 0)
		printf("run.marked packets %llu\nrun.xoff pgs %llu\nrun.queue_bytes bytes %llu\n",
		       (unsigned long long)marked, (unsigned long long)xoff,
		       (unsigned long long)queue);
	if (marked > 0 && xoff > 0 && queue > 400000 && queue < 1600000 && stats.dropped == 0)
		return 0;
	fprintf(stderr, "%s: marked %llu, in xoff %llu, queue %llu bytes, dropped %llu\n", name,
		(unsigned long long)marked, (unsigned long long)xoff, (unsigned long long)queue,
		(unsigned long long)stats.dropped);
	return 1;
}

static double ticks_per_ns(void)
{
	double start = wall_ns(), now;
	uint64_t from = ticks();

	do {
		now = wall_ns();
	} while (now - start < 20e6);
	return (double)(ticks() - from) / (now - start);
}

/* One reading of the clock. */
static double ticks_cost_ns(void)
{
	uint64_t from = ticks(), last = from;

	for (int i = 0; i < 1000; i++)
		last = ticks();
	return (double)(last - from) / 1000 / ticks_per_ns();
}

/* One kind of load: its name in the list, the frame, its length, frames a poll. */
struct load {
	const char *name;
	const uint8_t *bytes;
	uint32_t len, burst;
	bool by_stage;
};

static double polls_ns(struct bench *b, const struct load *load, uint32_t n)
{
	double start = now_ns();

	for (uint32_t i = 0; i < n; i++)
		poll(b, load->bytes, load->burst, b->gap_ps);
	return now_ns() - start;
}

static void print_stages(const struct bench *b, double frames)
{
	double per = ticks_per_ns() * frames, clock = ticks_cost_ns();

	/* Each span holds one reading of the clock. */
	printf("model.parse ns/packet %.2f\n", (double)b->parse_ticks / per);
	printf("model.arrive ns/packet %.2f\n", (double)b->arrive_ticks / per - clock);
	printf("model.depart ns/packet %.2f\n", (double)b->depart_ticks / per - clock);
}

static int measure(const struct load *load)
{
	static struct bench b;
	uint32_t polls = POLLS * BURST / load->burst;
	double frames = (double)polls * load->burst, whole, driver;
	struct err err = {0};
	char text[512];
	int rc;

	memset(&b, 0, sizeof(b));
	if (make(&b, load->len, &err) != 0) {
		fprintf(stderr, "%s\n", err_text(&err, text, sizeof(text)));
		return 1;
	}
	fill(&b, load->bytes, load->burst);
	polls_ns(&b, load, polls / 10); /* warm */
	b.by_stage = load->by_stage;
	whole = polls_ns(&b, load, polls);
	b.idle = true;
	driver = polls_ns(&b, load, polls);
	rc = judge(&b, load->name);
	if (rc == 0 && load->by_stage)
		print_stages(&b, frames);
	else if (rc == 0)
		printf("%s ns/packet %.2f\n", load->name, (whole - driver) / frames);
	discard(&b);
	return rc;
}

/* main [NAME]: all loads, or one. */
int main(int argc, char **argv)
{
	uint8_t routed[62], ecmp[62];
	const struct load loads[] = {
		{"model.burst32", headers, 1084, BURST, false},
		{"model.burst1", headers, 1084, 1, false},
		{"model.burst32.ack", headers, 62, BURST, false},
		{"model.burst1.ack", headers, 62, 1, false},
		{"model.burst32.4096", headers, 4156, BURST, false},
		{"model.routed", routed, 1084, BURST, false},
		{"model.ecmp", ecmp, 1084, BURST, false},
		{"model.stages", headers, 1084, BURST, true},
	};
	int rc = 0;

	memcpy(routed, headers, sizeof(routed));
	memcpy(routed, (const uint8_t[6]){0x02, 0xff, 0, 0, 0, 1}, 6);
	memcpy(ecmp, routed, sizeof(ecmp));
	ecmp[31] = 1; /* 10.1.0.3 */
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
		if (argc < 2 || strcmp(argv[1], loads[i].name) == 0)
			rc |= measure(&loads[i]);
	return rc;
}
