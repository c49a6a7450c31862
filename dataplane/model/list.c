/* SPDX-License-Identifier: BSD-3-Clause */
/* list: the names of list.h as arrays, in enum order. */
#include "list.h"

#include <stddef.h>

#define WITH_STAGE(e, name, stage, help) {name, stage, help},
#define WITHOUT_STAGE(e, name, help) {name, NULL, help},

const struct sw_name sw_drop_names[SW_DROPS] = {SW_DROP_LIST(WITH_STAGE)};
const struct sw_name sw_loss_names[SW_LOSSES] = {SW_LOSS_LIST(WITH_STAGE)};
const struct sw_name sw_port_counter_names[SW_PORT_COUNTERS] = {
	SW_PORT_COUNTER_LIST(WITHOUT_STAGE)};
const struct sw_name sw_prio_counter_names[SW_PRIO_COUNTERS] = {
	SW_PRIO_COUNTER_LIST(WITHOUT_STAGE)};
const struct sw_name sw_queue_counter_names[SW_QUEUE_COUNTERS] = {
	SW_QUEUE_COUNTER_LIST(WITHOUT_STAGE)};
const struct sw_name sw_event_names[SW_EVENTS] = {SW_EVENT_LIST(WITHOUT_STAGE)};
const struct sw_name sw_watchdog_counter_names[SW_WATCHDOG_COUNTERS] = {
	SW_WATCHDOG_COUNTER_LIST(WITHOUT_STAGE)};
