/* SPDX-License-Identifier: BSD-3-Clause */
/* One way to play a script: the two drivers side by side, as verbs. */
#ifndef RY_TEST_LOCKSTEP_PLAY_H
#define RY_TEST_LOCKSTEP_PLAY_H

#include "script.h"

struct result {
	struct sw_stats stats;
	struct sw_port_stats ports[SCRIPT_PORTS];
	uint64_t leaked;
};

/* After the last event the switch runs on until this much later. */
#define PLAY_TAIL_PS 6000000000000ULL

/* Prints it (print.c). */
void result_print(const struct result *result);

/* 0, or -1 after saying why. */
int play_sim(const struct script *script, struct result *result);
/* A part of it, from a checkpoint's time (in: a file; NULL = a new switch, from the start) to before
 * until_ps, where out gets a checkpoint. out == NULL: to the end, and result says what came of it. */
int play_part(const struct script *script, const char *in, const char *out, uint64_t until_ps,
	      struct result *result);
/* On net_ring ports under a manual clock that moves by cadence_ps; burst: frames a poll. */
int play_rt(const struct script *script, uint64_t cadence_ps, uint16_t burst,
	    struct result *result);

#endif
