/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/rt/probe.c"
#include "tests/unit/cu.h"

static uint8_t sent[RT_PROBE_MAX], got[RT_PROBE_MAX];
static char how[64];

static uint32_t make(enum rt_probe probe)
{
	uint32_t len = rt_probe_make(probe, 4200, 7, sent);

	memcpy(got, sent, RT_PROBE_MAX);
	how[0] = '\0';
	return len;
}

static enum rt_probe_match match(uint32_t len, uint32_t got_len)
{
	return rt_probe_match(sent, len, got, got_len, how, sizeof(how));
}

static void lengths(void)
{
	CU_ASSERT_EQUAL(make(RT_PROBE_MIN), 60);
	CU_ASSERT_EQUAL(make(RT_PROBE_JUMBO), 4214);
	CU_ASSERT_EQUAL(make(RT_PROBE_PFC), 60);
	CU_ASSERT_EQUAL(rt_probe_make(RT_PROBE_JUMBO, 60000, 7, sent), RT_PROBE_MAX);
}

static void fields(void)
{
	make(RT_PROBE_PFC);
	CU_ASSERT_EQUAL(memcmp(sent, "\x01\x80\xc2\0\0\x01", 6), 0);
	CU_ASSERT_EQUAL(memcmp(sent + 12, "\x88\x08\x01\x01\0\x08\0\0", 8), 0);
	make(RT_PROBE_PAUSE);
	CU_ASSERT_EQUAL(memcmp(sent + 12, "\x88\x08\0\x01\0\0", 6), 0);
	make(RT_PROBE_CE);
	CU_ASSERT_EQUAL(sent[15], 26 << 2 | 3);
	make(RT_PROBE_DSCP);
	CU_ASSERT_EQUAL(sent[15], 26 << 2 | 2);
	CU_ASSERT_EQUAL(sent[36] << 8 | sent[37], 4791);
	make(RT_PROBE_VLAN);
	CU_ASSERT_EQUAL(memcmp(sent + 12, "\x81\0\x60\x64\x88\xb5", 6), 0);
}

static void ipv4_checksum_holds(void)
{
	uint32_t sum = 0, i;

	make(RT_PROBE_CE);
	for (i = 14; i < 34; i += 2)
		sum += (uint32_t)sent[i] << 8 | sent[i + 1];
	CU_ASSERT_EQUAL((sum & 0xffff) + (sum >> 16), 0xffff);
}

static void every_probe_matches_itself_alone(void)
{
	int a, b;

	for (a = 0; a < RT_PROBES; a++)
		for (b = 0; b < RT_PROBES; b++) {
			uint32_t len = make(a), got_len = rt_probe_make(b, 4200, 7, got);

			CU_ASSERT_EQUAL(match(len, got_len),
					a == b ? RT_MATCH_SAME : RT_MATCH_OTHER);
		}
}

static void another_run_is_other(void)
{
	uint32_t len = make(RT_PROBE_MIN);

	rt_probe_make(RT_PROBE_MIN, 4200, 8, got);
	CU_ASSERT_EQUAL(match(len, len), RT_MATCH_OTHER);
}

static void padding_does_not_matter(void)
{
	CU_ASSERT_EQUAL(match(make(RT_PROBE_PFC), 64), RT_MATCH_SAME);
}

static void says_what_changed(void)
{
	uint32_t len = make(RT_PROBE_DSCP);

	got[15] = 0 << 2 | 2;
	CU_ASSERT_EQUAL(match(len, len), RT_MATCH_ALTERED);
	CU_ASSERT_STRING_EQUAL(how, "DSCP 26 -> 0");
	len = make(RT_PROBE_CE);
	got[15] = 26 << 2;
	CU_ASSERT_EQUAL(match(len, len), RT_MATCH_ALTERED);
	CU_ASSERT_STRING_EQUAL(how, "ECN 3 -> 0");
	len = make(RT_PROBE_VLAN);
	memmove(got + 12, got + 16, len - 16);
	CU_ASSERT_EQUAL(match(len, len - 4), RT_MATCH_ALTERED);
	CU_ASSERT_PTR_NOT_NULL(strstr(how, "the VLAN tag is gone"));
	len = make(RT_PROBE_VLAN);
	got[14] = 0;
	CU_ASSERT_EQUAL(match(len, len), RT_MATCH_ALTERED);
	CU_ASSERT_STRING_EQUAL(how, "VLAN tag 0x6064 -> 0x0064");
	len = make(RT_PROBE_JUMBO);
	got[4000] ^= 1;
	CU_ASSERT_EQUAL(match(len, len), RT_MATCH_ALTERED);
	CU_ASSERT_PTR_NOT_NULL(strstr(how, "byte 4000"));
}

static const struct cu_case cases[] = {
	{"rt_probe_make__lengths", lengths},
	{"rt_probe_make__fields", fields},
	{"rt_probe_make__ipv4_checksum_holds", ipv4_checksum_holds},
	{"rt_probe_match__every_probe_matches_itself_alone", every_probe_matches_itself_alone},
	{"rt_probe_match__another_run_is_other", another_run_is_other},
	{"rt_probe_match__padding_does_not_matter", padding_does_not_matter},
	{"rt_probe_match__says_what_changed", says_what_changed},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("rt/probe", cases);
}
