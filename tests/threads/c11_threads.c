/* SPDX-License-Identifier: MIT
 *
 * A hand-over in C11's own terms; without the loop around the wait it still holds (no spurious wake-ups), without the mutex
 * around the flag it races.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DRACE
 * EXPECT: violated data-race
 * RUN: check -DNO_SIGNAL
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static int ready, value, begun;

static void init(void)
{
	mtx_init(&mutex, mtx_plain);
	cnd_init(&changed);
	begun++;
}

static int produce(void *argument)
{
	call_once(&once, init);
	value = *(int *)argument;
#ifdef RACE
	ready = 1; /* ERROR */
#endif
	mtx_lock(&mutex);
#ifndef RACE
	ready = 1;
#endif
#ifndef NO_SIGNAL
	cnd_signal(&changed);
#endif
	mtx_unlock(&mutex);
	return 3;
}

int main(void)
{
	thrd_t thread;
	int argument = 7, result;
	assert(thrd_create(&thread, produce, &argument) == thrd_success);
	call_once(&once, init);
	mtx_lock(&mutex);
	while (!ready) /* ERROR */
		cnd_wait(&changed, &mutex); /* ERROR */
	assert(value == 7);
	mtx_unlock(&mutex);
	thrd_join(thread, &result);
	assert(result == 3 && begun == 1);
	return 0;
}
