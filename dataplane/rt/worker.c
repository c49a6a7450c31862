/* SPDX-License-Identifier: BSD-3-Clause */
/* The worker's loop: one clock read a turn, then each of its switches. */
#define _GNU_SOURCE
#include "control.h"
#include "rt_int.h"

#include <errno.h>
#include <pthread.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <sched.h>
#include <sys/prctl.h>

#define CLEANUP_IDLE_POLLS 1024

static int set_up(struct rt_worker *worker)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(worker->cpu, &set);
	/* A container may forbid pinning: the worker then runs where it is let. */
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	/* Naps must end when they should; the default slack adds 50 us. */
	prctl(PR_SET_TIMERSLACK, 1000);
	pthread_setname_np(pthread_self(), "ry-worker");
	if (rte_thread_register() != 0)
		return -rte_errno;
	worker->numa = (int)rte_socket_id();
	return 0;
}

/* Drivers free sent frames when they send more; on an idle port the last ones would stay. */
static void cleanup(struct rt_worker *worker)
{
	uint16_t i, j;

	for (i = 0; i < worker->n_switches; i++) {
		struct rt_switch *s = worker->switches[i];

		for (j = 0; j < s->n_active; j++) {
			struct rt_port *port = s->active[j];

			if (port->kind == RT_PORT_DEVICE && !port->offline && !port->no_cleanup)
				port->no_cleanup =
					rte_eth_tx_done_cleanup(port->device.id, 0, 0) < 0;
		}
	}
}

static bool turn(struct rt_worker *worker)
{
	/* The step before the clock: a turn that began before a step does not answer for it. */
	uint64_t step = atomic_load_explicit(&worker->rt->step, memory_order_acquire);
	uint64_t now = rt_clock_now(&worker->rt->clock);
	bool worked = false, all = true, caught;
	uint16_t i;

	rt_control_read(worker);
	for (i = 0; i < worker->n_switches; i++) {
		worked |= rt_turn(worker->switches[i], now, &caught);
		all &= caught;
	}
	if (all && worker->rt->clock.manual)
		atomic_store_explicit(&worker->caught, step, memory_order_release);
	worker->polls++;
	if (!worked && worker->idle_polls++ % CLEANUP_IDLE_POLLS == 0)
		cleanup(worker);
	atomic_fetch_add_explicit(&worker->turns, 1, memory_order_relaxed);
	return worked;
}

void *rt_worker_main(void *arg)
{
	struct rt_worker *worker = arg;
	struct rt_nap nap = {0, 0};
	int ret = set_up(worker);

	atomic_store(&worker->state, ret == 0 ? 1 : ret);
	if (ret != 0)
		return NULL;
	while (!atomic_load_explicit(&worker->rt->stop, memory_order_relaxed))
		rt_nap(&nap, worker, turn(worker));
	rte_thread_unregister();
	return NULL;
}
