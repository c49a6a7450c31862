/* SPDX-License-Identifier: BSD-3-Clause */
/* Model time from the time stamp counter, or moved by hand in tests.
 *
 * ps since rt_clock_start; dilate > 1 makes it slower than the wall. One multiplication a call, no
 * division. Started by the control thread before the workers; read by any thread.
 */
#ifndef RY_RT_CLOCK_H
#define RY_RT_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rt_clock {
	uint64_t base_tsc;
	uint64_t ps_per_tick_q32; /* model ps a TSC tick, 32.32 */
	uint32_t dilate;
	bool manual;
	_Atomic uint64_t manual_ps;
};

/* tsc_hz: ticks of wall time a second. dilate 0 counts as 1. */
void rt_clock_start(struct rt_clock *clock, uint64_t tsc, uint64_t tsc_hz, uint32_t dilate,
		    bool manual);
/* Model time at a reading of the counter that is not before the start. */
uint64_t rt_clock_at(const struct rt_clock *clock, uint64_t tsc);
/* Model time now. */
uint64_t rt_clock_now(const struct rt_clock *clock);
/* Wall nanoseconds that an interval of model time takes; saturates. */
uint64_t rt_clock_wall_ns(const struct rt_clock *clock, uint64_t model_ps);

#endif
