#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# testpmd.sh NAME DIR [CPUS]: dpdk-testpmd on the devices that switch_bench uses, with one forwarding core:
# testpmd.5tswap.pcap.NAME and testpmd.macswap.pcap.NAME in Mpps. CPUS: control's and the worker's.
#
# The ports are chained 0 -> 1 -> 2 -> 0: each of the three is polled, as the switch does it; what is
# sent to a pcap port that only reads is freed, as by net_null.
set -euo pipefail

name=$1 dir=$2 cpus=${3:-0,1} settle=0.3 window=0.6
log=$dir/testpmd.log

command -v dpdk-testpmd >/dev/null || { echo "dpdk-testpmd is not installed (package dpdk-dev)"; exit 77; }

# Each "show" prints frames a second since the one before: the second of a mode is its figure.
commands() {
	local mode i
	# What it is told before it listens would all be done at once.
	for ((i = 0; i < 200; i++)); do
		if grep 'testpmd>' "$log" >/dev/null; then break; fi
		sleep 0.05
	done
	for mode in macswap 5tswap; do
		printf 'set fwd %s\nstart\n' "$mode"
		sleep "$settle"
		echo "show port stats all"
		sleep "$window"
		printf 'show port stats all\nstop\n'
	done
	echo quit
}

mbuf=2176
[[ $name != 4096 ]] || mbuf=4480
: >"$log"
commands | dpdk-testpmd -l "$cpus" --no-huge -m 512 --no-shconf --no-telemetry --no-pci \
	--log-level='*:error' \
	--vdev="net_pcap1,rx_pcap=$dir/$name.1.pcap,infinite_rx=1" \
	--vdev="net_pcap2,rx_pcap=$dir/$name.2.pcap,infinite_rx=1" \
	--vdev="net_pcap3,rx_pcap=$dir/$name.3.pcap" \
	-- -i --nb-cores=1 --port-topology=chained --total-num-mbufs=16384 --mbuf-size="$mbuf" \
	--max-pkt-len=9000 --no-mlockall >"$log" 2>&1 || { tail -n 5 "$log"; exit 1; }

awk -v name="$name" '
	/Set (macswap|5tswap) packet forwarding mode/ { mode = $2; shows = 0 }
	/NIC statistics for port 0/ { shows++; pps = 0 }
	/Rx-pps:/ && shows == 2 { pps += $2 }
	/NIC statistics for port 2/ && shows == 2 { last = 1 }
	/Tx-pps:/ && last { printf "testpmd.%s.pcap.%s Mpps %.3f\n", mode, name, pps / 1e6; last = 0 }
' "$log" >"$dir/testpmd.out"
[[ $(wc -l <"$dir/testpmd.out") == 2 ]] || { tail -n 5 "$log"; exit 1; }
cat "$dir/testpmd.out"
