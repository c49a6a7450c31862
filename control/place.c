/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "place.h"

#include "eal_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FOUND 16

int place_from_socket(struct place *out, const char *socket, struct err *err)
{
	size_t n = strlen(socket);
	const char *slash;
	int stem, name;

	if (n == 0 || n >= PLACE_PATH)
		return err_set(err, ERR_USAGE, ENAMETOOLONG, "--socket", socket,
			       "a path of 1 to %d bytes (a Unix socket holds no more)",
			       PLACE_PATH - 1);
	stem = (int)(n > 5 && strcmp(socket + n - 5, ".sock") == 0 ? n - 5 : n);
	snprintf(out->socket, sizeof(out->socket), "%s", socket);
	snprintf(out->pid, sizeof(out->pid), "%.*s.pid", stem, socket);
	snprintf(out->log, sizeof(out->log), "%.*s.log", stem, socket);
	snprintf(out->token, sizeof(out->token), "%.*s.token", stem, socket);
	slash = memrchr(socket, '/', (size_t)stem);
	name = slash ? (int)(slash - socket) + 1 : 0;
	snprintf(out->prefix, sizeof(out->prefix), "railyard-%.*s", stem - name, socket + name);
	return 0;
}

static int directory(char *out, size_t size, struct err *err)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (geteuid() == 0) {
		snprintf(out, size, "/run/railyard");
		return 0;
	}
	if (runtime == NULL || runtime[0] != '/')
		return err_set(err, ERR_ENVIRONMENT, ENOENT, "XDG_RUNTIME_DIR",
			       runtime ? runtime : "nothing",
			       "a directory for the socket; set it or give --socket PATH");
	if ((size_t)snprintf(out, size, "%s/railyard", runtime) >= size)
		return err_set(err, ERR_ENVIRONMENT, ENAMETOOLONG, "XDG_RUNTIME_DIR", runtime,
			       "a shorter path; give --socket PATH");
	return 0;
}

int place_from_name(struct place *out, const char *name, struct err *err)
{
	const char *given = getenv("RAILYARD_SOCKET");
	char dir[PLACE_PATH], socket[2 * PLACE_PATH];
	int rc;

	if (given != NULL && given[0] != '\0')
		return place_from_socket(out, given, err);
	rc = directory(dir, sizeof(dir), err);
	if (rc != 0)
		return rc;
	snprintf(socket, sizeof(socket), "%s/%s.sock", dir, name);
	return place_from_socket(out, socket, err);
}

/* The places of dir whose daemon is in state `want`. The lock's file is the first to come and the
 * last to go. */
static int list_places(const char *dir, enum place_state want, struct place *found)
{
	DIR *d = opendir(dir);
	char path[PLACE_PATH + 256];
	struct dirent *entry;
	int n = 0;

	while (d != NULL && (entry = readdir(d)) != NULL && n < MAX_FOUND) {
		size_t length = strlen(entry->d_name);

		if (length < 5 || strcmp(entry->d_name + length - 4, ".pid") != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%.*s.sock", dir, (int)length - 4, entry->d_name);
		if (place_from_socket(&found[n], path, NULL) == 0 &&
		    place_state(&found[n], NULL) == want)
			n++;
	}
	if (d != NULL)
		closedir(d);
	return n;
}

static int several(const struct place *found, int n, struct err *err)
{
	char names[PLACE_PATH * MAX_FOUND] = "";
	char *end = names;

	for (int i = 0; i < n; i++)
		end += sprintf(end, "%s%s", i ? " " : "", found[i].socket);
	return err_set(err, ERR_USAGE, EINVAL, "--socket", names,
		       "the one you mean: --socket PATH or RAILYARD_SOCKET");
}

int place_find(struct place *out, struct err *err)
{
	const char *given = getenv("RAILYARD_SOCKET");
	struct place found[MAX_FOUND];
	char dir[PLACE_PATH];
	int n, rc;

	if (given != NULL && given[0] != '\0')
		return place_from_socket(out, given, err);
	rc = directory(dir, sizeof(dir), err);
	if (rc != 0)
		return rc;
	n = list_places(dir, PLACE_RUNNING, found);
	if (n == 0)
		n = list_places(dir, PLACE_STALE, found);
	if (n == 0)
		return err_set(
			err, ERR_ENVIRONMENT, ENOENT, "", "",
			"nothing is running (no socket in %s); start with `railyard up FILE`", dir);
	if (n > 1)
		return several(found, n, err);
	*out = found[0];
	return 0;
}

enum place_state place_state(const struct place *place, pid_t *pid)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(place->pid, O_RDONLY | O_CLOEXEC);
	char text[32] = "";
	bool held;

	if (fd < 0)
		return access(place->socket, F_OK) == 0 ? PLACE_STALE : PLACE_NONE;
	held = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
	if (held && pid != NULL)
		*pid = read(fd, text, sizeof(text) - 1) > 0 ? (pid_t)strtol(text, NULL, 10) : 0;
	close(fd);
	return held ? PLACE_RUNNING : PLACE_STALE;
}

static int make_directory(const char *path, struct err *err)
{
	char dir[PLACE_PATH + 8];
	char *slash;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (slash == NULL || slash == dir)
		return 0;
	*slash = '\0';
	if (mkdir(dir, 0755) == 0 || errno == EEXIST)
		return 0;
	return err_set(err, ERR_ENVIRONMENT, errno, dir, strerror(errno),
		       "a directory for the socket; give --socket PATH");
}

int place_take(const struct place *place, struct err *err)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd, rc = make_directory(place->socket, err);

	if (rc != 0)
		return rc;
	fd = open(place->pid, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_set(err, ERR_ENVIRONMENT, errno, place->pid, strerror(errno),
			       "a file that can be written; give --socket PATH");
	if (fcntl(fd, F_OFD_SETLK, &lock) != 0) {
		close(fd);
		return err_set(err, ERR_USAGE, EEXIST, "", "",
			       "already running (%s); stop it with `railyard down` first",
			       place->socket);
	}
	if (ftruncate(fd, 0) != 0 || dprintf(fd, "%d\n", (int)getpid()) < 0) {
		rc = err_set(err, ERR_ENVIRONMENT, errno, place->pid, strerror(errno),
			     "a file that can be written");
		close(fd);
		return rc;
	}
	return fd;
}

void place_remove(const struct place *place)
{
	unlink(place->socket);
	unlink(place->token);
	unlink(place->log);
	eal_dir_remove(place->prefix);
	unlink(place->pid);
}
