#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# embed.sh OUT.c HEADER SYMBOL FILE...: writes the files as one C array
# `const struct preset_file SYMBOL[]`, which HEADER declares. Only od and sed are needed.
set -euo pipefail

if (($# < 3)); then
	echo "usage: embed.sh OUT.c HEADER SYMBOL FILE..." >&2
	exit 2
fi
out=$1 header=$2 symbol=$3
shift 3

{
	printf '/* Made by scripts/embed.sh; change the files it was made from. */\n'
	printf '#include "%s"\n\n' "$header"
	n=0
	for file in "$@"; do
		printf 'static const unsigned char text_%d[] = {\n' "$n"
		od -An -v -tu1 "$file" | sed 's/  *\([0-9][0-9]*\)/\1,/g; s/^/\t/'
		printf '\t0,\n};\n\n'
		n=$((n + 1))
	done
	printf 'const struct preset_file %s[] = {\n' "$symbol"
	n=0
	for file in "$@"; do
		printf '\t{"%s", (const char *)text_%d, sizeof(text_%d) - 1},\n' "$(basename "$file" .yaml)" "$n" "$n"
		n=$((n + 1))
	done
	printf '\t{NULL, NULL, 0},\n};\n'
} >"$out.part"
mv "$out.part" "$out"
