/* SPDX-License-Identifier: BSD-3-Clause */
/* Test frames of selftest, one of each kind that devices are known to eat, refuse or change.
 *
 * Pure: bytes in, bytes out. Every frame carries a mark of the run and of the probe, so that other
 * traffic on the port does not confuse it. PFC and pause frames say "go on" (quanta 0): no peer is
 * stopped by a test.
 */
#ifndef RY_RT_PROBE_H
#define RY_RT_PROBE_H

#include <stddef.h>
#include <stdint.h>

enum rt_probe {
	RT_PROBE_MIN,   /* 60 B, the least a wire carries */
	RT_PROBE_JUMBO, /* MTU + 14 B */
	RT_PROBE_VLAN,  /* 802.1Q tag, priority 3, VLAN 100 */
	RT_PROBE_DSCP,  /* RoCEv2, DSCP 26, ECT(0) */
	RT_PROBE_CE,    /* RoCEv2, DSCP 26, CE */
	RT_PROBE_PFC,   /* 802.1Qbb */
	RT_PROBE_PAUSE, /* 802.3x */
	RT_PROBES,
};

struct rt_probe_name {
	const char *name, *help;
};
extern const struct rt_probe_name rt_probe_names[RT_PROBES];

#define RT_PROBE_MAX 16384

/* Fills buf (RT_PROBE_MAX bytes) and returns the length, FCS not included. */
uint32_t rt_probe_make(enum rt_probe probe, uint32_t mtu_bytes, uint64_t run, uint8_t *buf);

enum rt_probe_match { RT_MATCH_OTHER, RT_MATCH_SAME, RT_MATCH_ALTERED };
/* Is a received frame the one sent? Trailing bytes (padding, FCS) do not matter. When it is altered,
 * how gets what changed ("DSCP 26 -> 0"). */
enum rt_probe_match rt_probe_match(const uint8_t *sent, uint32_t sent_len, const uint8_t *got,
				   uint32_t got_len, char *how, size_t size);

#endif
