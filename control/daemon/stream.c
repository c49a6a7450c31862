/* SPDX-License-Identifier: BSD-3-Clause */
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INTERVAL_MIN_MS 100
#define INTERVAL_MAX_MS 60000 /* a reader that is gone shows, and frees its slot, at an event */

struct stream {
	struct streams *all;
	struct MHD_Connection *connection; /* NULL: the slot is free */
	struct running *run;
	const struct reader *reader;
	bool suspended, ended;
	char *event; /* what is being sent; NULL between events */
	size_t length, sent;
	int64_t interval_ms, due_ms;
};

struct streams {
	struct stream slots[STREAMS_MAX];
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

struct streams *streams_new(void)
{
	return calloc(1, sizeof(struct streams));
}

void streams_free(struct streams *streams)
{
	free(streams);
}

/* "data: JSON\n\n"; NULL when the switches do not answer. */
static char *make_event(struct running *run, const struct reader *reader, size_t *length)
{
	json_t *whole;
	char *event = NULL;
	FILE *out;

	if (run->rt == NULL || running_snapshot(run, reader, TELEMETRY_RESULTS) != 0)
		return NULL;
	whole = json_pack("{s:i s:s s:I s:o s:o s:o}", "railyard", 1, "name", run->scenario.name,
			  "time_ps", (json_int_t)rt_now(run->rt), "switches",
			  telemetry_switches_json(&run->now, TELEMETRY_RESULTS), "totals",
			  telemetry_totals_json(&run->now), "latency",
			  telemetry_latency_json(&run->now));
	out = open_memstream(&event, length);
	if (out != NULL) {
		fputs("data: ", out);
		json_dumpf(whole, out, JSON_COMPACT);
		fputs("\n\n", out);
		fclose(out);
	}
	json_decref(whole);
	return event;
}

/* libmicrohttpd asks for more to send. */
static ssize_t more(void *arg, uint64_t pos, char *buf, size_t max)
{
	struct stream *s = arg;
	size_t n = s->length - s->sent;

	(void)pos;
	if (s->ended)
		return MHD_CONTENT_READER_END_OF_STREAM;
	if (s->event == NULL) {
		s->suspended = true;
		MHD_suspend_connection(s->connection);
		return 0;
	}
	n = n < max ? n : max;
	memcpy(buf, s->event + s->sent, n);
	s->sent += n;
	if (s->sent == s->length) {
		free(s->event);
		s->event = NULL;
	}
	return (ssize_t)n;
}

static void gone(void *arg)
{
	struct stream *s = arg;

	free(s->event);
	memset(s, 0, sizeof(*s));
}

static int64_t interval(struct MHD_Connection *connection)
{
	const char *text =
		MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "interval_ms");
	char *end;
	long ms;

	if (text == NULL)
		return 1000;
	errno = 0;
	ms = strtol(text, &end, 10);
	if (errno != 0 || *text == '\0' || *end != '\0' || ms < INTERVAL_MIN_MS ||
	    ms > INTERVAL_MAX_MS)
		return -1;
	return ms;
}

static struct stream *free_slot(struct streams *streams)
{
	for (int i = 0; i < STREAMS_MAX; i++)
		if (streams->slots[i].connection == NULL)
			return &streams->slots[i];
	return NULL;
}

enum MHD_Result streams_begin(struct streams *streams, struct MHD_Connection *connection,
			      struct running *run, const char *name, struct reply *reply)
{
	struct stream *s = free_slot(streams);
	int64_t ms = interval(connection);
	struct MHD_Response *response;
	struct err err = {0};
	const struct reader *reader = readers_find(&run->readers, name, &err);
	enum MHD_Result ok;

	if (reader == NULL) {
		reply_err(reply, &err);
		return MHD_NO;
	}
	if (ms < 0 || s == NULL) {
		reply_error(reply, ms < 0 ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_TOO_MANY_REQUESTS,
			    ms < 0 ? "interval_ms" : "/v1/stream",
			    ms < 0 ? "something else" : "16 readers",
			    ms < 0 ? "100 to 60000" : "fewer readers at a time");
		return MHD_NO;
	}
	*s = (struct stream){.all = streams,
			     .connection = connection,
			     .run = run,
			     .reader = reader,
			     .interval_ms = ms,
			     .due_ms = now_ms() + ms};
	s->event = make_event(run, reader, &s->length);
	response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 65536, more, s, gone);
	if (response == NULL) {
		gone(s);
		return MHD_NO;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
	ok = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return ok;
}

int streams_timeout(const struct streams *streams)
{
	int64_t now = now_ms(), least = -1, left;

	for (int i = 0; i < STREAMS_MAX; i++) {
		if (streams->slots[i].connection == NULL)
			continue;
		left = streams->slots[i].due_ms - now;
		left = left > 0 ? left : 0;
		least = least < 0 || left < least ? left : least;
	}
	return (int)least;
}

static void wake(struct stream *s)
{
	if (!s->suspended)
		return;
	s->suspended = false;
	MHD_resume_connection(s->connection);
}

void streams_run(struct streams *streams)
{
	int64_t now = now_ms();

	for (int i = 0; i < STREAMS_MAX; i++) {
		struct stream *s = &streams->slots[i];

		if (s->connection == NULL || s->due_ms > now)
			continue;
		s->due_ms = now + s->interval_ms;
		if (s->event != NULL)
			continue; /* still sending the one before */
		s->sent = 0;
		s->event = make_event(s->run, s->reader, &s->length);
		if (s->event != NULL)
			wake(s);
	}
}

void streams_end(struct streams *streams)
{
	for (int i = 0; i < STREAMS_MAX; i++)
		if (streams->slots[i].connection != NULL) {
			streams->slots[i].ended = true;
			wake(&streams->slots[i]);
		}
}
