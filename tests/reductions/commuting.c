/* SPDX-License-Identifier: MIT
 *
 * Two atomic additions whose results nobody uses can be swapped.  Here is what cannot be, or what sees the value between them.
 *
 * RUN: check -DFIRST='atomic_fetch_add(&n,1)' -DSECOND='atomic_fetch_add(&n,2)' -DEND='n == 3'
 * EXPECT: verified
 * RUN: check -DFIRST='atomic_fetch_add(&n,1)' -DSECOND='atomic_fetch_sub(&n,1)' -DEND='n == 0'
 * EXPECT: verified
 * RUN: check -DFIRST='atomic_fetch_add(&n,1)' -DSECOND='atomic_fetch_or(&n,1)' -DEND='n == 1'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='atomic_fetch_add(&n,1)' -DSECOND='atomic_fetch_or(&n,1)' -DEND='n == 2'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='atomic_fetch_or(&n,1)' -DSECOND='atomic_fetch_or(&n,2)' -DEND='n == 3'
 * EXPECT: verified
 * RUN: check -DFIRST='atomic_fetch_and(&n,0)' -DSECOND='atomic_fetch_or(&n,2)' -DEND='n == 2'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='atomic_fetch_xor(&n,1)' -DSECOND='atomic_fetch_xor(&n,3)' -DEND='n == 2'
 * EXPECT: verified
 * RUN: check -DFIRST='atomic_exchange(&n,1)' -DSECOND='atomic_exchange(&n,2)' -DEND='n == 1'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='atomic_fetch_add(&n,1)' -DSECOND='atomic_store(&n,5)' -DEND='n == 5'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='seen=atomic_fetch_add(&n,1)' -DSECOND='atomic_fetch_add(&n,2)' -DEND='seen == 0'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='seen=atomic_fetch_add(&n,1)' -DSECOND='atomic_fetch_add(&n,2)' -DEND='seen == 2'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='seen=++n' -DSECOND='++n' -DEND='seen == 1'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='n++' -DSECOND='n++' -DTHIRD='seen=n' -DEND='seen != 1'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='n++' -DSECOND='n++' -DTHIRD='assert(n!=1)' -DEND='1'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='n++' -DSECOND='n++' -DTHIRD='n=1' -DEND='n != 1'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='n++' -DSECOND='n++' -DTHIRD='n=1' -DEND='n != 3'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='atomic_fetch_add(&both.byte[1],1)' -DSECOND='atomic_fetch_add(&both.all,255)' -DEND='both.all != 0'
 * EXPECT: verified
 * RUN: check -DFIRST='atomic_fetch_add(&both.byte[0],1)' -DSECOND='atomic_fetch_add(&both.all,255)' -DEND='both.all == 256'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='atomic_fetch_add(&both.byte[0],1)' -DSECOND='atomic_fetch_add(&both.all,255)' -DEND='both.all == 0'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='plain=1;n++' -DSECOND='n++;plain=2' -DEND='1'
 * EXPECT: violated data-race
 * RUN: check -DFIRST='n++;plain=1' -DSECOND='n++;plain=2' -DEND='1'
 * EXPECT: violated data-race
 * RUN: check -DFIRST='plain=1;n++' -DSECOND='if(atomic_fetch_add(&n,1))plain=2' -DEND='1'
 * EXPECT: verified
 * RUN: check -DFIRST='plain=1;n++' -DSECOND='n++;if(n==2)plain=2' -DEND='1'
 * EXPECT: verified
 * RUN: check -DFIRST='plain=1;atomic_fetch_add_explicit(&n,1,memory_order_relaxed)' -DSECOND='if(atomic_load(&n))plain=2' -DEND='1'
 * EXPECT: violated data-race
 * RUN: check -DFIRST='plain=1;atomic_fetch_add_explicit(&n,1,memory_order_release)' -DSECOND='n++;if(n==2)plain=2' -DEND='1'
 * EXPECT: verified
 * RUN: check -DFIRST='ADD(relaxed)' -DSECOND='ADD(relaxed)' -DEND='n == 2'
 * EXPECT: verified
 * RUN: check -DFIRST='plain=1;ADD(release)' -DSECOND='ADD(acquire);if(GET(relaxed)==2)plain=2' -DEND='1'
 * EXPECT: violated data-race
 * RUN: check -DFIRST='plain=1;ADD(release)' -DSECOND='ADD(relaxed);FENCE;if(GET(relaxed)==2)plain=2' -DEND='1'
 * EXPECT: violated data-race
 * RUN: check -DFIRST='plain=1;ADD(release)' -DSECOND='ADD(release);if(GET(acquire)==2)plain=2' -DEND='1'
 * EXPECT: verified
 * RUN: check -DFIRST='atomic_fetch_add((_Atomic(int)*)memory,1)' -DSECOND='n++' -DEND='*(int*)memory'
 * EXPECT: violated uninitialized-read
 * RUN: check -DFIRST='n++' -DSECOND='n++' -DEND='1' --invariant '{n != 1}'
 * EXPECT: violated invariant
 * RUN: check -DFIRST='n++' -DSECOND='n--' -DEND='n == 0' --invariant '{n < 2}'
 * EXPECT: verified
 * RUN: check -DFIRST='n++' -DSECOND='n--' -DEND='n == 0' --invariant '{n >= 0}'
 * EXPECT: violated invariant
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define ADD(order) atomic_fetch_add_explicit(&n, 1, memory_order_##order)
#define GET(order) atomic_load_explicit(&n, memory_order_##order)
#define FENCE      atomic_thread_fence(memory_order_acquire)

static atomic_int n;
static volatile int seen, plain;
static void *memory;
static union {
	_Atomic(unsigned short) all;
	_Atomic(unsigned char) byte[2];
} both;

#ifndef THIRD
#define THIRD (void)0
#endif

static void *first(void *argument)
{
	FIRST; /* ERROR */
	return argument;
}

static void *second(void *argument)
{
	SECOND; /* ERROR */
	return argument;
}

static void *third(void *argument)
{
	THIRD; /* ERROR */
	return argument;
}

int main(void)
{
	pthread_t ids[3];
	memory = malloc(sizeof(int));
	pthread_create(&ids[0], NULL, first, NULL);
	pthread_create(&ids[1], NULL, second, NULL);
	pthread_create(&ids[2], NULL, third, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(ids[i], NULL);
	(void)both;
	assert(END); /* ERROR */
	return 0;
}
