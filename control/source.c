/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot(struct err *err, const char *name, int code, const char *what)
{
	int rc = err_set(err, ERR_USAGE, code, "", strerror(code), "%s", what);

	err_at(err, name, 0, 0);
	return rc;
}

static int copy_bytes(int to, int from, const char *name, struct err *err)
{
	char buf[65536];
	size_t total = 0;
	ssize_t n;

	while ((n = read(from, buf, sizeof(buf))) != 0) {
		if (n < 0)
			return cannot(err, name, errno, "a file that can be read");
		total += (size_t)n;
		if (total > SOURCE_MAX)
			return cannot(err, name, EFBIG, "a scenario of at most 16 MiB");
		if (write(to, buf, (size_t)n) != n)
			return cannot(err, name, errno, "memory for a copy of the file");
	}
	return 0;
}

int source_open(struct source *out, const char *file, struct err *err)
{
	bool standard = strcmp(file, "-") == 0;
	const char *name = standard ? "<stdin>" : file;
	int from = standard ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC), rc;

	memset(out, 0, sizeof(*out));
	out->fd = -1;
	if (from < 0)
		return cannot(err, name, errno, "a file that can be read");
	snprintf(out->name, sizeof(out->name), "%s", name);
	out->fd = memfd_create("railyard-scenario", MFD_CLOEXEC);
	if (out->fd < 0)
		rc = cannot(err, name, errno, "memory for a copy of the file");
	else
		rc = copy_bytes(out->fd, from, name, err);
	if (!standard)
		close(from);
	if (rc != 0)
		source_close(out);
	else
		snprintf(out->path, sizeof(out->path), "/proc/self/fd/%d", out->fd);
	return rc;
}

void source_close(struct source *source)
{
	for (uint32_t i = 0; i < source->n_sets; i++)
		free(source->sets[i]);
	free(source->sets);
	if (source->fd >= 0)
		close(source->fd);
	memset(source, 0, sizeof(*source));
	source->fd = -1;
}

/* Whether `later` gives anew all that `earlier` gave: its path is the same or above. */
static bool covers(const char *later, const char *earlier)
{
	size_t n = strcspn(later, "=");

	return strncmp(later, earlier, n) == 0 && (earlier[n] == '=' || earlier[n] == '.');
}

int source_set(struct source *source, const char *assignment, struct err *err)
{
	char **grown = realloc(source->sets, (source->n_sets + 1) * sizeof(*grown));
	char *copy = strdup(assignment);
	uint32_t kept = 0;

	if (grown != NULL)
		source->sets = grown;
	if (grown == NULL || copy == NULL) {
		free(copy);
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "set", "", "out of memory");
	}
	for (uint32_t i = 0; i < source->n_sets; i++) {
		if (covers(assignment, grown[i]))
			free(grown[i]);
		else
			grown[kept++] = grown[i];
	}
	grown[kept++] = copy;
	source->n_sets = kept;
	return 0;
}

int source_copy(struct source *out, const struct source *source, struct err *err)
{
	int rc = 0;

	*out = *source;
	out->sets = NULL;
	out->n_sets = 0;
	out->fd = dup(source->fd);
	if (out->fd < 0)
		return err_set(err, ERR_ENVIRONMENT, errno, "set", strerror(errno),
			       "a file descriptor");
	snprintf(out->path, sizeof(out->path), "/proc/self/fd/%d", out->fd);
	for (uint32_t i = 0; rc == 0 && i < source->n_sets; i++)
		rc = source_set(out, source->sets[i], err);
	if (rc != 0)
		source_close(out);
	return rc;
}

int source_load(struct scenario *out, const struct source *source, struct err *err)
{
	int rc = scenario_load_set(out, source->path, (const char *const *)source->sets,
				   source->n_sets, err);

	if (rc == 0)
		snprintf(out->file, sizeof(out->file), "%s", source->name);
	else if (err != NULL && strcmp(err->file, source->path) == 0)
		snprintf(err->file, sizeof(err->file), "%s", source->name);
	return rc;
}
