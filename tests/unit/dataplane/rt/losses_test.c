/* SPDX-License-Identifier: BSD-3-Clause */
/* What a device loses before the switch takes it has a name and a count, and the accounting closes
 * without it. The device is a file (net_pcap), the loss a pool that its frames empty. */
#include "bench.h"
#include "dataplane/rt/losses.c"
#include "tests/unit/cu.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define US 1000000ULL
#define FRAMES 20000
#define LEN 60

static struct bench bench;
static const uint16_t straight[] = {0, 1, 2, 3};

/* A pcap file of frames from host 0 to host 1. */
static void write_file(char *path)
{
	const uint32_t head[6] = {0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, 1};
	const uint32_t record[4] = {0, 0, LEN, LEN};
	uint8_t frame[LEN] = {0};
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	bench_mac(frame, 1);
	bench_mac(frame + 6, 0);
	frame[12] = 0x88;
	frame[13] = 0xb5;
	fwrite(head, sizeof(head), 1, f);
	for (int i = 0; i < FRAMES; i++) {
		fwrite(record, sizeof(record), 1, f);
		fwrite(frame, LEN, 1, f);
	}
	CU_ASSERT_EQUAL_FATAL(fclose(f), 0);
}

static void start(const char *file, uint64_t memory_bytes)
{
	bench_config(&bench, 2);
	bench.ports[0].carries_time = false;
	snprintf(bench.ports[0].dev, RT_DEV, "net_pcap0,rx_pcap=%s", file);
	bench.config.memory_bytes = memory_bytes;
	bench.switches[0].config.buffer.lossy_alpha_q16 = 64 * 65536;
	bench_tables(&bench, 0, straight, 2);
	bench_start(&bench);
}

/* Until the file is at its end: every one of its frames is somewhere. */
static uint64_t read_all(struct rt_port_stats *ports, struct sw_stats *stats)
{
	struct timespec nap = {0, 1000000};
	uint64_t sum = 0, t = US;
	int i;

	stats->ports = bench.port_stats;
	for (i = 0; i < 20000 && sum < FRAMES; i++, t += US) {
		CU_ASSERT_EQUAL_FATAL(rt_clock_set(bench.rt, t), 0);
		CU_ASSERT_EQUAL_FATAL(rt_stats(bench.rt, 0, stats, ports), 0);
		sum = stats->rx + ports[0].losses[SW_LOSS_RX_NO_BUFFER];
		bench_drain(&bench);
		nanosleep(&nap, NULL);
	}
	return sum;
}

static void no_buffer_is_named(void)
{
	char file[] = "/tmp/ry-losses-XXXXXX", why[256] = "";
	struct rt_port_stats ports[2];
	struct sw_stats stats;

	write_file(file);
	start(file, 24u << 20);
	CU_ASSERT_EQUAL(rt_hold(bench.rt, 0, 0, 1, true), 0);
	CU_ASSERT_EQUAL(read_all(ports, &stats), FRAMES);
	CU_ASSERT_TRUE(ports[0].losses[SW_LOSS_RX_NO_BUFFER] > 1000);
	CU_ASSERT_EQUAL(ports[0].losses[SW_LOSS_RX_MISSED], 0);
	CU_ASSERT_EQUAL(ports[1].losses[SW_LOSS_RX_NO_BUFFER], 0);
	CU_ASSERT_EQUAL(stats.rx, stats.held + stats.dropped);
	bench_stats(&bench, 0);
	CU_ASSERT_FALSE(rt_valid(bench.rt, why, sizeof(why)));
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "before the switch took them"));
	bench_stop(&bench);
	unlink(file);
}

static void enough_buffers_lose_nothing(void)
{
	char file[] = "/tmp/ry-losses-XXXXXX", why[256] = "";
	struct rt_port_stats ports[2];
	struct sw_stats stats;

	write_file(file);
	start(file, 128u << 20);
	CU_ASSERT_EQUAL(read_all(ports, &stats), FRAMES);
	CU_ASSERT_EQUAL(ports[0].losses[SW_LOSS_RX_NO_BUFFER], 0);
	CU_ASSERT_EQUAL(stats.rx, FRAMES);
	CU_ASSERT_TRUE(rt_valid(bench.rt, why, sizeof(why)));
	bench_stop(&bench);
	unlink(file);
}

static void what_was_before_is_not_ours(void)
{
	struct rt_device device = {.id = UINT16_MAX, .packet_fd = -1};
	uint64_t lost[SW_LOSSES];

	/* a device that does not answer has lost nothing that we know of */
	rt_losses_begin(&device);
	rt_losses_read(&device, lost);
	for (int i = 0; i < SW_LOSSES; i++)
		CU_ASSERT_EQUAL(lost[i], 0);
}

static const struct cu_case cases[] = {
	{"rt_losses_read__no_buffer_is_named", no_buffer_is_named},
	{"rt_losses_read__enough_buffers_lose_nothing", enough_buffers_lose_nothing},
	{"rt_losses_begin__what_was_before_is_not_ours", what_was_before_is_not_ours},
	{NULL, NULL},
};

int main(void)
{
	return bench_main("rt/losses", cases, BENCH_MEMORY);
}
