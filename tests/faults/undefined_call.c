/* SPDX-License-Identifier: MIT
 *
 * A function is called as one of another type.
 *
 * RUN: check -O0 -DRESULT
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DNO_RESULT
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DUNUSED_RESULT
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DWIDTH
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DSMALL
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DREAL
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DTOO_FEW
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DTOO_MANY
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DVARIADIC
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DNOT_VARIADIC
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DSTRUCTURE
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DLIBRARY
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DNO_PROTOTYPE
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DNO_PROTOTYPE_FEW
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DTHREAD
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DTHREAD_VOID
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DTHREAD_NO_PARAMETER
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DTHREAD_NUMBER
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DTHREADS_H
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DONCE
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DDESTRUCTOR
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DCLEANUP
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DSORT
 * EXPECT: violated undefined-call
 * RUN: check -O0 -DRESULT --calls ignore
 * EXPECT: verified
 * RUN: check -O0 -DTHREAD --calls ignore
 * EXPECT: verified
 * RUN: check -O0 -DTHREAD --profile svcomp
 * EXPECT: verified
 * RUN: check -O0 -DNEVER
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

struct large {
	long a, b, c;
};

static int number(void *p) { return p != 0; }
static void nothing(void *p) { (void)p; }
static int integer(int n) { return n; }
static int byte(unsigned char c) { return c; }
static int two(int a, int b) { return a + b; }
static int none(void) { return 0; }
static int variadic(int n, ...) { return n; }
static long large(struct large s) { return s.a; }
static int by_pointer(const struct large *s) { return s != 0; }
static double real(double d) { return d; }
static long by_length(long a, long b) { return a - b; }

typedef void function(void);
static function *volatile pointer;

#define AS(type, f) ((type)(pointer = (function *)(f)))

int main(void)
{
	pthread_t thread;
	int data[3] = { 3, 1, 2 };
	struct large s = { 1, 2, 3 };
	(void)thread, (void)data, (void)s;
	(void)number, (void)nothing, (void)integer, (void)byte, (void)two, (void)none, (void)variadic, (void)large, (void)by_pointer;
	(void)real, (void)by_length;
#if defined RESULT
	AS(void *(*)(void *), number)(data); /* ERROR */
#elif defined NO_RESULT
	int n = AS(int (*)(void *), nothing)(data); /* ERROR */
	(void)n;
#elif defined UNUSED_RESULT
	AS(void (*)(void *), number)(data); /* ERROR */
#elif defined WIDTH
	AS(int (*)(long), integer)(5); /* ERROR */
#elif defined SMALL
	AS(int (*)(signed char), byte)(5); /* ERROR */
#elif defined REAL
	AS(double (*)(long), real)(5); /* ERROR */
#elif defined TOO_FEW
	AS(int (*)(int), two)(5); /* ERROR */
#elif defined TOO_MANY
	AS(int (*)(int), none)(5); /* ERROR */
#elif defined VARIADIC
	AS(int (*)(int, int), variadic)(5, 6); /* ERROR */
#elif defined NOT_VARIADIC
	AS(int (*)(int, ...), two)(5, 6); /* ERROR */
#elif defined STRUCTURE
	AS(long (*)(struct large), by_pointer)(s); /* ERROR */
#elif defined LIBRARY
	AS(void (*)(void *), puts)("hello"); /* ERROR */
#elif defined NO_PROTOTYPE
	AS(int (*)(), byte)(5); /* ERROR */
#elif defined NO_PROTOTYPE_FEW
	AS(int (*)(), two)(5); /* ERROR */
#elif defined THREAD
	pthread_create(&thread, NULL, AS(void *(*)(void *), number), NULL); /* ERROR */
	pthread_join(thread, NULL);
#elif defined THREAD_VOID
	pthread_create(&thread, NULL, AS(void *(*)(void *), nothing), NULL); /* ERROR */
#elif defined THREAD_NO_PARAMETER
	pthread_create(&thread, NULL, AS(void *(*)(void *), none), NULL); /* ERROR */
#elif defined THREAD_NUMBER
	pthread_create(&thread, NULL, AS(void *(*)(void *), integer), NULL); /* ERROR */
#elif defined THREADS_H
	thrd_t other;
	thrd_create(&other, AS(int (*)(void *), nothing), NULL); /* ERROR */
#elif defined ONCE
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, AS(void (*)(void), none)); /* ERROR */
#elif defined DESTRUCTOR
	pthread_key_t key;
	pthread_key_create(&key, AS(void (*)(void *), number));
	pthread_setspecific(key, data);
	pthread_exit(NULL); /* ERROR */
#elif defined CLEANUP
	pthread_cleanup_push(AS(void (*)(void *), number), data);
	pthread_cleanup_pop(1); /* ERROR */
#elif defined SORT
	qsort(data, 3, sizeof data[0], AS(int (*)(const void *, const void *), by_length)); /* ERROR */
#elif defined NEVER
	if (data[0] == 4)
		AS(void *(*)(void *), number)(data);
#endif
	return 0;
}
