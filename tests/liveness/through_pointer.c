/* SPDX-License-Identifier: MIT
 *
 * Properties that read through a pointer, by an index or under a condition: memory that no property reads yet may be read after
 * a step of another thread, so each plain write to it counts all along.  Such writes once were one step, and states were
 * missed in which the property reads what is between them.
 *
 * RUN: check -O0 --ltl '[] {*q != 3}'
 * EXPECT: violated ltl
 * RUN: check -O0 --invariant '*q != 3'
 * EXPECT: violated invariant
 * RUN: check -O0 --ltl '[] {*q != 5}' --ltl '<> {*q == 4}' --invariant '*q != 5'
 * EXPECT: verified
 * RUN: check -O0 --invariant 'at(q, 0) != 3'
 * EXPECT: violated invariant
 * RUN: check -O0 --ltl '[] {*q != 3}' -DCRITICAL
 * EXPECT: violated ltl
 * RUN: check -O0 --invariant '*q != 3' -DJOINED
 * EXPECT: verified
 * RUN: check -O0 -DINDEX --ltl '[] {a[i] != 3}'
 * EXPECT: violated ltl
 * RUN: check -O0 -DINDEX --invariant 'a[i] != 5 && a[0] == 0'
 * EXPECT: verified
 * RUN: check -O0 -DINDEX --invariant '*(i ? &a[1] : &x) != 3'
 * EXPECT: violated invariant
 * RUN: check -O0 -DINDEX --invariant 'copied(3)'
 * EXPECT: violated invariant
 * RUN: check -O0 -DINDEX --invariant 'searched(3)'
 * EXPECT: violated invariant
 * RUN: check -O0 -DLIST --ltl '[] {!first.next || first.next->value != 3}'
 * EXPECT: violated ltl
 * RUN: check -O0 -DHEAP --invariant '!box || *box != 3'
 * EXPECT: verified
 * RUN: check -O0 -DHEAP --invariant '!box || *box != 5'
 * EXPECT: violated invariant
 * RUN: check -O0 -DSTACK --invariant '*q != 3'
 * EXPECT: violated invariant
 * RUN: check -O0 -DSTACK --invariant '*q != 5'
 * EXPECT: verified
 * RUN: check -O0 -DFILLED --invariant '!text || *text != 3'
 * EXPECT: violated invariant
 * RUN: check -O0 -DHIDDEN --invariant '!hidden || *(int *)(hidden ^ MASK) != 3'
 * EXPECT: violated invariant
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MASK 0x123456780u
struct node { struct node *next; int value; } first, second;
struct pair { int a[2]; };
int x, y, a[2], i;
int *q = &x;
_Atomic(int *) box, lent;
char buffer[4], *text;
uintptr_t hidden;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t seen;

static int at(int *p, int n)
{
	return p[n];
}

/* The array, copied as a whole, has nothing of this value at i. */
static int copied(int value)
{
	struct pair copy;
	memcpy(&copy, a, sizeof copy);
	return copy.a[i] != value;
}

static int searched(int value)
{
	for (int *p = a; i == 1 && p < a + 2; p++)
		if (*p == value)
			return 0;
	return 1;
}

static void *writer(void *unused)
{
#if defined INDEX
	a[1] = 3; /* ERROR */
	a[1] = 4;
#elif defined LIST
	second.value = 3;
	second.value = 4;
#elif defined HEAP
	int *p = malloc(sizeof *p);
	*p = 3;
	*p = 4;
	box = p;
	*p = 5; /* ERROR */
	*p = 6;
#elif defined STACK
	int local = 0;
	lent = &local;
	local = 3; /* ERROR */
	local = 4;
	sem_wait(&seen);
#elif defined FILLED
	memset(buffer, 3, sizeof buffer); /* ERROR */
	memset(buffer, 4, sizeof buffer);
#elif defined HIDDEN
	int *p = calloc(1, sizeof *p);
	hidden = (uintptr_t)p ^ MASK;
	*p = 3; /* ERROR */
	*p = 4;
	hidden = 0;
#elif defined CRITICAL
	pthread_mutex_lock(&mutex);
	y = 3;
	y = 4;
	pthread_mutex_unlock(&mutex);
#else
	y = 3; /* ERROR */
	y = 4;
#endif
	return unused;
}

static void *aimer(void *unused)
{
#if defined INDEX
	i = 1;
#elif defined LIST
	first.next = &second;
#elif defined STACK
	int *p = lent;
	if (p)
		q = p;
	q = &x;
	sem_post(&seen);
#elif defined FILLED
	text = buffer;
#elif !defined HEAP && !defined HIDDEN
	q = &y;
#endif
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	(void)mutex, (void)at, (void)copied, (void)searched;
	sem_init(&seen, 0, 0);
	pthread_create(&threads[0], NULL, writer, NULL);
#ifdef JOINED
	pthread_join(threads[0], NULL);
#endif
	pthread_create(&threads[1], NULL, aimer, NULL);
#ifndef JOINED
	pthread_join(threads[0], NULL);
#endif
	pthread_join(threads[1], NULL);
	return 0;
}
