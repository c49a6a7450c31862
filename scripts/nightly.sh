#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `make nightly`: lint, everything of `make test` with the guests' full matrix and ten minutes of
# soak, the thread sanitizer over the workers, and fuzzing at length. The last line is `N passed, N
# failed` of the steps.
set -euo pipefail

cd "$(dirname "$0")/.."
passed=0 failed=0

part() {
	echo
	echo "==== $1"
	shift
	if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

threads() {
	# DPDK's other memory model orders its rings by atomics, which the sanitizer understands.
	scripts/build.sh build-tsan -Ddaemon=enabled -Db_sanitize=thread \
		-Dc_args=-DRTE_USE_C11_MEM_MODEL || return 1
	TSAN_OPTIONS="halt_on_error=1:suppressions=$PWD/tests/tsan.supp" \
		tests/run -b build-tsan -w tsan -k dataplane_rt unit
}

# Other inputs each night; what is found is repeated with the seed that is printed.
night=$(date +%Y%m%d)
at_length() { # PROGRAM NUMBER
	scripts/build.sh build-asan -Ddaemon=enabled -Db_sanitize=address,undefined \
		-Dc_args=-fno-sanitize-recover=all >/dev/null || return 1
	"build-asan/tests/fuzz/$1" "$2" "$night"
}

scripts/setup.sh tools build test demo lint
part "lint" scripts/lint.sh
part "test" env RAILYARD_NIGHTLY=1 RAILYARD_SOAK_S=600 scripts/test.sh
part "thread sanitizer" threads
part "10,000,000 frames in random lives" at_length model_lives_test 10000000
part "1,000,000 scenarios" at_length scenario_mutants_test 1000000
part "lines of the switch model" scripts/coverage.sh -u
part "fuzz: parse" tests/fuzz/fuzz.sh parse 300
part "fuzz: model" tests/fuzz/fuzz.sh model 300
part "fuzz: scenario" tests/fuzz/fuzz.sh scenario 300
echo
echo "$passed passed, $failed failed"
((failed == 0))
