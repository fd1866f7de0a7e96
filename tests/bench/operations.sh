#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Operations on random operands: what the programs of operations/ print in the VM is what they print natively.  They print a hash of
# all results so far, once for each hundred of the COUNT operands.
#
#     usage: tests/bench/operations.sh BITSPIN [COUNT [FILTER]]        (10000 and all)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1:-}" "tests/bench/operations.sh BITSPIN [COUNT [FILTER]]"
count=${2:-10000}
make_scratch
for file in "$root"/tests/bench/operations/*.c; do
	[[ $file =~ ${3:-.} ]] || continue
	for level in -O0 -O2; do
		wrong=
		clang -w $level -DCOUNT="$count" -o "$scratch/native" "$file" && "$scratch/native" >"$scratch/expected" || wrong="does not run natively"
		[ "$(wc -l <"$scratch/expected")" -ge $((count / 100)) ] || wrong="prints too little natively"
		"$bitspin" check --quiet $level -DCOUNT="$count" --output "$scratch/found" "$file" >"$scratch/log" 2>&1 || wrong=$(tail -1 "$scratch/log")
		cmp -s "$scratch/expected" "$scratch/found" || wrong=${wrong:-$(diff "$scratch/expected" "$scratch/found" | head -2 | tr '\n' ' ')}
		result "$(basename "$file") $level" "$wrong"
	done
done
finish
