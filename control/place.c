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
	out->made_dir = false;
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
	size_t used = 0;

	for (int i = 0; i < n && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? " " : "",
					 found[i].socket);
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

/* What else is there under that name is somebody's file, and not ours to replace or to remove. */
static bool is_socket(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISSOCK(st.st_mode);
}

enum place_state place_state(const struct place *place, pid_t *pid)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(place->pid, O_RDONLY | O_CLOEXEC);
	char text[32] = "";
	bool held;

	if (fd < 0)
		return is_socket(place->socket) ? PLACE_STALE : PLACE_NONE;
	held = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
	if (held && pid != NULL)
		*pid = read(fd, text, sizeof(text) - 1) > 0 ? (pid_t)strtol(text, NULL, 10) : 0;
	close(fd);
	return held ? PLACE_RUNNING : PLACE_STALE;
}

/* The directory of the socket; false when that is "." or "/". */
static bool directory_of(const struct place *place, char dir[PLACE_PATH])
{
	char *slash;

	snprintf(dir, PLACE_PATH, "%s", place->socket);
	slash = strrchr(dir, '/');
	if (slash == NULL || slash == dir)
		return false;
	*slash = '\0';
	return true;
}

/* Only what this process made: another's may have an owner or a mode that is meant. */
static void remove_directory(const struct place *place)
{
	char dir[PLACE_PATH];

	if (place->made_dir && directory_of(place, dir))
		rmdir(dir);
}

static int make_directory(struct place *place, struct err *err)
{
	char dir[PLACE_PATH];

	if (!directory_of(place, dir))
		return 0;
	place->made_dir = mkdir(dir, 0755) == 0;
	if (place->made_dir || errno == EEXIST)
		return 0;
	return err_set(err, ERR_ENVIRONMENT, errno, dir, strerror(errno),
		       "a directory for the socket; give --socket PATH");
}

static int no_file(const struct place *place, struct err *err)
{
	return err_set(err, ERR_ENVIRONMENT, errno, place->pid, strerror(errno),
		       "a file that can be written; give --socket PATH");
}

/* Takes the lock of the file and writes the pid. -EAGAIN: its owner removed it meanwhile. */
static int lock_file(const struct place *place, int fd, struct err *err)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct stat st;
	int rc;

	if (fcntl(fd, F_OFD_SETLK, &lock) != 0)
		return err_set(err, ERR_USAGE, EEXIST, "", "",
			       "already running (%s); stop it with `railyard down` first",
			       place->socket);
	if (fstat(fd, &st) == 0 && st.st_nlink == 0)
		return -EAGAIN;
	if (ftruncate(fd, 0) == 0 && dprintf(fd, "%d\n", (int)getpid()) > 0)
		return 0;
	rc = no_file(place, err);
	place_remove(place);
	return rc;
}

static int open_locked(const struct place *place, struct err *err)
{
	int fd, rc;

	do {
		fd = open(place->pid, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			return no_file(place, err);
		rc = lock_file(place, fd, err);
		if (rc != 0)
			close(fd);
	} while (rc == -EAGAIN);
	return rc == 0 ? fd : rc;
}

int place_take(struct place *place, struct err *err)
{
	struct stat st;
	int fd;

	if (lstat(place->socket, &st) == 0 && !S_ISSOCK(st.st_mode))
		return err_set(err, ERR_USAGE, EEXIST, "--socket", place->socket,
			       "a path where nothing or an old socket is");
	fd = make_directory(place, err);
	if (fd == 0)
		fd = open_locked(place, err);
	if (fd < 0)
		remove_directory(place);
	return fd;
}

void place_remove(const struct place *place)
{
	if (is_socket(place->socket))
		unlink(place->socket);
	unlink(place->token);
	unlink(place->log);
	eal_dir_remove(place->prefix);
	unlink(place->pid);
	remove_directory(place);
}
