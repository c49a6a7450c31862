/* SPDX-License-Identifier: BSD-3-Clause */
#include "lpm.h"
#include "hash.h"

#include <errno.h>
#include <stdlib.h>

#define V4_LEN 96 /* ::ffff:0:0/96 holds all of IPv4 (RFC 4291, 2.5.5.2) */

struct lpm_slot {
	uint64_t word[2];
	uint32_t value; /* LPM_NONE = empty */
	uint8_t len;
} __attribute__((aligned(32)));

int lpm_init(struct lpm *lpm, uint32_t n)
{
	uint32_t size = 2;

	/* At most half full: a miss ends at the first or second slot. */
	while (size / 2 < n)
		size *= 2;
	memset(lpm, 0, sizeof(*lpm));
	lpm->slots = aligned_alloc(sizeof(*lpm->slots), size * sizeof(*lpm->slots));
	if (lpm->slots == NULL)
		return -ENOMEM;
	lpm->slot_mask = size - 1;
	for (uint32_t i = 0; i < size; i++)
		lpm->slots[i] = (struct lpm_slot){.value = LPM_NONE};
	return 0;
}

void lpm_free(struct lpm *lpm)
{
	free(lpm->slots);
	lpm->slots = NULL;
}

/* The slot of a prefix, or the empty one where it would go. */
static inline struct lpm_slot *lpm_slot(const struct lpm *lpm, uint64_t a, uint64_t b, uint8_t len)
{
	uint64_t i = hash_mix(a + len, b);

	for (;; i++) {
		struct lpm_slot *slot = &lpm->slots[i & lpm->slot_mask];

		if (slot->value == LPM_NONE ||
		    (slot->word[0] == a && slot->word[1] == b && slot->len == len))
			return slot;
	}
}

static inline bool is_v4(uint64_t a, uint64_t b)
{
	return a == 0 && (uint32_t)b == 0xffff0000;
}

static void set_mask(struct lpm_len *entry, uint8_t len)
{
	uint8_t bytes[16] = {0};

	for (uint32_t i = 0; i < len; i++)
		bytes[i / 8] |= (uint8_t)(0x80 >> (i % 8));
	entry->mask[0] = hash_load64(bytes);
	entry->mask[1] = hash_load64(bytes + 8);
	entry->len = len;
}

/* Keeps the list of lengths sorted, longest first. */
static void add_len(struct lpm *lpm, int family, uint8_t len)
{
	struct lpm_len *lens = lpm->lens[family];
	uint8_t i = lpm->n_lens[family];

	for (uint8_t k = 0; k < i; k++)
		if (lens[k].len == len)
			return;
	for (; i > 0 && lens[i - 1].len < len; i--)
		lens[i] = lens[i - 1];
	set_mask(&lens[i], len);
	lpm->n_lens[family]++;
}

bool lpm_add(struct lpm *lpm, const uint8_t prefix[16], uint8_t len, uint32_t value)
{
	uint64_t a = hash_load64(prefix), b = hash_load64(prefix + 8);
	struct lpm_slot *slot = lpm_slot(lpm, a, b, len);

	if (slot->value != LPM_NONE)
		return false;
	*slot = (struct lpm_slot){.word = {a, b}, .value = value, .len = len};
	add_len(lpm, len >= V4_LEN && is_v4(a, b), len);
	return true;
}

uint32_t lpm_find(const struct lpm *lpm, const uint8_t ip[16])
{
	uint64_t a = hash_load64(ip), b = hash_load64(ip + 8);
	int family = is_v4(a, b);
	const struct lpm_len *l = lpm->lens[family], *end = l + lpm->n_lens[family];

	for (; l < end; l++) {
		const struct lpm_slot *slot = lpm_slot(lpm, a & l->mask[0], b & l->mask[1], l->len);

		if (slot->value != LPM_NONE)
			return slot->value;
	}
	return LPM_NONE;
}
