/* SPDX-License-Identifier: BSD-3-Clause */
/* Adaptive polling: busy for a while after the last frame, then naps that grow, so that guests on
 * the same cores get time. A nap never goes past what the model wants next. */
#include "control.h"
#include "rt_int.h"

#include <rte_cycles.h>
#include <rte_pause.h>
#include <time.h>

#define BUSY_NS 20000 /* after the last frame */
#define FIRST_NAP_NS 5000
#define LAST_NAP_NS 200000
#define CABLE_NAP_NS 20000    /* a neighbour worker waits for our promise */
#define MANUAL_BUSY_NS 200000 /* between two steps of a manual clock */

/* Wall ns until something is due; 0 when a stage waits for its device. */
static uint64_t due_ns(const struct rt_worker *worker)
{
	const struct rt_clock *clock = &worker->rt->clock;
	uint64_t now, next = SW_NEVER, t;
	uint16_t i;

	for (i = 0; i < worker->n_switches; i++) {
		const struct rt_switch *s = worker->switches[i];

		t = sw_next(s->sw);
		next = t < next ? t : next;
		t = rt_merge_next(&s->merge);
		next = t < next ? t : next;
		t = rt_control_next(s);
		next = t < next ? t : next;
	}
	if (clock->manual || next == SW_NEVER)
		return UINT64_MAX;
	now = rt_clock_now(clock);
	return next <= now ? 0 : rt_clock_wall_ns(clock, next - now);
}

static uint64_t cap_ns(const struct rt_worker *worker, uint64_t grown)
{
	uint64_t cap = worker->shares_cables ? CABLE_NAP_NS : LAST_NAP_NS;

	return grown < cap ? grown : cap;
}

void rt_nap(struct rt_nap *nap, struct rt_worker *worker, bool worked)
{
	bool manual = worker->rt->clock.manual;
	uint64_t busy_ns = manual ? MANUAL_BUSY_NS : BUSY_NS, idle_ns, due;
	struct timespec ts = {0, 0};

	if (worked) {
		nap->idle_tsc = 0;
		nap->nap_ns = 0;
		return;
	}
	if (nap->idle_tsc == 0)
		nap->idle_tsc = rte_rdtsc();
	idle_ns = (rte_rdtsc() - nap->idle_tsc) * 1000 / (rte_get_tsc_hz() / 1000000);
	if ((worker->rt->poll == RT_POLL_BUSY && !manual) || idle_ns < busy_ns) {
		rte_pause();
		return;
	}
	nap->nap_ns = cap_ns(worker, nap->nap_ns == 0 ? FIRST_NAP_NS : nap->nap_ns * 2);
	due = due_ns(worker);
	if (due < FIRST_NAP_NS) {
		rte_pause();
		return;
	}
	ts.tv_nsec = (long)(due < nap->nap_ns ? due : nap->nap_ns);
	nanosleep(&ts, NULL);
}
