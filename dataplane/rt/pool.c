/* SPDX-License-Identifier: BSD-3-Clause */
#include "pool.h"

#include "dataplane/model/pkt.h"

#include <errno.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_mbuf_pool_ops.h>
#include <sys/mman.h>

#define MIN_FRAME_BYTES 60
#define LARGE_PAGE ((size_t)2 << 20)
#define ETHERNET_BYTES 22     /* header, a tag, and FCS, which some devices deliver */
#define SMALL_ROOM_BYTES 2048 /* what most drivers are tuned for */
#define OBJECT_BYTES 128      /* mempool header, ring slot, and alignment of one object */

uint32_t rt_pool_room(uint32_t mtu_bytes, uint32_t least_bytes)
{
	uint32_t frame = mtu_bytes + ETHERNET_BYTES;

	if (frame < least_bytes)
		frame = least_bytes;
	if (frame < SMALL_ROOM_BYTES)
		frame = SMALL_ROOM_BYTES;
	return RTE_PKTMBUF_HEADROOM + RTE_ALIGN_CEIL(frame, 64);
}

uint64_t rt_pool_buffer(const struct sw_config *config)
{
	uint64_t bytes = config->buffer.size_bytes;
	uint16_t i;

	for (i = 0; i < config->n_ports; i++)
		if (config->ports[i].edge)
			bytes += config->ports[i].edge_bytes * SW_PRIOS;
	return bytes;
}

static uint64_t frames_in(uint64_t bytes, uint32_t frame, uint32_t cell)
{
	uint64_t cells = cell > 1 ? (frame + cell - 1) / cell : frame;

	return bytes / (cell > 1 ? cells * cell : cells) + 1;
}

static void plan_one(struct rt_pool_plan *plan, const struct rt_pool_need *need)
{
	/* A cache may grow to one and a half times its size before it is flushed. */
	uint64_t fixed = need->fixed + (uint64_t)need->threads * (RT_POOL_CACHE * 3 / 2);

	plan->mbuf_bytes =
		sizeof(struct rte_mbuf) + sizeof(struct pkt) + need->room_bytes + OBJECT_BYTES;
	/* The cell may shrink under traffic: large frames find a buffer all the same. */
	plan->least = fixed + frames_in(need->buffer_bytes, need->frame_bytes, 1);
	plan->best = fixed + frames_in(need->buffer_bytes, MIN_FRAME_BYTES, need->cell_bytes);
	if (plan->best < plan->least)
		plan->best = plan->least;
}

static int refuse(const struct rt_pool_plan *plan, const struct rt_pool_need *need,
		  uint64_t memory_bytes, uint64_t least_bytes, struct err *err)
{
	char found[64];

	snprintf(found, sizeof(found), "%lu MiB", memory_bytes >> 20);
	return err_set(err, ERR_ENVIRONMENT, ENOMEM, "real.memory", found,
		       "at least %lu MiB: pool %s alone holds %lu frames in device rings and "
		       "stages and %lu MTU-size frames of the switch's buffers (%lu B), %lu B of "
		       "memory each; raise real.memory or lower switch.buffer, headroom, edge or "
		       "mtu",
		       (least_bytes >> 20) + 1, need->name,
		       plan->least - frames_in(need->buffer_bytes, need->frame_bytes, 1),
		       frames_in(need->buffer_bytes, need->frame_bytes, 1), need->buffer_bytes,
		       plan->mbuf_bytes);
}

int rt_pool_plan(struct rt_pool_plan *plans, const struct rt_pool_need *needs, uint32_t n,
		 uint64_t memory_bytes, struct err *err)
{
	uint64_t least = 0, best = 0;
	double share = 1;
	uint32_t i;

	for (i = 0; i < n; i++) {
		plan_one(&plans[i], &needs[i]);
		least += plans[i].least * plans[i].mbuf_bytes;
		best += plans[i].best * plans[i].mbuf_bytes;
	}
	if (memory_bytes > 0 && least > memory_bytes)
		return refuse(&plans[0], &needs[0], memory_bytes, least, err);
	if (memory_bytes > 0 && best > memory_bytes)
		share = (double)(memory_bytes - least) / (double)(best - least);
	for (i = 0; i < n; i++)
		plans[i].count = plans[i].least +
				 (uint64_t)((double)(plans[i].best - plans[i].least) * share);
	return 0;
}

static void unmap(struct rte_mempool_memhdr *chunk, void *opaque)
{
	(void)opaque;
	munmap(chunk->addr, chunk->len);
}

/* Memory in whole pages of 2 MiB, which the kernel may make of one piece where it was not told to set
 * such pages aside: a frame in a page of 4 KiB costs a walk of the page tables each time it is met. */
static char *map(size_t len)
{
	char *all = mmap(NULL, len + LARGE_PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *at;

	if (all == MAP_FAILED)
		return NULL;
	at = (char *)RTE_PTR_ALIGN_CEIL(all, LARGE_PAGE);
	if (at > all)
		munmap(all, (size_t)(at - all));
	munmap(at + len, (size_t)(all + LARGE_PAGE - at));
	madvise(at, len, MADV_HUGEPAGE); /* a wish */
	return at;
}

static int populate_own(struct rte_mempool *pool, unsigned int count)
{
	size_t chunk, align, len;
	ssize_t need = rte_mempool_op_calc_mem_size_default(pool, count, 0, &chunk, &align);
	char *at;
	int ret;

	if (need < 0)
		return (int)need;
	len = RTE_ALIGN_CEIL((size_t)need, LARGE_PAGE);
	at = map(len);
	if (at == NULL)
		return -ENOMEM;
	ret = rte_mempool_populate_virt(pool, at, len, LARGE_PAGE, unmap, NULL);
	if (ret > 0)
		return ret;
	munmap(at, len);
	return ret == 0 ? -ENOMEM : ret;
}

/* Without huge pages DPDK by default lets no object cross a page of 4 KiB, which doubles what a frame
 * takes; addresses are virtual then, and so in one piece anyway. */
static struct rte_mempool *create(const struct rt_pool_need *need, unsigned int count)
{
	unsigned int flags = rte_eal_has_hugepages() ? 0 : RTE_MEMPOOL_F_NO_IOVA_CONTIG;
	struct rte_pktmbuf_pool_private private = {
		.mbuf_data_room_size = (uint16_t)need->room_bytes,
		.mbuf_priv_size = sizeof(struct pkt),
	};
	struct rte_mempool *pool = rte_mempool_create_empty(
		need->name, count,
		(unsigned int)(sizeof(struct rte_mbuf) + sizeof(struct pkt)) + need->room_bytes,
		RT_POOL_CACHE, sizeof(private), need->numa, flags);
	int ret = pool == NULL ? -rte_errno : 0;

	if (ret == 0)
		ret = rte_mempool_set_ops_byname(pool, rte_mbuf_best_mempool_ops(), NULL);
	if (ret == 0) {
		rte_pktmbuf_pool_init(pool, &private);
		ret = need->copied && !rte_eal_has_hugepages() ? populate_own(pool, count)
							       : rte_mempool_populate_default(pool);
	}
	if (ret >= 0) {
		rte_mempool_obj_iter(pool, rte_pktmbuf_init, NULL);
		return pool;
	}
	rte_mempool_free(pool);
	rte_errno = -ret;
	return NULL;
}

struct rte_mempool *rt_pool_new(const struct rt_pool_need *need, uint64_t count, struct err *err)
{
	struct rte_mempool *pool = create(need, (unsigned int)count);
	char found[64];

	if (pool != NULL)
		return pool;
	snprintf(found, sizeof(found), "%s", rte_strerror(rte_errno));
	err_set(err, ERR_ENVIRONMENT, ENOMEM, "real.memory", found,
		"%lu buffers of %u B for pool %s; lower real.memory%s", count, need->room_bytes,
		need->name,
		rte_eal_has_hugepages() ? ", free hugepages (echo N > /proc/sys/vm/nr_hugepages), "
					  "or run with --no-huge"
					: "");
	return NULL;
}
