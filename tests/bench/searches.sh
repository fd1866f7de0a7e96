#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Every search of the command gives the same answer on random programs, with reductions and without: what it finds is one of the
# violations that the usual search finds, if there are any; if not, it verifies, or finds nothing where it never verifies.  Without
# reductions, all see as many states as the usual search: those that may miss something miss nothing in programs as small as these.
#
#     usage: tests/bench/searches.sh BITSPIN [COUNT [FIRST]]        (50 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
quick_pans

modes=('--search bfs' '--seed 5' '--search bfs --seed 6' '--cores 2' '--cores 3' '--search bfs --cores 2' '--search bfs --cores 3 --seed 7'
	'--search hash-compact' '--search bitstate' '--search bitstate --seed 8')

# Searches that store hashes of states keep few states, and make room for others all the time here: BITSPIN_RENEW, in KB.
export BITSPIN_RENEW=4
# Processes that share a search give steps away all the time.
export BITSPIN_CREW=eager

states() { jq .statistics.states "$dir/r.json"; }

# The kind of violation, "verified", "nothing", or "undecided ...".
answer()
{
	timeout 60 "$BITSPIN" check --quiet --json "$dir/r.json" --max-time 40 "$@" "$dir/p.c" >"$dir/out" 2>&1
	case $? in
	0) echo verified ;;
	1) jq -r '.violations[0].kind' "$dir/r.json" ;;
	3) grep -q '^inconclusive: no violation, more than 99.99 % of states estimated' "$dir/out" && echo nothing || echo "undecided $(tail -n 1 "$dir/out")" ;;
	*) echo "wrong $(tail -n 1 "$dir/out")" ;;
	esac
}

one()
{
	local expected got mode reduction whole
	seed=$1
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$GENERATOR" "$seed" >"$dir/p.c"
	timeout 60 "$BITSPIN" check --quiet --all --json "$dir/r.json" --max-time 40 --cores 1 "$dir/p.c" >"$dir/out" 2>&1
	case $? in
	0 | 1) expected=" $(jq -r '.violations[].kind' "$dir/r.json" | sort -u | tr '\n' ' ')" ;;
	*) echo "skip $seed: $(tail -n 1 "$dir/out")"; return ;;
	esac
	[ "$(answer --cores 1 --reduction none)" = verified ] && whole=$(states) || whole=
	for mode in "${modes[@]}"; do
		for reduction in all none; do
			got=$(answer --reduction $reduction $mode)
			case $got in
			undecided*) echo "skip $seed: $mode: $got"; continue ;;
			verified)
				[[ $reduction != none || ! $whole || $(states) == "$whole" ]] || got="verified in $(states) states, not $whole"
				[[ $got == verified && $expected == ' ' && ! $mode =~ compact|bitstate ]] && echo "ok $seed" && continue
				;;
			nothing)
				[[ $reduction != none || ! $whole || $(states) == "$whole" ]] || got="nothing in $(states) states, not $whole"
				[[ $got == nothing && $expected == ' ' && $mode =~ compact|bitstate ]] && echo "ok $seed" && continue
				;;
			*) [[ $expected == *" $got "* ]] && echo "ok $seed" && continue ;;
			esac
			echo "FAIL $seed ($mode --reduction $reduction): '$got', expected one of '$expected'"
			keep_program searches "$seed" "$mode --reduction $reduction: '$got', expected one of '$expected'" "$dir/p.c"
		done
	done
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/searches.sh BITSPIN [COUNT [FIRST]]'
make_scratch
export BITSPIN=$bitspin GENERATOR=$scratch/random
${CC:-cc} -o "$GENERATOR" "$root/tests/bench/${PROGRAMS:-random_sync}.c" || exit 2
each_seed "${2:-50}" "${3:-1}"
skipped=$(number skip)
finish "$skipped runs did not come to an end"
