#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What every system test starts with: namespaces of its own, railyardd on a scenario, counters,
# the accounting identity, and a look for what was left behind.
#
#	. "$(dirname "$0")/roce.sh"             reads guest.sh, which reads this
#	isolate "$@"
#	fabric_up "$top/tests/system/star.yaml" 2
#	pair_boot 1500
#	try "ping" ping_peer 10.0.0.2
#	pair_off
#	fabric_down
#	finish
#
# isolate runs the script again in a network, a process and a mount namespace. Taps, processes,
# sockets, hugepage files, mounts: all of it goes with the namespaces, by the kernel's hand, even
# when the script is killed by a signal that it cannot catch.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${RAILYARD_BUILD:-$top/build}" 2>/dev/null && pwd) || build=$top/build
work=${RY_INSIDE-} # a tmpfs of this script's own
socket=$work/ry.sock
passed=0 failed=0 skipped=0

skip() { printf 'SKIP: %s\n' "$*"; exit 77; }
note() { printf '%s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; return 1; }

# ---- isolation ----

isolate() { # "$@" of the script
	if [ -n "${RY_INSIDE-}" ]; then
		inside
		return
	fi
	[ "$EUID" -eq 0 ] || skip "needs root, for taps and namespaces"
	[ -c /dev/net/tun ] || skip "there is no /dev/net/tun on this machine"
	unshare --net --mount --pid --fork true 2>/dev/null || skip "may not make namespaces here"
	# What must be fetched is fetched here: inside there is no way out.
	if declare -F guests_possible >/dev/null; then guests_possible; fi
	local inner status=0
	# Not shared with another run: removing a directory takes away what others mounted on it.
	work=$(mktemp -d /run/railyard-test-XXXXXX)
	trap 'stop_inner 2>/dev/null' INT TERM HUP
	RY_INSIDE=$work setpriv --pdeathsig KILL unshare --net --mount --pid --fork --kill-child \
		--mount-proc bash "$0" "$@" &
	inner=$!
	while :; do
		status=0
		{ wait "$inner" || status=$?; } 2>/dev/null
		kill -0 "$inner" 2>/dev/null || break
	done
	rmdir "$work" 2>/dev/null || true
	exit "$status"
}

# The script proper is the child of unshare; it cleans up in its EXIT trap. Where it waits for
# something and does not come to it, its namespaces go with unshare, and all that is in them.
stop_inner() {
	local child i
	child=$(cat "/proc/$inner/task/$inner/children")
	kill -TERM "${child% }" || true
	for ((i = 0; i < 30; i++)); do
		kill -0 "$inner" || return 0
		sleep 0.1
	done
	kill -KILL "$inner"
}

inside() {
	trap clean EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	mount -t sysfs sysfs /sys
	mount -t tmpfs -o mode=700 tmpfs "$work"
	# Views of our own: what the daemon leaves there is seen at once and gone afterwards.
	mkdir -p /run/dpdk
	mount -t tmpfs tmpfs /run/dpdk
	[ ! -d /dev/hugepages ] || mount -t hugetlbfs hugetlbfs /dev/hugepages 2>/dev/null || true
	# The host's ends of the taps stay silent.
	echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
	ip link set lo up
}

clean() {
	local status=$?
	trap - EXIT
	set +e
	[ "$status" -eq 0 ] || [ "$status" -eq 77 ] || post_mortem >&2
	declare -F guests_kill >/dev/null && guests_kill
	[ -z "${fabric-}" ] || ry down >/dev/null 2>&1
	exit "$status"
}

post_mortem() {
	[ -z "${fabric-}" ] || ry show drops 2>&1 | tail -n 40
	[ ! -s "$work/railyardd.log" ] || { echo "-- railyardd:"; tail -n 20 "$work/railyardd.log"; }
	declare -F guests_console >/dev/null && guests_console
}

# ---- cases: one script boots once and tries many things ----

# try WHAT COMMAND...: one case, in a subshell. Its output is shown when it fails.
try() {
	local what=$1 status start=$SECONDS
	shift
	# Not before `||`, where -e is ignored in all that is called: the first thing that fails ends it.
	set +e
	(set -e; "$@") >"$work/case" 2>&1
	status=$?
	set -e
	case $status in
	0)
		passed=$((passed + 1))
		printf 'ok %s (%d s)\n' "$what" $((SECONDS - start))
		;;
	77)
		skipped=$((skipped + 1))
		printf 'skip %s: %s\n' "$what" "$(tail -n 1 "$work/case")"
		;;
	*)
		failed=$((failed + 1))
		printf 'FAILED %s (exit %d)\n' "$what" "$status"
		sed 's/^/    /' "$work/case"
		;;
	esac
}

finish() {
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	[ "$failed" -eq 0 ]
	exit
}

# ---- the switch ----

ry() { timeout 30 "$build/railyard" --socket "$socket" "$@"; }

# Starts railyardd on a scenario whose ports are the taps tap1, tap2 ..., made when missing; with
# RAILYARD_TEST_BRIDGE=1 a Linux bridge in its place, to see whether a failure is the guests' own.
fabric_up() { # FILE NUMBER_OF_TAPS [MTU]
	local file=$1 taps=$2 mtu=${3:-1500} pages='' i
	for ((i = 1; i <= taps; i++)); do
		ip link show "tap$i" >/dev/null 2>&1 || ip tuntap add "tap$i" mode tap
		ip link set "tap$i" mtu $((mtu + 500)) up
	done
	if [ -n "${RAILYARD_TEST_BRIDGE-}" ]; then
		bridge_up "$taps"
		return
	fi
	[ -x "$build/railyardd" ] || skip "$build/railyardd is not built"
	fabric=$file
	# Set by scripts/hugepages.sh where there is no memory to set aside.
	[ -z "${RAILYARD_NO_HUGE-}" ] || pages=--no-huge
	ry up "$file" ${pages:+"$pages"} >"$work/railyardd.log" 2>&1 ||
		{ cat "$work/railyardd.log"; fabric=''; fail "railyard up $file"; }
}

no_bridge() { # 77: a bridge counts nothing
	[ -z "${RAILYARD_TEST_BRIDGE-}" ] || { note "a bridge is in its place"; return 77; }
}

bridge_up() {
	local i
	ip link add br0 type bridge
	for ((i = 1; i <= $1; i++)); do ip link set "tap$i" master br0; done
	ip link set br0 mtu 1500 up
}

# A number out of the counters of the (one) switch. `.ports[] | select(.name == ...)` and so on.
count() { # JQ
	no_bridge || return
	snapshot "$work/status" && jq -r ".switches[0] | $1" "$work/status"
}

# Status 4 says that the worker was late, as it may be beside guests that are emulated on its core.
snapshot() { # FILE
	local status=0
	ry status --json >"$1" || status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 4 ]
}

# rx + generated + copied = tx + consumed + dropped + held, in one snapshot, as it runs.
identity() {
	no_bridge || return
	[ "$(count '.rx + .generated + .copied == .tx + .consumed + .dropped + .held')" = true ] ||
		{ sums; fail "the accounting does not close"; }
}

# The identity's terms and the drops that are not 0.
sums() {
	count '[{rx, generated, copied, tx, consumed, dropped, held}[]],
		(.drops | with_entries(select(.value > 0)))' | jq -c .
}

# Nothing but what is named may be dropped.
no_drop() { # [DROP...]
	local name but=0
	no_bridge || return
	for name in "$@"; do but=$((but + $(count ".drops.$name"))); done
	[ "$(count .dropped)" = "$but" ] || { sums; fail "frames were dropped"; }
}

no_lossless_drop() {
	no_bridge || return
	[ "$(count .dropped_lossless)" = 0 ] || { sums; fail "lossless frames were dropped"; }
}

fabric_down() {
	[ -n "${fabric-}" ] || return 0
	ry down
	fabric=''
}

# After fabric_down: no daemon, no socket, no hugepage file, no EAL directory, and the taps are
# ours alone again (they can be deleted, and nothing is left on the link list but lo).
nothing_left() {
	local left i
	for i in $(ip -o link | awk -F'[:@ ]+' '$2 ~ /^(tap|br)/ {print $2}'); do
		ip link delete "$i"
	done
	left=$(
		pgrep -l railyardd
		find "$work" -type s
		find /dev/hugepages -type f 2>/dev/null
		find /run/dpdk -mindepth 1 2>/dev/null
		ip -o link | awk -F'[:@ ]+' '$2 != "lo" {print "netdev " $2}'
	) || true
	[ -z "$left" ] || { printf '%s\n' "$left"; fail "left behind"; }
}
