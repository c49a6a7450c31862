#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `railyard check` on every broken scenario here: the exit status, exactly one line with the place
# and the words, nothing on standard output.
#
# A file says in its first line what it wants: `# expect: STATUS LINE:COL TEXT`. Files that cannot
# (empty, not text) are in raw.expect: `NAME STATUS LINE:COL TEXT`.
set -euo pipefail

cd "$(dirname "$0")"
railyard=${RAILYARD_BUILD:-../../build}/railyard
passed=0 failed=0

# file, status, place, text
one() {
	local file=$1 want_status=$2 place=$3 text=$4 out err status=0
	out=$(mktemp) err=$(mktemp)
	timeout 20 "$railyard" check "$file" >"$out" 2>"$err" || status=$?
	if ((status == want_status)) && [[ ! -s $out ]] && (($(wc -l <"$err") == 1)) &&
		[[ $(<"$err") == "$file:$place: "*"$text"* ]]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$file: want exit $want_status, one line '$file:$place: ...$text...'"
		echo "$file: have exit $status"
		sed "s/^/$file: stderr: /" "$err"
		sed "s/^/$file: stdout: /" "$out"
	fi
	rm -f "$out" "$err"
}

listed=$(mktemp)
trap 'rm -f "$listed"' EXIT
grep -v '^#' raw.expect | while read -r file _; do echo "$file"; done >"$listed"

for file in *.yaml; do
	if grep -qxF "$file" "$listed"; then
		continue
	fi
	read -r hash word status place text < <(head -n 1 "$file")
	if [[ "$hash $word" != '# expect:' ]]; then
		failed=$((failed + 1))
		echo "$file: says nothing about what it expects"
		continue
	fi
	one "$file" "$status" "$place" "$text"
done
while read -r file status place text; do
	[[ $file == \#* ]] || one "$file" "$status" "$place" "$text"
done <raw.expect

# Lists and statuses: the worst file decides, a file that is not there is the user's mistake.
many() {
	local what=$1 want=$2 status=0
	shift 2
	"$railyard" check "$@" >/dev/null 2>&1 || status=$?
	if ((status == want)); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$what: want exit $want, have $status"
	fi
}
many 'good and broken' 2 ../../scenarios/01-first-light.yaml key-unknown-top.yaml
many 'good alone' 0 ../../scenarios/01-first-light.yaml
many 'no such file' 2 no-such-file.yaml
many 'a directory' 2 .

echo "$passed passed, $failed failed"
((failed == 0))
