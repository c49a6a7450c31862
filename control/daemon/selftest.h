/* SPDX-License-Identifier: BSD-3-Clause */
/* railyardd --selftest: the verdicts of rt_selftest for a reader. Control thread. */
#ifndef RY_DAEMON_SELFTEST_H
#define RY_DAEMON_SELFTEST_H

#include "control/options.h"
#include "dataplane/rt/selftest.h"

/* Tests the devices that args names and prints. The exit status: 1 when something does not work. */
int selftest_run(const struct args *args);

/* The verdicts as a table, or as JSON; how many are not "works". */
int selftest_print(const struct rt_selftest *test, bool json, FILE *out);

#endif
