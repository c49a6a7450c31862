/* SPDX-License-Identifier: BSD-3-Clause */
#include "eal_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void eal_dir_remove(const char *file_prefix)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	char path[512];

	/* DPDK's own rule: eal_create_runtime_dir() of 22.11. */
	if (geteuid() == 0)
		runtime = "/var/run";
	else if (runtime == NULL)
		runtime = "/tmp";
	snprintf(path, sizeof(path), "%s/dpdk/%s", runtime, file_prefix);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/dpdk", runtime);
	rmdir(path);
}
