#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The cache of transitions and the set of visited states (runtime/search/reduce/transition_cache.c, lookahead.c) change nothing, on random
# programs of all kinds, by turns: without reductions, the same states are visited in the same order as without summaries of steps and the
# cache, so verdict, violation and figures are the same.  Each step that is found in the cache is taken, too, and compared.
#
#     usage: tests/bench/cached.sh BITSPIN [COUNT [FIRST]]        (60 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
generators=(random_program random_blocking random_chained random_creators random_ends random_lockfree random_sections random_slices
	random_spins random_symmetric random_useless random_workers)
quick_pans

figures() # mode
{
	BITSPIN_SUMMARIES=$1 timeout 60 "$BITSPIN" check --quiet --cores 1 --reduction none --max-time 40 --json "$dir/r.json" "$dir/p.c" \
		>"$dir/said" 2>&1
	jq -c '[.verdict, .statistics.states, .statistics.transitions] + [.violations[]? | .kind, .line]' "$dir/r.json" 2>/dev/null ||
		head -n 2 "$dir/said"
}

# The generators take turns.
one()
{
	local off with mode seed=$1 generator=${generators[$1 % ${#generators[@]}]}
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$GENERATORS/$generator" "$seed" >"$dir/p.c"
	off=$(figures off)
	[[ $off != *inconclusive* ]] || { echo "skip $seed: $off"; return; }
	for mode in check on; do
		with=$(figures $mode)
		[ "$off" != "$with" ] || { echo "ok $seed"; continue; }
		echo "FAIL $seed ($generator, $mode): $with, without: $off"
		keep_program "cached_$generator" "$seed" "$mode: $with, without: $off" "$dir/p.c"
	done
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/cached.sh BITSPIN [COUNT [FIRST]]'
make_scratch
export BITSPIN=$bitspin GENERATORS=$scratch
for generator in "${generators[@]}"; do
	${CC:-cc} -o "$scratch/$generator" "$root/tests/bench/$generator.c" || exit 2
done
each_seed "${2:-60}" "${3:-1}"
skipped=$(number skip)
finish "$skipped programs did not come to an end"
