#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `make bench`: every benchmark five times, one after the other (interleaved: what the machine does
# meanwhile hits all of them alike), pinned. Prints a table and writes build/bench.json:
# [{"name","unit","min","median","max","n"}]. A benchmark prints lines `NAME UNIT VALUE`; one that
# cannot run here exits 77, and its last line says why.
#
#	bench.sh [-n RUNS] [WORD...]	only benchmarks whose command contains a WORD
#
# Needs neither hugepages nor root; root gives it priority over what else runs.
set -euo pipefail

cd "$(dirname "$0")/.."
runs=5
while getopts n: option; do
	case $option in
	n) runs=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=build/tests/bench # as `make` builds them: what is measured is what people run

scripts/build.sh build -Ddaemon=enabled -- benches >"$work/log" 2>&1 ||
	{ tail -n 40 "$work/log"; exit 1; }

# Two CPUs that we may use: the first for control and what else there is, the second for the worker.
mapfile -t cpus < <(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' |
	while IFS=- read -r a b; do seq "$a" "${b:-$a}"; done)
worker=${cpus[1]:-${cpus[0]}}
first=()
((EUID != 0)) || first=(nice -n -20)

# What is measured, in this order: name, CPUs, command.
names=() where=() commands=()
bench() {
	names+=("$1") where+=("$2") commands+=("$3")
}
bench model "$worker" "$programs/model_bench"
if [[ -x $programs/switch_bench ]]; then
	"$programs/switch_bench" frames "$work"
	for size in ack 1024 4096; do
		bench "switch.$size" "${cpus[0]},$worker" "$programs/switch_bench run $size $work"
		bench "testpmd.$size" "${cpus[0]},$worker" \
			"tests/bench/testpmd.sh $size $work ${cpus[0]},$worker"
	done
else
	echo "skipped: switch, testpmd: railyardd was not built (no DPDK or libmicrohttpd)" >&2
fi
if ((${#cpus[@]} < 2)); then
	echo "skipped: switch, testpmd: one CPU for control and one for the worker are needed" >&2
	names=("${names[0]}")
fi

wanted() {
	local word
	(($# > 1)) || return 0
	for word in "${@:2}"; do [[ $1 != *"$word"* ]] || return 0; done
	return 1
}

declare -A skip
failed=0
for ((run = 0; run < runs; run++)); do
	for i in "${!names[@]}"; do
		name=${names[i]} status=0
		if [[ -n ${skip[$name]-} ]] || ! wanted "$name" "$@"; then continue; fi
		# shellcheck disable=SC2086 # a command and its words
		"${first[@]}" taskset -c "${where[i]}" ${commands[i]} >"$work/one" 2>"$work/errors" \
			</dev/null || status=$?
		if ((status == 77)); then
			echo "skipped: $name: $(tail -n 1 "$work/one")" >&2
			skip[$name]=1
		elif ((status != 0)); then
			tail -q -n 5 "$work/errors" "$work/one" >&2
			echo "FAILED: $name (exit $status)" >&2
			skip[$name]=1 failed=1
		else
			cat "$work/one" >>"$work/all"
		fi
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
	| @tsv' build/bench.json |
	awk -F'\t' '{ printf "%-32s %-16s %12s %12s %12s %4s\n", $1, $2, $3, $4, $5, $6 }'
exit "$failed"
