#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What README says is so: its scenario passes the check, its verbs and its files exist.
set -euo pipefail

railyard=${RAILYARD_BUILD:?}/railyard
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

check() {
	local text=$1
	shift
	if "$@" >"$dir/out" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "readme__$text"
		cat "$dir/out"
	fi
}

awk '/^```yaml/ { on = 1; next } /^```/ { on = 0 } on' README.md >"$dir/two_hosts.yaml"
check "scenario is not empty" test -s "$dir/two_hosts.yaml"
check "scenario passes railyard check" "$railyard" check "$dir/two_hosts.yaml"

mapfile -t verbs < <(sed -n 's/^    railyard \([a-z]*\) .*/\1/p' README.md | sort -u)
check "names at least eight verbs" test "${#verbs[@]}" -ge 8
for verb in "${verbs[@]}"; do
	check "verb $verb exists" "$railyard" "$verb" --help
done

mapfile -t links < <(grep -o '](\([^)#]*\))' README.md docs/*.md CONTRIBUTING.md -h | sed 's/^](//; s/)$//' |
	grep -v '^https\?:' | sort -u)
for link in "${links[@]}"; do
	check "file $link exists" test -e "$link"
done

mapfile -t targets < <(grep -ohE '(^|[^a-z])make [a-z]+`' README.md CONTRIBUTING.md |
	grep -o 'make [a-z]*' | sort -u)
for target in "${targets[@]}"; do
	check "$target exists" grep -q "^${target#make }:" Makefile
done

# Every file that a drop names has its row in docs/architecture.md, and exists.
mapfile -t files < <("$railyard" list drops --json | jq -r '.[].file' | sort -u)
check "drops name at least five files" test "${#files[@]}" -ge 5
for file in "${files[@]}"; do
	check "file $file is in docs/architecture.md" grep -qF "| $file |" docs/architecture.md
	check "file $file of a drop exists" test -e "$file"
done

echo "$passed passed, $failed failed"
((failed == 0))
