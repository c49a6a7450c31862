#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `railyard up` where the machine refuses: exit 3 (2 where it is the file's fault), one line on
# standard error with the place and the cure, nothing on standard output, nothing left behind. Then
# `railyard set`: what is refused changes nothing.
#
# As root in namespaces of its own, for taps and mounts; what only an ordinary user is refused, as one.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${RAILYARD_BUILD:-$top/build}" && pwd)
[ -x "$build/railyardd" ] || { echo "$build/railyardd is not built"; exit 77; }

root=no
if [ "$EUID" -eq 0 ] && [ -z "${RY_INSIDE-}" ] && [ -c /dev/net/tun ] &&
	unshare --net --mount --pid --fork true 2>/dev/null; then
	RY_INSIDE=1 exec unshare --net --mount --pid --fork --kill-child --mount-proc bash "$0"
fi
[ "$EUID" -ne 0 ] || [ -z "${RY_INSIDE-}" ] || root=yes

passed=0 failed=0
unset RAILYARD_SOCKET SSH_CONNECTION
work=$(mktemp -d /tmp/railyard-env-XXXXXX)
clean() {
	local status=$?
	ry down --force >/dev/null 2>&1 || true
	rm -rf "$work"
	exit "$status"
}
trap clean EXIT
chmod 755 "$work"
cd "$work"
mkdir run
export XDG_RUNTIME_DIR=$work/run

if [ "$root" = yes ]; then
	mount -t sysfs sysfs /sys
	mount -t tmpfs tmpfs /run # /run/railyard, /run/dpdk
	ip link set lo up
	for tap in tap1 tap2; do
		ip tuntap add $tap mode tap
		ip link set $tap mtu 2000 up
	done
fi

ry() { timeout 30 "$build/railyard" "$@"; }
up() { ry up --no-huge "$@"; }

count() { # OK WHAT
	if [ "$1" = yes ]; then
		passed=$((passed + 1))
		echo "ok $2"
	else
		failed=$((failed + 1))
		echo "FAILED $2"
	fi
}

scenario() { # FILE DEVICE DEVICE
	cat >"$1" <<-END
		railyard: 1
		name: envtest
		topology: {kind: star, hosts: 2, link: {rate: 1Gbps, delay: 1us}}
		switch: {pipeline: lossless, preset: nvidia, buffer: {size: 256KiB}}
		ports:
		  s1-h1: {dev: "$2", mtu: 1500}
		  s1-h2: {dev: "$3", mtu: 1500}
		real: {poll: adaptive, memory: 64MiB}
	END
}

# All that a start could leave: processes, files, sockets, network devices and what was set on them.
state() {
	pgrep -xa -u "$EUID" railyardd || true
	find "$work/run" /run/railyard /run/dpdk -mindepth 0 2>/dev/null | sort || true
	[ "$root" = no ] || ip -d -o link | grep -oE '^[0-9]+: [^:]*|<.*>|promiscuity [0-9]+'
	grep -h railyard /proc/net/unix || true
}

# refused WHAT STATUS PLACE TEXT COMMAND...: the line begins with the place and has the text.
# The kernel tells link states a moment later: what is as before within two seconds was not left.
settles_to() {
	local i
	for ((i = 0; i < 20; i++)); do
		[ "$(state)" != "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

refused() {
	local what=$1 want=$2 place=$3 text=$4 status=0 before line
	shift 4
	before=$(state)
	"$@" >out 2>err </dev/null || status=$?
	line=$(<err)
	if [ "$status" -eq "$want" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
		[[ ${line#railyard*: } == "$place"* && $line == *"$text"* ]] &&
		settles_to "$before"; then
		count yes "$what"
		return
	fi
	count no "$what"
	echo "    want exit $want, have $status; want '$place...$text...'"
	sed 's/^/    stderr: /' err
	sed 's/^/    stdout: /' out
	diff <(echo "$before") <(state) | sed 's/^/    left: /' || true
}

# ---- as anybody ----

devices() {
	local f=port.yaml right=iface=
	[ "$root" = yes ] || right=CAP_NET_RAW
	scenario $f net_null0 net_nothing0
	refused 'no such driver' 3 "$f:7:3: ports.s1-h2: " 'a device that DPDK can drive' up $f
	scenario $f ffff:1f:1f.7 net_null0
	refused 'no such PCI device' 3 "$f:6:3: ports.s1-h1: " dpdk-devbind.py up $f
	scenario $f net_null0 "net_pcap0,rx_pcap=$work/none.pcap"
	refused 'no such capture' 3 "$f:7:3: ports.s1-h2: " 'No such file' up $f
	scenario $f net_null0 net_af_packet0
	refused 'no netdev given' 3 "$f:7:3: ports.s1-h2: " "$right" up $f
	scenario $f net_null0 net_null0,size=64
	refused 'a device twice' 2 "$f:7:16: ports.s1-h2.dev: " 's1-h1 has this one' up $f
	scenario $f net_af_packet0,iface=x net_af_packet1,iface=x
	refused 'a netdev twice' 2 "$f:7:16: ports.s1-h2.dev: " 's1-h1 has this one' up $f
}

memory() {
	local f=memory.yaml
	sed 's/256KiB/64MiB/' good.yaml >$f
	refused 'a pool too small for the buffer' 3 "$f:8:24: real.memory: found 64 MiB" \
		'raise real.memory or lower switch.buffer' up $f
	refused 'a pool too small, by --set' 3 'good.yaml: real.memory: found 2 MiB' \
		'raise real.memory' up good.yaml --set real.memory=2MiB
	sed 's/64MiB/1024GiB/' good.yaml >$f
	refused 'too few hugepages' 3 "$f:8:24: real.memory: " '/proc/sys/vm/nr_hugepages' ry up $f
	sed 's/64MiB/64MiB, eal: [--no-such-word]/' good.yaml >$f
	refused 'a word that EAL does not know' 3 "$f:8:1: real: " 'DPDK to start' up $f
}

workers() {
	local f=workers.yaml cpu
	cat >$f <<-END
		railyard: 1
		name: envtest
		topology: {kind: dumbbell, left: 1, right: 1, middle: {rate: 1Gbps, delay: 1us}}
		switch: {buffer: {size: 2MiB}}
		ports: {s1-h1: {dev: net_null0, mtu: 1500}, s2-h2: {dev: net_null1, mtu: 1500}}
		real: {poll: busy, workers: 2, memory: 256MiB}
	END
	cpu=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
	refused 'more busy workers than CPUs' 3 "$f:6:1: real.workers: " 'poll: adaptive' \
		taskset -c "$cpu" timeout 30 "$build/railyard" up $f --no-huge
}

places() {
	refused 'a socket path that is too long' 2 '--socket: ' 'a Unix socket holds no more' \
		up good.yaml --socket "$work/$(printf 'x%.0s' {1..120}).sock"
	refused 'a socket below no directory' 3 "$work/none/none: " 'give --socket PATH' \
		up good.yaml --socket "$work/none/none/x.sock"
	echo precious >precious
	refused 'a file where the socket goes' 2 '--socket: ' 'nothing or an old socket' \
		up good.yaml --socket "$work/precious"
	refused 'down: a file where the socket was' 3 '' 'nothing is running' \
		ry down --socket "$work/precious"
	count "$([ "$(cat precious)" = precious ] && echo yes)" 'that file is still there'
	refused 'an address that is not here' 3 '--listen: ' 'free here' \
		up good.yaml --listen 192.0.2.1:99
	mkdir bin
	cp "$build/railyard" bin
	# shellcheck disable=SC2016 # those are the words
	refused 'no railyardd beside railyard' 3 'railyardd: ' 'it comes with `make`' \
		env "PATH=/usr/bin:/bin" timeout 30 bin/railyard up good.yaml --no-huge
}

second() {
	up good.yaml >out 2>&1 || { cat out; count no 'up'; return; }
	refused 'a second one of the name' 2 'already running: pid ' 'railyard down' up good.yaml
	ry down >out
	count "$([ -z "$(pgrep -x -u "$EUID" railyardd)" ] && echo yes)" 'down'
}

# ---- as an ordinary user ----

unprivileged() {
	local f=raw.yaml runtime="$XDG_RUNTIME_DIR"
	scenario $f net_af_packet0,iface=lo net_null0
	refused 'raw sockets' 3 "$f:6:3: ports.s1-h1: " 'run as root or with CAP_NET_RAW' up $f
	scenario $f net_tap0 net_null0
	refused 'a tap' 3 "$f:6:3: ports.s1-h1: " 'run as root or with CAP_NET_RAW' up $f
	refused 'a directory of others' 3 '/proc/x.pid: ' 'give --socket PATH' \
		up good.yaml --socket /proc/x.sock
	refused 'no XDG_RUNTIME_DIR' 3 'XDG_RUNTIME_DIR: ' 'give --socket PATH' \
		env -u XDG_RUNTIME_DIR timeout 30 "$build/railyard" up good.yaml --no-huge
	chmod 000 good.yaml
	refused 'a scenario of others' 2 'good.yaml: ' 'a file that can be read' up good.yaml
	chmod 644 good.yaml
	chmod 500 "$runtime"
	refused 'a directory that is read-only' 3 "$runtime/railyard: " 'give --socket PATH' \
		up good.yaml
	chmod 700 "$runtime"
}

# ---- as root ----

netdevs() {
	local f=netdev.yaml
	scenario $f net_af_packet0,iface=tap1 net_af_packet1,iface=nosuch
	refused 'no such netdev' 3 "$f:7:3: ports.s1-h2: found nosuch" 'ip tuntap add nosuch' up $f
	scenario $f net_af_packet0,iface=tap1 net_af_packet1,iface=tap2
	sed -i '7s/1500/9000/' $f
	refused 'an MTU that the device refuses' 3 "$f:7:3: ports.s1-h2: found mtu 2000 on tap2" \
		'ip link set tap2 mtu 9000' up $f
	scenario $f net_af_packet0,iface=tap2 net_null0
	up <(sed 's/: envtest/: first/' $f) >out
	refused 'a netdev that another railyardd has' 3 "$f:6:3: ports.s1-h1: found tap2" \
		'no other railyardd' up $f
	ry down >out
}

reached_by() {
	local f=reached.yaml
	scenario $f net_null0 net_af_packet0,iface=tap1
	ip addr add 192.0.2.1/24 dev tap1
	ip addr add 2001:db8::1/64 dev tap1 nodad
	refused 'a netdev with your ssh' 3 "$f:7:3: ports.s1-h2: found tap1" 'ssh session' \
		env SSH_CONNECTION='192.0.2.9 1 192.0.2.1 22' timeout 30 "$build/railyard" up $f --no-huge
	ip route add default via 192.0.2.9
	refused 'a netdev with the default route' 3 "$f:7:3: ports.s1-h2: found tap1" --force up $f
	ip route del default
	ip route add default via 2001:db8::9
	refused 'a netdev with the IPv6 default route' 3 "$f:7:3: ports.s1-h2: found tap1" \
		--force up $f
	ip -6 route del default
	ip addr flush dev tap1
	ip link add br0 type bridge 2>/dev/null || return 0
	ip link set tap1 master br0
	ip addr add 192.0.2.1/24 dev br0
	ip link set br0 up
	ip route add default via 192.0.2.9
	refused 'a netdev in a bridge with the default route' 3 \
		"$f:7:3: ports.s1-h2: found br0" --force up $f
	ip link del br0
}

disks() {
	mkdir /run/railyard
	mount -t tmpfs -o size=4k,nr_inodes=2 tmpfs /run/railyard
	touch /run/railyard/last
	refused 'no inode left' 3 '/run/railyard/envtest.pid: found No space left' --socket \
		up good.yaml
	umount /run/railyard
	mount -t tmpfs -o size=4k tmpfs /run/railyard
	head -c 4096 /dev/zero >/run/railyard/last
	refused 'a full disk' 3 '/run/railyard/envtest.pid: found No space left' --socket up good.yaml
	umount /run/railyard
	mount -t tmpfs -o ro tmpfs /run/railyard
	refused 'a read-only disk' 3 '/run/railyard/envtest.pid: found Read-only' --socket \
		up good.yaml
	umount /run/railyard
	rmdir /run/railyard
	mount -t tmpfs tmpfs /sys/kernel/mm/hugepages
	refused 'no hugepages' 3 'good.yaml:8:24: real.memory: found 0 MiB in free hugepages' \
		'or run with --no-huge' ry up good.yaml
	umount /sys/kernel/mm/hugepages
}

# ---- a refused set ----

# All that can be seen of it, but what time changes by itself.
seen() {
	local what
	ry show effective --json
	for what in ports queues pg pfc ecn drops tables hash; do
		ry show $what --json | jq -cS 'walk(if type == "object" then
			with_entries(select(.key | test("time_ps|worker") | not)) else . end)'
	done
}

refused_sets() {
	local before set
	up good.yaml >out 2>&1 || { cat out; count no 'up'; return; }
	before=$(seen)
	for set in switches.s1.ecn.3.min=5 'switches.s1.ecn.3={min: 2MB, max: 1MB}' switches.s1.nothing=1 \
		switches.s9.latency=1us switches.s1.latency switches.s1.latency= =1us \
		switches.s1.buffer.size=1KiB switches.s1.buffer.alpha=0 ports.s1-h1.rate=0bps \
		ports.s1-h1.dev=net_null7 ports.s1-h9.mtu=1500 topology.hosts=3 \
		'switches.s1.scheduler={8: strict}' 'switches.s1.pfc={priorities: [3' \
		name=other; do
		refused "set $set" 2 '' '' ry set ports.s1-h2.rate=7Mbps "$set"
	done
	count "$([ "$(seen)" = "$before" ] && echo yes)" 'refused sets changed nothing'
	ry set ports.s1-h2.rate=7Mbps >out
	count "$([ "$(seen)" != "$before" ] && echo yes)" 'one that is taken is seen'
	ry down >out
}

scenario good.yaml net_null0,no-rx=1 net_null1,no-rx=1
[ "$EUID" -eq 0 ] || unprivileged
if [ "$EUID" -eq 0 ] || [ -z "${RY_INSIDE-}" ]; then
	devices
	memory
	workers
	places
	second
	refused_sets
fi
if [ "$root" = yes ]; then
	netdevs
	reached_by
	disks
fi
if [ "$root" = yes ] &&
	setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$build/railyardd"; then
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --no-new-privs \
		bash "$top/tests/broken/environment_test.sh" >nobody 2>&1 || failed=$((failed + 1))
	sed '$d' nobody
	passed=$((passed + $(grep -c '^ok ' nobody)))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
