/* SPDX-License-Identifier: BSD-3-Clause */
/* How many bytes still arrive after a port has said xoff: `headroom: auto`, term by term.
 *
 * What the sender had on the cable, what it sends until it reacts, and what it sends while the PFC
 * frame waits for the frame that the port is in the middle of, and is sent; at a real port, what
 * arrives until the worker looks. Two more frames lie there whole: the one that came when the
 * threshold was reached, and the one that the sender was in the middle of when it reacted.
 *
 * That is time on the wire. What arrives in it takes most room when it comes in the frames whose
 * cells are largest beside their bytes on the wire: the longest with cells of 1 B (nothing is
 * rounded, preamble, FCS and gap are not stored), the shortest with cells far above 60 B.
 * Rates bits per second, times ps, results bytes, rounded up. No state; any thread.
 */
#ifndef RY_HEADROOM_H
#define RY_HEADROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum headroom_peer {
	HEADROOM_SIMULATED, /* a host or switch of the model: reacts after response_ps */
	HEADROOM_EDGE,      /* a real port behind an emulated NIC, which reacts at once */
	HEADROOM_REAL,      /* a real NIC: the standard's reaction, and the worker's own */
};

struct headroom_input {
	enum headroom_peer peer;
	uint64_t rate_bps, delay_ps, response_ps;
	uint32_t mtu_bytes, overhead_bytes, cell_bytes;
	bool adaptive; /* the worker may sleep */
};

/* At a rate, the bytes of a time. */
uint64_t headroom_bytes_in(uint64_t time_ps, uint64_t rate_bps);
/* The round trip on the cable. */
uint64_t headroom_cable(uint64_t delay_ps, uint64_t rate_bps);
/* One maximal frame of ours, two of the sender's. */
uint64_t headroom_frames(uint32_t mtu_bytes, uint32_t overhead_bytes);
/* The PFC frame's own time on the wire. */
uint64_t headroom_pfc(uint32_t overhead_bytes);
/* How long a NIC may take to honour PFC (IEEE 802.1Q, as quanta of 512 bit times for its speed). */
uint64_t headroom_peer_response_ps(uint64_t rate_bps);
/* Until a worker looks at the port and what it had handed to the device before has left. */
uint64_t headroom_worker(uint64_t rate_bps, uint32_t mtu_bytes, uint32_t overhead_bytes,
			 bool adaptive);

/* The most that arrives in the time of so many bytes on the wire can take of the buffer, and the length
 * of the frames with which it does. */
uint64_t headroom_stored(uint64_t wire_bytes, const struct headroom_input *in,
			 uint32_t *frame_bytes);

/* All together, in whole cells; terms says how it came about. */
uint64_t headroom_auto(const struct headroom_input *in, char *terms, size_t size);

#endif
