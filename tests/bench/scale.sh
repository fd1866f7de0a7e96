#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The tables of results in Florian's thesis on SCALE (2010), 6.1 to 6.3, and its figure 6.3: runs as published, as simulated and as
# we need them for the same programs (tests/bench/scale/).  The simulation was written from the thesis; it tells where a published
# number cannot be met by what the thesis says (indexer 7, pool 2 and 3).  "-": not published, or too much for the simulation.
# The figure has no numbers that can be read; there, simulated and ours are representations.  SCALE* is without super-steps.
# CHESS's programs were others, for Windows, so only the sizes of its runs can be compared; and nothing of ours corresponds to Inspect's rows.
# A yardstick, not a test; a search that does not finish shows how far it came (>).
#
#     usage: tests/bench/scale.sh BITSPIN [SECONDS [MEGABYTES]]        for each search; 60 and 4096
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ ! -x "${1-}" ]; then
	echo "usage: tests/bench/scale.sh BITSPIN [SECONDS [MEGABYTES]]" >&2
	exit 2
fi
bitspin=$(realpath "$1")
seconds=${2:-60} megabytes=${3:-4096}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

declare -A searches=(
	[SCALE*]='--races ignore --identity scale --reduction none'
	[SCALE]='--races ignore --identity scale --reduction supersteps'
	[SCALE*+LCD]='--races ignore --identity scale,lcd --reduction none'
	[SCALE+LCD]='--races ignore --identity scale,lcd --reduction supersteps'
	['CHESS(2)']='--identity hb --preemptions 2'
	['CHESS(5)']='--identity hb --preemptions 5'
	[bitspin]=''
)

# With a comma for each thousand; as it is, if it is no number.
commas() { [[ $1 == -* ]] && echo "$1" || LC_ALL=C sed -E ':a; s/^([>~]?[0-9]+)([0-9]{3})/\1,\2/; ta' <<<"$1"; }

# row PROGRAM OPTIONS SIZE SEARCH PUBLISHED SIMULATED
row()
{
	local runs=- states=- time=- more=
	if [ "${searches[$4]+known}" ]; then
		rm -f "$scratch/r.json"
		"$bitspin" check --quiet --max-time "$seconds" --max-memory "$megabytes" --json "$scratch/r.json" ${searches[$4]} $2 \
			"$root/tests/bench/scale/$1.c" >"$scratch/out" 2>&1
		[ -s "$scratch/r.json" ] || { cat "$scratch/out" >&2; exit 1; }
		[[ $(<"$scratch/out") =~ ^inconclusive:\ (time|memory) ]] && more='>'
		read -r runs states time < <(jq -r '.statistics | "\(.runs) \(.states) \(.search_seconds)"' "$scratch/r.json")
		[[ $4 == *LCD ]] && runs=$states
	fi
	printf '%-10s %-12s %14s %14s %14s %14s %9s\n' "$3" "$4" "$(commas "$5")" "$(commas "$6")" "$(commas "$more$runs")" \
		"$(commas "$more$states")" "$time"
}

table() # title, program
{
	printf '\n%s\n%-10s %-12s %14s %14s %14s %14s %9s\n' "$1" size search published simulated ours states seconds
	while IFS='|' read -r options size search published simulated <&3; do
		row "$2" "$options" "$size" "$search" "$published" "$simulated"
	done 3<&0
}

table 'Table 6.1: indexer (threads)' indexer <<'END'
-DTHREADS=1|1|SCALE|1|1
-DTHREADS=1|1|SCALE*|1|1
-DTHREADS=2|2|SCALE|2|2
-DTHREADS=2|2|SCALE*|18|18
-DTHREADS=3|3|SCALE|8|8
-DTHREADS=3|3|SCALE*|309|309
-DTHREADS=4|4|SCALE|32|32
-DTHREADS=4|4|SCALE*|5256|5256
-DTHREADS=5|5|SCALE|146|146
-DTHREADS=5|5|SCALE*|89363|-
-DTHREADS=6|6|SCALE|818|818
-DTHREADS=6|6|CHESS(2)|257265|-
-DTHREADS=7|7|SCALE|8593|5498
-DTHREADS=7|7|Inspect|1|-
-DTHREADS=7|7|bitspin|-|-
END
table 'Table 6.2: pool (workers)' pool <<'END'
-DWORKERS=1|1|SCALE|6|6
-DWORKERS=1|1|SCALE*|6|6
-DWORKERS=2|2|SCALE|124|136
-DWORKERS=2|2|SCALE*|136|136
-DWORKERS=3|3|SCALE|3347|4205
-DWORKERS=3|3|SCALE*|4875|4587
-DWORKERS=3|3|CHESS(2)|14024|-
-DWORKERS=4|4|SCALE|127766|-
-DWORKERS=4|4|SCALE*|246763|-
-DWORKERS=4|4|Inspect|324772|-
-DWORKERS=4|4|bitspin|-|-
END
table 'Table 6.3: barrier (threads, steps)' barrier <<'END'
-DTHREADS=2 -DSTEPS=1|2, 1|SCALE|6|6
-DTHREADS=2 -DSTEPS=1|2, 1|SCALE*|6|6
-DTHREADS=2 -DSTEPS=2|2, 2|SCALE|54|54
-DTHREADS=2 -DSTEPS=2|2, 2|SCALE*|54|54
-DTHREADS=2 -DSTEPS=3|2, 3|SCALE|486|486
-DTHREADS=2 -DSTEPS=3|2, 3|SCALE*|486|486
-DTHREADS=2 -DSTEPS=4|2, 4|SCALE|4374|4374
-DTHREADS=2 -DSTEPS=4|2, 4|SCALE*|4374|4374
-DTHREADS=2 -DSTEPS=5|2, 5|SCALE|39365|-
-DTHREADS=2 -DSTEPS=5|2, 5|SCALE*|39365|-
-DTHREADS=2 -DSTEPS=5|2, 5|CHESS(2)|195|-
-DTHREADS=2 -DSTEPS=5|2, 5|CHESS(5)|3066|-
-DTHREADS=3 -DSTEPS=1|3, 1|SCALE|481|481
-DTHREADS=3 -DSTEPS=1|3, 1|SCALE*|481|481
-DTHREADS=3 -DSTEPS=2|3, 2|SCALE|431894|-
-DTHREADS=3 -DSTEPS=2|3, 2|SCALE*|431904|-
-DTHREADS=4 -DSTEPS=1|4, 1|SCALE|143639|-
-DTHREADS=4 -DSTEPS=1|4, 1|SCALE*|158758|-
-DTHREADS=4 -DSTEPS=1|4, 1|Inspect|321008|-
-DTHREADS=4 -DSTEPS=1|4, 1|bitspin|-|-
END
table 'Figure 6.3: queue (size), local-cycle detection: representations' queue <<'END'
-DSIZE=2|2|SCALE*+LCD|-|76337
-DSIZE=2|2|SCALE+LCD|-|36698
-DSIZE=2 --races ignore|2|bitspin|-|-
END
