/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ANSWER_MAX (64u << 20)
#define SILENCE_S 10 /* a daemon that works answers in milliseconds */

int client_place(struct place *out, const struct args *args, struct err *err)
{
	const char *given = options_value(args, "socket", NULL);
	int rc = given ? place_from_socket(out, given, err) : place_find(out, err);

	if (rc != 0)
		return rc;
	switch (place_state(out, NULL)) {
	case PLACE_RUNNING:
		return 0;
	case PLACE_STALE:
		return err_set(err, ERR_ENVIRONMENT, ECONNREFUSED, "", out->socket,
			       "a running daemon: this one was killed; "
			       "`railyard down` clears up, `railyard up FILE` starts anew");
	default:
		return err_set(err, ERR_ENVIRONMENT, ENOENT, "", "",
			       "nothing is running at %s; start with `railyard up FILE`",
			       out->socket);
	}
}

/* A daemon that is stopped, or hangs, still has a socket that takes connections. */
static int silent(const struct place *place, struct err *err)
{
	pid_t pid = 0;

	place_state(place, &pid);
	return err_set(err, ERR_ENVIRONMENT, ETIMEDOUT, "", "no answer in 10 s",
		       "railyardd (pid %d) to answer; `railyard down --force` ends it", (int)pid);
}

static int dial(const struct place *place, struct err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), code;
	struct timeval patience = {.tv_sec = SILENCE_S};

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", place->socket);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	code = errno;
	if (fd >= 0)
		close(fd);
	if (code == EAGAIN)
		return silent(place, err);
	return err_set(err, ERR_ENVIRONMENT, code, "", strerror(code), "to reach railyardd at %s%s",
		       place->socket,
		       code == EACCES   ? " (it belongs to another user)"
		       : code == ENOENT ? " (it is starting; wait for `railyard up`)"
					: "");
}

static int send_all(const struct place *place, int fd, const char *text, size_t n, struct err *err)
{
	ssize_t sent;

	for (; n > 0; text += sent, n -= (size_t)sent) {
		sent = send(fd, text, n, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			sent = 0;
		else if (sent < 0 && errno == EAGAIN)
			return silent(place, err);
		else if (sent < 0)
			return err_set(err, ERR_ENVIRONMENT, errno, "", strerror(errno),
				       "railyardd to listen");
	}
	return 0;
}

/* All that comes until the other side closes, NUL-ended. */
static char *receive_all(const struct place *place, int fd, struct err *err)
{
	size_t used = 0, cap = 65536;
	char *buf = malloc(cap), *grown;
	ssize_t n = 1;

	while (buf != NULL && n != 0) {
		n = read(fd, buf + used, cap - used - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		used += (size_t)n;
		if (cap - used > 1)
			continue;
		cap *= 2;
		grown = cap <= ANSWER_MAX ? realloc(buf, cap) : NULL;
		if (grown == NULL)
			break;
		buf = grown;
	}
	if (buf != NULL && n == 0) {
		buf[used] = '\0';
		return buf;
	}
	free(buf);
	if (n < 0 && errno == EAGAIN)
		silent(place, err);
	err_set(err, ERR_ENVIRONMENT, EIO, "", strerror(errno), "a whole answer from railyardd");
	return NULL;
}

/* Status and body of "HTTP/1.x STATUS ...\r\n\r\nBODY"; HTTP/1.0 was asked, so nothing is chunked. */
static int split(char *answer, char **body, struct err *err)
{
	char *end = strstr(answer, "\r\n\r\n"), *space = strchr(answer, ' ');
	long status = space ? strtol(space, NULL, 10) : 0;

	if (end == NULL || strncmp(answer, "HTTP/1.", 7) != 0 || status < 100 || status > 599) {
		*body = answer;
		return err_set(err, ERR_ENVIRONMENT, EIO, "", "no HTTP",
			       "an answer of railyardd (is it still running?)");
	}
	*body = end + 4;
	return (int)status;
}

static int talk(const struct place *place, const char *method, const char *path, const char *body,
		char **answer, struct err *err)
{
	char head[512];
	int fd = dial(place, err), rc;

	if (fd < 0)
		return fd;
	snprintf(head, sizeof(head),
		 "%s %s HTTP/1.0\r\nHost: railyard\r\nContent-Type: application/json\r\n"
		 "Content-Length: %zu\r\n\r\n",
		 method, path, body ? strlen(body) : 0);
	rc = send_all(place, fd, head, strlen(head), err);
	if (rc == 0 && body != NULL)
		rc = send_all(place, fd, body, strlen(body), err);
	if (rc == 0) {
		*answer = receive_all(place, fd, err);
		rc = *answer ? 0 : -EIO;
	}
	close(fd);
	return rc;
}

static const char *word(const json_t *error, const char *name)
{
	const char *s = json_string_value(json_object_get(error, name));

	return s ? s : "";
}

static int api_error(const json_t *json, int status, struct err *err)
{
	const json_t *error = json_object_get(json, "error");
	json_int_t exit_status = json_integer_value(json_object_get(error, "status"));
	const char *message = word(error, "message"), *expected = word(error, "expected");

	if (error == NULL)
		return err_set(err, ERR_ENVIRONMENT, EIO, "", "an answer without an error",
			       "one with it (HTTP %d)", status);
	/* A place in the file is in the message only. */
	if (word(error, "path")[0] == '\0' ||
	    strncmp(message, word(error, "path"), strlen(word(error, "path"))) != 0)
		return err_set(err, exit_status == 3 ? ERR_ENVIRONMENT : ERR_USAGE, EINVAL, "", "",
			       "%s", message);
	return err_set(err, exit_status == 3 ? ERR_ENVIRONMENT : ERR_USAGE, EINVAL,
		       word(error, "path"), word(error, "found"), "%s", expected);
}

int client_json(const struct place *place, const char *method, const char *path, const json_t *body,
		json_t **out, struct err *err)
{
	char *text = body ? json_dumps(body, JSON_COMPACT) : NULL, *answer = NULL, *start = NULL;
	int status, rc = talk(place, method, path, text, &answer, err);

	*out = NULL;
	free(text);
	if (rc != 0)
		return rc;
	status = split(answer, &start, err);
	if (status >= 0) {
		*out = json_loads(start, 0, NULL);
		if (*out == NULL)
			rc = err_set(err, ERR_ENVIRONMENT, EIO, "", "no JSON", "JSON of railyardd");
		else if (status >= 400)
			rc = api_error(*out, status, err);
	}
	free(answer);
	if (rc == 0 && status >= 0)
		return 0;
	json_decref(*out);
	*out = NULL;
	return rc ? rc : -EIO;
}

int client_text(const struct place *place, const char *path, char **out, struct err *err)
{
	char *answer = NULL, *start = NULL;
	int status, rc = talk(place, "GET", path, NULL, &answer, err);

	if (rc != 0)
		return rc;
	status = split(answer, &start, err);
	*out = status == 200 ? strdup(start) : NULL;
	free(answer);
	if (*out != NULL)
		return 0;
	return err_set(err, ERR_ENVIRONMENT, EIO, "", path, "an endpoint that answers");
}
