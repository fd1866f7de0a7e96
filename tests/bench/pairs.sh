#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The speed and size of searches, beside models of the same algorithms that are written in Promela by hand (pairs/): each program is
# checked without reductions, and its model by pan without reductions, in the same run.  A step is the same on both sides, so the
# numbers of states are equal, but for those before the start and after the end.  (Those of pool and queue differ by more.)
#
# A row has the states of the check and how many the model has in a hundred of them; transitions a second on both sides, and how many
# times as long the check takes; bytes a state on both sides; and what the check with all reductions takes.  With --history, a line
# of JSON for each row goes to the end of FILE, with the date and the commit.  With --small, programs are so small that figures say
# nothing, and only verdicts and numbers of states are tested.
#
# With --cores N there are no models: each program is checked on one core and on N, and a row has the states, the seconds of both,
# and how many times faster N cores are.  The states are as many, or the row fails.
#
#     usage: tests/bench/pairs.sh [--small | --cores N] [--history FILE] BITSPIN [FILTER]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
usage='tests/bench/pairs.sh [--small | --cores N] [--history FILE] BITSPIN [FILTER]'
small= cores= history=
while [[ ${1-} == --* ]]; do
	case $1 in
	--small) small=yes; shift ;;
	--cores) cores=${2:?usage: $usage}; shift 2 ;;
	--history) history=$(realpath "${2:?usage: $usage}"); shift 2 ;;
	*) echo "usage: $usage" >&2; exit 2 ;;
	esac
done
need_command "${1-}" "$usage"
filter=${2-} pairs=$root/tests/bench/pairs
make_scratch
[ -z "$small" ] || quick_pans

# Program, C file, how many states more or less the model may have, options of a small check, options of one that takes its time.
programs="
barrier       $root/examples/barrier.c 2   -DTHREADS=4                              -DTHREADS=10
pool          $root/examples/pool.c    25% -DWORKERS=3                              -DWORKERS=8
indexer       $root/examples/indexer.c 2   -DTHREADS=3                              -DTHREADS=5
queue         $pairs/queue.c           1%  -DTHREADS=3,-DPRODUCERS=2,-DCELLS=2      -DTHREADS=5,-DPRODUCERS=3,-DCELLS=2
philosophers  $pairs/philosophers.c    2   -DN=3                                    -DN=7
peterson      $pairs/peterson.c        2   -DN=2                                    -DN=3,-DROUNDS=6
readers       $pairs/readers.c         2   -DN=3,-DWRITERS=1                        -DN=7,-DWRITERS=2
ticket        $pairs/ticket.c          2   -DN=3                                    -DN=7
treiber       $pairs/treiber.c         2   -DN=2                                    -DN=4
ms_queue      $pairs/ms_queue.c        2   -DN=2                                    -DN=4
"

# by_hand MODEL OPTIONS: what pan says of the model, as JSON.
by_hand()
{
	local model=$1
	shift
	rm -f "$scratch"/pan*
	(cd "$scratch" && spin "$@" -a "$model" >log 2>&1 && ${CC:-cc} -O2 -w -DSAFETY -DNOREDUCE -DVECTORSZ=4096 -o pan pan.c &&
		./pan -m1000000 >said) || { echo '{"errors":"pan cannot be made"}'; return; }
	jq -nR '[inputs] | join("\n") | {
		errors: (if test("search depth too small|Search not completed") then "the search was cut" else capture("errors: (?<n>[0-9]+)").n end),
		states: (capture("\\s(?<n>[0-9.e+]+) states, stored").n | tonumber),
		transitions: (capture("\\s(?<n>[0-9.e+]+) transitions").n | tonumber),
		seconds: (capture("elapsed time (?<n>[0-9.e+]+)").n | tonumber),
		megabytes: ((capture("\\s(?<n>[0-9.]+)\\sactual memory") // capture("\\s(?<n>[0-9.]+)\\sequivalent memory")).n | tonumber)
	} | . + { bytes_per_state: (.megabytes * 1048576 / .states) }' "$scratch/said"
}

# check FILE OPTIONS: the same of a check.
check()
{
	local last
	last=$("$bitspin" check -q --cores 1 --json "$scratch/r.json" "$@" 2>&1 | tail -n 1)
	jq --arg last "$last" '.statistics | { verdict: $last, states, transitions, seconds: .search_seconds, bytes_per_state }' "$scratch/r.json"
}

# States that differ by more than is allowed, as a reason.
compare() # ours, by hand, allowed
{
	jq -nr --argjson a "$1" --argjson b "$2" --arg most "$3" '
		if $a.verdict != "verified" then $a.verdict
		elif $b.errors != "0" then "the model: \($b.errors)"
		else (($most | rtrimstr("%") | tonumber) * (if $most | endswith("%") then $a.states / 100 else 1 end)) as $allowed |
			if ($a.states - $b.states | fabs) > $allowed then "\($a.states) states, the model has \($b.states)" else "" end
		end'
}

# The same program on one core and on several.
row_of_cores() # name, file, options
{
	local one several
	one=$(check --reduction none $3 "$2") several=$(check --reduction none --cores "$cores" $3 "$2")
	result "$1 $3" "$(jq -nr --argjson a "$one" --argjson b "$several" '
		if $b.verdict != $a.verdict then $b.verdict elif $a.states != $b.states then "\($a.states) states, \($b.states)" else "" end')"
	jq -nr --argjson a "$one" --argjson b "$several" '[$a.states, $a.seconds, $b.seconds, $a.seconds / $b.seconds] | map(tostring) | join(" ")' |
		while read -r states alone together ratio; do
			printf '%-13s %-32s %9s %8s %8s %6.2f\n' "$1" "$3" "$states" "$alone" "$together" "$ratio"
		done
}

row()
{
	[ -z "$cores" ] || { row_of_cores "$1" "$2" "${4//,/ }"; return; }
	local name=$1 file=$2 allowed=$3 options=${4//,/ } ours theirs reduced reason
	ours=$(check --reduction none $options "$file")
	theirs=$(by_hand "$pairs/$name.pml" $options)
	reduced=$(check $options "$file")
	reason=$(compare "$ours" "$theirs" "$allowed")
	result "$name $options" "$reason"
	[ -z "$reason" ] || return
	jq -nc --argjson a "$ours" --argjson b "$theirs" --argjson c "$reduced" --arg name "$name" --arg options "$options" \
		--arg commit "$commit" --arg date "$(date -u +%FT%TZ)" '
		{ $date, $commit, program: $name, $options, bitspin: $a, by_hand: $b, reduced: $c,
		  time_ratio: (if $b.seconds > 0 then $a.seconds / $b.seconds else null end) }' >"$scratch/line"
	[ -z "$history" ] || cat "$scratch/line" >>"$history"
	[ -n "$small" ] || jq -r 'def rate: if .seconds > 0 then (.transitions / .seconds | floor) else "-" end;
		[ .program, .options, .bitspin.states, (100 * .by_hand.states / .bitspin.states * 10 | round / 10), .bitspin.seconds,
		  (.bitspin | rate), (.by_hand | rate), (.time_ratio | if . then (. * 10 | round / 10) else "-" end),
		  (.bitspin.bytes_per_state | round), (.by_hand.bytes_per_state | round), .reduced.states, .reduced.seconds ] | map(tostring) | join("|")' \
		"$scratch/line" | while IFS='|' read -ra cells; do
		printf '%-13s %-32s %9s %6s %8s %9s %9s %6s %6s %6s %9s %8s\n' "${cells[@]}"
	done
}

commit=$(git -C "$root" describe --always --dirty 2>/dev/null || echo -)
[ -n "$small$cores" ] || printf '%-13s %-32s %9s %6s %8s %9s %9s %6s %6s %6s %9s %8s\n' program options states model% seconds trans/s 'by hand' times \
	bytes hand reduced seconds
[ -z "$cores" ] || printf '%-13s %-32s %9s %8s %8s %6s\n' program options states 'one core' "$cores" faster
while read -r name file allowed few many; do
	[[ -n $name && $name =~ $filter ]] || continue
	row "$name" "$file" "$allowed" "$([ -n "$small" ] && echo "$few" || echo "$many")"
done <<<"$programs"
finish
