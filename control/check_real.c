/* SPDX-License-Identifier: BSD-3-Clause */
#include "check_real.h"

#include <string.h>

/* A warning is no error of anything: it has no status. */
static void warn(struct check_file *file, const char *rule, int line, int col, const char *path,
		 const char *found, const char *expected)
{
	struct err at = {0};

	snprintf(at.path, sizeof(at.path), "%s", path);
	snprintf(at.found, sizeof(at.found), "%s", found);
	snprintf(at.expected, sizeof(at.expected), "%s", expected);
	err_at(&at, file->file, line, col);
	check_add(file, rule, FINDING_WARNING, &at);
}

/* The port that is one too many, in the order of the file. */
static void check_ports(struct check_file *file, const struct scenario *scenario,
			const struct fabric *fabric)
{
	const struct scenario_port *port = NULL;
	char path[SW_NAME + 16], found[64];
	uint32_t n = 0;

	if (fabric->n_real <= CHECK_REAL_PORTS)
		return;
	for (uint32_t i = 0; i < scenario->n_ports && n <= CHECK_REAL_PORTS; i++) {
		port = &scenario->ports[i];
		n += port->dev[0] != '\0';
	}
	snprintf(path, sizeof(path), "ports.%s.dev", port != NULL ? port->name : "");
	snprintf(found, sizeof(found), "%u real ports", fabric->n_real);
	warn(file, "RY090", port != NULL ? port->line : 0, port != NULL ? port->col : 0, path,
	     found,
	     "32 at most, which is all that DPDK takes as Debian builds it (RTE_MAX_ETHPORTS): "
	     "`up` will refuse; leave devices away, or build DPDK with more");
}

static void check_workers(struct check_file *file, const struct scenario *scenario,
			  const struct fabric *fabric)
{
	char found[32], expected[128];

	if (scenario->real.workers <= fabric->n_switches)
		return;
	snprintf(found, sizeof(found), "%u workers", scenario->real.workers);
	snprintf(expected, sizeof(expected),
		 "one for each switch at most: %u will run, a switch has one owner",
		 fabric->n_switches);
	warn(file, "RY091", scenario->real.line, scenario->real.col, "real.workers", found,
	     expected);
}

void check_real(struct check_file *file, const struct scenario *scenario,
		const struct fabric *fabric)
{
	check_ports(file, scenario, fabric);
	check_workers(file, scenario, fabric);
}
