#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Lockstep: one recorded script, played in virtual time and on DPDK ports in three polling cadences
# and with split bursts. All must end in one digest, and every mechanism must have acted.
#
# RAILYARD_LOCKSTEP_SCRIPT names the recording; it is made when it is not there, so that several
# builds (compilers, optimisation) can play the same one. RAILYARD_LOCKSTEP_FRAMES: 1000000.
set -euo pipefail

tool=${RAILYARD_BUILD:?}/tests/lockstep/lockstep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
script=${RAILYARD_LOCKSTEP_SCRIPT:-$work/script}
frames=${RAILYARD_LOCKSTEP_FRAMES:-1000000}
passed=0 failed=0

check() {
	local text=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $text"
	fi
}

value() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }
at_least() { (($(value "$1" "$2") >= $3)); }
equals() { [[ $(value "$1" "$2") == "$3" ]]; }

if [[ ! -s $script ]]; then
	"$RAILYARD_BUILD/tests/lockstep/lockstep-record" "$script.part" "$frames"
	mv "$script.part" "$script"
fi

"$tool" "$script" sim >"$work/sim"
cat "$work/sim"
for act in marks xoff storms drops holds swaps; do
	check "$act: at least 100" at_least "$work/sim" $act $((frames / 10000))
done
check "sim: the identity is closed" equals "$work/sim" open 0
check "sim: no packet is lost in the books" equals "$work/sim" leaked 0

# cadence in ns, frames a poll
for run in "50000 32" "400000 32" "3000000 32" "400000 5" "3000000 1"; do
	read -r cadence burst <<<"$run"
	check "rt $run: plays" "$tool" "$script" rt "$cadence" "$burst" >"$work/rt"
	check "rt $run: no packet is lost in the books" equals "$work/rt" leaked 0
	check "rt $run: the same as virtual time" diff "$work/sim" "$work/rt"
done
echo "$passed passed, $failed failed"
((failed == 0))
