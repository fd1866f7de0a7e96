#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Searches beside a long exhaustive one: they find what that would not in its time, their violations are as good as any, what they
# have reached is told, and nothing of them is left.
#
#     usage: tests/ladder.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans
programs=$root/tests/bench/ladder

# finds PROGRAM KIND: a violation at a line that is marked, found by one of the others.
finds()
{
	run 1 check -v --json r.json --max-time 40 --keep kept "$programs/$1" && last "violated: $2 at *" || return 1
	local line
	line=$(jq '.violations[0].line' r.json)
	sed -n "${line}p" "$programs/$1" | grep -q ERROR || { echo "line $line is not marked"; return 1; }
	jq -e '.ladder.found_by and (.violations[0].trace | length > 0)' r.json >/dev/null || { echo "the search has found it itself"; return 1; }
	says '^found by .*, beside the exhaustive'
}
three_finds() { finds aba.c assertion && finds use_after_free.c use-after-free && finds unlock.c mutex-misuse; }
replayed() { run 1 replay kept && last 'violated: mutex-misuse at *unlock.c:*'; } # what was found last
confirmed() { run 0 confirm kept && last 'confirmed: *'; }

# The search itself says the same, if it is asked to do it alone.
alone() { run 3 check -q --cores 1 --max-time 4 "$programs/unlock.c" && last 'inconclusive: time limit of 4 seconds reached after * states'; }

told() # with the default, given
{
	run 3 check --json r.json --search dfs --max-time 6 -DFIXED "$programs/lock_order.c" &&
		last 'inconclusive: time limit of 6 seconds reached after * states; no violation * random run*' &&
		jq -e '.ladder.walks.walks > 10 and (.ladder | has("found_by") | not)' r.json >/dev/null
}

# So does the line on a terminal, while they go on.
line()
{
	timeout 60 script -qec "stty cols 200; TERM=xterm '$bitspin' check --max-time 6 -DFIXED '$programs/lock_order.c'" shown >/dev/null 2>&1 </dev/null
	tr '\r' '\n' <shown | grep -Eq '^[0-9] s: .* MB; beside it: no violation .*in [0-9]+ random runs' || { tail -c 300 shown; return 1; }
}

# On a narrow one, less of the rest is told.
narrow()
{
	timeout 60 script -qec "stty cols 80; TERM=xterm '$bitspin' check --max-time 5 -DFIXED '$programs/lock_order.c'" shown >/dev/null 2>&1 </dev/null
	tr '\r' '\n' <shown | sed 's/\x1b\[K//g' >lines
	grep -Eq '^[0-9] s: .* states, .*; beside it: .*[0-9]+ random runs$' lines || { tail -c 300 shown; return 1; }
	grep -E '^[0-9] s: ' lines | awk 'length > 79 { exit 1 }'
}

# A small space under each bound: the bounds are told, and no more of them than the search on its own completes.
bounds_told()
{
	run 3 check --json r.json --max-time 9 -DFIXED -DPADDING=3 -DROUNDS=40 "$programs/lock_order.c" &&
		says '^what may lead to a verdict:$' && says '^  # try fewer rounds of the loop at .*padding.h:22: ' &&
		jq -e '.next | length == 3' r.json >jq.out &&
		last 'inconclusive: time limit of 9 seconds reached after * states; no violation @(with up to [0-9]*|without) preemption* (exhaustive), and in * random run*'
}

# A limit that cuts paths cuts those of bounds as well: nothing is exhaustive.
cut()
{
	run 3 check --max-time 5 --max-depth 60 -DFIXED -DPADDING=4 -DROUNDS=20 "$programs/lock_order.c" && ! grep -q '(exhaustive)' out
}

# Random runs that have not seen the end are told.
long()
{
	cat >long.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
atomic_int a[3];
static void *work(void *p) { for (int i = 0; i < 30000; i++) a[(long)p] = i; return 0; }
int main(void)
{
	pthread_t t[3];
	for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	return a[0] + a[1] + a[2] == 7;
}
C
	run 3 check -q --max-time 5 --reduction none long.c && last '*; no violation in * random runs ([1-9]* of them were cut: *)'
}

short() { run 0 check --json r.json "$root/examples/barrier.c" && jq -e 'has("ladder") | not' r.json >/dev/null; }

# Memory: all processes together.
memory()
{
	local sum=0 most=0 pid
	"$bitspin" check -q --max-memory 400 --max-time 6 "$@" >out 2>err &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		sum=$(family $pid | tail -n +2 | xargs -I{} cat /proc/{}/statm 2>/dev/null | awk '{ sum += $2 } END { print int(sum * 4 / 1024) }')
		[ "$sum" -gt "$most" ] && most=$sum
		sleep 0.1
	done
	wait $pid
	[ "$most" -gt 50 ] && [ "$most" -le 460 ] || { echo "$most MB"; return 1; }
}

# Does the climber walk at random?
climbs()
{
	local process
	for process in $(family "$1"); do
		grep -qsa bitspin-drive "/proc/$process/cmdline" && return 0
	done
	return 1
}
# However it ends, nothing is left of it.
ends() # signal, processes, arguments
{
	local signal=$1 least=$2 pid processes
	"$bitspin" check -q "${@:3}" >out 2>err </dev/null &
	pid=$!
	for _ in $(seq 300); do
		climbs $pid && break
		sleep 0.1
	done
	processes=$(family $pid | tail -n +2)
	[ "$(wc -w <<<"$processes")" -ge "$least" ] || { echo "the ladder was not put up"; kill -9 $pid; return 1; }
	kill -"$signal" $pid
	wait $pid 2>/dev/null
	# shellcheck disable=SC2086
	nothing_left 10 $processes || return 1
	[ "$signal" = KILL ] || last 'inconclusive: interrupted*'
}

# Without locks, reductions save little: many states in a short time.
lock_free=(-DN=3 -DROUNDS=30 "$root/tests/bench/pairs/peterson.c")

# bits STATUS ARGUMENT...: a check that has a bitstate search when its memory has ended.  With so little memory there is nothing else
# beside it.
declare -A few=() # more arguments, by memory
bits()
{
	local status=$1 memory right
	for memory in 60 120 240; do
		rm -rf kept
		# shellcheck disable=SC2086
		run "$status" check --json r.json --keep kept --max-memory $memory --reduction none ${few[$memory]-} "${@:2}" >complaint
		right=$?
		jq -e '.ladder.bitstate' r.json >/dev/null || continue
		cat complaint
		return $right
	done
	echo 'there was no bitstate search'
	return 1
}
cat >mixed.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int values[THREADS];
static int amid(int i) { return values[i] > 8 && values[i] < 52; }
static void *work(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		values[(intptr_t)number] = i;
		if (i == 30 && ROUNDS > 50)
			assert(!amid(0) || !amid(1) || !amid(2) || !amid(3) || !amid(4)); /* ERROR */
	}
	return NULL;
}
int main(void)
{
	pthread_t threads[THREADS];
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
C
bits_find()
{
	bits 1 -DTHREADS=5 -DROUNDS=60 mixed.c && last 'violated: assertion at mixed.c:12: *' &&
		says '^found by a bitstate search, when the exhaustive one had no memory left$' &&
		jq -e '.ladder.found_by == "bitstate" and (.violations[0].trace | length > 0)' r.json >/dev/null &&
		run 1 replay kept && last 'violated: assertion at mixed.c:12: *' && run 0 confirm kept
}
bits_stopped()
{
	bits 3 -DTHREADS=6 -DROUNDS=30 mixed.c &&
		last 'inconclusive: memory limit of * MB reached after * states; *; no violation in * states (bitstate, not to its end)' &&
		jq -e '.ladder.bitstate | .states > 1000 and (.complete | not)' r.json >/dev/null && jq -e '.options.search == "dfs" and
			(.options | has("seed") | not) and .statistics.states != .ladder.bitstate.states' r.json >/dev/null
}
# Memory may end before there is anything else beside the search.
bits_early()
{
	run 3 check --json r.json --max-memory 24 --reduction none -DTHREADS=6 -DROUNDS=30 mixed.c &&
		last 'inconclusive: memory limit of 24 MB *; allow more with --max-memory, or look for *; no violation in [1-9]* states (bitstate, *)' &&
		jq -e '.ladder.bitstate.states > 1000 and (.statistics.search_seconds >= 2 or .ladder.walks.walks == 0)' r.json >/dev/null ||
		{ jq -c '[.statistics, .ladder]' r.json; return 1; }
}
# Nobody is told to make random walks where there were some.
advice()
{
	cat >history.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned history;
static void *work(void *id)
{
	for (int i = 0; i < 6; i++) {
		pthread_mutex_lock(&lock);
		history = history * 31 + (unsigned)(long)id;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}
int main(void)
{
	pthread_t threads[6];
	for (long i = 0; i < 6; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 6; i++)
		pthread_join(threads[i], NULL);
	assert(history != 12345);
}
C
	RUN_TIMEOUT=150 run 3 check -q --reduction none --max-memory 136 history.c &&
		last 'inconclusive: memory limit of 136 MB reached after * states; allow more with --max-memory; no violation *random runs*' && ! grep -q 'look for' out
}
bits_ended()
{
	local -A few=([60]=-DROUNDS=24 [120]=-DROUNDS=33 [240]=-DROUNDS=40) # the memory is not enough for all states, but for most of them
	bits 3 --max-time 50 -DTHREADS=4 mixed.c &&
		last 'inconclusive: memory limit of *; no violation in * states (bitstate, *[0-9] % of all by estimate)' &&
		jq -e '.ladder.bitstate | .complete and .told_apart > 0.9 and .told_apart <= 1' r.json >/dev/null
}
# Nothing of what they have covered is said of a formula, at which they do not look.
formula()
{
	cat >formula.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
atomic_int a[4];
void *work(void *p) { for (int r = 0; r < 90; r++) atomic_store(&a[(long)p], r); return 0; }
int main(void)
{
	pthread_t t[4];
	for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)i);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}
C
	run 3 check --max-time 9 --json r.json --ltl '[] ({a[0]==95} -> <> {a[1]==38 && a[2] == 7})' formula.c &&
		last 'inconclusive: * time limit of 9 seconds reached after * states' && jq -e 'has("ladder") | not' r.json >/dev/null
}

# ---- checkpoints ---------------------------------------------------------------------------------------------------------

small=(-DFIXED -DPADDING=3 -DROUNDS=4 "$programs/lock_order.c") # the first bounds are completed at once

# killed_when WHAT ARGUMENT...: a check that is killed when its checkpoint `saved` is so, by jq.
killed_when()
{
	local what=$1 pid
	"$bitspin" check --checkpoint saved "${@:2}" >out 2>err </dev/null &
	pid=$!
	for _ in $(seq 300); do
		jq -e "$what" saved >/dev/null 2>&1 && break
		sleep 0.1
	done
	kill -KILL $pid
	wait $pid 2>/dev/null
	jq -e "$what" saved >/dev/null || { echo "the checkpoint is never so: $what"; return 1; }
}

# Killed in a search within a bound: what was reached is told even if the next run comes to nothing new.
killed_in_bounds()
{
	rm -f saved
	killed_when '(.bounds | length) >= 2' "${small[@]}" && run 3 check --json r.json --checkpoint saved --max-time 1 "${small[@]}" || return 1
	grep -Eq '^goes on from saved: no violation with up to [1-9] preemptions? \(exhaustive\), and in [1-9][0-9]* random runs$' err &&
		last "inconclusive: time limit of 1 second reached after * states; no violation with up to * preemption* (exhaustive), and in * random runs; part of it is from the checkpoint 'saved'" &&
		jq -e '.checkpoint.bounds >= 2 and .checkpoint.walks == .ladder.walks.walks and (.ladder.bounds | length) == .checkpoint.bounds' r.json >/dev/null &&
		run 3 check -q --checkpoint saved --max-time 1 "${small[@]}" && equal 'with --quiet' "$(cat err)" ''
}

# Killed while it walks at random: the next run makes other walks, and the sum is told.
killed_in_walks()
{
	local options=(--mask padding_mix -DFIXED "$programs/lock_order.c") before
	rm -f saved
	killed_when '(.walks | length) >= 2' "${options[@]}" || return 1
	before=$(jq -c '[.walks[].walks]' saved)
	run 3 check --json r.json --checkpoint saved --max-time 6 "${options[@]}" && last "inconclusive: *; no violation in * random runs; part of it *" || return 1
	jq -e --argjson before "$before" '(.walks | length) > ($before | length) and [.walks[].walks][:($before | length)] == $before and
		([.walks[].seed] | . == unique)' saved >/dev/null || { jq -c .walks saved; return 1; }
	equal walks "$(jq .ladder.walks.walks r.json)" "$(jq '[.walks[].walks] | add' saved)"
}

# The same for bounds alone.  Those that were told are not told again, and not searched again: their figures are the old ones.
killed_bounded()
{
	local -x BITSPIN_CHECKPOINT_AFTER=0
	rm -f saved
	killed_when '(.bounds | length) >= 2' --preemptions iterate "${small[@]}" && says '^up to 1 preemption: ' && [ -s saved.states ] || return 1
	local rounded='map(.seconds |= (. * 1e6 | floor))' # the report has fewer digits
	jq -c '.bounds[:2]' saved >before
	run 3 check --json r.json --checkpoint saved --preemptions iterate --max-time 4 "${small[@]}" &&
		grep -Eq '^goes on from saved: no violation with up to [1-9] preemptions? \(exhaustive\)$' err && ! says '^up to [01] ' >/dev/null &&
		last "inconclusive: time limit *; no violation with up to * preemption*; part of it is from the checkpoint 'saved'" &&
		jq -e '.checkpoint.bounds >= 2 and (.bounds | length) >= .checkpoint.bounds and (.assumptions | any(test("saved.states")))' r.json >/dev/null &&
		equal figures "$(jq -c ".bounds[:2] | $rounded" r.json)" "$(jq -c "$rounded" before)" && says "^from the checkpoint 'saved': the search with up to [1-9] preemptions?$" || return 1
	printf damaged | dd of=saved.states bs=1 seek=9000 conv=notrunc 2>/dev/null
	run 3 check -q --json r.json --checkpoint saved --preemptions iterate --max-time 4 "${small[@]}" &&
		jq -e '(.assumptions | any(test("saved.states")) | not) and .bounds[0].states == $before[0][0].states' --slurpfile before before r.json >/dev/null
}

# A run that ends by itself says so in its checkpoint, and the same command searches again; so does one that finds a violation.
ended()
{
	rm -f saved
	run 0 check --checkpoint saved --preemptions iterate "$root/examples/pool.c" && equal verdict "$(jq -r .verdict saved)" verified &&
		[ ! -e saved.states ] && run 0 check --json r.json --checkpoint saved --preemptions iterate "$root/examples/pool.c" && last verified &&
		jq -e '.statistics.states == .bounds[-1].states' r.json >/dev/null || return 1
	rm -f saved
	run 1 check --checkpoint saved --preemptions iterate "$root/tests/bounds/several.c" && equal verdict "$(jq -r .verdict saved)" violated &&
		run 1 check --checkpoint saved --preemptions iterate "$root/tests/bounds/several.c"
}

# refused WORDS ARGUMENT...: in one line, and the file is what it was.
refused()
{
	local sum
	sum=$(cksum saved)
	run 2 check "${@:2}" && grep -q "$1" err && equal lines "$(wc -l <err)" 1 && equal file "$(cksum saved)" "$sum"
}
refuses()
{
	local bounded=(--checkpoint saved --preemptions iterate) option
	cp "$programs"/{padding.h,lock_order.c,aba.c} .
	rm -f saved
	run 3 check "${bounded[@]}" --max-time 2 -DFIXED lock_order.c && refused 'another program' "${bounded[@]}" -DFIXED aba.c &&
		refused 'another program' "${bounded[@]}" lock_order.c && refused 'other options' "${bounded[@]}" --no-deadlock -DFIXED lock_order.c &&
		refused 'other options' --checkpoint saved -DFIXED lock_order.c || return 1
	run 3 check -q "${bounded[@]}" --max-time 3 --max-memory 900 -DFIXED lock_order.c || return 1 # the same search, further
	sed -i 's/% 1000/% 999/' padding.h
	refused 'another program: what it includes' "${bounded[@]}" -DFIXED lock_order.c || return 1
	for option in '--cores 1' '--search bfs' '--search bitstate' '--search random' '--cores 2' --all '--graph g.dot'; do
		# shellcheck disable=SC2086
		refused 'leave these out' --checkpoint saved $option -DFIXED lock_order.c || return 1
	done
	refused 'not go with --identity' "${bounded[@]}" --identity hb -DFIXED lock_order.c || return 1
	head -c $(($(wc -c <saved) / 2)) saved >short && mv short saved && refused 'is damaged' "${bounded[@]}" -DFIXED lock_order.c || return 1
	echo '{ "bitspin": "0.1.0", "done": [] }' >saved
	refused 'not a checkpoint of bitspin' "${bounded[@]}" -DFIXED lock_order.c && refused 'no plain file' --checkpoint /dev/full -DFIXED lock_order.c &&
		[ -c /dev/full ]
}

# One digit is another one; a name that somebody else's file has.
damaged()
{
	local bounded=(--checkpoint saved --preemptions iterate)
	rm -f saved saved.states
	run 3 check -q "${bounded[@]}" --max-time 2 "${small[@]}" && jq -e '.sum' saved >/dev/null && rm -f saved.states || return 1
	sed -i '0,/"states": [0-9]/s//"states": 55/' saved
	refused "'saved' is damaged; remove it" "${bounded[@]}" "${small[@]}" || return 1
	rm saved
	echo 'of somebody else' >saved.states
	run 2 check "${bounded[@]}" "${small[@]}" && grep -q "^bitspin: 'saved.states', where the checkpoint 'saved' keeps states, has something else" err &&
		equal states "$(cat saved.states)" 'of somebody else' && [ ! -e saved ] && rm saved.states || return 1
	mkfifo saved.states
	run 2 check "${bounded[@]}" "${small[@]}" && grep -q 'has something else' err && rm saved.states
}

# What goes wrong with the states beside it is told in one line; the search goes on, and what is of use later stays.
states_trouble()
{
	local -x BITSPIN_CHECKPOINT_AFTER=0
	local bounded=(--checkpoint saved --preemptions iterate "${small[@]}") sum
	rm -f saved saved.states
	ln -s /dev/full saved.states.part # is removed
	run 3 check -q --max-time 3 "${bounded[@]}" && equal 'a full disk' "$(cat err)" "bitspin: 'saved.states' cannot be written: No space left on device; the check goes on" &&
		[ -c /dev/full ] && [ ! -e saved.states.part ] || return 1
	rm -f saved saved.states
	mkdir saved.states.part
	run 3 check -q --max-time 3 "${bounded[@]}" && equal 'no file' "$(cat err)" "bitspin: 'saved.states' cannot be written: Is a directory; the check goes on" &&
		[ ! -e saved.states ] && rmdir saved.states.part &&
		run 3 check -q --max-time 5 "${bounded[@]}" && [ ! -s err ] && [ -s saved.states ] || return 1
	sum=$(cksum <saved.states)
	run 3 check -q --max-time 2 --max-memory 30 "${bounded[@]}" && equal file "$(cksum <saved.states)" "$sum" &&
		grep -q "^bitspin: 'saved.states' needs [0-9]* MB of memory, so it is not used; the check goes on$" err && equal lines "$(wc -l <err)" 1 || return 1
	head -c 100 saved.states >saved.states.part # of a run that was killed
	truncate -s -100 saved.states
	run 3 check -q --max-time 2 "${bounded[@]}" && equal lines "$(cat err)" "bitspin: 'saved.states' is damaged, so it is not used; the check goes on" && [ ! -e saved.states.part ]
}

# With formulas it is the search for violations of safety that goes on; they are checked each time.
with_formula()
{
	rm -f saved
	run 1 check --checkpoint saved --ltl '[] !terminated' "$root/examples/barrier.c" && last 'violated: ltl*' &&
		equal verdict "$(jq -r .verdict saved)" verified && run 1 check --checkpoint saved --ltl '[] !terminated' "$root/examples/barrier.c"
}

# Nobody else writes to it meanwhile.
at_once()
{
	rm -f saved
	"$bitspin" check -q --checkpoint saved --preemptions iterate "${small[@]}" >first 2>&1 </dev/null &
	local pid=$! status
	for _ in $(seq 100); do
		[ -s saved ] && break
		sleep 0.1
	done
	run 2 check --checkpoint saved --preemptions iterate "${small[@]}" && grep -q 'in use by another run' err
	status=$?
	kill -INT $pid
	wait $pid
	run 3 check -q --checkpoint saved --max-time 1 --preemptions iterate "${small[@]}" && return $status
}

# It is said at the beginning that it cannot be written; later, that ends no search.
unwritable()
{
	rm -rf place && mkdir place
	run 2 check --checkpoint nowhere/saved "${small[@]}" && grep -q "cannot write 'nowhere/saved': No such" err || return 1
	"$bitspin" check --checkpoint place/saved --preemptions iterate --max-time 5 "${small[@]}" >out 2>err </dev/null &
	for _ in $(seq 100); do
		[ -s place/saved ] && break
		sleep 0.05
	done
	jq -e .image place/saved >/dev/null && rm -rf place
	wait $!
	equal status $? 3 && last 'inconclusive: time limit of 5 seconds *' &&
		equal 'told' "$(grep -c "cannot write the checkpoint 'place/saved': No such file or directory; the check goes on" err)" 1
}

# A pointer in disguise is used with one preemption only.  The search begins again then: what it had completed on the image before
# does not count, nor what a checkpoint says of that image.
begun_again()
{
	cat >hidden.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#define KEY UINT64_C(0x123456789abcdef0)
static atomic_uintptr_t kept;
static void *hide(void *unused)
{
	atomic_int *p = malloc(sizeof *p);
	*p = 1;
	kept = (uintptr_t)p ^ KEY;
	*p = 2;
	kept = 0;
	return unused;
}
static void *look(void *unused)
{
	uintptr_t word = kept;
	if (word)
		(*(atomic_int *)(word ^ KEY))++;
	return unused;
}
int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, hide, NULL);
	pthread_create(&other, NULL, look, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
}
C
	local options=(--checkpoint saved --preemptions iterate hidden.c) all
	rm -f saved
	run 0 check "${options[@]}" && jq -e '.bounds_image != .image' saved >/dev/null || { echo 'it has not begun again'; return 1; }
	all=$(jq -c .bounds saved)
	jq --indent 1 'del(.sum) | .bounds_image = .image | .bounds += .bounds | .bounds += .bounds' saved >wrong && cp wrong saved &&
		run 0 check --json r.json "${options[@]}" && jq -e 'has("checkpoint") | not' r.json >/dev/null || { echo 'wrong bounds are told'; return 1; }
	equal bounds "$(jq -c '[.bounds[].states]' saved)" "$(jq -c '[.[].states]' <<<"$all")" &&
		equal told "$(jq -c '[.bounds[].states]' r.json)" "$(jq -c '[.[].states]' <<<"$all")"
}

ok finds three_finds
[ ! -d kept ] || ok replayed replayed
[ ! -d kept ] || ok confirmed confirmed
ok alone alone
ok told told
ok line line
ok narrow narrow
ok bounds-told bounds_told
ok cut cut
ok long long
ok short short
ok memory memory -DFIXED "$programs/lock_order.c"
ok memory-lock-free memory "${lock_free[@]}"
for signal in INT TERM KILL; do
	ok ends-$signal ends $signal 3 -DFIXED "$programs/lock_order.c"
done
ok ends-lock-free ends INT 3 "${lock_free[@]}"
ok bits-find bits_find
ok bits-stopped bits_stopped
ok bits-early bits_early
ok advice advice
ok bits-ended bits_ended
ok formula formula
ok killed-in-bounds killed_in_bounds
ok killed-in-walks killed_in_walks
ok killed-bounded killed_bounded
ok ended ended
ok refuses refuses
ok damaged damaged
ok states-trouble states_trouble
ok with-formula with_formula
ok at-once at_once
ok unwritable unwritable
ok begun-again begun_again
finish
