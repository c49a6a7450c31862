/* SPDX-License-Identifier: BSD-3-Clause */
/* model.burst32, model.burst1: what one frame costs in the model, in ns on this core: parse, the
 * lossless pipeline in, and out by sw_advance. RoCEv2 ACKs from port 0 to port 1, a burst at one time
 * (so all but its first frame queue) and gone before the next. No driver, no copy, no digest.
 */
#include "dataplane/model/sw.h"
#include "dataplane/model/tables.h"
#include "pipelines/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FRAMES 2000000U
#define BURST 32
#define GAP_PS 1000000ULL /* between bursts: far more than the wire needs for one */

/* One header a line. */
/* clang-format off */
static const uint8_t ack[62] = {
	0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x08, 0x00, /* h2, h1, IPv4 */
	0x45, 0x6a, 0, 48, 0, 0, 0x40, 0, 64, 17, 0x26, 0x51, /* DSCP 26, ECT(0) */
	10, 0, 0, 1, 10, 0, 0, 2,
	0xc0, 0x00, 0x12, 0xb7, 0, 28, 0, 0,                  /* UDP to 4791 */
	0x11, 0x40, 0xff, 0xff, 0, 0, 0, 0x11, 0, 0, 0, 0,    /* BTH: ACKNOWLEDGE */
};
/* clang-format on */

struct bench {
	struct sw *sw;
	struct pkt pkts[BURST];
	uint8_t bytes[BURST][64];
	struct sw_rec recs[BURST];
};

static struct pkt *no_copy(void *ctx, const struct pkt *pkt)
{
	(void)ctx;
	(void)pkt;
	return NULL;
}

static struct sw_config config_of(const struct sw_port_config *ports)
{
	struct sw_config c = {
		.name = "s1",
		.seed = 1,
		.latency_ps = 0,
		.router_mac = {0x02, 0xff, 0, 0, 0, 1},
		.buffer = {.size_bytes = 32U << 20,
			   .cell_bytes = 1,
			   .alpha_q16 = 8192,
			   .lossy_alpha_q16 = 65536,
			   .reserved_bytes = 4096,
			   .xon_offset_bytes = 3072},
		.n_ports = 2,
		.ports = ports,
	};

	c.qos.dscp_to_prio[26] = 3;
	c.qos.pfc_mask = 1 << 3;
	for (uint8_t i = 0; i < SW_PRIOS; i++) {
		c.qos.pcp_to_prio[i] = i;
		c.qos.prio_to_pg[i] = i;
		c.qos.prio_to_queue[i] = i;
		c.qos.pfc_to_queue[i] = i;
		c.qos.sched[i].weight = 1;
	}
	return c;
}

static struct sw *make_switch(struct err *err)
{
	static const struct sw_static_fdb fdb[] = {
		{.mac = {0x02, 0, 0, 0, 0, 1}, .vid = PKT_NO_VLAN, .port = 0},
		{.mac = {0x02, 0, 0, 0, 0, 2}, .vid = PKT_NO_VLAN, .port = 1},
	};
	static const struct sw_tables_spec spec = {.version = 1, .n_fdb = 2, .fdb = fdb};
	static const struct sw_env env = {NULL, no_copy};
	struct sw_port_config ports[2] = {{.name = "s1-h1"}, {.name = "s1-h2"}};
	struct sw_config config = config_of(ports);
	struct sw_tables *tables;
	struct sw *sw;

	for (int i = 0; i < 2; i++) {
		ports[i].rate_bps = 1600000000000ULL;
		ports[i].overhead_bytes = 24;
		ports[i].mtu_bytes = 4200;
		ports[i].headroom_bytes = 65536;
		ports[i].pfc = true;
	}
	tables = sw_tables_new(&spec, 2, err);
	sw = tables ? sw_new(&config, pipeline_by_name("lossless"), &env, err) : NULL;
	if (sw != NULL)
		sw_install(sw, 0, tables);
	return sw;
}

static void fill(struct bench *b, uint32_t i)
{
	memset(&b->pkts[i], 0, sizeof(b->pkts[i]));
	b->pkts[i].data = b->bytes[i];
	b->pkts[i].len = sizeof(ack);
}

/* Sends FRAMES in bursts of n and returns how many left. */
static uint64_t drive(struct bench *b, uint32_t n)
{
	static uint64_t t; /* goes on from one measurement to the next: time never decreases */
	struct sw_out out = {.cap = BURST, .recs = b->recs};
	struct pkt *burst[BURST];
	uint64_t sent = 0;

	for (uint32_t done = 0; done < FRAMES; done += n) {
		for (uint32_t i = 0; i < n; i++) {
			fill(b, i);
			burst[i] = &b->pkts[i];
		}
		t += GAP_PS;
		sw_parse(b->sw, 0, burst, n);
		sw_rx(b->sw, t, burst, n);
		while (sw_advance(b->sw, t + GAP_PS / 2, &out) == SW_MORE)
			sent += out.n;
		sent += out.n;
	}
	return sent;
}

static double now_ns(void)
{
	struct timespec ts;

	/* The thread's own time: what else runs on the machine is not the model's cost. */
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* A frame that was dropped would cost less: then the number would be of something else. */
static int measure(struct bench *b, const char *name, uint32_t n)
{
	double start = now_ns();
	uint64_t sent = drive(b, n);
	double end = now_ns();

	if (sent != FRAMES) {
		fprintf(stderr, "%s: %llu of %u frames left\n", name, (unsigned long long)sent,
			FRAMES);
		return 1;
	}
	printf("%s ns/packet %.2f\n", name, (end - start) / FRAMES);
	return 0;
}

int main(void)
{
	static struct bench b;
	struct err err = {0};
	char text[512];

	b.sw = make_switch(&err);
	if (b.sw == NULL) {
		fprintf(stderr, "%s\n", err_text(&err, text, sizeof(text)));
		return 1;
	}
	for (int i = 0; i < BURST; i++)
		memcpy(b.bytes[i], ack, sizeof(ack));
	return measure(&b, "model.burst32", BURST) || measure(&b, "model.burst1", 1);
}
