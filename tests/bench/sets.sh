#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Inputs as sets of values (--inputs sets), against all values one by one: random programs with inputs of at most 4 bits.  Verdicts
# are too weak to find mistakes: the states with sets, each expanded into the concrete states that it stands for, must be the states
# of the other search, and so must be the ways in which paths end.
#
# Or as terms with conditions (--inputs symbolic), in the same way.
#
#     usage: tests/bench/sets.sh BITSPIN [COUNT [FIRST [INPUTS]]]        (200, 1 and sets)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"

wrong() # seed, what
{
	echo "FAIL $1: $2"
	keep_program sets "$1" "$2" "$dir/p.c"
}

# The states and ends of the program with these options, sorted, or its violations; the last line says whether these are all.
states() # name, "" or ends, options...
{
	local name=$1 what=$2
	shift 2
	"$BITSPIN" generate --quiet -O0 "$@" "$dir/p.c" -o "$dir/$name" >"$dir/$name.err" 2>&1 &&
		BITSPIN_RESULT=/dev/null BITSPIN_IMAGE=$dir/$name/program.image timeout 60 "$SETS" $what >"$dir/$name.out" 2>"$dir/$name.err"
}

# The violations with sets and all reductions are those of each value without any.
reduced()
{
	local seed=$1 most=$2
	states none ends --reduction none && states all ends --inputs "$INPUTS" --max-values "$most" || return 0
	if [ "$(tail -n 1 "$dir/none.out")" != whole ] || [ "$(tail -n 1 "$dir/all.out")" != whole ]; then
		echo "reductions-given-up $seed"
	elif cmp -s "$dir/none.out" "$dir/all.out"; then
		echo "reductions $seed"
	else
		wrong "$seed" "with reductions: $(tr '\n' ' ' <"$dir/all.out"), without: $(tr '\n' ' ' <"$dir/none.out")"
	fi
}

one()
{
	local seed=$1 few sets most=$(($1 % 2 ? 256 : 5)) # with few, sets are in pieces
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$GENERATOR" "$seed" >"$dir/p.c"
	states few "" --reduction none; few=$?
	states sets "" --reduction none --inputs "$INPUTS" --max-values "$most"; sets=$?
	if [ $few = 124 ] || [ $sets = 124 ] || [ "$(tail -n 1 "$dir/few.out")" = large ]; then
		echo "large $seed"
	elif [ $few != 0 ] || [ $sets != 0 ]; then
		wrong "$seed" "ends with status $few, and $sets with sets: $(tail -n 1 "$dir/sets.err")"
	elif [ "$(tail -n 1 "$dir/sets.out")" != whole ]; then
		echo "given-up $seed"
	elif cmp -s "$dir/few.out" "$dir/sets.out"; then
		echo "ok $seed"
		reduced "$seed" "$most"
	else
		wrong "$seed" "$(diff "$dir/few.out" "$dir/sets.out" | grep -c '^<') states are missing, $(diff "$dir/few.out" "$dir/sets.out" | grep -c '^>') are too many"
	fi
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/sets.sh BITSPIN [COUNT [FIRST [INPUTS]]]'
make_scratch
export BITSPIN=$bitspin GENERATOR=$scratch/random_sets SETS=$scratch/sets INPUTS=${4:-sets}
export BITSPIN_SOLVER=$(dirname "$(realpath "$bitspin")")/libbitspin-sat.so
gcc -O1 -o "$GENERATOR" "$root/tests/bench/random_sets.c" || exit 2
gcc -O2 -g -o "$SETS" "$root/tests/bench/sets.c" "$(dirname "$bitspin")/libbitspin-vm.a" -lffi -ljansson -lm || exit 2
count=${2:-200}
each_seed "$count" "${3:-1}"
if [ $((2 * $(number ok))) -lt "$count" ]; then
	echo "FAIL too many programs are not compared"
	failed=$((failed + 1))
fi
finish "$(number ok) the same, $(number reductions) with reductions, $(number given-up) given up, $(number large) too large"
