#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Limits: --max-time holds for all that a check does, --max-memory for all memory that it has, and the verdict names the limit.
# However a check ends, nothing that it has started or made remains.
#
#     usage: tests/limits.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
mkdir tmp
export TMPDIR=$scratch/tmp

cat >endless.c <<'C'
#ifndef COUNT
#define COUNT 1
#endif
static volatile unsigned long n;
#ifdef EARLY
__attribute__((constructor))
#endif
void count(void) { while (COUNT && n + 1) n++; }
int slow(void) { unsigned long sum = 0; for (int i = 0; i < 900000; i++) sum += i; return sum != 1; }
int slower(void) { unsigned long sum = 0; for (int i = 0; i < 3000000; i++) sum += i; return sum != 1; }
int main(void) { count(); return 0; }
C
cat >large.c <<'C'
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(x)))
int main(int argc, char **argv) { (void)argv; B(B(argc++;)) return argc == 0; }
C
cat >copies.c <<'C'
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *from = calloc(1, 50 << 20), *to = calloc(1, 50 << 20);
	for (int i = 0; from && to && i < 1000000; i++)
		memcpy(to, from, 50 << 20);
	return 0;
}
C
cat >deep.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned rounds;
int main(void)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex);
		rounds++;
		pthread_mutex_unlock(&mutex);
	}
	assert(rounds != N);
	return 0;
}
C
cat >ticks.c <<'C'
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
static volatile sig_atomic_t ticks;
static void tick(int number) { (void)number; ticks++; }
int main(void)
{
	struct itimerval every = { .it_value.tv_sec = 1, .it_interval.tv_sec = INTERVAL };
	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &every, 0);
	while (INTERVAL || !ticks)
		pause();
	return 0;
}
C
cat >many.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int values[5];
static void *work(void *number)
{
	for (int i = 0; i < 60; i++)
		values[(intptr_t)number] = i;
	return NULL;
}
int main(void)
{
	pthread_t threads[5];
	for (intptr_t i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	return values[0] > 60;
}
C
cat >arrays.c <<'C'
static char a[60 << 20], b[60 << 20], c[60 << 20];
int main(void) { a[5] = 1; b[6] = c[7] = 1; return a[4] + b[3] + c[2]; }
C
cat >objects.c <<'C'
#include <stdlib.h>
#include <string.h>
int main(void)
{
	for (int i = 1; i < 50; i++) {
		char *bytes = malloc(20 << 20);
		memset(bytes, i, 20 << 20);
	}
	return 0;
}
C
cat >create.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused) { pthread_mutex_lock(&mutex); return unused; }
int bitspin_choose(int low, int high);
int main(void)
{
	pthread_t thread;
	int twice = bitspin_choose(0, 1);
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, work, NULL);
	if (twice)
		pthread_create(&thread, NULL, work, NULL);
	else
		pthread_create(&thread, NULL, work, NULL);
	exit(0);
}
C

# within SECONDS STATUS ARGUMENT...: it takes no more than SECONDS and two more (and one for a busy machine).
within()
{
	local limit=$1 start=$SECONDS
	shift
	run "$@" --max-time "$limit" || return 1
	[ $((SECONDS - start)) -le $((limit + 3)) ] || { echo "took $((SECONDS - start)) s"; return 1; }
}
time_loop() { within 2 3 check -q endless.c && last 'inconclusive: time limit of 2 seconds reached*'; }
# A round with many instructions: a run is 4,096 steps of 5,000 rounds, and must not be over before the time is.
time_told() { within 4 3 check --cores 1 '-DCOUNT=(n++, n++, n++, n++, n++, n++, n++, n++, n++, n++)' endless.c && last '*; thread 0 was in one uninterrupted run for [2-5] seconds (at endless.c:8)'; }
time_early() { within 2 3 check -q -DEARLY endless.c && last 'inconclusive: time limit of 2 seconds*'; }
time_unreduced() { within 2 3 check -q --reduction none endless.c && last 'inconclusive: time limit of 2 seconds*'; }
time_compiler() { within 1 3 check -q large.c && last 'inconclusive: time limit of 1 second reached while * compiled *'; }
time_copies() { within 2 3 check -q copies.c && last 'inconclusive: time limit of 2 seconds*'; }
time_property() { within 2 3 check -q -DCOUNT='(n < 100000000)' --invariant 'slow()' endless.c && last 'inconclusive: time limit*'; }
time_replay() { within 3 3 check -q -DN=600000 deep.c && last 'inconclusive: time limit of 3 seconds*'; }
time_formula() { within 3 3 check -q -DN=200000 --reduction none --ltl '[] {rounds >= 0}' deep.c && last 'inconclusive: *time limit*'; }
# A handler that counts for ever: the report says so, how to go on without the counter, and says it nowhere else.
time_ticks()
{
	run 3 check --cores 1 --max-time 6 -DINTERVAL=1 ticks.c && says '^note: a timer expires again and again .*ticks.c:12.*--mask' &&
		run 0 check -DINTERVAL=1 --mask ticks ticks.c && ! says 'again and again' &&
		run 3 check --max-time 2 endless.c && ! says 'again and again'
}
time_bounds()
{
	within 6 3 check -q -DTHREADS=7 --preemptions iterate "$root/examples/indexer.c" &&
		last 'inconclusive: time limit of 6 seconds reached after *; no violation @(with up to [0-9]|without) preemption*'
}
depth_bounds() { run 1 check -q -DN=60000 --preemptions 0 deep.c && last 'violated: assertion at deep.c:12:*'; }
long_property() { run 3 check -q --invariant 'slower()' -DCOUNT=0 endless.c && last 'inconclusive: the evaluation of a property takes more than * loops*'; }

# What was found before the time was up is told, wherever in a round of searches the end comes.
time_races()
{
	local seconds
	for seconds in 1 2 3; do
		run 1 check -q --all --max-time "$seconds" -DBUG_CARVE_UNLOCKED -O0 "$root/tests/programs/arena.c" && last 'violated: * data-race*' || return 1
	done
}

# The story of a long path has a beginning and an end.
long_story()
{
	run 1 check -DN=15000 deep.c && says '^---- [0-9]+ events are left out ----$' && last 'violated: assertion at deep.c:12:*' && says 'rounds'
}

# memory MB ARGUMENT...: that is the limit, and the process kept it, to within 15 MB.
memory()
{
	local limit=$1
	shift
	run 3 check --max-memory "$limit" --json result.json "$@" && last "inconclusive: *memory*" && jq -e "
		.statistics.resident < ($limit + 15) * 1048576 and (.statistics | .states == 0 or .resident > 1000000)" result.json
}
memory_states() { memory 60 --cores 1 --reduction none many.c && ! grep -q bitstate out; }
memory_breadth() { memory 60 --reduction none --search bfs many.c; }
memory_bounds() { memory 60 --preemptions iterate many.c; }
memory_stack() { memory 150 --reduction none -DN=400000 deep.c; }
memory_arrays() { memory 100 arrays.c; }
memory_little() { memory 1 many.c; }
memory_objects() { memory 200 objects.c; }
memory_shown() { run 0 check -DCOUNT=0 endless.c && says ' MB for states, [0-9]+ MB in all$'; }

# On a terminal a line says how far the search is, and is gone at the end; nothing is printed where nobody wants it.
progress()
{
	timeout 60 script -qec "TERM=xterm '$bitspin' check ${1-} --reduction none --cores 1 --max-time 4 many.c" shown >/dev/null 2>&1 </dev/null
	tr '\r' '\n' <shown >lines
	case ${1-} in
	-q) ! grep -q 'steps/s' lines ;;
	*) grep -Eq '^[0-9] s: [0-9.]+( k)? states, [0-9.]+( k)? steps/s, depth [0-9]+, [0-9]+ % seen before, [0-9]+ of [0-9]+ MB' lines &&
		grep -q "^$(printf '\033')\[Kassuming" lines ;;
	esac
}
# One unit in all of them: that of --max-memory.
units()
{
	timeout 60 script -qec "TERM=xterm '$bitspin' check --reduction none --cores 1 --max-memory 300 --max-time 3 many.c" shown >/dev/null 2>&1 </dev/null
	tr '\r' '\n' <shown | grep -Eq ' of 300 MB' && memory 60 --cores 1 --reduction none many.c && last '* limit of 60 MB *' &&
		equal 'MB in all' "$(sed -n 's/.* MB for states, \([0-9]*\) MB in all$/\1/p' out)" "$(jq '.statistics.resident / 1048576 | round' result.json)"
}
progress_elsewhere()
{
	run 3 check -q --reduction none --cores 1 --max-time 12 many.c && [ ! -s err ] &&
		run 3 check --reduction none --cores 1 --max-time 12 many.c && equal lines "$(grep -c '^10 s: .* states, .* steps/s' err)" 1
}
# Ctrl-C: the figures, and how far it was.
interrupted()
{
	"$bitspin" check $1 --reduction none many.c >out 2>err </dev/null &
	sleep 4
	kill -INT $!
	wait $!
	equal status $? 3 && last 'inconclusive: interrupted after [1-9]* states' && says '^[1-9][0-9]* states, [1-9][0-9]* transitions, depth [1-9]'
}

# Two signals at the same time are one, as those of timeout(1); a second one later ends the command at once.
stubborn_cc()
{
	printf '#!/bin/sh\ntrap "" INT\necho $$ >"$COMPILING"\nwhile :; do sleep 0.1; done\n' >stubborn-cc
	chmod +x stubborn-cc
}
twice()
{
	local status=$1 pause=$2 pid
	stubborn_cc
	rm -f compiling
	COMPILING=$PWD/compiling BITSPIN_CC=$PWD/stubborn-cc "$bitspin" check -q endless.c >out 2>err </dev/null &
	pid=$!
	for _ in $(seq 100); do
		[ -s compiling ] && break
		sleep 0.1
	done
	kill -TERM $pid
	sleep "$pause"
	kill -TERM $pid
	wait $pid 2>/dev/null
	equal status $? "$status" && nothing_left 4 "$(cat compiling)" && { [ "$status" = 143 ] || last 'inconclusive: interrupted*'; }
}
by_timeout()
{
	local i
	for i in 1 2 3 4 5; do
		timeout 1 "$bitspin" check -q endless.c >out 2>err </dev/null
		last 'inconclusive: interrupted*' || { echo "the $i. time"; return 1; }
	done
}
by_timeout_alone()
{
	run 0 generate -q -o alone many.c && make -s -C alone PANFLAGS=-DSAFETY >log2 2>&1 || return 1
	(cd alone && timeout -s INT 1 ./pan >../out 2>&1)
	says '^ *[0-9.e+]+ states, stored'
}

# All reasons are reported, and how many paths they cut.
reasons()
{
	run 3 check --threads 2 --json result.json create.c && says '^limits cut 2 paths:$' &&
		last 'inconclusive: more than 2 threads* (at create.c:*); and 1 more limit; 2 paths were cut' &&
		jq -e '.limits | .paths == 2 and (.reasons | length == 2)' result.json
}
by_hand()
{
	run 0 generate -q --threads 2 -o model create.c && make -s -C model >log2 2>&1 && (cd model && ./pan >../out 2>&1)
	says '^bitspin: the search is not exhaustive: more than 2 threads' && says '^ +[0-9.]+	states of the program in the VM \([0-9.]+ bytes a state\)$' &&
		says '^ +[0-9.]+	in all: the most that the process has had$' || return 1
	(cd model && BITSPIN_RESULT=result ./pan >../out 2>&1)
	! says 'states of the program' >/dev/null
}

cat >slow-cc <<'SH'
#!/bin/sh
sleep 100 &
echo $! >"$COMPILING"
wait
SH
chmod +x slow-cc
killed()
{
	local signal=$1 pid
	shift
	rm -f compiling
	COMPILING=$PWD/compiling "$@" "$bitspin" check -q endless.c >out 2>err </dev/null &
	pid=$!
	for _ in $(seq 100); do
		pgrep -P $pid -f -- "$waits" >pids && break
		sleep 0.1
	done
	[ -s pids ] || { echo "'$waits' did not start"; kill -9 $pid; return 1; }
	sleep 0.2
	kill -"$signal" $pid
	wait $pid 2>/dev/null
	[ ! -s compiling ] || cat compiling >>pids
	# shellcheck disable=SC2046
	nothing_left 4 $(cat pids)
}
kill_search() { local waits=-w21; killed "$1" env && { [ "$1" = KILL ] || last 'inconclusive: interrupted*'; }; }
kill_compiler() { local waits=slow-cc; killed "$1" env BITSPIN_CC="$PWD/slow-cc" && { [ "$1" = KILL ] || last 'inconclusive: interrupted*'; }; }

for options in '' '--search bfs' '--ltl <>done(0)'; do # make the verifiers
	# shellcheck disable=SC2086
	"$bitspin" check -q -DCOUNT=0 $options endless.c >out 2>err
done
ok time-loop time_loop
ok time-told time_told
ok time-bounds time_bounds
ok depth-bounds depth_bounds
ok time-early time_early
ok time-unreduced time_unreduced
ok time-compiler time_compiler
ok time-copies time_copies
ok time-property time_property
ok time-replay time_replay
ok time-formula time_formula
ok time-ticks time_ticks
ok long-property long_property
ok long-story long_story
ok memory-states memory_states
ok memory-breadth memory_breadth
ok memory-bounds memory_bounds
ok memory-stack memory_stack
ok memory-arrays memory_arrays
ok memory-little memory_little
ok memory-objects memory_objects
ok memory-shown memory_shown
ok units units
ok progress progress
ok progress-quiet progress -q
ok progress-elsewhere progress_elsewhere
for options in '--cores 1' '--search bfs' '--cores 2'; do
	ok "interrupted $options" interrupted "$options"
done
ok twice-at-once twice 3 0
ok twice-later twice 143 0.7
ok by-timeout by_timeout
ok by-timeout-alone by_timeout_alone
ok reasons reasons
ok by-hand by_hand
for signal in KILL TERM INT HUP; do
	ok "kill-search-$signal" kill_search $signal
	ok "kill-compiler-$signal" kill_compiler $signal
done
finish
