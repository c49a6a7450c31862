#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# QEMU guests as RoCEv2 hosts: Debian's kernel with rdma_rxe and Debian's perftest, on a tap.
# Commands reach a guest over a virtio-serial port (a pair of fifos here), never over the network
# under test. To be read after lib.sh.
#
#	guest_boot h1 tap1 mac=02:00:00:00:00:01 ip4=10.0.0.1/16 ip6=fd00::1/64 mtu=1500
#	guests_ready
#	guest_do h1 'ping -c 3 10.0.0.2'           output on stdout, the command's own exit status
#	guest_bg h2 server 'ib_write_bw -d rxe0'   a job in the background, with a name
#	guest_join h2 server                       its output and exit status, when it has ended
#	guest_off h1

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
declare -A guest_pid guest_fd_in guest_fd_out

guest_image=${RY_GUEST_IMAGE-} # found before the script went into its namespaces

# KVM only where a kernel has been seen to speak under it: nested, it may refuse the CPU's registers
# when the machine is made, or run and never come to anything.
kvm_boots() {
	local console=$work/kvm.console pid end=$((SECONDS + 8)) spoke=1
	[ -w /dev/kvm ] || return 1
	: >"$console"
	qemu-system-x86_64 -machine q35,usb=off,sata=off -accel kvm -cpu max -m 384 -nodefaults \
		-no-user-config -display none -no-reboot -kernel "$guest_image/vmlinux" \
		-append "console=ttyS0 earlyprintk=serial,ttyS0 panic=-1" -serial "file:$console" \
		</dev/null >/dev/null 2>&1 &
	pid=$!
	while [ $spoke -ne 0 ] && ((SECONDS < end)) && kill -0 "$pid" 2>/dev/null; do
		sleep 0.1
		[ ! -s "$console" ] || spoke=0
	done
	{ kill "$pid" && wait "$pid"; } 2>/dev/null || true
	return $spoke
}

guest_accel() { # sets guest_accel_found, once a script
	[ -z "${guest_accel_found-}" ] || return 0
	guest_accel_found=tcg
	! kvm_boots || guest_accel_found=kvm
}

guests_possible() {
	command -v qemu-system-x86_64 >/dev/null || skip "qemu-system-x86 is not installed"
	guest_image=$("$top/scripts/guest-image.sh" "${RAILYARD_GUEST_CACHE:-$top/build/guest}") ||
		skip "no guest image: see above"
	export RY_GUEST_IMAGE=$guest_image
}

guest_boot() { # NAME TAP KEY=VALUE...
	local name=$1 tap=$2 mac='' mtu=1500 append='' pair dir=$work/$1 offloads in out
	shift 2
	for pair in "$@"; do
		case $pair in
		mac=*) mac=${pair#mac=} ;;
		mtu=*) mtu=${pair#mtu=} append+=" ry.$pair" ;;
		*) append+=" ry.$pair" ;;
		esac
	done
	[ -n "$guest_image" ] || guests_possible
	guest_accel
	mkdir -p "$dir"
	mkfifo "$dir/ctl.in" "$dir/ctl.out"
	# Whole frames with true checksums, as a NIC would put them on the wire.
	offloads=csum=off,gso=off,guest_csum=off,guest_tso4=off,guest_tso6=off,guest_ufo=off
	offloads+=,host_tso4=off,host_tso6=off,host_ufo=off,mrg_rxbuf=off,romfile=
	# The switch's worker goes first where guests are emulated on the same cores.
	nice -n 5 qemu-system-x86_64 -machine q35,usb=off,sata=off,smbus=off,vmport=off \
		-accel "$guest_accel_found" -cpu max -m 384 \
		-nodefaults -no-user-config -display none -no-reboot \
		-kernel "$guest_image/vmlinux" -initrd "$guest_image/initramfs" \
		-append "console=ttyS0 quiet panic=-1 mitigations=off ry.mtu=$mtu$append" \
		-serial "file:$dir/console" \
		-device virtio-serial-pci -chardev "pipe,id=ctl,path=$dir/ctl" \
		-device virtserialport,chardev=ctl \
		-netdev "tap,id=net,ifname=$tap,script=no,downscript=no" \
		-device "virtio-net-pci,netdev=net,mac=$mac,host_mtu=$mtu,$offloads" \
		</dev/null >"$dir/qemu.log" 2>&1 &
	guest_pid[$name]=$!
	exec {in}<>"$dir/ctl.in" {out}<>"$dir/ctl.out"
	guest_fd_in[$name]=$in guest_fd_out[$name]=$out
}

# Waits for the answer to request ID of a guest; prints the output, returns the status.
guest_answer() { # NAME ID SECONDS
	local name=$1 want=$2 end=$((SECONDS + $3)) part line='' id status text
	while ((SECONDS <= end)); do
		if ! IFS= read -r -t 1 -u "${guest_fd_out[$name]}" part; then
			line+=$part
			kill -0 "${guest_pid[$name]}" 2>/dev/null || { fail "guest $name is gone"; return 125; }
			continue
		fi
		read -r id status text <<<"$line$part"
		line=''
		[ "$id" = "$want" ] || continue # late, its asker gave up
		base64 -d <<<"$text"
		return "$status"
	done
	fail "guest $name did not answer in $3 s"
	return 124
}

guests_ready() {
	local name output
	for name in "${!guest_pid[@]}"; do
		output=$(guest_answer "$name" 0 90) ||
			{ guests_console; fail "guest $name did not come up: $output"; }
	done
}

guest_do() { # NAME [-t SECONDS] COMMAND
	local name=$1 seconds=60
	shift
	if [ "$1" = -t ]; then
		seconds=$2
		shift 2
	fi
	# A subshell's count would be lost: the request is named by what differs every time.
	local id=$EPOCHREALTIME.$BASHPID
	printf '%s %d %s\n' "$id" "$seconds" "$(base64 -w 0 <<<"$*")" >&"${guest_fd_in[$name]}"
	guest_answer "$name" "$id" $((seconds + 15))
}

guest_bg() { # NAME JOB COMMAND
	guest_do "$1" "rm -f /tmp/$2.status
		cat >/tmp/$2.sh <<'END'
$3
END
		setsid /bin/sh -c '(/bin/sh /tmp/$2.sh); echo \$? >/tmp/$2.new; mv /tmp/$2.new /tmp/$2.status' \
			>/tmp/$2.output 2>&1 &
		echo \$! >/tmp/$2.pid"
}

guest_stop() { # NAME JOB: ends it and what it started
	guest_do "$1" "kill -KILL -\$(cat /tmp/$2.pid) 2>/dev/null; cat /tmp/$2.output" || true
}

guest_join() { # NAME JOB [SECONDS]
	local seconds=${3:-60}
	guest_do "$1" -t $((seconds + 10)) "i=0
		while [ ! -e /tmp/$2.status ] && [ \$i -lt $((seconds * 5)) ]; do
			sleep 0.2; i=\$((i + 1))
		done
		cat /tmp/$2.output
		[ -e /tmp/$2.status ] || { echo 'job $2 has not ended'; exit 124; }
		exit \$(cat /tmp/$2.status)"
}

guest_off() { # NAME
	local name=$1 i
	guest_do "$name" -t 5 'poweroff -f' >/dev/null 2>&1 || true
	for ((i = 0; i < 50; i++)); do
		kill -0 "${guest_pid[$name]}" 2>/dev/null || break
		sleep 0.1
	done
	guest_kill "$name"
}

guest_kill() {
	kill -KILL "${guest_pid[$1]}" 2>/dev/null || true
	wait "${guest_pid[$1]}" 2>/dev/null || true
	unset "guest_pid[$1]"
	rm -rf "${work:?}/$1"
}

guests_kill() {
	local name
	for name in "${!guest_pid[@]}"; do guest_kill "$name"; done
}

guests_console() {
	local name
	for name in "${!guest_pid[@]}"; do
		printf -- '-- %s:\n' "$name"
		tail -n 15 "$work/$name/console" "$work/$name/qemu.log" 2>/dev/null
	done
}
