/* SPDX-License-Identifier: BSD-3-Clause */
#include "listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 512

static int refused(struct err *err, int fd, const char *path, const char *expected)
{
	int code = errno;

	if (fd >= 0)
		close(fd);
	return err_set(err, ERR_ENVIRONMENT, code, path, strerror(code), "%s", expected);
}

int listen_unix(const char *path, struct err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct stat st;
	mode_t mask;
	int fd, rc;

	if (lstat(path, &st) == 0 && !S_ISSOCK(st.st_mode))
		return err_set(err, ERR_USAGE, EEXIST, "--socket", path,
			       "a path where nothing or an old socket is");
	unlink(path);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return refused(err, fd, path, "a Unix socket");
	/* Mode 0600 from its first moment. */
	mask = umask(0177);
	rc = bind(fd, (struct sockaddr *)&address, sizeof(address));
	umask(mask);
	if (rc != 0 || listen(fd, BACKLOG) != 0)
		return refused(err, fd, path,
			       "a directory that can be written; give --socket PATH");
	return fd;
}

static int bind_to(const struct addrinfo *list)
{
	int fd = -1, one = 1;

	for (const struct addrinfo *a = list; a != NULL; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
			return fd;
		close(fd);
		fd = -1;
	}
	return fd;
}

int listen_tcp(const char *address, struct err *err)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
	const char *colon = strrchr(address, ':');
	char host[256];
	size_t n;
	int fd;

	if (colon == NULL || colon[1] == '\0')
		return err_set(err, ERR_USAGE, EINVAL, "--listen", address,
			       "ADDR:PORT, like 127.0.0.1:8080");
	n = (size_t)(colon - address);
	if (n >= 2 && address[0] == '[' && address[n - 1] == ']')
		snprintf(host, sizeof(host), "%.*s", (int)n - 2, address + 1);
	else
		snprintf(host, sizeof(host), "%.*s", (int)n, address);
	if (getaddrinfo(host[0] ? host : NULL, colon + 1, &hints, &list) != 0)
		return err_set(err, ERR_USAGE, EINVAL, "--listen", address,
			       "ADDR:PORT, like 127.0.0.1:8080");
	fd = bind_to(list);
	freeaddrinfo(list);
	if (fd < 0)
		return refused(err, fd, "--listen", "an address and a port that are free here");
	return fd;
}
