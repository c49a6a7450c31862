/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline: the stages a frame meets, in order, as direct calls on one page (pipelines/). */
#ifndef RY_PIPELINE_H
#define RY_PIPELINE_H

#include "sw.h"

struct sw_port; /* sw_int.h */

struct pipeline {
	const char *name, *help;
	bool lossless; /* has PGs that can pause; without it pfc_mask is ignored */
	/* A burst that arrives at t, already parsed. */
	void (*rx)(struct sw *sw, uint64_t t_ps, struct pkt **pkts, uint32_t n);
	/* One classified frame that is past the port and its edge: where to? */
	void (*arrive)(struct sw *sw, uint64_t t_ps, struct pkt *pkt);
	/* One frame whose out_port is known: buffer and queue. */
	void (*enqueue)(struct sw *sw, uint64_t t_ps, struct pkt *pkt);
	/* The frame that a port sends at t, or NULL when none may leave. */
	struct pkt *(*tx)(struct sw *sw, uint64_t t_ps, struct sw_port *port);
};

#endif
