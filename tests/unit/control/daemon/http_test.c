/* SPDX-License-Identifier: BSD-3-Clause */
/* The API through its socket, served and asked on this one thread, on the fake rt. */
#include "control/daemon/http.c"
#include "bench.h"
#include "tests/unit/cu.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static char path[64];
static struct api *api;

static void start(void)
{
	struct err err = {0};
	int fd;

	bench_up();
	snprintf(path, sizeof(path), "/tmp/railyard-api-%d.sock", (int)getpid());
	CU_ASSERT_EQUAL(place_from_socket(&bench.place, path, &err), 0);
	fd = listen_unix(path, &err);
	CU_ASSERT_TRUE_FATAL(fd >= 0);
	api = api_start(&bench, fd, NULL, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(api);
}

static void stop(void)
{
	api_stop(api);
	place_remove(&bench.place);
	bench_down();
}

static int dial(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	CU_ASSERT_EQUAL_FATAL(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

/* Serves until the other side has all of its answer; the HTTP status. */
static int answer(int fd, char *text, size_t size)
{
	size_t used = 0;
	int status = 0;
	ssize_t n = -1;

	for (int i = 0; i < 100000 && n != 0; i++) {
		api_run(api);
		n = read(fd, text + used, size - 1 - used);
		if (n > 0)
			used += (size_t)n;
	}
	text[used] = '\0';
	sscanf(text, "HTTP/1.%*d %d", &status);
	return status;
}

static char text[1 << 18];

static int ask(const char *method, const char *url, const char *body)
{
	char head[256];
	int fd = dial(), status;

	snprintf(head, sizeof(head), "%s %s HTTP/1.0\r\nContent-Length: %zu\r\n\r\n", method, url,
		 strlen(body));
	CU_ASSERT_EQUAL(write(fd, head, strlen(head)), (ssize_t)strlen(head));
	CU_ASSERT_EQUAL(write(fd, body, strlen(body)), (ssize_t)strlen(body));
	status = answer(fd, text, sizeof(text));
	close(fd);
	return status;
}

static json_t *body(void)
{
	char *start = strstr(text, "\r\n\r\n");

	return start ? json_loads(start + 4, 0, NULL) : NULL;
}

/* Every error has the three words that the API promises. */
static void refused(int status, const char *method, const char *url, const char *request)
{
	static const char *const words[] = {"path", "found", "expected"};
	json_t *json, *error;

	CU_ASSERT_EQUAL(ask(method, url, request), status);
	json = body();
	error = json_object_get(json, "error");
	for (int i = 0; i < 3; i++)
		CU_ASSERT_TRUE(json_is_string(json_object_get(error, words[i])));
	json_decref(json);
}

static void reads(void)
{
	static const char *const urls[] = {"/v1/ports",  "/v1/queues",  "/v1/pg",     "/v1/pfc",
					   "/v1/ecn",    "/v1/drops",   "/v1/tables", "/v1/hash",
					   "/v1/status", "/v1/watchdog"};
	json_t *json;

	start();
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		CU_ASSERT_EQUAL(ask("GET", urls[i], ""), 200);
		json = body();
		CU_ASSERT_EQUAL(json_array_size(json_object_get(json, "switches")), 2);
		json_decref(json);
	}
	CU_ASSERT_EQUAL(ask("GET", "/", ""), 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "/v1/drops"));
	CU_ASSERT_EQUAL(ask("GET", "/metrics", ""), 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "railyard_valid 1"));
	CU_ASSERT_EQUAL(ask("GET", "/v1/effective", ""), 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "name: bench"));
	CU_ASSERT_EQUAL(ask("HEAD", "/v1/ports", ""), 200);
	stop();
}

static void not_valid(void)
{
	json_t *json;

	start();
	fake.valid = false;
	CU_ASSERT_EQUAL(ask("GET", "/v1/status", ""), 200);
	json = body();
	CU_ASSERT_TRUE(json_is_false(json_object_get(json, "valid")));
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(json, "why")), "12 ms late");
	json_decref(json);
	stop();
}

static void refuses(void)
{
	start();
	refused(404, "GET", "/v1/nothing", "");
	refused(404, "GET", "/v1/flows", "");
	refused(404, "GET", "/v1/cc", "");
	refused(404, "PUT", "/v1/tables", "{}");
	refused(404, "POST", "/v1/inject", "{}");
	refused(404, "POST", "/v1/capture", "{}");
	refused(405, "POST", "/v1/ports", "{}");
	refused(405, "GET", "/v1/hold", "");
	refused(400, "GET", "/v1/stream?interval_ms=soon", "");
	refused(400, "POST", "/v1/hold", "");
	refused(400, "POST", "/v1/hold", "{\"port\": 3}");
	refused(400, "POST", "/v1/hold", "{\"port\": \"s1-h9\"}");
	refused(400, "POST", "/v1/hold", "[\"s1-h1\"]");
	refused(400, "POST", "/v1/hold", "{\"port\": ");
	refused(400, "POST", "/v1/hold", "\xff\xfe{}");
	refused(400, "POST", "/v1/link", "{\"port\": \"s1-h1\"}");
	refused(400, "POST", "/v1/link", "{\"port\": \"s1-h1\", \"up\": 1}");
	refused(400, "POST", "/v1/clear", "{\"what\": \"all of it\"}");
	refused(400, "POST", "/v1/clear", "{\"what\": 1}");
	refused(400, "POST", "/v1/clear", "{\"counters\": true}");
	refused(400, "POST", "/v1/clear", "[]");
	refused(400, "POST", "/v1/clear", "{\"reader\": \"No Name\"}");
	refused(400, "POST", "/v1/clear", "{\"reader\": 7}");
	refused(400, "POST", "/v1/clear", "{\"show\": \"tables\"}");
	refused(400, "POST", "/v1/clear", "{\"show\": null}");
	refused(400, "POST", "/v1/clear", "{\"what\": \"watermarks\", \"raeder\": \"a\"}");
	refused(400, "GET", "/v1/pg?reader=A", "");
	refused(400, "GET", "/v1/status?reader=a-b", "");
	refused(400, "GET", "/v1/stream?reader=%20", "");
	refused(400, "POST", "/v1/restart", "");
	refused(400, "POST", "/v1/restart", "{\"what\": \"everything\"}");
	refused(400, "POST", "/v1/restart", "{\"what\": \"workers\", \"n\": 2}");
	CU_ASSERT_EQUAL(fake.restarts, 0);
	refused(400, "POST", "/v1/hold", "{\"port\": \"s1-h1\", \"up\": true}");
	refused(400, "POST", "/v1/link", "{\"port\": \"s1-h1\", \"up\": true, \"for\": 1}");
	refused(400, "GET", "/v1/stream?interval_ms=60001", "");
	refused(400, "PATCH", "/v1/config", "");
	refused(400, "PATCH", "/v1/config", "{}");
	refused(400, "PATCH", "/v1/config", "[]");
	refused(400, "PATCH", "/v1/config", "[1]");
	refused(400, "PATCH", "/v1/config", "[{\"path\": \"seed\"}]");
	refused(400, "PATCH", "/v1/config", "{\"switch.latency\": 5}");
	refused(400, "PATCH", "/v1/config", "{\"a\": 1, \"a\": 2}");
	CU_ASSERT_EQUAL(fake.sets, 0);
	CU_ASSERT_EQUAL(fake.watermarks, 0);
	CU_ASSERT_FALSE(fake.held[0][0]);
	stop();
}

static void acts(void)
{
	start();
	CU_ASSERT_EQUAL(ask("POST", "/v1/hold", "{\"port\": \"s1-h1\"}"), 200);
	CU_ASSERT_TRUE(fake.held[0][0]);
	CU_ASSERT_EQUAL(ask("POST", "/v1/release", "{\"port\": \"h1-s1\"}"), 200);
	CU_ASSERT_FALSE(fake.held[0][0]);
	/* A cable between switches has two ends. */
	CU_ASSERT_EQUAL(ask("POST", "/v1/link", "{\"port\": \"s1-s2\", \"up\": false}"), 200);
	CU_ASSERT_TRUE(fake.down[0][1]);
	CU_ASSERT_TRUE(fake.down[1][1]);
	CU_ASSERT_EQUAL(ask("POST", "/v1/clear", ""), 200);
	CU_ASSERT_EQUAL(fake.watermarks, 2);
	CU_ASSERT_EQUAL(ask("PATCH", "/v1/config", "{\"switch.latency\": \"3us\"}"), 200);
	CU_ASSERT_EQUAL(fake.config[1].latency_ps, 3000000);
	CU_ASSERT_EQUAL(ask("PATCH", "/v1/config",
			    "[{\"path\": \"switches.s1.pfc\", \"value\": false},"
			    " {\"path\": \"switches.s2.pfc\", \"value\": {\"priorities\": [4]}}]"),
			200);
	CU_ASSERT_EQUAL(fake.config[0].qos.pfc_mask, 0);
	CU_ASSERT_EQUAL(fake.config[1].qos.pfc_mask, 1 << 4);
	stop();
}

static uint64_t max_shared(const json_t *whole)
{
	json_t *ports =
		json_object_get(json_array_get(json_object_get(whole, "switches"), 1), "ports");
	json_t *pgs = json_object_get(json_array_get(ports, 0), "pgs");

	return (uint64_t)json_integer_value(
		json_object_get(json_array_get(pgs, 3), "max_shared_bytes"));
}

static uint64_t seen(const char *url)
{
	uint64_t value;
	json_t *json;

	CU_ASSERT_EQUAL(ask("GET", url, ""), 200);
	json = body();
	value = max_shared(json);
	json_decref(json);
	return value;
}

/* Read and clear is one request; each reader has its own; /metrics and the persistent one go on. */
static void readers(void)
{
	json_t *json;

	start();
	fake.mark = 50;
	CU_ASSERT_EQUAL(ask("POST", "/v1/clear",
			    "{\"what\": \"watermarks\", \"reader\": \"a\", \"show\": \"pg\"}"),
			200);
	json = body();
	CU_ASSERT_EQUAL(max_shared(json), 50);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(json, "reader")), "a");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(json, "cleared_now")),
			       "watermarks");
	CU_ASSERT_TRUE(json_is_false(json_object_get(json, "cleared"))); /* its counters */
	json_decref(json);
	fake.mark = 8;
	CU_ASSERT_EQUAL(seen("/v1/pg?reader=a"), 8);
	CU_ASSERT_EQUAL(seen("/v1/pg"), 50);
	CU_ASSERT_EQUAL(ask("POST", "/v1/clear", ""), 200);
	fake.mark = 7;
	CU_ASSERT_EQUAL(seen("/v1/pg"), 7);
	CU_ASSERT_EQUAL(seen("/v1/pg?reader=a"), 8);
	CU_ASSERT_EQUAL(seen("/v1/pg?reader=persistent"), 50);
	CU_ASSERT_EQUAL(ask("GET", "/metrics", ""), 200);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		text, "railyard_pg_max_shared_bytes{switch=\"s2\",port=\"s2-h2\",pg=\"3\"} 50\n"));
	stop();
}

static void workers_restart(void)
{
	start();
	CU_ASSERT_EQUAL(ask("POST", "/v1/restart", "{\"what\": \"workers\"}"), 200);
	CU_ASSERT_EQUAL(fake.restarts, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"devices\":3"));
	fake.restart_fails = 1;
	CU_ASSERT_EQUAL(ask("POST", "/v1/restart", "{\"what\": \"workers\"}"), 409);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "a thread for each worker"));
	stop();
}

/* Who connects and asks nothing keeps nobody else waiting. */
static void silent_clients(void)
{
	int fds[300];

	start();
	for (int i = 0; i < 300; i++) {
		fds[i] = dial();
		api_run(api);
	}
	CU_ASSERT_EQUAL(ask("GET", "/v1/hash", ""), 200);
	for (int i = 0; i < 300; i++)
		close(fds[i]);
	stop();
}

static void large_bodies(void)
{
	size_t n = API_BODY_MAX + 1000;
	char *large = malloc(n + 1), head[128];
	int fd, status;
	size_t sent = 0;
	ssize_t k;

	start();
	memset(large, ' ', n);
	large[n] = '\0';
	fd = dial();
	snprintf(head, sizeof(head), "POST /v1/hold HTTP/1.0\r\nContent-Length: %zu\r\n\r\n", n);
	CU_ASSERT_EQUAL(write(fd, head, strlen(head)), (ssize_t)strlen(head));
	for (int i = 0; i < 100000 && sent < n; i++) {
		k = write(fd, large + sent, n - sent);
		sent += k > 0 ? (size_t)k : 0;
		api_run(api);
	}
	status = answer(fd, text, sizeof(text));
	CU_ASSERT_EQUAL(status, 413);
	close(fd);
	free(large);
	/* It still serves. */
	CU_ASSERT_EQUAL(ask("GET", "/v1/hash", ""), 200);
	stop();
}

/* Clients that say half, or nonsense, and leave. */
static void bad_clients(void)
{
	static const char *const says[] = {"",
					   "GET",
					   "GET / HTTP/9.9\r\n\r\n",
					   "\r\n\r\n\r\n",
					   "POST /v1/hold HTTP/1.1\r\nContent-Length: 99\r\n\r\n{",
					   "POST /v1/hold HTTP/1.1\r\nContent-Length: -1\r\n\r\n"};
	int fd;

	start();
	for (size_t i = 0; i < sizeof(says) / sizeof(says[0]); i++) {
		fd = dial();
		CU_ASSERT_EQUAL(write(fd, says[i], strlen(says[i])), (ssize_t)strlen(says[i]));
		for (int k = 0; k < 10; k++)
			api_run(api);
		close(fd);
		for (int k = 0; k < 10; k++)
			api_run(api);
	}
	CU_ASSERT_EQUAL(ask("GET", "/v1/hash", ""), 200);
	stop();
}

static void streams(void)
{
	static const char request[] = "GET /v1/stream?interval_ms=100 HTTP/1.1\r\nHost: x\r\n\r\n";
	int fds[STREAMS_MAX], extra;

	start();
	for (int i = 0; i < STREAMS_MAX; i++) {
		fds[i] = dial();
		CU_ASSERT_TRUE(write(fds[i], request, sizeof(request) - 1) > 0);
		for (int k = 0; k < 10; k++)
			api_run(api);
	}
	CU_ASSERT_TRUE(read(fds[0], text, sizeof(text) - 1) > 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "text/event-stream"));
	CU_ASSERT_TRUE(streams_timeout(api->streams) <= 100);
	extra = dial();
	CU_ASSERT_TRUE(write(extra, request, sizeof(request) - 1) > 0);
	for (int k = 0; k < 10; k++)
		api_run(api);
	CU_ASSERT_TRUE(read(extra, text, sizeof(text) - 1) > 0);
	CU_ASSERT_EQUAL(strncmp(text, "HTTP/1.1 429", 12), 0);
	close(extra);
	/* One that leaves makes room; the others are ended with the daemon. */
	for (int i = 0; i < STREAMS_MAX; i++)
		if (i % 2 == 0)
			close(fds[i]);
	stop();
	for (int i = 0; i < STREAMS_MAX; i++)
		if (i % 2 == 1)
			close(fds[i]);
}

static void stops(void)
{
	json_t *json;

	start();
	fake.lost = 2;
	CU_ASSERT_FALSE(api_stopped(api));
	CU_ASSERT_EQUAL(ask("POST", "/v1/stop", "{}"), 200);
	json = body();
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(json, "buffers_lost")), 2);
	json_decref(json);
	CU_ASSERT_TRUE(api_stopped(api));
	CU_ASSERT_FALSE(fake.running);
	refused(409, "GET", "/v1/ports", "");
	stop();
}

static void tokens(void)
{
	char token[API_TOKEN], header[128], file[] = "/tmp/railyard-token-XXXXXX";
	struct stat st;
	struct err err = {0};

	close(mkstemp(file));
	CU_ASSERT_EQUAL_FATAL(token_make(token, file, &err), 0);
	CU_ASSERT_EQUAL(strlen(token), API_TOKEN - 1);
	CU_ASSERT_EQUAL(stat(file, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 0777, 0600);
	unlink(file);
	snprintf(header, sizeof(header), "Bearer %s", token);
	CU_ASSERT_TRUE(token_fits(header, token));
	header[10] ^= 1;
	CU_ASSERT_FALSE(token_fits(header, token));
	CU_ASSERT_FALSE(token_fits(token, token));
	CU_ASSERT_FALSE(token_fits("Bearer ", token));
	CU_ASSERT_FALSE(token_fits(NULL, token));
}

static const struct cu_case cases[] = {
	{"api_serve__reads", reads},
	{"api_serve__not_valid", not_valid},
	{"api_serve__refuses", refuses},
	{"api_serve__acts", acts},
	{"api_serve__readers", readers},
	{"api_serve__workers_restart", workers_restart},
	{"api_serve__silent_clients", silent_clients},
	{"api_serve__large_bodies", large_bodies},
	{"api_serve__bad_clients", bad_clients},
	{"api_serve__streams", streams},
	{"api_serve__stops", stops},
	{"token_fits__only_the_token", tokens},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/daemon/http", cases);
}
