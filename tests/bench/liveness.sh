#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What formulas cost: states and time of the safety search, of a formula that holds without fairness (at most 4 times the
# time of the safety search), and of the same under weak fairness (at most threads + 2 times more).  Then the ticket lock's
# response under weak fairness (under 10 s).  A yardstick, not a test.
#
#     usage: tests/bench/liveness.sh BITSPIN
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ ! -x "${1-}" ]; then
	echo "usage: tests/bench/liveness.sh BITSPIN" >&2
	exit 2
fi
bitspin=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# figures PROGRAM OPTIONS...: verdict, states and seconds of the search for the formula if there is one, else of the whole.
figures()
{
	local program=$1
	shift
	timeout 300 "$bitspin" check --quiet --json "$scratch/r.json" "$@" "$root/examples/$program.c" >"$scratch/out" 2>&1
	jq -r '(.formulas[0] // .) as $f | [$f.verdict, $f.statistics.states, $f.statistics.search_seconds] | @tsv' "$scratch/r.json"
	rm -f "$scratch/r.json"
}

# row PROGRAM THREADS FORMULA OPTIONS...
row()
{
	local program=$1 threads=$2 formula=$3 a b c
	shift 3
	a=$(figures "$program" "$@")
	b=$(figures "$program" --fairness none --ltl "$formula" "$@")
	c=$(figures "$program" --fairness weak --ltl "$formula" "$@")
	echo "$program${*:+ }$*	$threads	$formula	$a	$b	$c" | awk -F'\t' '{
		whole = $7 == "verified" # else the search ended early
		ratio = whole && $6 > 0 ? sprintf("%.1f", $9 / $6) : "-"
		fair = whole && $9 > 0 ? sprintf("%.1f", $12 / $9) : "-"
		printf "%-36s %8d %7.2f   %8d %7.2f %6.1f %6s  %-9s %8d %7.2f %6.1f %6s  %-9s %s\n",
			$1, $5, $6, $8, $9, $8 / $5, ratio, $7, $11, $12, $11 / $8, fair, $10, $3 }'
}

printf '%-36s %8s %7s   %8s %7s %6s %6s  %-9s %8s %7s %6s %6s  %-9s %s\n' program states s states s states time 'no fair.' states s \
	states time weak formula
row barrier 5 '[] {count >= 0}' -DTHREADS=4 -DSTEPS=20
row barrier 5 '[] <> {count == 0}' -DTHREADS=4 -DSTEPS=20
row barrier 7 '[] <> {count == 0}' -DTHREADS=6
row pool 5 '<> terminated' -DWORKERS=4
row peterson 3 '[] !(in(critical, 1) && in(critical, 2))'
row server 3 '[] ({slot[1] == ANSWERED} -> <> {slot[1] == IDLE})'
row ticket_lock 4 '[] (in(take, 1) -> <> in(critical, 1))' -DROUNDS=2
row ticket_lock 4 '[] (in(take, 1) -> <> in(critical, 1))' -DROUNDS=5
