/* SPDX-License-Identifier: BSD-3-Clause */
#include "headroom.h"

#include <inttypes.h>
#include <stdio.h>

#define PS_PER_BYTE_AT_1BPS UINT64_C(8000000000000)
#define MAC_AND_TAG 18u /* Ethernet header and one 802.1Q tag */
#define PFC_FRAME 64u
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
	return 2 * ((uint64_t)mtu_bytes + MAC_AND_TAG + overhead_bytes);
}

uint64_t headroom_pfc(uint32_t overhead_bytes)
{
	return PFC_FRAME + overhead_bytes;
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

	if (in->peer == HEADROOM_SIMULATED)
		response = headroom_bytes_in(in->response_ps, in->rate_bps);
	if (in->peer == HEADROOM_REAL) {
		response = headroom_bytes_in(headroom_peer_response_ps(in->rate_bps), in->rate_bps);
		worker = headroom_worker(in->rate_bps, in->mtu_bytes, in->overhead_bytes,
					 in->adaptive);
	}
	sum = cable + response + worker + frames + pfc;
	total = (sum + in->cell_bytes - 1) / in->cell_bytes * in->cell_bytes;
	snprintf(terms, size,
		 "cable %" PRIu64 " B + response %" PRIu64 " B + worker %" PRIu64
		 " B + frames %" PRIu64 " B + pfc %" PRIu64 " B = %" PRIu64 " B, %" PRIu64
		 " B in cells of %" PRIu32 " B",
		 cable, response, worker, frames, pfc, sum, total, in->cell_bytes);
	return total;
}
