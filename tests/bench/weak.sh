#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Data races by the happens-before relation of C11, on random programs with atomics of all orders, fences, locks and
# semaphores: bitspin must report a race in exactly those in which an oracle finds one that knows vector clocks and nothing
# else (clocks.c).  Each program is checked as bitspin does it by default, and once in another way.  A program on which they
# differ is left in tests/bugs/.
#
#     usage: tests/bench/weak.sh BITSPIN [COUNT [FIRST]]        (400 and 1)
#            tests/bench/weak.sh --show SEED                    the program of a seed
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
others=('--reduction none' '--search bfs' '--reduction none --search bfs' '-O1' '--reduction supersteps' '--all' '--reduction persistent')

# What is said about races: "racy", "free", or "? reason".
answer()
{
	timeout 60 "$BITSPIN" check --quiet --no-deadlock --max-time 30 "$@" "$dir/p.c" >"$dir/out" 2>&1
	local status=$? last
	last=$(tail -n 1 "$dir/out")
	case $status:$last in
	0:verified*) echo free ;;
	1:'violated: data-race at '* | 1:'violated: '*' data-race') echo racy ;;
	*) echo "? status $status: $last" ;;
	esac
}

one() # seed, verdict, objects
{
	local seed=$1 verdict=$2 got options
	[ "$verdict" != large ] || { echo "skip $seed"; return; }
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$CLOCKS" program "$seed" >"$dir/p.c"
	for options in '' "${others[seed / 4 % ${#others[@]}]}"; do
		got=$(answer $options)
		if [ "$got" = "$verdict" ]; then
			echo "ok $seed $verdict"
		else
			echo "FAIL $seed $options: '$got' against '${*:2}'"
			keep_program weak "$seed" "$options: '$got' against '${*:2}'" "$dir/p.c"
		fi
	done
}

if [ "${1-}" = --one ]; then
	one "${@:2}"
	exit 0
fi
make_scratch
export CLOCKS=$scratch/clocks
${CC:-cc} -O2 -o "$CLOCKS" "$root/tests/bench/clocks.c" || exit 2
if [ "${1-}" = --show ]; then
	"$CLOCKS" program "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/weak.sh BITSPIN [COUNT [FIRST]] | --show SEED'
export BITSPIN=$bitspin
count=${2:-400} first=${3:-1}
"$CLOCKS" verdicts "$first" "$count" | xargs -P "${JOBS:-2}" -L1 bash "$0" --one >"$scratch/results"
grep '^FAIL' "$scratch/results" | sort -k2n | cut -c1-300
programs=$(awk '{ print $2 }' "$scratch/results" | sort -u | wc -l)
passed=$(number ok) failed=$(number FAIL)
if [ "$programs" != "$count" ]; then
	echo "FAIL only $programs of $count programs were looked at"
	failed=$((failed + 1))
fi
racy=$(awk '/^ok/ && $3 == "racy" { print $2 }' "$scratch/results" | sort -u | wc -l)
finish "$programs programs from seed $first on, $racy racy, $(number skip) too large for the oracle"
