#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds what a test guest boots: Debian's own kernel with rdma_rxe, and an initramfs with
# busybox, the rdma tools and perftest exactly as Debian ships them.
#
#	guest-image.sh [DIR]         default: build/guest; prints the directory of this image
#
# Needs no root. The kernel is downloaded once with apt-get and never installed. The image's
# directory is named by the content that goes in (this script, the guest's init, package
# versions), so an up-to-date one is found again in a fraction of a second.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${1:-$here/../build/guest}

modules=(virtio_pci virtio_net virtio_console 8021q rdma_rxe ib_uverbs rdma_ucm ib_umad
	crc32_generic) # rxe asks the crypto API for "crc32" and says only "failed to add"
programs=(dash ip rdma tcpdump ibv_devinfo ibv_devices ibv_rc_pingpong
	ib_write_bw ib_write_lat ib_send_bw ib_send_lat ib_read_bw ib_read_lat
	ib_atomic_bw ib_atomic_lat)
packages=(busybox-static dash iproute2 tcpdump ibverbs-utils ibverbs-providers libibverbs1
	librdmacm1 perftest libc6)

say() { printf 'guest-image: %s\n' "$*" >&2; }
die() { say "$*"; exit 3; }

kernel_package() {
	apt-cache depends linux-image-amd64 2>/dev/null |
		awk '$1 == "Depends:" && $2 ~ /^linux-image-/ {print $2; exit}'
}

# The kernel that the package lists name; without lists, the newest that was fetched before.
find_kernel() {
	local package
	package=$(kernel_package)
	if [ -z "$package" ] && [ "$EUID" -eq 0 ]; then
		apt-get -q update >/dev/null 2>&1 || true
		package=$(kernel_package)
	fi
	[ -n "$package" ] || package=$(cd "$cache/kernel" 2>/dev/null &&
		printf '%s\n' linux-image-* | sort -V | tail -n 1)
	case $package in
	'' | 'linux-image-*') die "apt knows no linux-image-amd64: run apt-get update" ;;
	esac
	printf '%s\n' "$package"
}

# Downloads and unpacks the package; the directory appears whole or not at all.
fetch_kernel() {
	local package=$1 tmp=$2/kernel
	[ ! -d "$cache/kernel/$package" ] || return 0
	say "fetching $package (70 MB)"
	mkdir -p "$tmp/deb" "$cache/kernel"
	(cd "$tmp/deb" && apt-get -q download "$package" >"$tmp/log" 2>&1) ||
		die "apt-get download $package: $(tail -n 1 "$tmp/log")"
	dpkg-deb -x "$tmp"/deb/*.deb "$tmp/root"
	depmod -b "$tmp/root" "${package#linux-image-}"
	mv -T "$tmp/root" "$cache/kernel/$package" 2>/dev/null || [ -d "$cache/kernel/$package" ]
}

# QEMU's PVH entry starts an uncompressed kernel: the guest does not unpack xz under emulation.
unpack_vmlinux() {
	local offset
	offset=$(LC_ALL=C grep -abo $'\xfd7zXZ' "$1" | head -n 1 | cut -d: -f1) || true
	if [ -z "$offset" ]; then
		cp "$1" "$2"
		return
	fi
	# What follows the stream inside bzImage makes xz complain after it has written all.
	tail -c "+$((offset + 1))" "$1" | xz -dc --single-stream >"$2" 2>/dev/null || true
	[ "$(head -c 4 "$2" | tail -c 3)" = ELF ] || cp "$1" "$2"
}

with_libraries() { # of dynamic binaries: the files themselves and all they load
	printf '%s\n' "$@"
	ldd "$@" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// {print $3} $1 ~ /^\/.*ld-linux/ {print $1}'
}

copy_programs() {
	local root=$1 name files=()
	for name in "${programs[@]}"; do
		files+=("$(command -v "$name")") || die "$name is missing: install ${packages[*]}"
	done
	files+=(/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav*.so)
	with_libraries "${files[@]}" | sort -u | while read -r name; do
		install -D "$name" "$root$name"
	done
	mkdir -p "$root/etc/libibverbs.d" "$root/bin"
	echo 'driver rxe' >"$root/etc/libibverbs.d/rxe.driver"
	# tcpdump wants to become a user of this name; here there is only root.
	printf '%s:x:0:0::/:/bin/sh\n' root tcpdump >"$root/etc/passwd"
	cp "$(command -v busybox)" "$root/bin/busybox"
	# Not busybox's own shell: it takes its applets before the programs in PATH.
	ln -s "$(realpath "$(command -v dash)")" "$root/bin/sh"
}

copy_modules() {
	local root=$1 kernel=$2 version=$3 name file
	mkdir -p "$root/modules"
	for name in "${modules[@]}"; do
		modprobe -d "$(cd "$kernel" && pwd)" -S "$version" --show-depends "$name"
	done | awk '$1 == "insmod" && !seen[$2]++ {print $2}' | while read -r file; do
		cp "$file" "$root/modules/"
		basename "$file" >>"$root/modules/order"
	done
}

# The same files give the same archive: fixed times, owner, order and inode numbers.
pack() {
	find "$1" -exec touch -h -d @0 {} +
	(cd "$1" && find . -print0 | LC_ALL=C sort -z |
		cpio --quiet -0 -o -H newc -R 0:0 --reproducible) >"$2"
}

main() {
	local package key tmp image
	busybox --list 2>/dev/null | grep -x base64 >/dev/null || die "busybox is missing: install busybox-static"
	package=$(find_kernel)
	key=$({ echo "$package"; cat "${BASH_SOURCE[0]}" "$here/guest-init.sh"
		dpkg-query -W "${packages[@]}"; } | sha256sum | cut -c1-16)
	image=$cache/$key
	if [ ! -d "$image" ]; then
		mkdir -p "$cache"
		tmp=$(mktemp -d "$cache/.tmp.XXXXXX")
		# shellcheck disable=SC2064 # tmp is local: expand now
		trap "rm -rf '$tmp'" EXIT
		fetch_kernel "$package" "$tmp"
		say "making the image $key"
		mkdir -p "$tmp/image" "$tmp/root"/{proc,sys,dev,tmp,run,etc}
		copy_programs "$tmp/root"
		copy_modules "$tmp/root" "$cache/kernel/$package" "${package#linux-image-}"
		install "$here/guest-init.sh" "$tmp/root/init"
		pack "$tmp/root" "$tmp/image/initramfs"
		unpack_vmlinux "$cache/kernel/$package/boot/vmlinuz-${package#linux-image-}" \
			"$tmp/image/vmlinux"
		mv -T "$tmp/image" "$image" 2>/dev/null || [ -d "$image" ]
	fi
	(cd "$image" && pwd)
}

main
