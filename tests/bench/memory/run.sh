#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Random programs with atomics of all orders, under --memory c11 and tso: see compare.py.  With --x86, random programs with accesses of
# several sizes, blocks and locked instructions, under --memory tso: see x86.py.
#
#     usage: tests/bench/memory/run.sh [--x86] BITSPIN [COUNT [FIRST]]        (100 and 1)
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
parts=(c11 tso)
[ "${1-}" != --x86 ] || { parts=(x86) && shift; }
bitspin=$(realpath "${1:?usage: tests/bench/memory/run.sh [--x86] BITSPIN [COUNT [FIRST]]}")
export BITSPIN_CC=${BITSPIN_CC:-$root/tests/quick-cc} JOBS=${JOBS:-1}
passed=0 failed=0
for part in "${parts[@]}"; do
	script=$here/compare.py
	[ "$part" != x86 ] || script=$here/x86.py
	out=$(MODEL=$part python3 "$script" "$bitspin" "${2:-100}" "${3:-1}" 2>&1)
	grep -v ' passed, ' <<<"$out"
	read -r ok _ bad _ < <(tail -n 1 <<<"$out")
	passed=$((passed + ok)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
