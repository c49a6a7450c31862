#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Looks for new inputs with libFuzzer (clang) and the sanitizers.
#
#	tests/fuzz/fuzz.sh TARGET [SECONDS]	TARGET_fuzz.c, from corpus/TARGET; default 60
#
# What it finds is left as crash-* in the current directory: mend, then put it in the corpus.
set -euo pipefail

if (($# < 1)); then
	echo "usage: tests/fuzz/fuzz.sh TARGET [SECONDS]" >&2
	exit 2
fi
target=$1 seconds=${2:-60}
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/new"
# Only what the target needs, as the model has no other dependency.
clang -std=gnu17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	-I"$top" "$top/tests/fuzz/${target}_fuzz.c" "$top"/dataplane/model/*.c -lxxhash \
	-o "$work/fuzz"
"$work/fuzz" -max_len=512 -max_total_time="$seconds" -print_final_stats=1 \
	"$work/new" "$top/tests/fuzz/corpus/$target"
