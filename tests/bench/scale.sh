#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The tables of results in Florian's thesis on SCALE (2010), 6.1 to 6.3, with ours beside the published numbers (machines of
# 2010).  The programs are ours, written after the same descriptions: runs of SCALE and CHESS are to be compared in size
# only.  Its rows for SCALE stand beside ours with all that SCALE has (not-seen-before, super-steps, local-cycle detection).
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

# table TITLE PROGRAM OPTIONS PUBLISHED: lines "search|runs|seconds" of what was published.
table()
{
	printf '\n%s\n%-30s %22s   %-60s\n%-30s %12s %9s   %12s %12s %12s %9s  %s\n' "$1" '' '------ published ------' \
		'------------------------- bitspin -------------------------' \
		search runs seconds runs states transitions seconds verdict
	"$bitspin" compare --quiet --max-time "$seconds" --max-memory "$megabytes" --json "$scratch/r.json" $3 \
		"$root/examples/$2.c" >"$scratch/out" 2>&1 || [ $? -eq 3 ] || { cat "$scratch/out" >&2; exit 1; }
	jq -r '.searches[] | (if .complete then "" else ">" end) as $more | [.search, "\($more)\(.runs)", "\($more)\(.states)",
		"\($more)\(.transitions)", "\($more)\(.seconds * 100 | round / 100)",
		(if .complete then .verdict + (if .verdict == "inconclusive" then ": " + .message else "" end) else "not finished" end)] |
		@tsv' "$scratch/r.json" >"$scratch/ours"
	cut -d'|' -f1 <<<"$4" | while IFS= read -r search; do
		grep -q "^$search	" "$scratch/ours" || printf '%s\t-\t-\t-\t-\tnot one of our searches\n' "$search"
	done >>"$scratch/ours"
	while IFS=$'\t' read -r search runs states transitions time verdict; do
		IFS='|' read -r _ old_runs old_seconds < <(grep "^$search|" <<<"$4" || echo '|-|-')
		printf '%-30s %12s %9s   %12s %12s %12s %9s  %s\n' "$search" "$old_runs" "$old_seconds" "$runs" "$states" "$transitions" \
			"$time" "$verdict"
	done <"$scratch/ours"
}

all='SCALE: NSB, super-steps, LCD' chess='CHESS: 2 preemptions'
table 'Table 6.1: indexer, 7 threads' indexer -DTHREADS=7 "$all|8,593|478
Inspect|1|-
$chess|1,885,380|-"
table 'Table 6.2: pool, 4 workers' pool -DWORKERS=4 "$all|127,766|1,182
Inspect|324,772|10,357
$chess|998,381|2,231"
table 'Table 6.3: barrier, 3 threads, 2 steps' barrier '-DTHREADS=3 -DSTEPS=2' "$all|431,894|4,120
Inspect|683,100|34,765
$chess|12,182|22"
table 'Table 6.3: barrier, 4 threads, 1 step' barrier '-DTHREADS=4 -DSTEPS=1' "$all|143,639|1,245
Inspect|321,008|9,563
$chess|107,307|211"
