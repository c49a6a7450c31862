/* SPDX-License-Identifier: BSD-3-Clause */
/* Where things run: workers on CPUs, CPUs and devices on NUMA nodes, and what is unlucky about it. */
#ifndef RY_DAEMON_PLACEMENT_H
#define RY_DAEMON_PLACEMENT_H

#include "running.h"

#include <jansson.h>

/* Lines for the user, each with its cure; of the last snapshot. */
json_t *placement_warnings(const struct running *run);
/* Who has the packet buffers. */
json_t *placement_buffers(const struct rt_buffer_stats *buffers);

#endif
