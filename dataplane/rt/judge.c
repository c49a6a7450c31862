/* SPDX-License-Identifier: BSD-3-Clause */
/* Verdicts and cures: what a bring-up engineer does about each. */
#include "selftest.h"

#include <stdio.h>
#include <string.h>

const char *const rt_verdict_names[RT_VERDICTS] = {
	[RT_VERDICT_WORKS] = "works",
	[RT_VERDICT_DROPPED_ON_TX] = "dropped on tx",
	[RT_VERDICT_EATEN_ON_RX] = "eaten on rx",
	[RT_VERDICT_ALTERED] = "altered",
};

static const char *const tx_cures[RT_PROBES] = {
	[RT_PROBE_MIN] = "nothing leaves this port: is its link up (`ip link`, cable)?",
	[RT_PROBE_JUMBO] = "the device takes no frame of this MTU: raise the netdev's mtu (ip link "
			   "set DEV mtu N; af_packet also needs framesz above it), or lower "
			   "ports.mtu",
	[RT_PROBE_VLAN] = "the device refuses tagged frames: leave VLANs off this port",
	[RT_PROBE_DSCP] = "the device refuses RoCEv2 from software: on mlx5 switch enable_roce off "
			  "(devlink dev param)",
	[RT_PROBE_CE] = "the device refuses RoCEv2 from software: on mlx5 switch enable_roce off "
			"(devlink dev param)",
	[RT_PROBE_PFC] =
		"the driver filters 0x8808 frames that software sends (i40e and ixgbe do): "
		"the switch cannot pause this peer; use another NIC, or edge: emulate",
	[RT_PROBE_PAUSE] = "the driver filters 0x8808 frames that software sends (i40e and ixgbe "
			   "do); the switch sends PFC only, look at that row",
};

static const char *const rx_cures[RT_PROBES] = {
	[RT_PROBE_MIN] = "nothing arrives: is the cable between these two, are both links up?",
	[RT_PROBE_JUMBO] = "the receiver discards frames of this MTU: raise its mtu, or lower "
			   "ports.mtu",
	[RT_PROBE_VLAN] = "the receiver filters VLANs: switch rx-vlan-filter off (ethtool -K DEV "
			  "rx-vlan-filter off), or leave VLANs off this port",
	[RT_PROBE_DSCP] = "the NIC's own RDMA engine takes RoCEv2: on mlx5 switch enable_roce off "
			  "(devlink dev param)",
	[RT_PROBE_CE] = "the NIC's own RDMA engine takes RoCEv2: on mlx5 switch enable_roce off "
			"(devlink dev param)",
	[RT_PROBE_PFC] = "the receiving MAC ends pause frames: the switch does not see its peer's "
			 "PFC and will not honour it",
	[RT_PROBE_PAUSE] = "the receiving MAC ends pause frames; the switch ignores 802.3x anyway",
};

static const char *const altered_cures[RT_PROBES] = {
	[RT_PROBE_MIN] = "something rewrites plain frames: look for a bridge or filter on the way",
	[RT_PROBE_JUMBO] = "frames are cut: raise the mtu along the way, or lower ports.mtu",
	[RT_PROBE_VLAN] =
		"a device strips or rewrites tags: switch rx-vlan-offload off (ethtool -K "
		"DEV rxvlan off txvlan off)",
	[RT_PROBE_DSCP] =
		"something rewrites DSCP: look for tc, nft or a switch on the way; classes "
		"will be wrong until it stops",
	[RT_PROBE_CE] = "something rewrites ECN: marks will not reach their receiver; look for tc, "
			"nft or a switch on the way",
	[RT_PROBE_PFC] = "something rewrites PFC frames: look for a switch on the way",
	[RT_PROBE_PAUSE] = "something rewrites pause frames: look for a switch on the way",
};

static enum rt_verdict_kind verdict_of(const struct rt_probe_seen *seen)
{
	if (seen->match == RT_MATCH_SAME)
		return RT_VERDICT_WORKS;
	if (seen->match == RT_MATCH_ALTERED)
		return RT_VERDICT_ALTERED;
	return seen->sent_moved ? RT_VERDICT_EATEN_ON_RX : RT_VERDICT_DROPPED_ON_TX;
}

static void eaten(struct rt_selftest_row *row, enum rt_probe probe,
		  const struct rt_probe_seen *seen, bool fc_forward)
{
	const char *more = "";

	if (probe == RT_PROBE_PFC)
		more = fc_forward
			       ? "; it accepted mac_ctrl_frame_fwd and does not do it: use "
				 "another NIC, or edge: emulate"
			       : "; its driver does not take mac_ctrl_frame_fwd: use another NIC, "
				 "or edge: emulate";
	snprintf(row->detail, sizeof(row->detail), "sent; the receiver %s",
		 seen->received_moved ? "counted it and did not deliver it" : "did not count it");
	snprintf(row->cure, sizeof(row->cure), "%s%s", rx_cures[probe], more);
}

void rt_selftest_judge(struct rt_selftest_row *row, enum rt_probe probe,
		       const struct rt_probe_seen *seen, bool fc_forward)
{
	memset(row, 0, sizeof(*row));
	row->verdict = verdict_of(seen);
	switch (row->verdict) {
	case RT_VERDICT_ALTERED:
		snprintf(row->detail, sizeof(row->detail), "%s", seen->how);
		snprintf(row->cure, sizeof(row->cure), "%s", altered_cures[probe]);
		break;
	case RT_VERDICT_EATEN_ON_RX:
		eaten(row, probe, seen, fc_forward);
		break;
	case RT_VERDICT_DROPPED_ON_TX:
		snprintf(row->detail, sizeof(row->detail), "the sender did not count it");
		snprintf(row->cure, sizeof(row->cure), "%s", tx_cures[probe]);
		break;
	default:
		break;
	}
}
