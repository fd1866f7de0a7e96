/* SPDX-License-Identifier: MIT
 *
 * Threads that main starts with one function, and that have inputs: in states that differ by an exchange of threads, inputs are
 * exchanged, too, and what is related stays so.  N threads do WORK; main does BEFORE it starts them with ARGUMENT, and AFTER it has
 * joined them.  The verdicts were derived by hand.  Where sets decide, terms do, too.
 *
 * ALSO: --inputs symbolic
 *
 * Each has an input of its own.  All may come to 2; each may be the one that decides:
 *
 * RUN: check --profile svcomp --inputs sets -DN=4 -DWORK=CLASSES -DAFTER='FAIL_IF(sum > 8)'
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs sets -DN=4 -DWORK=CLASSES -DAFTER='FAIL_IF(sum == 7)'
 * EXPECT: violated assertion
 *
 * Inputs that are later compared with each other, in an array by the order in which threads come:
 *
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=SEEN -DAFTER='FAIL_IF(seen[0] == 7 && seen[1] == 9)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=SEEN -DAFTER='FAIL_IF(seen[0] == 9 && seen[1] == 7)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs symbolic -DN=2 -DWORK=SEEN -DAFTER='FAIL_IF(seen[0] > 7 && seen[0] == seen[1] + 7)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=FIRST_FROM_3 -DAFTER='FAIL_IF(seen[0] < 3)'
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs symbolic -DN=3 -DWORK=PASSES_ON -DAFTER='FAIL_IF(seen[1] == seen[0] + 1)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=FEW_SEEN -DAFTER='FAIL_IF(seen[0] == 3 && seen[1] == 0)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=3 -DWORK=FEW_ADDED -DAFTER='FAIL_IF(sum > 9)'
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs sets -DN=3 -DWORK=FEW_ADDED -DAFTER='FAIL_IF(sum == 8)'
 * EXPECT: violated assertion
 *
 * One input of main's, which all have, by value or where it points to: threads agree on it.
 *
 * RUN: check --profile svcomp --inputs sets -DN=3 -DBEFORE=EIGHTH -DARGUMENT=MAINS -DWORK=FIVES -DAFTER='FAIL_IF(sum % N)'
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs sets -DN=3 -DBEFORE=EIGHTH -DARGUMENT=MAINS -DWORK=FIVES -DAFTER='FAIL_IF(sum == N)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=2 -DARGUMENT=POINTED -DBEFORE=POINTED_AT -DWORK=POINTER -DAFTER='FAIL_IF(sum == 1)'
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs symbolic -DN=2 -DBEFORE=EIGHTH -DARGUMENT=MAINS -DWORK=OWN -DAFTER='FAIL_IF(sum == 1)'
 * EXPECT: violated assertion
 *
 * A different input of main's for each, in order: only the second one may be 5.
 *
 * RUN: check --profile svcomp --inputs sets -DN=2 -DARGUMENT=SECOND -DWORK=FIVES -DAFTER='FAIL_IF(sum == 2)'
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs sets -DN=2 -DARGUMENT=SECOND -DWORK=FIVES -DAFTER='FAIL_IF(sum == 1)'
 * EXPECT: violated assertion
 *
 * Two threads that one condition connects: the second one to come asks for what the first one has written.
 *
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=MEETS
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs symbolic -DN=2 -DWORK=RISES -DAFTER='FAIL_IF(seen[1] <= seen[0])'
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs symbolic -DN=2 -DWORK=RISES -DAFTER='FAIL_IF(seen[1] == seen[0] + 1)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs symbolic -DN=3 -DWORK=FOLLOWS -DAFTER='FAIL_IF(seen[3] == seen[1] + 2)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs symbolic -DN=3 -DWORK=FOLLOWS_BELOW -DAFTER='FAIL_IF(seen[3] != seen[1] + 2)'
 * EXPECT: verified
 *
 * A race, and a deadlock, that only some inputs come to; where main has the input, threads do the same.
 *
 * RUN: check --profile svcomp --inputs sets -DN=3 -DWORK='if (INT() == 77) sum++' --races report
 * EXPECT: violated data-race
 * RUN: check --profile svcomp --inputs sets -DN=3 -DWORK=SECOND_ADDS --races report
 * EXPECT: verified
 * RUN: check --inputs sets -DN=2 -DWORK=ORDERS
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DN=2 -DBEFORE=EIGHTH -DARGUMENT=MAINS -DWORK=ORDERS_BY_ARGUMENT
 * EXPECT: verified
 *
 * Inputs in memory of the thread's own, which the others can reach; an input that says which of its words.
 *
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=LENDS -DAFTER='FAIL_IF(met)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=LENDS_NO_3 -DAFTER='FAIL_IF(met)'
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs symbolic -DN=2 -DWORK=LENDS_NEXT -DAFTER='FAIL_IF(met)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=COPIES
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=INDEX -DAFTER='FAIL_IF(sum == 7)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=INDEX -DAFTER='FAIL_IF(sum > 8)'
 * EXPECT: verified
 *
 * Two inputs of one thread, of which one is a function of the other, and those of the others are not:
 *
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=HALVES -DAFTER='FAIL_IF(sum != 6)'
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs sets -DN=2 -DWORK=CHAIN -DAFTER='FAIL_IF(met)'
 * EXPECT: violated assertion
 *
 * A signal wakes one of those that wait, and which one shows only in its input; in the same step, the one that signals asks for its
 * own.  Invariants look at inputs; formulas do without symmetry.
 *
 * RUN: check --profile svcomp --inputs sets -DN=3 -DWORK='signals(INT())' -DAFTER='FAIL_IF(last == 2 && met == 3)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=3 -DWORK='signals(INT())' -DAFTER='FAIL_IF(last == 0 || met == 5)'
 * EXPECT: verified
 *
 * RUN: check --profile svcomp --inputs sets -DN=3 -DWORK='waits(INT())' -DBETWEEN='FEED(3)' -DAFTER='FAIL_IF(met)'
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --inputs sets -DN=2 --invariant 'last != 9' -DWORK=EIGHT
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs sets -DN=2 --invariant 'last != 8' -DWORK=EIGHT
 * EXPECT: violated invariant
 * RUN: check --profile svcomp --inputs sets -DN=2 --ltl '[] {last != 9}' -DWORK=EIGHT
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs sets -DN=2 --ltl '<> {last == 8}' -DWORK=EIGHT
 * EXPECT: violated ltl
 */
#include "inputs.h"

#ifndef ARGUMENT
#define ARGUMENT NULL
#endif
#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef BETWEEN
#define BETWEEN (void)0
#endif
#ifndef AFTER
#define AFTER (void)0
#endif
#define LOCK(...)  do { pthread_mutex_lock(&lock); __VA_ARGS__; pthread_mutex_unlock(&lock); } while (0)
#define BOTH(a, b) \
	do { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); } while (0)
#define FEED(n)    for (int i = 0; i < (n); i++) { LOCK(go++; pthread_cond_signal(&cond)); }
#define FEW(x)     __VERIFIER_assume((x) < 4)
#define FAIL_IF(x) check(!(x))

/* BEFORE, ARGUMENT and WORK */
#define MAINS (void *)x
#define CLASSES int x = INT(), k = x > 3 ? 1 : x < -5 ? 2 : 0; LOCK(sum += k)
#define EIGHTH long x = UINT(); __VERIFIER_assume(x < 8)
#define FIVES if ((long)argument == 5) LOCK(sum++)
#define OWN int own = INT(); LOCK(if ((long)argument == own) sum++)
#define POINTED_AT seen[0] = INT()
#define POINTED &seen[0]
#define POINTER if (*(int *)argument == 5) LOCK(sum++)
#define SEEN seen[role()] = INT()
#define SECOND (void *)(long)(i ? UINT() % 7 : 4)
#define ORDERS_BY_ARGUMENT if ((long)argument > 4) BOTH(lock, other_lock); else BOTH(other_lock, lock)
#define RISES int x = INT(); LOCK(__VERIFIER_assume(!sum || x > last); last = x; seen[sum++] = x)
#define FOLLOWS int x = INT(); LOCK(__VERIFIER_assume(sum == 0 || x == last + 1); last = x; sum++; seen[sum] = x)
#define FOLLOWS_BELOW \
	unsigned x = UINT(); LOCK(__VERIFIER_assume(x < 100 && (sum == 0 || x == last + 1u)); last = x; sum++; seen[sum] = x)
#define LENDS int *own = malloc(8); own[0] = INT(); LOCK(if (head) met = *head == 3 && own[0] == 4; head = own)
#define LENDS_NEXT int *own = malloc(8); own[0] = INT(); LOCK(if (head) met = *head == own[0] + 1; head = own)
#define LENDS_NO_3 \
	int own[2]; own[0] = INT(); __VERIFIER_assume(own[0] != 3); LOCK(if (head && *head == 3) met = 1; head = own); LOCK(head = 0)
#define COPIES \
	long *own = calloc(3, 8); own[0] = LONG(); own[1] = LONG(); own[2] = own[0]; LOCK(sum++); FAIL_IF(own[2] != own[0])
#define INDEX int own[4] = { 1, 2, 3, 4 }, x = INT(); __VERIFIER_assume(x >= 0 && x < 4); LOCK(sum += own[x])
#define HALVES unsigned x = UINT(), y; FEW(x); y = 3 - x; LOCK(sum += x); LOCK(sum += y)
#define CHAIN unsigned x = UINT(), y = UINT(); FEW(x); FEW(y); LOCK(if (sum++) met |= last == x && x + y == 1; last = y)
#define EIGHT int x = INT(); LOCK(last = x > 7 && x < 9 ? x : 0)
#define MEETS int x = INT(); LOCK(if (sum++ == 0) last = x; else FAIL_IF(last == 4 && x == 4))
#define FIRST_FROM_3 int x = INT(), me = role(); if (!me && x < 3) x = 3; seen[me] = x
#define PASSES_ON int x = INT(), me = role(); seen[me] = me ? seen[me - 1] : x
#define FEW_SEEN unsigned x = UINT(); int me = role(); FEW(x); LOCK(seen[me] = x)
#define FEW_ADDED unsigned x = UINT(); FEW(x); LOCK(sum += x)
#define SECOND_ADDS int x = INT(), me = role(); if (x == 77 && me == 1) sum++
#define ORDERS if (INT() > 0) BOTH(lock, other_lock); else BOTH(other_lock, lock)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int sum, last, seen[N + 1], met, go, *head;
static _Atomic int roles;

static int role(void)
{
	return roles++;
}

/* Wait to be fed; the first one that is says whether it is 6, and others that are negative take that back. */
static inline void waits(int x)
{
	pthread_mutex_lock(&lock);
	while (!go)
		pthread_cond_wait(&cond, &lock);
	go--;
	met = sum++ == 0 && x == 6 ? 1 : x < 0 ? 0 : met;
	pthread_mutex_unlock(&lock);
}

/* The first two wait, and the third one wakes one of them. */
static inline void signals(int x)
{
	pthread_mutex_lock(&lock);
	if (sum < 2) {
		sum++;
		while (!go)
			pthread_cond_wait(&cond, &lock);
		last = last ? last : x == 6 ? 2 : 1;
	} else {
		go = 1;
		pthread_mutex_unlock(&lock);
		pthread_cond_signal(&cond);
		x = x > 5 ? x == 9 ? 3 : 4 : 0;
		pthread_mutex_lock(&lock);
		met = x;
		pthread_cond_broadcast(&cond);
	}
	pthread_mutex_unlock(&lock);
}

static void *body(void *argument)
{
	(void)argument;
	WORK; /* ERROR */
	return NULL;
}

int main(void)
{
	pthread_t id[N];
	BEFORE;
	for (int i = 0; i < N; i++)
		pthread_create(&id[i], NULL, body, ARGUMENT);
	BETWEEN;
	for (int i = 0; i < N; i++)
		pthread_join(id[i], NULL); /* ERROR */
	AFTER;
	need_not_be_used();
	(void)role, (void)other_lock, (void)cond, (void)last, (void)seen, (void)met, (void)go, (void)head, (void)sum;
	return 0;
}
