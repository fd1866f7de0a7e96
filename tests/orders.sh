#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# bitspin orders: the programs in tests/orders/, whose head comments have a pair of lines
#
#     RUN: OPTIONS
#     EXPECT: LAST LINE
#
# Each line of code with an atomic access ends in a comment "ORDERS: WORDS; WORDS", what the rows for that line say, in their order.
#
#     usage: tests/orders.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans

# pair FILE OPTIONS EXPECTED
pair()
{
	local name
	name=$(basename "$1")
	eval "timeout 300 '$bitspin' orders --json report.json $2 '$1'" >out 2>err
	[ "$(tail -n 1 out)" = "$3" ] || { tail -n 1 out; cat err; return 1; }
	sed -nE 's|^.*/\* ORDERS: (.*) \*/$|\1|; t told; d; :told; =; p' "$1" | paste - - | sed -E 's/\t/: /' >expected
	sed -nE "s/^$name:([0-9]+) +[a-z_0-9]+ +(load|store|read-modify-write|compare-exchange|\.\.\. that fails|fence) +[a-z_]+ +(.*)/\1\t\3/p
		/^together/q" <(sed "s|^[^ ]*/$name|$name|" out) | sort -n -s -k1,1 |
		awk -F '\t' '{ all[$1] = all[$1] ? all[$1] "; " $2 : $2; order[$1 + 0] = 1 } END { for (i = 1; i < 999; i++) if (order[i]) print i ": " all[i] }' |
		sed -E "s/ at [^ ;]*:[0-9]+//g" >found
	diff expected found || return 1
	jq -e --arg last "$3" '.orders_verdict == $last and (.orders | length > 0)' report.json >/dev/null || { echo "the report says otherwise"; return 1; }
}

for file in "$root"/tests/orders/*.c; do
	name=$(basename "$file" .c)
	options=$(sed -n 's/^ \* RUN: //p' "$file")
	ok "$name" pair "$file" "$options" "$(sed -n 's/^ \* EXPECT: //p' "$file")"
done
finish
