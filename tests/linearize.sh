#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# bitspin linearize: the programs in tests/linearize/, whose head comments have pairs of lines
#
#     RUN: OPTIONS
#     EXPECT: linearizable | violated KIND | inconclusive: REASON (how the line goes on)
#
# Each pair is run with all reductions and with none; and what stands in between: wrong input, results, specifications, plans.
#
#     usage: tests/linearize.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans

cp "$root"/tests/linearize/*.c .

# refused WORDS ARGUMENT...: an error in one line, which has these words
refused()
{
	run 2 linearize "${@:2}" && grep -q -- "$1" err && equal lines "$(wc -l <err)" 1
}
ok function refused "'bogus()': at column 1: implicit declaration" --thread 'bogus()' counter.c
ok arguments refused 'too many arguments' --thread 'get(1)' counter.c
ok structure refused 'a result is a number or a pointer' --thread '(struct { int a; }){ 1 }' counter.c
ok pointer refused "'get(\"x\")': at column 5: incompatible pointer types" --thread 'get("x")' spsc.c
ok integer refused "'get(7)': at column 5: incompatible integer to pointer" --thread 'get(7)' spsc.c
ok complex refused 'a result is no complex number' --thread '(_Complex float)1' counter.c
ok spec-function refused "'put(1)': at column 1: .*said of --spec" --spec counter.c --thread 'put(1)' spsc.c
ok large refused 'at most eight bytes' --thread '(__int128)1' counter.c
ok empty refused 'has no operation' --thread 'get()' --thread ' ; ' counter.c
ok none refused "no function 'main'" counter.c
ok many refused '65 operations together' --thread "$(printf 'get();%.0s' {1..65})" counter.c
ok open refused "expected ')'" --thread 'get(out(int)' spsc.c
ok outs refused 'more than 4 results' --thread 'f(out(int), out(int), out(int), out(int), out(int))' counter.c
ok call refused 'neither --call' --thread 'get()' --call 'get()' counter.c
ok formula refused 'neither --call nor formulas' --thread 'get()' --ltl '[] done(1)' counter.c
ok view refused 'compares whole states' --thread 'get()' --abstract get counter.c
ok identity refused 'compares whole states' --thread 'get()' --identity hb counter.c
ok both refused 'leave out one' --thread 'get()' --operations 'get()' counter.c
ok missing refused 'a call is missing' --operations 'get(), ' counter.c
ok range refused 'is empty' --operations 'push(2..1)' treiber.c
ok progress refused 'leave out --condition' --progress lock-free --condition sequential --thread 'get()' counter.c
ok progress-memory refused 'memory sc' --progress lock-free --memory tso --thread 'get()' counter.c
ok progress-main refused 'needs threads' --progress wait-free own_main.c
ok length refused '--length is for' --thread 'get()' --length 2 counter.c
ok spec refused 'none.c' --thread 'get()' --spec none.c counter.c

# what operations have made is no result; what was there before is, and in two runs it is the same
pointers()
{
	printf '#include <stdlib.h>\nint a[2];\nint *one;\nint *get(int i) { return a + i; }\nint *make(void) { return malloc(4); }\n' >p.c
	printf 'void *null(void) { return 0; }\nvoid start(void) { one = malloc(8); }\nint *heap(void) { return one + 1; }\n' >>p.c
	run 0 linearize -q --setup 'start()' --thread 'get(1); null()' --thread 'heap(); get' p.c && last 'linearizable: *' &&
		run 3 linearize -q --thread 'make()' --thread 'make()' p.c && last 'inconclusive: *pop()->value*'
}
ok pointers pointers
choice()
{
	printf '#include <bitspin.h>\nint put(int v) { return v; }\nint coin(void) { return bitspin_choose(0, 1); }\n' >c.c
	run 3 linearize -q --thread 'put(7); coin()' --thread 'put(8)' c.c &&
		last 'inconclusive: the operations are not deterministic: after put(7) returns 7, coin() returns 0 in one run, and returns 1 in another*'
}
ok choice choice
kinds()
{
	printf 'double half(void) { return 0.5; }\nfloat third(void) { return 0.25f; }\nvoid nothing(void) {}\n_Bool yes(char *c, long *l) { *c = 7; *l = -3; return 1; }\n' >k.c
	run 0 linearize -q --thread 'half(); third()' --thread 'nothing(); yes(out(char), out(long))' k.c && last 'linearizable: 2 threads, 4 operations, *'
}
ok kinds kinds
# other faults are found in both phases, with the story
faults()
{
	printf 'int n;\nint *p;\nint f(void) { return ++n; }\nint g(void) { return *p; }\n' >f.c
	run 1 linearize -q --thread 'f()' --thread 'f()' f.c && last 'violated: data-race*' && run 1 linearize -q --thread 'g()' f.c &&
		last 'violated: null-dereference*'
}
ok faults faults
spec()
{
	printf 'static int n;\nint get(void) { return n; }\nint increment(void) { return n++; }\n' >wrong.c
	printf 'static int n;\nint get(void) { return n; }\nint increment(void) { return ++n; }\n' >right.c
	run 0 linearize -q --spec right.c --thread 'increment(); get()' --thread 'increment()' counter.c && last 'linearizable: * of --spec' &&
		run 1 linearize -q --spec wrong.c --thread 'increment(); get()' --thread 'increment()' counter.c &&
		last 'violated: not-linearizable *increment() returns 1, *could return 0'
}
ok spec spec
# a specification that may say "empty" for no reason lets the code do so, and nothing else
weak()
{
	printf '#include <bitspin.h>\nstatic int a[9], puts, gets;\nvoid start(void) {}\nvoid put(int v) { a[puts++] = v; }\n' >weak.c
	printf 'int get(void) { return gets == puts || bitspin_choose(0, 1) ? -1 : a[gets++]; }\n' >>weak.c
	run 0 linearize -q --spec weak.c --setup 'start()' --thread 'put(1)' --thread 'put(2); get()' exchange_queue.c &&
		run 1 linearize -q --spec weak.c --setup 'start()' --setup 'put(1)' --thread 'get()' --thread 'get()' -DBROKEN=2 michael_scott.c
}
ok weak weak
# what a specification chooses it remembers, also where the choice is no result: states that differ in it are different nodes
remembered()
{
	local calls='pick(); get(); get(); get(); get()'
	printf '#include <bitspin.h>\nstatic int x;\nvoid pick(void) { x = bitspin_choose(0, 1); }\nint get(void) { return x; }\n' >pick.c
	printf '#include <stdatomic.h>\nstatic atomic_int x;\nvoid pick(void) { x = FIRST; }\nint get(void) { return atomic_fetch_xor(&x, CHANGE); }\n' >picked.c
	for first in 0 1; do
		run 0 linearize -q --spec pick.c -DFIRST=$first -DCHANGE=0 --thread "$calls" --thread "$calls" picked.c || return
		run 1 linearize -q --spec pick.c -DFIRST=$first -DCHANGE=1 --thread "$calls" picked.c || return
	done
	last 'violated: not-linearizable *'
}
ok remembered remembered
plans()
{
	run 0 linearize --operations 'push(1..2), pop()' --length 1 treiber.c && last 'linearizable: 6 plans of up to 2 threads and 1 operations each, * states' &&
		equal lines "$(grep -c '^[1-6] of 6: ' out)" 6 && run 1 linearize --operations 'pop(), push(3)' --setup 'push(1)' -DBROKEN=2 treiber.c &&
		last 'violated: not-linearizable*' && says '^1 of 21: pop() || pop(): violated$' && run 2 linearize --operations 'nope()' treiber.c
}
ok plans plans
# the lines are commands for a shell, which are the plans
listed()
{
	local count=0 line
	run 0 linearize --list-plans --operations 'push("2"[0]), pop()' --length 1 -q -DBROKEN=2 --setup 'push("1"[0])' treiber.c &&
		equal lines "$(wc -l <out)" 3 && grep -qF -- "--thread 'pop()' --thread 'pop()' -q -DBROKEN=2 --setup 'push(\"1\"[0])' treiber.c" out || return
	mv out plans
	while IFS= read -r line; do
		bash -c "$line" >out 2>err </dev/null
		case $?:$(tail -n 1 out) in 0:linearizable* | 1:violated*) count=$((count + 1)) ;; esac
	done <plans
	equal run "$count" 3 && last 'violated: not-linearizable*' && refused 'list-plans is for' --list-plans --thread 'pop()' treiber.c
}
ok listed listed
# several processes: each must know the monitor
cores() { run 0 linearize -q -j 2 --thread 'put(1)' --thread 'get()' --thread 'get()' buffer.c && last 'linearizable: 3 threads*'; }
ok cores cores
json()
{
	run 1 linearize --json r.json --thread 'add()' --thread 'add()' -DBROKEN=2 counter.c &&
		equal events "$(jq -r '.violations[0].trace[].action' r.json | grep -cE 'begins|returns')" 4 && grep -qF '  thread 1   add() = 1  |=' out &&
		grep -qFx 'no order of add() = 1, add() = 1 gives these results' out
}
ok json json

# a violation is in a line of the user's: where the operation was last, or where it waits
places()
{
	run 1 linearize --json r.json -q --thread 'add()' --thread 'add()' -DBROKEN=2 counter.c && last 'violated: not-linearizable at counter.c:*: add() returns*' &&
		equal file "$(jq -r '.violations[0] | .file, .function' r.json | sed 's|.*/||' | paste -sd' ')" 'counter.c add' &&
		run 1 linearize -q --thread 'put(1)' --thread 'get()' -DBROKEN=1 buffer.c && last 'violated: not-linearizable at buffer.c:*: an operation waits for ever*'
}
ok places places

# pair FILE OPTIONS EXPECTED
pair()
{
	local reductions
	for reductions in all none; do
		eval "timeout 60 '$bitspin' linearize -q --reduction $reductions $2 '$1'" >out 2>err
		case $(tail -n 1 out) in
		"$3"* | "${3/violated /violated: }"*) ;;
		*) echo "--reduction $reductions: $(tail -n 1 out)$(cat err)"; return 1 ;;
		esac
	done
}

for file in "$root"/tests/linearize/*.c; do
	name=$(basename "$file" .c)
	number=0
	while IFS= read -r line; do
		case $line in
		' * RUN: '*) options=${line# \* RUN: } ;;
		' * EXPECT: '*) ok "$name-$((++number))" pair "$file" "$options" "${line# \* EXPECT: }" ;;
		esac
	done < <(sed '/^ \*\//q' "$file")
done
finish
