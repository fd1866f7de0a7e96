#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Numbers of Mazurkiewicz traces that papers publish, counted by --traces; and some of smaller programs, which a script counted by
# sleep sets over a model of these programs.  PATTERN: a regular expression for rows.
#
#     usage: tests/bench/traces.sh BITSPIN [PATTERN]
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
bitspin=$1 pattern=${2:-.}
bad=0
while read -r program traces; do
	[[ $program =~ $pattern ]] || continue
	IFS=, read -r file options <<<"$program" # --max-depth 1: the search is not what is measured
	found=$("$bitspin" check -q --max-depth 1 --max-time 300 --traces --json - ${options//,/ } "$root/tests/traces/$file.c" |
		sed -n 's/.*"\([0-9]*\) Mazurkiewicz traces*".*/\1/p')
	[ "$found" = "$traces" ] || { echo "FAIL $program: $traces traces expected, ${found:-none} found"; bad=1; continue; }
	echo "ok $program: $traces"
done <<'TABLE'
pi,-DN=3 6
mpat,-DN=2 8
dispatch,-DS=3,-DR=2 59
poke,-DN=3,-DK=1 6
multipc,-DP=2,-DW=2 54
symbolic,--inputs=symbolic,-DCASE=7 4
symbolic,--inputs=symbolic,-DCASE=1 8
symbolic,-DCASE=2 2
wakeups,-DN=5 120
pi,-DN=5 120
pi,-DN=6 720
pi,-DN=7 5040
mpat,-DN=4 384
dispatch,-DS=5,-DR=2 137
dispatch,-DS=5,-DR=3 1482
multipc,-DP=2,-DW=5 60
poke,-DN=4,-DK=2 60
poke,-DATOMIC,-DN=4,-DK=2 60
poke,--threads=12,-DATOMIC,-DN=7,-DK=3 2440
TABLE
exit $bad
