#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What `make test` and CI run, on a fresh Debian 12 as root or on a set-up one as anybody.
# Every step runs whatever happened before; the last line is `N passed, N failed[, N skipped]`.
#
#	test.sh [STEP...]	build soak lockstep asan coverage tools system leftovers; default all
set -euo pipefail

cd "$(dirname "$0")/.."
steps=("$@")
((${#steps[@]})) || steps=(build soak lockstep asan coverage tools system leftovers)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tally=$work/tally
: >"$tally"
begin=$SECONDS

step() {
	printf '\n== %s (%d:%02d)\n' "$1" $(((SECONDS - begin) / 60)) $(((SECONDS - begin) % 60))
}

# One check of the script's own: text, command...
check() {
	local text=$1
	shift
	if "$@"; then
		echo "1 0 0" >>"$tally"
		echo "$text: ok"
	else
		echo "0 1 0" >>"$tally"
		echo "$text: FAILED"
		return 1
	fi
}

skip() {
	echo "0 0 1" >>"$tally"
	echo "skipped: $1"
}

# Prints only what went wrong: a build's log is long and rarely read.
quietly() {
	"$@" >"$work/log" 2>&1 && return
	tail -n 60 "$work/log"
	return 1
}

run() { tests/run -t "$tally" "$@" || true; }

step_build() {
	step "gcc: build, unit tests, broken scenarios, fuzz corpus"
	check "build" quietly scripts/build.sh build -Ddaemon=enabled || return 0
	run unit behaviour fuzz harness broken
}

# A minute, or as long as RAILYARD_SOAK_S says.
step_soak() {
	step "soak"
	if [[ ! -x build/railyardd ]]; then
		check "build" quietly scripts/build.sh build -Ddaemon=enabled || return 0
	fi
	run soak
}

# The digests a flavour's lockstep tests printed.
digests() { cat "$1"/tests/log/lockstep/*.log 2>/dev/null | grep '^digest ' | sort; }

same_digests() {
	[[ -s $work/reference ]] || { echo "no digest was printed"; return 1; }
	diff "$work/reference" <(digests "$1")
}

step_lockstep() {
	local cc opt dir
	# One recording for all: its jitter is this machine's, its digest must be everybody's.
	export RAILYARD_LOCKSTEP_SCRIPT=$work/script
	for cc in gcc clang; do
		for opt in 0 3; do
			dir=build-$cc-O$opt
			step "$cc -O$opt: lockstep"
			CC=$cc check "build with $cc -O$opt" quietly scripts/build.sh "$dir" \
				-Dbuildtype=plain -Doptimization="$opt" -Ddebug=true || continue
			run -b "$dir" -w "$cc-O$opt" lockstep
			[[ -s $work/reference ]] || digests "$dir" >"$work/reference"
			check "digests of $cc -O$opt are the reference's" same_digests "$dir" || true
		done
	done
	unset RAILYARD_LOCKSTEP_SCRIPT
	step "clang -O3: unit tests"
	run -b build-clang-O3 -w clang unit
}

step_asan() {
	step "address and undefined-behaviour sanitizers"
	check "build with sanitizers" quietly scripts/build.sh build-asan -Ddaemon=enabled \
		-Db_sanitize=address,undefined -Dc_args=-fno-sanitize-recover=all || return 0
	export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
	export LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
	export UBSAN_OPTIONS=print_stacktrace=1
	run -b build-asan -w asan unit behaviour fuzz broken
	# Every path is taken in a tenth of the frames; the whole is for the optimised builds.
	RAILYARD_LOCKSTEP_FRAMES=30000 run -b build-asan -w asan lockstep
	unset ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS
}

step_coverage() {
	step "lines of the switch model that random lives go through"
	check "95 % of them" scripts/coverage.sh || true
}

# The tree as a tarball's user has it: no repository, no right to write anywhere else.
copy_tree() {
	mkdir -p "$1"
	if git rev-parse --git-dir >/dev/null 2>&1; then
		git ls-files -z -co --exclude-standard | while IFS= read -r -d '' file; do
			[[ ! -e $file ]] || printf '%s\0' "$file"
		done
	else
		find . -path './build*' -prune -o -type f -print0
	fi | tar -c --null -T - | tar -x -C "$1"
}

no_dataplane_libraries() {
	ldd "$1" >"$work/ldd" &&
		! grep -E 'librte_|libbpf|libibverbs|librdmacm|libmicrohttpd' "$work/ldd"
}

step_tools() {
	local tree=$work/tools as=() tally_tools=$work/tools/tally
	step "make tools, as an ordinary user"
	copy_tree "$tree"
	if ((EUID == 0)); then
		as=(setpriv --reuid=nobody --regid=nogroup --clear-groups --inh-caps=-all
			--bounding-set=-all env -u XDG_RUNTIME_DIR "HOME=$tree")
		chmod 711 "$work"
		chown -R nobody:nogroup "$tree"
	fi
	check "make tools" quietly "${as[@]}" make -C "$tree" tools || return 0
	check "railyard needs no library of the daemon's" no_dataplane_libraries \
		"$tree/build/railyard" || true
	check "there is no railyardd" test ! -e "$tree/build/railyardd" || true
	"${as[@]}" "$tree/tests/run" -b "$tree/build" -t "$tally_tools" -w tools unit broken || true
	cat "$tally_tools" >>"$tally" || true
}

step_system() {
	step "guests through the switch"
	if ((EUID != 0)); then
		skip "system: taps and namespaces need root"
		return 0
	fi
	if [[ ! -x build/railyardd ]]; then
		check "build" quietly scripts/build.sh build -Ddaemon=enabled || return 0
	fi
	# The tests have namespaces without a way out: what must be fetched is fetched here.
	check "the guests' image" quietly scripts/guest-image.sh || return 0
	scripts/hugepages.sh 512 tests/run -t "$tally" system || true
}

step_leftovers() {
	step "what is left behind"
	scripts/leftovers.sh >"$work/after"
	# Only what is new: a process of somebody else's may have ended meanwhile.
	comm -13 <(sort "$work/before") <(sort "$work/after") >"$work/left"
	sed 's/^/left behind: /' "$work/left"
	check "nothing is left behind" test ! -s "$work/left" || true
}

scripts/setup.sh tools build test
scripts/setup.sh --try demo
scripts/leftovers.sh >"$work/before"
for name in "${steps[@]}"; do
	declare -F "step_$name" >/dev/null || { echo "test.sh: no step $name" >&2; exit 2; }
	"step_$name"
done

step "the sum"
awk '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		if (passed == 0 && failed == 0)
			failed = 1
		printf "%d passed, %d failed", passed, failed
		if (skipped)
			printf ", %d skipped", skipped
		printf "\n"
		exit failed > 0
	}' "$tally"
