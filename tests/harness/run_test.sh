#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tests/run counts right: what passes, fails, crashes, skips, and what did not run at all.
set -euo pipefail

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
passed=0 failed=0 mode=755

# name, expected last line, expected status, the body of the only test of the group
case_is() {
	local name=$1 expected=$2 expected_status=$3 body=$4 status=0 got
	rm -rf "$build/tests"
	mkdir -p "$build/tests/made"
	if [[ -n $body ]]; then
		printf '#!/usr/bin/env bash\n%s\n' "$body" >"$build/tests/made/one_test"
		chmod "$mode" "$build/tests/made/one_test"
	fi
	RAILYARD_TEST_TIMEOUT=1 tests/run -b "$build" -t "$build/tally" made >"$build/out" 2>&1 || status=$?
	got=$(tail -n 1 "$build/out")
	if [[ $got == "$expected" && $status == "$expected_status" ]]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "run__$name: '$got' ($status), expected '$expected' ($expected_status)"
	fi
}

cunit='printf "Run Summary: Type Total Ran Passed Failed Inactive\n suites 1 1 n/a 0 0\n"
echo "               tests      7      7      5      2        0"'

case_is plain_pass '1 passed, 0 failed' 0 'exit 0'
case_is plain_fail '0 passed, 1 failed' 1 'exit 3'
case_is cunit '5 passed, 2 failed' 1 "$cunit; exit 1"
case_is own_count '30 passed, 0 failed, 2 skipped' 0 'echo "30 passed, 0 failed, 2 skipped"'
case_is own_count_lies '3 passed, 1 failed' 1 'echo "3 passed, 0 failed"; exit 1'
case_is failed_but_exit_0 '3 passed, 1 failed' 1 'echo "3 passed, 1 failed"'
case_is counted_nothing '0 passed, 1 failed' 1 'echo "0 passed, 0 failed"'
case_is crash '0 passed, 1 failed' 1 'kill -SEGV $$'
case_is too_long '0 passed, 1 failed' 1 'sleep 5'
case_is nothing_there '0 passed, 1 failed' 1 ''
mode=644
case_is not_executable '0 passed, 1 failed' 1 'exit 0'
mode=755
case_is skip '0 passed, 0 failed, 1 skipped' 0 'echo "no /dev/kvm"; exit 77'
if grep -q '^skipped: made/one_test: no /dev/kvm$' "$build/out"; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	echo "run__skip_names_its_reason: not in the output"
fi

echo "$passed passed, $failed failed"
((failed == 0))
