/* SPDX-License-Identifier: BSD-3-Clause */
/* What must come of any text that is given as a scenario: it loads, builds and prints itself, or it is
 * refused with words that help. Anything else ends the program. */
#ifndef RY_FUZZ_JUDGE_H
#define RY_FUZZ_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True: accepted. sets: n assignments "PATH=VALUE". */
bool judge(const char *text, size_t len, const char *const *sets, uint32_t n);

#endif
