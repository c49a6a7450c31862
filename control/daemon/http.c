/* SPDX-License-Identifier: BSD-3-Clause */
/* The api over libmicrohttpd: connections, bodies, the token; no endpoint is here. */
#include "api.h"
#include "listen.h"
#include "stream.h"
#include "token.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CONNECTIONS_MAX 1000
#define SILENT_S 5u /* a client that has not asked anything for so long is closed */
#define IDLE_S 30u  /* one that has, and is in the middle of something */

struct api {
	struct running *run;
	struct MHD_Daemon *local, *tcp;
	struct streams *streams;
	char *listen;
	char token[API_TOKEN];
	bool stopping, answered;
};

/* One request while its body comes in. */
struct upload {
	char *body;
	size_t length, cap;
	size_t refused; /* bytes past API_BODY_MAX */
	bool stops;     /* it is the one that stops the daemon */
};

struct running *api_running(struct api *api)
{
	return api->run;
}

const char *api_listen(const struct api *api)
{
	return api->listen;
}

int api_stop_switches(struct api *api)
{
	api->stopping = true;
	return running_stop(api->run);
}

bool api_stopped(const struct api *api)
{
	return api->answered;
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, struct reply *reply)
{
	unsigned int status = reply->status ? reply->status : MHD_HTTP_OK;
	const char *type = reply->type && reply->text ? reply->type : "application/json";
	struct MHD_Response *response;
	enum MHD_Result ok;
	char *text = reply->text;

	if (text == NULL && reply->json != NULL)
		text = json_dumps(reply->json, JSON_COMPACT);
	json_decref(reply->json);
	if (text == NULL)
		return MHD_NO;
	response = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
	if (response == NULL) {
		free(text);
		return MHD_NO;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (status == MHD_HTTP_UNAUTHORIZED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
	ok = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return ok;
}

static enum MHD_Result take_body(struct upload *up, const char *data, size_t *size)
{
	size_t need = up->length + *size, cap = up->cap ? up->cap : 4096;
	char *grown;

	if (need > API_BODY_MAX) {
		up->refused += *size;
		*size = 0;
		/* Whoever goes on sending is not listening. */
		return up->refused > API_BODY_MAX ? MHD_NO : MHD_YES;
	}
	while (cap < need)
		cap *= 2;
	grown = cap > up->cap ? realloc(up->body, cap) : up->body;
	if (grown == NULL)
		return MHD_NO;
	up->body = grown;
	up->cap = cap;
	memcpy(up->body + up->length, data, *size);
	up->length = need;
	*size = 0;
	return MHD_YES;
}

static bool takes_body(const char *method)
{
	return strcmp(method, "POST") == 0 || strcmp(method, "PATCH") == 0 ||
	       strcmp(method, "PUT") == 0;
}

/* False with a reply when the body is no JSON object or list. */
static bool read_body(struct request *request, const struct upload *up, struct reply *reply)
{
	json_error_t error;
	char found[200];

	if (!takes_body(request->method) || up->length == 0)
		return true;
	request->body = json_loadb(up->body, up->length, JSON_REJECT_DUPLICATES, &error);
	if (request->body != NULL)
		return true;
	snprintf(found, sizeof(found), "%s at line %d column %d", error.text, error.line,
		 error.column);
	reply_error(reply, MHD_HTTP_BAD_REQUEST, "body", found, "a JSON object");
	return false;
}

static void serve(struct api *api, struct request *request, const struct upload *up,
		  struct reply *reply)
{
	if (up->refused > 0)
		reply_error(reply, MHD_HTTP_CONTENT_TOO_LARGE, "body", "more", "at most 1 MiB");
	else if (api->run->rt == NULL)
		reply_error(reply, MHD_HTTP_CONFLICT, request->path, "a daemon that is stopping",
			    "a running one");
	else if (read_body(request, up, reply))
		api_serve(api, request, reply);
	json_decref(request->body);
	if (reply->json == NULL && reply->text == NULL)
		reply_error(reply, MHD_HTTP_CONFLICT, request->path, "no memory", "more of it");
}

static enum MHD_Result finish(struct api *api, struct MHD_Connection *connection,
			      struct request *request, struct upload *up)
{
	bool stopping = api->stopping;
	struct reply reply = {0};
	bool stream = strcmp(request->path, "/v1/stream") == 0 &&
		      strcmp(request->method, "GET") == 0 && api->run->rt != NULL;

	request->reader = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "reader");
	if (stream &&
	    streams_begin(api->streams, connection, api->run, request->reader, &reply) == MHD_YES)
		return MHD_YES;
	if (!stream)
		serve(api, request, up, &reply);
	up->stops = !stopping && api->stopping;
	return send_reply(connection, &reply);
}

static bool allowed(const struct api *api, struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_DAEMON);

	return info == NULL || info->daemon != api->tcp ||
	       token_fits(MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
						      MHD_HTTP_HEADER_AUTHORIZATION),
			  api->token);
}

/* Called once when the headers are there, then with each piece of the body, then with none. */
static enum MHD_Result on_request(void *arg, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *data,
				  size_t *size, void **state)
{
	struct request request = {.method = method, .path = url};
	struct upload *up = *state;
	struct reply reply = {0};
	struct api *api = arg;

	(void)version;
	if (up == NULL) {
		if (!allowed(api, connection)) {
			reply_error(&reply, MHD_HTTP_UNAUTHORIZED, "Authorization",
				    "no valid token",
				    "Bearer TOKEN, from the .token file beside the socket");
			return send_reply(connection, &reply);
		}
		MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, IDLE_S);
		*state = calloc(1, sizeof(*up));
		return *state ? MHD_YES : MHD_NO;
	}
	if (*size > 0)
		return take_body(up, data, size);
	return finish(api, connection, &request, up);
}

static void on_end(void *arg, struct MHD_Connection *connection, void **state,
		   enum MHD_RequestTerminationCode code)
{
	struct upload *up = *state;
	struct api *api = arg;

	(void)connection;
	(void)code;
	if (up == NULL)
		return;
	if (up->stops)
		api->answered = true;
	free(up->body);
	free(up);
	*state = NULL;
}

static struct MHD_Daemon *start_daemon(struct api *api, int fd, struct err *err)
{
	unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
	struct MHD_Daemon *daemon = MHD_start_daemon(
		flags, 0, NULL, NULL, on_request, api, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_NOTIFY_COMPLETED, on_end, api, MHD_OPTION_CONNECTION_LIMIT,
		CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, SILENT_S, MHD_OPTION_END);

	if (daemon == NULL) {
		close(fd);
		err_set(err, ERR_ENVIRONMENT, errno, "api", "libmicrohttpd did not start",
			"descriptors and memory for it");
	}
	return daemon;
}

static int start_tcp(struct api *api, const char *listen, struct err *err)
{
	int fd, rc = token_make(api->token, api->run->place.token, err);

	if (rc != 0)
		return rc;
	fd = listen_tcp(listen, err);
	if (fd < 0)
		return fd;
	api->listen = strdup(listen);
	api->tcp = start_daemon(api, fd, err);
	return api->tcp ? 0 : -EIO;
}

/* Each connection is a descriptor, and the usual soft limit is 1,024. */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= 4 * CONNECTIONS_MAX)
		return;
	limit.rlim_cur =
		limit.rlim_max < 4 * CONNECTIONS_MAX ? limit.rlim_max : 4 * CONNECTIONS_MAX;
	setrlimit(RLIMIT_NOFILE, &limit);
}

struct api *api_start(struct running *run, int fd, const char *listen, struct err *err)
{
	struct api *api = calloc(1, sizeof(*api));

	if (api == NULL || (api->streams = streams_new()) == NULL) {
		close(fd);
		free(api);
		err_set(err, ERR_ENVIRONMENT, ENOMEM, "api", "", "out of memory");
		return NULL;
	}
	allow_descriptors();
	api->run = run;
	api->local = start_daemon(api, fd, err);
	if (api->local == NULL || (listen != NULL && start_tcp(api, listen, err) != 0)) {
		api_stop(api);
		return NULL;
	}
	return api;
}

void api_stop(struct api *api)
{
	streams_end(api->streams);
	api_run(api);
	if (api->tcp != NULL)
		MHD_stop_daemon(api->tcp);
	if (api->local != NULL)
		MHD_stop_daemon(api->local);
	streams_free(api->streams);
	free(api->listen);
	free(api);
}

static void add(struct MHD_Daemon *daemon, struct pollfd *fds, int *n, int *timeout_ms)
{
	const union MHD_DaemonInfo *info;
	MHD_UNSIGNED_LONG_LONG ms;

	if (daemon == NULL)
		return;
	info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
	if (info == NULL)
		return;
	fds[(*n)++] = (struct pollfd){.fd = info->epoll_fd, .events = POLLIN};
	if (MHD_get_timeout(daemon, &ms) == MHD_YES &&
	    (*timeout_ms < 0 || ms < (unsigned int)*timeout_ms))
		*timeout_ms = (int)ms;
}

int api_poll(struct api *api, struct pollfd fds[API_FDS], int *timeout_ms)
{
	int n = 0;

	*timeout_ms = streams_timeout(api->streams);
	add(api->local, fds, &n, timeout_ms);
	add(api->tcp, fds, &n, timeout_ms);
	return n;
}

void api_run(struct api *api)
{
	streams_run(api->streams);
	if (api->local != NULL)
		MHD_run(api->local);
	if (api->tcp != NULL)
		MHD_run(api->tcp);
}
