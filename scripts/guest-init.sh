#!/bin/sh
# shellcheck shell=dash
# SPDX-License-Identifier: BSD-3-Clause
# The test guest's first process: brings up eth0 and rxe0, then obeys a host over a
# virtio-serial port, which is not the network under test.
#
# Kernel command line: ry.ip4=ADDR/LEN ry.ip6=ADDR/LEN ry.mtu=BYTES, each optional.
# A request is one line "ID SECONDS BASE64(shell command)"; its answer one line
# "ID STATUS BASE64(output)". The answer 0 tells how bringing up went.

/bin/busybox mkdir -p /usr/bin /usr/sbin /sbin
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
for applet in $(/bin/busybox --list); do
	# Debian's own ip and the like stay in front.
	[ -e "/usr/bin/$applet" ] || [ -e "/usr/sbin/$applet" ] || [ -e "/sbin/$applet" ] ||
		[ -e "/bin/$applet" ] || /bin/busybox ln -s busybox "/bin/$applet"
done
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/ IFS='
 	'

option() { # NAME
	sed -n "s/.*\bry\.$1=\([^ ]*\).*/\1/p" /proc/cmdline
}

bring_up() {
	while read -r module; do
		insmod "/modules/$module" || return 1
	done </modules/order
	ulimit -l unlimited
	# Addresses shall be usable at once, and only those that were asked for shall exist.
	echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad
	echo 0 >/proc/sys/net/ipv6/conf/all/accept_ra
	echo 0 >/proc/sys/net/ipv6/conf/eth0/accept_dad
	echo 0 >/proc/sys/net/ipv6/conf/eth0/accept_ra
	ip link set lo up
	ip link set eth0 mtu "$(option mtu)" up || return 1
	rdma link add rxe0 type rxe netdev eth0 || return 1
	[ -z "$(option ip4)" ] || ip address add "$(option ip4)" dev eth0 || return 1
	[ -z "$(option ip6)" ] || ip address add "$(option ip6)" dev eth0 nodad || return 1
}

answer() { # ID STATUS FILE
	printf '%s %s %s\n' "$1" "$2" "$(base64 -w 0 <"$3")" >&3
}

obey() {
	while read -r id seconds command <&3; do
		echo "$command" | base64 -d >/tmp/command
		timeout "$seconds" /bin/sh /tmp/command >/tmp/output 2>&1 </dev/null 3>&-
		answer "$id" $? /tmp/output
	done
}

bring_up >/tmp/output 2>&1
status=$?
cat /tmp/output
port=/dev/vport1p1
for port in /dev/vport*p1; do :; done
exec 3<>"$port"
stty raw -echo <&3 2>/dev/null
answer 0 "$status" /tmp/output
obey
poweroff -f
