/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys and values of the format that this version does not read. A user who writes one is told
 * so plainly; what becomes part of the version leaves this table. */
#include "fields.h"

#include <string.h>

struct not_yet {
	const char *scope, *word;
};

static const struct not_yet keys[] = {
	{"", "stop"},           {"", "traffic"},        {"", "workload"},
	{"", "mode"},           {"", "events"},         {"", "inject"},
	{"", "expect"},         {"", "output"},         {"", "fabric"},
	{"topology", "leaves"}, {"topology", "spines"}, {"topology", "hosts_per_leaf"},
	{"topology", "uplink"}, {"topology", "k"},      {"topology", "gpus_per_host"},
	{"topology", "radix"},  {"topology", "taper"},  {"topology", "nvlink"},
	{"dev", "xdp"},         {"host", "mtu"},        {"host", "dscp"},
	{"host", "ack"},        {"host", "cnp"},        {"host", "frame"},
	{"host", "cc"},         {"host", "recovery"},   {"host", "timeout"},
	{"host", "retry"},      {"host", "rnr_retry"},  {"host", "latency"},
	{"host", "gpudirect"},  {"host", "nic"},        {"host", "drain"},
	{NULL, NULL},
};

static const struct not_yet values[] = {
	{"topology", "leaf-spine"},
	{"topology", "fat-tree"},
	{"topology", "rail-only"},
	{"topology", "rail-optimized"},
	{"topology", "clos"},
	{"pipeline", "credit"},
	{NULL, NULL},
};

static const char *find(const struct not_yet *table, const char *scope, const char *word)
{
	for (; table->scope != NULL; table++)
		if (strcmp(table->scope, scope) == 0 && strcmp(table->word, word) == 0)
			return table->word;
	return NULL;
}

const char *not_yet_key(const char *scope, const char *key)
{
	return find(keys, scope, key);
}

const char *not_yet_value(const char *scope, const char *value)
{
	return find(values, scope, value);
}
