/* SPDX-License-Identifier: BSD-3-Clause */
/* lockstep-record FILE FRAMES [SEED]: writes a script whose gaps carry the jitter of this machine's
 * clock: each gap has the time that passed since the gap before was made, stalls included. So no
 * two recordings are alike, and what one finds can be kept. */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MEAN_WIRE_PS 24000000ULL /* some 600 bytes at 200 Mb/s */

static uint64_t state;

static uint32_t random32(void)
{
	state += 0x9e3779b97f4a7c15ULL;
	uint64_t z = state;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static uint64_t clock_ps(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000000ULL + (uint64_t)now.tv_nsec * 1000;
}

static uint16_t frame_type(void)
{
	uint32_t dice = random32() % 1000;

	if (dice < 480)
		return SCRIPT_ROCE;
	if (dice < 560)
		return SCRIPT_ROCE_V6;
	if (dice < 800)
		return SCRIPT_LOSSY;
	if (dice < 900)
		return SCRIPT_ROUTED;
	if (dice < 940)
		return SCRIPT_TAGGED;
	if (dice < 944)
		return SCRIPT_BROADCAST;
	if (dice < 954)
		return SCRIPT_ARP;
	if (dice < 960)
		return SCRIPT_PING;
	return dice < 994 ? SCRIPT_PFC : SCRIPT_RUNT;
}

/* Control acts lie between frames, in pairs where the second undoes the first. */
static uint16_t act(uint64_t i, uint16_t *port)
{
	static const uint16_t acts[] = {SCRIPT_HOLD,      SCRIPT_SWAP, SCRIPT_RELEASE, SCRIPT_SET,
					SCRIPT_LINK_DOWN, SCRIPT_SWAP, SCRIPT_LINK_UP};

	*port = (uint16_t)(i / 7 * 5 % SCRIPT_PORTS);
	return acts[i % 7];
}

static int earliest(const uint64_t *next)
{
	int best = 0;

	for (int p = 1; p < SCRIPT_PORTS; p++)
		if (next[p] < next[best])
			best = p;
	return best;
}

int main(int argc, char **argv)
{
	uint64_t next[SCRIPT_PORTS], frames, last = 0, acts = 0, before;
	FILE *out;

	if (argc < 3 || (out = fopen(argv[1], "wb")) == NULL) {
		fprintf(stderr, "usage: lockstep-record FILE FRAMES [SEED]\n");
		return 2;
	}
	frames = strtoull(argv[2], NULL, 10);
	state = argc > 3 ? strtoull(argv[3], NULL, 10) : clock_ps();
	printf("seed %llu\n", (unsigned long long)state);
	for (int p = 0; p < SCRIPT_PORTS; p++)
		next[p] = 1000000 + (uint64_t)p;
	before = clock_ps();
	for (uint64_t i = 0; i < frames; i++) {
		int p = earliest(next);
		struct script_event e = {next[p], (uint16_t)p, frame_type(), random32()};
		uint64_t now = clock_ps();

		/* Half of the ports sends at line rate for a while, the others now and then. */
		next[p] += MEAN_WIRE_PS / 4 + now % 7 + (now - before) % (64 * MEAN_WIRE_PS);
		next[p] += (e.t_ps >> 35 & 1) == (unsigned)(p & 1)
				   ? random32() % (2 * MEAN_WIRE_PS)
				   : random32() % (8 * MEAN_WIRE_PS);
		before = now;
		if (i % 500 == 250 && e.t_ps > last + 2) {
			struct script_event c = {.t_ps = e.t_ps - 1};

			c.type = act(acts++, &c.port);
			if (c.t_ps > last)
				fwrite(&c, sizeof(c), 1, out);
		}
		last = e.t_ps;
		fwrite(&e, sizeof(e), 1, out);
	}
	return fclose(out) == 0 ? 0 : 1;
}
