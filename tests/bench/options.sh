#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What options cost: states, and seconds of CPU of the whole command, of four programs under options that add faults, checks and
# bounds, or that search in another way.  An option of no consequence for a program must not change its states: a fault that cannot
# happen there, a bound that is not met, a check of what does not exist.  Each row of the table below says for which programs its
# option is of consequence: those may have other states, which are marked with "*".  Others are marked with "!", and are failures.
# --leaks is of consequence for all: what is leaked where a program ends between two creations is looked at, so main does not create
# several threads in one run (runtime/search/reduce/creations.c).
#
#     usage: tests/bench/options.sh BITSPIN [FILTER]          FILTER: regular expression over options
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/bench/options.sh BITSPIN [FILTER]'
here=$root/tests/bench
names=(joins leaves pool stack)
programs=("$here/states/filesystem.c -DN=8" "$here/states/filesystem.c -DN=8 -DLEAVES" "$root/examples/pool.c -DWORKERS=4"
	"$here/states/stack.c -DN=6")

# "states CPU" of one check, with "+" behind what was not finished.
check() # program with its options, options
{
	local seconds options=$2
	[[ $options == *--cores* ]] || options+=' --cores 1'
	rm -f "$scratch/result"
	seconds=$(cpu "$bitspin" check --quiet --max-time 60 --json "$scratch/result" $1 $options)
	jq -r --arg s "$seconds" '"\(.statistics.states)\(if .verdict == "inconclusive" then "+" else "" end) \($s)"' "$scratch/result" ||
		echo "none $seconds"
}

make_scratch
failed=0
printf '%-32s' option
printf '%20s' "${names[@]}"
echo
declare -A usual
while IFS='|' read -r options consequence; do
	options=$(echo $options)
	[ -z "$options" ] || [[ $options =~ ${2-} ]] || continue
	printf '%-32s' "${options:-none}"
	for i in "${!names[@]}"; do
		read -r states seconds <<<"$(check "${programs[i]}" "$options")"
		usual[$i]=${usual[$i]:-$states} mark=' '
		if [ "$states" != "${usual[$i]}" ]; then
			mark='*'
			[[ " $consequence " == *" ${names[i]} "* || $consequence == *all* ]] || { mark='!' failed=$((failed + 1)); }
		fi
		printf '%10s%s %6.2f s' "$states" "$mark" "$seconds"
	done
	echo
done <<EOT
|
--faults spurious-wakeup:*|pool
--faults spurious-wakeup:1|pool
--faults timeout:1|
--faults timeout:0|
--faults malloc:1|
--faults create:1|all
--faults weak-cas:1|stack
--clock forward|
--profile svcomp|pool
--races ignore|
--no-deadlock|
--deadlock total|
--leaks|all
--overflow|
--invariant 1|leaves
--threads 20|
--max-depth 100000|
--max-memory 1000|
--preemptions 1|all
--search bfs|leaves
--cores 2|all
EOT
[ $failed = 0 ] || echo "FAIL $failed numbers of states are changed by options of no consequence"
exit $((failed > 0))
