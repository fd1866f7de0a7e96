#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Random sequential C programs made by csmith: what they print in the VM must be what they print natively, and nothing in them
# depends on an uninitialized value.  They access members of packed structures through pointers, so alignment does not count.
#
# Programs that run natively for more than two seconds are skipped; those the VM does not finish within VM_TIMEOUT seconds
# (60) are counted as slow.  Seeds are FIRST, FIRST + 1, ...; a program that fails is left in tests/bugs/.
#
#     usage: tests/bench/csmith.sh BITSPIN [COUNT [FIRST]]        (1000 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
headers=$(dirname "$(find /usr/include /usr/local/include -name csmith.h 2>/dev/null | head -1)")

wrong() # seed, what
{
	echo "FAIL $1 $2"
	keep_program csmith "$1" "$2" "$dir/p.c"
}

# Decides one seed; prints "ok", "skip", "slow" or "FAIL" and the seed.
one()
{
	local seed=$1 level status
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	level=-O$((seed % 3))
	(cd "$dir" && csmith --seed "$seed" --max-funcs 6 --max-block-depth 3 --no-argc -o p.c) >"$dir/log" 2>&1 # writes platform.info too
	if ! gcc -w -O0 -I "$headers" -o "$dir/native" "$dir/p.c" 2>"$dir/log"; then
		echo "skip $seed: does not compile natively"
		return
	fi
	if ! timeout 2 "$dir/native" >"$dir/expected" 2>/dev/null; then
		echo "skip $seed: runs too long"
		return
	fi
	timeout "${VM_TIMEOUT:-60}" "$BITSPIN" check --quiet --races ignore --alignment ignore $level -I "$headers" --output "$dir/found" "$dir/p.c" >"$dir/out" 2>&1
	status=$?
	if [ $status = 124 ]; then
		echo "slow $seed"
	elif [ $status != 0 ]; then
		wrong "$seed" "$level: status $status: $(tail -n 1 "$dir/out" | head -c 200)"
	elif cmp -s "$dir/expected" "$dir/found"; then
		echo "ok $seed"
	else
		wrong "$seed" "$level: printed $(head -c 100 "$dir/found" 2>/dev/null | tr '\n' ' '), expected $(head -c 100 "$dir/expected")"
	fi
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
usage='tests/bench/csmith.sh BITSPIN [COUNT [FIRST]], with csmith and libcsmith-dev installed'
need_command "${1-}" "$usage"
if ! command -v csmith >/dev/null || [ "$headers" = . ]; then
	echo "usage: $usage" >&2
	exit 2
fi
make_scratch
export BITSPIN=$bitspin
each_seed "${2:-1000}" "${3:-1}"
grep '^slow' "$scratch/results" | sort -k2n
finish "$(number skip) skipped, $(number slow) slow"
