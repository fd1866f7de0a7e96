#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What campaigns share that write each random program twice, in C for bitspin and in Promela for SPIN alone: both must find the same
# kinds of violation among {assertion, deadlock}.  To be included, after lib.sh and these:
#
#     campaign=NAME         of the programs that are kept
#     searches=(OPTIONS...) for bitspin, each a search
#     generate SEED         puts the texts of both into c and pml
#     by_bitspin OPTIONS... prints the kinds that bitspin finds in p.c, a blank behind each

# What SPIN finds in p.pml, as bitspin would name it.
by_hand()
{
	spin -a p.pml >spin.out 2>&1 && gcc -w -O0 -DSAFETY -DNOREDUCE -DVECTORSZ=2048 -o pan pan.c || return 1
	./pan -E -m100000 | grep -q 'errors: 1' && printf 'assertion '
	./pan -A -m100000 | grep -q 'errors: 1' && printf 'deadlock '
	return 0
}

one()
{
	local dir expected found options
	dir=$(mktemp -d) && cd "$dir" || exit 2
	generate "$1"
	printf '%s' "$c" >p.c
	printf '%s' "$pml" >p.pml
	expected=$(by_hand) || echo "FAIL $1: spin refuses p.pml"
	for options in "${searches[@]}"; do
		found=$(by_bitspin $options)
		if [ "$found" = "${expected% }" ] || [ "$found" = "$expected" ]; then
			echo "ok $1 $options [$expected]"
		else
			echo "FAIL $1 $options: found [$found], SPIN alone [$expected]"
			keep_program "$campaign" "$1" "$options: found [$found], SPIN alone [$expected]" p.c
		fi
	done
	cd / && rm -rf "$dir"
}

# The whole campaign, by its arguments: BITSPIN [COUNT [FIRST]], --show SEED; --one SEED is each_seed's.
compare_twins()
{
	if [ "${1-}" = --one ]; then
		one "$2"
		exit 0
	fi
	if [ "${1-}" = --show ]; then
		generate "$2"
		printf '%s\n%s' "$c" "$pml"
		exit 0
	fi
	need_command "${1-}" "tests/bench/$(basename "$0") BITSPIN [COUNT [FIRST]] | --show SEED"
	make_scratch
	export BITSPIN=$bitspin
	each_seed "${2:-200}" "${3:-1}"
	found() { grep -c "$1" "$scratch/results"; }
	finish "$(found '\[assertion \]') with a failed assertion, $(found deadlock) with a deadlock"
}
