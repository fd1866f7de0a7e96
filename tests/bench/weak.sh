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
set -u
others=('--reduction none' '--search bfs' '--reduction none --search bfs' '-O1' '--reduction supersteps' '--all' '--reduction persistent')

keep() # seed, what
{
	local file=$BUGS/weak-$1.c
	mkdir -p "$BUGS"
	{
		printf '/* SPDX-License-Identifier: MIT\n *\n * Made by clocks.c from seed %s; found by weak.sh:\n * %s\n */\n' "$1" "${2:0:110}"
		cat "$dir/p.c"
	} >"$file"
}

# What is said about races: "racy", "free", or "? reason".
answer()
{
	timeout 60 "$BITSPIN" check --quiet --no-deadlock --max-time 30 "$@" "$dir/p.c" >"$dir/out" 2>&1
	local status=$? last
	last=$(tail -n 1 "$dir/out")
	case $status:$last in
	0:verified*) echo free ;;
	1:'violated: data-race at '*) echo racy ;;
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
			keep "$seed" "$options: '$got' against '${*:2}'"
		fi
	done
}

if [ "${1-}" = --one ]; then
	one "${@:2}"
	exit 0
fi
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export CLOCKS=$scratch/clocks BUGS=${BUGS:-$here/../bugs}
${CC:-cc} -O2 -o "$CLOCKS" "$here/clocks.c" || exit 2
if [ "${1-}" = --show ]; then
	"$CLOCKS" program "$2"
	exit 0
fi
if [ ! -x "${1-}" ]; then
	echo "usage: tests/bench/weak.sh BITSPIN [COUNT [FIRST]] | --show SEED" >&2
	exit 2
fi
BITSPIN=$(realpath "$1")
export BITSPIN
count=${2:-400} first=${3:-1}
"$CLOCKS" verdicts "$first" "$count" | xargs -P "${JOBS:-2}" -L1 bash "$0" --one >"$scratch/results"
grep '^FAIL' "$scratch/results" | sort -k2n | cut -c1-300
number() { grep -c "^$1" "$scratch/results"; }
programs=$(awk '{ print $2 }' "$scratch/results" | sort -u | wc -l)
failed=$(number FAIL)
if [ "$programs" != "$count" ]; then
	echo "FAIL only $programs of $count programs were looked at"
	failed=$((failed + 1))
fi
racy=$(awk '/^ok/ && $3 == "racy" { print $2 }' "$scratch/results" | sort -u | wc -l)
echo "$(number ok) passed, $failed failed ($programs programs from seed $first on, $racy racy, $(number skip) too large for the oracle)"
[ "$failed" = 0 ] && [ "$(number ok)" -gt 0 ]
