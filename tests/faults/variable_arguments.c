/* SPDX-License-Identifier: MIT
 *
 * A function that takes more variable arguments than it is passed, or others.
 *
 * RUN: check -O0 -DTYPE=int -DARGUMENTS=1,2
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DTYPE=int -DARGUMENTS=1,2,3
 * EXPECT: verified
 * RUN: check -O0 -DTYPE=int -DARGUMENTS=1.0,2.0,3.0
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DTYPE=double -DARGUMENTS=1,2,3
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DTYPE=double -DARGUMENTS=1.0,2.0,1
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DTYPE=__int128 '-DARGUMENTS=(__int128)1,(__int128)2'
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DTYPE=__int128 '-DARGUMENTS=(__int128)1,(__int128)2,(__int128)3'
 * EXPECT: verified
 * RUN: check -O0 '-DTYPE=long double' '-DARGUMENTS=1.0L,2.0L,3'
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DTYPE=int -DARGUMENTS=1,2,3 --reduction none -DTHREADS
 * EXPECT: verified
 * RUN: check -O0 -DTYPE=__int128 '-DARGUMENTS=(__int128)1,(__int128)2,(__int128)3' -DTHREADS
 * EXPECT: verified
 * RUN: check -O0 -DTYPE=double -DARGUMENTS=1.0,2.0 -DTHREADS
 * EXPECT: violated out-of-bounds
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>

static TYPE sum(int count, ...)
{
	TYPE all = 0;
	va_list list;
	va_start(list, count);
	while (count--) {
		sched_yield();
		all += va_arg(list, TYPE); /* ERROR */
	}
	va_end(list);
	return all;
}

static void *run(void *p)
{
	assert(sum(3, ARGUMENTS) == 6);
	return p;
}

int main(void)
{
#ifdef THREADS
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
#else
	run(NULL);
#endif
	return 0;
}
