/* SPDX-License-Identifier: BSD-3-Clause */
/* `pfc.watchdog`: off, on, or a map of its times and what it does. The ranges are SONiC's. */
#include "scenario_int.h"

#include <errno.h>
#include <string.h>

#define MS UINT64_C(1000000000)
#define LEAST (100 * MS)

static const struct sw_watchdog watchdog_default = {.on = true,
						    .detect_ps = 200 * MS,
						    .restore_ps = 200 * MS,
						    .poll_ps = 100 * MS};

static int read_action(const struct yaml_node *node, const struct field *field, void *out,
		       struct err *err)
{
	int value = 0;
	int rc = field_word(node, field, &value, err);

	if (rc == 0)
		*(bool *)out = value == 1;
	return rc;
}

int qos_read_watchdog(const struct yaml_node *node, const struct field *field, void *out,
		      struct err *err)
{
	static const char *const actions[] = {"drop", "forward", NULL};
	static const struct field fields[] = {
		{"detect", field_time, offsetof(struct sw_watchdog, detect_ps), LEAST, 5000 * MS,
		 NULL},
		{"restore", field_time, offsetof(struct sw_watchdog, restore_ps), LEAST, 60000 * MS,
		 NULL},
		{"poll", field_time, offsetof(struct sw_watchdog, poll_ps), LEAST, 3000 * MS, NULL},
		{"action", read_action, offsetof(struct sw_watchdog, forward), 0, 0, actions},
		{"idle_counts", field_bool, offsetof(struct sw_watchdog, idle_counts), 0, 0, NULL},
		{.key = NULL},
	};
	struct sw_watchdog *watchdog = out;
	int on = yaml_switch(node);

	(void)field;
	*watchdog = watchdog_default;
	if (on == 0)
		memset(watchdog, 0, sizeof(*watchdog));
	if (on >= 0)
		return 0;
	if (node->kind != YAML_MAP)
		return yaml_error(node, err, NULL,
				  "on, off, or a map such as {detect: 200ms, restore: 200ms}");
	return fields_read(node, fields, "watchdog", watchdog, err);
}
