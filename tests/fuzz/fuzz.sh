#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Looks for new inputs with libFuzzer (clang) and the sanitizers.
#
#	tests/fuzz/fuzz.sh TARGET [SECONDS [DIR]]	TARGET_fuzz.c, from corpus/TARGET; default 60
#
# Targets: parse, model, scenario. What it finds is left as crash-* in the current directory: mend, then
# put it in the corpus. Inputs that reach something new are kept in DIR; those that the corpus lacks:
# `fuzz -merge=1 CORPUS DIR` (libFuzzer's manual).
set -euo pipefail

if (($# < 1)); then
	echo "usage: tests/fuzz/fuzz.sh TARGET [SECONDS [DIR]]" >&2
	exit 2
fi
target=$1 seconds=${2:-60}
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
new=${3:-$work/new}

# Only what the target needs, as the floors below have no other dependency.
sources=("$top/tests/fuzz/${target}_fuzz.c" "$top"/dataplane/model/*.c)
libraries=(-lxxhash) corpus=("$top/tests/fuzz/corpus/$target") longest=512
case $target in
parse) ;;
model)
	for file in "$top"/tests/fuzz/model/*.c; do
		[[ $file == */main.c ]] || sources+=("$file")
	done
	sources+=("$top/tests/fuzz/source.c" "$top"/pipelines/*.c)
	longest=8192
	;;
scenario)
	mkdir "$work/control"
	"$top/scripts/embed.sh" "$work/presets.c" pipelines/presets/presets.h preset_files \
		"$top"/pipelines/presets/*.yaml
	printf '#define RY_VERSION ""\n#define RY_BUILD ""\n' >"$work/control/version.h"
	corpus+=("$top/scenarios" "$top/tests/broken")
	sources+=("$top/tests/fuzz/scenario/judge.c" "$work/presets.c" "$top"/pipelines/*.c "$top"/control/*.c)
	read -ra more <<<"$(pkg-config --cflags --libs libfyaml jansson)"
	libraries+=("${more[@]}" "-I$work" "-I$work/control")
	longest=4096
	;;
*)
	echo "fuzz.sh: no target $target" >&2
	exit 2
	;;
esac
mkdir -p "$new"
clang -std=gnu17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -UNDEBUG \
	-I"$top" "${sources[@]}" "${libraries[@]}" -o "$work/fuzz"
"$work/fuzz" -max_len="$longest" -max_total_time="$seconds" -print_final_stats=1 \
	"$new" "${corpus[@]}"
