#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Inputs of which a few values stand for all, against brute force: a random program runs natively for all values of its inputs.
# bitspin must find the rarest thing that it does then, and must not find what it never does; unless it says that only a few
# values were tried.
#
# Or inputs that are floating-point numbers, as sets (reals): most programs run for all values, too.  Others have any number as their
# input, and run for those near edges and for random ones.  A violation by others of these must be confirmed.
#
#     usage: tests/bench/inputs.sh BITSPIN [COUNT [FIRST [reals]]]        (200 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"

wrong() # seed, what
{
	echo "FAIL $1: $2"
	keep_program inputs "$1" "$2" "$dir/p.c"
}

# The last line of a command, which says whether the program of $2 can end with met == $3.
verdict() # check or confirm
{
	timeout 60 "$BITSPIN" "$1" --quiet --inputs "$INPUTS" -O0 --profile svcomp "-DWANTED=$3" "$2" 2>&1 | tail -n 1
}

is_undecided()
{
	[[ $1 = *'only a few values were tried'* || $INPUTS = sets && $1 = inconclusive:* ]]
}

# The values that a story of the program has lead to met == $1 natively, too, or 60 seconds are not enough to see that.
confirmed()
{
	local says
	says=$(verdict confirm "$dir/p.c" "$1")
	[[ $says = confirmed:* || $says = 'inconclusive: interrupted'* ]] ||
		{ wrong "$seed" "met == $1 is found, but: $says"; return 1; }
}

one()
{
	local seed=$1 rarest never which found
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$GENERATOR" "$seed" >"$dir/p.c"
	$NATIVE -w -fwrapv -DNATIVE -o "$dir/native" "$dir/p.c" -lm || { wrong "$seed" "does not compile"; return; }
	read -r rarest never which < <("$dir/native")
	found=$(verdict check "$dir/p.c" "$rarest")
	if is_undecided "$found"; then
		echo "undecided $seed: $found"
		return
	fi
	[[ $found = violated:\ assertion* ]] || { wrong "$seed" "met == $rarest happens, but: $found"; return; }
	[ "$INPUTS" = few ] || [ $((seed % 4)) != 0 ] || confirmed "$rarest" || return
	found=$(verdict check "$dir/p.c" "$never")
	if [ "$which" = tried ] && [[ $found = violated:\ assertion* ]]; then
		confirmed "$never" && echo "ok-found $seed"
		return
	fi
	[ "$found" = verified ] || is_undecided "$found" || { wrong "$seed" "met == $never never happens, but: $found"; return; }
	[ "$found" = verified ] && echo "ok-both $seed" || echo "ok-found $seed"
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/inputs.sh BITSPIN [COUNT [FIRST [reals]]]'
make_scratch
export BITSPIN=$bitspin GENERATOR=$scratch/random INPUTS=few NATIVE='gcc -O1'
if [ "${4-}" = reals ]; then # which NaN comes out of two is a matter of the compiler
	INPUTS=sets NATIVE="$(clang_of_bitspin) -O0"
fi
gcc -O1 -o "$GENERATOR" "$root/tests/bench/random_${4:-inputs}.c" || exit 2
count=${2:-200}
each_seed "$count" "${3:-1}"
if [ $((4 * $(number undecided))) -gt $((3 * count)) ]; then
	echo "FAIL too many programs are not decided"
	failed=$((failed + 1))
fi
finish "$(number ok-both) decided, $(number ok-found) where the rarest was found, $(number undecided) undecided"
