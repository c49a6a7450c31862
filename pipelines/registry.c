/* SPDX-License-Identifier: BSD-3-Clause */
#include "registry.h"

#include <stddef.h>
#include <string.h>

extern const struct pipeline pipeline_lossless, pipeline_lossy;

const struct pipeline *const pipelines[] = {&pipeline_lossless, &pipeline_lossy, NULL};

const struct pipeline *pipeline_by_name(const char *name)
{
	for (size_t i = 0; pipelines[i] != NULL; i++)
		if (strcmp(pipelines[i]->name, name) == 0)
			return pipelines[i];
	return NULL;
}
