#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A port of 20 Mb/s in front of h2, the scenario of `make demo`: ECN-capable frames arrive marked,
# others never do; the sender's edge is paused; nothing of the lossless class is lost.
. "$(dirname "$0")/roce.sh"
isolate "$@"

h1='(.ports[] | select(.name == "s1-h1"))' h2='(.ports[] | select(.name == "s1-h2"))'
marked="$h2.queues[3].ecn_marked"
ce4='ip[1] & 3 == 3' ce6='ip6[1] & 0x30 == 0x30'

# write_captured TCLASS GID: 4 MB from h1 to h2, captured at h2.
write_captured() {
	capture_start h2 'udp port 4791' &&
		roce 10.0.0.2 "$2" ib_write_bw -u 18 --tclass "$1" -n 60 -s 65536 && capture_stop h2
}

ce_arrives() { # GID FILTER
	local before after ce
	before=$(count "$marked") && write_captured 106 "$1" && after=$(count "$marked") || return
	ce=$(capture_count h2 "$2")
	note "marked $((after - before)), with CE in the guest's capture $ce"
	((after > before && ce > 0 && ce <= after - before))
}

ce_never_arrives() { # GID FILTER: DSCP 26 without ECT
	local before after over ce
	before=$(count "$marked") over=$(count "$h2.queues[3].ecn_not_ect")
	write_captured 104 "$1" && after=$(count "$marked") || return
	over=$(($(count "$h2.queues[3].ecn_not_ect") - over)) ce=$(capture_count h2 "$2")
	note "past the mark but not ECT $over, marked $((after - before)), CE captured $ce"
	((over > 0 && after == before && ce == 0))
}

paused() {
	local episodes pause
	episodes=$(count "$h1.xoff_episodes[3]") pause=$(count "$h1.edge.paused_ps") || return
	note "xoff $episodes times, h1's edge paused for $((pause / 1000000000)) ms"
	((episodes > 0 && pause > 0))
}

fabric_up "$top/scenarios/01-first-light.yaml" 2
pair_boot 1500
gid4=$(gid_of h1 4) gid6=$(gid_of h1 6)

try "ECT(0): CE arrives" ce_arrives "$gid4" "$ce4"
try "not-ECT: CE never arrives" ce_never_arrives "$gid4" "$ce4"
try "IPv6, ECT(0): CE arrives" ce_arrives "$gid6" "$ce6"
try "IPv6, not-ECT: CE never arrives" ce_never_arrives "$gid6" "$ce6"
try "the edge pauses" paused
try "nothing lossless was lost" no_lossless_drop
try "the accounting closes" identity
pair_off
try "down" fabric_down
try "nothing is left" nothing_left
finish
