#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck source-path=SCRIPTDIR/../tests/system
# `make demo`: two RoCEv2 hosts talk through railyardd, and what the switch does to them is shown as
# it happens.
#
# The hosts are QEMU guests with the kernel's own rdma_rxe and Debian's unmodified perftest; the
# switch is scenarios/01-first-light.yaml, whose port towards h2 is far slower than h1. Exit status:
# 0 when perftest ended well on both sides, frames were marked, h1 was paused, nothing lossless was
# lost, and the accounting closed in every snapshot; 1 when not; 3 when this machine cannot.
#
# Without root or railyardd it shows what needs neither.
. "$(dirname "$0")/../tests/system/roce.sh"

scenario=$top/scenarios/01-first-light.yaml
seconds=${DEMO_SECONDS:-25}         # of traffic
client=ok server=ok closed=ok       # '' when not
bad=0

step() { printf '\n== [%3d s] %s\n' "$SECONDS" "$*"; }

# ---- without root or railyardd: everything that needs no device ----

without_guests() {
	if [ "$EUID" -ne 0 ]; then
		step "this is not root"
		cat <<-END
			Two hosts need taps and a network namespace, and only root can make them: no guest
			is booted here, and railyardd has no port to run on. \`sudo make demo\` shows all
			of it. What follows needs no root.
		END
	else
		step "there is no railyardd"
		cat <<-END
			It needs DPDK and libmicrohttpd (libdpdk-dev and libmicrohttpd-dev on Debian):
			without it no guest is booted here. What follows needs neither.
		END
	fi
	step "railyard check: the scenario that the demo would run"
	"$build/railyard" check --strict "$scenario" || exit 1
	step "what it comes to, with every default (parts)"
	"$build/railyard" check --effective "$scenario" | grep -nE 'buffer|ecn|pfc|alpha|min:|max:' |
		head -n 20 || true
	without_guests_tests
}

# What scripts/demo-build.sh could build of these.
without_guests_tests() {
	local status=0
	step "the switch model, stage by stage"
	if compgen -G "$build/tests/unit/dataplane_model_*_test" >/dev/null; then
		"$top/tests/run" -b "$build" -k dataplane_model unit || status=1
	else
		echo "not built: the unit tests need CUnit (libcunit1-dev on Debian)"
	fi
	if [ -x "$build/tests/lockstep/lockstep" ]; then
		step "the same arrivals in virtual and in real time: the same answer"
		RAILYARD_LOCKSTEP_FRAMES=100000 "$top/tests/run" -b "$build" lockstep || status=1
	fi
	return "$status"
}

# ---- with root ----

boot_with_dots() {
	local pid
	while :; do sleep 1; printf .; done &
	pid=$!
	pair_boot 1500
	kill "$pid"
	wait "$pid" 2>/dev/null || true
	printf ' ready\n'
}

heading() {
	printf '%5s %10s %9s %14s %13s %7s  %-18s %s\n' \
		time "to h2" queue "ECN marked" "xoff (h1)" paused dropped \
		"rx + generated + copied = tx + consumed + dropped + held"
}

# shellcheck disable=SC2016 # the dollars are jq's
# One line from two snapshots: what changed, the totals in parentheses, and the identity in full.
table='
def port($n): .switches[0].ports[] | select(.name == $n);
def si($n): if $n >= 1000 then "\($n / 1000 | floor) KB" else "\($n) B" end;
def pad($n): tostring | (" " * ([0, $n - length] | max)) + .;
def fill($n): tostring | . + (" " * ([0, $n - length] | max));
.[0] as $a | .[1] as $b |
(($b.switches[0].time_ps - $a.switches[0].time_ps) / 1e12) as $s |
(($b | port("s1-h2").tx_bytes) - ($a | port("s1-h2").tx_bytes)) as $bytes |
($b | port("s1-h2").queues[3]) as $q | ($a | port("s1-h2").queues[3]) as $q0 |
($b | port("s1-h1")) as $h1 | ($a | port("s1-h1")) as $h0 | $b.switches[0] as $w |
[($t + " s" | pad(5)),
 (($bytes * 8 / $s / 1e5 | round / 10 | tostring) + " Mb/s" | pad(11)),
 (si($q.bytes) | pad(8)),
 ("+\($q.ecn_marked - $q0.ecn_marked) (\($q.ecn_marked))" | pad(14)),
 ("+\($h1.xoff_episodes[3] - $h0.xoff_episodes[3]) (\($h1.xoff_episodes[3]))" | pad(13)),
 (((($h1.edge.paused_ps - $h0.edge.paused_ps) / 1e10 / $s | round | tostring) + " %") | pad(7)),
 " " + ([$w.drops | to_entries[] | select(.value > 0) | "\(.key) \(.value)"] | join(", ")
	| if . == "" then "nothing" else . end | fill(18)),
 "\($w.rx) + \($w.generated) + \($w.copied) = \($w.tx) + \($w.consumed) + \($w.dropped) + \($w.held)",
 (if $w.rx + $w.generated + $w.copied == $w.tx + $w.consumed + $w.dropped + $w.held
  then "closed" else "OPEN" end)] | join(" ")'

# Prints a line a second until the client has ended.
watch_traffic() {
	local begin=$SECONDS open=0 line lines=0
	snapshot "$work/now"
	until guest_do h1 '[ -e /tmp/client.status ]' 2>/dev/null; do
		mv "$work/now" "$work/before"
		sleep 1
		snapshot "$work/now"
		((lines++ % 15)) || heading
		line=$(jq -rs --arg t $((SECONDS - begin)) "$table" "$work/before" "$work/now")
		printf '%s\n' "$line"
		[[ $line == *closed ]] || open=$((open + 1))
		((SECONDS - begin < 120)) || return 1
	done
	return "$open"
}

perftest() {
	local gid command
	gid=$(gid_of h1 4)
	command="ib_write_bw -d rxe0 -x $gid -F -u 18 --tclass 106 -s 65536 -D $seconds"
	note "h2\$ $command"
	note "h1\$ $command 10.0.0.2"
	note "     --tclass 106 is DSCP 26 (priority 3, lossless here) with ECT(0)"
	guest_bg h2 server "$command"
	guest_do h2 "$wait_listening" || fail "the server did not start"
	guest_bg h1 client "$command 10.0.0.2"
	watch_traffic || closed=''
	guest_join h1 client 10 >"$work/client" || client=''
	guest_join h2 server 20 >"$work/server" || server=''
	grep -A 1 '#bytes' "$work/client" || cat "$work/client"
}

judge() { # TEXT CONDITION...
	local text=$1
	shift
	if "$@"; then
		printf '  yes  %s\n' "$text"
	else
		printf '  NO   %s\n' "$text"
		bad=1
	fi
}

verdict() {
	local marks xoff pause lost rate
	local h1='(.ports[] | select(.name == "s1-h1"))' h2='(.ports[] | select(.name == "s1-h2"))'
	marks=$(count "$h2.queues[3].ecn_marked") xoff=$(count "$h1.xoff_episodes[3]")
	pause=$(count "$h1.edge.paused_ps") lost=$(count .dropped_lossless)
	rate=$(bandwidth <"$work/client")
	identity || closed=''
	judge "perftest's client exited 0" [ -n "$client" ]
	judge "perftest's server exited 0" [ -n "$server" ]
	judge "$rate Mb/s through a port of 20 Mb/s" [ "$rate" -gt 0 -a "$rate" -le 20 ]
	judge "ECN acted: $marks frames marked" [ "$marks" -gt 0 ]
	judge "PFC acted: xoff $xoff times, h1 paused for $((pause / 1000000000)) ms" \
		[ "$xoff" -gt 0 -a "$pause" -gt 0 ]
	judge "lossless: $lost frames of priority 3 lost" [ "$lost" = 0 ]
	judge "the accounting closed in every snapshot" [ -n "$closed" ]
}

main() {
	step "guests: Debian's kernel, rdma_rxe, perftest"
	guests_possible
	step "railyard up ${scenario#"$top/"}"
	fabric_up "$scenario" 2
	grep -v '^headroom' "$work/railyardd.log"
	step "booting two hosts"
	boot_with_dots
	ping_peer 10.0.0.2 | tail -n 1
	step "perftest, and what the switch does"
	perftest
	step "verdict"
	verdict
	pair_off
	fabric_down
	judge "everything was given back" nothing_left
	printf '\n%s, %d s\n' "$( ((bad)) && echo FAILED || echo passed)" "$SECONDS"
	exit "$bad"
}

[ -x "$build/railyard" ] || { echo "demo: $build/railyard is not there: run make demo" >&2; exit 3; }
if [ "$EUID" -ne 0 ] || [ ! -x "$build/railyardd" ]; then
	without_guests
	exit
fi
isolate "$@"
main
