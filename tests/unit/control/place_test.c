/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/place.c"
#include "tests/unit/cu.h"

static char dir[] = "/tmp/railyard-place-XXXXXX";

static void make(struct place *place, const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s.sock", dir, name);
	CU_ASSERT_EQUAL_FATAL(place_from_socket(place, path, NULL), 0);
}

static void names(void)
{
	struct err err = {0};
	struct place place;
	char path[PLACE_PATH + 1];

	CU_ASSERT_EQUAL(place_from_socket(&place, "/run/a.sock", &err), 0);
	CU_ASSERT_STRING_EQUAL(place.pid, "/run/a.pid");
	CU_ASSERT_STRING_EQUAL(place.token, "/run/a.token");
	CU_ASSERT_STRING_EQUAL(place.prefix, "railyard-a");
	CU_ASSERT_EQUAL(place_from_socket(&place, "/run/a", &err), 0);
	CU_ASSERT_STRING_EQUAL(place.socket, "/run/a");
	CU_ASSERT_STRING_EQUAL(place.log, "/run/a.log");
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	CU_ASSERT_NOT_EQUAL(place_from_socket(&place, path, &err), 0);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_NOT_EQUAL(place_from_socket(&place, "", NULL), 0);
}

static void environment(void)
{
	struct err err = {0};
	struct place place;

	setenv("RAILYARD_SOCKET", "/tmp/other.sock", 1);
	CU_ASSERT_EQUAL(place_from_name(&place, "x", &err), 0);
	CU_ASSERT_STRING_EQUAL(place.socket, "/tmp/other.sock");
	CU_ASSERT_EQUAL(place_find(&place, &err), 0);
	CU_ASSERT_STRING_EQUAL(place.socket, "/tmp/other.sock");
	unsetenv("RAILYARD_SOCKET");
	setenv("XDG_RUNTIME_DIR", "/tmp/user", 1); /* asked only without root */
	CU_ASSERT_EQUAL(place_from_name(&place, "x", &err), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(place.socket, "/railyard/x.sock"));
}

static void states(void)
{
	struct err err = {0};
	struct place place;
	pid_t pid = 0;
	int lock;

	make(&place, "one");
	CU_ASSERT_EQUAL(place_state(&place, NULL), PLACE_NONE);
	lock = place_take(&place, &err);
	CU_ASSERT_TRUE_FATAL(lock >= 0);
	CU_ASSERT_EQUAL(place_state(&place, &pid), PLACE_RUNNING);
	CU_ASSERT_EQUAL(pid, getpid());
	/* A second daemon of that name. */
	CU_ASSERT_EQUAL(place_take(&place, &err), -EEXIST);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.expected, "already running"));
	/* Killed: the lock is gone, the file is not. */
	close(lock);
	CU_ASSERT_EQUAL(place_state(&place, NULL), PLACE_STALE);
	lock = place_take(&place, &err);
	CU_ASSERT_TRUE(lock >= 0);
	place_remove(&place);
	close(lock);
	CU_ASSERT_EQUAL(place_state(&place, NULL), PLACE_NONE);
}

static void lists(void)
{
	struct place a, b, found[MAX_FOUND];
	struct err err = {0};
	int lock;

	make(&a, "a");
	make(&b, "b");
	close(place_take(&a, &err)); /* was killed */
	lock = place_take(&b, &err);
	CU_ASSERT_EQUAL(list_places(dir, PLACE_RUNNING, found), 1);
	CU_ASSERT_STRING_EQUAL(found[0].socket, b.socket);
	CU_ASSERT_EQUAL(list_places(dir, PLACE_STALE, found), 1);
	CU_ASSERT_STRING_EQUAL(found[0].socket, a.socket);
	CU_ASSERT_EQUAL(list_places("/nonexistent", PLACE_RUNNING, found), 0);
	place_remove(&a);
	place_remove(&b);
	close(lock);
	memset(&err, 0, sizeof(err));
	found[0] = a;
	found[1] = b;
	CU_ASSERT_NOT_EQUAL(several(found, 2, &err), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.found, "a.sock"));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.found, "b.sock"));
}

/* `--socket` of somebody's file: neither replaced nor removed. */
static void keeps_files(void)
{
	struct err err = {0};
	struct place place;

	make(&place, "file");
	fclose(fopen(place.socket, "w"));
	CU_ASSERT_EQUAL(place_state(&place, NULL), PLACE_NONE);
	CU_ASSERT_EQUAL(place_take(&place, &err), -EEXIST);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_NOT_EQUAL(access(place.pid, F_OK), 0);
	place_remove(&place);
	CU_ASSERT_EQUAL(access(place.socket, F_OK), 0);
	unlink(place.socket);
}

/* What it made it removes; what was there stays, and so does what others use. */
static void directories(void)
{
	struct place first, second;
	struct err err = {0};
	char made[64];
	int lock[2];

	snprintf(made, sizeof(made), "%s/made", dir);
	make(&first, "made/first");
	make(&second, "made/second");
	lock[0] = place_take(&first, &err);
	lock[1] = place_take(&second, &err);
	CU_ASSERT_TRUE(lock[0] >= 0 && lock[1] >= 0);
	place_remove(&second);
	place_remove(&first);
	CU_ASSERT_NOT_EQUAL(access(made, F_OK), 0);
	close(lock[0]);
	close(lock[1]);
	make(&first, "stays");
	lock[0] = place_take(&first, &err);
	place_remove(&first);
	close(lock[0]);
	CU_ASSERT_EQUAL(access(dir, F_OK), 0);
}

/* A second daemon opens the file, then its owner goes: the lock on what is gone is worth nothing. */
static void removed_meanwhile(void)
{
	struct err err = {0};
	struct place place;
	int fd;

	make(&place, "gone");
	fd = open(place.pid, O_RDWR | O_CREAT, 0644);
	unlink(place.pid);
	CU_ASSERT_EQUAL(lock_file(&place, fd, &err), -EAGAIN);
	CU_ASSERT_EQUAL(err.status, ERR_NONE);
	close(fd);
}

static const struct cu_case cases[] = {
	{"place_from_socket__names", names},
	{"place_from_name__environment", environment},
	{"place_state__states", states},
	{"place_find__lists", lists},
	{"place_take__keeps_files", keeps_files},
	{"place_take__directories", directories},
	{"lock_file__removed_meanwhile", removed_meanwhile},
	{NULL, NULL},
};

int main(void)
{
	int rc;

	if (mkdtemp(dir) == NULL)
		return 2;
	rc = cu_main("control/place", cases);
	rmdir(dir);
	return rc;
}
