#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The native program fails the same way (bitspin confirm): some programs of each kind, gdb, bad input.  --all: every RUN line of
# examples/, tests/bugs/ and tests/faults/ with a violation is confirmed, or confirm.txt has the reason; and the table has no more.
#
#     usage: tests/confirm.sh BITSPIN [FILTER]
#            tests/confirm.sh BITSPIN --all [FILTER]
#
# The sanitizers' libraries (libclang-rt-14-dev) and gdb are needed for some; without them these are left out, and it says so.
own_arguments=yes
. "$(dirname "$0")/lib.sh"
need_command "${1-}" "tests/confirm.sh BITSPIN [--all] [FILTER]"
quick_pans
make_scratch
table=$root/tests/confirm.txt
reasons() { sed -E '/^(#|$)/d' "$table"; }

# ---- all ----------------------------------------------------------------------------------------------------------------

# "FILE<TAB>OPTIONS" of each violation that is expected.
pairs()
{
	local file
	cd "$root" || exit 2
	for file in examples/*.c tests/bugs/*.c tests/faults/*.c; do
		awk -v file="$file" '/^ \* RUN: check/ { sub(/^ \* RUN: check ?/, ""); options = $0 }
			/^ \* EXPECT: violated/ { print file "\t" options }' "$file"
	done
}

# one PAIR: "ok" or "FAIL" and why; the row of the table that it needs, if any.
one()
{
	local file options line rule row=0 pattern reason
	IFS=$'\t' read -r file options <<<"$1"
	cd "$root" || exit 2
	line=$(eval "timeout 120 '$bitspin' confirm --quiet $options $file" 2>&1 </dev/null | tail -n 1)
	[[ $line == confirmed:* ]] && { echo "ok $file $options"; return; }
	while IFS= read -r rule; do
		row=$((row + 1)) pattern=${rule%% => *} reason=${rule#* => }
		[[ "$file $options" =~ ^$pattern$ ]] && [[ $line == "not confirmed: "*$reason* ]] && { echo "ok $file $options #$row#"; return; }
	done < <(reasons)
	echo "FAIL $file $options: $line"
}

if [ "${2-}" = --one ]; then
	one "$3"
	exit
fi
if [ "${2-}" = --all ]; then
	pairs | grep -E -- "${3-}" | tr '\n' '\0' | xargs -0 -P "${JOBS:-2}" -I{} bash "$0" "$bitspin" --one {} >"$scratch/results"
	grep '^FAIL' "$scratch/results" | sort
	passed=$(grep -c '^ok' "$scratch/results") failed=$(grep -c '^FAIL' "$scratch/results")
	count=$(reasons | wc -l) unused=''
	for ((row = 1; row <= count; row++)); do
		[ -n "${3-}" ] || grep -q "#$row#" "$scratch/results" || unused+=" $row"
	done
	result 'no row of confirm.txt is for nothing' "${unused:+rows$unused}"
	finish "$(grep -c '#$' "$scratch/results") with a reason why it cannot be"
	exit
fi

# ---- some ---------------------------------------------------------------------------------------------------------------

filter=${2-}
cd "$scratch" || exit 2
clang=$(clang_of_bitspin)
sanitizers=yes
[ -e "$("$clang" -print-resource-dir)/lib/linux/libclang_rt.asan-x86_64.a" ] || sanitizers=''
left_out=''

# confirms FILE OPTIONS WORDS: the last line says so.
confirms()
{
	eval "run 0 confirm --quiet $2 $root/$1" && last "confirmed: the native program fails the same way: $3"
}

# Likewise, by a sanitizer.
by_sanitizer()
{
	[ -n "$sanitizers" ] || { left_out='what needs libclang-rt is left out'; return 0; }
	confirms "$@"
}

# refuses FILE OPTIONS WORDS
refuses()
{
	eval "run 1 confirm --quiet $2 $root/$1" && last "not confirmed: $3"
}

ok assertion confirms examples/lost_update.c '' 'it dies of SIGABRT at *lost_update.c:54'
ok semaphores confirms examples/semaphores.c '-DWRONG' 'it dies of SIGABRT at *semaphores.c:80'
ok 'circular wait' confirms examples/deadlock.c '' 'it hangs: thread 0 in pthread_mutex_lock at deadlock.c:34, thread 1 in *:34'
ok 'lost wake-up' confirms examples/lost_wakeup.c '' 'it hangs: thread 0 in pthread_join *, thread 1 in pthread_cond_wait at *:26'
ok 'whom a signal wakes' confirms tests/bugs/signalled_blocked.c '' 'it dies of SIGABRT at *:53'
ok 'atomic section' confirms tests/bugs/blocking_atomic.c -DEITHER=12 'it dies of SIGABRT at *:225'
ok race by_sanitizer examples/use_after_free.c '' 'ThreadSanitizer reports data race at *:30'
ok 'use after free' by_sanitizer examples/use_after_free.c '--races ignore' 'AddressSanitizer reports heap-use-after-free at *'
ok uninitialized by_sanitizer tests/faults/uninitialized.c '-O0 -DCASE=1' 'MemorySanitizer reports use-of-uninitialized-value at *'
ok overflow by_sanitizer tests/faults/overflow.c '-O0 --overflow -DCASE=1' 'UndefinedBehaviorSanitizer reports signed integer overflow*'
ok lasso confirms examples/test_and_set.c "--ltl '[] (in(take, 1) -> <> in(critical, 1))'" 'it goes round the loop 1000 times*'
ok 'lasso of two' confirms examples/peterson.c "-DSTUBBORN --ltl '[] (in(enter, 1) -> <> in(critical, 1))'" 'it goes round*'
ok invariant refuses tests/faults/invariant.c "--invariant 'count <= 1'" 'the invariant is evaluated by bitspin*'

# ---- older values: x86 shows those that a delayed store explains, and others are not tried ------------------------------------

cat >delayed.c <<'END'
#include <assert.h>
#include <pthread.h>
static volatile int x, y, a, b;
static void *one(void *unused) { x = 1; a = y; return unused; }
static void *two(void *unused) { y = 1; b = x; return unused; }
int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, one, 0);
	pthread_create(&threads[1], 0, two, 0);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	assert(a || b);
}
END
# repeats OPTIONS FILE: some run meets it.
repeats()
{
	[ "$(nproc)" -ge 2 ] || { left_out='what needs two processors is left out'; return 0; }
	run 0 confirm -q --repeat 1000000 "$@" && last 'confirmed: *dies of SIGABRT at *, in run *, which met an older value'
}
never() { run 1 confirm -q --repeat 1000000 "$@" && last 'not confirmable: step * meets an older value, which a native run cannot be made to do'; }
ok 'store buffering under c11' repeats --memory c11 -DORDER=relaxed "$root/tests/memory/store_buffering.c"
ok 'store buffering under tso' repeats --memory tso delayed.c
ok 'message passing' never --memory c11 -DMP -DST=relaxed -DLD=relaxed "$root/tests/memory/litmus_two.c"
ok 'two stores each' never --memory c11 -DWW -DST=relaxed -DLD=relaxed "$root/tests/memory/litmus_two.c"
ok 'read of a later store' never --memory c11 -DS -DST=relaxed -DLD=relaxed "$root/tests/memory/litmus_two.c"
untried() { run 1 confirm -q --memory c11 -DORDER=relaxed "$root/tests/memory/store_buffering.c" && last 'not confirmable: *; --repeat N tries *'; }
ok 'not repeated' untried
schedule() { run 0 confirm -q --repeat 10 "$root/examples/lost_update.c" && last 'confirmed: *lost_update.c:54'; }
ok 'a schedule is enough' schedule
bad_repeat() { run 2 confirm --repeat "$1" delayed.c && grep -q 'takes a whole number from 1 to' err; }
for bad in 0 -1 x 10000001; do
	ok "bad repeat $bad" bad_repeat "$bad"
done

# ---- the world ------------------------------------------------------------------------------------------------------------

cat >choice.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bitspin.h"
int main(int argc, char **argv)
{
	char line[20] = "";
	int n = bitspin_choose(3, 70);
	if (argc == 2 && fgets(line, sizeof line, stdin) && getenv("WHO"))
		assert(n != 57 || strcmp(argv[1], "b c") || strcmp(line, "yx") || strcmp(getenv("WHO"), "me"));
	return 0;
}
END
choices() { run 0 confirm -q --stdin-bytes 2=xy --arg 1=a --arg '1=b c' --env WHO=me choice.c && last 'confirmed: *SIGABRT at choice.c:11'; }
ok 'choices, arguments, standard input, environment' choices

any() { run 0 confirm -q --stdin-bytes any:3 --arg 1=any:3 --env WHO=any:2 choice.c && last 'confirmed: *SIGABRT at choice.c:11'; }
ok 'any argument, standard input, environment' any

cat >rand.c <<'END'
#include <assert.h>
#include <stdlib.h>
int main(void)
{
	int n = rand();
	assert(n % 100 != 77 || rand() != 5);
	return 0;
}
END
of_library() { run 0 confirm -q --extern rand=any rand.c && last 'confirmed: *SIGABRT at rand.c:6'; }
ok 'results of the C library' of_library

# ---- --tests ---------------------------------------------------------------------------------------------------------------

cat >tested.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bitspin.h"
static void *same(void *argument) { return argument; }
int main(int argc, char **argv)
{
	pthread_t thread;
	int c = getchar();
	pthread_create(&thread, NULL, same, NULL);
	pthread_join(thread, NULL);
	if (strcmp(argv[1], "it's") == 0)
		return strcmp(getenv("MODE"), "\n") == 0 ? 7 : 8;
	if (c == '\0')
		return 9;
	bitspin_assume(argv[1][0] == '\0');
	long n = bitspin_any_long();
	assert(n != -5000000000);
	switch (rand()) {
	case 5: return 10;
	case 2000000000: return n < 0 ? 11 : 12;
	default: return bitspin_choose(3, 4) == 3 ? 3 : 4;
	}
}
END
# Each script ends natively as it says; 3, 4 and 7 to 12 are all ends but that of the assertion, which is reached from two texts.
tested()
{
	rm -rf paths
	run 1 check --arg 1=any:4 --env MODE=any:1 --stdin-bytes any:1 --extern rand=any --tests paths tested.c &&
		says "^note: [0-9]+ tests in paths; [0-9]+ paths are cut at an assumption" || return
	"$clang" -D__BITSPIN__ -I"$(dirname "$(realpath "$bitspin")")" -I"$root/runtime" -w tested.c paths/inputs.c -pthread -o tested || return
	local script status wanted
	for script in paths/*.sh; do
		status=$("$script" ./tested >/dev/null 2>&1; echo $?)
		wanted=$(sed -n '2s/.*status \([0-9]*\)$/\1/p; 2s/.*: assertion at tested.c:20: .*/134/p' "$script")
		[[ $status == "$wanted" ]] || { echo "$script: $status, and not $wanted"; return 1; }
		echo "$status"
	done | sort -nu | tr '\n' ' ' >ends
	[[ $(cat ends) == '3 4 7 8 9 10 11 12 134 ' ]] || { cat ends; return 1; }
}
ok 'tests run natively' tested
cat >real.c <<'END'
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
int main(void)
{
	double d = __VERIFIER_nondet_double();
	if (!(d > 2.5))
		return d != d ? 5 : 7;
	if (__VERIFIER_nondet_float() < -1.25f)
		__builtin_abort();
	return 8;
}
END
reals() # inputs that are floating-point numbers
{
	rm -rf real && run 1 check --inputs sets --tests real real.c
	run 0 confirm --inputs sets real.c && last 'confirmed: *dies of SIGABRT at real.c:9' &&
		"$clang" -w real.c real/inputs.c -pthread -o tested || return
	local script
	[[ $(for script in real/*.sh; do "$script" ./tested >/dev/null 2>&1; echo $?; done | sort -nu | tr '\n' ' ') == '5 7 8 134 ' ]]
}
ok 'tests with reals' reals
tests_stay() # what is there stays
{
	rm -rf mine && mkdir mine && echo x >mine/x && run 2 check --tests mine tested.c && grep -q "'x' is in it; name a new or" err &&
		[[ $(cat mine/x) == x && $(ls mine) == x ]] && run 2 check --tests tested.c tested.c && grep -q 'Not a directory' err &&
		run 2 check --tests new --search random tested.c && grep -q 'go with --search random' err && [[ ! -e new ]]
}
ok 'tests into what is there' tests_stay

cat >malloc.c <<'END'
#include <assert.h>
#include <stdlib.h>
int main(void)
{
	for (int i = 0; i < 3; i++) {
		char *p = malloc(3);
		assert(p || i != 2);
		free(p);
	}
	return 0;
}
END
failing() { run 0 confirm -q --faults malloc:1 malloc.c && last 'confirmed: *SIGABRT at malloc.c:7'; }
ok 'an allocation that fails' failing

cat >timed.c <<'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done;
static void *work(void *p) { pthread_mutex_lock(&m); done = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return p; }
int main(void)
{
	pthread_t t;
	struct timespec until;
	int error = 0;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1000;
	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&m);
	while (!done && error == 0)
		error = pthread_cond_timedwait(&c, &m, &until);
	assert(error != ETIMEDOUT);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
END
timed() { run 0 confirm -q timed.c && last 'confirmed: *SIGABRT at timed.c:20'; }
ok 'a deadline that is far away passes' timed

cat >libm.c <<'END'
#include <assert.h>
int strange(int);
int main(void)
{
	assert(strange(1) != 7);
	return 0;
}
END
cat >strange.c <<'END'
int strange(int n) { return n + 6; }
END
without_library() { run 1 confirm -q --extern strange=native libm.c && last 'not confirmed: *undefined reference to*strange*'; }
described() { run 0 confirm -q --extern strange=choose:5..8 libm.c && last 'confirmed: *'; }
with_library()
{
	"$clang" -c strange.c && ar rcs libstrange.a strange.o && run 1 confirm -q --extern strange=refuse libm.c -L. -lstrange
	run 3 confirm -q --extern strange=choose:1..2 libm.c -L. -lstrange && last 'nothing to confirm: *'
}
ok 'a function of the user' described
ok 'nothing to confirm' with_library

# ---- calls that are none of the library's: reads of pipes and their kin; threads that are asked to end -------------------------

cat >ready.c <<'C'
#include <pthread.h>
#include <sys/socket.h>
#include <sys/eventfd.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <poll.h>
#include <unistd.h>
#include <stdint.h>
static int fd[2], ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *giver(void *u) { pthread_mutex_lock(&m); int r = ready; pthread_mutex_unlock(&m); uint64_t one = 1; if (r) write(fd[1], &one, 8); return u; }
static void *taker(void *u)
{
	uint64_t got;
#if WAY == 1
	struct pollfd p = { fd[0], POLLIN, 0 }; poll(&p, 1, -1);
#elif WAY == 2
	int e = epoll_create1(0); struct epoll_event ev = { EPOLLIN, { 0 } }; epoll_ctl(e, EPOLL_CTL_ADD, fd[0], &ev); epoll_wait(e, &ev, 1, -1);
#elif WAY == 3
	fd_set s; FD_ZERO(&s); FD_SET(fd[0], &s); select(fd[0] + 1, &s, 0, 0, 0);
#endif
	read(fd[0], &got, 8);
	pthread_mutex_lock(&m); ready = 2; pthread_mutex_unlock(&m);
	return u;
}
int main(void)
{
	pthread_t a, b;
#if SORT == 0
	pipe(fd);
#elif SORT == 1
	socketpair(AF_UNIX, SOCK_STREAM, 0, fd);
#else
	fd[0] = fd[1] = eventfd(0, 0);
#endif
	pthread_create(&a, 0, taker, 0);
	pthread_create(&b, 0, giver, 0);
	pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m);
	pthread_join(a, 0); pthread_join(b, 0);
	return 0;
}
C
cat >cancelled.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s; static int p[2];
static void *worker(void *u)
{
	char x; struct timespec t = { 0, 1000 };
	pthread_mutex_lock(&l);
#if WAY == 0
	nanosleep(&t, 0);
#elif WAY == 1
	pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);
#elif WAY == 2
	sem_wait(&s);
#elif WAY == 3
	read(p[0], &x, 1);
#elif WAY == 4
	pthread_testcancel();
#elif WAY == 5
	sem_timedwait(&s, &t);
#elif WAY == 6 /* it has the mutex when it ends */
	pthread_cond_wait(&c, &l);
#endif
	(void)x;
	pthread_mutex_unlock(&l);
	return u;
}
int main(void)
{
	pthread_t a;
	pipe(p); sem_init(&s, 0, 0);
	pthread_create(&a, 0, worker, 0);
	pthread_cancel(a);
	pthread_join(a, 0);
	pthread_mutex_lock(&l);
	return 0;
}
C
cat >last.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int ended, destroyed;
static pthread_key_t key;
static void destroy(void *value)
{
	(void)value;
	atomic_fetch_add(&destroyed, 1);
}
static void bye(void)
{
	assert(atomic_load(&ended) + atomic_load(&destroyed) != 2);
}
static void *worker(void *u)
{
	if (MANY == 1)
		pthread_setspecific(key, &key);
	atomic_fetch_add(&ended, 1);
	return u;
}
int main(void)
{
	pthread_t t;
	pthread_key_create(&key, destroy);
	atexit(bye);
	for (int i = 0; i < MANY; i++)
		pthread_create(&t, 0, worker, 0);
	pthread_exit(0);
}
C
cat >keys.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int log_;
static pthread_key_t first, second;
static void note(int n) { int old = atomic_load(&log_); while (!atomic_compare_exchange_strong(&log_, &old, old * 10 + n)) ; }
static void one(void *v) { (void)v; note(1); }
static void two(void *v) { (void)v; note(2); }
static void again(void *v) { note(3); if (atomic_load(&log_) < 1000) pthread_setspecific(second, v); }
static void *worker(void *u)
{
	pthread_setspecific(first, u);
#if WAY & 1
	pthread_setspecific(second, u);
#endif
#if WAY & 4
	pthread_exit(0);
#endif
	return 0;
}
static void *other(void *u) { (void)u; note(4); return 0; }
int main(void)
{
	pthread_t a, b;
	pthread_key_create(&first, WAY & 8 ? free : one);
	pthread_key_create(&second, WAY & 2 ? again : two);
	pthread_create(&a, 0, worker, malloc(1));
	pthread_create(&b, 0, other, 0);
	pthread_join(b, 0);
	note(5);
	pthread_join(a, 0);
	assert(atomic_load(&log_) != LOG);
	return 0;
}
C
cat >woken.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <assert.h>
#include <stdatomic.h>
static atomic_int f, woken;
static void *w(void *u)
{
	if (syscall(SYS_futex, &f, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0) == 0) {
		int none = 0;
		if (atomic_compare_exchange_strong(&woken, &none, (int)(long)u))
			assert((long)u != WHO);
	}
	return u;
}
int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, w, (void *)1); pthread_create(&b, 0, w, (void *)2); pthread_create(&c, 0, w, (void *)3);
	if (syscall(SYS_futex, &f, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) == 1 && syscall(SYS_futex, &f, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) == 1 && syscall(SYS_futex, &f, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) == 1)
		woken = 4;
	f = 1;
	pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
	return 0;
}
C
# hangs FILE OPTIONS PLACE
hangs() { run 0 confirm -q $2 "$1" && last "confirmed: the native program fails the same way: it hangs: *$3"; }
in_read() { hangs ready.c '-DWAY=0 -DSORT=0' 'thread 1 in a call at ready.c:22' && hangs ready.c '-DWAY=0 -DSORT=2' 'thread 1 in a call at ready.c:22'; }
in_poll() { hangs ready.c '-DWAY=1 -DSORT=1' 'thread 1 in a call at ready.c:16'; }
in_epoll() { hangs ready.c '-DWAY=2 -DSORT=2' 'thread 1 in a call at ready.c:18'; }
in_select() { hangs ready.c '-DWAY=3 -DSORT=0' 'thread 1 in a call at ready.c:20'; }
cancelled()
{
	local way
	for way in 0 1 2 3 4 5 6; do
		hangs cancelled.c -DWAY=$way 'thread 0 in pthread_mutex_lock at cancelled.c:38' || { echo "way $way"; return 1; }
	done
}
# The last thread runs exit handlers, after its destructors.
last_thread()
{
	local many
	for many in 1 2; do
		run 0 confirm -q -DMANY=$many last.c && last 'confirmed: *SIGABRT at last.c:14' || { echo "$many threads"; return 1; }
	done
}
# Others end between the destructors of a thread.
key_destructors()
{
	local way log
	while read -r way log; do
		run 0 confirm -q -DWAY=$way -DLOG=$log keys.c && last 'confirmed: *SIGABRT at *keys.c:33' || { echo "way $way, $log"; return 1; }
	done <<<$'0 451\n1 4152\n3 14335\n5 1452\n9 425\n13 452'
}
# Linux wakes who has waited longest; the schedule, any.
futexes()
{
	local who
	for who in 1 2 3; do
		run 0 confirm -q -DWHO=$who woken.c && last 'confirmed: *SIGABRT at woken.c:14' || { echo "thread $who"; return 1; }
	done
}
# The stack of a thread that has ended is still there when LeakSanitizer looks.
unseen_leak()
{
	[ -n "$sanitizers" ] || return 0
	cat >unseen.c <<-'C'
		#include <pthread.h>
		#include <stdlib.h>
		int main(void)
		{
			char *volatile p[4];
			p[0] = malloc(8);
			*p[0] = 1;
			pthread_exit(0);
		}
	C
	run 0 confirm -q --leaks unseen.c && last 'confirmed: *detected memory leaks at unseen.c:6'
}
ok 'a wait in read' in_read
ok 'a wait in poll' in_poll
ok 'a wait in epoll_wait' in_epoll
ok 'a wait in select' in_select
ok 'threads that are cancelled' cancelled
ok 'exit handlers of the last thread' last_thread
ok 'destructors of thread-specific values' key_destructors
ok 'whom a futex wakes' futexes
ok 'a leak' unseen_leak

# ---- directories that check --keep leaves, gdb --------------------------------------------------------------------------------

keep() { [ -d kept ] || run 1 check -q --keep kept "$root/examples/lost_update.c"; }
copy() { keep && rm -rf "$1" && cp -r kept "$1"; }
kept() { keep && run 0 confirm kept && says '^schedule: ' && says '^without sanitizers: '; }
gdb_stops()
{
	command -v gdb >/dev/null || { left_out+='; there is no gdb'; return 0; }
	keep && run 0 replay --gdb kept && says 'Breakpoint .*lost_update.c:54' && says '"thread 0" main' && says 'This is where bitspin finds'
}
# gdb has the terminal while it runs: a prompt, Ctrl-C, Ctrl-Z; then the shell has it again, as it was.
gdb_prompts()
{
	command -v gdb >/dev/null || return 0
	keep && terminal 120 "env PS1='sh> ' bash --norc -i" && shows '^sh>' && tmux_ send-keys 'stty -a >before' Enter || return 1
	tmux_ send-keys "'$bitspin' replay --gdb kept" Enter && shows '^\(gdb\) ?$' && tmux_ send-keys 'print 40+2' Enter && shows '= 42' || return 1
	tmux_ send-keys 'garbage' C-c && sleep 0.3 && tmux_ send-keys 'print 50+2' Enter && shows '= 52' || return 1
	tmux_ send-keys C-z && shows 'Stopped' && tmux_ send-keys 'echo $((60+2))' Enter && shows '^62' || return 1
	tmux_ send-keys 'fg' Enter && sleep 1 && tmux_ send-keys 'print 70+2' Enter && shows '= 72' && tmux_ send-keys 'quit' Enter || return 1
	sleep 1 && tmux_ send-keys 'echo $((80+2)); stty -a >after' Enter && shows '^82' && sleep 0.5 && diff before after
}
gdb_hangs()
{
	command -v gdb >/dev/null || return 0
	run 1 check -q --keep hangs "$root/examples/lost_wakeup.c" && run 0 replay --gdb hangs && says 'waiter .*lost_wakeup.c:26' &&
		says 'blocked for good'
}
ok kept kept
ok gdb gdb_stops
ok 'gdb on a deadlock' gdb_hangs
ok 'gdb on a terminal' gdb_prompts

mistake() { local words=$1; shift; run 2 "$@" && grep -q -- "$words" err || { echo "no '$words': $(tail -n 1 err)"; return 1; }; }
not_kept() { mkdir -p empty && mistake 'no trail' confirm empty; }
other_program()
{
	copy other && run 1 check -q --keep third "$root/examples/deadlock.c" && cp third/model.pml.trail other/
	timeout 60 "$bitspin" confirm other >out 2>err && return 1
	grep -qE 'leads to no violation|not the one that' err
}
truncated() { copy cut && head -c 12 kept/model.pml.trail >cut/model.pml.trail && mistake 'no violation' confirm cut; }
no_record() { copy bare && rm bare/check.json && mistake 'not left by bitspin check --keep' confirm bare; }
bad_record() { copy bad && echo '{"bitspin": 3}' >bad/check.json && mistake 'not left by bitspin' confirm bad; }
other_version() { copy old && sed -i 's/"bitspin": "[^"]*"/"bitspin": "0.0"/' old/check.json && mistake 'was left by bitspin 0.0' confirm old; }
no_bitcode() { copy less && rm less/0.bc && mistake 'no bitcode' confirm less; }
bad_bitcode() { copy junk && echo junk >junk/0.bc && run 1 confirm -q junk && last 'not confirmed: *0.bc*cannot be read*'; }
no_compiler() { keep && BITSPIN_CLANG=no-such-clang mistake "cannot find 'no-such-clang'" confirm kept; }
ok 'not kept' not_kept
ok 'a trail of another program' other_program
ok 'a truncated trail' truncated
ok 'no record' no_record
ok 'a bad record' bad_record
ok 'another version' other_version
ok 'no bitcode' no_bitcode
ok 'bad bitcode' bad_bitcode
ok 'no compiler' no_compiler
tmux_ kill-server 2>/dev/null
finish "$left_out"
