/* SPDX-License-Identifier: BSD-3-Clause */
#include "endpoints.h"

#include <microhttpd.h>
#include <string.h>

static void not_here(struct api *api, const struct request *request, struct reply *reply)
{
	(void)api;
	reply_error(reply, MHD_HTTP_NOT_FOUND, request->path,
		    "a request that is not in this version", "one that GET / lists");
}

/* The stream is served by http.c: its answer has no end. */
static void stream(struct api *api, const struct request *request, struct reply *reply)
{
	not_here(api, request, reply);
}

const struct endpoint endpoints[] = {
	{"GET", "/", read_page, "this page"},
	{"GET", "/metrics", read_metrics, "Prometheus text; free-running, clear does not touch it"},
	{"GET", "/v1/status", read_status, "what runs, whether it is valid, workers, headroom"},
	{"GET", "/v1/effective", read_effective, "the scenario as it is now, as YAML"},
	{"GET", "/v1/ports", read_view, "counters of ports; ?reader=NAME: since NAME's clear"},
	{"GET", "/v1/queues", read_view, "egress queues"},
	{"GET", "/v1/pg", read_view, "ingress priority groups, and the buffer's pools"},
	{"GET", "/v1/pfc", read_view, "PFC sent, received, honoured; time paused"},
	{"GET", "/v1/watchdog", read_view, "PFC storms of lossless queues, and the settings"},
	{"GET", "/v1/ecn", read_view, "ECN and WRED: thresholds, marks, drops"},
	{"GET", "/v1/drops", read_view, "drops by name, and the accounting identity"},
	{"GET", "/v1/hash", read_hash, "fields of the ECMP hash"},
	{"GET", "/v1/tables", read_tables, "routes, gateways, learned addresses, neighbours"},
	{"GET", "/v1/stream", stream, "server-sent events: counters every interval_ms (1000)"},
	{"GET", "/v1/flows", not_here, NULL},
	{"GET", "/v1/cc", not_here, NULL},
	{"PUT", "/v1/tables", not_here, NULL},
	{"PATCH", "/v1/config", act_config, "{\"PATH\": VALUE, ...}: all of them or none"},
	{"POST", "/v1/hold", act_hold, "{\"port\": NAME}: stop its egress"},
	{"POST", "/v1/release", act_release, "{\"port\": NAME}: let it go on"},
	{"POST", "/v1/link", act_link, "{\"port\": NAME, \"up\": BOOL}"},
	{"POST", "/v1/clear", act_clear,
	 "{\"what\": \"counters\" or \"watermarks\" or \"all\", \"reader\": NAME, \"show\": VIEW}"},
	{"POST", "/v1/restart", act_restart,
	 "{\"what\": \"workers\"}: their threads end and start; the switches go on"},
	{"POST", "/v1/stop", act_stop, "stop the switches, then the daemon"},
	{"POST", "/v1/inject", not_here, NULL},
	{"POST", "/v1/capture", not_here, NULL},
	{NULL, NULL, NULL, NULL},
};

static bool method_fits(const char *asked, const char *method)
{
	return strcmp(asked, method) == 0 ||
	       (strcmp(asked, "HEAD") == 0 && strcmp(method, "GET") == 0);
}

void api_serve(struct api *api, const struct request *request, struct reply *reply)
{
	const char *other = NULL;

	for (const struct endpoint *e = endpoints; e->method != NULL; e++) {
		if (strcmp(e->path, request->path) != 0)
			continue;
		if (method_fits(request->method, e->method)) {
			e->serve(api, request, reply);
			return;
		}
		other = e->method;
	}
	if (other != NULL)
		reply_error(reply, MHD_HTTP_METHOD_NOT_ALLOWED, request->path, request->method,
			    other);
	else
		reply_error(reply, MHD_HTTP_NOT_FOUND, request->path, "nothing",
			    "an endpoint that GET / lists");
}
