/* SPDX-License-Identifier: BSD-3-Clause */
/* The pipelines by name. Only control looks things up here and hands the pointer down. */
#ifndef RY_PIPELINES_REGISTRY_H
#define RY_PIPELINES_REGISTRY_H

#include "dataplane/model/pipeline.h"

/* All of them, ended by NULL. */
extern const struct pipeline *const pipelines[];

/* NULL when there is none of that name. Any thread. */
const struct pipeline *pipeline_by_name(const char *name);

#endif
