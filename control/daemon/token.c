/* SPDX-License-Identifier: BSD-3-Clause */
#include "token.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

int token_make(char token[API_TOKEN], const char *file, struct err *err)
{
	unsigned char bytes[(API_TOKEN - 1) / 2];
	int fd;

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return err_set(err, ERR_ENVIRONMENT, EIO, "--listen", "no random numbers",
			       "getrandom(2) to work");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	unlink(file);
	fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || dprintf(fd, "%s\n", token) < 0) {
		int rc = err_set(err, ERR_ENVIRONMENT, errno, file, strerror(errno),
				 "a file that can be written");

		if (fd >= 0)
			close(fd);
		return rc;
	}
	close(fd);
	return 0;
}

bool token_fits(const char *header, const char *token)
{
	unsigned char differ = 0;

	if (header == NULL || strncmp(header, "Bearer ", 7) != 0 ||
	    strlen(header + 7) != API_TOKEN - 1)
		return false;
	for (int i = 0; i < API_TOKEN - 1; i++)
		differ |= (unsigned char)(header[7 + i] ^ token[i]);
	return differ == 0;
}
