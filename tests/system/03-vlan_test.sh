#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The same between two tagged interfaces: the tag crosses the switch as it came, and the VLAN's
# neighbours are not the untagged ones. The network there is 10.9.0.0/24, fd09::/64.
. "$(dirname "$0")/roce.sh"
isolate "$@"

fabric_up "$top/tests/system/star.yaml" 2
pair_boot 1500
for k in 1 2; do
	guest_do "h$k" "ip link add link eth0 name eth0.100 type vlan id 100 egress-qos-map 0:3 &&
		ip link set eth0.100 up && ip address add 10.9.0.$k/24 dev eth0.100 &&
		ip -6 address add fd09::$k/64 dev eth0.100 nodad"
done

tags_seen() { # the tag with its priority bits arrives whole
	capture_start h2 'vlan 100' && ping_peer 10.9.0.2 && capture_stop h2 &&
		guest_do h2 'tcpdump -e -n -r /tmp/pcap 2>/dev/null | head -n 3 | tee /tmp/tags
			grep -q "vlan 100, p 3" /tmp/tags'
}

roce_tagged() { # GID ADDRESS TOOL...: rxe names the VLAN's addresses too, on rxe0
	local gid=$1 count
	capture_start h2 'vlan 100 and udp port 4791' && roce "$2" "$gid" "${@:3}" && capture_stop h2 &&
		count=$(capture_count h2 '') && note "$count tagged RoCEv2 frames" && [ "$count" -gt 50 ]
}

try "ping" ping_peer 10.9.0.2
try "ping IPv6" ping_peer fd09::2
try "TCP" tcp_peer 10.9.0.2
try "TCP IPv6" tcp_peer fd09::2
try "the tag arrives" tags_seen
if gid=$(gid_of h1 4 eth0.100); then
	try "ibv_rc_pingpong" roce_tagged "$gid" 10.9.0.2 ibv_rc_pingpong -n 100
	try "ib_write_bw" roce_tagged "$gid" 10.9.0.2 ib_write_bw -u 18 -n 100 -s 8192
else
	note "SKIP: rxe made no GID for the tagged interface"
fi
try "ping beside the VLAN" ping_peer 10.0.0.2

try "nothing was lost" no_drop
try "the accounting closes" identity
pair_off
try "down" fabric_down
finish
