#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# lengths.sh: reports the long files (over 400 lines) and functions (over 60). It judges nothing:
# whether one holds two ideas is for a reader to say.
set -euo pipefail

cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files '*.c' '*.h')
((${#files[@]})) || exit 0

for file in "${files[@]}"; do
	awk -v file="$file" '
		# A body starts with a brace alone in the first column and ends with another.
		/^[A-Za-z_].*\(/ { name = $0 }
		/^{/ { start = FNR }
		/^}/ && start {
			n = FNR - start - 1
			if (n > 60) printf "function of %d lines: %s:%d: %s\n", n, file, start, name
			start = 0
		}
		END { if (FNR > 400) printf "file of %d lines: %s\n", FNR, file }' "$file"
done
awk '{ lines[FILENAME]++ } END {
	for (f in lines) { n++; sum += lines[f] }
	printf "lengths: %d files, %.0f lines on average\n", n, sum / n }' "${files[@]}"
