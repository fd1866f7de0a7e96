#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Hand-written Promela models, compared with the C programs: the verdicts must agree.  Prints both counts of states.
#
#     usage: tests/models.sh BITSPIN
. "$(dirname "$0")/lib.sh"

# compare NAME MODEL-DEFINES C-DEFINES
compare()
{
	local name=$1 by_hand=error states=- verdict found
	rm -f "$scratch"/pan*
	if (cd "$scratch" && spin $2 -a "$root/tests/models/$name.pml" && cc -w -O1 -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m1000000) >"$scratch/log" 2>&1; then
		states=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' "$scratch/log")
		grep -q 'errors: 0$' "$scratch/log" && by_hand=verified || by_hand=violated
		grep -q 'max search depth too small\|Search not completed' "$scratch/log" && by_hand=incomplete
	fi
	"$bitspin" check --quiet $3 --json "$scratch/result.json" "$root/examples/$name.c" >"$scratch/out" 2>&1
	verdict=$(tail -n 1 "$scratch/out")
	found=$(jq -r .statistics.states "$scratch/result.json" 2>/dev/null)
	printf '%-8s %-22s by hand: %-9s %8s states    bitspin: %-9s %8s states\n' "$name" "$3" "$by_hand" "$states" "${verdict%%:*}" "${found:--}"
	[ "$by_hand" = "${verdict%%:*}" ] && [ "${found:-0}" -gt 0 ] && verdict=''
	result "$name $3" "${verdict:+verdicts differ, or no statistics: $verdict}"
}

for size in '2 5' '3 1' '3 2' '4 1'; do
	compare barrier "-DN=${size% *} -DSTEPS=${size#* }" "-DTHREADS=${size% *} -DSTEPS=${size#* }"
done
for threads in 2 3; do
	compare indexer -DTHREADS=$threads -DTHREADS=$threads
done
for workers in 1 2 3 4; do
	compare pool -DWORKERS=$workers -DWORKERS=$workers
done
finish
