/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#define WATCH_MS 200  /* between two looks at the devices' carriers */
#define STOP_WAIT_S 2 /* for the answer to POST /v1/stop to be read */

int loop_signals(struct err *err)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return err_set(err, ERR_ENVIRONMENT, errno, "", strerror(errno), "signalfd(2)");
	return fd;
}

static time_t now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* Says once, in the log, when the numbers can no longer be believed. */
static void watch_valid(struct api *api, bool *valid)
{
	struct running *run = api_running(api);
	char why[256];

	if (run->rt == NULL || !*valid || rt_valid(run->rt, why, sizeof(why)))
		return;
	*valid = false;
	fprintf(stderr, "railyardd: the run is not valid: %s\n", why);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void say_event(void *arg, uint16_t sw, uint16_t port, const char *what)
{
	const struct running *run = arg;

	fprintf(stderr, "railyardd: %s: %s\n", run->fabric.switches[sw].ports[port].name, what);
}

/* A terminal that closes is no reason to stop: SIGHUP is read and left. */
static bool must_stop(int signal_fd)
{
	struct signalfd_siginfo info;

	while (read(signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo != SIGHUP) {
			fprintf(stderr, "railyardd: stops on signal %u\n", info.ssi_signo);
			return true;
		}
	return false;
}

void loop_run(struct api *api, int signal_fd)
{
	struct pollfd fds[API_FDS + 1];
	time_t looked = 0, stopped = 0;
	int64_t watched = 0;
	bool valid = true;
	int n, timeout;

	while (!api_stopped(api) && (stopped == 0 || now_s() - stopped < STOP_WAIT_S)) {
		n = api_poll(api, fds, &timeout);
		fds[n] = (struct pollfd){.fd = signal_fd, .events = POLLIN};
		if (timeout < 0 || timeout > WATCH_MS)
			timeout = WATCH_MS;
		if (poll(fds, (nfds_t)n + 1, timeout) < 0 && errno != EINTR)
			return;
		if (must_stop(signal_fd))
			return;
		api_run(api);
		if (api_running(api)->rt == NULL && stopped == 0)
			stopped = now_s();
		if (api_running(api)->rt != NULL && now_ms() - watched >= WATCH_MS) {
			watched = now_ms();
			rt_watch(api_running(api)->rt, say_event, api_running(api));
		}
		if (now_s() != looked) {
			looked = now_s();
			watch_valid(api, &valid);
		}
	}
}
