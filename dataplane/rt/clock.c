/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock.h"

#include <rte_cycles.h>

void rt_clock_start(struct rt_clock *clock, uint64_t tsc, uint64_t tsc_hz, uint32_t dilate,
		    bool manual)
{
	unsigned __int128 second = (unsigned __int128)1000000000000u << 32;

	clock->dilate = dilate == 0 ? 1 : dilate;
	clock->base_tsc = tsc;
	clock->ps_per_tick_q32 = (uint64_t)(second / tsc_hz / clock->dilate);
	clock->manual = manual;
	atomic_store(&clock->manual_ps, 0);
}

uint64_t rt_clock_at(const struct rt_clock *clock, uint64_t tsc)
{
	unsigned __int128 ticks;

	/* Counters of two cores may differ by a few ticks around the start. */
	if (tsc <= clock->base_tsc)
		return 0;
	ticks = tsc - clock->base_tsc;
	return (uint64_t)((ticks * clock->ps_per_tick_q32) >> 32);
}

uint64_t rt_clock_now(const struct rt_clock *clock)
{
	if (clock->manual)
		return atomic_load_explicit(&clock->manual_ps, memory_order_acquire);
	return rt_clock_at(clock, rte_rdtsc());
}

uint64_t rt_clock_wall_ns(const struct rt_clock *clock, uint64_t model_ps)
{
	unsigned __int128 ns = (unsigned __int128)model_ps * clock->dilate / 1000;

	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}
