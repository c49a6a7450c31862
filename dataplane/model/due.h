/* SPDX-License-Identifier: BSD-3-Clause */
/* The earliest of n times, each of a port. Equal times go to the lower port.
 *
 * A tournament tree: setting one is log2(n) compares, reading the first is one. A port that was first
 * twice in a row is likely to be so again (an incast has one busy port): it stands outside the tree as
 * the favourite, where setting its time costs nothing, until another beats it twice.
 */
#ifndef RY_DUE_H
#define RY_DUE_H

#include <stdint.h>

#define DUE_NONE UINT32_MAX

struct due {
	uint64_t favourite_time; /* UINT64_MAX while there is none */
	uint32_t favourite;      /* DUE_NONE = none; its leaf is UINT64_MAX */
	uint32_t last;           /* who was first the last time, DUE_NONE at the start */
	uint32_t leaves;         /* power of two */
	uint64_t *times;         /* 2 x leaves; [1] is the winner's time, [leaves + i] is i's */
};

int due_init(struct due *due, uint32_t n); /* all never; -ENOMEM */
void due_free(struct due *due);
/* The index takes the favourite's place, which goes back into the tree. */
__attribute__((noinline)) void due_favour(struct due *due, uint32_t index);

static inline uint64_t due_first(const struct due *due)
{
	uint64_t root = due->times[1];

	return due->favourite_time < root ? due->favourite_time : root;
}

static inline uint32_t due_winner(const struct due *due)
{
	const uint64_t *times = due->times;
	uint64_t first = times[1];
	uint32_t i = 1;

	while (i < due->leaves) {
		i *= 2;
		i += times[i] != first;
	}
	return i - due->leaves;
}

static inline uint32_t due_first_index(struct due *due)
{
	uint32_t winner;

	if (due->favourite_time < due->times[1])
		return due->favourite;
	winner = due_winner(due);
	if (due->favourite_time == due->times[1] && due->favourite < winner)
		return due->favourite;
	if (due->last == winner)
		due_favour(due, winner);
	due->last = winner;
	return winner;
}

/* Up to the root whatever it meets on the way: so the branch is foreseen. */
static inline void due_tree_set(struct due *due, uint32_t index, uint64_t time)
{
	uint64_t *times = due->times;
	uint32_t i = due->leaves + index;

	times[i] = time;
	do {
		uint64_t other = times[i ^ 1];

		time = other < time ? other : time;
		i /= 2;
		times[i] = time;
	} while (i > 1);
}

static inline void due_set(struct due *due, uint32_t index, uint64_t time)
{
	if (index == due->favourite)
		due->favourite_time = time;
	else if (due->times[due->leaves + index] != time)
		due_tree_set(due, index, time);
}

#endif
