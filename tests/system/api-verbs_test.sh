#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every verb that talks to railyardd, on ports that need no machine (net_null, net_pcap) and ordinary
# pages: as whoever runs it, and once more as an ordinary user when that is root.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${RAILYARD_BUILD:-$top/build}
[ -x "$build/railyardd" ] || { echo "$build/railyardd is not built"; exit 77; }
work=$(mktemp -d /tmp/railyard-api-XXXXXX)
passed=0 failed=0 background=''

clean() {
	local status=$?
	trap - EXIT
	set +e
	[ -z "$background" ] || kill -KILL "$background" 2>/dev/null
	[ ! -e "$work/run/railyard/apitest.pid" ] || ry down --force >/dev/null 2>&1
	rm -rf "$work"
	exit "$status"
}
trap clean EXIT

# Sockets, pids, DPDK's own files: all in a directory of this test's.
export XDG_RUNTIME_DIR=$work/run
mkdir -p "$work/run/railyard"
chmod 755 "$work"
socket=$work/run/railyard/apitest.sock
export RAILYARD_SOCKET=$socket

ry() { timeout 60 "$build/railyard" "$@"; }
up() { ry up "$@" --no-huge; }
# On a loaded machine the run may be late, which is status 4: not what is tested here.
status() { ry status "$@" || [ $? -eq 4 ]; }
api() { curl -s --max-time 10 --unix-socket "$socket" "http://localhost$1" "${@:2}"; }

# try WHAT COMMAND...
try() {
	local what=$1 status=0
	shift
	# Not before `||`, where -e is ignored in all that is called.
	set +e
	(set -e; "$@") >"$work/case" 2>&1
	status=$?
	set -e
	if [ "$status" -eq 0 ]; then
		passed=$((passed + 1))
		printf 'ok %s\n' "$what"
	else
		failed=$((failed + 1))
		printf 'FAILED %s (exit %d)\n' "$what" "$status"
		sed 's/^/    /' "$work/case"
	fi
}

# exits STATUS COMMAND...: that status, and the output in $work/out.
exits() {
	local want=$1 status=0
	shift
	"$@" >"$work/out" 2>&1 || status=$?
	cat "$work/out"
	[ "$status" -eq "$want" ] || { echo "exit status $status, not $want: $*"; return 1; }
}
says() { grep -qF -- "$1" "$work/out" || { echo "it does not say: $1"; return 1; }; }

cat >"$work/two.yaml" <<END
railyard: 1
name: apitest
topology: {kind: star, hosts: 2, link: {rate: 1Gbps, delay: 1us}}
switch: {pipeline: lossless, preset: nvidia, buffer: {size: 512KiB}}
ports:
  s1-h1: {dev: "net_pcap0,rx_pcap=$top/tests/data/rxe-golden.pcap,tx_pcap=$work/out.pcap", mtu: 1500}
  s1-h2: {dev: "net_null0,no-rx=1", mtu: 1500}
real: {poll: adaptive, memory: 128MiB}
END

nothing_left() {
	local left
	left=$(find "$work/run" -mindepth 1 ! -path "$work/run/railyard" ! -path "$work/run/dpdk")
	[ -z "$left" ] || { echo "left behind: $left"; return 1; }
}

nothing_runs() {
	exits 1 ry status
	says "not running"
	exits 3 ry show ports
	says "railyard up FILE"
	exits 3 ry down
	exits 1 ry status --json
	[ "$(jq -r .state "$work/out")" = "not running" ]
}

broken_starts_nothing() {
	sed 's/hosts: 2/hosts: two/' "$work/two.yaml" >"$work/broken.yaml"
	exits 2 up "$work/broken.yaml"
	says "$work/broken.yaml:3:"
	exits 2 up "$work/none.yaml"
	exits 2 up "$work/two.yaml" --set switch.colour=red
	says switch.colour
	exits 2 up "$work/two.yaml" --nohuge
	says "did you mean --no-huge?"
	sed 's/net_null0/net_nothing0/' "$work/two.yaml" >"$work/device.yaml"
	exits 3 up "$work/device.yaml"
	exits 3 up "$work/two.yaml" --listen 192.0.2.200:99
	says --listen
	exits 1 ry status
	nothing_left
}

starts() {
	exits 0 up "$work/two.yaml"
	says "$socket"
	says "headroom of s1-h1: cable"
	says "closed"
	[ "$(stat -c %a "$socket")" = 600 ]
	exits 0 status
	says "s1-h2"
	exits 2 up "$work/two.yaml"
	says "already running"
}

# The 80 frames of the capture came in by one port.
counts() {
	local i
	for ((i = 0; i < 100; i++)); do
		[ "$(ry show ports --json | jq '.totals.rx')" = 80 ] && break
		sleep 0.1
	done
	ry show ports --json | jq -e '.switches[0].ports[0] | .rx_packets == 80 and .roce_rx == 80'
	exits 0 ry show drops
	says "same_port  dataplane/model/lookup.c"
	says "rx + generated + copied = tx + consumed + dropped + held"
	says "  closed"
	status --json | jq -e '.switches[0] | .closed and .dropped == (.drops | add)'
}

shows() {
	local what
	for what in ports queues pg pfc watchdog ecn drops tables hash "pfc counters" "queue counters" \
		"queue watermark" "queue persistent-watermark" "queue wredcounters" buffer_pool \
		"buffer_pool watermark" "buffer_pool persistent-watermark" \
		"priority-group watermark" "priority-group persistent-watermark" \
		"priority-group drop" "pfcwd stats"; do
		# shellcheck disable=SC2086 # two words
		exits 0 ry show $what --json
		jq -e '.switches | length == 1' "$work/out"
		# shellcheck disable=SC2086
		exits 0 ry show $what --all
		[ -s "$work/out" ]
	done
	for what in flows cc; do
		exits 2 ry show "$what"
		says "not in this version"
	done
	exits 2 ry show prots
	says "did you mean ports?"
	exits 0 ry show ports --watch=0.1 --count 3
	[ "$(grep -c '^s1-h1 ' "$work/out")" = 3 ]
	! grep -q $'\033' "$work/out"
}

# A change that is taken acts; one that is refused leaves everything as it was.
sets() {
	exits 0 ry set switches.s1.ecn.3.min=20KB switches.s1.ecn.3.max=90KB ports.s1-h2.rate=10Mbps
	ry show ecn --json | jq -e '.switches[0].ecn[0] | .min_bytes == 20000 and .max_bytes == 90000'
	status --json | jq -e '.switches[0].ports[1].rate_bps == 10000000'
	exits 0 ry set 'switches.s1.pfc.watchdog={detect: 400ms}'
	ry show watchdog --json | jq -e '.switches[0].watchdog | .on and .detect_ps == 400000000000'
	exits 0 ry show watchdog
	grep '^s1-h1 .* 3 *lossless *operational' "$work/out"
	exits 2 ry set switches.s1.pfc.watchdog.detect=40ms
	says "found '40ms', expected 100ms to 5s"
	exits 0 ry set switches.s1.pfc=off
	ry show effective | grep 'rate: 10Mbps' >/dev/null
}

# Buffer and RED, under way; what is set is what is shown.
sets_buffer() {
	exits 0 ry set 'switches.s1.pfc={priorities: [3]}' \
		switches.s1.buffer.headroom_pool=100KB switches.s1.buffer.cell=256B \
		'switches.s1.ecn.0={mark: off, drop: {min: 100KB, max: 200KB, probability: 5%}}'
	ry show pg --json | jq -e '.switches[0] | .headroom_pooled and .headroom_size_bytes == 100096'
	ry show ecn --json | jq -e '.switches[0].ecn[0] | .priority == 0 and .mark == "off" and
		.drop == {"min_bytes": 100000, "max_bytes": 200000, "probability": 0.05}'
	exits 0 ry show ecn
	tr -s " " <"$work/out" | grep -F "100 KB 200 KB 5 %"
	exits 0 ry show buffer_pool
	says "headroom pool"
	exits 0 ry set switches.s1.buffer.headroom_pool=off switches.s1.buffer.cell=1B \
		switches.s1.ecn.0=off switches.s1.buffer.size=400KiB
	exits 0 ry set switches.s1.buffer.size=512KiB
	ry show pg --json | jq -e '.switches[0] | .headroom_pooled == false'
}

refuses_set() { # ASSIGNMENT...
	ry show effective >"$work/before"
	status --json | jq -S 'del(.time_ps, .switches[].time_ps, .switches[].worker)' >"$work/b.json"
	exits 2 ry set "$@"
	ry show effective | diff "$work/before" -
	status --json | jq -S 'del(.time_ps, .switches[].time_ps, .switches[].worker)' |
		diff "$work/b.json" -
}

clears() {
	exits 0 ry clear
	ry show ports --json | jq -e '.totals | .rx == 0 and .dropped == 0 and .closed'
	api /metrics | grep '^railyard_rx_total{switch="s1"} 80$' >/dev/null
	exits 0 ry clear watermarks
	exits 2 ry clear everything
}

# What one reader clears, another still has.
readers() {
	local rx='.totals.rx'
	[ "$(ry show ports --reader other --json | jq "$rx")" = 80 ]
	[ "$(ry show drops --reader other --clear --json | jq "$rx")" = 80 ] # read and cleared
	[ "$(ry show ports --reader other --json | jq "$rx")" = 0 ]
	[ "$(ry show ports --reader third --json | jq "$rx")" = 80 ]
	exits 0 ry clear counters --reader third
	[ "$(ry show ports --reader third --json | jq "$rx")" = 0 ]
	[ "$(api '/v1/ports?reader=persistent' | jq "$rx")" = 80 ]
	exits 0 ry show priority-group watermark --clear
	exits 0 ry clear watermarks --reader persistent
	exits 2 ry show ports --reader 'No Name'
	says "a small letter"
	exits 2 ry clear --reader 1st
	exits 2 ry show tables --clear
	says "counters or watermarks"
	exits 2 ry show queue persistent-watermark --reader other
}

holds() {
	exits 0 ry hold s1-h2
	ry show ports | grep '^s1-h2  *held' >/dev/null
	exits 0 ry release h2-s1
	ry show ports | grep '^s1-h2  *up' >/dev/null
	exits 2 ry hold s1-h7
	says "show ports"
	exits 0 ry link s1-h2 down
	ry show ports | grep '^s1-h2  *down' >/dev/null
	exits 0 ry link s1-h2 up
	exits 2 ry link s1-h2 sideways
}

speaks_http() {
	[ "$(api /v1/nothing -o /dev/null -w '%{http_code}')" = 404 ]
	[ "$(api /v1/config -X PATCH -d '{"seed":' -o /dev/null -w '%{http_code}')" = 400 ]
	api /v1/hold -d '{"port": 7}' | jq -e '.error | .path == "port" and .found == "7"'
	(timeout 1 curl -sN --unix-socket "$socket" 'http://localhost/v1/stream?interval_ms=100' ||
		true) >"$work/stream"
	[ "$(grep -c '^data: ' "$work/stream")" -ge 3 ]
	sed -n 's/^data: //p;q' "$work/stream" | jq -e '.switches[0].closed'
}

stops() {
	exits 0 ry down
	says stopped
	nothing_left
	exits 1 ry status
}

survives_kill() {
	exits 0 up "$work/two.yaml"
	kill -KILL "$(cat "$work/run/railyard/apitest.pid")"
	sleep 0.2
	exits 1 ry status
	says stale
	exits 3 ry show ports
	exits 0 up "$work/two.yaml"
	says replaced
	kill -KILL "$(cat "$work/run/railyard/apitest.pid")"
	sleep 0.2
	exits 0 ry down
	says "cleared up"
	nothing_left
}

reads_stdin() {
	exits 0 up - <"$work/two.yaml"
	says "<stdin>"
	exits 0 ry set switch.latency=2us
	exits 0 ry down
}

# Whoever talks over TCP shows the token.
wants_token() {
	local token port=$((20000 + RANDOM % 20000))
	exits 0 up "$work/two.yaml" --listen "127.0.0.1:$port"
	[ "$(stat -c %a "$work/run/railyard/apitest.token")" = 600 ]
	token=$(cat "$work/run/railyard/apitest.token")
	[ "$(curl -s "http://127.0.0.1:$port/v1/hash" -o /dev/null -w '%{http_code}')" = 401 ]
	curl -s -H "Authorization: Bearer $token" "http://127.0.0.1:$port/v1/hash" |
		jq -e '.switches[0].name == "s1"'
	exits 0 ry down
	nothing_left
}

# A peer that pauses priority 3 for ever: seen, restored by hand, seen again.
storms() {
	local state='.switches[0].ports[0].watchdog[3].state'
	{
		printf '\xd4\xc3\xb2\xa1\x02\0\x04\0\0\0\0\0\0\0\0\0\xff\xff\0\0\x01\0\0\0'
		printf '\0\0\0\0\0\0\0\0\x3c\0\0\0\x3c\0\0\0'
		printf '\x01\x80\xc2\0\0\x01\x02\0\0\0\0\x09\x88\x08\x01\x01\0\x08\0\0\0\0\0\0\xff\xff'
		head -c 34 /dev/zero
	} >"$work/storm.pcap"
	sed "s#rx_pcap=[^,]*,#rx_pcap=$work/storm.pcap,infinite_rx=1,#" "$work/two.yaml" >"$work/storm.yaml"
	exits 0 up "$work/storm.yaml" --set 'switch.pfc.watchdog={idle_counts: on, action: forward}'
	becomes stormed "$state"
	exits 0 ry set switch.pfc.watchdog=off
	becomes off "$state"
	exits 0 ry set 'switch.pfc.watchdog={idle_counts: on, detect: 100ms}'
	becomes stormed "$state"
	ry show watchdog --json | jq -e '.switches[0].ports[0].watchdog[3] |
		.storm_detected == 2 and .storm_restored == 1 and
		.detect_took_ps > 100000000000 and .detect_took_ps <= 200000000000'
	api /metrics | grep '^railyard_watchdog_stormed{switch="s1",port="s1-h1",queue="3"} 1$'
	exits 0 ry down
	nothing_left
}

becomes() { # STATE JQ
	local i
	for ((i = 0; i < 100; i++)); do
		[ "$(ry show watchdog --json | jq -r "$2")" = "$1" ] && return
		sleep 0.1
	done
	ry show watchdog
	return 1
}

foreground() {
	local i
	"$build/railyard" up "$work/two.yaml" --no-huge --foreground >"$work/fg" 2>&1 &
	background=$!
	for ((i = 0; i < 100; i++)); do
		[ -S "$socket" ] && break
		sleep 0.1
	done
	kill -TERM "$background"
	i=0
	wait "$background" || i=$?
	background=''
	cat "$work/fg"
	[ "$i" -eq 0 ]
	nothing_left
}

lists() {
	exits 0 ry list drops -v
	says dataplane/model/admit.c
	exits 0 ry list metrics --json
	jq -e 'map(.name) | index("railyard_drops_total")' "$work/out"
	exits 0 ry list presets
	says nvidia
	exits 0 ry list pipelines
	says lossless
	exits 0 ry list scenarios
	exits 2 ry list cc
	exits 2 ry sweep x.yaml
	says "not in this version"
	exits 2 ry statsu
	says "did you mean \`railyard status\`?"
	exits 0 ry --version
	exits 0 ry check "$work/two.yaml"
	exits 2 ry check "$work/broken.yaml"
}

manuals_are_new() {
	"$build/railyard" help --man | diff "$top/docs/railyard.1" - ||
		{ echo "build/railyard help --man >docs/railyard.1"; return 1; }
	"$build/railyardd" --man | diff "$top/docs/railyardd.8" - ||
		{ echo "build/railyardd --man >docs/railyardd.8"; return 1; }
}

as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs \
		env -u XDG_RUNTIME_DIR -u RAILYARD_SOCKET bash "$0"
}

try "nothing runs" nothing_runs
try "a broken file starts nothing" broken_starts_nothing
try "up, status, and no second up" starts
try "frames are counted and accounted for" counts
try "show" shows
try "set" sets
try "set: buffer and RED" sets_buffer
try "a refused set: no unit" refuses_set switches.s1.latency=5 switches.s1.pfc=off
try "a refused set: after a good one" refuses_set ports.s1-h2.rate=20Mbps switches.s1.buffer.alpha=x
try "a refused set: needs a restart" refuses_set ports.s1-h2.dev=net_null9
try "a refused set: no such port" refuses_set ports.s1-h9.rate=1Gbps
try "a refused set: no such key" refuses_set switches.s1.colour=red
try "a refused set: cannot work" refuses_set switches.s1.buffer.size=1KiB
try "clear" clears
try "readers" readers
try "hold, release, link" holds
try "HTTP" speaks_http
try "down leaves nothing" stops
try "kill -9, then up; kill -9, then down" survives_kill
try "a scenario from standard input" reads_stdin
try "TCP wants a token" wants_token
try "PFC storms" storms
try "the foreground" foreground
try "list, check, mistakes" lists
try "manual pages are up to date" manuals_are_new
if [ "$EUID" -eq 0 ] &&
	setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$build/railyardd"; then
	try "all of it as an ordinary user" as_nobody
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
