#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The command line as others build on it: exit codes, last lines, JSON, generate and replay, the cache of pans, inputs.
#
#     usage: tests/cli.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
mkdir bin
clang=$(command -v clang-14 || command -v clang-19 || command -v clang)
examples=$root/examples

version() { run 0 --version && says '^bitspin [0-9]+\.[0-9]+'; }
help() { run 0 --help && says 'check' && says 'generate' && says 'replay'; }
help_check() { run 0 help check && says '--races' && says '--invariant' && says '--max-depth' && says '--json'; }
check_help() { run 0 check --help && says '--races'; }
verified() { run 0 check "$examples/lost_update_fixed.c" && last verified; }
violated() { run 1 check "$examples/lost_update.c" && last 'violated: assertion at *lost_update.c:*: *'; }
usage() { run 2 check --nonsense; }
inconclusive() { run 3 check --max-depth 3 "$examples/lost_update_fixed.c" && last 'inconclusive: *depth*'; }
assumptions() { run 0 check -v "$examples/lost_update_fixed.c" && grep -qi 'sequential' out; }
addresses()
{
	local kind line
	for kind in ORDER ORDER_NUMBERS ORDER_GLOBALS DISTANCE HASH HASH_GLOBAL BYTES PRINTED ALIGNED; do
		line=$(grep -A 6 -n "defined $kind\$" "$root/tests/world/addresses.c" | sed -n 's/^\([0-9]*\)-.*HERE.*/\1/p' | head -n 1)
		run 0 check -D$kind "$root/tests/world/addresses.c" && grep -q "the order of addresses are bitspin.*:$line)" out || return 1
	done
	run 0 check -DPLAIN "$root/tests/world/addresses.c" && ! grep -q 'the order of addresses are bitspin' out
}
quiet() { run 1 check --quiet "$examples/lost_update.c" && [ "$(wc -l <out)" -le 1 ] && last 'violated: *'; }

# The last line is the same however the rest is printed: all of them tell the shortest schedule.
last_line()
{
	local program line
	for program in "$root"/examples/{deadlock,lost_wakeup,lost_update}.c "-DN=3 $root/tests/threads/philosophers.c"; do
		# shellcheck disable=SC2086
		run 1 check --cores 1 $program && line=$(tail -n 1 out) && run 1 check -q --keep kept $program && equal -q "$(tail -n 1 out)" "$line" &&
			run 1 check --search dfs --json r.json --format gnu $program && equal --json "$(tail -n 1 out)" "$line" &&
			run 1 replay -q kept && equal replay "$(tail -n 1 out)" "$line" || return 1
	done
}

cat >printing.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *work(void *p)
{
	pthread_mutex_lock(&mutex);
	shared = 17;
	pthread_mutex_unlock(&mutex);
	return p;
}
int main(void)
{
	pthread_t thread;
	printf("greetings %d\n", 42);
	pthread_create(&thread, 0, work, 0);
	pthread_mutex_lock(&mutex);
	assert(shared == 0);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	return 0;
}
C
story()
{
	run 1 check printing.c && says 'greetings 42' && says 'shared' && says '17' && says 'printing\.c:19' && says 'assert\(shared == 0\)' \
		&& says 'mutex' && says '^$'
}
deadlock_story() { run 1 check "$examples/deadlock.c" && last 'violated: deadlock at *' && says 'wait|blocked' && says 'held|holds'; }

json_verified()
{
	run 0 check --json result.json "$examples/lost_update_fixed.c" && last verified && jq -e '
		(.bitspin | type == "string") and .verdict == "verified" and (.assumptions | length > 0 and all(type == "string")) and
		.violations == [] and (.statistics | (.states > 0) and (.transitions > 0) and (.depth > 0) and (.seconds >= 0) and
		(.search_seconds >= 0) and (.bytes > 0) and (.bytes_per_state > 0)) and (.options | type == "object")' result.json
}
saved()
{
	run 0 check "$examples/barrier.c" --json result.json && says 'super-steps skipped [1-9][0-9]* intermediate states' &&
		jq -e '.statistics.saved.supersteps > 0' result.json && run 0 check --reduction none --json result.json "$examples/barrier.c" &&
		! says 'skipped' && jq -e '.statistics.saved == {}' result.json
}
# Where two threads can move, one of them may be a persistent set, also under formulas (without, there are 403 states).
cat >two.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int counts[2], flag;
static void *count(void *own)
{
	atomic_int *mine = own;
	for (int i = 0; i < 8; i++)
		if (atomic_fetch_add(mine, 1) == 100 || *mine == 100)
			flag = 2;
	flag = 1;
	return NULL;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count, &counts[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}
C
sets_of_two()
{
	run 0 check --reduction persistent --ltl '<> {flag == 1}' --json result.json two.c && jq -e '.statistics.states < 100' result.json
}
# What is only printed makes no states (162 with them).
cat >printed.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int a, b;
static int last[3];
static void *work(void *own)
{
	int *mine = own;
	*mine = atomic_fetch_add(&a, 1);
	*mine += atomic_fetch_add(&b, 1);
	printf("saw %d, %f\n", *mine, 1.5 * *mine);
	return NULL;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, &last[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}
C
printed()
{
	run 0 check -q --json result.json printed.c && jq -e '.statistics.states < 20' result.json
}
# A word with a minus takes a reduction out; a generated model has no symmetry, as a pan cannot start again without it.
taken_out()
{
	run 0 check --json result.json "$examples/barrier.c" && jq -e '.statistics.saved.symmetry > 0' result.json &&
		run 0 check --reduction all,-symmetry --json result.json "$examples/barrier.c" &&
		jq -e '.statistics.saved | (.supersteps > 0) and (has("symmetry") | not)' result.json &&
		run 2 check --reduction all,-x "$examples/barrier.c" && grep -q "no reduction 'x'" err &&
		run 0 generate -o plain "$examples/barrier.c" && run 0 generate --reduction all -o symmetric "$examples/barrier.c" &&
		! cmp -s plain/program.image symmetric/program.image
}
json_violated()
{
	run 1 check --quiet --json - printing.c && sed '$d' out >result.json && { jq -e . result.json >/dev/null 2>&1 || cp out result.json; } &&
		jq -es '.[0] | .verdict == "violated" and (.violations | length == 1) and (.violations[0] | .kind == "assertion" and
		(.message | contains("shared == 0")) and (.file | endswith("printing.c")) and .line == 19 and .function == "main" and
		(.thread == 0) and (.trace | length > 3) and (.trace | all((.thread | type == "number") and (.file | type == "string") and
		(.line | type == "number") and (.function | type == "string") and (.action | type == "string") and (.detail | type == "string"))) and
		([.trace[].action] | contains(["create"]) and contains(["lock"]) and contains(["output"])))' result.json
}
# Columns tell apart what stands in one line, but what is found once in a line is reported once, as it always was.
columns()
{
	cat >columns.c <<'C'
#include <assert.h>
#include <pthread.h>
int a, b, c;
static void *work(void *p) { a = 1; b = 1; c = 1; return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	assert(a == 0); assert(b == 0); assert(c == 0);
	pthread_join(t, 0);
	return 0;
}
C
	run 1 check --races ignore --all --json result.json columns.c && jq -e '[.violations[] | [.kind, .line]] == [["assertion", 9]] and
		(.violations[0] | .column > 1 and .stack[0].column == .column) and
		([.violations[0].trace[] | select(.action == "write") | .column] == [32, 39, 46])' result.json &&
		run 1 check --all --json result.json columns.c && jq -e '[.violations[] | [.kind, .line]] == [["data-race", 9], ["assertion", 9]] and
		(.violations | all(.column > 0)) and .violations[0].other.column == 32' result.json &&
		sed 's|assert(a.*|& // bitspin: ignore assertion|' columns.c >ignored.c && run 0 check --races ignore --all --json result.json ignored.c &&
		jq -e '(.suppressed | length) == 1 and .suppressed[0].column > 0' result.json
}
# Where all threads are, what they wait for and hold; not those that have ended.
stacks()
{
	run 1 check --json result.json "$examples/deadlock.c" && jq -e '[.violations[0].threads[] | [.thread, .function,
		[.stack[] | .function][0:2], [.holds[] | [.object, .line]], (.waits | startswith("waits for"))]] ==
		[[0, "main", ["transfer", "main"], [["a.mutex", 33]], true], [1, "work", ["transfer", "work"], [["b.mutex", 33]], true]]' \
		result.json && run 1 check --json result.json printing.c && jq -e '.violations[0].threads |
		length == 1 and (.[0] | .holds[0].object == "mutex" and (has("waits") | not))' result.json
}
# All bounds together: the states of the program, and its steps, each once (pan counts one more).
bounds_cover()
{
	local file=$root/tests/bench/states/filesystem.c reduction
	for reduction in none ends; do
		run 0 check -DN=3 --reduction $reduction --json full.json "$file" &&
			run 0 check -DN=3 --reduction $reduction --preemptions iterate --json result.json "$file" || return 1
		jq -es '.[0].statistics as $full | .[1].statistics as $all | .[1].bounds as $bounds | $full.states == $all.states and
			$full.transitions == $all.transitions + 1 and $bounds[-1].states == $all.states and
			([$bounds[].states] | . == sort and .[0] < .[1]) and [$bounds[].preemptions] == [range($bounds | length)]' \
			full.json result.json || return 1
	done
	run 0 check -DN=3 --preemptions iterate "$file" && says '^up to 0 preemptions: [1-9][0-9]* states, [1-9][0-9]* new, ' &&
		says '^up to 1 preemption: '
}
# With the fewest preemptions, as the search counts them and as the replay does, and in steps as few with bfs.
bounds_least()
{
	run 1 check --preemptions 9 --search bfs --json result.json --keep kept "$root/tests/threads/preemptions.c" &&
		says '^with 4 preemptions$' && jq -e '.violations[0].preemptions == 4 and (.violations[0].trace | length > 0) and (.bounds | length == 4)' result.json &&
		run 1 replay --json replayed.json kept && jq -e '.violations[0].preemptions == 4' replayed.json
}
bounds_all()
{
	run 1 check --all --preemptions iterate --json result.json "$root/tests/bounds/several.c" &&
		jq -e '[.violations[] | [.message, .preemptions]] == [["after", 0]]' result.json &&
		run 1 check --all --preemptions 3 --json result.json "$root/tests/bounds/several.c" &&
		jq -e '[.violations[] | [.message, .preemptions]] | sort ==
			[["after", 0], ["in both windows", 3], ["in the first window", 1]]' result.json
}
# All schedules are covered sooner when the end of a thread costs no preemption.
bounds_ends()
{
	run 0 check --preemptions 1 "$root/tests/bounds/short.c" && run 3 check --preemptions 1 --reduction none "$root/tests/bounds/short.c" &&
		run 0 check --preemptions 2 --reduction none "$root/tests/bounds/short.c"
}
bounds_generated()
{
	run 0 generate --preemptions 4 -o generated "$root/tests/threads/preemptions.c" && make -s -C generated PANFLAGS=-O0 &&
		(cd generated && ./pan) | grep -q 'errors: 1' && run 1 replay generated
}
json_all()
{
	run 1 check --quiet --all --json result.json "$root/tests/faults/deadlock_all.c" &&
		jq -e '[.violations[].kind] | unique == ["assertion", "deadlock"]' result.json
}
# What each suppression has matched, and that one matches nothing; kinds and frames in JSON.
suppressions()
{
	printf '%s\n' '# known' 'data-race:known' 'data-race:nobody' 'null-dereference:race_tolerated.c:7' >known.supp
	run 1 check --suppressions known.supp --json result.json -DCASE=1 "$root/tests/threads/race_tolerated.c" &&
		says '^  [0-9]+ faults?: data-race:known \(known.supp:2\)' && ! says 'warning' &&
		jq -e '(.suppressed | length > 0) and (.suppressed[0].other.line > 0) and .suppressions[0].matches > 0' result.json &&
		run 0 check --suppressions known.supp --json result.json -DCASE=9 "$root/tests/threads/race_tolerated.c" &&
		says '^warning: this suppression matches nothing: data-race:nobody' && says 'nothing: null-dereference:race_tolerated.c:7' &&
		says '^verified, apart from 1 suppressed fault$' && jq -e '.verdict == "verified" and .suppressions[1].in_vain' result.json
}
suppressed_comment()
{
	run 0 check --json result.json -DCASE=6 "$root/tests/threads/race_tolerated.c" &&
		says 'data-race:race_tolerated.c:[0-9]+ \(comment\)' && jq -e '.suppressed[0].kind == "data-race"' result.json
}
suppressed_unknown()
{
	run 3 check --quiet -O0 --checks=-out-of-bounds -DCASE=4 "$root/tests/faults/dies.c" &&
		says '^inconclusive: nothing else was found, but what the program does after a suppressed fault is not known: out-of-bounds at'
}
# Each race once, with both sides, though it can be met from either; and what comes after them.
all_races()
{
	run 1 check --all --json result.json "$root/tests/threads/race_all.c" &&
		says '^violated: 4 faults: 3 data-race, 1 assertion$' &&
		jq -e '[.violations[] | select(.kind == "data-race") | [.line, .other.line] | sort] | sort |
			. == [[21, 29], [22, 30], [23, 31]]' result.json &&
		jq -e '[.violations[] | select(.kind == "assertion")] | length == 1 and .[0].line == 44' result.json
}
json_error() { run 2 check --json result.json nothing.c && jq -e '.verdict == "error"' result.json; }
json_inconclusive()
{
	run 3 check --max-depth 3 --json result.json "$examples/lost_update_fixed.c" && jq -e '.verdict == "inconclusive"' result.json
}
json_only()
{
	run 0 check --json - "$examples/lost_update_fixed.c" && jq -es '.[0].verdict == "verified"' <(sed '/^verified$/d' out)
}

noted()
{
	local never_ends="no schedule reaches the end of main" endless="$root/tests/threads/endless_spin.c" fixed="$examples/lost_update_fixed.c"
	run 0 check --waits ignore --json noted.json "$endless" && last verified && [ "$(tail -n 2 out | head -n 1)" = "note: $never_ends" ] &&
		jq -e --arg note "$never_ends" '.notes == [$note]' noted.json && run 0 check -q --waits ignore "$endless" && [ "$(cat out)" = verified ] &&
		run 0 check --json noted.json "$fixed" && ! says "$never_ends" && jq -e '.notes == []' noted.json
}

generated()
{
	rm -rf model && run 0 generate printing.c -o model && [ -f model/model.pml ] && [ -f model/Makefile ] &&
		[ "$(wc -l <model/Makefile)" -le 4 ] && make -C model && [ -x model/pan ] && (cd model && ./pan >../panlog 2>&1)
	grep -q 'errors: 1' panlog || { tail -3 panlog; return 1; }
}
generated_elsewhere() { rm -f panlog; mkdir -p elsewhere; (cd elsewhere && ../model/pan -m10000 >../panlog 2>&1); grep -q "errors: 1" panlog; }
replayed() { run 1 replay model && last 'violated: assertion at *printing.c:19: *' && says 'shared'; }
replayed_trail() { local trail; trail=$(echo model/*.trail) && [ -f "$trail" ] && run 1 replay "$trail" && last 'violated: assertion at *'; }
traced() # each instruction and each change of a state, from check and from replay
{
	rm -rf kept && run 1 check --trace steps --keep kept printing.c && grep -q '^state 0, before the program starts' steps &&
		grep -q '^step 1: thread 0, outcome 0, from state 0 to state' steps && grep -q 'thread 0  main+' steps && grep -q '^  + ' steps &&
		run 1 replay --trace again kept && [ "$(grep -c '^step' steps)" = "$(grep -c '^step' again)" ] && cmp steps again
}

kept() { rm -rf kept && run 1 check --keep kept printing.c && [ -f kept/model.pml ] && ls kept/*.trail && run 1 replay kept && last 'violated: *'; }
# What is chosen before main is in the model, in the story, in the assumptions.
chosen()
{
	local options=(--arg 1=hello --arg 1=17 --arg 1=18..19)
	printf '%s\n' '#include <assert.h>' '#include <stdlib.h>' 'int main(int n, char **a) { assert(n == 2 && atoi(a[1]) < 19); }' >chosen.c
	run 1 check -v "${options[@]}" chosen.c && says 'choose argument 1 is "19"' && says "argument 1 of the program is one of 'hello', '17', '18', '19'" &&
		run 0 audit "${options[@]}" chosen.c && says "one of 'hello', '17'" && rm -rf model2 && run 0 generate "${options[@]}" chosen.c -o model2 &&
		make -C model2 && (cd model2 && ./pan >../panlog 2>&1); grep -q 'errors: 1' panlog && run 1 replay model2 && says 'argument 1 is "19"' &&
		run 1 check -q --json result.json "${options[@]}" chosen.c && jq -e '.options.arg == ["1=hello", "1=17", "1=18..19"]' result.json
}
# Functions are audited by the names that the program knows, also where those of libc/ take their place.
replaced()
{
	printf '%s\n' '#include <stdio.h>' '#include <wchar.h>' 'int main(void) { wprintf(L"%d", fputs("x", stdout)); }' >replaced.c
	run 0 audit replaced.c && says '[ ,]fputs\b' && says '[ ,]wprintf\b' && ! says __bitspin_ && ! says replaced.c && run 0 audit -v replaced.c &&
		says '^  fputs  .*replaced.c:'
}
# With -v, which others of these tests use, files stay.
clean() { rm -rf "${TMPDIR:?}"/*; run 1 check printing.c && [ -z "$(find "$TMPDIR" -mindepth 1)" ] && [ -z "$(ls ./*.trail pan* _spin* 2>/dev/null | grep -v panlog)" ]; }

# The second check of an edited program calls neither spin nor the compiler of pan.
for tool in spin cc gcc; do
	printf '#!/bin/sh\necho %s "$@" >>"%s/calls"\nexec %s "$@"\n' $tool "$scratch" "$(command -v $tool)" >bin/$tool
done
chmod +x bin/*
cached()
{
	rm -rf "$XDG_CACHE_HOME"/* calls
	cp printing.c edited.c
	PATH=$scratch/bin:$PATH run 1 check edited.c || return 1
	[ -s calls ] || echo "note: nothing was compiled the first time"
	rm -f calls
	sed -i 's/17/18/; s/greetings/hello/' edited.c
	PATH=$scratch/bin:$PATH run 1 check edited.c || return 1
	says 'hello 42' || return 1
	[ ! -e calls ] || { echo "called: $(head -c 200 calls)"; return 1; }
}
cached_other_threads()
{
	rm -f calls
	PATH=$scratch/bin:$PATH run 0 check "$root/tests/threads/join_value.c" && [ ! -e calls ]
}
cache_broken()
{
	find "$XDG_CACHE_HOME" -type f | while read -r f; do : >"$f"; done
	run 1 check printing.c && last 'violated: assertion *'
}
# The cache keeps what was used last, and touches no other files.
cache_bounded()
{
	local old="2 hours ago" cache=$XDG_CACHE_HOME/bitspin
	rm -rf "$XDG_CACHE_HOME"/* && run 1 check printing.c && run 1 check --search bfs printing.c || return 1
	local pans=("$cache"/pan-*.sum)
	[ ${#pans[@]} -ge 2 ] && echo mine >"$cache/notes.txt" && touch -d "$old" "$cache"/* || return 1
	run 1 check printing.c && [ -n "$(find "$cache" -name 'pan-*.sum' -mmin -60)" ] && [ "$(ls "$cache"/pan-*.sum | wc -l)" = ${#pans[@]} ] || return 1
	BITSPIN_CACHE_MB=1 run 1 check --search bitstate printing.c && [ -z "$(find "$cache" -name 'pan-*' -mmin +60 -name '*.sum')" ] &&
		[ "$(ls "$cache"/pan-*.sum | wc -l)" -ge 2 ] && [ "$(cat "$cache/notes.txt")" = mine ]
}
cache_unwritable() { XDG_CACHE_HOME=/proc/nowhere run 1 check printing.c && last 'violated: assertion *'; }
same_time()
{
	rm -rf "$XDG_CACHE_HOME"/*
	"$bitspin" check printing.c >out.a 2>&1 & local a=$!
	"$bitspin" check printing.c >out.b 2>&1 & local b=$!
	wait $a; [ $? = 1 ] || { tail -1 out.a; return 1; }
	wait $b; [ $? = 1 ] || { tail -1 out.b; return 1; }
	cmp <(tail -n 1 out.a) <(tail -n 1 out.b)
}

printf 'int twice(int x) { return 2 * x; }\n' >part.c
printf '#include <assert.h>\nint twice(int);\nint main(void) { assert(twice(4) == 8); return 0; }\n' >whole.c
printf '#include <assert.h>\nint begin(void) { assert(0); return 0; }\nint main(void) { return 0; }\n' >entry.c
printf '#include <assert.h>\n#include "dir.h"\nint main(void) { assert(A == 5 && B == 6); return C; }\n' >flags.c
printf '#include <assert.h>\n#include <string.h>\nint main(int c, char **v) { assert(c == 3 && !strcmp(v[2], "x y")); return 0; }\n' >arguments.c
mkdir include && echo '#define B 6' >include/dir.h
several() { run 0 check whole.c part.c && last verified; }
undefined() { run 2 check whole.c; }
bitcode() { "$clang" -g -c -emit-llvm -o p.bc part.c && "$clang" -g -S -emit-llvm -o w.ll whole.c && run 0 check w.ll p.bc && last verified && run 0 check whole.c p.bc; }
less_bitcode()
{
	"$clang" -c -flto -o lto.o whole.c && "$clang" -O2 -g -c -emit-llvm -o part.bc part.c && run 0 check lto.o part.bc && last verified &&
		says "missed in 'lto.o', which does not mark where blocks end" && says "'lto.o' has no debug" && says "'part.bc' has been optimized" &&
		! says "'part.bc', which does not mark" && "$clang" -c -o native.o whole.c && run 2 check native.o part.c
}
entry() { run 1 check --entry begin entry.c && last 'violated: assertion at *entry.c:2: *' && run 0 check entry.c; }
flags() { run 0 check -DA=5 -Iinclude -DC=1 -UC -DC=0 -std=c11 flags.c && last verified && run 0 check -D A=5 -I include -D C=0 flags.c; }
arguments() { run 0 check arguments.c -- 1 'x y' && last verified && run 1 check arguments.c -- 1; }
space() { mkdir -p 'a b' && cp printing.c 'a b/c d.c' && run 1 check 'a b/c d.c' && last 'violated: assertion at *c d.c:19: *'; }
relative() { mkdir -p sub && (cd sub && run 1 check ../printing.c && last 'violated: assertion at ../printing.c:19: *'); }

# A formula's violation as JSON, kept and replayed; a generated model finds the cycle with pan's own -a.
response='[] (in(take, 1) -> <> in(critical, 1))'
json_formula()
{
	run 1 check --ltl "$response" --json f.json "$examples/test_and_set.c" && jq -e --arg formula "$response" '.verdict == "violated" and
		(.violations[0] | .kind == "ltl" and .formula == $formula and .loop > 1 and (.trace | length) > 4 and
		 any(.starving[]; .thread == 1 and (.waits | test("now and then")))) and
		any(.formulas[]; .verdict == "violated")' f.json
}
json_formulas()
{
	run 0 check --ltl '<> terminated' --ltl '[] ({leader == 7} -> false)' --json f.json "$examples/election.c" &&
		jq -e '.verdict == "verified" and (.formulas | length) == 2 and .formulas[1].vacuous == "{leader == 7}"' f.json
}
lasso_story()
{
	run 1 check -v --ltl "$response" "$examples/test_and_set.c" && says 'in\(take, 1\) becomes true' && says '---- and then, again and again: ----' &&
		says 'meanwhile thread 1, at test_and_set.c:[0-9]+, could run now and then' && says 'weak fairness'
}
# A loop in which nothing happens that others see.
silent_loop()
{
	printf 'int main(void)\n{\n\tvolatile int n = 0;\n\twhile (1)\n\t\tn ^= 1;\n}\n' >silent.c
	run 1 check --ltl '<> terminated' silent.c && says 'meanwhile thread 0, at silent.c:4, goes round in a loop for ever'
}
# Whether it holds under weak fairness is asked by another search, which leaves a trail of its own.
unfair_kept()
{
	cat >loops.c <<-'END'
		#include <pthread.h>
		#include <stdatomic.h>
		static atomic_int a;
		static void *work(void *u) { for (;;) { a = 1; a = 0; } return u; }
		int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); }
	END
	run 1 check --fairness none --ltl '<> [] {a == 0}' --keep looped loops.c && run 1 replay looped && says 'does not hold: thread 1 goes round loops.c:4$'
}
unfair() { run 1 check --fairness none --ltl '<> {leader == N}' "$examples/election.c" && says 'along unfair schedules only'; }
# A replay marks nothing, so it leaves reads out that check keeps for their marks.
unmarked() { sed 's/^>/ /; /^(/d; s/  [a-z]* is [0-9]*; /  /'; }
kept_formula()
{
	run 1 check --keep lasso --ltl "$response" "$examples/test_and_set.c" && cp out first && run 1 replay lasso &&
		says 'again and again' && diff <(sed '/^$/,$d' first | unmarked) <(sed '/^$/d; /^violated/,$d' out | unmarked)
}
# Propositions as macros, and claims that the user adds: one holds, one is violated, one holds only if schedules are fair.
generated_vocabulary()
{
	cat >asked.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
atomic_int asked, answered, rounds;
static void *serve(void *unused)
{
	(void)unused;
	while (!asked)
		;
	answered = 1;
	return NULL;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, serve, NULL);
	asked = 1;
	while (!answered)
		;
	pthread_join(thread, NULL);
	return 0;
}
C
	run 0 generate --threads 2 --prop 'request={asked}' --prop 'reply={answered == 1}' -o vocabulary asked.c || return 1
	printf 'ltl %s\n' 'served { ([] goes_on) -> [] (request -> <> reply) }' 'silent { [] !reply }' 'order { [] (reply -> request) }' >>vocabulary/model.pml
	make -s -C vocabulary >/dev/null || return 1
	(cd vocabulary && for claim in 'served' 'served -f' 'silent' 'order'; do
		# shellcheck disable=SC2086
		./pan -a -N $claim | sed -n "s/.*errors: /$claim: /p"
	done) >found
	printf '%s\n' 'served: 1' 'served -f: 0' 'silent: 1' 'order: 0' | diff - found
}
# pan counts processes when it is to be fair; there is room for all of them, and for a claim that is written into the model.
fair_processes()
{
	local threads
	for threads in 6 16; do
		rm -rf fair && run 0 generate -q --threads $threads --prop 'asks={asked}' -o fair asked.c && echo 'ltl sometime { <> asks }' >>fair/model.pml &&
			make -s -C fair PANFLAGS=-O0 >/dev/null || return 1
		(cd fair && ./pan -a -f -N sometime) >found
		grep -q 'errors: 0' found || { echo "$threads threads: $(head -n 1 found)"; return 1; }
	done
}
generated_formula()
{
	run 0 generate -o claimed --threads 3 --ltl "$response" "$examples/test_and_set.c" && make -C claimed && grep -q '^never' claimed/model.pml &&
		(cd claimed && ./pan -a -m10000 | grep -q 'acceptance cycle') && run 1 replay claimed && says 'again and again' &&
		run 0 generate -o holds --threads 3 --fairness strong --ltl "$response" "$examples/test_and_set.c" && make -C holds &&
		(cd holds && ./pan -a -m10000 | grep -q 'errors: 0')
}

singular()
{
	run 0 check "$examples/lost_update_fixed.c" && ! says '(^| )1 [a-z ]*(states|steps|transitions|writes|seconds)( |,|$)' >/dev/null && says '(^| )1 [a-z ]*(state|step|write)( |,|$)'
}

# Each command that is run is a line for a shell: run again, they find the same.
verbose()
{
	local XDG_CACHE_HOME=$scratch/cold name left
	export XDG_CACHE_HOME
	mkdir -p "$scratch/cold"
	name="TEXT=\"it's\""
	run 1 "$@" "-D$name" printing.c && last 'violated: assertion *' || return 1
	for name in '^clang.* -o ' '^\(cd .* && spin -a model.pml\)$' '^\(cd .* && (cc|gcc) .*libbitspin-vm' '^\(cd .* BITSPIN_IMAGE=.*/pan -m'; do
		grep -Eq -- "$name" err || { echo "no line $name: $(head -c 300 err)"; return 1; }
	done
	left=$(sed -n "s/^# the files of these commands are left in '\(.*\)'$/\1/p" err)
	[ -f "$left/program.image" ] || { echo "no files are left"; return 1; }
	rm -f "$left/0.bc" "$left"/pan.d/pan* "$left"/*.trail
	bash -e err >again 2>&1 && grep -q 'errors: 1' again && [ -f "$left/0.bc" ] && [ -x "$left/pan.d/pan" ] || { tail -n 3 again; return 1; }
	rm -rf "$left" "$scratch/cold"
}
image_text()
{
	rm -rf kept && run 1 check --keep kept printing.c && "$(dirname "$bitspin")/bitspin-image" -d kept/program.image >text &&
		grep -q '^function main' text && grep -q 'call .*printf' text
}
spelling() { run 0 check --optimise=1 entry.c && run 0 check --optimize=1 entry.c && run 0 help check && says '--optimize' && ! says '--optimise'; }

ok version version
ok help help
ok help-check help_check
ok check-help check_help
ok verified verified
ok violated violated
ok usage usage
ok inconclusive inconclusive
ok assumptions assumptions
ok addresses addresses
ok quiet quiet
ok last-line last_line
ok story story
ok deadlock-story deadlock_story
ok json-verified json_verified
ok saved saved
ok 'sets of two' sets_of_two
ok printed printed
ok 'a reduction taken out' taken_out
ok columns columns
ok stacks stacks
ok json-violated json_violated
ok json-all json_all
ok bounds-cover bounds_cover
ok bounds-least bounds_least
ok bounds-all bounds_all
ok bounds-ends bounds_ends
ok bounds-generated bounds_generated
ok suppressions suppressions
ok suppressed-comment suppressed_comment
ok suppressed-unknown suppressed_unknown
ok all-races all_races
ok json-error json_error
ok json-inconclusive json_inconclusive
ok json-only json_only
ok noted noted
ok generate generated
ok generate-elsewhere generated_elsewhere
ok replay replayed
ok replay-trail replayed_trail
ok chosen chosen
ok replaced replaced
ok keep kept
ok trace traced
ok clean clean
ok verbose-before verbose -v check
ok verbose-long verbose --verbose check
ok verbose-after verbose check -v
ok image-text image_text
ok spelling spelling
ok cached cached
ok cached-other-program cached_other_threads
ok cache-broken cache_broken
ok cache-bounded cache_bounded
ok cache-unwritable cache_unwritable
ok same-time same_time
ok several-files several
ok undefined undefined
ok bitcode bitcode
ok less_bitcode less_bitcode
ok entry entry
ok flags flags
ok arguments arguments
ok space-in-name space
ok relative-name relative
ok json-formula json_formula
ok json-formulas json_formulas
ok lasso-story lasso_story
ok lasso-silent silent_loop
ok unfair unfair
ok unfair-kept unfair_kept
ok keep-formula kept_formula
ok generate-formula generated_formula
ok singular singular
ok generate-vocabulary generated_vocabulary
ok generate-vocabulary-fair fair_processes

# What a violation tells of what happened before.
cat >history.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int values[3]; };
static struct node *list;
static int x;
static pthread_key_t key;
static void *work(void *p)
{
	if (HOW == 1)
		free(list);
	if (HOW == 3)
		x = 3;
	if (HOW == 4)
		pthread_setspecific(key, list);
	return p;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	list = malloc(sizeof *list);
	list->values[2] = 5;
	pthread_key_create(&key, free);
	pthread_create(&thread, NULL, work, NULL);
	if (HOW == 2)
		memset(list, 0, -2 * argc);
	if (HOW == 3)
		x++;
	if (HOW == 4)
		free(list);
	if (HOW == 5)
		*(char *)malloc(-7 * argc) = 0;
	pthread_join(thread, NULL);
	return list->values[1];
}
C
tells() { run 1 check "-DHOW=$1" history.c && last "$2" && says "$3"; }
ok told-free tells 1 'violated: use-after-free at history.c:34: read of 4 bytes in freed memory (list#1, allocated at history.c:21 by thread 0, freed at history.c:11 by thread 1)' \
	'list#1\.values\[2\] = 5'
ok told-size tells 2 'violated: out-of-bounds at history.c:26: write of -2 bytes (18446744073709551614 unsigned) at offset 0 of list#1, which has 24 bytes' 'list#1, 24 bytes'
ok told-race tells 3 'violated: data-race at history.c:*: * of x by thread [01] and * by thread [01] at history.c:* are not ordered*' 'x = 3|x is'
ok told-destructor tells 4 'violated: double-free at history.c:23: *allocated at history.c:21 by thread 0, freed at history.c:30 by thread 0)' 'destructor'
ok told-allocation tells 5 'violated: null-dereference at history.c:32: *' 'allocate nothing: -7 bytes'
cat >own.c <<'C'
#include <stdlib.h>
struct node { struct node *next; int values[3]; };
int main(void)
{
	struct node *own = malloc(sizeof *own);
	own->next = NULL;
	return own->values[1] == 5;
}
C
told_unset() { run 1 check own.c && last 'violated: uninitialized-read at own.c:7: *the last such value that was read is own#1.values\[1\], in line 7?'; }
ok told-unset told_unset

# What slicing has left out, by name.
cat >statistics.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static struct { int hits, limit; struct { long sum, last; } deep; } stats;
static int logged[4], number;
static struct entry { int key, used; } table[3];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void note(int *where) { ++*where; }
static void *work(void *own)
{
	static int calls;
	int local = 0;
	pthread_mutex_lock(&m);
	note(&local);
	stats.hits += number++ < stats.limit;
	stats.deep.sum += stats.hits;
	stats.deep.last = ++calls + ((struct entry *)own)->used;
	logged[stats.limit] = stats.hits;
	table[1].used++;
	((struct entry *)own)->used++;
	pthread_mutex_unlock(&m);
	return NULL;
}
int main(void)
{
	pthread_t threads[2];
	struct entry *own = malloc(2 * sizeof *own);
	memset(own, 0, 2 * sizeof *own);
	own[1].used = 7;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, own + i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	int first = own->key;
	char *copy = strdup("x");
	free(copy);
	free(own);
	return table[2].key + first;
}
C
names_left_out() # a JSON report: the names with their lines, in one line
{
	jq -r '[.not_distinguished[]? | "\(.name):\(.line)"] | join(" ")' "$1"
}
told_slices()
{
	run 0 check --reduction all,slicing --json slices.json statistics.c &&
		says '^not distinguished: table\[\].used \(statistics.c:6\), number \(statistics.c:5\), stats.hits \(statistics.c:4\), stats.deep \(statistics.c:4\), calls of work\(\) \(statistics.c:11\), and 3 more: nothing that is checked depends on them$' &&
		[ "$(names_left_out slices.json)" = 'table[].used:6 number:5 stats.hits:4 stats.deep:4 calls of work():11 logged[]:5 own[].used:27 local of work():12' ]
}
ok told-slices told_slices
# What a formula looks at is told apart in its search, so it is not told; nor is anything without the reduction.
told_slices_of_formulas()
{
	run 0 check --reduction all,slicing --json slices.json --ltl '[] {stats.hits <= 2}' --ltl '[] {table[1].used <= 2}' statistics.c &&
		[ "$(names_left_out slices.json)" = 'stats.deep:4 calls of work():11 logged[]:5 own[].used:27 local of work():12' ]
}
ok told-slices-of-formulas told_slices_of_formulas
told_no_slices()
{
	run 0 check --reduction supersteps --json slices.json statistics.c && ! says '^not distinguished' && [ "$(names_left_out slices.json)" = '' ] &&
		run 0 check --reduction all,slicing -O2 --json slices.json statistics.c && ! says '^not distinguished' && [ "$(names_left_out slices.json)" = '' ]
}
ok told-no-slices told_no_slices
compared_slices()
{
	run 0 compare --max-time 20 --json slices.json statistics.c && says '^bitspin without slicing +verified' &&
		jq -e '[.searches[] | select(.identity == "state") | {reductions: (.reductions | index("slicing") != null), states}] |
			length == 3 and .[0].states < .[1].states and (map(.reductions) == [true, false, false])' slices.json >jq.out
}
ok compared-slices compared_slices
# A run that never ends is a cycle, though a counter goes on; the story has its true values.
cat >cycle.c <<'C'
#include <pthread.h>
static unsigned hits;
static void *work(void *argument)
{
	while (1)
		hits++;
	return argument;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
C
sliced_cycle()
{
	run 1 check --reduction all,slicing --ltl '<> terminated' cycle.c && last 'violated: ltl: <> terminated does not hold: thread 1 goes round cycle.c:5' &&
		says 'hits = [1-9][0-9]*' && run 0 check --reduction all,slicing cycle.c
}
ok sliced-cycle sliced_cycle
# Why reductions are off: by the options, the translator, the VM, and as a search has found.
off() { run "$1" check --json off.json "${@:4}" && [ "$(jq -r ".reductions_off.$2" off.json)" = "$3" ]; }
why_off()
{
	off 0 sections null "$examples/pool.c" &&
		off 0 sections 'formulas are checked' --ltl '<> terminated' "$examples/pool.c" &&
		off 0 persistent null --faults spurious-wakeup:1 "$examples/queue_fixed.c" &&
		off 3 symmetry 'preemptions are bounded' --preemptions 1 "$examples/pool.c" && says '^supersteps, .*symmetry.* are off: preemptions are bounded$' &&
		off 0 exits 'leaks are looked for where the program ends' --leaks "$examples/pool.c" &&
		off 0 exits 'formulas or invariants are checked' --invariant '{1}' "$examples/pool.c" &&
		off 0 symmetry null --reduction all,-symmetry "$examples/pool.c"
}
ok why-off why_off
# Inputs as sets: the story and the witness have the smallest one that fails, and so has the native program.
printf '%s\n' 'extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);' \
	'int main(void)' '{' '#ifdef SMALL' '	unsigned char n = __VERIFIER_nondet_uchar();' '	if (n == 201)' '#else' \
	'	int n = __VERIFIER_nondet_int();' '	if (n % 100 == 45 && n > 12300)' '#endif' '		reach_error();' '	return 0;' '}' >magic.c
sets()
{
	run 1 check --profile svcomp magic.c && says ' 12345$' && run 3 check --profile svcomp --inputs few magic.c &&
		last 'inconclusive: no violation found, but only a few values *' || return 1
	run 1 check --profile svcomp --inputs sets --witness magic.yml --keep magic.d magic.c && says 'magic.c:8 .* 12345$' &&
		grep -q 'result == 12345' magic.yml && run 1 replay magic.d && says 'magic.c:8 .* 12345$'
}
enumerated()
{
	run 1 check --profile svcomp -DSMALL --inputs enumerate magic.c && says ' 201$' &&
		run 3 check --profile svcomp --inputs enumerate magic.c && last 'inconclusive: __VERIFIER_nondet_int returns one of more values than *'
}
sets_refused()
{
	local options && echo 'never { S0: if :: ({1}) -> goto S1 fi; S1: if :: ({1}) -> goto S2 fi; S2: skip }' >counts.never
	for options in 'check --never counts.never' 'generate -o sets --ltl {1}' 'check --identity hb' 'check --mask x' 'check --search random' 'check --output x'; do
		# shellcheck disable=SC2086
		run 2 $options --inputs sets magic.c && grep -q -- '--inputs sets' err || return 1
	done
	run 2 check --inputs few --max-values 3 magic.c && grep -q -- '--max-values is for --inputs sets' err && run 2 check --inputs some magic.c
}
ok inputs-sets sets
ok inputs-enumerated enumerated
ok inputs-refused sets_refused
finish
