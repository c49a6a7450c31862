#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Checkpoint, restore in another process, continue: the same digest and the same counters as without.
# A recorded script is cut at 100 random times, each in a play of its own, and then at all of them in one
# play that 101 processes hand on to each other.
#
# RAILYARD_CHECKPOINT_POINTS: 100, RAILYARD_CHECKPOINT_FRAMES: 20000, RAILYARD_CHECKPOINT_SEED: 1.
set -euo pipefail

part=${RAILYARD_BUILD:?}/tests/lockstep/lockstep-part
points=${RAILYARD_CHECKPOINT_POINTS:-100}
frames=${RAILYARD_CHECKPOINT_FRAMES:-20000}
seed=${RAILYARD_CHECKPOINT_SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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
acted() { (($(value "$work/whole" "$1") > 0)); }

"$RAILYARD_BUILD/tests/lockstep/lockstep-record" "$work/script" "$frames" >/dev/null
"$part" "$work/script" - - 0 >"$work/whole"
sed "s/^/whole: /" "$work/whole" # not a digest for other builds to agree with: the script is ours
for act in marks xoff storms drops holds swaps copied; do
	check "$act: none in the script" acted "$act"
done

# Four of five within the script, the others while the last frames wait for who does not answer.
last=$("$part" "$work/script" last)
awk -v seed="$seed" -v n="$points" -v last="$last" 'BEGIN {
	srand(seed)
	for (i = 0; i < n; i++)
		printf "%.0f\n", i % 5 < 4 ? rand() * last : last + rand() * 4e12
}' | sort -n >"$work/points"

# A play cut once.
once() {
	"$part" "$work/script" - "$work/at" "$1" && "$part" "$work/script" "$work/at" - 0 >"$work/end" &&
		diff "$work/whole" "$work/end"
}

while read -r t; do
	check "cut at $t ps" once "$t"
done <"$work/points"

# One play, cut at every point.
before=-
chain() {
	while read -r t; do
		"$part" "$work/script" "$before" "$work/at" "$t" || return 1
		mv "$work/at" "$work/before"
		before=$work/before
	done <"$work/points"
	"$part" "$work/script" "$before" - 0 >"$work/end" && diff "$work/whole" "$work/end"
}
check "cut at every point" chain

# What is damaged on its way is refused, in a word.
damaged() {
	local status=0
	head -c 5000 "$work/before" >"$work/cut"
	"$part" "$work/script" "$work/cut" - 0 >"$work/end" 2>"$work/err" || status=$?
	((status == 1)) && grep 'checkpoint: found 5000 bytes, expected' "$work/err" >/dev/null
}
check "a file cut off is refused" damaged
echo "$passed passed, $failed failed"
((failed == 0))
