/* SPDX-License-Identifier: BSD-3-Clause */
#include "preset.h"

#include "pipelines/presets/presets.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *preset_names(char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (const struct preset_file *file = preset_files; file->name && used < size; file++)
		used += (size_t)snprintf(buf + used, size - used, "%s, ", file->name);
	if (used < size)
		snprintf(buf + used, size - used, "%s", PRESET_NONE);
	return buf;
}

int preset_load(struct yaml *yaml, const char *name, struct yaml_node **out, struct err *err)
{
	const struct preset_file *file = preset_files;
	char place[64];

	*out = NULL;
	if (strcmp(name, PRESET_NONE) == 0)
		return 0;
	while (file->name != NULL && strcmp(file->name, name) != 0)
		file++;
	if (file->name == NULL)
		return -ENOENT;
	snprintf(place, sizeof(place), "preset %s", file->name);
	return yaml_parse(yaml, place, file->yaml, file->length, out, err);
}
