/* SPDX-License-Identifier: BSD-3-Clause */
/* Longest-prefix match over 16-byte addresses, IPv4 as ::ffff:a.b.c.d.
 *
 * One hash table holds all prefixes; a lookup probes it once for each length that is present in the
 * address's family, longest first. Fabrics have two or three lengths, so this beats a trie. The
 * families are kept apart: ::/0 is no route for an IPv4 address. Built by the control thread,
 * read-only after; owned by the snapshot that embeds it.
 */
#ifndef RY_LPM_H
#define RY_LPM_H

#include <stdbool.h>
#include <stdint.h>

#define LPM_NONE UINT32_MAX
#define LPM_BITS 128

struct lpm_slot; /* lpm.c */

struct lpm_len {
	uint64_t mask[2]; /* over the address as two little-endian words */
	uint8_t len;      /* bits */
};

struct lpm {
	struct lpm_slot *slots;
	uint32_t slot_mask;
	uint8_t n_lens[2];                    /* by family: 0 IPv6, 1 IPv4 */
	struct lpm_len lens[2][LPM_BITS + 1]; /* longest first */
};

/* Room for n prefixes; -ENOMEM. */
int lpm_init(struct lpm *lpm, uint32_t n);
void lpm_free(struct lpm *lpm);

/* False when the prefix is there already. prefix has no bits beyond len; value is not LPM_NONE. */
bool lpm_add(struct lpm *lpm, const uint8_t prefix[16], uint8_t len, uint32_t value);

/* The value of the longest prefix that holds ip, LPM_NONE when none does. */
uint32_t lpm_find(const struct lpm *lpm, const uint8_t ip[16]);

#endif
