#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Verbs on a running switch, seen from its hosts: hold, link and set do what they say, a refused set
# does nothing, and a second `up` leaves the first alone.
. "$(dirname "$0")/roce.sh"
isolate "$@"

unreachable() {
	! guest_do h1 'ping -c 2 -i 0.3 -W 1 10.0.0.2 >/tmp/ping; cat /tmp/ping
		grep -q " 0% packet loss" /tmp/ping'
}

held_and_released() {
	ry hold s1-h2 && unreachable && [ "$(count .held)" -gt 0 ] && identity &&
		ry release s1-h2 && ping_peer 10.0.0.2 && [ "$(count .held)" = 0 ]
}

down_and_up() {
	local before
	before=$(count .dropped) && ry link s1-h2 down && unreachable
	unreachable=$?
	ry link s1-h2 up && [ "$unreachable" -eq 0 ] && sums &&
		[ "$(count .dropped)" -gt "$before" ] && ping_peer 10.0.0.2
}

refused() { # ASSIGNMENT...: 2, and what runs is as it was
	local status=0
	ry show effective >"$work/before"
	ry set "$@" || status=$?
	ry show effective >"$work/after"
	[ "$status" -eq 2 ] && diff "$work/before" "$work/after"
}

narrowed() { # a slower port is slower
	local rate
	ry set ports.s1-h2.rate=4Mbps && roce 10.0.0.2 "$gid" ib_write_bw -u 20 -n 20 -s 65536 \
		>"$work/perf" && rate=$(bandwidth <"$work/perf") && note "$rate Mb/s" && ((rate <= 4))
}

second_up() {
	! ry up "$top/tests/system/star.yaml" && ping_peer 10.0.0.2
}

fabric_up "$top/tests/system/star.yaml" 2
pair_boot 1500
gid=$(gid_of h1 4)
try "ping" ping_peer 10.0.0.2
try "hold, release" held_and_released
try "link down, up" down_and_up
try "set: a bare number is refused" refused switch.ecn.3.min=400
try "set: min above max is refused" refused \
	switch.ecn.3.min=100KB switch.ecn.3.max=50KB
try "set: an unknown key is refused" refused switch.ecn.3.mni=4KB
try "set: a slower port" narrowed
try "a second up is refused" second_up
try "the accounting closes" identity
pair_off
try "down" fabric_down
try "nothing is left" nothing_left
finish
