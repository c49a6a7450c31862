#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How many lines of the switch model (dataplane/model) random lives go through, in a build of its own,
# build-coverage. A line of a header counts once, wherever it is used. Fails below 95 %.
#
#	scripts/coverage.sh [-u] [FRAMES]	default 1,000,000
#
# -u  then say what the model's unit tests add, and which lines nothing goes through
set -euo pipefail

cd "$(dirname "$0")/.."
least=95 units=false
if [[ ${1-} == -u ]]; then
	units=true
	shift
fi
frames=${1:-1000000}
build="build-coverage"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Counts of an earlier run or of other objects would be added to.
forget() { find "$build" -name '*.gcda' -delete; }

# Prints "FILE:LINE 0|1" for each line of the model that has code.
lines() {
	find "$build" -name '*.gcda' -print0 | (cd "$build" && sed -z "s|^$build/||" |
		xargs -0 gcov --stdout 2>/dev/null) | awk -F: '
		$3 == "Source" {
			at = index($0, "dataplane/model/")
			file = at && !index($0, "tests/") ? substr($0, at) : ""
			next
		}
		file == "" || NF < 3 { next }
		{
			count = $1
			gsub(/ /, "", count)
			if (count == "-" || $2 + 0 == 0)
				next
			key = file ":" ($2 + 0)
			hit[key] = hit[key] || count !~ /^[#=]/
		}
		END { for (key in hit) print key, hit[key] + 0 }' | sort
}

# Prints the share of a list of lines, by file where that is not whole, and the sum; the sum in *percent.
show() {
	awk '
		{ split($1, place, ":"); all[place[1]]++; hit[place[1]] += $2; n++; sum += $2 }
		END {
			for (file in all)
				if (hit[file] < all[file])
					printf "  %-36s %4d of %4d\n", file, hit[file], all[file] | "sort"
			close("sort")
			printf "%d of %d lines, %.1f %%\n", sum, n, n ? 100 * sum / n : 0
		}' "$1"
}

# In tenths of a percent, rounded down.
share() { awk '{ n++; sum += $2 } END { print n ? int(1000 * sum / n) : 0 }' "$1"; }

scripts/build.sh "$build" -Ddaemon=disabled -Dbuildtype=debug -Db_coverage=true -- \
	tests/fuzz/model_lives_test >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }
forget
"$build/tests/fuzz/model_lives_test" "$frames" >"$work/lives" || { cat "$work/lives"; exit 1; }
lines >"$work/fuzz"
echo "random lives, $frames frames:"
show "$work/fuzz"

if $units; then
	ninja -C "$build" model-tests >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }
	tests/run -b "$build" -k dataplane_model unit >"$work/log" || { tail -n 40 "$work/log"; exit 1; }
	lines >"$work/both"
	echo "with the unit tests of the model:"
	show "$work/both"
	echo "nothing goes through:"
	awk '$2 == 0 { print "  " $1 }' "$work/both" | sort -t: -k1,1 -k2,2n
fi
if (($(share "$work/fuzz") < least * 10)); then
	echo "less than $least % of the lines of dataplane/model"
	exit 1
fi
