#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Lock-free algorithms with the orders that are published for them (tests/memory): each is verified under C11's memory model, and with
# one order weakened it is violated, unless that is the weakest already or the last column names it.  Those in it could be
# weaker in this use of the algorithm.  The table is in Markdown, for docs/memory-models.md.
#
#     usage: tests/bench/orders.sh BITSPIN [FILTER]
. "$(dirname "$0")/../lib.sh"
ok_quietly() { [ "$1" = "$2" ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL $3: '$1', expected '$2'"; }; }

# What the report says: orders; how many may not be weaker; "LINE ACCESS: COULD BE" for those that may.
told()
{
	jq -r '"\(.orders | length) \([.orders[] | select(.otherwise)] | length) " +
		([.orders[] | select(.could_be) | "\(.line) \(.access): \(.could_be)"] | join(", "))' "$1"
}

echo '| program | states | orders | needed | could be weaker (line of the program) |'
echo '|---|---|---|---|---|'
while IFS='|' read -r file options expected; do
	[[ "$file $options" =~ ${2-} ]] || continue
	program="$file${options:+ $options}"
	"$bitspin" orders -q --max-time 60 --json "$scratch/report" $options "$root/tests/memory/$file.c" >"$scratch/last" 2>&1
	"$bitspin" check -q --memory c11 --json "$scratch/check" $options "$root/tests/memory/$file.c" >/dev/null 2>&1
	read -r orders needed weaker < <(told "$scratch/report")
	printf '| `%s` | %s | %s | %s | %s |\n' "$program" "$(jq .statistics.states "$scratch/check")" "${orders:-?}" "${needed:-?}" "$weaker"
	ok_quietly "$(jq -r .verdict "$scratch/check")" verified "$program"
	ok_quietly "$weaker" "$expected" "$program"
done <<'EOL'
message_passing||
store_buffering|-DORDER=seq_cst|
locks|-DTTAS|
locks|-DTICKET|
dekker||51 fence: no fence
dekker|-DROUNDS=2|
peterson|-DROUNDS=2|88 load: acquire
bakery||63 store: release, 66 load: acquire, 69 store: release
locks|-DEXCHANGE|
mcs_lock||
clh_lock|-DROUNDS=2|
small_qspinlock|-DTHREADS=work,work,work|72 read-modify-write: relaxed, 50 compare-exchange: relaxed, 53 store: relaxed, 54 load: relaxed, 63 load: relaxed, 65 store: relaxed
treiber|-DTHREADS=push,push,pop|
michael_scott|-DTHREADS=enqueue,dequeue,dequeue|74 load: relaxed, 74 load: relaxed, 76 compare-exchange: relaxed, 78 compare-exchange: relaxed, 87 load: relaxed, 92 compare-exchange: relaxed
chase_lev|-DSTEALS=2|63 load: relaxed, 79 compare-exchange: relaxed, 88 load: relaxed, 94 compare-exchange: relaxed
seqlock|-DROUNDS=2|
ring|-DITEMS=3|
rcu||
hazard||68 load: relaxed
bounded_queue||
bounded_queue|-DTICKETS|
buf_ring||62 load: relaxed, 64 compare-exchange: relaxed, 81 store: relaxed
double_checked||
counters|-DREFERENCES|
EOL
finish
