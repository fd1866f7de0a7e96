#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Inputs as sets of values (--inputs sets), against all values one by one: random programs with inputs of at most 4 bits.  Verdicts
# are too weak to find mistakes: the states with sets, each expanded into the concrete states that it stands for, must be the states
# of the other search, and so must be the ways in which paths end.
#
# Or as terms with conditions (--inputs symbolic), in the same way.  Every other program relates its inputs to each other; each one
# with RELATIONS=1.  A search may take SECONDS_EACH seconds of CPU (4).  With MEMORY=c11:2 or another model: programs with atomics
# of all orders under --memory.  With REALS=1: programs with inputs that are floating-point numbers.  With ALIKE=1: threads that main
# starts with one function; the states with these sorted must be the same, too.
#
#     usage: tests/bench/sets.sh BITSPIN [COUNT [FIRST [INPUTS]]]        (200, 1 and sets)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"

wrong() # seed, what
{
	echo "FAIL $1: $2"
	keep_program sets "$1" "$2" "$dir/p.c"
}

# The image of the program with these options.
image() # name, options...
{
	local name=$1
	shift
	"$BITSPIN" generate --quiet -O0 ${MEMORY:+--memory "$MEMORY"} "$@" "$dir/p.c" -o "$dir/$name" >"$dir/$name.err" 2>&1
}

# The states and ends of an image, sorted, or its violations; the last line says whether these are all.  Status 152: it has not ended
# in SECONDS_EACH seconds of CPU.
states() # image, name, "" or ends
{
	(ulimit -St "${SECONDS_EACH:-4}" && BITSPIN_RESULT=/dev/null BITSPIN_IMAGE=$dir/$1/program.image \
		exec "$SETS" $3 >"$dir/$2.out" 2>"$dir/$2.err")
}

# Say "NAME SEED" if the outputs few.out and NAME.out of two searches, which ended with these statuses, are the same.
compare() # seed, name, status of few, status of the other, what differs
{
	local seed=$1 name=$2 few=$3 other=$4 what=$5
	if [ "$few" = 152 ] || [ "$other" = 152 ]; then
		echo "$name-given-up $seed"
	elif [ "$few" != 0 ] || [ "$other" != 0 ]; then
		wrong "$seed" "$what: ends with status $few, and $other with sets: $(tail -n 1 "$dir/$name.err")"
	elif [ "$(tail -n 1 "$dir/few.out")" != whole ] || [ "$(tail -n 1 "$dir/$name.out")" != whole ]; then
		echo "$name-given-up $seed"
	elif cmp -s "$dir/few.out" "$dir/$name.out"; then
		echo "$name $seed"
	else
		wrong "$seed" "$what: $(differing "$name"), first $(diff "$dir/few.out" "$dir/$name.out" | grep -m 1 '^[<>]')"
	fi
}

# How many lines of few.out are not in NAME.out, and the other way round.
differing() # name
{
	echo "$(diff "$dir/few.out" "$dir/$1.out" | grep -c '^<') are missing, $(diff "$dir/few.out" "$dir/$1.out" | grep -c '^>') are too many"
}

# The violations with sets and all reductions are those of each value without any.
reduced()
{
	local seed=$1 most=$2 few other
	states few few ends; few=$?
	image reductions --inputs "$INPUTS" --max-values "$most" && states reductions reductions ends; other=$?
	compare "$seed" reductions "$few" "$other" "with all reductions"
}

# So are the states within a bound on preemptions: no answer to a question about an input is one.  Without endless waits: where a
# state hangs, the path ends, and with sets that is known later.
bounded()
{
	local seed=$1 most=$2 n=$(($1 % 3)) few other
	local options=(--reduction none --waits ignore --preemptions "$n")
	image few "${options[@]}" && states few few bound; few=$?
	image bounded "${options[@]}" --inputs "$INPUTS" --max-values "$most" && states bounded bounded bound; other=$?
	compare "$seed" bounded "$few" "$other" "within $n preemptions"
}

# So are the states with threads sorted, with inputs as sets and one by one.
sorted()
{
	local seed=$1 most=$2 few other
	image few --reduction symmetry && states few few ""; few=$?
	image sorted --reduction symmetry --inputs "$INPUTS" --max-values "$most" && states sorted sorted ""; other=$?
	compare "$seed" sorted "$few" "$other" "with sorted threads"
}

one()
{
	local seed=$1 few sets most=$(($1 % 4 < 2 ? 256 : ${MEMORY:+4*}5)) # with few, sets are in pieces
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	local kind=$([ "${REALS-}" ] && echo states || [ "${RELATIONS-$((seed % 2))}" = 0 ] || echo relations)
	"$GENERATOR" "$seed" ${MEMORY:+weak} ${ALIKE:+alike} $kind >"$dir/p.c"
	image few --reduction none && states few few ""; few=$?
	if [ $few = 152 ] || [ "$(tail -n 1 "$dir/few.out")" = large ]; then
		echo "large $seed"
		return
	fi
	image sets --reduction none --inputs "$INPUTS" --max-values "$most" && states sets sets ""; sets=$?
	if [ $sets = 152 ]; then
		echo "slow $seed"
	elif [ $few != 0 ] || [ $sets != 0 ]; then
		wrong "$seed" "ends with status $few, and $sets with sets: $(tail -n 1 "$dir/sets.err")"
	elif [ "$(tail -n 1 "$dir/sets.out")" != whole ]; then
		echo "given-up $seed: $(tail -n 1 "$dir/sets.err")"
	elif cmp -s "$dir/few.out" "$dir/sets.out"; then
		echo "ok $seed"
		reduced "$seed" "$most"
		[ "${MEMORY-}" ] || bounded "$seed" "$most"
		[ -z "${ALIKE-}" ] || sorted "$seed" "$most"
	else
		wrong "$seed" "states: $(differing sets)"
	fi
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/sets.sh BITSPIN [COUNT [FIRST [INPUTS]]]'
make_scratch
export BITSPIN=$bitspin GENERATOR=$scratch/random SETS=$scratch/sets INPUTS=${4:-sets}
export BITSPIN_SOLVER=$(dirname "$(realpath "$bitspin")")/libbitspin-sat.so
gcc -O1 -o "$GENERATOR" "$root/tests/bench/random_$([ "${REALS-}" ] && echo reals || echo sets).c" || exit 2
gcc -O2 -g -o "$SETS" "$root/tests/bench/sets.c" "$(dirname "$bitspin")/libbitspin-vm.a" -lffi -ljansson -lm || exit 2
count=${2:-200}
each_seed "$count" "${3:-1}"
if [ $((2 * $(number ok))) -lt "$count" ]; then
	echo "FAIL too many programs are not compared"
	failed=$((failed + 1))
fi
finish "$(number ok) the same, $(number "reductions ") with reductions, $(number "bounded ") within a bound, $(number "sorted ") sorted, $(number given-up) given up, $(number large) too large, $(number slow) too slow"
