#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# format.sh [--fix] [FILE...]: compares C files with .clang-format; --fix writes the format.
# The column a trailing comment or a macro's backslash stands in is the author's: not compared.
set -euo pipefail

cd "$(dirname "$0")/.."
fix=false
if [[ ${1-} == --fix ]]; then
	fix=true
	shift
fi
if (($#)); then
	files=("$@")
else
	mapfile -t files < <(git ls-files '*.c' '*.h')
fi

columns_aside() {
	sed -E 's@([^[:space:]])[[:space:]]+/\*@\1 /*@; s@[[:space:]]+\\$@ \\@'
}

bad=0
for file in "${files[@]}"; do
	formatted=$(clang-format "$file" | columns_aside)
	[[ $formatted != "$(columns_aside <"$file")" ]] || continue
	if $fix; then
		clang-format -i "$file"
		echo "formatted $file"
	else
		bad=$((bad + 1))
		diff --label "$file" --label "$file as formatted" -u <(columns_aside <"$file") \
			<(printf '%s\n' "$formatted") || true
	fi
done
if ((bad > 0)); then
	echo "$bad files are not in the format: make format"
	exit 1
fi
