#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Summaries of steps (runtime/search/step/summary.c) change nothing: each step that has one is also taken and compared, and without
# summaries there are as many states and transitions, and the same verdict.  The programs are those of the other tests, with the
# options of their RUN lines.
#
#     usage: tests/summaries.sh BITSPIN [FILTER]        FILTER: a regular expression over "FILE OPTIONS"
. "$(dirname "$0")/lib.sh"
filter=${filter:-.}

# Verdict, states, transitions, steps of runs, and violations of a check, or what it says instead.  Writes that slicing leaves out
# are counted where they are interpreted.
figures() # mode, options as for a shell, file
{
	rm -f figures
	eval "set -- $1 $(printf %q "$root/$3") $2"
	BITSPIN_SUMMARIES=$1 timeout 60 "$bitspin" check --quiet --max-time 20 --json figures "${@:3}" "$2" >said 2>&1
	jq -c '[.verdict] + (.statistics | [.states, .transitions, (.saved | del(.slicing))]) + [.violations[]? | .kind, .line]' figures 2>/dev/null ||
		head -n 3 said
}

compare() # options, file
{
	local off with mode
	off=$(figures off "$1" "$2")
	case $off in
	*inconclusive*) return ;; # it may have been cut by the time
	\[*) ;;
	*) result "$2 $1" "no figures: $off"; return ;;
	esac
	for mode in check on; do
		with=$(figures $mode "$1" "$2")
		[ "$off" = "$with" ] && with=
		result "$2 $1 ($mode)" "${with:+$with, without summaries: $off}"
	done
}

quick_pans
while IFS=: read -r file line; do
	options=${line#*RUN: check}
	[[ "$file $options" =~ $filter && $line != *' -- '* && $line != *--formula* && $line != *--property* ]] && compare "${options# }" "$file"
done < <(cd "$root" && grep -H -o '^ \* RUN: check.*' examples/*.c tests/*/*.c)
finish
