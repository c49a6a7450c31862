#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs every build-bench/tests/bench/*_bench five times, prints a table and writes build/bench.json:
# [{"name","unit","min","median","max","n"}]. A benchmark prints lines `NAME UNIT VALUE`; one that
# cannot run here exits 77 and says why.
set -euo pipefail
shopt -s nullglob

cd "$(dirname "$0")/.."
runs=5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/build.sh build-bench -Dbuildtype=release -Db_lto=true -- benches >"$work/log" 2>&1 ||
	{ tail -n 40 "$work/log"; exit 1; }
for program in build-bench/tests/bench/*_bench; do
	for ((i = 0; i < runs; i++)); do
		status=0
		"$program" >"$work/one" </dev/null || status=$?
		if ((status == 77)); then
			echo "skipped: $(basename "$program"): $(tail -n 1 "$work/one")" >&2
			break
		fi
		((status == 0)) || { echo "bench: $program failed ($status)" >&2; exit 1; }
		cat "$work/one" >>"$work/all"
	done
done
[[ -s $work/all ]] || { echo "bench: nothing was measured" >&2; exit 1; }

mkdir -p build
jq -nR '
	[inputs | split(" ") | {name: .[0], unit: .[1], value: (.[2] | tonumber)}]
	| group_by(.name)
	| map((map(.value) | sort) as $v
		| {name: .[0].name, unit: .[0].unit, min: $v[0], median: $v[($v | length) / 2 | floor],
			max: $v[-1], n: ($v | length)})' "$work/all" >build/bench.json
jq -r '(["name", "unit", "min", "median", "max", "n"], (.[] | [.name, .unit, .min, .median, .max, .n]))
	| @tsv' build/bench.json | awk -F'\t' '{ printf "%-28s %-12s %12s %12s %12s %4s\n", $1, $2, $3, $4, $5, $6 }'
