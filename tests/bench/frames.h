/* SPDX-License-Identifier: BSD-3-Clause */
/* RoCEv2 frames for the benchmarks, as pcap files that net_pcap can repeat without end. */
#ifndef RY_BENCH_FRAMES_H
#define RY_BENCH_FRAMES_H

#include <stdint.h>

#define BENCH_FRAMES 64 /* in a file: as many flows */

/* A size of frame: its name in bench.json, bytes without FCS, and the MTU that it needs. */
struct bench_size {
	const char *name;
	uint16_t frame_bytes, mtu_bytes;
	uint8_t opcode; /* BTH */
};

/* The size of that name; NULL when there is none. */
const struct bench_size *bench_size(const char *name);
/* Writes frames from host `from` to host `to` of a star (docs/scenario.md says their addresses),
 * DSCP 26, ECT(0), each of a queue pair of its own. -1: errno says why. */
int bench_frames_write(const char *file, const struct bench_size *size, uint8_t from, uint8_t to);

#endif
