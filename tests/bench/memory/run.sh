#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Random programs with atomics of all orders, under --memory c11 and tso: see compare.py.
#
#     usage: tests/bench/memory/run.sh BITSPIN [COUNT [FIRST]]        (100 and 1)
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
bitspin=$(realpath "${1:?usage: tests/bench/memory/run.sh BITSPIN [COUNT [FIRST]]}")
export BITSPIN_CC=${BITSPIN_CC:-$root/tests/quick-cc} JOBS=${JOBS:-1}
passed=0 failed=0
for model in c11 tso; do
	out=$(MODEL=$model python3 "$here/compare.py" "$bitspin" "${2:-100}" "${3:-1}" 2>&1)
	grep -v ' passed, ' <<<"$out"
	read -r ok _ bad _ < <(tail -n 1 <<<"$out")
	passed=$((passed + ok)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
