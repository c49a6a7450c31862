/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames as bytes: between draw_frame.c, which says who talks, and put_frame.c, which writes it. */
#ifndef RY_FUZZ_PUT_FRAME_H
#define RY_FUZZ_PUT_FRAME_H

#include "life.h"

/* Who talks to whom, and how. */
struct talk {
	uint16_t in, out;
	uint32_t from, to; /* stations */
	bool v6, routed;
	uint8_t tos;
	uint16_t tci; /* PKT_NO_VLAN = untagged */
	uint8_t src[16], dst[16];
	uint16_t want; /* bytes that the frame should have */
};

uint16_t l2_l3_bytes(const struct talk *talk);

void put_roce(struct life *life, const struct talk *talk, struct frame *f);
/* TCP, UDP, ICMP between hosts, or a protocol that nobody here knows. */
void put_other_ip(struct life *life, const struct talk *talk, struct frame *f);
void put_rocev1(struct life *life, const struct talk *talk, struct frame *f);
/* To a gateway. */
void put_ping(struct life *life, struct talk *talk, struct frame *f);
void put_arp(struct life *life, const struct talk *talk, struct frame *f, uint16_t op);
void put_nd(struct life *life, const struct talk *talk, struct frame *f, uint8_t type);
/* One of the two, asking or telling. */
void put_neighbour(struct life *life, struct talk *talk, struct frame *f);
void put_pfc(struct life *life, struct frame *f);
/* 802.3x, or what nobody knows. */
void put_mac_control(struct life *life, struct frame *f);

#endif
