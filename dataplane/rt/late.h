/* SPDX-License-Identifier: BSD-3-Clause */
/* How late frames left: a histogram of (time the device took it) - (time the model said).
 *
 * ps. Buckets are logarithmic with 16 steps an octave, so a quantile is read without sorting and is
 * at most 1/16 too high; the maximum is exact. Owner: the worker; others get values by message.
 */
#ifndef RY_RT_LATE_H
#define RY_RT_LATE_H

#include <stdint.h>

#define RT_LATE_STEPS 16
#define RT_LATE_BUCKETS (61 * RT_LATE_STEPS)

struct rt_late {
	uint64_t count, max_ps;
	uint64_t buckets[RT_LATE_BUCKETS];
};

void rt_late_add(struct rt_late *late, uint64_t ps);
void rt_late_merge(struct rt_late *into, const struct rt_late *from);
/* The smallest bucket's upper end that at least ppm millionths of all stay under; 0 when empty. */
uint64_t rt_late_quantile(const struct rt_late *late, uint32_t ppm);

#endif
