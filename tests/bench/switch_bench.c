/* SPDX-License-Identifier: BSD-3-Clause */
/* switch.pcap.NAME: how many frames a second railyardd's worker decides (sends or drops), two ports
 * in and one out, at the highest declared rate at which the run is still what it claims to be:
 * valid, both senders heard at their whole rate, and the port out sending all the time.
 *
 *	switch_bench frames DIR		writes DIR/NAME.HOST.pcap, for testpmd too
 *	switch_bench run NAME DIR	measures; the search starts where DIR/NAME.rate says
 *	switch_bench hold NAME DIR BPS SECONDS [OUT]	runs at one rate, for a profiler; OUT: of the port
 *							out, so that its queue stands whatever we can do
 *
 * The driver is started as railyardd starts it, from tests/bench/switch.yaml through the scenario
 * loader; only the API is missing. Pinned by the driver itself.
 */
#include "control/daemon/rt_from_fabric.h"
#include "control/source.h"
#include "frames.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SETTLE_S 0.25 /* the queue fills, caches warm up */
#define WINDOW_S 0.5  /* measured */
#define WHOLE 0.97    /* of the senders' rate: what they could not send is our being slow */
#define BUSY 0.995    /* of the rate of the port out */
#define OWN 0.97       /* of its CPU's time that the worker must have had for a run to say anything */
#define AGAIN 12       /* runs that said nothing, in a search */
#define SEARCH_S 8     /* a search ends with what it has; three times that when it has nothing */
#define LEAST_BPS 1e8  /* below it the machine has no time for us at all */
#define NEAR 1.02     /* the bracket is narrow enough */
#define FIRST_BPS 2e9
#define SKIPPED 77
#define SCENARIO "tests/bench/switch.yaml"

struct bench {
	const char *dir;
	const struct bench_size *size;
	struct source source;
	struct scenario scenario;
	struct fabric fabric;
	struct rt *rt;
	struct sw_port_stats ports[3];
	struct sw_stats before, after;
	double seconds, cpu_seconds;
	int again;
	uint64_t out_bps; /* 0 = as the others */
};

struct result {
	bool good, own;
	double bps, mpps, heard, busy, late_us;
	uint64_t marked, xoff, queue_bytes;
	char why[256];
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void sleep_s(double s)
{
	struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};

	nanosleep(&t, NULL);
}

/* Seconds that the worker has had of its CPU: on a machine that does other things too, a second of
 * the clock is not one of the worker's. */
static double worker_s(void)
{
	char path[300], name[32] = "";
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	struct timespec t = {0, 0};
	FILE *f;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		f = fopen(path, "re");
		if (f == NULL)
			continue;
		if (fscanf(f, "%31s", name) == 1 && strcmp(name, "ry-worker") == 0)
			clock_gettime(((~(clockid_t)strtol(entry->d_name, NULL, 10)) << 3) | 6, &t);
		fclose(f);
	}
	if (dir != NULL)
		closedir(dir);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* What the machine does not have is no fault of ours: 77, with the reason on standard output. */
static int say(const struct err *err)
{
	bool lacks = err->status == ERR_ENVIRONMENT;
	char text[1024];

	fprintf(lacks ? stdout : stderr, "switch_bench: %s\n", err_text(err, text, sizeof(text)));
	return lacks ? SKIPPED : 1;
}

/* ---- one run ---- */

static int set(struct bench *b, struct err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int set(struct bench *b, struct err *err, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	return source_set(&b->source, text, err);
}

static int assign(struct bench *b, uint64_t bps, struct err *err)
{
	int rc = 0;

	for (int h = 1; rc == 0 && h <= 3; h++) {
		rc = set(b, err, "ports.s1-h%d.rate=%lubps", h,
			 h == 3 && b->out_bps > 0 ? b->out_bps : bps);
		if (rc == 0)
			rc = set(b, err, "ports.s1-h%d.mtu=%u", h, b->size->mtu_bytes);
		if (rc == 0)
			rc = set(b, err, "ports.s1-h%d.dev=net_pcap%d,rx_pcap=%s/%s.%d.pcap%s", h,
				 h, b->dir, b->size->name, h, h < 3 ? ",infinite_rx=1" : "");
	}
	return rc;
}

static int start(struct bench *b, uint64_t bps, struct err *err)
{
	struct rt_plan plan;
	int rc = source_open(&b->source, SCENARIO, err);

	if (rc == 0)
		rc = assign(b, bps, err);
	if (rc == 0)
		rc = source_load(&b->scenario, &b->source, err);
	if (rc == 0)
		rc = fabric_build(&b->fabric, &b->scenario, err);
	if (rc == 0)
		rc = rt_from_fabric(&plan, &b->fabric, &b->scenario, true, err);
	if (rc != 0)
		return rc;
	plan.config.file_prefix = "ry-bench";
	rc = rt_start(&b->rt, &plan.config, err);
	rt_plan_free(&plan);
	b->fabric.switches[0].tables = NULL; /* rt's now */
	return rc;
}

static int stop(struct bench *b)
{
	int lost = rt_stop(b->rt);

	fabric_free(&b->fabric);
	scenario_free(&b->scenario);
	source_close(&b->source);
	return lost;
}

static void sample(struct bench *b, struct sw_stats *out, struct sw_port_stats ports[3])
{
	out->ports = ports;
	rt_stats(b->rt, 0, out, NULL);
}

/* ---- what came of it ---- */

static void judge(struct bench *b, uint64_t bps, const struct sw_port_stats *first,
		  struct result *r)
{
	const struct sw_port_stats *out = &b->ports[2];
	const struct sw_queue_stats *q = &out->queues[3];
	double wire = 8.0 * (b->size->frame_bytes + 24), frames = (double)bps / wire * b->seconds;
	uint64_t sent = b->after.tx - b->before.tx;
	uint64_t dropped = b->after.dropped - b->before.dropped;
	struct rt_worker_stats worker;

	rt_worker_stats(b->rt, 0, &worker);
	r->late_us = (double)worker.late_p999_ps / 1e6;
	r->mpps = (double)(sent + dropped) / b->seconds / 1e6;
	r->heard = (double)(b->after.rx - b->before.rx) / (2 * frames);
	r->busy = (double)sent / frames;
	r->marked =
		q->counters[SW_QUEUE_ECN_MARKED] - first[2].queues[3].counters[SW_QUEUE_ECN_MARKED];
	r->xoff = (uint64_t)b->ports[0].pgs[3].xoff + b->ports[1].pgs[3].xoff;
	r->queue_bytes = q->bytes;
	if (!rt_valid(b->rt, r->why, sizeof(r->why)))
		return;
	snprintf(r->why, sizeof(r->why), "%s",
		 r->heard < WHOLE ? "the senders were not heard at their whole rate"
		 : r->busy < BUSY ? "the port out was not busy all the time"
		 : r->marked == 0 ? "nothing was marked"
		 : r->xoff == 0   ? "no priority group was in xoff"
		 : q->bytes == 0  ? "no queue stood"
				  : "");
	r->good = r->why[0] == '\0';
}

static int run(struct bench *b, uint64_t bps, double settle, double window, struct result *r)
{
	struct sw_port_stats first[3];
	struct err err = {0};
	double begin;

	memset(r, 0, sizeof(*r));
	if (start(b, bps, &err) != 0)
		return say(&err);
	sleep_s(settle);
	sample(b, &b->before, first);
	begin = now_s();
	b->cpu_seconds = worker_s();
	sleep_s(window);
	b->cpu_seconds = worker_s() - b->cpu_seconds;
	sample(b, &b->after, b->ports);
	b->seconds = (double)(b->after.t_ps - b->before.t_ps) / 1e12;
	r->own = b->cpu_seconds >= OWN * (now_s() - begin);
	judge(b, bps, first, r);
	if (stop(b) != 0) {
		fprintf(stderr, "switch_bench: packet buffers did not come back\n");
		return 1;
	}
	if (getenv("BENCH_VERBOSE") != NULL)
		fprintf(stderr,
			"%-5s %8.3f Gb/s %7.3f Mpps (%.1f ns of CPU) heard %.3f busy %.3f late %.1f us queue %lu "
			"marked %lu xoff %lu frames %lu %s\n",
			b->size->name, (double)bps / 1e9, r->mpps,
			b->cpu_seconds / b->seconds / r->mpps * 1e3, r->heard, r->busy, r->late_us,
			r->queue_bytes, r->marked, r->xoff, b->after.rx, r->why);
	return 0;
}

/* ---- the highest rate ---- */

static void remember(const struct bench *b, double *bps, bool write)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.rate", b->dir, b->size->name);
	f = fopen(path, write ? "we" : "re");
	if (f == NULL)
		return;
	if (write)
		fprintf(f, "%.0f\n", *bps);
	else if (fscanf(f, "%lf", bps) != 1)
		*bps = FIRST_BPS;
	fclose(f);
}

/* A rate is bad when it is bad twice: a machine that takes the worker's CPU away for a moment spoils
 * one run, seldom the next. Where others have had the CPU, the run says nothing at all. */
static int try_rate(struct bench *b, double bps, struct result *r)
{
	int bad = 0, rc = 0;

	while (rc == 0 && bad < 2) {
		rc = run(b, (uint64_t)bps, SETTLE_S, WINDOW_S, r);
		r->bps = bps;
		if (rc != 0 || r->good)
			return rc;
		if (r->own)
			bad++;
		else if (b->again++ == AGAIN)
			return printf("switch_bench: others use the worker's CPU\n"), SKIPPED;
	}
	return rc;
}

/* Up or down by a factor that grows until the rate is bracketed, then by halves. */
static int search(struct bench *b, struct result *best)
{
	double bps = FIRST_BPS, good = 0, bad = 0, factor, begin = now_s();
	struct result r = {0};
	int rc;

	remember(b, &bps, false);
	factor = bps == FIRST_BPS ? 1.4 : 1.04;
	best->good = false;
	while ((good == 0 || bad == 0 || bad / good > NEAR) &&
	       (now_s() - begin < SEARCH_S || !best->good)) {
		rc = try_rate(b, bps, &r);
		if (rc != 0)
			return rc;
		if (r.good) {
			good = bps;
			*best = r;
		} else {
			bad = bps;
		}
		if (now_s() - begin > 3 * SEARCH_S || bps < LEAST_BPS)
			break;
		bps = bad == 0 ? bps * factor : good == 0 ? bps / factor : (good + bad) / 2;
		factor *= factor < 1.6 ? factor : 1;
	}
	if (!best->good) {
		fprintf(stderr, "switch_bench: %s: no rate was good: %s\n", b->size->name, r.why);
		return 1;
	}
	remember(b, &best->bps, true);
	return 0;
}

static int measure(struct bench *b)
{
	struct result best;
	int rc;

	rc = search(b, &best);
	if (rc != 0)
		return rc;
	printf("switch.pcap.%s Mpps %.3f\n", b->size->name, best.mpps);
	printf("switch.pcap.%s.rate Gb/s %.3f\n", b->size->name, best.bps / 1e9);
	printf("switch.pcap.%s.late_p999 us %.1f\n", b->size->name, best.late_us);
	printf("run.switch.%s.marked frames %lu\n", b->size->name, best.marked);
	printf("run.switch.%s.xoff priority_groups %lu\n", b->size->name, best.xoff);
	printf("run.switch.%s.queue_bytes B %lu\n", b->size->name, best.queue_bytes);
	return 0;
}

static int frames(const char *dir)
{
	static const char *const names[] = {"ack", "1024", "4096"};
	char path[512];

	for (int i = 0; i < 3; i++)
		for (uint8_t h = 1; h <= 3; h++) {
			snprintf(path, sizeof(path), "%s/%s.%u.pcap", dir, names[i], h);
			if (bench_frames_write(path, bench_size(names[i]), h, h == 3 ? 1 : 3) !=
			    0) {
				perror(path);
				return 1;
			}
		}
	return 0;
}

int main(int argc, char **argv)
{
	static struct bench b;
	struct result r;

	if (argc == 3 && strcmp(argv[1], "frames") == 0)
		return frames(argv[2]);
	if (argc >= 4) {
		b.size = bench_size(argv[2]);
		b.dir = argv[3];
	}
	if (b.size == NULL) {
		fprintf(stderr, "usage: switch_bench frames DIR | run NAME DIR | "
				"hold NAME DIR BPS SECONDS\n");
		return 2;
	}
	if (argc == 7)
		b.out_bps = strtoull(argv[6], NULL, 10);
	if (argc >= 6 && strcmp(argv[1], "hold") == 0)
		return run(&b, strtoull(argv[4], NULL, 10), SETTLE_S, strtod(argv[5], NULL), &r);
	return measure(&b);
}
