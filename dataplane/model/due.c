/* SPDX-License-Identifier: BSD-3-Clause */
#include "due.h"

#include <errno.h>
#include <stdlib.h>

int due_init(struct due *due, uint32_t n)
{
	due->favourite = due->last = DUE_NONE;
	due->favourite_time = UINT64_MAX;
	due->leaves = 2;
	while (due->leaves < n)
		due->leaves *= 2;
	due->times = malloc(2 * due->leaves * sizeof(*due->times));
	if (due->times == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < 2 * due->leaves; i++)
		due->times[i] = UINT64_MAX;
	return 0;
}

void due_free(struct due *due)
{
	free(due->times);
	due->times = NULL;
}

void due_favour(struct due *due, uint32_t index)
{
	uint64_t time = due->times[due->leaves + index];

	if (due->favourite != DUE_NONE)
		due_tree_set(due, due->favourite, due->favourite_time);
	due_tree_set(due, index, UINT64_MAX);
	due->favourite = index;
	due->favourite_time = time;
}
