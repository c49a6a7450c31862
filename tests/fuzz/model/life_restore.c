/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints in a life: the switch is written, another is made of the bytes, and that one lives on;
 * when that happens must not matter. And bytes that somebody has changed: they are refused, or make a
 * switch that is sound. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "life.h"

#include "pipelines/registry.h"

#include <stdlib.h>
#include <string.h>

#define HEAD_BYTES 32 /* checkpoint.c: what is before the body, and the checksum behind it */
#define SUM_BYTES 8

/* ---- what the switch borrows ---- */

static int put(void *ctx, const void *bytes, size_t n)
{
	struct life *life = ctx;

	if (life->image_len + n > life->image_cap) {
		life->image_cap = 2 * (life->image_len + n);
		life->image = realloc(life->image, life->image_cap);
		must(life, life->image != NULL);
	}
	memcpy(life->image + life->image_len, bytes, n);
	life->image_len += n;
	return 0;
}

static int put_nowhere(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	return n > 0 ? -28 : 0;
}

/* All of them are asked for twice, in the order in which they come back. */
uint32_t life_have(void *ctx, const struct pkt *pkt)
{
	struct life *life = ctx;
	uint32_t held = (uint32_t)life->sw->held;

	life->written = realloc(life->written, (held + 1) * sizeof(struct pkt *));
	must(life, life->written != NULL && held > 0);
	life->written[life->n_written++ % held] = (const struct fuzz_pkt *)pkt;
	return pkt->len;
}

struct pkt *life_alloc(void *ctx, uint32_t len, uint32_t have)
{
	static const uint8_t nothing[FRAME_MAX];
	struct life *life = ctx;
	struct fuzz_pkt *made;

	(void)have;
	if (life->n_read >= life->room)
		return NULL;
	made = life_new_pkt(life, nothing, (uint16_t)len);
	made->in_model = true;
	if (life->n_read < life->sw->held)
		made->of = life->written[life->n_read];
	life->n_read++;
	life->alive++;
	return &made->pkt;
}

void life_release(void *ctx, struct pkt *pkt)
{
	life_take_back(ctx, pkt);
}

static struct sw_env env_of(struct life *life)
{
	return (struct sw_env){.ctx = life,
			       .copy = life_copy,
			       .have = life_have,
			       .alloc = life_alloc,
			       .release = life_release};
}

/* ---- the same again ---- */

static void write_image(struct life *life)
{
	const struct sw_writer writer = {.ctx = life, .put = put};

	life->image_len = 0;
	life->n_written = life->n_read = 0;
	life->room = UINT64_MAX;
	must(life, sw_checkpoint(life->sw, &writer) == 0);
	must(life, life->n_written == 2 * life->sw->held);
}

/* What is known of a frame is known of its other self. */
static void recognise(const struct life *life, struct pkt *chain)
{
	for (; chain != NULL; chain = chain->next) {
		struct fuzz_pkt *made = (struct fuzz_pkt *)chain;
		const struct fuzz_pkt *other = made->of;

		must(life, other != NULL && made->len == other->len);
		must(life, memcmp(chain->data, other->pkt.data, made->len) == 0);
		made->id = other->id;
		made->valid = other->valid;
		made->icrc = other->icrc;
		if (made->was != NULL)
			memcpy(made->was, other->was, other->len);
		made->of = NULL;
	}
}

static void recognise_all(struct life *life, struct sw *sw)
{
	for (uint16_t i = 0; i < sw->n_ports; i++) {
		for (int p = 0; p < SW_PRIOS; p++) {
			recognise(life, sw->ports[i].queues[p].head);
			recognise(life, sw->ports[i].edge.head[p]);
		}
		recognise(life, sw->ports[i].edge.sending);
	}
	audit_neighbours(sw, recognise, life);
}

static void check_about(struct life *life)
{
	struct sw_about about;
	struct err err = {0};

	must(life, sw_checkpoint_about(life->image, life->image_len, &about, &err) == 0);
	must(life, about.n_ports == life->config.n_ports && about.t_ps == life->now_ps);
	must(life, about.held == life->sw->held && strcmp(about.name, life->config.name) == 0);
}

void life_restore(struct life *life)
{
	struct sw_port_stats ports[2][LIFE_PORTS];
	struct sw_stats before = {.ports = ports[0]}, after = {.ports = ports[1]};
	struct sw_env env = env_of(life);
	struct err err = {0};
	struct sw *sw;

	life_take_back_all(life, sw_reap(life->sw));
	write_image(life);
	check_about(life);
	sw_stats(life->sw, life->now_ps, &before);
	sw = sw_restore(life->image, life->image_len, pipeline_by_name, &env, &err);
	must(life, sw != NULL && err.status == ERR_NONE && life->n_read == sw->held);
	sw_stats(sw, life->now_ps, &after);
	must(life, audit_same(&before, &after));
	recognise_all(life, sw);
	life_take_back_all(life, sw_drain(life->sw));
	sw_free(life->sw);
	sw_tables_free(life->tables);
	life->sw = sw;
	life->tables = (struct sw_tables *)sw_tables_of(sw);
	life->report->restores++;
}

/* ---- not quite the same ---- */

static void close_image(struct life *life)
{
	uint64_t sum = XXH64(life->image, life->image_len - SUM_BYTES, 0);

	for (int i = 0; i < SUM_BYTES; i++)
		life->image[life->image_len - SUM_BYTES + (size_t)i] = (uint8_t)(sum >> (8 * i));
}

/* The length in the head goes with it. */
static void cut_image(struct life *life)
{
	uint64_t body = life->image_len - HEAD_BYTES - SUM_BYTES;
	uint32_t less = draw(life->source, (uint32_t)body);

	life->image_len -= less;
	for (int i = 0; i < 8; i++)
		life->image[24 + i] = (uint8_t)((body - less) >> (8 * i));
}

static void damage(struct life *life)
{
	struct source *s = life->source;
	uint32_t body = (uint32_t)(life->image_len - HEAD_BYTES - SUM_BYTES);

	for (uint32_t n = draw_between(s, 1, one_in(s, 4) ? 20 : 2); n > 0; n--) {
		/* The first bytes hold what the rest is made by. */
		uint32_t at = HEAD_BYTES + draw(s, one_in(s, 3) && body > 2000 ? 2000 : body);

		if (one_in(s, 3))
			life->image[at] ^= 1 << draw(s, 8);
		else
			life->image[at] =
				one_in(s, 2) ? (uint8_t)draw(s, 256) : (uint8_t)(draw(s, 2) * 255);
	}
	if (one_in(s, 8))
		cut_image(life);
	if (one_in(s, 40))
		life->image[draw(s, HEAD_BYTES)] ^= 1;
	if (!one_in(s, 20))
		close_image(life);
}

/* A switch that was made of such bytes does what a switch does: it runs, counts, and gives back what it
 * has. */
static void use(struct life *life, struct sw *sw)
{
	struct sw_port_stats ports[LIFE_PORTS];
	struct sw_stats stats = {.ports = ports};
	struct sw_rec recs[64];
	struct sw_out out = {.recs = recs, .cap = 64};
	uint64_t next;

	for (int i = 0; i < 200 && (next = sw_next(sw)) < UINT64_MAX / 4; i++) {
		must(life, sw_advance(sw, next + 1, &out) == SW_DONE || out.n > 0);
		for (uint32_t r = 0; r < out.n; r++)
			if (recs[r].pkt != NULL)
				life_take_back(life, recs[r].pkt);
	}
	must(life, sw->n_ports <= LIFE_PORTS);
	sw_stats(sw, sw->now, &stats);
	must(life, stats.rx + stats.generated + stats.copied ==
			   stats.tx + stats.consumed + stats.dropped + stats.held);
	life_take_back_all(life, sw_reap(sw));
	life_take_back_all(life, sw_drain(sw));
	sw_tables_free((struct sw_tables *)sw_tables_of(sw));
	sw_free(sw);
}

void life_restore_damaged(struct life *life)
{
	const struct sw_writer nowhere = {.put = put_nowhere};
	struct sw_env env = env_of(life);
	int64_t alive = life->alive;
	struct err err = {0};
	struct sw *sw;

	must(life, sw_checkpoint(life->sw, &nowhere) == -28);
	write_image(life);
	if (one_in(life->source, 6))
		life->room = draw(life->source, (uint32_t)life->sw->held + 1);
	else
		damage(life);
	sw = sw_restore(life->image, life->image_len, pipeline_by_name, &env, &err);
	must(life, (sw == NULL) == (err.status != ERR_NONE));
	if (sw != NULL) {
		use(life, sw);
		life->report->odd_images++;
	} else {
		must(life, err.expected[0] != '\0' && err.found[0] != '\0');
		life->report->refused_images++;
	}
	must(life, life->alive == alive);
}
