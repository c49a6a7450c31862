/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "background.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What goes through the pipe: the exit status, then the error's line. */
struct word {
	int status;
	char text[1024];
};

/* The last line of a file that says something. */
static void last_line(const char *file, char *out, size_t size)
{
	FILE *f = fopen(file, "re");
	char line[512];

	out[0] = '\0';
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (line[0] != '\n')
			snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line);
	if (f != NULL)
		fclose(f);
}

static void wait_for_child(pid_t pid, int fd, const char *log)
{
	struct word word = {0};
	char last[512];
	size_t got = 0;
	ssize_t n;

	while (got < sizeof(word) && ((n = read(fd, (char *)&word + got, sizeof(word) - got)) > 0 ||
				      (n < 0 && errno == EINTR)))
		got += n > 0 ? (size_t)n : 0;
	if (got < sizeof(word)) {
		last_line(log, last, sizeof(last));
		fprintf(stderr,
			"railyardd: ended before it was ready, by a fault of its own (%s)%s%s\n",
			log, last[0] ? ": " : "", last);
		_exit(ERR_ENVIRONMENT);
	}
	/* A start that failed leaves nothing, not even for a moment. */
	if (word.status != 0) {
		waitpid(pid, NULL, 0);
		fprintf(stderr, "railyardd: %s\n", word.text);
	}
	_exit(word.status);
}

int background_begin(int *ready_fd, const char *log, struct err *err)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return err_set(err, ERR_ENVIRONMENT, errno, "", strerror(errno), "a pipe");
	pid = fork();
	if (pid < 0)
		return err_set(err, ERR_ENVIRONMENT, errno, "", strerror(errno), "another process");
	if (pid > 0) {
		close(fds[1]);
		wait_for_child(pid, fds[0], log);
	}
	close(fds[0]);
	setsid();
	*ready_fd = fds[1];
	return 0;
}

int background_log(const char *log, struct err *err)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);

	if (null < 0 || fd < 0)
		return err_set(err, ERR_ENVIRONMENT, errno, log, strerror(errno),
			       "a file that can be written");
	dup2(null, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	close(null);
	close(fd);
	return 0;
}

bool background_ready(int ready_fd, const struct err *err)
{
	struct word word = {0};
	bool told;

	if (err != NULL) {
		word.status = err->status;
		err_text(err, word.text, sizeof(word.text));
	}
	told = write(ready_fd, &word, sizeof(word)) == (ssize_t)sizeof(word);
	if (!told)
		fprintf(stderr, "railyardd: nobody waits for it to be ready\n");
	close(ready_fd);
	return told;
}
