/* SPDX-License-Identifier: BSD-3-Clause */
/* The packet as the model sees it: one cache line.
 *
 * The descriptor lives in the mbuf's private area (dataplane/rt) or in a slab (dataplane/sim); the
 * driver owns it until sw_rx, the model until it comes back in a record of sw_advance or from
 * sw_reap. It is in one queue only. Thread: the owner of the switch.
 *
 * Bytes are read by parse and lookup; what the switch changes (MACs, TTL, ECN) is noted in `edit`
 * and written by rewrite.c when the frame leaves, so that a mark decided at dequeue costs nothing
 * before.
 */
#ifndef RY_PKT_H
#define RY_PKT_H

#include <stdint.h>

#define PKT_NO_PORT UINT16_MAX
#define PKT_NO_VLAN UINT16_MAX

/* What the frame is, found by parse.c. The order is free; `show` prints the names. */
enum pkt_kind {
	PKT_OTHER,   /* an ethertype or protocol that the model treats as opaque data */
	PKT_RUNT,    /* headers cut short or contradictory: dropped by name */
	PKT_PFC,     /* 802.1Qbb, opcode 0x0101: never data */
	PKT_PAUSE,   /* 802.3x, opcode 0x0001: ignored and counted, never data */
	PKT_MAC_CTL, /* any other 0x8808 frame: never data */
	PKT_ARP,
	PKT_ROCEV1, /* ethertype 0x8915: forwarded as opaque, named so that users see it */
	PKT_IP,     /* IPv4 or IPv6, neither of those below */
	PKT_ICMP,   /* ICMP or ICMPv6 except ND */
	PKT_ND,     /* neighbour solicitation or advertisement */
	PKT_UDP,
	PKT_TCP,
	PKT_ROCE, /* UDP 4791 with a whole BTH */
	PKT_KINDS,
};

enum pkt_flag {
	PKT_F_V4 = 1 << 0,
	PKT_F_V6 = 1 << 1,
	PKT_F_FRAGMENT = 1 << 2, /* not the first: no ports, no BTH */
	PKT_F_UNKNOWN_OP =
		1 << 3,    /* BTH opcode outside the table: forwarded in its class, counted */
	PKT_F_L4 = 1 << 4, /* l4_off points at a whole UDP/TCP/ICMP header start (8 B) */
	PKT_F_GENERATED = 1 << 5, /* the switch's own answer, riding on the frame that asked */
};

/* What rewrite.c writes when the frame leaves. */
enum pkt_edit {
	PKT_EDIT_CE = 1 << 0,    /* ECN = 11, IPv4 checksum updated */
	PKT_EDIT_ROUTE = 1 << 1, /* dst MAC = dmac, src MAC = the router's, TTL - 1, checksum */
	PKT_EDIT_ECHO = 1 << 2,  /* an echo request turned into its reply */
};

struct pkt {
	struct pkt *next; /* queue link; NULL when in no queue */
	uint8_t *data;    /* first byte of the Ethernet header */
	uint64_t t_ps;    /* arrival at the switch */
	uint16_t len;     /* bytes in the frame, without FCS; tags included */
	uint16_t cells;   /* what admit charged */
	uint16_t in_port;
	uint16_t out_port; /* PKT_NO_PORT until lookup */
	/* 32 */
	uint16_t vid;  /* 802.1Q VLAN id, PKT_NO_VLAN when untagged */
	uint8_t kind;  /* enum pkt_kind */
	uint8_t flags; /* enum pkt_flag */
	uint8_t edit;  /* enum pkt_edit */
	uint8_t prio;  /* priority (traffic class), 0..7, set by classify */
	uint8_t pg;    /* ingress priority group, 0..7 */
	uint8_t queue; /* egress queue, 0..7 */
	/* 40 */
	uint8_t pcp;      /* 802.1p priority of the tag, 0 when untagged */
	uint8_t dscp;     /* 0 when not IP */
	uint8_t ecn;      /* as it arrived; 0 when not IP */
	uint8_t l3_off;   /* from data; 0 when not IP/ARP */
	uint8_t l4_off;   /* from data; valid with PKT_F_L4 */
	uint8_t ip_proto; /* last next-header / protocol; valid when V4 or V6 */
	uint8_t opcode;   /* BTH opcode; valid when PKT_ROCE */
	uint8_t hdr_len;  /* bytes from data to the payload, 64 at most: what the digest reads */
	/* 48 */
	uint8_t dmac[6];  /* next hop's MAC with PKT_EDIT_ROUTE */
	uint16_t domain;  /* bridge domain of the ingress port */
	uint32_t dest_qp; /* BTH destination QP; 0 unless PKT_ROCE */
	uint32_t user;    /* the driver's own; the model never reads it */
};

_Static_assert(sizeof(struct pkt) == 64, "struct pkt is one cache line");

#endif
