/* SPDX-License-Identifier: BSD-3-Clause */
#include "headroom.h"

#include <inttypes.h>
#include <stdio.h>

#define PS_PER_BYTE_AT_1BPS UINT64_C(8000000000000)
#define MAC_AND_TAG 18u /* Ethernet header and one 802.1Q tag */
#define PFC_FRAME 60u   /* without FCS, which the link's overhead has */
#define LEAST_FRAME 60u /* what shorter ones count as */
#define QUANTUM_BITS 512u
#define BURST 32u                       /* frames a worker hands to a device at once */
#define BUSY_PS UINT64_C(20000000)      /* 20 us: gaps of a busy worker, all but a few a second */
#define ADAPTIVE_PS UINT64_C(250000000) /* 250 us: and the sleep of one that may */

typedef unsigned __int128 u128;

uint64_t headroom_bytes_in(uint64_t time_ps, uint64_t rate_bps)
{
	return (uint64_t)(((u128)time_ps * rate_bps + PS_PER_BYTE_AT_1BPS - 1) /
			  PS_PER_BYTE_AT_1BPS);
}

uint64_t headroom_cable(uint64_t delay_ps, uint64_t rate_bps)
{
	return headroom_bytes_in(2 * delay_ps, rate_bps);
}

uint64_t headroom_frames(uint32_t mtu_bytes, uint32_t overhead_bytes)
{
	return 3 * ((uint64_t)mtu_bytes + MAC_AND_TAG + overhead_bytes);
}

uint64_t headroom_pfc(uint32_t overhead_bytes)
{
	return PFC_FRAME + overhead_bytes;
}

static uint64_t in_cells(uint64_t bytes, uint32_t cell_bytes)
{
	return (bytes + cell_bytes - 1) / cell_bytes * cell_bytes;
}

/* Of all frames of one number of cells the shortest takes least time on the wire. */
uint64_t headroom_stored(uint64_t wire_bytes, const struct headroom_input *in,
			 uint32_t *frame_bytes)
{
	uint32_t most = in->mtu_bytes + MAC_AND_TAG, len = LEAST_FRAME;
	uint64_t room = 0, wire = 1;

	while (len <= most) {
		uint64_t cells = in_cells(len, in->cell_bytes);

		if (cells * wire > room * (len + in->overhead_bytes)) {
			room = cells;
			wire = len + in->overhead_bytes;
			*frame_bytes = len;
		}
		len = (uint32_t)cells + 1;
	}
	return (uint64_t)(((u128)wire_bytes * room + wire - 1) / wire);
}

uint64_t headroom_peer_response_ps(uint64_t rate_bps)
{
	/* Quanta by speed, as SONiC's headroom calculation takes them from the standard. */
	static const struct {
		uint64_t rate_bps;
		uint64_t quanta;
	} table[] = {
		{UINT64_C(1000000000), 2},     {UINT64_C(10000000000), 67},
		{UINT64_C(25000000000), 80},   {UINT64_C(40000000000), 118},
		{UINT64_C(50000000000), 147},  {UINT64_C(100000000000), 394},
		{UINT64_C(200000000000), 453}, {UINT64_C(400000000000), 905},
	};
	const size_t n = sizeof(table) / sizeof(table[0]);
	uint64_t quanta;
	size_t i = 0;

	while (i < n - 1 && table[i].rate_bps < rate_bps)
		i++;
	quanta = table[i].quanta;
	/* Past the table a quantum gets shorter, the NIC does not get faster. */
	if (rate_bps > table[n - 1].rate_bps)
		quanta = (uint64_t)(((u128)quanta * rate_bps + table[n - 1].rate_bps - 1) /
				    table[n - 1].rate_bps);
	return (uint64_t)((u128)quanta * QUANTUM_BITS * UINT64_C(1000000000000) / rate_bps);
}

uint64_t headroom_worker(uint64_t rate_bps, uint32_t mtu_bytes, uint32_t overhead_bytes,
			 bool adaptive)
{
	return headroom_bytes_in(adaptive ? ADAPTIVE_PS : BUSY_PS, rate_bps) +
	       BURST * ((uint64_t)mtu_bytes + MAC_AND_TAG + overhead_bytes);
}

uint64_t headroom_auto(const struct headroom_input *in, char *terms, size_t size)
{
	uint64_t cable = headroom_cable(in->delay_ps, in->rate_bps);
	uint64_t frames = headroom_frames(in->mtu_bytes, in->overhead_bytes);
	uint64_t pfc = headroom_pfc(in->overhead_bytes);
	uint64_t response = 0, worker = 0, sum, total;
	uint32_t worst = 0;

	if (in->peer == HEADROOM_SIMULATED)
		response = headroom_bytes_in(in->response_ps, in->rate_bps);
	if (in->peer == HEADROOM_REAL) {
		response = headroom_bytes_in(headroom_peer_response_ps(in->rate_bps), in->rate_bps);
		worker = headroom_worker(in->rate_bps, in->mtu_bytes, in->overhead_bytes,
					 in->adaptive);
	}
	sum = cable + response + worker + frames + pfc;
	/* The PFC frame waits for one of the frames: time. The other two lie in the buffer whole. */
	total = headroom_stored(sum - frames / 3 * 2, in, &worst) +
		2 * in_cells(in->mtu_bytes + MAC_AND_TAG, in->cell_bytes);
	total = in_cells(total, in->cell_bytes);
	snprintf(terms, size,
		 "cable %" PRIu64 " B + response %" PRIu64 " B + worker %" PRIu64
		 " B + frames %" PRIu64 " B + pfc %" PRIu64 " B = %" PRIu64
		 " B on the wire, %" PRIu64 " B in cells of %" PRIu32 " B (frames of %" PRIu32
		 " B)",
		 cable, response, worker, frames, pfc, sum, total, in->cell_bytes, worst);
	return total;
}
