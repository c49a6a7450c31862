/* SPDX-License-Identifier: BSD-3-Clause */
/* /v1/status for a reader: `up` and `status` print the same. */
#ifndef RY_CLI_STATUS_H
#define RY_CLI_STATUS_H

#include <jansson.h>
#include <stdio.h>

void status_print(const json_t *status, FILE *out);
/* "rx + generated + copied = tx + consumed + dropped + held", in numbers, and whether it closes. */
void status_identity(const json_t *totals, FILE *out);

#endif
