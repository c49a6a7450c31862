/* SPDX-License-Identifier: BSD-3-Clause */
#include "source.h"

struct source source_of_seed(uint64_t seed)
{
	return (struct source){.state = seed * 0x9e3779b97f4a7c15ULL + 1};
}

struct source source_of_bytes(const uint8_t *bytes, size_t n)
{
	return (struct source){.bytes = bytes, .left = n};
}

bool source_done(const struct source *source)
{
	return source->bytes != NULL && source->left == 0;
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next(struct source *source)
{
	uint64_t z = source->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static uint64_t take(struct source *source, int bytes)
{
	uint64_t value = 0;

	for (; bytes > 0 && source->left > 0; bytes--, source->left--)
		value = value << 8 | *source->bytes++;
	return value;
}

uint64_t draw64(struct source *source)
{
	return source->bytes == NULL ? next(source) : take(source, 8);
}

uint32_t draw(struct source *source, uint32_t n)
{
	if (source->bytes == NULL)
		return (uint32_t)((next(source) >> 32) * n >> 32);
	if (n == 1)
		return 0;
	return (uint32_t)(take(source, n <= 256 ? 1 : n <= 65536 ? 2 : 4) % n);
}

bool one_in(struct source *source, uint32_t n)
{
	return draw(source, n) == n - 1;
}

uint32_t draw_between(struct source *source, uint32_t low, uint32_t high)
{
	return low + draw(source, high - low + 1);
}

uint32_t draw_weighted(struct source *source, const uint8_t *weights)
{
	uint32_t sum = 0, i = 0, at;

	for (const uint8_t *w = weights; *w != 0; w++)
		sum += *w;
	at = draw(source, sum);
	while (at >= weights[i])
		at -= weights[i++];
	return i;
}
