/* SPDX-License-Identifier: MIT
 *
 * Slicing, and useless accesses: corners.  Two threads do ONE and TWO, a third one THREE, or two do ALIKE; main does LAST when all
 * have ended.  The verdicts are derived by hand.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=6
 * EXPECT: verified
 * RUN: check -O0 -DCASE=7
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=8
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=9
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=10
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=11
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=12
 * EXPECT: verified
 * RUN: check -O0 -DCASE=13
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=14
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=15
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=16
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=17
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=18
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=19
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=20
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=21
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=22
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=23
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=24
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=25
 * EXPECT: violated deadlock
 * RUN: check -O0 -DCASE=26
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=27
 * EXPECT: violated uninitialized-read
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define L(mutex) pthread_mutex_lock(&(mutex))
#define X(mutex) pthread_mutex_unlock(&(mutex))

#if CASE == 1 /* What is loaded is only printed, once it is known to be there; then it is unset. */
#define ONE \
	while (!flag) \
		sched_yield(); \
	printf("%d\n", a)
#define TWO \
	a = box->b; \
	flag = 1; \
	a = 1
#elif CASE == 2 /* An unset value is passed on from one atomic variable to another. */
#define ONE b = a
#define TWO \
	a = box->b; \
	a = 0
#define THREE c = b
#define LAST  printf("%d\n", c)
#elif CASE == 3 /* The result of a read-modify-write is only printed. */
#define ONE printf("%d\n", atomic_fetch_add(&a, 1))
#define TWO a = box->b
#elif CASE == 4 /* Half of a word is unset, the whole is printed. */
#define ONE printf("%d\n", whole.all)
#define TWO whole.half[1] = (short)box->b
#elif CASE == 5 /* Whether a bit is unset depends on a mask. */
#define ONE \
	L(m); \
	x = box->b & mask; \
	X(m)
#define TWO \
	L(m); \
	mask = 1; \
	X(m)
#define LAST printf("%d\n", x)
#elif CASE == 6 /* ... and none is, if it masks all. */
#define ONE \
	L(m); \
	x = box->b & mask; \
	X(m)
#define TWO \
	L(m); \
	mask = 0; \
	X(m)
#define LAST printf("%d\n", x)
#elif CASE == 7 /* Threads of the same code, one of which unsets what the other one prints. */
#define ALIKE \
	if (counter++) \
		a = box->b; \
	else \
		printf("%d\n", a)
#elif CASE == 8 /* ... in sections. */
#define ALIKE \
	L(m); \
	int k = counter++; \
	X(m); \
	L(m); \
	if (k) \
		x = box->b; \
	else \
		printf("%d\n", x); \
	X(m)
#elif CASE == 9 /* Sections of three threads: only between two of them the value is unset. */
#define ONE \
	L(m); \
	x = 1; \
	X(m); \
	L(m); \
	printf("%d\n", x); \
	X(m)
#define TWO \
	L(m); \
	x = 2; \
	X(m)
#define THREE \
	L(m); \
	x = box->b; \
	X(m)
#elif CASE == 10 /* ... and it is passed on from section to section. */
#define ONE \
	L(m); \
	y = x; \
	X(m)
#define TWO \
	L(m); \
	x = box->b; \
	X(m); \
	L(m); \
	x = 1; \
	X(m)
#define THREE \
	L(m); \
	z = y; \
	X(m); \
	L(m); \
	printf("%d\n", z); \
	X(m)
#elif CASE == 11 /* A round of a wait leaves an unset value, the next one moves it on. */
#define ONE \
	while (!flag) { \
		y = x; \
		x = box->b; \
	} \
	printf("%d\n", y)
#define TWO flag = 1
#elif CASE == 12 /* Rounds of a wait are counted, for printing. */
#define ONE \
	while (!flag) \
		x = (x + 1) & 7; \
	printf("%d\n", x)
#define TWO flag = 1
#elif CASE == 13 /* ... or for an assertion. */
#define ONE \
	while (!flag) \
		if (++x > 3) \
			break; \
	assert(x < 3)
#define TWO flag = 1
#elif CASE == 14 /* What a failed exchange has found matters, the exchange does not. */
#define ONE \
	int e = 0; \
	atomic_compare_exchange_strong(&a, &e, 1); \
	x = e
#define TWO \
	int e = 0; \
	atomic_compare_exchange_strong(&a, &e, 2)
#define LAST assert(!x)
#elif CASE == 15 /* Of a result only one bit is looked at. */
#define ONE assert(!(atomic_fetch_or(&a, 3) & 2))
#define TWO atomic_fetch_or(&a, 2)
#elif CASE == 16 /* A signal comes between two writes; its handler prints. */
#define ONE \
	x = box->b; \
	x = 1
#define TWO     pthread_kill(first, SIGUSR1)
#define PRINTED x
#elif CASE == 17 /* ... of atomic variables. */
#define ONE \
	a = box->b; \
	a = 1
#define TWO     pthread_kill(first, SIGUSR1)
#define PRINTED a
#elif CASE == 18 /* An address is copied byte by byte. */
#define ONE \
	L(m); \
	volatile int *q = &y; \
	for (int i = 0; i < 8; i++) \
		raw[i] = ((unsigned char *)&q)[i]; \
	x = 1; \
	X(m)
#define TWO \
	L(m); \
	for (int i = 0; x && i < 8; i++) \
		((unsigned char *)&p)[i] = raw[i]; \
	*p = 3; \
	X(m)
#define LAST assert(!y)
#elif CASE == 19 /* Two pointers change places. */
#define ONE \
	L(m); \
	int t = *p; \
	*p = *q; \
	*q = t; \
	X(m)
#define TWO \
	L(m); \
	volatile int *t = p; \
	p = q; \
	q = t; \
	*p = 7; \
	X(m)
#define LAST assert(x != 7)
#elif CASE == 20 /* An index counts down from the middle. */
#define ONE \
	L(m); \
	middle[-mask] = 7; \
	X(m)
#define TWO \
	L(m); \
	mask = 3; \
	X(m)
#define LAST assert(!row[0])
#elif CASE == 21 /* How much is copied comes from data. */
#define ONE \
	L(m); \
	raw[3] = 9; \
	memcpy(text, raw, (size_t)x + 1); \
	X(m)
#define TWO \
	L(m); \
	x = 3; \
	X(m)
#define LAST assert(!text[3])
#elif CASE == 22 /* The memory of a mutex is freed by who counts to zero in its section. */
#define ONE \
	L(box->m); \
	if (--box->a == 0) \
		free(box); \
	else \
		X(box->m)
#define TWO \
	L(box->m); \
	int r = box->a; \
	X(box->m); \
	if (r == 1) { \
		L(box->m); \
		if (--box->a == 0) \
			free(box); \
		else \
			X(box->m); \
	}
#elif CASE == 23 /* Memory is moved in one section, and written to in another. */
#define ONE \
	L(m); \
	box = realloc(box, 400); \
	X(m)
#define TWO \
	L(m); \
	old->a = 1; \
	X(m)
#elif CASE == 24 /* A race behind a section that never ends. */
#define ONE \
	L(m); \
	while (!flag) \
		x++; \
	X(m)
#define TWO \
	y++; \
	L(m); \
	x++; \
	flag = 1; \
	X(m)
#define THREE y++
#elif CASE == 25 /* Somebody ends with the mutex, if somebody else has been there before. */
#define ONE \
	L(m); \
	x++; \
	if (y) \
		return; \
	X(m)
#define TWO \
	L(m); \
	x++; \
	y = 1; \
	X(m); \
	L(m); \
	x++; \
	X(m)
#elif CASE == 26 /* Sections of two mutexes that overlap: both protect it, then one, then none. */
#define ONE \
	L(m); \
	x++; \
	L(n); \
	x++; \
	X(m); \
	X(n); \
	x++
#define TWO \
	L(m); \
	x++; \
	X(m)
#elif CASE == 27 /* Before a barrier and after it. */
#define ONE \
	a = 1; \
	pthread_barrier_wait(&barrier); \
	printf("%d\n", a)
#define TWO \
	pthread_barrier_wait(&barrier); \
	a = box->b
#endif

#ifdef ALIKE
#define ONE ALIKE
#define TWO ALIKE
#endif
#ifndef THREE
#define THREE
#endif
#ifndef LAST
#define LAST
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_t first, second, third;
static atomic_int a, b, c, flag, counter;
static volatile int x, y, z, mask;
static volatile int *volatile p = &x, *volatile q = &y;
static int row[7], *middle = row + 3;
static unsigned char raw[8], text[8];
static union {
	atomic_int all;
	_Atomic short half[2];
} whole;
static struct box {
	pthread_mutex_t m;
	int a, b; /* b: never initialized */
} * box, *old;

static void one(void)
{
	ONE; /* ERROR */
}

static void two(void)
{
	TWO; /* ERROR */
}

static void *do_one(void *argument)
{
	one();
	return argument;
}

#ifndef ALIKE
static void *do_two(void *argument)
{
	two();
	return argument;
}
#else
#define do_two do_one
#endif

static void *do_three(void *argument)
{
	THREE; /* ERROR */
	return argument;
}

#ifdef PRINTED
static void handler(int number)
{
	(void)number;
	printf("%d\n", PRINTED); /* ERROR */
}
#endif

int main(void)
{
	box = old = malloc(sizeof *box);
	pthread_mutex_init(&box->m, NULL);
	box->a = 1;
	pthread_barrier_init(&barrier, NULL, 2);
#ifdef PRINTED
	signal(SIGUSR1, handler);
#endif
	pthread_create(&first, NULL, do_one, NULL);
	pthread_create(&second, NULL, do_two, NULL);
	pthread_create(&third, NULL, do_three, NULL);
	pthread_join(third, NULL);
	pthread_join(second, NULL); /* ERROR */
	pthread_join(first, NULL);
	LAST; /* ERROR */
	(void)two, (void)n, (void)b, (void)c, (void)z, (void)counter, (void)middle, (void)text, (void)raw, (void)q, (void)mask;
	return 0;
}
