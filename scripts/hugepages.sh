#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# hugepages.sh MIB COMMAND...: runs COMMAND with MIB MiB of free 2 MiB hugepages if this machine
# has the memory, and gives back afterwards the pages it took. Where it cannot, COMMAND runs on
# ordinary pages, with RAILYARD_NO_HUGE=1 in its environment.
set -euo pipefail

if (($# < 2)); then
	echo "usage: hugepages.sh MIB COMMAND..." >&2
	exit 2
fi
mib=$1
shift
knob=/sys/kernel/mm/hugepages/hugepages-2048kB
taken=0

free_pages() { cat "$knob/free_hugepages" 2>/dev/null || echo 0; }
total_pages() { cat "$knob/nr_hugepages" 2>/dev/null || echo 0; }

give_back() {
	local left
	((taken > 0)) || return 0
	left=$(($(total_pages) - taken))
	echo "$((left > 0 ? left : 0))" >"$knob/nr_hugepages"
	taken=0
}

take() {
	local want=$((mib / 2)) free before available_kib
	free=$(free_pages)
	((free < want)) || return 0
	available_kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
	# A quarter of what is available at most: guests and compilers need theirs.
	if ((mib * 1024 * 4 > available_kib)); then
		echo "hugepages: $((available_kib / 1024)) MiB available, not enough to set $mib MiB aside" >&2
		return 1
	fi
	before=$(total_pages)
	if ! { echo "$((before + want - free))" >"$knob/nr_hugepages"; } 2>/dev/null; then
		echo "hugepages: $knob/nr_hugepages cannot be written" >&2
		return 1
	fi
	taken=$(($(total_pages) - before))
	(($(free_pages) >= want)) && return 0
	echo "hugepages: memory is too fragmented for $mib MiB" >&2
	give_back
	return 1
}

trap give_back EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if ! take; then
	echo "hugepages: running on ordinary pages" >&2
	export RAILYARD_NO_HUGE=1
fi
"$@"
