#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# bitspin linearize: the programs in tests/linearize/, whose head comments have pairs of lines
#
#     RUN: OPTIONS
#     EXPECT: linearizable | violated KIND | inconclusive: REASON (how the line goes on)
#
# Each pair is run with all reductions and with none.
#
#     usage: tests/linearize.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans

# pair FILE OPTIONS EXPECTED
pair()
{
	local reductions
	for reductions in all none; do
		eval "timeout 60 '$bitspin' linearize -q --reduction $reductions $2 '$1'" >out 2>err
		case $(tail -n 1 out) in
		"$3"* | "${3/violated /violated: }"*) ;;
		*) echo "--reduction $reductions: $(tail -n 1 out)$(cat err)"; return 1 ;;
		esac
	done
}

for file in "$root"/tests/linearize/*.c; do
	name=$(basename "$file" .c)
	number=0
	while IFS= read -r line; do
		case $line in
		' * RUN: '*) options=${line# \* RUN: } ;;
		' * EXPECT: '*) ok "$name-$((++number))" pair "$file" "$options" "${line# \* EXPECT: }" ;;
		esac
	done < <(sed '/^ \*\//q' "$file")
done
finish
