/* SPDX-License-Identifier: MIT
 *
 * Threads that sleep for as long as an input says.  While clocks stand still, nothing depends on how long; but on whether it is a
 * duration at all, and on what sleep() returns.
 *
 * RUN: check -DCASE=1
 * EXPECT: verified
 * RUN: check -DCASE=1 --inputs symbolic
 * EXPECT: verified
 * RUN: check -DCASE=1 -DBUG
 * EXPECT: violated data-race
 * RUN: check -DCASE=2
 * EXPECT: verified
 * RUN: check -DCASE=2 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=3 --inputs sets
 * EXPECT: inconclusive: sleep asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -DCASE=4 --inputs sets --clock forward
 * EXPECT: inconclusive: usleep asks for more of an input than --inputs sets can tell (--max-values 256)
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);

#if CASE == 1 /* two threads */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *work(void *unused)
{
	unsigned n = (unsigned)__VERIFIER_nondet_int();
	usleep(n % 1000000);
	sleep(n);
#ifndef BUG
	pthread_mutex_lock(&mutex);
#endif
	turns++; /* ERROR */
#ifndef BUG
	pthread_mutex_unlock(&mutex);
#endif
	return unused;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, work, NULL);
	pthread_create(&other, NULL, work, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	pthread_mutex_lock(&mutex);
	assert(turns == 2);
	pthread_mutex_unlock(&mutex);
	return 0;
}

#elif CASE == 2 /* is it a duration? */

int main(void)
{
	struct timespec time = { .tv_sec = __VERIFIER_nondet_long(), .tv_nsec = __VERIFIER_nondet_long() };
	int result = nanosleep(&time, NULL);
	if (time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < 1000000000)
		assert(result == 0);
	else
		assert(result == -1 && errno == EINVAL);
#ifdef BUG
	assert(result == 0); /* ERROR */
#endif
	return 0;
}

#elif CASE == 3 /* what sleep() returns */

int main(void)
{
	unsigned left = sleep((unsigned)__VERIFIER_nondet_int());
	assert(left == 0);
	return 0;
}

#elif CASE == 4 /* with a clock */

int main(void)
{
	time_t begin = time(NULL);
	usleep((unsigned)__VERIFIER_nondet_int() & 0xffff);
	assert(time(NULL) >= begin);
	return 0;
}

#endif
