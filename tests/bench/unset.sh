#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Values that were never set, against brute force: a random program runs natively with what is not set filled with 1000
# patterns.  If what it does depends on them, the VM must say so; if the VM finds nothing, it must have done the same.  A
# report that no pattern confirms may be right all the same (x == 12345); but there must be few.  VERBOSE=1 lists them.
#
#     usage: tests/bench/unset.sh BITSPIN [COUNT [FIRST]]        (200 and 1)
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)

one()
{
	local seed=$1 expected status
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$GENERATOR" "$seed" >"$dir/p.c"
	gcc -w -O0 -fwrapv -DNATIVE -o "$dir/native" "$dir/p.c" || { echo "FAIL $seed: does not compile"; return; }
	expected=$("$dir/native")
	timeout 60 "$BITSPIN" check --quiet -O0 --output "$dir/found" "$dir/p.c" >"$dir/out" 2>&1
	status=$?
	if [ $status = 1 ] && ! grep -q '^violated: uninitialized-read' "$dir/out"; then
		echo "FAIL $seed: $(tail -n 1 "$dir/out")"
	elif [ $status -gt 1 ]; then
		echo "FAIL $seed: status $status: $(tail -n 1 "$dir/out")"
	elif [ $status = 0 ] && [ "$expected" != "$(cat "$dir/found")" ]; then
		echo "FAIL $seed: verified, $(cat "$dir/found"); natively $expected"
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
if [ ! -x "${1-}" ]; then
	echo "usage: tests/bench/unset.sh BITSPIN [COUNT [FIRST]]" >&2
	exit 2
fi
BITSPIN=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
GENERATOR=$scratch/unset_program
gcc -O1 -o "$GENERATOR" "$root/tests/bench/unset_program.c" || exit 2
export BITSPIN GENERATOR
count=${2:-200} first=${3:-1}
seq "$first" $((first + count - 1)) | xargs -P "${JOBS:-2}" -I{} bash "$0" --one {} >"$scratch/results"
number() { grep -c "^$1" "$scratch/results"; }
grep '^FAIL' "$scratch/results" | sort -k2n
[ -z "${VERBOSE-}" ] || grep '^unconfirmed' "$scratch/results" | sort -k2n
failed=$(number FAIL)
if [ $((5 * $(number unconfirmed))) -gt "$count" ]; then
	echo "FAIL too many reports are not confirmed"
	failed=$((failed + 1))
fi
echo "$(number ok-verified) verified, $(number ok-violated) violated, $(number unconfirmed) violated but not confirmed"
echo "$(number ok) passed, $failed failed"
[ "$failed" = 0 ] && [ "$(number ok)" -gt 0 ]
