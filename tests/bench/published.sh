#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Programs with the parameters that papers publish, and the figures of these papers beside ours: traces (executions that a tool
# without states has to look at) and seconds there; states, transitions and seconds of CPU here, of the whole command, on one core.
# The programs are our own.
#
#     usage: tests/bench/published.sh BITSPIN [FILTER]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/bench/published.sh BITSPIN [FILTER]'
here=$root/tests/bench/published

make_scratch
printf '%-44s %10s %-24s %9s %11s %8s\n' program traces published states transitions CPU
while IFS='|' read -r program traces published; do
	[[ $program =~ ${2-} ]] || continue
	seconds=$({ TIMEFORMAT='%U %S'; time "$bitspin" check --quiet --cores 1 --max-time 60 --json "$scratch/result" $here/$program >/dev/null 2>&1; } 2>&1 |
		tail -n 1 | awk '{ print $1 + $2 }')
	printf '%-44s %10s %-24s' "$program" "$traces" "$published"
	jq -r '"\(.statistics.states)\(if .verdict == "inconclusive" then "+" else "" end) \(.statistics.transitions) \(.verdict)"' "$scratch/result" |
		{ read -r states transitions verdict; printf ' %9s %11s %6.2f s  %s\n' "$states" "$transitions" "$seconds" "$verdict"; }
done <<EOT
filesystem.c -DTHREADS=14|2|
filesystem.c -DTHREADS=16|8|
filesystem.c -DTHREADS=18|32|
filesystem.c -DTHREADS=19 -DATOMIC|64|
filesystem.c -DTHREADS=26|8192|Nidhugg 11 s
filesystem.c -DTHREADS=16 -DPOINTER|8|
filesystem.c -DTHREADS=16 -DNO_JOIN||
filesystem.c -DTHREADS=16 -DDETACHED||
indexer.c -DTHREADS=12|8|Kusano, Wang 0.57 s
indexer.c -DTHREADS=13|64|Kusano, Wang 4.64 s
indexer.c -DTHREADS=14|512|Kusano, Wang 36.03 s
indexer.c -DTHREADS=15|4096|Kusano, Wang 282.06 s
indexer.c -DTHREADS=13 -DATOMIC|64|
indexer.c -DTHREADS=13 -DRACY --races ignore||
philosophers.c -DMEALS=4||
philosophers.c -DMEALS=12||
pi.c -DTHREADS=5|120|
pi.c -DTHREADS=6|720|
pi.c -DTHREADS=7|5040|
mpat.c -DPAIRS=4|384|
mpat.c -DPAIRS=5|3840|
EOT
