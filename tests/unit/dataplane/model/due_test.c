/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/due.c"

#include "tests/unit/cu.h"

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

/* Against a scan of all: first time, and the lowest index that has it. */
static void brute_force(uint32_t n)
{
	uint64_t times[67], state = n;
	struct due due;

	CU_ASSERT_EQUAL_FATAL(due_init(&due, n), 0);
	for (uint32_t i = 0; i < n; i++)
		times[i] = UINT64_MAX;
	CU_ASSERT_EQUAL(due_first(&due), UINT64_MAX);
	for (int step = 0; step < 3000; step++) {
		uint32_t i = next_random(&state) % n, first = 0;

		/* few values: many ties */
		times[i] = next_random(&state) % 4 == 0 ? UINT64_MAX : next_random(&state) % 16;
		due_set(&due, i, times[i]);
		for (uint32_t j = 1; j < n; j++)
			if (times[j] < times[first])
				first = j;
		CU_ASSERT_EQUAL(due_first(&due), times[first]);
		CU_ASSERT_EQUAL(due_first_index(&due), first);
	}
	due_free(&due);
}

static void like_a_scan(void)
{
	static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 64, 65, 67};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		brute_force(sizes[i]);
}

static void free_forgets(void)
{
	struct due due;

	CU_ASSERT_EQUAL_FATAL(due_init(&due, 5), 0);
	due_free(&due);
	CU_ASSERT_PTR_NULL(due.times);
	due_free(&due);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"due_set__like_a_scan", like_a_scan},
		{"due_free__forgets", free_forgets},
		{NULL, NULL},
	};

	return cu_main("model/due", cases);
}
