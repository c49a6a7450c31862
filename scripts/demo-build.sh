#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# demo-build.sh DIR: builds what scripts/demo.sh can use here, and no more. As root that is both
# programs; for anybody else, and without the daemon's libraries, railyard and the tests that need
# no device.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dir=${1:?usage: demo-build.sh DIR}
daemon=enabled
targets=(railyard)

"$here/setup.sh" --check tools
if ! pkg-config --exists 'libdpdk >= 22.11' libmicrohttpd; then
	daemon=disabled
	echo "demo: no DPDK or libmicrohttpd to build with: railyard alone"
fi
if ((EUID == 0)) && [[ $daemon == enabled ]]; then
	targets+=(railyardd)
else
	pkg-config --exists cunit && targets+=(model-tests)
	[[ $daemon == disabled ]] || targets+=(tests/lockstep/lockstep tests/lockstep/lockstep-record)
fi
exec "$here/build.sh" "$dir" -Ddaemon="$daemon" -- "${targets[@]}"
