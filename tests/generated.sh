#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Models of `bitspin generate` under pan's own options: -f, its weak fairness, wherever the thread that goes round for ever is among
# the others; -l, cycles without progress; trails under all the names that pan gives them, replayed.
#
#     usage: tests/generated.sh BITSPIN [FILTER]
source "$(dirname "$0")/lib.sh"
own_cache

# Threads 0 to 3: LOOPER goes round for ever, SEEKER sets `flag` if it gets its turn, the others do what OTHERS says.
cat >roles.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;
static int flag, c;
static atomic_int beat;
static void round_and_round(void)
{
	for (;;) {
#ifdef HOLDS
		pthread_mutex_lock(&m);
		c = !c;
		pthread_mutex_unlock(&m);
#else
		beat = !beat;
#endif
	}
}
static void seek(void)
{
#ifdef TRIES
	while (pthread_mutex_trylock(&m))
		;
#else
	pthread_mutex_lock(&m);
#endif
	flag = 1;
	pthread_mutex_unlock(&m);
}
static void *play(void *role)
{
	long n = (long)role;
	if (n == LOOPER)
		round_and_round();
	if (n == SEEKER)
		seek();
	if (OTHERS == 1 && n != SEEKER)
		sem_wait(&never);
	if (OTHERS == 2 && n != SEEKER)
		sleep(1);
	return NULL;
}
int main(void)
{
	pthread_t id[3];
	sem_init(&never, 0, 0);
	long last = OTHERS == 3 ? (LOOPER > SEEKER ? LOOPER : SEEKER) : 3;
	for (long i = 1; i <= last; i++)
		pthread_create(&id[i - 1], 0, play, (void *)i);
	play((void *)0);
	for (long i = 1; i <= last; i++)
		pthread_join(id[i - 1], 0);
	return 0;
}
C

generate() { "$bitspin" generate -q --threads 4 --no-deadlock --prop 'flag={flag}' "$@"; }

# pans DIRECTORY PANFLAGS CLAIM...: a pan that serves all programs of this model.
pans()
{
	local to=$1 flags=$2
	shift 2
	generate -o "$to" -DLOOPER=1 -DSEEKER=2 -DOTHERS=0 roles.c && printf 'ltl %s\n' "$@" >>"$to/model.pml" &&
		make -s -C "$to" PANFLAGS="-O0 $flags" >made 2>&1 || { cat made; return 1; }
}

# A pan's verdict on the program in the directory `program`: how many errors.
errors() { (cd "$1" && shift && BITSPIN_IMAGE=../program/program.image ./pan -m10000 -w18 "$@" 2>&1) | sed -n 's/.*errors: //p'; }

# placements ERRORS OPTIONS: ... wherever the looper and the seeker are, the others ended, blocked, asleep, or never created.
placements()
{
	local expected=$1 looper seeker others
	shift
	for looper in 0 1 2 3; do
		for seeker in 0 1 2 3; do
			((looper != seeker)) || continue
			others=$(((looper + 2 * seeker) % 4))
			generate -o program -DLOOPER=$looper -DSEEKER=$seeker -DOTHERS=$others "$@" roles.c || return 1
			[ "$(errors fair -a -f)" = "$expected" ] || { echo "looper $looper, seeker $seeker, others $others, $*"; return 1; }
		done
	done
}
starved() { placements 1 -DHOLDS; }
starved_alone() { placements 1 -DHOLDS --reduction none; }
starved_trying() { placements 1 -DHOLDS -DTRIES --reduction all; }
served() { placements 0; }
served_alone() { placements 0 -DTRIES --reduction none; }

# Without fairness, the loop alone is a violation.
unfair() { generate -o program -DLOOPER=1 -DSEEKER=2 -DOTHERS=0 roles.c && [ "$(errors fair -a)$(errors fair -a -f)" = 10 ]; }
# Where nobody can go on, a claim does: one that comes to its accepting state again and again.
at_rest()
{
	printf 'int flag; int main(void) { flag = 1; flag = 0; return 0; }\n' >rests.c
	generate -o program rests.c && [ "$(errors claims -a -f -N again)$(errors claims -a -f -N stays)$(errors claims -a -f -N leaves)" = 110 ]
}

progress()
{
	generate -o program -DHOLDS -DLOOPER=1 -DSEEKER=2 -DOTHERS=0 roles.c && [ "$(errors progress -l)$(errors progress -l -f)" = 11 ] &&
		replayed progress 'violated: ltl: progress (pan -l) does not hold: thread 1 goes round roles.c:13 to :15' || return 1
	generate -o program -DLOOPER=4 -DSEEKER=2 -DOTHERS=1 roles.c && [ "$(errors progress -l)$(errors progress -l -f)" = 00 ]
}
# Only a run that is unfair to one thread goes on for ever.
fair_progress()
{
	cat >waits.c <<-'C'
		#include <pthread.h>
		#include <stdatomic.h>
		static atomic_int flag;
		static void *set(void *u) { flag = 1; return u; }
		int main(void) { pthread_t t; pthread_create(&t, 0, set, 0); while (!flag) ; pthread_join(t, 0); return 0; }
	C
	generate -o program waits.c && [ "$(errors progress -l)$(errors progress -l -f)" = 10 ]
}

# replayed DIRECTORY[/TRAIL] LINE
replayed()
{
	cp program/program.image "${1%%/*}/" && run 1 replay "$1" && last "$2"
}
claims()
{
	generate -o program -DHOLDS -DLOOPER=1 -DSEEKER=2 -DOTHERS=0 roles.c || return 1
	[ "$(errors claims -a -N stays)" = 1 ] && replayed claims 'violated: ltl: claim stays does not hold: *' || return 1
	[ "$(errors claims -a -N again)" = 1 ] && replayed claims 'violated: ltl: claim again does not hold: thread 1 goes round roles.c:13 to :15' || return 1
	[ "$(errors claims -a -N unset)" = 1 ] && replayed claims 'violated: ltl: claim unset does not hold: nothing *'
}
# pan's names: -e, a suffix, the process that has found it, the number of a process.  Behind the end of its claim, pan goes on.
names()
{
	local count i
	generate -o program -DHOLDS -DLOOPER=1 -DSEEKER=2 -DOTHERS=0 --reduction none roles.c && rm -f claims/*.trail || return 1
	count=$(errors claims -a -N unset -e -c0 -tother) && [ "$count" -gt 3 ] || return 1
	for ((i = 1; i <= count; i++)); do
		replayed claims/model.pml$i.other 'violated: ltl: claim unset *: nothing that happens later can change this' || return 1
		[ "$i" = 1 ] || rm claims/model.pml$i.other
		((i < 5)) || break
	done
	replayed claims 'violated: ltl: claim unset *' && rm -f claims/*.other
}
# Of cycles that pan closes elsewhere no loop is told that is none.
cycles()
{
	generate -o program -DHOLDS -DLOOPER=1 -DSEEKER=2 -DOTHERS=0 --reduction none roles.c && rm -f claims/*.trail || return 1
	local trail count
	count=$(errors claims -a -N again -e -c0) && [ "$count" -gt 3 ] || return 1
	for trail in claims/model.pml[1-9]*.trail; do
		if grep -q -- '^-1:' "$trail"; then
			replayed "$trail" 'violated: ltl: claim again does not hold: thread 1 goes round roles.c:13 to :15' || return 1
		else
			run 2 replay "$trail" && grep -q 'one of several of pan -e' err || return 1
		fi
	done
	rm -f claims/*.trail
}
several()
{
	generate -o program -DHOLDS -DLOOPER=1 -DSEEKER=2 -DOTHERS=0 roles.c && errors several -z6 -a -N again >/dev/null &&
		[ -f several/model.pml.cpu1_trail ] && replayed several 'violated: ltl: claim again does not hold: thread 1 goes round roles.c:13 to :15' &&
		rm -f several/*trail && errors several -z6 -a -N unset >/dev/null &&
		replayed several 'violated: ltl: claim unset does not hold: nothing that happens later can change this'
}
older()
{
	generate -o program -DLOOPER=1 -DSEEKER=2 -DOTHERS=0 roles.c && printf '1:0:2\n' >claims/old.trail && cp program/program.image claims &&
		touch claims/model.pml && run 2 replay claims/old.trail && grep -q 'old.trail.*make and run it again' err
}

pans fair '' 'sometime { <> flag }' && pans claims '' 'again { [] <> flag }' 'stays { <> [] flag }' 'leaves { <> [] !flag }' 'unset { [] !flag }' &&
	pans progress -DNP 'unset { [] !flag }' && pans several -DNCORE=2 'again { [] <> flag }' 'unset { [] !flag }' || exit 2
ok '-f: a thread that never gets the lock' starved
ok '-f: ... and no reductions' starved_alone
ok '-f: ... and that tries' starved_trying
ok '-f: a thread that gets its turn' served
ok '-f: ... and no reductions' served_alone
ok '-f: and without' unfair
ok '-f: where nobody can go on' at_rest
ok '-l' progress
ok '-l -f' fair_progress
ok 'a trail of one of several claims' claims
ok 'names of trails' names
ok 'trails of cycles' cycles
ok 'several processes' several
ok 'an older trail' older
finish
