/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdict on a run, as pure functions. Times in ps of model time. */
#ifndef RY_RT_VALID_H
#define RY_RT_VALID_H

#include "late.h"
#include "rt.h"

/* What makes a run not valid, of all its switches. */
struct rt_health {
	struct rt_late late;
	uint64_t full;      /* frames that a full stage lost */
	uint64_t no_buffer; /* frames of the switch's own that could not be made */
	uint64_t behind;    /* frames that brought a time which was past */
	uint64_t missed;    /* frames that a device had no room or no buffer for */
};

/* Bound on p99.9 of lateness: what was asked for, or the default of the way of polling. */
uint64_t rt_late_bound(uint64_t asked_ps, enum rt_poll poll, uint32_t dilate);
/* False: why gets the reason and the cure. */
bool rt_verdict(const struct rt_health *health, uint64_t bound_ps, uint32_t dilate, char *why,
		size_t size);

#endif
