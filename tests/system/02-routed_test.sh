#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Two hosts in two subnets: the switch answers ARP and ND as their gateway, routes, counts the TTL
# down, and the ICRC stays what the sender made it (rxe drops a wrong one).
. "$(dirname "$0")/roce.sh"
isolate "$@"

fabric_up "$top/tests/system/routed.yaml" 2
for k in 1 2; do
	guest_boot "h$k" "tap$k" "mac=02:00:00:00:00:0$k" "ip4=10.$k.0.$k/24" "ip6=fd0$k::$k/64"
done
guests_ready
for k in 1 2; do
	guest_do "h$k" "ip route add default via 10.$k.0.254 &&
		ip -6 route add default via fd0$k::fe"
done
gid4=$(gid_of h1 4) gid6=$(gid_of h1 6)

ttl_of_echo() { # what is left of 64 after one router each way
	guest_do h1 "ping -c 1 -W 5 $1 >/tmp/ping; cat /tmp/ping; grep -q 'ttl=63 ' /tmp/ping"
}

try "ping the gateway" ping_peer 10.1.0.254
try "ping the other side's gateway" ping_peer 10.2.0.254
try "ping the IPv6 gateway" ping_peer fd01::fe
try "ping" ping_peer 10.2.0.2
try "ping IPv6" ping_peer fd02::2
try "one hop each way" ttl_of_echo 10.2.0.2
try "one hop each way, IPv6" ttl_of_echo fd02::2
try "TCP" tcp_peer 10.2.0.2
try "TCP IPv6" tcp_peer fd02::2
roce_short "IPv4" 10.2.0.2 "$gid4"
try "IPv6 ibv_rc_pingpong" roce 10.2.0.2 "$gid6" ibv_rc_pingpong -n 100
try "IPv6 ib_write_bw" roce 10.2.0.2 "$gid6" ib_write_bw -u 18 -n 100 -s 8192
if [ -n "${RAILYARD_NIGHTLY-}" ]; then
	roce_long "IPv4" 10.2.0.2 "$gid4"
	roce_long "IPv6" 10.2.0.2 "$gid6"
fi

# A multicast has nowhere to go: each host is alone in its subnet.
try "nothing else was lost" no_drop no_member
try "the accounting closes" identity
pair_off
try "down" fabric_down
try "nothing is left" nothing_left
finish
