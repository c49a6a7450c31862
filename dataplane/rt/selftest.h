/* SPDX-License-Identifier: BSD-3-Clause */
/* What does a port really do with PFC, pause, jumbo, CE, DSCP and tagged frames?
 *
 * Drivers do not say it and data sheets differ: so marked frames go out of one end and are looked
 * for at the other, both ways. The verdict comes from what was delivered and from the devices' own
 * counters; each has its cure. Control thread; the ports must not belong to a running rt.
 */
#ifndef RY_RT_SELFTEST_H
#define RY_RT_SELFTEST_H

#include "dataplane/model/err.h"
#include "probe.h"
#include "rt.h"

enum rt_verdict_kind {
	RT_VERDICT_WORKS,
	RT_VERDICT_DROPPED_ON_TX, /* the sender's counter did not move */
	RT_VERDICT_EATEN_ON_RX,   /* it was sent and did not come out of the other end */
	RT_VERDICT_ALTERED,       /* it came, but changed */
	RT_VERDICTS,
};
extern const char *const rt_verdict_names[RT_VERDICTS]; /* "works", "dropped on tx", ... */

struct rt_selftest_row {
	enum rt_verdict_kind verdict;
	char detail[96]; /* what changed, or what the counters said */
	char cure[320];  /* "" when it works */
};

enum rt_pfc_way { RT_PFC_FRAME, RT_PFC_HW, RT_PFC_NONE };

struct rt_selftest_end {
	char name[RT_DEV]; /* the device string, or the kernel's netdev of the far side */
	char driver[64];   /* "" for the kernel's side */
	enum rt_pfc_way pfc_tx, pfc_rx; /* how PFC leaves and comes */
	bool peer_ignores_pfc; /* nothing behind such a driver honours PFC: edge: emulate */
};

struct rt_selftest {
	struct rt_selftest_end ends[2];
	struct rt_selftest_row rows[2][RT_PROBES]; /* [0]: ends[0] -> ends[1]; [1]: back */
};

struct rt_selftest_config {
	/* dev[1]: a second port, "netdev:NAME" for the kernel's tap or netdev that is the far
	 * side, or NULL: found from dev[0] */
	const char *dev[2];
	uint32_t mtu_bytes; /* 0 = 1500 */
	uint32_t wait_ms;   /* for a frame; 0 = 200 */
	bool force;         /* as rt_config's */
	bool no_huge;
	const char *file_prefix;
	const char *const *eal;
};

/* 0 when it could be carried out, whatever the verdicts. */
int rt_selftest(struct rt_selftest *out, const struct rt_selftest_config *config, struct err *err);

/* The verdict and its cure by what was seen; pure. sent_moved: the sender's counter moved (true where
 * there is none); received_moved: the receiver's did. */
struct rt_probe_seen {
	enum rt_probe_match match;
	bool sent_moved, received_moved;
	char how[64];
};
void rt_selftest_judge(struct rt_selftest_row *row, enum rt_probe probe,
		       const struct rt_probe_seen *seen, bool fc_forward);

#endif
