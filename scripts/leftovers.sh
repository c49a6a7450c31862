#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# leftovers.sh: lists, one a line, what a run of railyard could leave behind on this machine.
# Taken before and after a run, the lists must be equal.
set -euo pipefail
shopt -s nullglob

ip -o link show | awk -F': ' '{ sub(/@.*/, "", $2); print "netdev " $2 }'
ip netns list 2>/dev/null | awk '{ print "netns " $1 }'
for comm in /proc/[0-9]*/comm; do
	name=$(cat "$comm" 2>/dev/null || true)
	case $name in
	railyard* | qemu-system* | tshark | dumpcap)
		pid=${comm#/proc/}
		echo "process ${pid%/comm} $name"
		;;
	esac
done
for file in /dev/hugepages/* /run/railyard/* /var/run/dpdk/* /tmp/railyard*; do
	echo "file $file"
done
echo "hugepages $(cat /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages 2>/dev/null || echo 0)"
