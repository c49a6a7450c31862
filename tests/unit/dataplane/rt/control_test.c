/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages without a worker: the test is the owner, so that order and silence can be made. */
#include "bench.h"
#include "dataplane/rt/control.c"
#include "tests/unit/cu.h"

static struct bench bench;
static struct rt rt;
static struct rt_worker worker;
static struct rt_switch s;
static uint16_t ran[16];
static uint64_t ran_at[16];
static uint32_t n_ran;

static void note(struct rt_switch *sw, struct rt_msg *msg, uint64_t t_ps)
{
	CU_ASSERT_PTR_EQUAL(sw, &s);
	ran_at[n_ran] = t_ps;
	ran[n_ran++] = msg->port;
}

static void reset(void)
{
	bench_eal(&bench);
	memset(&rt, 0, sizeof(rt));
	memset(&worker, 0, sizeof(worker));
	memset(&s, 0, sizeof(s));
	rte_ring_free(rte_ring_lookup("messages"));
	worker.messages = rte_ring_create("messages", RT_MESSAGES, SOCKET_ID_ANY,
					  RING_F_SP_ENQ | RING_F_SC_DEQ);
	worker.rt = &rt;
	rt.switches = &s;
	rt.n_switches = 1;
	s.worker = &worker;
	n_ran = 0;
}

static struct rt_msg *post(uint16_t id, uint64_t at_ps)
{
	struct rt_msg *msg = rt_msg_new(&rt, note);

	msg->port = id;
	msg->at_ps = at_ps;
	CU_ASSERT_EQUAL(rt_msg_post(&rt, 0, msg), 0);
	return msg;
}

static void apply_until(uint64_t limit)
{
	rt_control_read(&worker);
	rt_control_now(&s, limit);
	while (rt_control_next(&s) <= limit)
		rt_control_apply(&s, rt_control_next(&s));
}

static void by_time_then_as_sent(void)
{
	reset();
	post(1, 300);
	post(2, 100);
	post(3, 300);
	post(4, 200);
	apply_until(250);
	CU_ASSERT_EQUAL(n_ran, 2);
	CU_ASSERT_EQUAL(ran[0], 2);
	CU_ASSERT_EQUAL(ran[1], 4);
	CU_ASSERT_EQUAL(rt_control_next(&s), 300);
	apply_until(300);
	CU_ASSERT_EQUAL(n_ran, 4);
	CU_ASSERT_EQUAL(ran[2], 1);
	CU_ASSERT_EQUAL(ran[3], 3);
	CU_ASSERT_EQUAL(ran_at[3], 300);
	CU_ASSERT_EQUAL(rt_control_next(&s), SW_NEVER);
	rt_msg_reap(&rt);
	CU_ASSERT_PTR_NULL(rt.messages);
}

static void now_and_past_take_the_limit(void)
{
	reset();
	s.t_ps = 50;
	post(1, 70);
	post(2, 0);
	post(3, 40);
	apply_until(90);
	CU_ASSERT_EQUAL(n_ran, 3);
	CU_ASSERT_EQUAL(ran[0], 1);
	CU_ASSERT_EQUAL(ran_at[0], 70);
	CU_ASSERT_EQUAL(ran[1], 2);
	CU_ASSERT_EQUAL(ran_at[1], 90);
	CU_ASSERT_EQUAL(ran[2], 3);
	CU_ASSERT_EQUAL(ran_at[2], 90);
	rt_msg_reap(&rt);
}

static void cancelled_is_not_run(void)
{
	struct rt_msg *msg;

	reset();
	msg = post(1, 10);
	msg->waited = true;
	atomic_store(&msg->state, RT_MSG_CANCELLED);
	post(2, 10);
	apply_until(10);
	CU_ASSERT_EQUAL(n_ran, 1);
	CU_ASSERT_EQUAL(ran[0], 2);
	CU_ASSERT_EQUAL(atomic_load(&msg->state), RT_MSG_CANCELLED);
	rt_msg_reap(&rt);
	CU_ASSERT_PTR_EQUAL(rt.messages, msg); /* kept until stop */
	rt_msg_free_all(&rt);
	CU_ASSERT_PTR_NULL(rt.messages);
}

static void unread_is_not_reaped(void)
{
	reset();
	post(1, 10);
	rt_msg_reap(&rt);
	CU_ASSERT_PTR_NOT_NULL(rt.messages);
	apply_until(10);
	rt_msg_reap(&rt);
	CU_ASSERT_PTR_NULL(rt.messages);
}

static void refused(struct rt_switch *sw, struct rt_msg *msg, uint64_t t_ps)
{
	(void)sw, (void)t_ps;
	msg->result = -EINVAL;
}

static void counts_what_was_refused(void)
{
	reset();
	post(1, 10)->run = refused;
	post(2, 10);
	apply_until(10);
	rt_msg_reap(&rt);
	CU_ASSERT_EQUAL(rt.refused, 1);
}

static void free_unlinks_from_the_middle(void)
{
	struct rt_msg *a, *b, *c;

	reset();
	a = rt_msg_new(&rt, note);
	b = rt_msg_new(&rt, note);
	c = rt_msg_new(&rt, note);
	rt_msg_free(&rt, b);
	CU_ASSERT_PTR_EQUAL(rt.messages, c);
	CU_ASSERT_PTR_EQUAL(c->all, a);
	rt_msg_free_all(&rt);
}

/* A worker that does not turn: the caller gets its word, and a later turn finds nothing to do. */
static void silent_worker_is_given_up(void)
{
	struct rt_msg *msg;

	reset();
	msg = rt_msg_new(&rt, note);
	CU_ASSERT_EQUAL(rt_msg_wait(&rt, 0, msg), -ETIMEDOUT);
	apply_until(10);
	CU_ASSERT_EQUAL(n_ran, 0);
	rt_msg_free_all(&rt);
}

static const struct cu_case cases[] = {
	{"rt_control_apply__by_time_then_as_sent", by_time_then_as_sent},
	{"rt_control_now__now_and_past_take_the_limit", now_and_past_take_the_limit},
	{"rt_control_apply__cancelled_is_not_run", cancelled_is_not_run},
	{"rt_msg_reap__unread_is_not_reaped", unread_is_not_reaped},
	{"rt_msg_reap__counts_what_was_refused", counts_what_was_refused},
	{"rt_msg_free__unlinks_from_the_middle", free_unlinks_from_the_middle},
	{"rt_msg_wait__silent_worker_is_given_up", silent_worker_is_given_up},
	{NULL, NULL},
};

int main(void)
{
	return bench_main("rt/control", cases, BENCH_MEMORY);
}
