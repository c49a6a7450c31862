/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a fuzz target over the files of its corpus, for builds without libFuzzer: what was once
 * found stays found. CORPUS is the directory, from the top of the source. Last line: `N passed, 0
 * failed`; a finding ends the program. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUT_MAX (1 << 20) /* bytes of one file */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static int replay(const char *name, uint8_t *buf)
{
	char path[512];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "%s/%s", CORPUS, name);
	file = fopen(path, "rb");
	if (file == NULL) {
		perror(path);
		return -1;
	}
	len = fread(buf, 1, INPUT_MAX, file);
	fclose(file);
	puts(name);
	LLVMFuzzerTestOneInput(buf, len);
	return 0;
}

int main(void)
{
	DIR *dir = opendir(CORPUS);
	uint8_t *buf = malloc(INPUT_MAX);
	struct dirent *entry;
	int passed = 0, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0); /* the last name shown is the one that crashed */
	while (dir != NULL && buf != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		if (replay(entry->d_name, buf) == 0)
			passed++;
		else
			failed++;
	}
	if (dir != NULL)
		closedir(dir);
	free(buf);
	printf("%d passed, %d failed\n", passed, failed);
	return passed == 0 || failed != 0;
}
