/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/lpm.c"

#include "dataplane/model/addr.h"
#include "tests/unit/cu.h"

#define ROUTES 10000
#define PROBES 10000

struct prefix {
	uint8_t ip[16], len;
};

static uint64_t next_random(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15;
	return hash_mix(*state, *state >> 17);
}

static bool holds(const struct prefix *prefix, const uint8_t ip[16])
{
	for (uint32_t i = 0; i < prefix->len; i++)
		if ((prefix->ip[i / 8] ^ ip[i / 8]) & (0x80 >> (i % 8)))
			return false;
	return prefix->len >= 96 ? true : !addr_is_v4(ip);
}

static uint32_t reference(const struct prefix *prefixes, uint32_t n, const uint8_t ip[16])
{
	uint32_t best = LPM_NONE;

	for (uint32_t i = 0; i < n; i++)
		if ((best == LPM_NONE || prefixes[i].len > prefixes[best].len) &&
		    holds(&prefixes[i], ip))
			best = i;
	return best;
}

/* Few distinct bits, so that prefixes nest and addresses hit. */
static void random_ip(uint64_t *state, bool v4, uint8_t ip[16])
{
	uint64_t r = next_random(state);

	memset(ip, 0, 16);
	if (v4) {
		memcpy(ip, addr_v4_prefix, 12);
		ip[12] = 10;
		ip[13] = r & 7;
	} else {
		ip[0] = 0xfd;
		ip[5] = r & 3;
	}
	ip[14] = (r >> 8) & 0x83;
	ip[15] = (uint8_t)(r >> 16);
}

static void cut(struct prefix *prefix)
{
	for (uint32_t i = prefix->len; i < 128; i++)
		prefix->ip[i / 8] &= (uint8_t) ~(0x80 >> (i % 8));
}

static void as_brute_force(void)
{
	static struct prefix prefixes[ROUTES];
	uint64_t state = 1;
	uint32_t n = 0, hits = 0, wrong = 0;
	struct lpm lpm;

	CU_ASSERT_EQUAL_FATAL(lpm_init(&lpm, ROUTES), 0);
	for (int i = 0; i < ROUTES; i++) {
		struct prefix *prefix = &prefixes[n];
		bool v4 = next_random(&state) & 1, there = false;

		random_ip(&state, v4, prefix->ip);
		prefix->len = v4 ? 96 + next_random(&state) % 33 : next_random(&state) % 129;
		cut(prefix);
		for (uint32_t k = 0; k < n && !there; k++)
			there = prefixes[k].len == prefix->len &&
				memcmp(prefixes[k].ip, prefix->ip, 16) == 0;
		wrong += lpm_add(&lpm, prefix->ip, prefix->len, n) == there;
		n += !there;
	}
	for (int i = 0; i < PROBES; i++) {
		uint8_t ip[16];
		uint32_t found;

		random_ip(&state, i & 1, ip);
		found = lpm_find(&lpm, ip);
		wrong += found != reference(prefixes, n, ip);
		hits += found != LPM_NONE;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(n > 1000);
	CU_ASSERT(hits > PROBES / 2);
	lpm_free(&lpm);
}

static void families_apart(void)
{
	uint8_t zero[16] = {0}, v4[16], v6[16] = {0xfd, [15] = 1};
	struct lpm lpm;

	addr_from_v4(v4, (uint8_t[4]){10, 0, 0, 1});
	CU_ASSERT_EQUAL_FATAL(lpm_init(&lpm, 2), 0);
	CU_ASSERT(lpm_add(&lpm, zero, 0, 1));
	CU_ASSERT_EQUAL(lpm_find(&lpm, v6), 1);
	CU_ASSERT_EQUAL(lpm_find(&lpm, v4), LPM_NONE);
	memcpy(zero, addr_v4_prefix, 12);
	CU_ASSERT(lpm_add(&lpm, zero, 96, 2));
	CU_ASSERT_EQUAL(lpm_find(&lpm, v4), 2);
	CU_ASSERT_EQUAL(lpm_find(&lpm, v6), 1);
	lpm_free(&lpm);
}

static void empty(void)
{
	uint8_t ip[16] = {0xfd};
	struct lpm lpm;

	CU_ASSERT_EQUAL_FATAL(lpm_init(&lpm, 0), 0);
	CU_ASSERT_EQUAL(lpm_find(&lpm, ip), LPM_NONE);
	lpm_free(&lpm);
}

static void refuses_second(void)
{
	uint8_t ip[16] = {0xfd};
	struct lpm lpm;

	CU_ASSERT_EQUAL_FATAL(lpm_init(&lpm, 2), 0);
	CU_ASSERT(lpm_add(&lpm, ip, 8, 5));
	CU_ASSERT_FALSE(lpm_add(&lpm, ip, 8, 6));
	CU_ASSERT(lpm_add(&lpm, ip, 9, 6));
	CU_ASSERT_EQUAL(lpm_find(&lpm, ip), 6);
	ip[1] = 0x80;
	CU_ASSERT_EQUAL(lpm_find(&lpm, ip), 5);
	lpm_free(&lpm);
}

static const struct cu_case cases[] = {
	{"lpm_find__as_brute_force", as_brute_force},
	{"lpm_find__families_apart", families_apart},
	{"lpm_find__empty", empty},
	{"lpm_add__refuses_second", refuses_second},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/lpm", cases);
}
