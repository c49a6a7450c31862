#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The narrow port without PFC: frames are lost, under a name, rxe sends them again, and what the
# client asked for is done all the same.
. "$(dirname "$0")/roce.sh"
isolate "$@"

lost() {
	sums && [ "$(count '.drops.queue_full + .drops.headroom_full')" -gt 0 ]
}

repeated() { # what rxe's own counters say of it
	local gap nak
	gap=$(hw_counter h2 out_of_seq_request) nak=$(hw_counter h1 rcvd_seq_err) || return
	note "h2 saw $gap requests out of sequence, h1 got $nak sequence NAKs"
	((gap > 0 && nak > 0))
}

never_paused() {
	[ "$(count '[.ports[].xoff_episodes[], .ports[].pfc_tx[]] | add')" = 0 ] &&
		[ "$(count '[.ports[].edge.paused_ps] | add')" = 0 ]
}

fabric_up "$top/tests/system/loss.yaml" 2
pair_boot 1500
gid=$(gid_of h1 4)

try "ib_write_bw ends well" roce 10.0.0.2 "$gid" ib_write_bw --tclass 106 -n 30 -s 65536
try "ib_send_bw ends well" roce 10.0.0.2 "$gid" ib_send_bw --tclass 106 -n 30 -s 65536
try "ib_read_bw ends well" roce 10.0.0.2 "$gid" ib_read_bw --tclass 106 -n 10 -s 65536
try "TCP arrives whole" tcp_peer 10.0.0.2
try "frames were lost" lost
try "rxe repeated them" repeated
try "nobody was paused" never_paused
try "the accounting closes" identity
pair_off
try "down" fabric_down
try "nothing is left" nothing_left
finish
