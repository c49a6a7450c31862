/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixing of integers: for the tables that the hot path probes and for ECMP. Pure functions, any
 * thread. Words are loaded little-endian, so that every machine gets the same bits.
 */
#ifndef RY_HASH_H
#define RY_HASH_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

struct sw;
struct pkt;

static inline uint64_t hash_load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static inline uint32_t hash_load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

/* A MAC in the low 48 bits. */
static inline uint64_t hash_load48(const uint8_t *p)
{
	return hash_load32(p) | (uint64_t)p[5] << 40 | (uint64_t)p[4] << 32;
}

/* Two words into one: a full 64 x 64 product folded, so that every input bit reaches the low and
 * the high bits of the result. The odd constants keep small and equal inputs apart. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product =
		(unsigned __int128)(a ^ 0x9e3779b97f4a7c15) * (b ^ 0xd1b54a32d192ed03);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* 0..n-1 from the hash's upper half: a multiply and a shift instead of a division; no member gets
 * more than its share by more than n in 2^32. */
static inline uint32_t hash_member(uint64_t hash, uint32_t n)
{
	return (uint32_t)(((hash >> 32) * n) >> 32);
}

/* hash.c: the frame's flow, by the fields that cfg names, seeded by cfg. */
uint64_t hash_flow(const struct sw *sw, const struct pkt *pkt);

#endif
