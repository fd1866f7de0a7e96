#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What the command says of --memory c11: bad input, JSON, replays, simulations and confirmations of a counterexample with an older
# value, and what the last line names.  The verdicts are in tests/memory/*.c.
#
#     usage: tests/memory.sh BITSPIN [FILTER]
source "$(dirname "$0")/lib.sh"
own_cache
quick_pans
ln -s "$root/tests" .
program=tests/memory/store_buffering.c

# refused MODEL REGEX OPTION...
refused()
{
	run 2 check --memory "$1" -DORDER=relaxed "${@:3}" "$program" && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -Eq "$2" err
}

for bad in 0 65 -1 x '' 1:2 99999999999999999999; do
	ok "bad-values-${bad:-none}" refused "c11:$bad" 'takes a K from 1 to 64'
done
for bad in C11 rc11 c11x ''; do
	ok "bad-model-${bad:-none}" refused "$bad" "there is no memory model '$bad'; known are "
done
ok formula refused c11 'formulas need --memory sc' --ltl '[] (1)'
ok unreported-races refused c11 'needs races to be reported' --races ignore

# json_says MODEL STATUS TEXT: the report has the text as its memory model
json_says()
{
	run "$2" check -q --memory "$1" --json report.json -DORDER=relaxed "$program" && grep -q "^  \"memory_model\": \"$3\"" report.json
}
ok json-sc json_says sc 0 'sequential consistency'
ok json-c11 json_says c11 1 'C11 (RC11)'
ok json-bounded json_says c11:1 3 'C11 (RC11)'

# The kept counterexample is told again, and so is the file of its schedule.
replayed()
{
	run 1 check -q --memory c11 --keep kept -DORDER=relaxed "$program" && run 1 replay kept && says 'x is 0, an older value: the' &&
		last 'violated: assertion at *'
}
ok replay replayed

# The story of message passing names the order that is too weak; of store buffering, those that have to be seq_cst.
forbids() # TEXT OPTION... PROGRAM
{
	run 1 check -q --memory c11 --json report.json "${@:2}" && grep -Eq "not visible to thread 2 yet$1" report.json
}
ok story-release forbids ' \(release at litmus_two.c:[0-9]+ would forbid that\)' -DMP -DST=relaxed -DLD=acquire tests/memory/litmus_two.c
ok story-acquire forbids ' \(acquire at litmus_two.c:[0-9]+ would forbid that\)' -DMP -DST=release -DLD=relaxed tests/memory/litmus_two.c
ok story-total forbids ' \(seq_cst at store_buffering.c:[0-9]+( and|,) store_buffering.c:[0-9]+.* would forbid that; so would atomic_thread_fence\(memory_order_seq_cst\) after store_buffering.c:[0-9]+ and after store_buffering.c:[0-9]+\)' -DORDER=relaxed "$program"
each_line() { run 1 check -q --memory c11 --all --json report.json tests/bugs/outcomes_numbered.c && jq -e '[.violations[].line] | unique | length == 8' report.json; }
ok each-line each_line

# Under tso, a load that misses a store, and the event in which the store leaves its buffer, say in which step it was made.
delayed()
{
	run 1 check -q --memory tso --json report.json -DSPINNING tests/memory/x86.c &&
		jq -e '.violations[0].trace | (map(select(.detail | test("leaves the store buffer of thread 1"))) | length == 1) as $one |
			[.[] | select(.waiting) | .waiting[]] as $made | [.[] | select(.detail | test("^x = 1, in the store buffer")) | .step] as $steps |
			$one and ($made | length > 0) and ($made - $steps == [])' report.json
}
ok delayed delayed
ok story-repairs "$root/tests/forbids.py" "$bitspin"

not_confirmable()
{
	run 1 confirm --memory c11 -DORDER=relaxed "$program" && last 'not confirmable: step * meets an older value, *'
}
ok confirm not_confirmable

# Thread 2 loads x after thread 1 has stored 1: outcome 0 is the newest value, outcome 1 the one before.
simulated() # OUTCOME REGEX
{
	printf '%s\n' step step step 'step 1' 'step 1' 'step 2' "step 2 $1" continue >commands
	"$bitspin" simulate --memory c11:2 -DORDER=relaxed "$program" <commands >out 2>err
	says "$2"
}
ok simulate-newest simulated 0 'x is 1'
ok simulate-older simulated 1 'x is 0, an older value'
ok simulate-no-more simulated 2 'error: thread 2 has the outcomes 0 to 1 here, not 2'

# What is not explored is named with its place, and fences are; an invariant is no seq_cst access of the program.
named() { run 0 check -q --memory c11 "${@:2}" && last "verified under C11's memory model (RC11$1)*"; }
ok plain named '' -DMP -DST=release -DLD=acquire tests/memory/litmus_two.c
ok fence named '' -DORDER=relaxed -DFIRST -DSECOND "$program"
ok mixed named '; seq_cst in the order of happens-before, as C17 says, litmus_total.c:*' -DIRIW_MIXED tests/memory/litmus_total.c
ok invariant named '' -DORDER=relaxed -DFIRST -DSECOND \
	--invariant 'x <= 1' "$program"

finish
