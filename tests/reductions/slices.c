/* SPDX-License-Identifier: MIT
 *
 * Slicing: `data` is written by two threads under a lock.  LOOK is what is done with it, and WRITE what writes it; the verdicts are
 * derived by hand.  Thread 1 writes 1, thread 2 writes 2; thread 2 may come first, so `data` ends as 1 or 2.
 *
 * RUN: check --reduction all,slicing -DLOOK=''
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DLOOK='assert(data == 2)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DLOOK='assert(data != 0)'
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DLOOK='int copy = data; int again = copy + 1; assert(again != 2)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DLOOK='int *p = (int *)&data; assert(*p == 1)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DLOOK='other = data; struct box c = { 0, other }; struct box d = c; assert(d.b != 1)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DLOOK='int a[2] = { 0, 0 }; a[data] = 1'
 * EXPECT: violated out-of-bounds
 * RUN: check --reduction all,slicing -O0 -DLOOK='__sync_val_compare_and_swap(&other, 0, data); assert(other != 2)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DLOOK='if (data == 1) abort()'
 * EXPECT: violated abort
 * RUN: check --reduction all,slicing -DLOOK='other = 4 / (data - 1)'
 * EXPECT: violated division-by-zero
 * RUN: check --reduction all,slicing -DLOOK='while (data == 1) {} other = 1' --ltl '<> terminated'
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -DLOOK='' --invariant 'data != 2'
 * EXPECT: violated invariant
 * RUN: check --reduction all,slicing -DLOOK='' --ltl '[] {data != 1}'
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -DLOOK='printf("%d\n", data)'
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DLOOK='if (printf("%d\n", data * 9) == 3) abort()'
 * EXPECT: violated abort
 * RUN: check --reduction all,slicing -DLOOK='char t[4]; snprintf(t, sizeof t, "%d", data); assert(t[0] == 50)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DLOOK='struct box x = { data, 0 }, y = { 1, 0 }; assert(memcmp(&x, &y, sizeof x))'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DLOOK='volatile char *h = malloc((size_t)data); h[1] = 0; free((void *)h)'
 * EXPECT: violated out-of-bounds
 * RUN: check --reduction all,slicing -DLOOK='exit(data)'
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DLOOK='char *h = malloc(1); if (data == 2) free(h); free(h)'
 * EXPECT: violated double-free
 * RUN: check --reduction all,slicing -DLOOK='by_handler = 1; assert(atexit(handler) == 0)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DLOOK='assert(call(twice, data) == 4)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DLOOK='other = data << (data + 30)'
 * EXPECT: violated invalid-shift
 * RUN: check --reduction all,slicing -DUNLOCKED -DLOOK=''
 * EXPECT: violated data-race
 * RUN: check --reduction all,slicing -DUNLOCKED --races ignore -DLOOK=''
 * EXPECT: verified
 * RUN: check --reduction all,slicing -DUNLOCKED --races ignore -DLOOK='assert(data == 2)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -DUNSET -DLOOK='printf("%d\n", box->b)'
 * EXPECT: violated uninitialized-read
 * RUN: check --reduction all,slicing -DUNSET -DLOOK=''
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DUNSET -DLOOK='if (box->b) other = 1'
 * EXPECT: violated uninitialized-read
 * RUN: check --reduction all,slicing --leaks -DSTORES -DLOOK=''
 * EXPECT: verified
 * RUN: check --reduction all,slicing --leaks -DSTORES -DLOOK='kept = 0'
 * EXPECT: violated memory-leak
 * RUN: check --reduction all,slicing -DSTORES -DLOOK='free(kept); *kept = 1'
 * EXPECT: violated use-after-free
 * RUN: check --reduction all,slicing -DLOOK='int *p = (int *)&data, *q; memcpy(&q, &p, 8); assert(*q == 1)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DLOOK='other = (int)(4u / (unsigned)(data - 1))'
 * EXPECT: violated division-by-zero
 * RUN: check --reduction all,slicing -O0 -DLOOK='other = (int)(4u % (unsigned)(data - 1))'
 * EXPECT: violated division-by-zero
 * RUN: check --reduction all,slicing -O0 -DLOOK='other = (int)(data * 1073741824u) / -1'
 * EXPECT: violated division-by-zero
 * RUN: check --reduction all,slicing -O0 -DLOOK='other = 4 >> (data + 30)'
 * EXPECT: violated invalid-shift
 * RUN: check --reduction all,slicing -O0 -DLOOK='other = (int)(4u >> (data + 30))'
 * EXPECT: violated invalid-shift
 * RUN: check --reduction all,slicing -O0 --overflow -DLOOK='other = data + 2147483646'
 * EXPECT: violated signed-overflow
 * RUN: check --reduction all,slicing -O0 --overflow -DLOOK='other = data * 1073741824'
 * EXPECT: violated signed-overflow
 * RUN: check --reduction all,slicing -O0 --overflow -DLOOK='other = -2147483647 - data'
 * EXPECT: violated signed-overflow
 * RUN: check --reduction all,slicing -O0 -DLOOK='other = data + 2147483646'
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DLOOK='other = (int)(data * 2e9)'
 * EXPECT: violated invalid-conversion
 * RUN: check --reduction all,slicing -O0 -DLOOK='other = (unsigned char)(data * 200.0)'
 * EXPECT: violated invalid-conversion
 * RUN: check --reduction all,slicing -O0 -DLOOK='union { _Bool b; char c; } u; u.c = (char)data; other = u.b'
 * EXPECT: violated invalid-bool
 * RUN: check --reduction all,slicing -O0 -DLOOK='int a[4], *p = a + (data << 29); (void)p'
 * EXPECT: violated out-of-bounds
 * RUN: check --reduction all,slicing -O0 -DLOOK='volatile char a[3 - data]; a[1] = 0'
 * EXPECT: violated out-of-bounds
 * RUN: check --reduction all,slicing -O0 -DLOOK='switch (data) { case 1: abort(); }'
 * EXPECT: violated abort
 * RUN: check --reduction all,slicing -O0 -DUNSET -DLOOK='printf("%d\n", box->b & data)'
 * EXPECT: violated uninitialized-read
 * RUN: check --reduction all,slicing -O0 -DUNSET -DLOOK='other = box->b; printf("%d\n", other)'
 * EXPECT: violated uninitialized-read
 * RUN: check --reduction all,slicing -O0 -DUNSET -DLOOK='other = box->b; putchar(other)'
 * EXPECT: violated uninitialized-read
 * RUN: check --reduction all,slicing -O0 -DUNSET -DLOOK='other = box->b'
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DUNSET -DLOOK='int b = box->b; pthread_mutex_lock(&m); printf("%d\n", b)'
 * EXPECT: violated uninitialized-read
 * RUN: check --reduction all,slicing -O0 -DUNSET -DLOOK='counter = box->b; printf("%d\n", counter)'
 * EXPECT: violated uninitialized-read
 * RUN: check --reduction all,slicing -O0 -DUNSET -DLOOK='atomic_fetch_xor(&counter, box->b); printf("%d\n", counter)'
 * EXPECT: violated uninitialized-read
 * RUN: check --reduction all,slicing -O0 -DUNSET -DLOOK='other = box->b; __sync_val_compare_and_swap(&other, 0, 1)'
 * EXPECT: violated uninitialized-read
 * RUN: check --reduction all,slicing -O0 -DLOOK='m.__data.__kind = 1; pthread_mutex_lock(&m); pthread_mutex_lock(&m)'
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DLOOK='if (putchar(data) == 1) abort()'
 * EXPECT: violated abort
 * RUN: check --reduction all,slicing -O0 -DLOOK='text[1] = (char)(data - 1); printf("%s\n", text)'
 * EXPECT: violated out-of-bounds
 * RUN: check --reduction all,slicing -O0 -DLOOK='text[1] = (char)(data - 1); format[1] = 115; printf(format, text)'
 * EXPECT: violated out-of-bounds
 * RUN: check --reduction all,slicing -O0 -DLOOK='memset(text, 65, (size_t)data); printf("%s\n", text)'
 * EXPECT: violated out-of-bounds
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
	int a, b;
};
static volatile int data, other, by_handler;
static int *volatile kept;
static atomic_int counter;
static char text[2] = "A", format[] = "%d\n";
static struct box *box;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int twice(int x)
{
	return 2 * x;
}

static int call(int (*function)(int), int argument)
{
	return function(argument);
}

static void handler(void)
{
	if (by_handler)
		assert(data == 2); /* ERROR */
}

static void *work(void *argument)
{
#ifndef UNLOCKED
	pthread_mutex_lock(&m);
#endif
	data = (int)(long)argument; /* ERROR */
#ifdef UNSET
	box->a = data;
#endif
#ifndef UNLOCKED
	pthread_mutex_unlock(&m);
#endif
	return NULL;
}

int main(void)
{
	pthread_t first, second;
	box = malloc(sizeof *box);
#ifdef STORES
	kept = malloc(sizeof *kept); /* ERROR */
#endif
	pthread_create(&first, NULL, work, (void *)1L);
	pthread_create(&second, NULL, work, (void *)2L);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	LOOK; /* ERROR */
	(void)text, (void)format;
	(void)handler;
	(void)twice;
	(void)call;
	return 0;
}
