/* SPDX-License-Identifier: BSD-3-Clause */
/* Pause: a span of time that frames tell us to keep still. */
#include "sw_int.h"

void pause_set(struct sw_pause *pause, uint64_t t_ps, uint64_t until_ps)
{
	uint64_t end = pause->until < t_ps ? pause->until : t_ps;

	if (end > pause->from)
		pause->total_ps += end - pause->from;
	pause->from = t_ps;
	pause->until = until_ps;
}

uint64_t pause_total(const struct sw_pause *pause, uint64_t now_ps)
{
	uint64_t end = pause->until < now_ps ? pause->until : now_ps;

	return pause->total_ps + (end > pause->from ? end - pause->from : 0);
}
