#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Two hosts in one subnet: everything they say passes the switch, and nothing of it is lost.
. "$(dirname "$0")/roce.sh"
isolate "$@"

fabric_up "$top/tests/system/star.yaml" 2
pair_boot 1500
gid4=$(gid_of h1 4) gid6=$(gid_of h1 6)

try "ping" ping_peer 10.0.0.2
try "ping IPv6" ping_peer fd00::2
try "TCP" tcp_peer 10.0.0.2
try "TCP IPv6" tcp_peer fd00::2
roce_short "IPv4" 10.0.0.2 "$gid4"
try "IPv6 ibv_rc_pingpong" roce 10.0.0.2 "$gid6" ibv_rc_pingpong -n 100
try "IPv6 ib_write_bw" roce 10.0.0.2 "$gid6" ib_write_bw -u 18 -n 100 -s 8192
if [ -n "${RAILYARD_NIGHTLY-}" ]; then
	roce_long "IPv4" 10.0.0.2 "$gid4"
	roce_long "IPv6" 10.0.0.2 "$gid6"
fi

try "nothing was lost" no_drop
try "the accounting closes" identity
pair_off
try "down" fabric_down
try "nothing is left" nothing_left
finish
