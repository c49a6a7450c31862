/* SPDX-License-Identifier: BSD-3-Clause */
/* The named QoS profiles (pipelines/presets/), as trees of `switch:` keys. Control thread. */
#ifndef RY_PRESET_H
#define RY_PRESET_H

#include "yaml.h"

/* What a switch has when no preset is named. */
#define PRESET_DEFAULT "nvidia"
/* No preset at all: the built-in settings. */
#define PRESET_NONE "none"

/* *out = the preset's map; NULL for PRESET_NONE. -ENOENT with the names that exist in expected[]
 * when there is none of that name; errors inside the preset name it ("preset nvidia:4:8"). */
int preset_load(struct yaml *yaml, const char *name, struct yaml_node **out, struct err *err);

/* "azure, nvidia, none". Returns buf. */
const char *preset_names(char *buf, size_t size);

#endif
