/* SPDX-License-Identifier: BSD-3-Clause */
/* A running daemon without its machine: a scenario of two switches on the fake rt. */
#ifndef RY_TEST_DAEMON_BENCH_H
#define RY_TEST_DAEMON_BENCH_H

#include "control/daemon/running.h"
#include "fake_rt.h"

#include <CUnit/Basic.h>
#include <stdlib.h>
#include <unistd.h>

static const char bench_text[] =
	"railyard: 1\n"
	"name: bench\n"
	"topology: {kind: dumbbell, left: 1, right: 1, middle: {rate: 1Gbps, delay: 1us}}\n"
	"ports:\n"
	"  s1-h1: {dev: net_null0, mtu: 1500}\n"
	"  s2-h2: {dev: net_null1, mtu: 1500}\n";

static struct running bench;

static void bench_load(const char *text)
{
	char path[] = "/tmp/railyard-bench-XXXXXX";
	int fd = mkstemp(path);
	struct err err = {0};
	char line[1024];

	memset(&bench, 0, sizeof(bench));
	memset(&fake, 0, sizeof(fake));
	fake.refuse_set = -1;
	fake.valid = true;
	CU_ASSERT_EQUAL_FATAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	CU_ASSERT_EQUAL_FATAL(source_open(&bench.source, path, &err), 0);
	unlink(path);
	if (running_load(&bench, &err) != 0)
		printf("%s\n", err_text(&err, line, sizeof(line)));
	CU_ASSERT_EQUAL_FATAL(err.status, ERR_NONE);
}

static void bench_up(void)
{
	struct err err = {0};

	bench_load(bench_text);
	CU_ASSERT_EQUAL_FATAL(running_start(&bench, &err), 0);
}

static void bench_down(void)
{
	running_stop(&bench);
	running_free(&bench);
	source_close(&bench.source);
}

#endif
