#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# How soon the searches beside the exhaustive one find shallow faults in huge state spaces (tests/bench/ladder/): a line for each
# program, with the seconds that the check took, who has found it, and how many preemptions the story needs; and, with --alone,
# whether the exhaustive search alone finds it in as much time as is allowed.  A program fails that takes more than SECONDS, 10 if
# not given, or shows another fault than the one that is marked.
#
#     usage: tests/bench/ladder.sh [--alone] BITSPIN [SECONDS [FILTER]]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
alone=
[ "${1-}" != --alone ] || { alone=yes; shift; }
need_command "${1-}" 'tests/bench/ladder.sh [--alone] BITSPIN [SECONDS [FILTER]]'
seconds=${2:-10} filter=${3-}
make_scratch
quick_pans
printf '%-16s %8s  %-18s %11s%s\n' program seconds 'found by' preemptions "${alone:+  alone}"
for program in "$root"/tests/bench/ladder/*.c; do
	name=$(basename "$program" .c)
	[[ $name =~ $filter ]] || continue
	kind=$(sed -n 's/^ \* EXPECT: violated //p' "$program")
	start=$EPOCHREALTIME
	last=$("$bitspin" check --max-time "$seconds" --json "$scratch/r.json" "$program" 2>&1 | tail -n 1)
	took=$(awk "BEGIN { print $EPOCHREALTIME - $start }")
	line=$(jq -r '.violations[0].line // 0' "$scratch/r.json")
	by=$(jq -r '.ladder.found_by // (if .verdict == "violated" then "exhaustive search" else "nobody" end)' "$scratch/r.json")
	needs=$(jq -r '.violations[0].schedule.preemptions // "-"' "$scratch/r.json")
	[ -z "$alone" ] || alone=$("$bitspin" check -q --cores 1 --max-time "$seconds" "$program" 2>&1 | tail -n 1 | cut -d: -f1)
	printf '%-16s %8.1f  %-18s %11s%s\n' "$name" "$took" "$by" "$needs" "${alone:+  $alone}"
	reason=
	[[ $last == "violated: $kind at "* ]] || reason=$last
	[ -n "$reason" ] || sed -n "${line}p" "$program" "$(dirname "$program")/padding.h" 2>/dev/null | grep -q ERROR || reason="line $line is not marked"
	result "$name" "$reason"
done
finish
