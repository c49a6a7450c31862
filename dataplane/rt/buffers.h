/* SPDX-License-Identifier: BSD-3-Clause */
/* The pools of a running driver: planned from the whole configuration, made, handed to the ports.
 * Control thread, after the devices are open and before they start. */
#ifndef RY_RT_BUFFERS_H
#define RY_RT_BUFFERS_H

#include "rt_int.h"

/* -ENOMEM and the arithmetic in *err; what was made stays for rt_buffers_close. */
int rt_buffers_open(struct rt *rt, const struct rt_config *config, struct err *err);
/* Frees them; returns the mbufs that had not come back. */
uint32_t rt_buffers_close(struct rt *rt);

/* Whether the pools can hold what a switch could under this configuration; -ENOMEM and *err. */
int rt_buffers_hold(const struct rt_switch *s, const struct sw_config *config, struct err *err);

#endif
