#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Programs with the parameters that papers publish, and the figures of these papers beside ours: traces (executions that a tool
# without states has to look at) and seconds there; states, transitions and seconds of CPU here, of the whole command, on one core.
# The programs are our own.  Figures of Nidhugg 0.2 and of Dpu with optimal partial-order reduction are from the log of the
# experiments of Nguyen, Rodríguez, Sousa, Coti and Petrucci (CAV 2018), with a Xeon E5-2630; pi has more rounds there.
# Of lastwrite, the traces are those that differ in which store each load reads.
#
#     usage: tests/bench/published.sh BITSPIN [FILTER]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/bench/published.sh BITSPIN [FILTER]'
here=$root/tests/bench

make_scratch
printf '%-44s %10s %-24s %9s %11s %8s\n' program traces published states transitions CPU
while IFS='|' read -r program traces published; do
	[[ $program =~ ${2-} ]] || continue
	seconds=$(cpu "$bitspin" check --quiet --cores 1 --max-time 60 --json "$scratch/result" $here/$program)
	printf '%-44s %10s %-24s' "$program" "$traces" "$published"
	jq -r '"\(.statistics.states)\(if .verdict == "inconclusive" then "+" else "" end) \(.statistics.transitions) \(.verdict)"' "$scratch/result" |
		{ read -r states transitions verdict; printf ' %9s %11s %6.2f s  %s\n' "$states" "$transitions" "$seconds" "$verdict"; }
done <<EOT
states/filesystem.c -DN=14|2|
states/filesystem.c -DN=16|8|
states/filesystem.c -DN=18|32|
states/filesystem.c -DN=19 -DATOMIC|64|
states/filesystem.c -DN=26|8192|Nidhugg 11 s
states/filesystem.c -DN=16 -DPOINTER|8|
states/filesystem.c -DN=16 -DLEAVES||
states/filesystem.c -DN=16 -DDETACHED||
published/indexer.c -DN=12|8|Kusano, Wang 0.57 s
published/indexer.c -DN=13|64|Kusano, Wang 4.64 s
published/indexer.c -DN=14|512|Kusano, Wang 36.03 s
published/indexer.c -DN=15|4096|Kusano, Wang 282.06 s
published/indexer.c -DN=13 -DATOMIC|64|
published/indexer.c -DN=13 -DRACES --races ignore||
published/indexer.c -DN=8 -DLEAVES||
published/indexer.c -DN=8 -DDETACHED||
published/philosophers.c -DMEALS=4||
published/philosophers.c -DMEALS=12||
published/pi.c -DN=5|120|Nidhugg 23.8 s
published/pi.c -DN=6|720|Nidhugg 150 s
published/pi.c -DN=7|5040|Nidhugg > 480 s
published/mpat.c -DPAIRS=4|384|Nidhugg 0.21 s
published/mpat.c -DPAIRS=5|3840|Nidhugg 2.06 s
published/dispatch.c -DREQUESTS=2|137|Dpu 0.41 s
published/dispatch.c -DREQUESTS=3|1482|Dpu 0.89 s
published/dispatch.c -DREQUESTS=4|15282|Dpu 7.51 s
published/dispatch.c -DREQUESTS=5|151032|Dpu 233 s
published/poke.c|2440|
published/multipc.c -DPRODUCERS=2|60|Nidhugg 2.05 s
published/multipc.c -DPRODUCERS=3|2958|Nidhugg 80.6 s
published/lastwrite.c -DN=12|12|
published/lastwrite.c -DN=12 -DFLOATING|13|
published/hashmap.c -DN=3||
published/sortedlinkedlist.c -DN=3||
EOT
