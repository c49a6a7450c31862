/* SPDX-License-Identifier: BSD-3-Clause */
/* What a device lost before the switch took it, by the names of list.h. Frames, free-running from
 * the moment we had the device. Control thread: some drivers take long to answer, and no number here
 * is the model's.
 */
#ifndef RY_RT_LOSSES_H
#define RY_RT_LOSSES_H

#include "dataplane/model/list.h"
#include "device.h"

/* After the device started: remembers what it had counted before. */
void rt_losses_begin(struct rt_device *device);
/* Fills what the device knows; the rest is 0. */
void rt_losses_read(struct rt_device *device, uint64_t out[SW_LOSSES]);

#endif
