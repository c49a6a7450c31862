/* SPDX-License-Identifier: BSD-3-Clause */
/* Names: drops, counters, events. One line = enum + name + where + help.
 *
 * To add one: add a line here, count it where it happens, add a test (CONTRIBUTING.md). `show`,
 * `list drops`, results.json, /metrics and the docs take it from here.
 */
#ifndef RY_LIST_H
#define RY_LIST_H

/* One name a line. */
/* clang-format off */

/* X(enum, name, stage, help). stage = the file that drops: dataplane/model/STAGE.c, or with a
 * slash the file itself. Every data frame that the switch took and did not pass on is in one. */
#define SW_DROP_LIST(X) \
	X(RUNT, "runt", "parse", "headers cut short or contradictory (IHL, lengths, extension chain)") \
	X(LINK_LOCAL, "link_local", "lookup", "destination 01:80:c2:00:00:0x: never forwarded by a bridge") \
	X(LINK_DOWN, "link_down", "port", "the port it came from or would leave by is down") \
	X(EDGE_FULL, "edge_full", "edge", "the emulated NIC's FIFO is full: the peer ignored PFC for too long") \
	X(SAME_PORT, "same_port", "lookup", "its destination is on the port it came from") \
	X(NO_MEMBER, "no_member", "lookup", "a flood with no other port in the domain that is up") \
	X(NO_COPY, "no_copy", "flood", "the driver had no buffer for a flooded copy") \
	X(TTL_EXPIRED, "ttl_expired", "lookup", "TTL or hop limit would reach 0") \
	X(NO_ROUTE, "no_route", "lookup", "no route to its destination address") \
	X(NO_NEIGHBOUR, "no_neighbour", "neigh", "the next hop did not answer ARP/ND three times") \
	X(NEIGHBOUR_FULL, "neighbour_full", "neigh", "more than 4 frames waited for one next hop, or too many next hops are asked for") \
	X(CROSS_RAIL, "cross_rail", "lookup", "its destination is on another rail: a host's mistake") \
	X(NOT_FOR_US, "not_for_us", "lookup", "sent to the router itself, and nothing here answers it") \
	X(MTU_EXCEEDED, "mtu_exceeded", "admit", "longer than the egress port's MTU") \
	X(QUEUE_FULL, "queue_full", "admit", "lossy: the egress queue is at its share of the pool") \
	X(HEADROOM_FULL, "headroom_full", "admit", "lossless: past xoff and the headroom is used up") \
	X(WRED, "wred", "mark", "chosen by the drop curve of its egress queue (`ecn.Q.drop`)") \
	X(NOT_ECT, "not_ect", "mark", "would be marked but cannot carry a mark (not-ECT), and the policy is drop") \
	X(WATCHDOG, "watchdog", "watchdog", "PFC storm: from or to a queue whose pause did not end, action drop") \
	X(CTL_FULL, "ctl_full", "port", "too many of the switch's own answers waited for one port") \
	X(NO_BUFFER, "no_buffer", "dataplane/rt/gen.c", "the driver had no buffer for a frame of the switch's own") \
	X(DEVICE_FULL, "device_full", "dataplane/rt/stage.c", "the device did not take it and the stage is full: the run is not valid")

/* X(enum, name, where, help). Losses outside the model: frames that a device, or its ring, lost before
 * the switch took them. Not in rx, and so not in `dropped` either: the identity closes without
 * them. Only real ports have them. */
#define SW_LOSS_LIST(X) \
	X(RX_MISSED, "rx_missed", "dataplane/rt/losses.c", "the device's own ring was full: it was not polled in time") \
	X(RX_NO_BUFFER, "rx_no_buffer", "dataplane/rt/losses.c", "the device had no packet buffer for it: real.memory is too small") \
	X(RX_RING_FULL, "rx_ring_full", "dataplane/rt/losses.c", "the kernel's ring to a packet socket was full: it was not polled in time") \
	X(RX_ERRORS, "rx_errors", "dataplane/rt/losses.c", "it arrived broken, the device says (FCS, length)") \
	X(RX_UNUSABLE, "rx_unusable", "dataplane/rt/poll.c", "in several segments, or without room for its tag or descriptor")

/* X(enum, name, help): per-port counters, free-running u64. Data only unless the help says else. */
#define SW_PORT_COUNTER_LIST(X) \
	X(RX_PACKETS, "rx_packets", "data frames taken from the port") \
	X(RX_BYTES, "rx_bytes", "their bytes, without FCS") \
	X(TX_PACKETS, "tx_packets", "data frames sent, the switch's own answers included") \
	X(TX_BYTES, "tx_bytes", "their bytes, without FCS") \
	X(GENERATED, "generated", "answers of the switch's own put in the port's queues") \
	X(COPIED, "copied", "extra copies of floods that came in here") \
	X(CONSUMED, "consumed", "frames to the switch itself: ARP, ND, ping to a gateway") \
	X(DROPPED, "dropped", "the sum of the drops charged to this port") \
	X(PAUSE_RX, "pause_rx", "802.3x frames received: ignored, never data") \
	X(MAC_CTL_RX, "mac_ctl_rx", "other MAC control frames received: ignored, never data") \
	X(PFC_ZERO_VECTOR, "pfc_zero_vector", "PFC frames with an empty class vector: ignored") \
	X(ROCE_RX, "roce_rx", "RoCEv2 frames received (UDP 4791)") \
	X(ROCEV1_RX, "rocev1_rx", "RoCEv1 frames received (ethertype 0x8915): a wrong GID type at the host") \
	X(UNKNOWN_OPCODE, "unknown_opcode", "RoCEv2 frames with an opcode outside the table: forwarded") \
	X(CNP_RX, "cnp_rx", "CNPs received (opcode 0x81)") \
	X(FLOODED, "flooded", "frames from this port that were flooded")

/* X(enum, name, help): per port and priority, free-running u64. */
#define SW_PRIO_COUNTER_LIST(X) \
	X(PFC_TX, "pfc_tx", "PFC frames sent with this class's bit, refresh and xon included") \
	X(PFC_RX, "pfc_rx", "PFC frames received with this class's bit") \
	X(PFC_RX_HONOURED, "pfc_rx_honoured", "those that acted: the class has PFC on") \
	X(XOFF_EPISODES, "xoff_episodes", "times the ingress PG of this priority went to xoff")

/* X(enum, name, help): per egress queue, free-running u64. */
#define SW_QUEUE_COUNTER_LIST(X) \
	X(TX_PACKETS, "tx_packets", "frames sent from the queue") \
	X(TX_BYTES, "tx_bytes", "their bytes, without FCS") \
	X(ECN_MARKED, "ecn_marked", "frames sent that were marked here (CE already set on arrival is not counted)") \
	X(ECN_MARKED_BYTES, "ecn_marked_bytes", "their bytes") \
	X(CE_IN, "ce_in", "frames sent that had arrived with CE") \
	X(ECN_NOT_ECT, "ecn_not_ect", "frames past the mark that could not carry one and were forwarded") \
	X(WRED_DROPPED, "wred_dropped", "frames dropped by RED: by the drop curve, or not-ECT where a mark was due") \
	X(WRED_DROPPED_BYTES, "wred_dropped_bytes", "their bytes") \
	X(DROPPED, "dropped", "frames dropped at this queue")

/* X(enum, name, help): what befalls a port or the switch, for the digest. */
#define SW_EVENT_LIST(X) \
	X(LINK_UP, "link_up", "the port's link came up") \
	X(LINK_DOWN, "link_down", "the port's link went down") \
	X(HOLD, "hold", "the port's egress is held") \
	X(RELEASE, "release", "the port's egress is released") \
	X(SWAP, "swap", "the switch's tables were swapped") \
	X(SET, "set", "the switch was reconfigured") \
	X(STORM, "storm", "a queue of the port is in a PFC storm") \
	X(STORM_OVER, "storm_over", "it is restored")

/* X(enum, name, help): per watched egress queue, free-running u64. ok and drop count in storms only;
 * rx is what the port took in the priority group of the queue's own traffic. */
#define SW_WATCHDOG_COUNTER_LIST(X) \
	X(STORM_DETECTED, "storm_detected", "PFC storms seen on the queue") \
	X(STORM_RESTORED, "storm_restored", "PFC storms that are over") \
	X(TX_OK, "tx_ok", "frames sent from the queue in a storm") \
	X(TX_DROP, "tx_drop", "frames dropped for the queue in a storm, those that waited included") \
	X(RX_OK, "rx_ok", "frames taken from the port in the queue's priority group in a storm") \
	X(RX_DROP, "rx_drop", "frames from the port dropped in the queue's priority group in a storm")

/* clang-format on */

#define SW_ENUM_DROP(e, ...) SW_DROP_##e,
#define SW_ENUM_LOSS(e, ...) SW_LOSS_##e,
#define SW_ENUM_PORT(e, ...) SW_PORT_##e,
#define SW_ENUM_PRIO(e, ...) SW_PRIO_##e,
#define SW_ENUM_QUEUE(e, ...) SW_QUEUE_##e,
#define SW_ENUM_EVENT(e, ...) SW_EVENT_##e,
#define SW_ENUM_WATCHDOG(e, ...) SW_WATCHDOG_##e,
enum sw_drop { SW_DROP_LIST(SW_ENUM_DROP) SW_DROPS };
enum sw_loss { SW_LOSS_LIST(SW_ENUM_LOSS) SW_LOSSES };
enum sw_port_counter { SW_PORT_COUNTER_LIST(SW_ENUM_PORT) SW_PORT_COUNTERS };
enum sw_prio_counter { SW_PRIO_COUNTER_LIST(SW_ENUM_PRIO) SW_PRIO_COUNTERS };
enum sw_queue_counter { SW_QUEUE_COUNTER_LIST(SW_ENUM_QUEUE) SW_QUEUE_COUNTERS };
enum sw_event { SW_EVENT_LIST(SW_ENUM_EVENT) SW_EVENTS };
enum sw_watchdog_counter { SW_WATCHDOG_COUNTER_LIST(SW_ENUM_WATCHDOG) SW_WATCHDOG_COUNTERS };

/* Name, stage or help of each, in enum order; list.c. */
struct sw_name {
	const char *name, *stage, *help;
};
extern const struct sw_name sw_drop_names[SW_DROPS];
extern const struct sw_name sw_loss_names[SW_LOSSES];
extern const struct sw_name sw_port_counter_names[SW_PORT_COUNTERS];
extern const struct sw_name sw_prio_counter_names[SW_PRIO_COUNTERS];
extern const struct sw_name sw_queue_counter_names[SW_QUEUE_COUNTERS];
extern const struct sw_name sw_event_names[SW_EVENTS];
extern const struct sw_name sw_watchdog_counter_names[SW_WATCHDOG_COUNTERS];

#endif
