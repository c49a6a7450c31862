#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every test that tests/README.md names exists, and every case of tests/behaviour is named there.
set -euo pipefail

passed=0 failed=0 named=$(mktemp)
trap 'rm -f "$named"' EXIT

check() { # TEXT COMMAND...
	local text=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "tables__$text"
	fi
}

# A C case is a string of its file; a script's is what `try` says, or a file of tests/broken.
in_file() { # FILE NAME
	case $1 in
	*/broken/*) [[ -e tests/broken/$2.yaml ]] ;;
	*.c) grep -F "{\"$2\"," "$1" >/dev/null ;;
	*) grep -F "try \"$2\"" "$1" >/dev/null ;;
	esac
}

# The second column of the tables that have tests in it: a file, then its cases, each in backticks.
while IFS= read -r span; do
	case $span in
	*/*.c | */*.sh)
		file=tests/$span
		check "file $span" test -e "$file"
		;;
	*)
		check "$file: $span" in_file "$file" "$span"
		printf '%s %s\n' "$file" "$span" >>"$named"
		;;
	esac
done < <(awk -F'|' '/^\| A[0-9.]/ {
	n = split($3, parts, "`")
	for (i = 2; i <= n; i += 2) print parts[i]
}' tests/README.md)
check "names at least 200 cases" test "$(wc -l <"$named")" -ge 200

for file in tests/behaviour/*_test.c; do
	[[ $file != */lab_test.c ]] || continue
	while IFS= read -r name; do
		check "$file: $name is in README" grep -qxF "$file $name" "$named"
	done < <(sed -n 's/^\t{"\([^"]*\)",.*/\1/p' "$file")
done

echo "$passed passed, $failed failed"
((failed == 0))
