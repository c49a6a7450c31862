/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/flood.c"

#include "fake_sw.h"

static struct sw *flooding(unsigned int copies_left, uint16_t n)
{
	struct sw *sw = fake_new(NULL);

	fake.copies_left = copies_left;
	for (uint16_t i = 0; i < n; i++)
		sw->flood[i] = i + 1;
	sw->n_flood = n;
	return sw;
}

static bool closes(const struct sw *sw)
{
	return sw->rx + sw->generated + sw->copied ==
	       sw->tx + sw->consumed + sw->dropped + sw->held;
}

static void original_goes_last(void)
{
	struct sw *sw = flooding(9, 3);
	struct pkt *pkt = fake_frame(0, fake_broadcast, fake_mac(1));

	flood(sw, 5, pkt);
	CU_ASSERT_EQUAL_FATAL(fake.n_sent, 3);
	for (uint16_t i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(fake.sent[i].port, i + 1);
		CU_ASSERT_EQUAL(fake.sent[i].t_ps, 5);
	}
	CU_ASSERT_PTR_NOT_EQUAL(fake.sent[0].pkt, pkt);
	CU_ASSERT_PTR_EQUAL(fake.sent[2].pkt, pkt);
	CU_ASSERT_EQUAL(sw->copied, 2);
	CU_ASSERT_EQUAL(fake.ports[0].counters[SW_PORT_COPIED], 2);
	CU_ASSERT_EQUAL(fake.ports[0].counters[SW_PORT_FLOODED], 1);
	CU_ASSERT(closes(sw));
	CU_ASSERT_EQUAL(sw->held, 0);
}

static void one_port_needs_no_copy(void)
{
	struct sw *sw = flooding(0, 1);
	struct pkt *pkt = fake_frame(0, fake_broadcast, fake_mac(1));

	flood(sw, 5, pkt);
	CU_ASSERT_EQUAL(fake.n_sent, 1);
	CU_ASSERT_EQUAL(fake.sent[0].port, 1);
	CU_ASSERT_EQUAL(sw->copied, 0);
	CU_ASSERT(closes(sw));
}

/* The second copy fails: it has a name, the frame itself still leaves. */
static void failed_copy_is_named(void)
{
	struct sw *sw = flooding(1, 3);
	struct pkt *pkt = fake_frame(0, fake_broadcast, fake_mac(1));

	flood(sw, 5, pkt);
	CU_ASSERT_EQUAL_FATAL(fake.n_sent, 2);
	CU_ASSERT_EQUAL(fake.sent[0].port, 1);
	CU_ASSERT_EQUAL(fake.sent[1].port, 3);
	CU_ASSERT_EQUAL(fake.ports[0].drops[SW_DROP_NO_COPY], 1);
	CU_ASSERT_EQUAL(sw->copied, 2);
	CU_ASSERT(closes(sw));
}

static void driver_without_copies(void)
{
	struct sw *sw = flooding(9, 2);
	struct pkt *pkt = fake_frame(0, fake_broadcast, fake_mac(1));

	sw->env.copy = NULL;
	flood(sw, 5, pkt);
	CU_ASSERT_EQUAL(fake.n_sent, 1);
	CU_ASSERT_EQUAL(fake.ports[0].drops[SW_DROP_NO_COPY], 1);
	CU_ASSERT(closes(sw));
}

static const struct cu_case cases[] = {
	{"flood__original_goes_last", original_goes_last},
	{"flood__one_port_needs_no_copy", one_port_needs_no_copy},
	{"flood__failed_copy_is_named", failed_copy_is_named},
	{"flood__driver_without_copies", driver_without_copies},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("model/flood", cases);
}
