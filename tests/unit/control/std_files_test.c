/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/std_files.c"
#include "tests/unit/cu.h"

#include <errno.h>

/* CUnit needs them too: saved, closed, looked at, put back. */
static void fills_what_is_closed(void)
{
	int saved[3], next, written, wrote_errno, read_errno;
	char c;

	fflush(NULL);
	for (int fd = 0; fd < 3; fd++) {
		saved[fd] = fcntl(fd, F_DUPFD, 10);
		close(fd);
	}
	std_files();
	next = open("/dev/null", O_RDONLY);
	written = (int)write(STDOUT_FILENO, "x", 1);
	wrote_errno = errno;
	read_errno = read(STDIN_FILENO, &c, 1) < 0 ? errno : 0;
	close(next);
	for (int fd = 0; fd < 3; fd++) {
		if (saved[fd] < 0)
			continue;
		dup2(saved[fd], fd);
		close(saved[fd]);
	}
	CU_ASSERT_EQUAL(next, 3);
	CU_ASSERT_EQUAL(written, -1);
	CU_ASSERT_EQUAL(wrote_errno, EBADF);
	CU_ASSERT_EQUAL(read_errno, EBADF);
}

static void leaves_what_is_open(void)
{
	int fd = open("/dev/null", O_WRONLY), saved = dup(STDOUT_FILENO);
	int ok;

	fflush(NULL);
	dup2(fd, STDOUT_FILENO);
	std_files();
	ok = (int)write(STDOUT_FILENO, "x", 1);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fd);
	CU_ASSERT_EQUAL(ok, 1);
}

static const struct cu_case cases[] = {
	{"std_files__fills_what_is_closed", fills_what_is_closed},
	{"std_files__leaves_what_is_open", leaves_what_is_open},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/std_files", cases);
}
