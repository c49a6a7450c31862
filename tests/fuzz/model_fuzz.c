/* SPDX-License-Identifier: BSD-3-Clause */
/* libFuzzer entry: any bytes as the choices of a life, lived twice with different polling; both must
 * end alike. */
#include "model/life.h"

#include <stdio.h>
#include <stdlib.h>

#define FRAMES 400

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct life_end ends[2];
	static struct report report;

	snprintf(life_name, sizeof(life_name), "this input");
	for (int i = 0; i < 2; i++) {
		struct source source = source_of_bytes(bytes, len);

		life_run(&source, (uint64_t)i, FRAMES, &report, &ends[i]);
	}
	if (!life_ended_alike(&ends[0], &ends[1]))
		abort();
	return 0;
}
