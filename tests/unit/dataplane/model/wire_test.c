/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/wire.c"

#include "tests/unit/cu.h"

#define FRAMES 1000000ULL
#define BYTES 1538ULL

/* N frames take N x bytes x 8e12 / rate ps, to the picosecond. */
static void sum_is_exact(void)
{
	static const uint64_t rates[] = {2880000000000, 1600000000000, 400000000000, 100000000000,
					 3000000000,    7000000000,    20000000,     1000,
					 3000000000001, 999999937};

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct wire wire = wire_of(rates[i]);
		unsigned __int128 sum = 0, exact = 0;
		uint32_t rem = 0;

		for (uint64_t n = 0; n < FRAMES; n++)
			sum += wire_time(wire, BYTES, &rem);
		exact = (unsigned __int128)FRAMES * BYTES * 8000000000000ULL / rates[i];
		CU_ASSERT(sum == exact || sum + 1 == exact);
	}
}

static void whole_rates_have_no_remainder(void)
{
	uint32_t rem = 0;

	CU_ASSERT_EQUAL(wire_time(wire_of(100000000000), 1538, &rem), 123040);
	CU_ASSERT_EQUAL(wire_time(wire_of(20000000), 1, &rem), 400000);
	CU_ASSERT_EQUAL(wire_time(wire_of(1600000000000), 3, &rem), 15);
	CU_ASSERT_EQUAL(rem, 0);
}

/* 2,880 Gb/s is 2.77.. ps a byte: nine bytes are 25 ps. */
static void remainder_is_carried(void)
{
	struct wire wire = wire_of(2880000000000);
	uint64_t sum = 0, split = 0;
	uint32_t rem = 0;

	CU_ASSERT_EQUAL(wire.whole_ps, 2);
	for (int i = 0; i < 90; i++)
		sum += wire_time(wire, 1, &rem);
	CU_ASSERT(sum == 250 || sum == 249);
	rem = 0;
	for (int i = 0; i < 10; i++)
		split += wire_time(wire, 9, &rem);
	CU_ASSERT_EQUAL(split, sum);
}

static void quanta_times(void)
{
	static const struct {
		uint64_t rate, ps;
	} known[] = {{100000000000, 335539200}, {40000000000, 838848000},
		     {10000000000, 3355392000}, {1000000000, 33553920000},
		     {20000000, 1677696000000}, {1000, 33553920000000000}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint32_t rem = 0;

		CU_ASSERT_EQUAL(
			wire_time(wire_of(known[i].rate), 65535ULL * SW_QUANTUM_BYTES, &rem),
			known[i].ps);
	}
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"wire_time__sum_is_exact", sum_is_exact},
		{"wire_time__whole_rates_have_no_remainder", whole_rates_have_no_remainder},
		{"wire_time__remainder_is_carried", remainder_is_carried},
		{"wire_time__quanta_times", quanta_times},
		{NULL, NULL},
	};

	return cu_main("model/wire", cases);
}
