/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "selftest.h"
#include "eal.h"
#include "end.h"
#include "netdev_guard.h"
#include "pool.h"

#include <errno.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COPIES 3 /* of each probe: one may be lost for other reasons */
#define POOL_FRAMES 8192
#define MEMORY_BYTES ((uint64_t)POOL_FRAMES * 2 * 20000)
#define NAP_NS 500000
#define SETTLE_NAP_NS 20000000
#define SETTLE_NAPS 200  /* 4 s for links to come up */
#define STRAY_MAX 100000 /* frames thrown away before a probe; a generator never ends */

struct trial {
	struct rt_end ends[2];
	struct rte_mempool *pools[2];
	uint32_t n_pools, mtu_bytes, wait_ms;
	uint64_t run;
	uint8_t sent[RT_PROBE_MAX], got[RT_PROBE_MAX + 64];
};

static struct rte_mempool *make_pool(void *ctx, uint32_t room, struct err *err)
{
	struct trial *trial = ctx;
	struct rt_pool_need need = {.room_bytes = room, .numa = SOCKET_ID_ANY};

	snprintf(need.name, sizeof(need.name), "ry_selftest%u", trial->n_pools);
	trial->pools[trial->n_pools] = rt_pool_new(&need, POOL_FRAMES, err);
	return trial->pools[trial->n_pools] == NULL ? NULL : trial->pools[trial->n_pools++];
}

static int open_ends(struct trial *trial, const struct rt_selftest_config *config, struct err *err)
{
	const char *dev = config->dev[0];
	int ret = rt_end_open_port(&trial->ends[0], dev, trial->mtu_bytes, make_pool, trial, err);

	if (ret != 0)
		return ret;
	if (config->dev[1] != NULL && strncmp(config->dev[1], "netdev:", 7) == 0)
		dev = config->dev[1];
	else if (config->dev[1] != NULL)
		return rt_end_open_port(&trial->ends[1], config->dev[1], trial->mtu_bytes,
					make_pool, trial, err);
	return rt_end_open_far(&trial->ends[1], dev, err);
}

/* A NIC negotiates and the kernel notices a carrier in its own time; a link that stays down shows in
 * the verdicts. */
static void settle(const struct trial *trial)
{
	struct timespec nap = {0, SETTLE_NAP_NS};
	int i;

	for (i = 0; i < SETTLE_NAPS; i++) {
		if (rt_end_ready(&trial->ends[0]) && rt_end_ready(&trial->ends[1]))
			return;
		nanosleep(&nap, NULL);
	}
}

static void throw_away(struct trial *trial, struct rt_end *end)
{
	uint32_t i;

	for (i = 0; i < STRAY_MAX; i++)
		if (rt_end_receive(end, trial->got, sizeof(trial->got)) == 0)
			return;
}

/* Reads what is there; the best match so far wins. */
static void look(struct trial *trial, struct rt_end *end, uint32_t len, struct rt_probe_seen *seen)
{
	enum rt_probe_match match;
	uint32_t n, i;

	for (i = 0; i < STRAY_MAX && seen->match != RT_MATCH_SAME; i++) {
		n = rt_end_receive(end, trial->got, sizeof(trial->got));
		if (n == 0)
			return;
		match = rt_probe_match(trial->sent, len, trial->got, n, seen->how,
				       sizeof(seen->how));
		if (match != RT_MATCH_OTHER)
			seen->match = match;
	}
}

static void wait_for(struct trial *trial, struct rt_end *end, uint32_t len, uint32_t ms,
		     struct rt_probe_seen *seen)
{
	uint64_t end_tsc = rte_rdtsc() + rte_get_tsc_hz() / 1000 * ms;
	struct timespec nap = {0, NAP_NS};

	do {
		look(trial, end, len, seen);
		if (seen->match == RT_MATCH_SAME)
			return;
		nanosleep(&nap, NULL);
	} while (rte_rdtsc() < end_tsc);
}

static void try_probe(struct trial *trial, uint32_t from, enum rt_probe probe,
		      struct rt_selftest_row *row)
{
	struct rt_end *a = &trial->ends[from], *b = &trial->ends[1 - from];
	struct rt_end_counts a0, b0, a1, b1;
	struct rt_probe_seen seen = {0};
	uint32_t len, i, accepted = 0;

	len = rt_probe_make(probe, trial->mtu_bytes, ++trial->run, trial->sent);
	throw_away(trial, a);
	throw_away(trial, b);
	a0 = rt_end_counts(a);
	b0 = rt_end_counts(b);
	for (i = 0; i < COPIES && seen.match != RT_MATCH_SAME; i++) {
		accepted += rt_end_send(a, trial->sent, len) == 0;
		wait_for(trial, b, len, trial->wait_ms / COPIES + 1, &seen);
	}
	a1 = rt_end_counts(a);
	b1 = rt_end_counts(b);
	seen.sent_moved = a->kind == RT_END_PORT ? a1.sent != a0.sent : accepted > 0;
	seen.received_moved = b1.received != b0.received;
	rt_selftest_judge(row, probe, &seen, b->device.fc_forward);
}

/* Behind these drivers sits software that neither honours PFC nor sends it. */
static bool soft_peer(const char *driver)
{
	static const char *const drivers[] = {"net_af_packet", "net_tap",    "net_vhost",
					      "net_memif",     "net_af_xdp", "net_virtio_user"};
	uint32_t i;

	for (i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (strcmp(driver, drivers[i]) == 0)
			return true;
	return false;
}

static void describe_end(const struct trial *trial, uint32_t i, const char *dev,
			 struct rt_selftest *out)
{
	struct rt_selftest_end *end = &out->ends[i];
	enum rt_verdict_kind tx = out->rows[i][RT_PROBE_PFC].verdict;
	enum rt_verdict_kind rx = out->rows[1 - i][RT_PROBE_PFC].verdict;

	snprintf(end->name, sizeof(end->name), "%s", dev != NULL ? dev : trial->ends[i].name);
	snprintf(end->driver, sizeof(end->driver), "%s", trial->ends[i].device.driver);
	end->pfc_tx = tx == RT_VERDICT_DROPPED_ON_TX ? RT_PFC_NONE : RT_PFC_FRAME;
	end->pfc_rx = rx == RT_VERDICT_WORKS ? RT_PFC_FRAME : RT_PFC_NONE;
	/* A MAC that eats PFC may well honour it itself. */
	if (rx == RT_VERDICT_EATEN_ON_RX && dev != NULL && rt_device_is_pci(dev))
		end->pfc_rx = RT_PFC_HW;
	end->peer_ignores_pfc = soft_peer(end->driver);
}

static int check(const struct rt_selftest_config *config, struct err *err)
{
	const char *pci[2];
	struct rt_eal_config eal = {
		.file_prefix = config->file_prefix,
		.words = config->eal,
		.pci = pci,
		.memory_bytes = MEMORY_BYTES,
		.no_huge = config->no_huge,
	};
	int i, ret = 0;

	for (i = 0; i < 2 && ret == 0 && config->dev[i] != NULL; i++) {
		if (!config->force)
			ret = rt_guard_dev(config->dev[i], "", err);
		if (rt_device_is_pci(config->dev[i]))
			pci[eal.n_pci++] = config->dev[i];
	}
	return ret == 0 ? rt_eal_start(&eal, err) : ret;
}

static void close_all(struct trial *trial)
{
	uint32_t i;

	for (i = 2; i-- > 0;) {
		if (trial->ends[i].device.started)
			throw_away(trial, &trial->ends[i]);
		rt_end_close(&trial->ends[i]);
	}
	for (i = 0; i < trial->n_pools; i++)
		rte_mempool_free(trial->pools[i]);
	free(trial);
}

int rt_selftest(struct rt_selftest *out, const struct rt_selftest_config *config, struct err *err)
{
	struct trial *trial;
	uint32_t from;
	int ret = check(config, err), probe;

	if (ret != 0)
		return ret;
	trial = calloc(1, sizeof(*trial));
	if (trial == NULL)
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "memory for selftest");
	memset(out, 0, sizeof(*out));
	trial->ends[0].fd = trial->ends[1].fd = -1;
	trial->mtu_bytes = config->mtu_bytes == 0 ? 1500 : config->mtu_bytes;
	trial->wait_ms = config->wait_ms == 0 ? 200 : config->wait_ms;
	trial->run = rte_rdtsc();
	ret = open_ends(trial, config, err);
	if (ret == 0)
		settle(trial);
	for (from = 0; from < 2 && ret == 0; from++)
		for (probe = 0; probe < RT_PROBES; probe++)
			try_probe(trial, from, probe, &out->rows[from][probe]);
	for (from = 0; from < 2 && ret == 0; from++)
		describe_end(trial, from, config->dev[from], out);
	close_all(trial);
	return ret;
}
