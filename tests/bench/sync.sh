#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Reductions change no verdict on random programs that use all of pthread.h (random_sync.c).  They are checked with
# reductions and without, by both searches, optimised and not, with races reported, ignored and suppressed.  Compared are
# the kinds of violation, and the lines of assertions.  (Which of two racing accesses is reported, and where a deadlock is
# blamed, may differ.)  Programs that some run cannot decide are skipped.
#
#     usage: tests/bench/sync.sh BITSPIN [COUNT [FIRST]]        (200 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"

# Findings of one run: "kind" or "kind:line", sorted; "undecided" for anything but a verdict.
findings()
{
	timeout 60 "$BITSPIN" check --quiet --all --json "$dir/r.json" --max-time 30 "$@" "$dir/p.c" >"$dir/out" 2>&1
	case $? in
	0 | 1) jq -r '.violations[] | if .kind == "assertion" then "\(.kind):\(.line)" else .kind end' "$dir/r.json" | sort -u | tr '\n' ' ' ;;
	*) echo "undecided $(tail -n 1 "$dir/out")" ;;
	esac
}

compare() # what, options of one run, options of the other
{
	local a b
	a=$(findings $2) || true
	b=$(findings $3) || true
	if [[ $a == undecided* || $b == undecided* ]]; then
		echo "skip $seed: $1: $a $b"
	elif [ "$a" = "$b" ]; then
		echo "ok $seed"
	else
		echo "FAIL $seed ($1): '$a' against '$b'"
		keep_program sync "$seed" "$1: '$a' against '$b'" "$dir/p.c"
	fi
}

one()
{
	local suppressed='--checks=-assertion,-mutex-misuse,-use-after-free'
	seed=$1
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$GENERATOR" "$seed" >"$dir/p.c"
	compare "reductions" "" "--reduction none"
	compare "breadth-first" "--search bfs" "--reduction none"
	compare "races ignored" "--races ignore" "--races ignore --reduction none"
	compare "a bound that cuts nothing" "--preemptions 200" "--reduction none"
	compare "few time-outs" "--faults timeout:1" "--faults timeout:1 --reduction none"
	compare "faults" "--faults timeout:2,spurious-wakeup:1" "--faults timeout:2,spurious-wakeup:1 --reduction none"
	compare "faults suppressed" "$suppressed" "$suppressed --reduction none"
	echo 'data-race:*' >"$dir/races.supp"
	compare "races suppressed" "--suppressions $dir/races.supp" "--races ignore --reduction none"
	compare "optimised" "-O1" "-O1 --reduction none"
	! grep -q ' swap(p)' "$dir/p.c" || compare "pointers in disguise" "" "-DOPENLY"
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/sync.sh BITSPIN [COUNT [FIRST]]'
make_scratch
export BITSPIN=$bitspin GENERATOR=$scratch/random_sync
${CC:-cc} -o "$GENERATOR" "$root/tests/bench/random_sync.c" || exit 2
each_seed "${2:-200}" "${3:-1}"
finish "$(number skip) skipped"
