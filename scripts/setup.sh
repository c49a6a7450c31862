#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# setup.sh [--try|--check] SECTION...: installs what is missing of these sections of packages.txt.
# Without root, or with --check, it installs nothing and says what is missing (exit 3; with --try
# 0, for what the caller can do without).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
mode=install
case ${1-} in
--try | --check)
	mode=${1#--}
	shift
	;;
esac
if (($# == 0)); then
	echo "usage: setup.sh [--try|--check] SECTION...   (sections of scripts/packages.txt)" >&2
	exit 2
fi

packages_of() {
	awk -v want="$1" '
		/^#/ || NF == 0 { next }
		/^\[/ { on = $1 == "[" want "]"; found += on; next }
		on { print $1 }
		END { exit !found }' "$here/packages.txt" ||
		{ echo "setup.sh: packages.txt has no section [$1]" >&2; exit 2; }
}

cannot() {
	echo "setup: $1" >&2
	[[ $mode != try ]] || exit 0
	exit 3
}

wanted=
for section in "$@"; do
	wanted+=" $(packages_of "$section")"
done
if ! command -v dpkg-query >/dev/null; then
	# Another system has other names: let the build say what it does not find.
	[[ $mode != check ]] || exit 0
	cannot "not a Debian system; what is needed goes there by the names:${wanted//$'\n'/ }"
fi

# A package that dpkg never heard of is not in its answer.
# shellcheck disable=SC2086 # a word a package
mapfile -t missing < <(
	{
		printf '%s\n' $wanted
		dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null
	} | awk 'NF == 1 { want[$1] } $1 == "installed" { delete want[$2] }
		END { for (p in want) print p }' | sort
)
((${#missing[@]})) || exit 0
if [[ $mode == check ]]; then
	cannot "missing: ${missing[*]}; \`make setup\` as root installs them"
elif ((EUID != 0)); then
	cannot "missing, and only root can: apt-get install ${missing[*]}"
fi

echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt=(apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
# A failing list of a third party's does not matter as long as the packages can be had.
"${apt[@]}" update </dev/null || echo "setup: apt-get update failed, going on with the lists there are" >&2
if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" </dev/null; then
	cannot "apt-get could not install ${missing[*]}"
fi
