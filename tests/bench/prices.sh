#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What weak memory orders cost: each program of weak/ is checked as it is, and with all orders seq_cst, in the same run.  A row has
# the states and seconds of search of both, and how many times as many states the weak one has; with --without, also its states
# without histories.  A search gets a minute.
#
#     usage: tests/bench/prices.sh [--without] BITSPIN [FILTER]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
without=
[ "${1-}" != --without ] || { without=yes; shift; }
need_command "${1-}" 'tests/bench/prices.sh [--without] BITSPIN [FILTER]'
here=$root/tests/bench/weak

# "states seconds" of one search, with "+" behind what was not finished.
search() # file, options
{
	"$bitspin" check --quiet --cores 1 --max-time 60 --json "$scratch/result" "$here/$1.c" "${@:2}" >/dev/null 2>&1
	jq -r '"\(.statistics.states)\(if .verdict == "inconclusive" then "+" else "" end) \(.statistics.search_seconds)"' "$scratch/result"
}

make_scratch
printf '%-18s %3s %10s %8s %10s %8s %6s %12s\n' program N weak seconds seq_cst seconds times "${without:+in states}"
while read -r name n; do
	[[ $name =~ ${2-} ]] || continue
	read -r weak weak_seconds <<<"$(search "$name" -DN="$n")"
	read -r strong strong_seconds <<<"$(search "$name" -DN="$n" -DSTRONG)"
	before=
	[ -z "$without" ] || read -r before _ <<<"$(search "$name" -DN="$n" --reduction all,-histories)"
	printf '%-18s %3s %10s %8.2f %10s %8.2f %6s %12s\n' "$name" "$n" "$weak" "$weak_seconds" "$strong" "$strong_seconds" \
		"$(awk -v a="${weak%+}" -v b="${strong%+}" 'BEGIN { printf "%.2f", a / b }')" "$before"
done <<EOL
clh 6
mcs 5
treiber_array 3
treiber_heap 6
futex 5
rwlock 5
chase_lev 3
spin_lock 7
seqlock 4
indexer_exchange 16
ticket 7
ms_queue 3
EOL
