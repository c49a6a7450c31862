/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/daemon/listen.c"
#include "tests/unit/cu.h"

#include <fcntl.h>
#include <stdlib.h>

static void socket_mode(void)
{
	char dir[] = "/tmp/railyard-listen-XXXXXX", path[64];
	struct err err = {0};
	struct stat st;
	int fd, again;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.sock", dir);
	fd = listen_unix(path, &err);
	CU_ASSERT_TRUE(fd >= 0);
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_TRUE(S_ISSOCK(st.st_mode));
	CU_ASSERT_EQUAL(st.st_mode & 0777, 0600);
	/* An old socket is replaced. */
	again = listen_unix(path, &err);
	CU_ASSERT_TRUE(again >= 0);
	close(fd);
	close(again);
	unlink(path);
	/* What is no socket is not. */
	close(open(path, O_CREAT | O_WRONLY, 0600));
	CU_ASSERT_TRUE(listen_unix(path, &err) < 0);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	unlink(path);
	rmdir(dir);
	memset(&err, 0, sizeof(err));
	CU_ASSERT_TRUE(listen_unix(path, &err) < 0);
	CU_ASSERT_EQUAL(err.status, ERR_ENVIRONMENT);
}

static void addresses(void)
{
	static const char *const wrong[] = {
		"", "8080", "localhost:", "127.0.0.1:http:x", "[::1:80", "nonsense.invalid:80"};
	struct err err;
	int fd;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		memset(&err, 0, sizeof(err));
		CU_ASSERT_TRUE(listen_tcp(wrong[i], &err) < 0);
		CU_ASSERT_NOT_EQUAL(err.status, ERR_NONE);
	}
	memset(&err, 0, sizeof(err));
	fd = listen_tcp("127.0.0.1:0", &err);
	CU_ASSERT_TRUE(fd >= 0);
	close(fd);
}

static const struct cu_case cases[] = {
	{"listen_unix__mode", socket_mode},
	{"listen_tcp__addresses", addresses},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/daemon/listen", cases);
}
