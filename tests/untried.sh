#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What `verified` tells was not tried: notes, the last line in all forms, --coverage; by hand.
#
#     usage: tests/untried.sh BITSPIN [FILTER]
source "$(dirname "$0")/lib.sh"
own_cache
quick_pans

cat >u.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static _Atomic int made;
static void *work(void *argument)
{
	made++;
	return argument;
}
int unused(void)
{
	return 1;
}
static void lost(void)
{
	made = 7;
}
int main(int argc, char **argv)
{
	pthread_t threads[3];
	int count = argc > 1 ? atoi(argv[1]) : 0;
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	if (made > 5)
		lost();
#pragma omp parallel
	made = time(NULL) > 5;
	return count == 0;
}
C
clock='^verified for one clock \(u\.c:29\)$'
none='^note: no thread was created in any schedule$'

data_of_page() { sed -n '/^<script type="application\/json" id="report">$/,/^<\/script>$/p' "$1" | sed '1d;$d'; }
notes() # they are there where they are true
{
	run 0 check u.c && says "$clock" && says "$none" && says '^note: the program ends with status 1 in every schedule \(u\.c:18\)' &&
		says '^note: 3 of 4 functions never ran: work \(u\.c:5\), lost \(u\.c:14\), unused \(u\.c:10\)$' &&
		says '^note: the clock was read, and it stands still \(u\.c:29\); --clock '
}
waits=$root/tests/threads/waits.c
loops() # that do not wait for others to write
{
	run 0 check "$waits" -DBACK && says '^note: that every run ends was not checked \([^ ]*waits\.c:[0-9]+\); --property termination$' &&
		run 0 check "$waits" -DDAEMON && says '^note: a loop that never ends waits for nothing, and counts as a daemon \(' &&
		run 1 check "$waits" -DUNBOUNDED && says 'waits in a loop for flag to change' && run 0 check "$waits" -DFLAG -DSET && ! says 'every run ends' && ! says daemon
}
no_notes() # ... and nowhere else
{
	run 0 check u.c -- 2 && says "$clock" && ! says 'no thread was' && ! says 'status 1' && says '^note: 2 of 4 functions never ran' &&
		run 0 check "$root/examples/lost_update_fixed.c" && ! says '^note' && last verified
}
seeds() # random numbers from a constant seed are the same everywhere
{
	cat >r.c <<'C'
#include <stdlib.h>
#include <time.h>
static int hits;
int main(void)
{
	SEED;
	if (rand() % 2)
		hits++;
	return 0;
}
C
	local one='^note: of the random numbers one sequence was tried \(r\.c:7\)' seed
	for seed in '' 'srand(42)' 'srandom(7)'; do
		run 0 check "-DSEED=$seed" r.c && last verified && says "$one" || return 1
	done
	run 0 check '-DSEED=srand((unsigned)time(NULL))' r.c && last 'verified for one clock (r.c:6), for one seed of rand() (r.c:7)' &&
		run 0 check '-DSEED=void (*volatile f)(unsigned) = srand; f(3)' -O0 r.c && last 'verified for one seed of rand() (r.c:7)' &&
		run 0 check '-DSEED=srand((unsigned)hits)' -O0 r.c && last 'verified for one seed of rand() (r.c:7)'
}
deadlines() # that are only waited for do not depend on the clock
{
	cat >d.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static mtx_t mtx;
static cnd_t cnd;
static void *other(void *a) { sem_post(&s); return a; }
int main(void)
{
	struct timespec t;
	pthread_t p;
	mtx_init(&mtx, mtx_timed);
	cnd_init(&cnd);
	sem_init(&s, 0, 0);
	pthread_create(&p, NULL, other, NULL);
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 1;
	WAIT;
	pthread_join(p, NULL);
	return READ;
}
C
	local wait
	for wait in 'sem_timedwait(&s, &t)' 'sem_clockwait(&s, CLOCK_REALTIME, &t)' 'pthread_mutex_timedlock(&m, &t)' \
		'pthread_mutex_clocklock(&m, CLOCK_REALTIME, &t)' 'pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &t)' \
		'pthread_mutex_lock(&m); pthread_cond_clockwait(&c, &m, CLOCK_REALTIME, &t)' 'mtx_timedlock(&mtx, &t)' \
		'mtx_lock(&mtx); cnd_timedwait(&cnd, &mtx, &t)'; do
		run 0 check -D_GNU_SOURCE "-DWAIT=$wait" -DREAD=0 d.c && last verified || return 1
		run 0 check -D_GNU_SOURCE "-DWAIT=$wait" '-DREAD=t.tv_sec < 5' d.c && last 'verified for one clock (d.c:19)' || return 1
	done
}
inputs() # of which few values are tried, up to three by name
{
	cat >i.c <<'C'
int __VERIFIER_nondet_int(void), number(void);
static int square(int x) { return x * x == 49; }
int main(void)
{
	int all = 0;
	INPUTS
	return all || __VERIFIER_nondet_int() > 5;
}
C
	local few='inconclusive: no violation found, but only a few values were tried of what number returns at i.c:6'
	local c='all+=square(__VERIFIER_nondet_int());'
	run 0 check -q -O0 --profile svcomp -DINPUTS= i.c && last verified &&
		run 3 check -q --inputs few -O0 --profile svcomp '-DINPUTS=all=square(number());' i.c && last "$few" &&
		run 3 check -q --inputs few -O0 --profile svcomp "-DINPUTS=all=square(number());$c" i.c &&
		last "$few, and of what __VERIFIER_nondet_int returns at i.c:6" || return 1
	printf '#define L all += square(__VERIFIER_nondet_int());\n' >j.c
	sed 's/INPUTS/all=square(number());\nL\nL\nL\nL/' i.c >>j.c
	run 3 check -q --inputs few -O0 --profile svcomp j.c && last "${few/i.c:6/j.c:7}, of what __VERIFIER_nondet_int returns at j.c:8, of what \
__VERIFIER_nondet_int returns at j.c:9, and of 2 more inputs"
}
forms() # the last line is the same
{
	run 0 check -q u.c -- 2 && says "$clock" && ! says ^note && run 0 check --format gnu u.c -- 2 && says "$clock" &&
		run 0 check --json u.json u.c -- 2 && says "$clock" &&
		jq -e '.last_line == "verified for one clock (u.c:29)" and .untried[0].decides and .ran.functions == 4 and
			(.ran.never_ran | map(.function) == ["lost", "unused"]) and (.ran | has("lines") | not)' u.json &&
		run 0 check -q --sarif u.sarif --junit u.xml u.c -- 2 &&
		jq -e '.runs[0] | .properties.verdict == "verified for one clock (u.c:29)" and
			([.invocations[0].toolExecutionNotifications[] | select(.level == "note").message.text] |
				contains(["verified for one clock (u.c:29)", "2 of 4 functions never ran"]))' u.sarif &&
		grep -q 'name="verdict" value="verified for one clock (u.c:29)"' u.xml &&
		grep -q '<system-out>verified for one clock (u.c:29)</system-out>' u.xml && ! grep -q '"verified"' u.xml
}
coverage()
{
	run 0 check --coverage --json u.json u.c -- 2 && says '^coverage: of 4 functions 2 never ran, of 16 lines 3, ' &&
		says '^  functions: lost \(u\.c:14\), unused \(u\.c:10\)$' && says '^  lines of u\.c: 16-17, 27$' &&
		jq -e '.ran.lines == 16 and .ran.lines_never_ran[0].lines == [16, 17, 27]' u.json &&
		run 0 check -q --coverage --html u.html u.c -- 2 && data_of_page u.html | jq -e '.report.ran.lines_never_ran[0] as $missed |
			.sources[$missed.file].pieces[0].text | contains("made = 7")'
}
same() # whatever the search leaves out, or forgets
{
	local how
	for how in '--reduction none' '--search bfs' '--preemptions 9' '--cores 2' '--all'; do
		run 0 check $how --coverage u.c -- 3 && says '^  lines of u\.c: 16-17, 27$' && says '^note: 2 of 4 functions never ran' &&
			says "$clock" || return 1
	done
}
places() # in formulas, where nobody ever is
{
	run 0 check --ltl '[] !in(work,9)' u.c -- 2 && says '^note: no schedule creates thread 9, which in\(work,9\) asks about$' &&
		run 0 check --invariant '!in(work,9)' u.c -- 2 && says '^note: no schedule creates thread 9' &&
		run 0 check --ltl '[] !(in(work,1) && in(main,2))' u.c -- 2 && says '^note: in\(main,2\) is never true' &&
		run 0 check --ltl '!in(main,2) U {made >= 1}' u.c -- 2 && ! says 'never true' &&
		run 0 check --ltl '<> in(work,2)' --fairness weak u.c -- 2 && ! says 'never true' && ! says 'creates thread'
}
openmp()
{
	run 0 check -q u.c && grep -q '^u.c:28:9: warning: #pragma omp is ignored' err && run 2 check -fopenmp u.c && grep -q OpenMP err
}
ends() # the program's status: of exit in a thread, of main's pthread_exit
{
	cat >e.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static void *work(void *argument)
{
	EXIT;
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	MAIN;
	pthread_join(t, NULL);
	return STATUS;
}
C
	run 0 check '-DEXIT=exit(3)' -DMAIN= -DSTATUS=0 e.c && says '^note: the program ends with status 3 in every schedule \(e\.c:5\)' &&
		run 0 check '-DEXIT=exit(3)' -DMAIN= -DSTATUS=0 --reduction none e.c && says 'with status 3 in every' &&
		run 0 check '-DEXIT=exit(3)' '-DMAIN=exit(4)' -DSTATUS=0 e.c && says '^note: the program ends with another status than 0 in' &&
		run 0 check '-DEXIT=exit(3)' '-DMAIN=exit(256)' -DSTATUS=0 e.c && ! says 'status' &&
		run 0 check -DEXIT= '-DMAIN=pthread_exit(0)' -DSTATUS=1 e.c && ! says 'status'
}
late_ends() # of a program whose threads never end: a step that is put off for ever
{
	cat >e.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int turns, status = 1;
static void *serve(void *unused)
{
	for (;;)
		turns = !turns;
	return unused;
}
static void late(void)
{
	status = turns;
}
int main(void)
{
	pthread_t server;
#ifdef HANDLER
	atexit(late);
#endif
	pthread_create(&server, NULL, serve, NULL);
#ifdef WAITS
	pthread_join(server, NULL);
#endif
#ifdef EARLY
	if (turns)
		return 0;
#endif
	return status + 2;
}
C
	local options
	for options in "" "--cores 1" "--search bfs" "--reduction none" "--reduction exits" -DHANDLER; do
		run 0 check e.c $options && says '^note: the program ends with status 3 in every schedule \(e\.c:15\)' || { echo "$options"; return 1; }
	done
	run 0 check e.c -DEARLY --cores 1 && ! says 'in every schedule' || return 1
	run 0 check e.c -DWAITS && ! says 'status 3' && says '^note: no schedule reaches the end of main$'
}
for test in notes no_notes loops seeds deadlines inputs forms coverage same places openmp ends late_ends; do
	ok $test $test
done
finish
