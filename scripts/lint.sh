#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# lint.sh [PART...]: format tidy cppcheck shell fence lengths; default all. Every part runs; the
# status is 1 if one found something, 2 if a tool is missing.
# shellcheck disable=SC2317 # the parts are called by name
set -euo pipefail

cd "$(dirname "$0")/.."
parts=("$@")
((${#parts[@]})) || parts=(format fence shell cppcheck tidy lengths)
jobs=$(nproc)

need() {
	command -v "$1" >/dev/null || { echo "lint: $1 is missing: apt-get install $2" >&2; exit 2; }
}

need clang-format clang-format
need clang-tidy clang-tidy
need cppcheck cppcheck
need shellcheck shellcheck
need meson meson

part_format() { scripts/format.sh; }
part_fence() { scripts/fence.sh; }
part_lengths() { scripts/lengths.sh; }

part_shell() {
	local files
	mapfile -t files < <(git grep -lE '^#!.*\<(ba)?sh\>' -- ':!*.c' ':!*.h' ':!*.md')
	shellcheck "${files[@]}"
}

# Both analysers see exactly what the compiler sees.
database() {
	[[ -e build-lint/compile_commands.json ]] ||
		CC=clang meson setup build-lint >/dev/null </dev/null
	ninja -C build-lint control/version.h pipelines/presets/presets.c >/dev/null
}

part_cppcheck() {
	database
	# unusedStructMember: fields are filled for other files. An unmatched one is not a fault.
	# preprocessorErrorDirective: rte_config is forced in by the compiler's command line.
	# arrayIndexThenCheck: `text[n] == 0 && n <= max` after a loop that stopped in bounds is fine.
	cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 -j "$jobs" \
		--library=scripts/cppcheck.cfg \
		--suppress=arrayIndexThenCheck \
		--enable=warning,performance,portability \
		--suppress=unusedStructMember --suppress=unmatchedSuppression \
		--suppress=preprocessorErrorDirective --suppress='*:/usr/include/*' \
		-i tests --project=build-lint/compile_commands.json
}

part_tidy() {
	local files log
	database
	# A unit test includes the file it tests, which would be analysed twice.
	mapfile -t files < <(jq -r '.[].file' build-lint/compile_commands.json |
		sed 's@^\.\./@@' | grep '\.c$' | grep -v -e 'presets/presets.c' -e '^tests/' | sort -u)
	log=$(printf '%s\n' "${files[@]}" |
		xargs -P "$jobs" -n 4 clang-tidy --quiet -p build-lint 2>/dev/null) || true
	# A finding whose place is a system header (inlined code) is not ours to cure.
	if grep -E '^[^ ]+:[0-9]+:[0-9]+: (error|warning):' <<<"$log" | grep -v '^/usr/' >/dev/null; then
		printf '%s\n' "$log"
		return 1
	fi
	[[ ${#files[@]} -gt 0 ]] || { echo "no file was checked"; return 1; }
}

bad=0
for name in "${parts[@]}"; do
	echo "== lint: $name"
	# In a subshell with its own -e: a failing part must not hide behind `if`.
	status=0
	(set -e; "part_$name") || status=$?
	((status == 0)) || { bad=1; echo "lint: $name found something"; }
done
exit "$bad"
