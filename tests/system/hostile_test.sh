#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Unlucky users: a daemon that hangs, a start that is cancelled, closed files, full disks, network
# devices that go away under a port.
. "$(dirname "$0")/lib.sh"
isolate "$@"

two_ports() { # FILE DEVICE DEVICE
	cat >"$work/$1" <<-END
		railyard: 1
		name: hostile
		topology: {kind: star, hosts: 2, link: {rate: 1Gbps, delay: 1us}}
		switch: {pipeline: lossless, preset: nvidia, buffer: {size: 256KiB}}
		ports: {s1-h1: {dev: "$2", mtu: 1500}, s1-h2: {dev: "$3", mtu: 1500}}
		real: {poll: adaptive, memory: 64MiB}
	END
	fabric=$work/$1
}
up() {
	local status=0
	ry up "$fabric" --no-huge >"$work/up" 2>&1 || status=$?
	cat "$work/up"
	return "$status"
}
pid() { cat "$work/ry.pid"; }

exits() { # STATUS WORDS COMMAND...
	local want=$1 words=$2 status=0
	shift 2
	"$@" >"$work/out" 2>&1 || status=$?
	cat "$work/out"
	[ "$status" -eq "$want" ] || fail "exit $status, not $want: $*"
	[ -z "$words" ] || grep -F -- "$words" "$work/out" >/dev/null ||
		fail "it does not say: $words"
}

nothing_runs() {
	local i
	for ((i = 0; i < 100; i++)); do
		pgrep -x railyardd >/dev/null || break
		sleep 0.1
	done
	exits 1 'not running' ry status
	[ -z "$(pgrep -x railyardd)" ] || fail "railyardd runs"
	[ ! -e "$work/ry.pid" ] || fail "its files are there"
}

hangs() {
	up
	kill -STOP "$(pid)"
	exits 3 'no answer' ry show ports
	exits 0 stopped ry down --force
	nothing_runs
}

# A terminal's ^C goes to the whole group; what then comes up would be nobody's. Background jobs of
# a script ignore it unless told otherwise.
cancelled() {
	local group i
	setsid env --default-signal=INT "$build/railyard" --socket "$socket" up "$fabric" \
		--no-huge >"$work/up" 2>&1 &
	group=$!
	for ((i = 0; i < 500; i++)); do
		[ ! -e "$work/ry.pid" ] || break
		sleep 0.01
	done
	[ ! -e "$socket" ] || { note "it was too fast"; kill "$(pid)"; wait; return 77; }
	kill -INT -- "-$group"
	wait "$group" && fail "up did not end"
	nothing_runs
}

closed_files() {
	exits 3 '' closed_up
	exits 2 'already running' up
	exits 3 'standard output' show_closed
	exits 0 stopped ry down
	nothing_runs
}
# shellcheck disable=SC2217 # closed, not redirected
closed_up() { "$build/railyard" --socket "$socket" up "$fabric" --no-huge <&- >&- 2>&-; }
show_closed() { ry list drops >&-; }

full_disk() {
	exits 3 'standard output' to_full list drops
	exits 3 'standard output' to_full check "$fabric"
}
to_full() { ry "$@" >/dev/full; }

state_of() { ry status | awk -v port="$1" '$1 == port && NF > 6 {print $2, $3}'; }
is() { # PORT STATE: soon
	local i
	for ((i = 0; i < 50; i++)); do
		[[ $(state_of "$1") != "$2"* ]] || return 0
		sleep 0.1
	done
	fail "$1 is $(state_of "$1"), not $2"
}

said() { # WORDS: soon, in the log
	local i
	for ((i = 0; i < 50; i++)); do
		! grep -F -- "$1" "$work/ry.log" >/dev/null || return 0
		sleep 0.1
	done
	fail "the log does not say: $1"
}

# Frames that find the kernel's ring full, since nobody polls, are lost by name, and make the run
# not valid.
ring_full() {
	local i
	ip link add v1 type veth peer name w1
	ip link set v1 up
	ip address add 10.0.0.1/16 dev w1
	ip link set w1 up
	ip neighbour add 10.0.0.2 lladdr 02:00:00:00:00:02 dev w1
	two_ports ring.yaml net_af_packet0,iface=v1 net_null0,no-rx=1
	up
	is s1-h1 up
	kill -STOP "$(pid)"
	for ((i = 0; i < 2000; i++)); do echo >/dev/udp/10.0.0.2/4791; done
	kill -CONT "$(pid)"
	exits 0 rx_ring_full ry show drops
	exits 0 'lost before the switch took them' ry show drops
	[ "$(ry show drops --json | jq '.switches[0] | .losses.rx_ring_full == .lost and .lost > 0')" = true ]
	[ "$(ry show drops --json | jq '.switches[0] | .rx + .lost >= 2000')" = true ]
	identity
	exits 4 'lost before the switch' ry status
	exits 0 stopped ry down
	ip link delete v1
	nothing_runs
}

workers_restart() {
	local i before
	two_ports loud.yaml net_null0,size=500 net_null1,size=500
	up
	for ((i = 0; i < 5; i++)); do
		before=$(count .rx)
		exits 0 restarted ry restart workers
		sleep 0.1
		(($(count .rx) > before)) || fail "no frame came"
		identity
	done
	exits 2 'workers' ry restart everything
	exits 0 stopped ry down
	nothing_runs
}

devices_go() {
	ip link add v1 type veth peer name w1
	ip link add v2 type veth peer name w2
	for device in v1 w1 v2 w2; do ip link set "$device" up; done
	two_ports netdevs.yaml net_af_packet0,iface=v1 net_af_packet1,iface=v2
	up
	is s1-h1 up
	ip link set w1 down
	is s1-h1 'no carrier'
	ip link set w1 up
	is s1-h1 up
	ip link delete v2
	is s1-h2 'no carrier'
	is s1-h1 up
	identity
	# Made again: not taken while its MTU is too small, then it is, without a word from anybody.
	ip link add v2 mtu 1200 type veth peer name w2 mtu 1200
	ip link set v2 up
	ip link set w2 up
	said "s1-h2: its network device was made again, and is not taken yet: "
	is s1-h2 'no carrier'
	ip link set v2 mtu 1500
	said "s1-h2: its network device was made again, and is taken again"
	is s1-h2 up
	exits 0 '' ry link s1-h2 down
	is s1-h2 down
	exits 0 '' ry link s1-h2 up
	is s1-h2 up
	identity
	exits 0 stopped ry down
	ip link delete v1
	ip link delete v2
	nothing_runs
}

two_ports null.yaml net_null0,no-rx=1 net_null1,no-rx=1
try "a daemon that hangs" hangs
try "a start that is cancelled" cancelled
try "standard files closed" closed_files
try "a full disk" full_disk
try "network devices go" devices_go
try "a ring that nobody reads" ring_full
try "workers that start again" workers_restart
fabric=''
try "nothing is left" nothing_left
finish
