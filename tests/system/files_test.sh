#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# railyardd between files: what comes in at each port is a capture, what leaves is another, and the
# test says hold, release, set and show in between. Needs no machine (net_pcap, ordinary pages): runs as
# whoever starts it, and in part once more as an ordinary user when that is root. ONLY=REGEX: only these.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${RAILYARD_BUILD:-$top/build}
[ -x "$build/railyardd" ] || { echo "$build/railyardd is not built"; exit 77; }
work=$(mktemp -d /tmp/railyard-files-XXXXXX)
passed=0 failed=0

clean() {
	local status=$?
	trap - EXIT
	set +e
	[ ! -e "$work/run/railyard/files.pid" ] || ry down --force >/dev/null 2>&1
	rm -rf "$work"
	exit "$status"
}
trap clean EXIT

export XDG_RUNTIME_DIR=$work/run
mkdir -p "$work/run/railyard"
chmod 755 "$work"
export RAILYARD_SOCKET=$work/run/railyard/files.sock

ry() { timeout 60 "$build/railyard" "$@"; }

try() { # WHAT COMMAND...
	[[ $1 =~ ${ONLY-} ]] || return 0
	local what=$1 status=0 start=$SECONDS
	shift
	rm -f "$work"/*.pcap
	# Not before `||`, where -e is ignored in all that is called.
	set +e
	(set -e; "$@") >"$work/case" 2>&1
	status=$?
	set -e
	[ ! -e "$work/run/railyard/files.pid" ] || ry down --force >/dev/null 2>&1 || true
	if [ "$status" -eq 0 ]; then
		passed=$((passed + 1))
		printf 'ok %s (%d s)\n' "$what" $((SECONDS - start))
	else
		failed=$((failed + 1))
		printf 'FAILED %s (exit %d)\n' "$what" "$status"
		sed 's/^/    /' "$work/case"
	fi
}

wrong() { echo "$*"; return 1; }

# ---- a switch between files ----

feed() { "$build/tests/system/frames" make "$work/in$1.pcap"; } # PORT <SPECS
frames() { "$build/tests/system/frames" show "$work/out$1.pcap"; } # PORT

# Ports with a feed read it; all write what leaves. `more` is appended to the scenario.
scenario() { # HOSTS RATE SWITCH [MORE]
	local k in
	{
		echo "railyard: 1"
		echo "name: files"
		echo "topology: {kind: star, hosts: $1, link: {rate: $2, delay: 1us}}"
		echo "switch: {$3}"
		echo "ports:"
		for ((k = 1; k <= $1; k++)); do
			in=
			[ ! -e "$work/in$k.pcap" ] || in="rx_pcap=$work/in$k.pcap,"
			echo "  s1-h$k: {dev: \"net_pcap$k,${in}tx_pcap=$work/out$k.pcap\", mtu: 1500}"
		done
		echo "real: {poll: adaptive, memory: 128MiB}"
		[ $# -lt 4 ] || echo "$4"
	} >"$work/files.yaml"
}

# The port's file is read over and over.
again() { sed -i "s@,tx_pcap=$work/out$1@,infinite_rx=1&@" "$work/files.yaml"; } # PORT

up() { ry up "$work/files.yaml" --no-huge "$@" >"$work/up" 2>&1 || { cat "$work/up"; return 1; }; }
# Whether the run was in time is not what is tested here.
snapshot() { ry status --json >"$work/now" || [ $? -eq 4 ]; }
of() { jq -r ".switches[0] | $1" "$work/now"; }              # FILTER on the last snapshot
port() { of ".ports[] | select(.name == \"s1-h$1\") | $2"; } # HOST FILTER

soon() { # FILTER VALUE
	local i
	for ((i = 0; i < 200; i++)); do
		snapshot
		[ "$(of "$1")" != "$2" ] || return 0
		sleep 0.05
	done
	wrong "$1 is $(of "$1"), not $2"
}

is() { # FOUND WANTED WHAT
	[ "$1" = "$2" ] || wrong "$3: $1, not $2"
}

# The identity, and that the device and the model lost nothing unnamed.
whole() {
	snapshot
	is "$(of '.rx + .generated + .copied == .tx + .consumed + .dropped + .held')" true closed
	is "$(of .lost)" 0 lost
}

down() {
	whole
	ry down
}

AZURE='preset: azure, latency: 0ns'
# 200 cells of 256 B to share at alpha 1, 20 of headroom for each of 2 ports and 2 classes; frames of
# 60 B: the 100th says xoff, the 121st is lost.
EXACT="$AZURE, buffer: {size: 71680B, cell: 256B, alpha: 1, headroom: 5120B, reserved: 0B, xon_offset: 0B}"

# ---- maps ----

all_dscps() { # WORDS
	local d
	for ((d = 0; d < 64; d++)); do echo "roce dscp=$d ecn=$((d & 3)) len=100 psn=$d $*"; done
}

tos_and_queues() { # TTL DST SRC
	is "$(of '[.ports[1].queues[].tx_packets] | tostring')" '[1,58,1,1,1,1,1,0]' queues
	is "$(frames 2 | wc -l)" 64 frames
	frames 2 | awk -v ttl="$1" -v dst="$2" -v src="$3" '
		{ for (i = 2; i <= NF; i++) { split($i, w, "="); f[w[1]] = w[2] } }
		f["dscp"] != f["psn"] || f["ecn"] != f["psn"] % 4 || f["ttl"] != ttl { exit 1 }
		f["ip"] != "ok" || f["icrc"] != "ok" || f["dst"] != dst || f["src"] != src { exit 1 }'
}

dscp_bridged() {
	all_dscps | feed 1
	scenario 2 1Gbps "$AZURE"
	up
	soon .tx 64
	tos_and_queues 64 02:00:00:00:00:02 02:00:00:00:00:01
	is "$(port 1 .roce_rx)" 64 roce_rx
	down
}

dscp_to_pg() {
	all_dscps | feed 1
	scenario 2 1Gbps "$AZURE"
	up --hold s1-h2
	soon .held 64
	is "$(of '[.ports[0].pgs[].bytes] | tostring')" '[6200,0,0,100,100,0,0,0]' PGs
	down
}

dscp_routed() {
	{
		all_dscps dst=0 to=7
		echo "roce dst=0 to=7 ttl=1 n=3"
	} | feed 1
	scenario 2 1Gbps "$AZURE" "hosts: {h2: {mac: '02:00:00:00:00:02'}}
routes: [{on: s1, prefix: 10.9.0.0/16, via: [s1-h2]}]"
	up
	soon .tx 64
	soon .drops.ttl_expired 3
	tos_and_queues 63 02:00:00:00:00:02 02:ff:00:00:00:01
	down
}

map_changes_live() {
	echo "roce dscp=26 len=100 n=10" | feed 1
	scenario 2 1Gbps "$AZURE" ""
	again 1
	up --set ports.s1-h1.rate=10Mbps --set ports.s1-h2.rate=10Mbps
	ry set switch.dscp.26=3
	snapshot
	is "$(of '.ports[1].queues[1].tx_packets > 0')" true 'before: queue 1'
	sleep 0.3
	snapshot
	is "$(of '.ports[1].queues[3].tx_packets > 0')" true 'after: queue 3'
	down
}

# ---- buffer ----

# n frames into the held port; then what the PG, PFC and the drops are.
held() { # N
	echo "roce dscp=3 ecn=2 len=60 n=$1" | feed 1
	scenario 2 100Mbps "$EXACT"
	up --hold s1-h2
	soon .rx "$1"
}

xoff_point() {
	held 99
	is "$(port 1 '.pgs[3].xoff')" false 'xoff at 99'
	is "$(port 1 '.pfc_tx[3]')" 0 'PFC frames at 99'
	down
	is "$(frames 1 | wc -l)" 0 'captured at 99'
	held 100
	is "$(port 1 '.pgs[3].xoff')" true 'xoff at 100'
	soon '.ports[0].pfc_tx[3] > 1' true # said again
	is "$(of .dropped)" 0 'drops at 100'
	down
}

drop_point() {
	held 120
	is "$(of .dropped)" 0 'drops at 120'
	is "$(port 1 '.pgs[3].headroom_bytes')" 5120 headroom
	down
	held 123
	is "$(of .drops.headroom_full)" 3 'drops at 123'
	is "$(port 1 .dropped)" 3 'at the ingress port'
	is "$(port 1 '.pgs[3].dropped')" 3 'of the PG'
	is "$(of '[.ports[0].pgs[] | select(.priority != 3) | .dropped] | add')" 0 'of other PGs'
	is "$(port 2 .dropped)" 0 'at the egress port'
	down
}

lossy_drop_point() {
	echo "roce dscp=8 len=60 n=104" | feed 1
	scenario 2 100Mbps "$EXACT"
	up --hold s1-h2
	soon .rx 104
	is "$(of .drops.queue_full)" 4 'drops of 104' # n <= 200 - (n - 1)
	is "$(port 2 .dropped)" 4 'at the egress port'
	is "$(port 2 '.queues[0].dropped')" 4 'of the queue'
	is "$(port 1 .dropped)" 0 'at the ingress port'
	is "$(port 1 '.pfc_tx | add')" 0 PFC
	ry release s1-h2
	soon .tx 100
	down
	is "$(frames 2 | wc -l)" 100 captured
}

# Xoff, refreshed, then xon once; every frame as 802.1Qbb wants it; then silence.
pfc_frames() {
	local told
	held 110
	soon '.ports[0].pfc_tx[3] > 3' true
	ry release s1-h2
	soon .held 0
	told=$(port 1 '.pfc_tx[3]')
	sleep 1
	snapshot
	is "$(port 1 '.pfc_tx[3]')" "$told" 'PFC frames a second later'
	down
	is "$(frames 1 | wc -l)" "$told" 'captured PFC frames'
	frames 1 | awk -v n="$told" '
		$1 != "pfc" || $3 != "len=60" || $4 != "dst=01:80:c2:00:00:01" { exit 1 }
		$5 != "src=02:fe:00:01:00:01" || $6 != "opcode=0101" || $7 != "vector=0008" { exit 1 }
		$9 != "pad=ok" { exit 1 }
		$8 != (NR < n ? "quanta=0,0,0,65535,0,0,0,0" : "quanta=0,0,0,0,0,0,0,0") { exit 1 }'||
		{ frames 1; wrong 'no valid PFC'; }
	is "$(frames 2 | wc -l)" 110 'data frames'
	frames 2 | awk '$1 != "roce" || $11 != "psn=" NR - 1 { exit 1 }'
}

# Half the time of full quanta: 1,677.696 us at 10 Gb/s, in the switch's own time.
refresh_rate() {
	local t n
	echo "roce dscp=3 len=60 n=110" | feed 1
	scenario 2 10Gbps "$EXACT"
	up --hold s1-h2
	soon .rx 110
	t=$(of .time_ps) n=$(port 1 '.pfc_tx[3]')
	sleep 1
	snapshot
	is "$(of "((.time_ps - $t) / 1677696000 - (.ports[0].pfc_tx[3] - $n)) | fabs <= 1")" true refresh
	down
}

hold_and_release() {
	local i
	held 100
	for ((i = 0; i < 5; i++)); do
		ry release s1-h2
		soon .held 0
		ry hold s1-h2
	done
	is "$(of .tx)" 100 sent
	down
}

# ---- ECN ----

ecn_pattern() { # MARK FRAMES
	echo "roce dscp=3 ecn=1 len=1024 n=101" | feed 1
	scenario 2 1Gbps "$AZURE, ecn: {3: {min: 50000B, max: 50000B, mark: $1}}"
	up --hold s1-h2
	soon .held 101
	ry release s1-h2
	soon .tx 101
	down
	frames 2 | awk -v mark="$1" '
		{ n++; length_seen = mark == "dequeue" ? (101 - n) * 1024 : n * 1024 }
		$7 != (length_seen > 50000 ? "ecn=3" : "ecn=1") { exit 1 }
		$12 != "ip=ok" || $13 != "icrc=ok" { exit 1 }
		END { exit n != 101 }'
	is "$(port 2 '.queues[3].ecn_marked')" "$2" marked
}

ecn_live() {
	echo "roce dscp=3 ecn=2 len=1024 n=50" | feed 1
	scenario 2 1Gbps "$AZURE, ecn: {3: {min: 1MB, max: 1MB}}"
	up --hold s1-h2
	soon .held 50
	ry set switch.ecn.3.min=10240B switch.ecn.3.max=10240B
	ry release s1-h2
	soon .tx 50
	is "$(port 2 '.queues[3].ecn_marked')" 39 marked # 49 down to 11 behind them
	down
}

# ---- received PFC ----

pfc_counters() { # QUANTA
	local p
	for ((p = 0; p < 8; p++)); do echo "pfc vector=$((1 << p)) quanta=$1 n=10"; done | feed 2
	scenario 2 1Gbps "$AZURE"
	up
	soon '.ports[1].pfc_rx | tostring' '[10,10,10,10,10,10,10,10]'
	is "$(port 2 '.pfc_rx_honoured | tostring')" '[0,0,0,10,10,0,0,0]' honoured
	is "$(port 2 '[.rx_packets, .rx_bytes, .dropped] | tostring')" '[0,0,0]' data
	is "$(of .rx)" 0 rx
	down
	is "$(frames 1 | wc -l)" 0 forwarded
}

counters_time() { pfc_counters 65535; }
counters_zero() { pfc_counters 0; }

many_pfc() {
	echo "pfc vector=0xff quanta=65535 n=5000" | feed 2
	scenario 2 10Gbps "$AZURE"
	up
	soon '.ports[1].pfc_rx | add' 40000
	is "$(of '[.rx, .dropped, .lost] | tostring')" '[0,0,0]' 'data, drops'
	down
}

# What is no pause for class 3 lets 50 frames through that come at the same time.
not_paused() { # SPEC FILTER VALUE
	echo "$1" | feed 2
	echo "roce dscp=3 len=100 n=50" | feed 1
	scenario 2 10Mbps "$AZURE" # full quanta are 3.4 s
	up
	soon .tx 50
	soon ".ports[1]$2" "$3"
	is "$(port 2 '[.pfc_rx_honoured[3], .paused_ps[3]] | tostring')" '[0,0]' honoured
	down
}

unset_vector() { not_paused 'pfc vector=0 quanta=65535 n=10' .pfc_zero_vector 10; }
high_byte() { not_paused 'pfc vector=0xff00 quanta=65535 n=10' .pfc_zero_vector 10; }
global_pause() { not_paused 'pfc opcode=1 vector=0xffff quanta=65535 n=10' .pause_rx 10; }
other_class() { not_paused 'pfc vector=0x10 quanta=65535 n=10' '.pfc_rx[4]' 10; }
lossy_class() { not_paused 'pfc vector=0xe7 quanta=65535 n=10' '.pfc_rx[0]' 10; }

# A pause that came with the first frame holds all of them, until it is over.
paused() { # SPEC
	echo "$1" | feed 2
	echo "roce dscp=3 len=100 n=50" | feed 1
	scenario 2 10Mbps "$AZURE" # full quanta are 3.4 s
	up
	soon .rx 50
	is "$(of .tx)" 0 'sent while paused'
	is "$(port 2 '.queues[3].paused')" true paused
	soon .tx 50
	is "$(port 2 '.paused_ps[3] >= 3355392000000')" true 'paused time'
	down
}

pauses() { paused 'pfc vector=0x08 quanta=65535'; }
zero_source() { paused 'pfc vector=0x18 quanta=65535 zero=1'; }

# ---- files as ports ----

no_input() {
	scenario 2 1Gbps "$AZURE"
	up
	sleep 0.3
	snapshot
	is "$(of .rx)" 0 rx
	down
}

end_of_file() {
	echo "roce n=3" | feed 1
	scenario 2 1Gbps "$AZURE"
	up
	soon .tx 3
	sleep 1
	ry hold s1-h2
	ry release s1-h2
	is "$(of .rx)" 3 rx
	down
}

without_end() {
	local before
	echo "roce dscp=3 len=500 n=10" | feed 1
	scenario 2 10Mbps "$AZURE"
	again 1
	up
	soon '.tx > 100' true
	ry hold s1-h2
	snapshot
	before=$(of .tx)
	soon '.held > 100' true
	is "$(of .tx)" "$before" 'sent while held'
	ry release s1-h2
	soon ".tx > $before + 100" true
	ry link s1-h2 down
	soon '.drops.link_down > 10' true
	ry link s1-h2 up
	down
}

# Files of one rate go in turns; one of twice the rate has two frames to the other's one.
order_over_ports() {
	local k
	for k in 1 2 3; do echo "roce src=$k dst=4 len=500 n=300" | feed $k; done
	scenario 4 10Mbps "$AZURE" ""
	up --set ports.s1-h3.rate=20Mbps --set ports.s1-h4.rate=1Gbps
	soon '.ports[3].tx_packets' 900
	down
	frames 4 | awk '
		{ split($9, w, "="); n[w[2]]++; split($11, p, "="); if (p[2] != n[w[2]] - 1) exit 1 }
		n[3] < 300 { off = n[1] - n[2]; twice = n[3] - 2 * n[1] }
		off > 1 || off < -1 || twice > 2 || twice < -2 { exit 1 }' || wrong "not in turns"
}

many_frames() {
	echo "roce len=100 n=200000" | feed 1
	scenario 2 100Gbps "$AZURE"
	up
	soon .tx 200000
	is "$(of .dropped)" 0 drops
	down
	is "$(frames 2 | awk '$11 == "psn=" NR - 1' | wc -l)" 200000 'in order'
}

# Longer than the port's mtu, shorter than a header, of no known type: each has a name, none hurts.
odd_frames() {
	{
		echo "roce len=1514"
		echo "roce len=1515 n=2"
		echo "roce len=9000 n=3"
		echo "raw bytes=020000000002 n=4"
		echo "raw bytes=02000000000202000000000188b5 n=5"
		echo "roce len=100"
	} | feed 1
	scenario 2 1Gbps "$AZURE"
	up
	soon .drops.mtu_exceeded 2
	soon .tx 7 # 1,514 B, five of an unknown type, the last
	snapshot
	is "$(of '.rx + .lost')" 16 'all frames'
	is "$(of '.rx + .generated + .copied == .tx + .consumed + .dropped + .held')" true closed
	ry down
}

refused() { # WORDS
	local status=0
	ry up "$work/files.yaml" --no-huge >"$work/up" 2>&1 || status=$?
	cat "$work/up"
	is "$status" 3 status
	grep -F -- "$1" "$work/up" || wrong "it does not say: $1"
}

no_such_file() {
	echo "roce" | feed 1
	scenario 2 1Gbps "$AZURE"
	rm "$work/in1.pcap"
	refused s1-h1
	echo "this is no capture" >"$work/in1.pcap"
	refused s1-h1
}

# A capture that ends in the middle of a frame: what is whole comes in.
cut_file() {
	echo "roce len=100 n=10" | feed 1
	truncate -s 1000 "$work/in1.pcap" # 24 + 116 each: 8 whole
	scenario 2 1Gbps "$AZURE"
	up
	soon .tx 8
	snapshot
	is "$(of '[.rx, .losses.rx_errors] | tostring')" '[8,1]' 'frames, errors'
	ry down
}

as_nobody() { # PATTERN
	setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs \
		env -u XDG_RUNTIME_DIR -u RAILYARD_SOCKET ONLY="$1" bash "$0"
}

try "A2.6 DSCP to queue, bridged" dscp_bridged
try "A2.6 DSCP to PG" dscp_to_pg
try "A2.6 DSCP to queue, routed: TTL, MACs, checksum" dscp_routed
try "A2.6 a map that changes live" map_changes_live
try "A1.1 xoff at the 100th frame" xoff_point
try "A1.1 the first drop at the 121st" drop_point
try "A2.1 the lossy drop point" lossy_drop_point
try "A3.7 PFC frames in the capture" pfc_frames
try "A24 refresh at half of the quanta" refresh_rate
try "A.0 hold and release again" hold_and_release
try "A4.1 the dequeue pattern" ecn_pattern dequeue 52
try "A4.1 the enqueue pattern" ecn_pattern enqueue 53
try "A4.1 thresholds that change live" ecn_live
try "A3.9 counters, full quanta" counters_time
try "A3.9 counters, time zero" counters_zero
try "A3.9 5,000 PFC frames are no data" many_pfc
try "A3.4 an unset class vector" unset_vector
try "A3.4 bits of the high byte" high_byte
try "A3.3 global pause" global_pause
try "A3.2 a pause of another class" other_class
try "A3.2 a pause of lossy classes" lossy_class
try "A3.1 a pause" pauses
try "A3.6 a pause from a zero source" zero_source
try "a port without input" no_input
try "the end of a file" end_of_file
try "a file without end" without_end
try "order over several files" order_over_ports
try "200,000 frames" many_frames
try "odd frames" odd_frames
try "files that are none" no_such_file
try "a file that is cut" cut_file
if [ "$EUID" -eq 0 ] &&
	setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$build/railyardd"; then
	try "some of it as an ordinary user" as_nobody '^A1|^A3.7|dequeue|order'
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
