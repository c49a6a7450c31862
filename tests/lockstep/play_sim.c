/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/sim/sim.h"
#include "pipelines/registry.h"
#include "play.h"

#include <stdio.h>
#include <stdlib.h>

struct play {
	struct sim_node *node;
	struct sw_tables *tables[2];
	int variant[2]; /* of the tables, of the configuration */
};

/* ---- acts ---- */

/* Tables that came with a checkpoint are nobody else's. */
static void free_foreign(const struct play *play, const struct sw_tables *tables)
{
	if (tables != play->tables[0] && tables != play->tables[1])
		sw_tables_free((struct sw_tables *)tables);
}

static void control(struct play *play, const struct script_event *e)
{
	struct sw_port_config ports[SCRIPT_PORTS];
	struct sw_config config;
	struct err err = {0};

	switch (e->type) {
	case SCRIPT_HOLD:
	case SCRIPT_RELEASE:
		sim_node_hold(play->node, e->t_ps, e->port, e->type == SCRIPT_HOLD);
		break;
	case SCRIPT_LINK_DOWN:
	case SCRIPT_LINK_UP:
		sim_node_link(play->node, e->t_ps, e->port, e->type == SCRIPT_LINK_UP);
		break;
	case SCRIPT_SWAP:
		play->variant[0] = !play->variant[0];
		free_foreign(play,
			     sim_node_install(play->node, e->t_ps, play->tables[play->variant[0]]));
		break;
	case SCRIPT_SET:
		play->variant[1] = !play->variant[1];
		config = script_config(ports, play->variant[1]);
		sim_node_set(play->node, e->t_ps, &config, &err);
		break;
	}
}

/* Of the script, what happens from from_ps on and before until_ps. What went before only says which
 * variants are in force. */
static void play_range(struct play *play, const struct script *script, uint64_t from_ps,
		       uint64_t until_ps)
{
	uint8_t frame[SCRIPT_MAX_FRAME];

	for (uint64_t i = 0; i < script->n && script->events[i].t_ps < until_ps; i++) {
		const struct script_event *e = &script->events[i];

		if (e->t_ps < from_ps) {
			play->variant[0] ^= e->type == SCRIPT_SWAP;
			play->variant[1] ^= e->type == SCRIPT_SET;
		} else if (e->type < SCRIPT_FRAMES) {
			sim_node_arrive(play->node, e->t_ps, e->port, frame,
					script_frame(e, frame));
		} else {
			control(play, e);
		}
	}
}

/* ---- files ---- */

static int put(void *ctx, const void *bytes, size_t n)
{
	return fwrite(bytes, 1, n, ctx) == n ? 0 : -1;
}

static int save(struct play *play, const char *file, uint64_t t_ps)
{
	FILE *out = fopen(file, "wb");
	const struct sw_writer writer = {out, put};
	int rc;

	if (out == NULL)
		return -1;
	rc = sim_node_checkpoint(play->node, t_ps, &writer);
	return fclose(out) == 0 ? rc : -1;
}

static void *slurp(const char *file, size_t *n)
{
	FILE *in = fopen(file, "rb");
	void *bytes;

	if (in == NULL)
		return NULL;
	fseek(in, 0, SEEK_END);
	*n = (size_t)ftell(in);
	rewind(in);
	bytes = malloc(*n + 1);
	if (bytes != NULL && fread(bytes, 1, *n, in) != *n) {
		free(bytes);
		bytes = NULL;
	}
	fclose(in);
	return bytes;
}

/* *t_ps: when it was taken. */
static struct sim_node *load(const char *file, uint64_t *t_ps, struct err *err)
{
	struct sim_node *node = NULL;
	struct sw_about about;
	size_t n = 0;
	void *bytes = slurp(file, &n);

	if (bytes != NULL && sw_checkpoint_about(bytes, n, &about, err) == 0) {
		*t_ps = about.t_ps;
		node = sim_node_restore(bytes, n, pipeline_by_name, NULL, NULL, err);
	}
	free(bytes);
	return node;
}

/* ---- plays ---- */

static struct sim_node *new_node(const struct play *play, struct err *err)
{
	struct sw_port_config ports[SCRIPT_PORTS];
	struct sw_config config = script_config(ports, 0);

	return sim_node_new(&config, pipeline_by_name("lossless"), play->tables[0], NULL, NULL,
			    err);
}

static void finish(struct play *play, uint64_t end, struct result *result)
{
	sim_node_run(play->node, end);
	result->stats.ports = result->ports;
	sim_node_stats(play->node, end, &result->stats);
}

int play_part(const struct script *script, const char *in, const char *out, uint64_t until_ps,
	      struct result *result)
{
	struct play play = {.tables = {script_tables(0), script_tables(1)}};
	uint64_t from = 0, end = script->events[script->n - 1].t_ps + PLAY_TAIL_PS;
	struct err err = {0};
	char text[1024];
	int rc = -1;

	play.node = in != NULL ? load(in, &from, &err) : new_node(&play, &err);
	if (play.node == NULL) {
		fprintf(stderr, "sim: %s\n", err_text(&err, text, sizeof(text)));
	} else {
		const struct sw_tables *last;

		play_range(&play, script, from, out != NULL ? until_ps : UINT64_MAX);
		rc = out != NULL ? save(&play, out, until_ps) : 0;
		if (out == NULL)
			finish(&play, end, result);
		last = sim_node_tables(play.node);
		result->leaked = sim_node_free(play.node);
		free_foreign(&play, last);
	}
	sw_tables_free(play.tables[0]);
	sw_tables_free(play.tables[1]);
	return rc;
}

int play_sim(const struct script *script, struct result *result)
{
	return play_part(script, NULL, NULL, 0, result);
}
