#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# fence.sh [ROOT]: the floors of the design. Each directory may include only what stands beneath
# it, and the model, the pipelines and the algorithms keep off clocks, randomness, I/O and DPDK.
set -euo pipefail

cd "${1:-$(dirname "$0")/..}"
bad=0

# Each line of what was found, and why it may not be. lines, why
refuse() {
	local line
	while IFS= read -r line; do
		printf '%s   <- %s\n' "$line" "$2"
	done <<<"$1"
	bad=1
}

# directory, a regular expression of the project's directories it may include
may_include() {
	local dir=$1 allowed=$2 found
	[[ -d $dir ]] || return 0
	found=$(grep -rnE --include='*.[ch]' \
		'^[[:space:]]*#[[:space:]]*include[[:space:]]+"(control|pipelines|dataplane|cc|tests)/' \
		"$dir" | grep -vE "include[[:space:]]+\"($allowed)/" || true)
	[[ -z $found ]] || refuse "$found" "$dir may include only: ${allowed//|/, }"
}

# directory, what, regular expression; comments and strings do not count
must_not_use() {
	local dir=$1 what=$2 regex=$3 file found
	[[ -d $dir ]] || return 0
	while IFS= read -r file; do
		found=$(without_words "$file" | grep -nE "$regex" | sed "s@^@$file:@" || true)
		[[ -z $found ]] || refuse "$found" "$dir: no $what"
	done < <(find "$dir" -name '*.[ch]')
}

# The file with comments and strings blanked, line by line.
without_words() {
	awk '
		{
			line = $0
			out = ""
			while (line != "") {
				if (inside) {
					at = index(line, "*/")
					if (!at) { line = ""; break }
					line = substr(line, at + 2)
					inside = 0
				} else if (match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|\047([^\047\\]|\\.)\047/)) {
					mark = substr(line, RSTART, 2)
					# The names of included files are words that count.
					keep = (line ~ /^[ \t]*#[ \t]*include/ && mark != "/*" && mark != "//")
					out = out substr(line, 1, RSTART - 1 + (keep ? RLENGTH : 0))
					line = substr(line, RSTART + (mark == "/*" ? 2 : RLENGTH))
					if (mark == "/*") inside = 1
					if (mark == "//") line = ""
				} else {
					out = out line
					line = ""
				}
			}
			print out
		}' "$1"
}

may_include dataplane/model 'dataplane/model'
may_include dataplane/host 'dataplane/host|dataplane/model|cc'
may_include dataplane/sim 'dataplane/sim|dataplane/model|dataplane/host'
may_include dataplane/rt 'dataplane/rt|dataplane/model|dataplane/host'
may_include dataplane/xdp 'dataplane/xdp|dataplane/model'
may_include cc 'cc'
may_include pipelines 'pipelines|dataplane'
may_include control 'control|pipelines|dataplane|cc'

# Outside the daemon the real-time driver is known by rt.h alone, which is free of DPDK.
while IFS= read -r found; do
	refuse "$found" "but for rt.h, dataplane/rt is for control/daemon alone"
done < <(grep -rnE --include='*.[ch]' 'include[[:space:]]+"dataplane/(rt|xdp)/' control |
	grep -v -e '"dataplane/rt/rt\.h"' -e '^control/daemon/' || true)

for dir in dataplane/model pipelines cc dataplane/sim dataplane/host; do
	must_not_use "$dir" DPDK '\<rte_[a-z]|\<RTE_[A-Z]'
	must_not_use "$dir" 'clock' \
		'\<(clock_gettime|gettimeofday|time|nanosleep|usleep|__rdtsc|clock)[[:space:]]*\('
	must_not_use "$dir" 'global randomness' '\<(s?random|s?rand|[dlmn]rand48|getrandom|rand_r)[[:space:]]*\('
done
for dir in dataplane/model pipelines cc; do
	# snprintf into the caller's buffer is fine; writing somewhere is not.
	must_not_use "$dir" 'output or logging' \
		'\<(v?d?f?printf|puts|fputs|fwrite|putchar|syslog|perror|fopen|write)[[:space:]]*\('
	must_not_use "$dir" 'libm beyond sqrt and floor' \
		'\<(exp|log|log2|log10|pow|sin|cos|tan|exp2|cbrt)f?[[:space:]]*\('
	must_not_use "$dir" 'threads, atomics' '\<(pthread_[a-z]+|atomic_[a-z]+|__atomic_[a-z_]+|_Atomic)\>'
done
must_not_use control DPDK '\<rte_[a-z]'

if ((bad)); then exit 1; fi
echo "fence: every include goes down, nothing forbidden is used"
