/* SPDX-License-Identifier: BSD-3-Clause */
/* What the API can be asked, as functions (read.c, act.c) and as one table (endpoints.c). */
#ifndef RY_DAEMON_ENDPOINTS_H
#define RY_DAEMON_ENDPOINTS_H

#include "api.h"

typedef void endpoint_fn(struct api *api, const struct request *request, struct reply *reply);

struct endpoint {
	const char *method, *path;
	endpoint_fn *serve;
	const char *help;
};

/* All of them, ended by a NULL method. */
extern const struct endpoint endpoints[];

/* What can be shown of a snapshot: {"railyard", "name", "cleared", "switches": [...], "totals"}. */
struct view {
	const char *name; /* GET /v1/NAME */
	unsigned int parts;
	void (*more)(const struct running *run, json_t *whole); /* may be NULL */
};

/* The one of that name, or NULL. */
const struct view *view_find(const char *name);
/* run->now, as the reader saw it. */
json_t *view_json(const struct running *run, const struct reader *reader, const struct view *view);

/* read.c, tables.c, status.c */
endpoint_fn read_view, read_hash, read_tables, read_status, read_effective, read_metrics, read_page;
/* act.c */
endpoint_fn act_config, act_hold, act_release, act_link, act_clear, act_restart, act_stop;

#endif
