#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Speed and size: transitions a second of search and bytes a state on the barrier with many steps, then a table of times of
# the examples at the sizes people quote.  A yardstick, not a test.
#
#     usage: tests/bench/barrier.sh BITSPIN
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ ! -x "${1-}" ]; then
	echo "usage: tests/bench/barrier.sh BITSPIN" >&2
	exit 2
fi
bitspin=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

printf '%-42s %-13s %10s %12s %9s %9s %12s %8s\n' program verdict states transitions search/s total/s trans/s bytes/st

# row FILE OPTIONS
row()
{
	local verdict
	timeout 300 "$bitspin" check --quiet $2 --json "$scratch/r.json" "$root/examples/$1.c" >"$scratch/out" 2>&1
	verdict=$(tail -n 1 "$scratch/out")
	jq -r --arg name "$1 $2" --arg verdict "${verdict%%:*}" '.statistics |
		[$name, $verdict, .states, .transitions, .search_seconds, .seconds,
		 (if .search_seconds > 0 then (.transitions / .search_seconds | floor) else 0 end), (.bytes_per_state | floor)] | @tsv' \
		"$scratch/r.json" | while IFS=$'\t' read -r a b c d e f g h; do
		printf '%-42s %-13s %10s %12s %9.2f %9.2f %12s %8s\n' "$a" "$b" "$c" "$d" "$e" "$f" "$g" "$h"
	done
	rm -f "$scratch/r.json"
}

for steps in 1 20 50 200; do
	row barrier "-DTHREADS=4 -DSTEPS=$steps"
done
row barrier '-DTHREADS=3 -DSTEPS=2'
row barrier '-DTHREADS=2 -DSTEPS=5'
row barrier '-DTHREADS=5 -DSTEPS=1'
row pool -DWORKERS=4
row indexer -DTHREADS=3
row indexer -DTHREADS=5
for n in 2 3 4 5 6 7 8 9 10; do
	row queue -DN=$n
done
row queue_fixed '-DN=2 -DITEMS=3'
row semaphores ''
row lost_update ''
row use_after_free '--races ignore'
row deadlock ''
row lost_wakeup ''
