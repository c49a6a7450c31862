/* SPDX-License-Identifier: BSD-3-Clause */
/* Restore: from the bytes of a checkpoint to a switch that goes on as the one it was taken of would
 * have. Whatever the bytes are, they are refused or make a switch that is sound.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(struct err *err, const char *found, const char *expected)
{
	return err_set(err, ERR_USAGE, EINVAL, "checkpoint", found, "%s", expected);
}

static int no_memory(struct err *err, const char *what)
{
	return err_set(err, ERR_ENVIRONMENT, ENOMEM, "checkpoint", what, "more memory");
}

static int open_body(struct ck *ck, const uint8_t *bytes, size_t n, struct err *err)
{
	static const char magic[8] = CK_MAGIC;
	struct ck_head head;
	uint64_t sum;
	char found[48];

	if (bytes == NULL)
		return refuse(err, "nothing", "a checkpoint of a switch");
	*ck = (struct ck){.at = bytes, .end = bytes + n};
	ck_head(ck, &head);
	if (ck->bad != NULL || memcmp(head.magic, magic, sizeof(magic)) != 0)
		return refuse(err, "something else", "a checkpoint of a switch");
	snprintf(found, sizeof(found), "version %u", head.version);
	if (head.version != SW_CHECKPOINT_VERSION)
		return err_set(err, ERR_USAGE, EINVAL, "checkpoint", found,
			       "version %d: the railyard that wrote it reads it",
			       SW_CHECKPOINT_VERSION);
	if (head.names != ck_names() || head.zero != 0)
		return refuse(err, "counters that this railyard does not have",
			      "a checkpoint of this build: the railyard that wrote it reads it");
	snprintf(found, sizeof(found), "%zu bytes", n);
	if (n < CK_HEAD_BYTES + CK_SUM_BYTES || head.length != n - CK_HEAD_BYTES - CK_SUM_BYTES)
		return err_set(err, ERR_USAGE, EINVAL, "checkpoint", found,
			       "%llu bytes: it was cut off, or something was added",
			       (unsigned long long)head.length + CK_HEAD_BYTES + CK_SUM_BYTES);
	ck->at = bytes + n - CK_SUM_BYTES;
	ck_u64(ck, &sum);
	if (sum != XXH64(bytes, n - CK_SUM_BYTES, 0))
		return refuse(err, "a checksum that is not its own",
			      "the bytes as they were written");
	ck->at = bytes + CK_HEAD_BYTES;
	ck->end = bytes + n - CK_SUM_BYTES;
	return 0;
}

static int verdict(const struct ck *ck, struct err *err)
{
	if (ck->no_memory)
		return no_memory(err, "no memory for what it holds");
	if (ck->bad != NULL)
		return refuse(err, ck->bad, "what a switch of this railyard writes");
	return 0;
}

int sw_checkpoint_about(const void *bytes, size_t n, struct sw_about *out, struct err *err)
{
	struct ck ck;
	int rc = open_body(&ck, bytes, n, err);

	if (rc != 0)
		return rc;
	memset(out, 0, sizeof(*out));
	ck_about(&ck, out);
	return verdict(&ck, err);
}

static void give_all_back(struct sw *sw)
{
	struct pkt *pkt = sw_drain(sw), *next;

	for (; pkt != NULL; pkt = next) {
		next = pkt->next;
		sw->env.release(sw->env.ctx, pkt);
	}
}

/* The switch as its configuration makes it, before anything has happened. */
static struct sw *fresh(struct ck *ck, const struct sw_about *about,
			const struct pipeline *pipeline, const struct sw_env *env, struct err *err)
{
	struct sw_port_config *ports = NULL;
	struct sw_config config = {.n_ports = about->n_ports};
	struct sw *sw = NULL;
	char found[SW_NAME + 2];

	if (pipeline == NULL) {
		snprintf(found, sizeof(found), "'%s'", about->pipeline);
		refuse(err, found, "a pipeline of this railyard");
		return NULL;
	}
	ck_config(ck, &config);
	if (ck_room(ck, about->n_ports, CK_PORT_BYTES)) {
		ports = calloc(about->n_ports + 1u, sizeof(*ports));
		ck->no_memory = ports == NULL;
	}
	for (uint16_t i = 0; ck_check(ck, true, "") && i < about->n_ports; i++)
		ck_port_config(ck, &ports[i]);
	config.ports = ports;
	if (verdict(ck, err) == 0)
		sw = sw_new(&config, pipeline, env, err);
	free(ports);
	return sw;
}

struct sw *sw_restore(const void *bytes, size_t n,
		      const struct pipeline *(*pipeline)(const char *name),
		      const struct sw_env *env, struct err *err)
{
	struct sw_about about = {.n_ports = 0};
	struct sw *sw = NULL;
	struct ck ck;

	if (open_body(&ck, bytes, n, err) != 0)
		return NULL;
	ck_about(&ck, &about);
	if (verdict(&ck, err) == 0)
		sw = fresh(&ck, &about, pipeline(about.pipeline), env, err);
	if (sw == NULL)
		return NULL;
	ck_tables(&ck, sw);
	ck_state(&ck, sw);
	ck_check(&ck, sw->now == about.t_ps && sw->held == about.held,
		 "not what it says of itself");
	if (ck_check(&ck, ck.at == ck.end, "more than there should be"))
		ck_settle(&ck, sw);
	if (verdict(&ck, err) == 0)
		return sw;
	give_all_back(sw);
	sw_tables_free((struct sw_tables *)sw->tables);
	sw_free(sw);
	return NULL;
}
