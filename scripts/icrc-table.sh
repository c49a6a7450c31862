#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Prints dataplane/model/icrc_table.h: the CRC-32 tables for eight bytes at a time.
#   scripts/icrc-table.sh > dataplane/model/icrc_table.h
set -euo pipefail

poly=$((0xedb88320)) # 0x04c11db7 with its bits reversed: IEEE 802.3, 3.2.9
table=()
for ((i = 0; i < 256; i++)); do
	crc=$i
	for ((bit = 0; bit < 8; bit++)); do
		crc=$(((crc >> 1) ^ (crc & 1 ? poly : 0)))
	done
	table[i]=$crc
done
for ((i = 256; i < 8 * 256; i++)); do
	before=${table[i - 256]}
	table[i]=$(((before >> 8) ^ table[before & 255]))
done

cat <<'HEAD'
/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-32 tables, printed by scripts/icrc-table.sh. Entry [k][i] is the remainder of byte i followed
 * by k zero bytes. icrc_test.c computes them again bit by bit. */
#ifndef RY_ICRC_TABLE_H
#define RY_ICRC_TABLE_H

#include <stdint.h>

/* clang-format off */
static const uint32_t icrc_table[8][256] = {
HEAD
for ((i = 0; i < 8 * 256; i++)); do
	if ((i % 256 == 0)); then printf '\t{\n'; fi
	if ((i % 8 == 0)); then printf '\t'; fi
	printf '0x%08x,' "${table[i]}"
	if ((i % 8 == 7)); then printf '\n'; fi
	if ((i % 256 == 255)); then printf '\t},\n'; fi
done
cat <<'TAIL'
};
/* clang-format on */

#endif
TAIL
