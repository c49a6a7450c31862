#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Soak: railyardd at full load for RAILYARD_SOAK_S seconds (60), with every mechanism at work, while its
# workers are restarted, its ports and its cable flap, its settings and tables change, and it is
# stopped and started. The accounting closes at every sample; packet buffers in devices, memory,
# descriptors and threads stay as they were.
#
# No root, no hugepages: the hosts are files (net_pcap). What it saw is printed at the end.
set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${RAILYARD_BUILD:-$top/build}" && pwd)
seconds=${RAILYARD_SOAK_S:-60}
lives=$((seconds < 45 ? 1 : 3)) # of the daemon
settle=4 # seconds after which memory counts
work=$(mktemp -d)
socket=$work/soak.sock
passed=0 failed=0

[[ -x $build/railyardd ]] || { echo "railyardd is not built"; exit 77; }

ry() { timeout 60 "$build/railyard" --socket "$socket" "$@"; }

clean() {
	local status=$?
	trap - EXIT
	ry down --force >/dev/null 2>&1 || true
	rm -rf "$work"
	exit "$status"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

fail() {
	failed=$((failed + 1))
	echo "FAILED: $*"
}
good() { passed=$((passed + 1)); }
check() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@"; then good; else fail "$what"; fi
}

up() {
	local h sets=()
	for h in 1 2 4; do
		sets+=(--set "ports.s$((h > 2 ? 2 : 1))-h$h.dev=net_pcap$h,rx_pcap=$work/h$h.pcap,infinite_rx=1")
	done
	ry up "$top/tests/soak/soak.yaml" --no-huge "${sets[@]}" \
		--set "ports.s2-h3.dev=net_pcap3,rx_pcap=$work/h3.pcap" >"$work/up" 2>&1 ||
		{ cat "$work/up"; return 1; }
	pid=$(cat "$work/soak.pid")
}

# Status 4 says that departures were late, as they may be where the machine is shared.
status() {
	local rc=0
	ry status --json >"$work/status" || rc=$?
	((rc == 0 || rc == 4))
}

# ---- what is done to it ----

does() { ry "$@" >"$work/did" 2>&1 || { cat "$work/did"; fail "railyard $*"; }; }

round=0
act() {
	local n=$((round++))
	case $((n % 12)) in
	0) does hold s2-h3 && sleep 0.05 && does release s2-h3 ;;
	1) does link s1-h1 down && does link s1-h1 up ;;
	2) does set "switch.ecn.3.min=$((10 + n % 7 * 10))KB" "switch.ecn.3.mark=$( ((n % 24 < 12)) && echo enqueue || echo dequeue)" ;;
	3) restart ;;
	4) does link s1-s2 down && sleep 0.02 && does link s1-s2 up ;;
	5) does set "subnets=$( ((n % 24 < 12)) && echo '[{prefix: 10.1.0.0/24, ports: [s2-h4]}]' || echo '[]')" ;;
	6) does link s2-h4 down && sleep 0.05 && does link s2-h4 up ;; # a storm ends, another begins
	7) does set "ports.s2-h3.rate=$((1 + n % 3))Gbps" "switch.buffer.alpha=1/$((4 << n % 3))" ;;
	8) does set "switch.ecn.3.not_ect=$( ((n % 24 < 12)) && echo drop || echo forward)" ;;
	9) does set switch.pfc=off && does set 'switch.pfc={priorities: [3], watchdog: {detect: 100ms, restore: 100ms, poll: 100ms, action: '"$( ((n % 24 < 12)) && echo forward || echo drop)"'}}' ;;
	10) does clear ;;
	11) does set 'switch.scheduler.3=strict' && does set 'switch.scheduler.3={dwrr: 50}' ;;
	esac
}

# Nothing moves between the workers' end and their start: what is nowhere else is in the devices, and
# files hold a fixed number.
devices=''
restart() {
	local now
	ry restart workers --json >"$work/restart" || { fail "restart workers"; return; }
	now=$(jq -r .buffers.devices "$work/restart")
	[[ -n $devices ]] || devices=$now
	check "buffers in devices: $now, not $devices: $(jq -c .buffers "$work/restart")" \
		[ "$now" = "$devices" ]
}

# ---- what is seen of it ----

samples=0
sample() {
	status || { fail "status"; return; }
	samples=$((samples + 1))
	check "the accounting closes: $(jq -c '[.switches[] | {name, rx, generated, copied, tx, consumed, dropped, held}]' "$work/status")" \
		jq -e 'all(.switches[]; .rx + .generated + .copied == .tx + .consumed + .dropped + .held and .dropped == (.drops | add))' \
		"$work/status" >"$work/jq"
	printf '%s %s %s %s\n' $((SECONDS - born)) \
		"$(awk '/^VmRSS/ {print $2}' "/proc/$pid/status")" \
		"$(find "/proc/$pid/fd" | wc -l)" \
		"$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)" >>"$work/proc"
}

# The mechanisms of this life, added to those before: `clear` begins its own reader's counters again.
acted() {
	ry show drops --json --reader persistent >"$work/drops"
	ry show watchdog --json --reader persistent >"$work/watchdog"
	ry show pfc --json --reader persistent >"$work/pfc"
	ry show queues --json --reader persistent >"$work/queues"
	jq -n --slurpfile d "$work/drops" --slurpfile w "$work/watchdog" --slurpfile p "$work/pfc" \
		--slurpfile q "$work/queues" '{
		rx: [$d[0].switches[].rx] | add, tx: [$d[0].switches[].tx] | add,
		copied: [$d[0].switches[].copied] | add, consumed: [$d[0].switches[].consumed] | add,
		generated: [$d[0].switches[].generated] | add,
		marked: [$q[0].switches[].ports[].queues[].ecn_marked] | add,
		xoff: [$p[0].switches[].ports[].xoff_episodes[]] | add,
		honoured: [$p[0].switches[].ports[].pfc_rx_honoured[]] | add,
		storms: [$w[0].switches[].ports[] | (.watchdog // .queues)[].storm_detected] | add,
		holds: [$d[0].switches[].holds] | add, swaps: [$d[0].switches[].swaps] | add,
		drops: (reduce $d[0].switches[].drops as $x ({}; reduce ($x | to_entries[]) as $e (.; .[$e.key] += $e.value)))
	}' >>"$work/acted"
}

# Columns of proc: age, kB, descriptors, threads. Memory is flat when its median in the last quarter of
# a life is no more than 1 MiB above that of the second.
flat() {
	awk -v settle="$settle" '
		$1 >= settle { n++; kb[n] = $2; fd[n] = $3; threads[n] = $4 }
		function median(from, to, i, j, k, v, t) {
			k = 0
			for (i = from; i <= to; i++) v[++k] = kb[i]
			for (i = 2; i <= k; i++)
				for (j = i; j > 1 && v[j] < v[j - 1]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
			return v[int((k + 1) / 2)]
		}
		END {
			if (n < 4) { print "too few samples"; exit 1 }
			a = median(int(n / 4) + 1, int(n / 2)); b = median(int(3 * n / 4) + 1, n)
			printf "%d to %d kB, %d to %d descriptors, %d to %d threads\n", a, b, fd[1], fd[n], threads[1], threads[n]
			exit !(b <= a + 1024 && fd[n] == fd[1] && threads[n] == threads[1])
		}' "$work/proc"
}

# What down says of buffers that did not come back is its status.
down() { ry down >"$work/down" 2>&1 || { cat "$work/down"; return 1; }; }
# Its new parent may take a moment to see it.
ended() { [[ ! -e /proc/$pid ]] || grep '^State:[[:space:]]*Z' "/proc/$pid/status" >/dev/null; }

live() {
	local end=$((SECONDS + seconds / lives)) next=0
	born=$SECONDS devices=''
	: >"$work/proc"
	up || { fail "up"; return; }
	while ((SECONDS < end)); do
		act
		if ((SECONDS > next)); then
			next=$SECONDS
			sample
		fi
	done
	restart
	acted
	check "flat: $(flat || true)" flat >"$work/flat"
	cat "$work/flat"
	check "down" down
	check "it has ended" ended
}

"$build/tests/soak/soak_frames" "$work"
for ((i = 0; i < lives; i++)); do live; done

jq -s 'reduce .[] as $x ({}; reduce ($x | to_entries[]) as $e (.; if ($e.value | type) == "object"
	then .[$e.key] = (reduce ($e.value | to_entries[]) as $f (.[$e.key] // {}; .[$f.key] += $f.value))
	else .[$e.key] += $e.value end))' "$work/acted" >"$work/sum"
jq -c 'del(.drops), (.drops | with_entries(select(.value > 0)))' "$work/sum"
for name in rx tx copied consumed generated marked xoff honoured storms holds swaps \
	drops.headroom_full drops.queue_full drops.link_down drops.not_ect drops.no_route \
	drops.ttl_expired drops.runt drops.link_local drops.watchdog; do
	check "$name did not act" jq -e ".$name > 0" "$work/sum" >/dev/null
done
echo "$samples samples, $round acts"
echo "$passed passed, $failed failed"
((failed == 0))
