#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Uninitialized values, against brute force: a random program runs natively with uninitialized memory filled with 1000
# patterns.  If what it does depends on them, the VM must say so; if the VM finds nothing, it must have done the same.  A
# report that no pattern confirms may be right all the same (x == 12345); but there must be few.  VERBOSE=1 lists them.
#
#     usage: tests/bench/unset.sh BITSPIN [COUNT [FIRST]]        (200 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"

wrong() # seed, what
{
	echo "FAIL $1: $2"
	keep_program unset "$1" "$2" "$dir/p.c"
}

one()
{
	local seed=$1 expected status
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$GENERATOR" "$seed" >"$dir/p.c"
	gcc -w -O0 -fwrapv -DNATIVE -o "$dir/native" "$dir/p.c" || { wrong "$seed" "does not compile"; return; }
	expected=$("$dir/native")
	timeout 60 "$BITSPIN" check --quiet -O0 --output "$dir/found" "$dir/p.c" >"$dir/out" 2>&1
	status=$?
	if [ $status = 1 ] && ! grep -q '^violated: uninitialized-read' "$dir/out"; then
		wrong "$seed" "$(tail -n 1 "$dir/out")"
	elif [ $status -gt 1 ]; then
		wrong "$seed" "status $status: $(tail -n 1 "$dir/out")"
	elif [ $status = 0 ] && [ "$expected" != "$(cat "$dir/found")" ]; then
		wrong "$seed" "verified, $(cat "$dir/found"); natively $expected"
	elif [ $status = 1 ] && [ "$expected" != different ]; then
		echo "unconfirmed $seed: $(tail -n 1 "$dir/out")"
	elif [ $status = 1 ]; then
		echo "ok-violated $seed"
	else
		echo "ok-verified $seed"
	fi
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/unset.sh BITSPIN [COUNT [FIRST]]'
make_scratch
export BITSPIN=$bitspin GENERATOR=$scratch/unset_program
gcc -O1 -o "$GENERATOR" "$root/tests/bench/unset_program.c" || exit 2
count=${2:-200}
each_seed "$count" "${3:-1}"
[ -z "${VERBOSE-}" ] || grep '^unconfirmed' "$scratch/results" | sort -k2n
if [ $((5 * $(number unconfirmed))) -gt "$count" ]; then
	echo "FAIL too many reports are not confirmed"
	failed=$((failed + 1))
fi
finish "$(number ok-verified) verified, $(number ok-violated) violated, $(number unconfirmed) violated but not confirmed"
