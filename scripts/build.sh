#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# build.sh DIR [-DOPTION=VALUE...] [-- TARGET...]: sets up the build directory if it is not there or
# was set up with other options, and builds. CC chooses the compiler of a new one.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
if (($# == 0)); then
	echo "usage: build.sh DIR [-DOPTION=VALUE...] [-- TARGET...]" >&2
	exit 2
fi
dir=$1
shift
options=()
while (($#)) && [[ $1 != -- ]]; do
	options+=("$1")
	shift
done
if (($#)); then shift; fi

stamp=$dir/.options
if [[ ! -e $dir/build.ninja ]]; then
	meson setup "$dir" "$top" "${options[@]}" </dev/null
elif [[ $(cat "$stamp" 2>/dev/null) != "${options[*]}" ]]; then
	meson setup --reconfigure "$dir" "$top" "${options[@]}" </dev/null
fi
echo "${options[*]}" >"$stamp"
exec ninja -C "$dir" "$@"
