/* SPDX-License-Identifier: BSD-3-Clause */
/* Byte times. 8e12 / rate is rarely whole (2,880 Gb/s: 2.77 ps), so 32 fraction bits are kept and
 * what a frame leaves below a picosecond goes to the next one: no rate drifts. */
#include "sw_int.h"

struct wire wire_of(uint64_t rate_bps)
{
	const uint64_t ps_bits = 8000000000000ULL; /* 8 bits in ps x bits per second */
	uint64_t rest = ps_bits % rate_bps;

	return (struct wire){
		.whole_ps = ps_bits / rate_bps,
		.fraction = (uint32_t)(((unsigned __int128)rest << 32) / rate_bps),
	};
}

uint64_t wire_time(struct wire wire, uint64_t bytes, uint32_t *rem)
{
	uint64_t below = (uint64_t)wire.fraction * bytes + *rem;

	*rem = (uint32_t)below;
	return wire.whole_ps * bytes + (below >> 32);
}
