/* SPDX-License-Identifier: BSD-3-Clause */
#include "dataplane/model/list.c"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/cu.h"

/* Names are keys in JSON and metrics: lower case, digits, underscores; unique; each with its help. */
static void check_names(const struct sw_name *names, int n)
{
	for (int i = 0; i < n; i++) {
		CU_ASSERT_FATAL(names[i].name != NULL && names[i].help != NULL);
		CU_ASSERT(names[i].help[0] != '\0');
		CU_ASSERT(islower((unsigned char)names[i].name[0]));
		for (const char *c = names[i].name; *c != '\0'; c++)
			CU_ASSERT(islower((unsigned char)*c) || isdigit((unsigned char)*c) ||
				  *c == '_');
		for (int j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(names[i].name, names[j].name);
	}
}

static void names_are_keys(void)
{
	check_names(sw_drop_names, SW_DROPS);
	check_names(sw_loss_names, SW_LOSSES);
	check_names(sw_port_counter_names, SW_PORT_COUNTERS);
	check_names(sw_prio_counter_names, SW_PRIO_COUNTERS);
	check_names(sw_queue_counter_names, SW_QUEUE_COUNTERS);
	check_names(sw_event_names, SW_EVENTS);
	check_names(sw_watchdog_counter_names, SW_WATCHDOG_COUNTERS);
}

/* Whether the file has the drop's enum in it. */
static bool mentions(const char *path, const char *name)
{
	char wanted[64] = {0}, line[256];
	FILE *file = fopen(path, "r");
	bool found = false;

	if (file == NULL)
		return false;
	for (int i = 0; name[i] != '\0' && i < 63; i++)
		wanted[i] = (char)toupper((unsigned char)name[i]);
	while (!found && fgets(line, sizeof(line), file) != NULL)
		found = strstr(line, wanted) != NULL;
	fclose(file);
	return found;
}

/* Both kinds stand in one list for the reader. */
static void losses_are_not_drops(void)
{
	for (int l = 0; l < SW_LOSSES; l++) {
		CU_ASSERT_EQUAL(access(sw_loss_names[l].stage, R_OK), 0);
		for (int d = 0; d < SW_DROPS; d++)
			CU_ASSERT_STRING_NOT_EQUAL(sw_loss_names[l].name, sw_drop_names[d].name);
	}
}

/* `show drops` sends the reader to a file: that is where it happens. */
static void stages_are_files(void)
{
	for (int i = 0; i < SW_DROPS; i++) {
		const char *stage = sw_drop_names[i].stage;
		bool outside = strchr(stage, '/') != NULL, good;
		char path[128];

		snprintf(path, sizeof(path), "%s%s%s", outside ? "" : "dataplane/model/", stage,
			 outside ? "" : ".c");
		good = outside ? access(path, R_OK) == 0 : mentions(path, sw_drop_names[i].name);
		CU_ASSERT_TRUE(good);
		if (!good)
			fprintf(stderr, "%s: not in %s\n", sw_drop_names[i].name, path);
	}
}

static void order_is_the_enum(void)
{
	CU_ASSERT_STRING_EQUAL(sw_drop_names[SW_DROP_QUEUE_FULL].name, "queue_full");
	CU_ASSERT_STRING_EQUAL(sw_drop_names[SW_DROPS - 1].name, "device_full");
	CU_ASSERT_STRING_EQUAL(sw_queue_counter_names[SW_QUEUE_CE_IN].name, "ce_in");
	CU_ASSERT_STRING_EQUAL(sw_event_names[SW_EVENT_SET].name, "set");
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"list__names_are_keys", names_are_keys},
		{"list__losses_are_not_drops", losses_are_not_drops},
		{"list__stages_are_files", stages_are_files},
		{"list__order_is_the_enum", order_is_the_enum},
		{NULL, NULL},
	};

	return cu_main("model/list", cases);
}
