#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# States and seconds of search, for programs whose number of threads grows: with all reductions, and with some of them.  A search
# gets a minute.
#
#     usage: tests/bench/states.sh BITSPIN [FILTER]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/bench/states.sh BITSPIN [FILTER]'
here=$root/tests/bench/states pairs=$root/tests/bench/pairs examples=$root/examples
sets=(all all,-slicing supersteps,persistent supersteps,ends,transactions)

# "states seconds" of one search, with "+" behind what was not finished.
search() # set, file, options
{
	local set=$1
	shift
	"$bitspin" check --quiet --max-time 60 --reduction "$set" --json "$scratch/result" "$@" >/dev/null 2>&1
	jq -r '"\(.statistics.states)\(if .verdict == "inconclusive" then "+" else "" end) \(.statistics.search_seconds)"' "$scratch/result"
}

make_scratch
printf '%-34s' program
printf '%30s' "${sets[@]}"
echo
while read -r file options; do
	[[ "${file##*/} $options" =~ ${2-} ]] || continue
	printf '%-34s' "$(basename "$file" .c) $options"
	for set in "${sets[@]}"; do
		read -r states seconds <<<"$(search "$set" "$file" $options)"
		printf '%20s %7.2f s' "$states" "$seconds"
	done
	echo
done <<EOF
$examples/barrier.c -DTHREADS=7 -DSTEPS=1
$examples/barrier.c -DTHREADS=9 -DSTEPS=1
$examples/pool.c -DWORKERS=6
$examples/pool.c -DWORKERS=8
$here/futex.c -DSPINS=0
$here/futex.c -DSPINS=128
$here/buffer.c -DN=3
$here/buffer.c -DN=4
$here/readers.c -DN=7
$here/adds.c -DN=9
$pairs/philosophers.c -DN=6
$pairs/philosophers.c -DN=7
$here/last_zero.c -DN=6
$here/last_zero.c -DN=7
$here/creators.c -DN=4
$here/creators.c -DN=6
$here/filesystem.c -DN=16
$here/filesystem.c -DN=18
$here/stack.c -DN=10
$here/stack.c -DN=20
$here/statistics.c -DN=5
$here/counters.c -DN=5 -DSECTIONS=4
$here/counters.c -DN=2 -DSECTIONS=8
$here/printing.c -DN=3
$examples/indexer.c -DTHREADS=12
$examples/indexer.c -DTHREADS=15
EOF
