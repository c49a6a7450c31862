#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What the tests do with a pair of guests: h1 is the client on tap1, h2 the server on tap2. All
# of these are conditions: the status says how it went.
#
# Loss-free tests give perftest -u 18 (a timeout of 1.07 s): emulated guests stall for longer than
# its default of 67 ms, and rxe would repeat what was never lost.

. "$(dirname "${BASH_SOURCE[0]}")/guest.sh"

# Two hosts in one subnet, as the scenario language numbers them: host k has MAC 02:00:00:00:00:0k,
# 10.0.0.k/16 and fd00::k/64.
pair_boot() { # MTU
	local k mtu=$1
	for k in 1 2; do
		guest_boot "h$k" "tap$k" "mac=02:00:00:00:00:0$k" "ip4=10.0.0.$k/16" \
			"ip6=fd00::$k/64" "mtu=$mtu"
	done
	guests_ready
}

pair_off() {
	guest_off h1
	guest_off h2
}

# The index of a guest's GID for IPv4 or IPv6 on a network device.
gid_of() { # NAME 4|6 [NETDEV]
	local pattern='fd*'
	[ "$2" = 6 ] || pattern='0000:0000:0000:0000:0000:ffff:*'
	guest_do "$1" "cd /sys/class/infiniband/rxe0/ports/1
		for gid in gids/*; do
			case \$(cat \$gid) in $pattern) ;; *) continue ;; esac
			index=\${gid#gids/}
			[ \"\$(cat gid_attrs/ndevs/\$index)\" = ${3:-eth0} ] || continue
			echo \$index
			exit 0
		done
		exit 1"
}

# The server's job has its socket or its rdma_cm listener.
wait_listening='i=0
while [ $i -lt 150 ]; do
	netstat -ltn | grep -q ":18515 " && exit 0
	rdma resource show cm_id | grep -q "state LISTEN" && exit 0
	[ ! -e /tmp/server.status ] || exit 1
	sleep 0.1; i=$((i + 1))
done
exit 1'

# roce ADDRESS GID TOOL ARGUMENTS...: an RDMA tool between the guests; 0 when both sides exited 0.
# The output of both is printed.
roce() {
	local address=$1 gid=$2 tool=$3 command status=0
	shift 3
	case $tool in
	ibv_*) command="$tool -d rxe0 -g $gid $*" ;;
	*) command="$tool -d rxe0 -x $gid -F $*" ;;
	esac
	guest_bg h2 server "$command"
	if ! guest_do h2 "$wait_listening"; then
		guest_stop h2 server
		fail "$tool: the server did not start"
		return 1
	fi
	# Only the connect is tried again, never what it connects. rdma_cm says LISTEN a moment
	# before it is so, and then rejects.
	guest_do h1 -t "${ROCE_SECONDS:-90}" "for i in 1 2 3 4 5; do
			$command $address >/tmp/client 2>&1
			status=\$?
			grep -qi \"couldn't connect\\|unable to connect\\|CM_EVENT_REJECTED\" /tmp/client || break
			sleep 0.5
		done
		cat /tmp/client
		exit \$status" || status=$?
	if [ "$status" -ne 0 ]; then
		guest_stop h2 server
		fail "$tool: the client exited $status"
		return 1
	fi
	guest_join h2 server 30 >"$work/server" ||
		{ cat "$work/server"; guest_stop h2 server; fail "$tool: the server failed"; }
}

# Bandwidth in Mb/s of a *_bw tool's output, rounded down.
bandwidth() { awk '$1 ~ /^[0-9]+$/ && NF == 5 {mbps = $4 * 8 * 1.048576} END {print int(mbps)}'; }

ping_peer() { # ADDRESS
	guest_do h1 "ping -c 3 -i 0.2 -W 5 $1 >/tmp/ping; cat /tmp/ping
		grep -q ' 0% packet loss' /tmp/ping"
}

# A megabyte there and back over TCP, compared.
tcp_peer() { # ADDRESS
	guest_bg h2 server 'nc -l -p 5001 -e cat' &&
		guest_do h2 'i=0
			until netstat -ltn | grep -q ":5001 "; do
				sleep 0.1; i=$((i + 1)); [ $i -lt 100 ] || exit 1
			done' &&
		guest_do h1 "dd if=/dev/urandom of=/tmp/sent bs=1024 count=1024 2>/dev/null
			nc $1 5001 </tmp/sent >/tmp/back && cmp /tmp/sent /tmp/back" &&
		guest_join h2 server 20
}

# Captures what a guest receives, headers alone. capture_count tells how many match.
capture_start() { # NAME FILTER
	guest_do "$1" "rm -f /tmp/pcap
		tcpdump -i eth0 -Q in -s 96 -B 16384 -w /tmp/pcap '$2' 2>/tmp/tcpdump &
		echo \$! >/tmp/tcpdump.pid
		i=0
		until grep -q listening /tmp/tcpdump; do
			sleep 0.1; i=\$((i + 1)); [ \$i -lt 100 ] || { cat /tmp/tcpdump; exit 1; }
		done"
}

capture_stop() { # NAME
	guest_do "$1" 'sleep 0.5; kill -INT $(cat /tmp/tcpdump.pid); sleep 0.5; cat /tmp/tcpdump'
}

capture_count() { guest_do "$1" "tcpdump -n -r /tmp/pcap '$2' 2>/dev/null | wc -l"; }

# One of rxe's own counters.
hw_counter() { # NAME COUNTER
	guest_do "$1" "cat /sys/class/infiniband/rxe0/ports/1/hw_counters/$2"
}

# The tools, briefly: each moves enough for several full windows of 128 packets.
roce_short() { # PREFIX ADDRESS GID
	try "$1 ibv_rc_pingpong" roce "$2" "$3" ibv_rc_pingpong -n 100
	try "$1 ib_write_bw -q 2" roce "$2" "$3" ib_write_bw -u 18 -q 2 -n 100 -s 8192
	try "$1 ib_send_bw" roce "$2" "$3" ib_send_bw -u 18 -n 100 -s 8192
	try "$1 ib_read_bw" roce "$2" "$3" ib_read_bw -u 18 -n 100 -s 8192
	try "$1 ib_read_lat" roce "$2" "$3" ib_read_lat -u 18 -n 50 -s 64
	try "$1 ib_write_lat" roce "$2" "$3" ib_write_lat -u 18 -n 50 -s 64
	try "$1 ib_atomic_lat" roce "$2" "$3" ib_atomic_lat -u 18 -n 50
	try "$1 ib_write_bw -R" roce "$2" "$3" ib_write_bw -u 18 -R -n 100 -s 8192
}

# And at length, for RAILYARD_NIGHTLY=1: every size, several queue pairs, both directions at once.
roce_long() { # PREFIX ADDRESS GID
	local tool
	for tool in ib_write_bw ib_send_bw ib_read_bw; do
		try "$1 $tool -a" roce "$2" "$3" "$tool" -u 18 -a -n 5
		try "$1 $tool -q 8" roce "$2" "$3" "$tool" -u 18 -q 8 -n 100 -s 65536
		try "$1 $tool -b" roce "$2" "$3" "$tool" -u 18 -b -n 200 -s 65536
		try "$1 $tool -R" roce "$2" "$3" "$tool" -u 18 -R -n 200 -s 65536
	done
	for tool in ib_write_lat ib_send_lat ib_read_lat; do
		try "$1 $tool -a" roce "$2" "$3" "$tool" -u 18 -a -n 5
	done
	try "$1 ib_atomic_bw" roce "$2" "$3" ib_atomic_bw -u 18 -n 500
	try "$1 ibv_rc_pingpong at length" roce "$2" "$3" ibv_rc_pingpong -n 2000 -s 16384
}
