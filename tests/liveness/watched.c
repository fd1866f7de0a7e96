/* SPDX-License-Identifier: MIT
 *
 * Propositions that ask for one thread, of functions and labels that others pass too: what the others do there is not looked
 * at, but what the thread does counts at every moment, whatever way it comes in or out.
 *
 * Both threads call visit(), which sets `inside` and clears it: with one lock, so that they exclude each other, or without.
 *
 * RUN: check --ltl '[] (in(visit, 1) -> {inside < 2})' --ltl '[] !(in(visit, 1) && in(visit, 2))' --ltl '<> in(visit, 2)'
 * EXPECT: verified
 * RUN: check -DNO_LOCK --ltl '[] !(in(visit, 1) && in(visit, 2))'
 * EXPECT: violated ltl
 * RUN: check -DNO_LOCK --ltl '[] (in(visit, 1) -> {inside != 2})'
 * EXPECT: violated ltl
 * RUN: check -DNO_LOCK --invariant '!(in(visit, 1) && in(visit, 2))'
 * EXPECT: violated invariant
 * RUN: check --invariant '!(in(visit, 1) && in(visit, 2))' --invariant 'in(visit, 2) -> {inside != 1}'
 * EXPECT: verified
 * RUN: check -DNO_LOCK --ltl '[] (in(visit, 1) -> {inside != 1}) || [] (!in(visit, 1) -> {inside != 1})'
 * EXPECT: verified
 * RUN: check -DNO_LOCK --ltl '!in(visit, 2) U in(visit, 1)'
 * EXPECT: violated ltl
 * RUN: check -DNO_LOCK --ltl '[] (in(visit, 2) -> {inside == 2} V in(visit, 2))'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (in(visit) -> in(visit, 1) || in(visit, 2))' --ltl '[] !in(visit, 0)'
 * EXPECT: verified
 * RUN: check --ltl '[] (in(work) -> !done(1) || !done(2))'
 * EXPECT: verified
 * RUN: check -DNO_LOCK --ltl '[] (at(here, 1) -> !at(here, 2))'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (at(here, 1) -> !at(here, 2))' --ltl '[] (at(here, 1) -> {inside == 1})' --ltl '<> at("there", 2)'
 * EXPECT: verified
 * RUN: check --ltl '[] (at("there", 1) -> {inside == 0})' --ltl '<> at(here, 2) && [] !at("elsewhere")' -DNO_LOCK
 * EXPECT: violated ltl
 *
 * The ways out other than a return, at each of which the thread was inside before and is not after: longjmp, the thread's end,
 * cancellation.
 *
 * RUN: check -DJUMP --ltl '<> (in(visit, 1) && <> !in(visit, 1))' --ltl '[] (in(visit, 2) -> <> !in(visit, 2))'
 * EXPECT: verified
 * RUN: check -DJUMP --ltl '[] ({inside == 1} -> in(visit, 1))'
 * EXPECT: violated ltl
 * RUN: check -DEND --ltl '<> [] (!in(visit) && done(1))' --ltl '[] (in(visit, 1) -> !done(1))'
 * EXPECT: verified
 * RUN: check -DEND --ltl '<> (in(visit, 1) && <> !in(visit, 1))'
 * EXPECT: verified
 * RUN: check -DEND --ltl '[] ({inside != 1} || in(visit, 1) || in(visit, 2))'
 * EXPECT: violated ltl
 * RUN: check -DCANCEL --ltl '<> (in(visit, 1) && <> [] !in(visit, 1))' --ltl '<> done(1)' --ltl '[] (in(visit, 1) -> !done(1))'
 * EXPECT: verified
 * RUN: check -DCANCEL --ltl '[] ({told} -> in(visit, 1))'
 * EXPECT: violated ltl
 *
 * Functions that the VM enters: an initialization once, by whoever comes first; a destructor.
 *
 * RUN: check -DONCE --ltl '<> in(once, 1)'
 * EXPECT: violated ltl
 * RUN: check -DONCE --ltl '<> (in(once, 1) || in(once, 2))' --ltl '[] !(in(once, 1) && in(once, 2))'
 * EXPECT: verified
 * RUN: check -DONCE --ltl '[] ({ready == 1} -> in(once))'
 * EXPECT: verified
 * RUN: check -DONCE --ltl '[] (in(once, 2) -> {ready == 0})'
 * EXPECT: violated ltl
 * RUN: check -DONCE --ltl '[] !in(destroy, 2)'
 * EXPECT: violated ltl
 * RUN: check -DONCE --ltl '<> in(destroy, 1) && <> in(destroy, 2)' --ltl '[] (done(1) -> !in(destroy, 1))'
 * EXPECT: verified
 *
 * A slot has one thread after the other: main joins its first thread and creates another, while thread 2 sets `told`.  A function
 * that a thread begins with is entered when it is created.
 *
 * RUN: check -DAGAIN --ltl '[] (done(1) -> {told})'
 * EXPECT: violated ltl
 * RUN: check -DAGAIN --ltl '[] ({told} -> !in(late, 1))'
 * EXPECT: violated ltl
 * RUN: check -DAGAIN --ltl '[] ({told} -> in(late, 1) || done(1))'
 * EXPECT: violated ltl
 * RUN: check -DAGAIN --ltl '[] ({told} -> <> in(late, 1))'
 * EXPECT: violated ltl
 * RUN: check -DAGAIN --ltl '<> in(late, 1)' --ltl '[] !in(late, 2)' --ltl '<> (done(1) && <> (!done(1) && <> done(1)))'
 * EXPECT: verified
 * RUN: check -DAGAIN --ltl '<> [] done(1)'
 * EXPECT: verified
 * RUN: check -DAGAIN --ltl '[] (done(1) -> [] done(1))'
 * EXPECT: violated ltl
 * RUN: check -DAGAIN --ltl '!done(2) U done(1)' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DAGAIN --ltl '!done(1) U done(2)' --fairness none
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>
#include "bitspin.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static atomic_int inside, told, ready;

static void visit(int number, jmp_buf *way_out)
{
	inside = number;
	bitspin_label("here");
	if (way_out)
		longjmp(*way_out, 1);
#ifdef END
	if (number == 1)
		pthread_exit(NULL);
#endif
#ifdef CANCEL
	for (;;)
		pthread_testcancel();
#endif
	inside = 0;
}

static void once(void)
{
	ready = 1;
	ready = 2;
}

static void destroy(void *unused)
{
	(void)unused;
}

static void *work(void *number)
{
	int mine = number ? 1 : 2;
#if defined ONCE
	pthread_once(&control, once);
	pthread_setspecific(key, &control);
	return NULL;
#elif defined JUMP
	jmp_buf back;
	if (mine == 2)
		visit(2, NULL);
	else if (!setjmp(back))
		visit(1, &back);
	return NULL;
#else
#if !defined NO_LOCK && !defined END
	pthread_mutex_lock(&mutex);
#endif
	visit(mine, NULL); /* ERROR */
#if !defined NO_LOCK && !defined END
	pthread_mutex_unlock(&mutex);
#endif
	bitspin_label("there");
	return NULL;
#endif
}

static void *early(void *unused)
{
	return unused;
}

static void *late(void *unused)
{
	return unused;
}

static void *teller(void *unused)
{
	told = 1;
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	(void)once, (void)destroy, (void)early, (void)late, (void)teller, (void)mutex, (void)control;
#if defined AGAIN
	pthread_create(&threads[0], NULL, early, NULL);
	pthread_create(&threads[1], NULL, teller, NULL);
	pthread_join(threads[0], NULL);
	pthread_create(&threads[0], NULL, late, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
#elif defined CANCEL
	pthread_create(&threads[0], NULL, work, threads);
	pthread_cancel(threads[0]);
	told = 1;
	pthread_join(threads[0], NULL);
#else
	pthread_key_create(&key, destroy);
	pthread_create(&threads[0], NULL, work, threads);
	pthread_create(&threads[1], NULL, work, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
#endif
	return 0;
}
