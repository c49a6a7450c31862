/* SPDX-License-Identifier: BSD-3-Clause */
/* The earliest of n times: a tournament tree over ports. Equal times go to the lower port. Setting
 * one is log2(n) compares, reading the first is one. */
#ifndef RY_DUE_H
#define RY_DUE_H

#include <stdint.h>

struct due {
	uint32_t leaves; /* power of two */
	uint64_t *times; /* 2 x leaves; [1] is the winner's time, [leaves + i] is i's */
};

int due_init(struct due *due, uint32_t n); /* all never; -ENOMEM */
void due_free(struct due *due);

static inline uint64_t due_first(const struct due *due)
{
	return due->times[1];
}

static inline uint32_t due_first_index(const struct due *due)
{
	uint32_t i = 1;

	while (i < due->leaves) {
		i *= 2;
		if (due->times[i + 1] < due->times[i])
			i++;
	}
	return i - due->leaves;
}

static inline void due_set(struct due *due, uint32_t index, uint64_t time)
{
	uint32_t i = due->leaves + index;

	due->times[i] = time;
	while (i > 1) {
		uint64_t a, b, best;

		i /= 2;
		a = due->times[2 * i];
		b = due->times[2 * i + 1];
		best = b < a ? b : a;
		if (due->times[i] == best)
			return;
		due->times[i] = best;
	}
}

#endif
