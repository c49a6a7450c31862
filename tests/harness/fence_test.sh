#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The include fence lets pass what may, and refuses each thing that may not.
set -euo pipefail

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
passed=0 failed=0

# name, expected (passes|refused), file, its text
case_is() {
	local name=$1 expected=$2 file=$3 text=$4 got=passes
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/$(dirname "$file")"
	printf '%s\n' "$text" >"$tree/$file"
	scripts/fence.sh "$tree" >"$tree/out" 2>&1 || got=refused
	if [[ $got == "$expected" ]] && { [[ $got == passes ]] || grep -q "^$file:1:" "$tree/out"; }; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "fence__$name: $got, expected $expected at $file:1"
		cat "$tree/out"
	fi
}

case_is down passes control/a.c '#include "dataplane/model/sw.h"'
case_is own_directory passes dataplane/model/a.c '#include "sw.h"'
case_is up refused dataplane/model/a.c '#include "control/scenario.h"'
case_is sideways refused dataplane/sim/a.c '#include "dataplane/rt/rt.h"'
case_is pipelines_up refused pipelines/a.c '#include "control/scenario.h"'
case_is rt_may_dpdk passes dataplane/rt/a.c '#include <rte_mbuf.h>'
case_is model_dpdk refused dataplane/model/a.c '#include <rte_mbuf.h>'
case_is control_dpdk refused control/daemon/a.c '#include <rte_eal.h>'
case_is rt_contract passes control/a.c '#include "dataplane/rt/rt.h"'
case_is daemon_rt passes control/daemon/a.c '#include "dataplane/rt/netdev_guard.h"'
case_is rt_inside refused control/cli/a.c '#include "dataplane/rt/worker.h"'
case_is clock refused dataplane/model/a.c 'x = clock_gettime(CLOCK_REALTIME, &t);'
case_is random refused pipelines/a.c 'x = rand();'
case_is output refused dataplane/model/a.c 'printf("x");'
case_is into_a_buffer passes dataplane/model/a.c 'snprintf(buf, sizeof(buf), "x");'
case_is comment passes dataplane/model/a.c '/* not like rand() or rte_mbuf */ int x;'
case_is after_comment refused dataplane/model/a.c '/* a */ x = rand(); /* b */'
case_is in_a_string passes dataplane/model/a.c 'const char *s = "call rand() twice";'
case_is longer_name passes dataplane/model/a.c 'x = queue_time(q) + operand(y);'

echo "$passed passed, $failed failed"
((failed == 0))
