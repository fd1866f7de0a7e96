#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The programs in tests/c agree with real compilers: each builds with the host's compilers at -O0 and -O2 and ends with status 0.
# With SHARE in the environment (run.sh), with gcc -O2 and clang-14 -O0 only.
#
#     usage: tests/native.sh [FILTER]
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

check()
{
	local compiler=$1 level=$2 file=$3 arguments
	if ! "$compiler" -w -std=gnu17 "$level" -pthread -mcx16 -o "$scratch/program" "$file" -lm -latomic >"$scratch/log" 2>&1; then
		echo "FAIL $file $compiler $level: does not compile: $(head -1 "$scratch/log")"
		return 1
	fi
	arguments=$(sed -n 's/^ \* RUN: check.* -- //p' "$file" | head -1)
	if ! (eval "timeout 10 \"\$scratch/program\" $arguments") >"$scratch/log" 2>&1; then
		echo "FAIL $file $compiler $level: $(tail -1 "$scratch/log")"
		return 1
	fi
}

for file in "$root"/tests/c/*.c; do
	[[ $file =~ ${1-} ]] || continue
	for compiler in gcc clang clang-14 clang-19; do
		command -v $compiler >/dev/null || continue
		for level in -O0 -O2; do
			[[ -z ${SHARE-} || $compiler$level =~ ^(gcc-O2|clang-14-O0)$ ]] || continue
			if check $compiler $level "$file"; then
				passed=$((passed + 1))
			else
				failed=$((failed + 1))
			fi
		done
	done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
