/* SPDX-License-Identifier: BSD-3-Clause */
/* libFuzzer entry: any bytes as a scenario. */
#include "scenario/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	judge((const char *)data, size, NULL, 0);
	return 0;
}
