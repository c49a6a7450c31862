/* SPDX-License-Identifier: BSD-3-Clause */
/* Control: what an operator does, and what nobody should be able to do. */
#include "life.h"

#include <string.h>

/* In words, on one line, with the place where there is one. */
static void check_refusal(const struct life *life, const struct err *err)
{
	struct err placed = *err;
	char text[1024];

	must(life, err->status == ERR_USAGE && err->path[0] != '\0' && err->expected[0] != '\0');
	must(life, strchr(err_text(err, text, sizeof(text)), '\n') == NULL);
	must(life, strstr(text, ", expected ") != NULL);
	err_at(&placed, "life.yaml", 7, 3);
	must(life, strncmp(err_text(&placed, text, sizeof(text)), "life.yaml:7:3: ", 15) == 0);
}

static void must_be_as_before(struct life *life, const struct sw_stats *before)
{
	struct sw_port_stats ports[LIFE_PORTS];
	struct sw_stats now = {.ports = ports};

	sw_stats(life->sw, life->now_ps, &now);
	must(life, audit_same(&now, before));
}

static void set(struct life *life, bool wrong)
{
	struct sw_port_config ports[LIFE_PORTS], old[LIFE_PORTS];
	struct sw_port_stats port_stats[LIFE_PORTS];
	struct sw_stats before = {.ports = port_stats};
	struct sw_config config = life->config;
	struct err err = {0};
	int rc;

	memcpy(ports, life->ports, sizeof(ports));
	memcpy(old, life->ports, sizeof(old));
	if (wrong)
		draw_wrong_config(life, &config, ports);
	else
		draw_change(life, &config, ports);
	sw_stats(life->sw, life->now_ps, &before);
	rc = sw_set(life->sw, life->now_ps, &config, &err);
	must(life, (rc == 0) == (err.status == ERR_NONE) && (rc != 0 || !wrong));
	if (rc != 0) {
		check_refusal(life, &err);
		must_be_as_before(life, &before);
		life->report->refused_sets++;
		return;
	}
	life->resized = true;
	life->config = config;
	life->config.ports = life->ports;
	memcpy(life->ports, ports, sizeof(ports));
	oracle_changed(life, old);
	life->report->sets++;
}

static void refuse_start(struct life *life)
{
	struct sw_port_config ports[LIFE_PORTS];
	struct sw_config config = life->config;
	struct sw_env env = {.ctx = life, .copy = life_copy};
	struct err err = {0};
	struct sw *sw;

	memcpy(ports, life->ports, sizeof(ports));
	draw_wrong_config(life, &config, ports);
	if (sw_config_check(&config, &err) == 0)
		return; /* a good one for a new switch */
	err = (struct err){0};
	sw = sw_new(&config, life->pipeline, &env, &err);
	must(life, sw == NULL || !life->pipeline->lossless);
	if (sw == NULL)
		check_refusal(life, &err);
	sw_free(sw);
	life->report->refused_starts++;
}

static void hold(struct life *life)
{
	struct source *s = life->source;
	uint16_t port = (uint16_t)draw(s, life->config.n_ports);
	bool held = !life->oracle.ports[port].held;

	sw_hold(life->sw, life->now_ps, port, held);
	life->oracle.ports[port].held = held;
	life->report->holds++;
}

static void link_port(struct life *life, uint16_t port, bool up)
{
	sw_link(life->sw, life->now_ps, port, up);
	oracle_link(life, port, up);
	life->report->links++;
}

static void install(struct life *life)
{
	struct sw_tables *tables = one_in(life->source, 12) ? NULL : draw_tables(life);

	must(life, sw_install(life->sw, life->now_ps, tables) == life->tables);
	sw_tables_free(life->tables);
	life->tables = tables;
	life->steady = false;
	life->report->installs++;
}

/* What was held is let go, links come back: else nothing would be left to see. */
void life_recover(struct life *life)
{
	for (uint16_t i = 0; i < life->config.n_ports; i++) {
		if (life->oracle.ports[i].held) {
			sw_hold(life->sw, life->now_ps, i, false);
			life->oracle.ports[i].held = false;
		}
		if (!life->oracle.ports[i].up)
			link_port(life, i, true);
	}
	if (life->tables == NULL)
		install(life);
	life->refuse_copies = false;
}

void life_control(struct life *life)
{
	static const uint8_t weights[] = {30, 12, 2, 14, 5, 4, 4, 30, 6, 3, 8, 6, 0};
	struct source *s = life->source;
	uint16_t port;

	switch (draw_weighted(s, weights)) {
	case 0:
		if (!life->fixed)
			set(life, false);
		break;
	case 1:
		set(life, true);
		break;
	case 2:
		refuse_start(life);
		break;
	case 3:
		hold(life);
		break;
	case 4:
		port = (uint16_t)draw(s, life->config.n_ports);
		link_port(life, port, one_in(s, 8) == life->oracle.ports[port].up);
		break;
	case 5:
		install(life);
		break;
	case 6:
		life->refuse_copies = !life->refuse_copies;
		break;
	case 7:
		life_recover(life);
		break;
	case 8:
		sw_clear_watermarks(life->sw, life->now_ps);
		break;
	case 9:
		draw_wrong_tables(life);
		life->report->refused_tables++;
		break;
	case 10:
		life_restore_damaged(life);
		break;
	default:
		life->asks = one_in(s, 3);
		life->storm = draw_between(s, 20, life->asks ? 50 : 400);
	}
}
