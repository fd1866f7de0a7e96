#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Inputs of which a few values stand for all, against brute force: a random program runs natively for all values of its inputs.
# bitspin must find the rarest thing that it does then, and must not find what it never does; unless it says that only a few
# values were tried.
#
#     usage: tests/bench/inputs.sh BITSPIN [COUNT [FIRST]]        (200 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"

wrong() # seed, what
{
	echo "FAIL $1: $2"
	keep_program inputs "$1" "$2" "$dir/p.c"
}

# The verdict on whether the program of $1 can end with met == $2.
verdict()
{
	timeout 60 "$BITSPIN" check --quiet --inputs few -O0 --profile svcomp "-DWANTED=$2" "$1" 2>&1 | tail -n 1
}

one()
{
	local seed=$1 rarest never found
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$GENERATOR" "$seed" >"$dir/p.c"
	gcc -w -O1 -fwrapv -DNATIVE -o "$dir/native" "$dir/p.c" || { wrong "$seed" "does not compile"; return; }
	read -r rarest never < <("$dir/native")
	found=$(verdict "$dir/p.c" "$rarest")
	case $found in
	violated:\ assertion*) ;;
	*'only a few values were tried'*) echo "undecided $seed"; return ;;
	*) wrong "$seed" "met == $rarest happens, but: $found"; return ;;
	esac
	found=$(verdict "$dir/p.c" "$never")
	[[ $found = verified || $found = *'only a few values were tried'* ]] || { wrong "$seed" "met == $never never happens, but: $found"; return; }
	[ "$found" = verified ] && echo "ok-both $seed" || echo "ok-found $seed"
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/inputs.sh BITSPIN [COUNT [FIRST]]'
make_scratch
export BITSPIN=$bitspin GENERATOR=$scratch/random_inputs
gcc -O1 -o "$GENERATOR" "$root/tests/bench/random_inputs.c" || exit 2
count=${2:-200}
each_seed "$count" "${3:-1}"
if [ $((4 * $(number undecided))) -gt $((3 * count)) ]; then
	echo "FAIL too many programs are not decided"
	failed=$((failed + 1))
fi
finish "$(number ok-both) decided, $(number ok-found) where the rarest was found, $(number undecided) undecided"
