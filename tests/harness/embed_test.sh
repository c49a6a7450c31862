#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What scripts/embed.sh puts in a program is the file, byte for byte.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

# name, file
case_is() {
	local name=$1 file=$2
	scripts/embed.sh "$dir/embedded.c" pipelines/presets/presets.h preset_files "$file"
	cat >"$dir/main.c" <<-'END'
		#include <stdio.h>
		#include "pipelines/presets/presets.h"
		int main(void)
		{
			fwrite(preset_files[0].yaml, 1, preset_files[0].length, stdout);
			return preset_files[0].yaml[preset_files[0].length] != 0 || preset_files[1].name != NULL;
		}
	END
	${CC:-cc} -Wall -Wextra -Werror -I. -o "$dir/main" "$dir/main.c" "$dir/embedded.c"
	if "$dir/main" | cmp - "$file"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "embed__$name: differs"
	fi
}

printf 'name: a\n# "quotes" \\ %%d\n\ttab\n' >"$dir/text.yaml"
: >"$dir/empty.yaml"
printf 'no newline at the end, \303\251, and a line of many zeros 0000000000000000' >"$dir/raw.yaml"
case_is text "$dir/text.yaml"
case_is empty "$dir/empty.yaml"
case_is bytes_above_127 "$dir/raw.yaml"

echo "$passed passed, $failed failed"
((failed == 0))
