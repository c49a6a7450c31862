#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# RoCE's largest path MTU, 4,096 bytes, on ports of 4,200.
. "$(dirname "$0")/roce.sh"
isolate "$@"

mtu_is_4096() {
	guest_do h1 'ibv_devinfo -d rxe0 | tee /tmp/devinfo
		grep -q "active_mtu:.*4096" /tmp/devinfo'
}

big_frames_came() { # a full packet: 14 + 20 + 8 + 12 + 16 + 4096 + 4
	local count
	count=$(capture_count h2 'greater 4100') && note "$count frames" && [ "$count" -gt 100 ]
}

fabric_up "$top/tests/system/jumbo.yaml" 2 4200
pair_boot 4200
gid=$(gid_of h1 4)

try "rxe takes a path MTU of 4,096" mtu_is_4096
try "ping with 4,000 bytes" guest_do h1 'ping -c 3 -s 4000 -W 5 10.0.0.2'
try "TCP" tcp_peer 10.0.0.2
try "ibv_rc_pingpong" roce 10.0.0.2 "$gid" ibv_rc_pingpong -n 100 -m 4096 -s 16384
capture_start h2 'udp port 4791'
try "ib_write_bw" roce 10.0.0.2 "$gid" ib_write_bw -u 18 -m 4096 -n 100 -s 65536
capture_stop h2 >/dev/null
try "frames were that large" big_frames_came
try "ib_read_bw" roce 10.0.0.2 "$gid" ib_read_bw -u 18 -m 4096 -n 100 -s 65536
if [ -n "${RAILYARD_NIGHTLY-}" ]; then
	roce_long "4,096" 10.0.0.2 "$gid"
fi

try "nothing was lost" no_drop
try "the accounting closes" identity
pair_off
try "down" fabric_down
try "nothing is left" nothing_left
finish
