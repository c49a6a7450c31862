/* SPDX-License-Identifier: BSD-3-Clause */
/* The workers' threads: how many, on which CPU, with which switches; started, ended, started again
 * under switches that go on. */
#include "eal.h"
#include "rt_int.h"

#include <errno.h>
#include <rte_cycles.h>
#include <rte_lcore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_CPUS 1024

static int no_memory(struct err *err)
{
	return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "memory for workers");
}

static int count_workers(struct rt *rt, const struct rt_config *config, uint16_t *cpus,
			 uint32_t *n_cpus, struct err *err)
{
	uint32_t want = config->workers, room;
	char found[64];

	*n_cpus = rt_eal_cpus(cpus);
	if (*n_cpus == 0)
		return err_set(err, ERR_ENVIRONMENT, ENODEV, "real.workers", "no CPU", "one");
	/* Control needs a CPU too, when there is more than one. */
	room = *n_cpus > 1 ? *n_cpus - 1 : 1;
	if (want == 0)
		want = config->n_switches < room ? config->n_switches : room;
	if (want > config->n_switches)
		want = config->n_switches;
	rt->n_workers = (uint16_t)want;
	if (want <= *n_cpus || config->poll == RT_POLL_ADAPTIVE || config->manual_clock)
		return 0;
	snprintf(found, sizeof(found), "%u CPUs for %u busy workers", *n_cpus, want);
	return err_set(err, ERR_ENVIRONMENT, EBUSY, "real.workers", found,
		       "a CPU each; lower real.workers or say poll: adaptive");
}

int rt_workers_make(struct rt *rt, const struct rt_config *config, struct err *err)
{
	uint16_t cpus[MAX_CPUS], i, at = 0;
	char name[RTE_RING_NAMESIZE];
	uint32_t n_cpus, s;
	int ret = count_workers(rt, config, cpus, &n_cpus, err);

	if (ret != 0)
		return ret;
	rt->workers = calloc(rt->n_workers + 1u, sizeof(*rt->workers));
	rt->by_worker = calloc(rt->n_switches, sizeof(struct rt_switch *));
	if (rt->workers == NULL || rt->by_worker == NULL)
		return no_memory(err);
	for (i = 0; i < rt->n_workers; i++) {
		struct rt_worker *worker = &rt->workers[i];

		worker->rt = rt;
		worker->cpu = cpus[i % n_cpus];
		worker->switches = &rt->by_worker[at];
		for (s = i; s < rt->n_switches; s += rt->n_workers) {
			rt->by_worker[at++] = &rt->switches[s];
			rt->switches[s].worker = worker;
			worker->n_switches++;
		}
		snprintf(name, sizeof(name), "ry%u_w%u", rt->number, i);
		worker->messages = rte_ring_create(name, RT_MESSAGES, SOCKET_ID_ANY,
						   RING_F_SP_ENQ | RING_F_SC_DEQ);
		if (worker->messages == NULL)
			return no_memory(err);
	}
	return 0;
}

int rt_workers_launch(struct rt *rt, struct err *err)
{
	struct timespec nap = {0, 100000};
	uint16_t i;
	int state;

	for (i = 0; i < rt->n_workers; i++) {
		struct rt_worker *worker = &rt->workers[i];
		int ret = pthread_create(&worker->thread, NULL, rt_worker_main, worker);

		if (ret != 0)
			return err_set(err, ERR_ENVIRONMENT, ret, "real.workers", strerror(ret),
				       "a thread for each worker");
		worker->created = true;
		while ((state = atomic_load(&worker->state)) == 0)
			nanosleep(&nap, NULL);
		if (state < 0)
			return err_set(err, ERR_ENVIRONMENT, -state, "real.workers",
				       strerror(-state),
				       "DPDK to take worker %u; it knows %u "
				       "threads at most",
				       i, RTE_MAX_LCORE);
	}
	return 0;
}

void rt_workers_join(struct rt *rt)
{
	uint16_t i;

	atomic_store(&rt->stop, true);
	for (i = 0; i < rt->n_workers && rt->workers != NULL; i++)
		if (rt->workers[i].created)
			pthread_join(rt->workers[i].thread, NULL);
}

/* While no worker runs. */
static void count_buffers(struct rt *rt, struct rt_buffer_stats *out)
{
	struct sw_stats scratch = {.ports = rt_inventory_scratch(rt)};
	uint16_t i;

	*out = (struct rt_buffer_stats){0};
	for (i = 0; scratch.ports != NULL && i < rt->n_switches; i++)
		rt_inventory_switch(&rt->switches[i], &scratch, out);
	rt_inventory_pools(rt, out);
	free(scratch.ports);
}

int rt_workers_restart(struct rt *rt, struct rt_buffer_stats *buffers, struct err *err)
{
	uint64_t tsc = rte_rdtsc();
	uint16_t i;

	rt_workers_join(rt);
	for (i = 0; i < rt->n_workers; i++) {
		rt->workers[i].created = false;
		atomic_store(&rt->workers[i].state, 0);
	}
	if (buffers != NULL)
		count_buffers(rt, buffers);
	atomic_store(&rt->stop, false);
	/* Nobody was there to send in time: model time stood still meanwhile. What came to a device
	 * waits in its ring, as after any poll that was late. */
	if (!rt->clock.manual)
		rt->clock.base_tsc += rte_rdtsc() - tsc;
	return rt_workers_launch(rt, err);
}
