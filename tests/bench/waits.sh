#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Endless waits in loops: random programs whose loops only read (random_waits.c).  What a check finds by itself, with reductions and
# without, must be what the formula of termination finds under strong fairness (so that who waits for a mutex gets it in the end).
#
#     usage: tests/bench/waits.sh BITSPIN [COUNT [FIRST]]        (200 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/bench/waits.sh BITSPIN [COUNT [FIRST]]'
make_scratch
count=${2:-200} first=${3:-1} hangs=0 skipped=0
${CC:-cc} -o "$scratch/random_waits" "$root/tests/bench/random_waits.c" || exit 2
quick_pans

# "ends", "hangs", or what went wrong.
ask() # options
{
	local line
	line=$(timeout 100 "$bitspin" check --quiet --search dfs --max-time 60 "$@" "$scratch/p.c" 2>&1 | tail -n 1)
	case $line in
	verified*) echo ends ;;
	'violated: deadlock'* | 'violated: ltl'*) echo hangs ;;
	inconclusive*) echo unknown ;;
	*) echo "$line" ;;
	esac
}

for ((seed = first; seed < first + count; seed++)); do
	"$scratch/random_waits" "$seed" >"$scratch/p.c"
	expected=$(ask --property termination --fairness strong)
	[ "$expected" != unknown ] || { skipped=$((skipped + 1)); continue; }
	[ "$expected" != hangs ] || hangs=$((hangs + 1))
	reason=
	for options in '' '--reduction none'; do
		got=$(ask $options)
		[ "$got" = "$expected" ] || [ "$got" = unknown ] || reason+="'$options' says $got, not $expected; "
	done
	[ -z "$reason" ] || keep_program waits "$seed" "$reason" "$scratch/p.c"
	result "seed $seed" "$reason"
done

finish "$hangs hang, $skipped skipped"
