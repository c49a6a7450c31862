/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "program.h"

#include "dataplane/model/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void program_daemon(char *out, size_t size)
{
	static const char *const places[] = {"railyardd", "../sbin/railyardd"};
	char self[400] = "";
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash = n > 0 ? strrchr(self, '/') : NULL;

	for (int i = 0; slash != NULL && i < 2; i++) {
		snprintf(out, size, "%.*s/%s", (int)(slash - self), self, places[i]);
		if (access(out, X_OK) == 0)
			return;
	}
	snprintf(out, size, "railyardd");
}

int program_become(const char **words)
{
	execvp(words[0], (char *const *)words);
	fprintf(stderr, "railyard: %s: %s; it comes with `make` (not with `make tools`)\n",
		words[0], strerror(errno));
	return ERR_ENVIRONMENT;
}
