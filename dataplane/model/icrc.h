/* SPDX-License-Identifier: BSD-3-Clause */
/* The invariant CRC of RoCEv2 (InfiniBand Architecture 1.2.1, annex A17.3.3): the last four bytes of
 * the UDP payload, over all that no switch or router may change. The switch itself never needs it;
 * those who make RoCE frames, and those who prove that it left them whole, do.
 *
 * Offsets are in bytes from the first of the Ethernet header. No state: any thread.
 */
#ifndef RY_ICRC_H
#define RY_ICRC_H

#include "pkt.h"

enum icrc {
	ICRC_OK,
	ICRC_BAD,
	ICRC_NONE, /* no RoCEv2, a fragment, or too short to have one */
};

/* The value for the datagram whose IPv4 or IPv6 header is at l3_off and UDP header at l4_off (255 at
 * most) with a whole BTH behind; end is where the ICRC starts. On the wire the least significant
 * byte comes first. */
uint32_t icrc_compute(const uint8_t *frame, uint32_t l3_off, uint32_t l4_off, uint32_t end);

/* pkt as sw_parse left it. Padding behind the datagram does not matter. */
enum icrc icrc_check(const struct pkt *pkt);

#endif
