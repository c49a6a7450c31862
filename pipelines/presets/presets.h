/* SPDX-License-Identifier: BSD-3-Clause */
/* The named QoS profiles, pipelines/presets/NAME.yaml, as bytes in the program.
 *
 * The array is generated at build time by scripts/embed.sh from the list in meson.build, in that
 * order. Constant; any thread.
 */
#ifndef RY_PRESETS_H
#define RY_PRESETS_H

#include <stddef.h>

struct preset_file {
	const char *name; /* "nvidia": the file's name without .yaml */
	const char *yaml; /* its text, a NUL after it */
	size_t length;    /* bytes of text, without the NUL */
};

/* All of them, ended by name == NULL. */
extern const struct preset_file preset_files[];

#endif
