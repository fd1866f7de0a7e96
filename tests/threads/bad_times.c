/* SPDX-License-Identifier: MIT
 *
 * Times that nobody can wait for are EINVAL, at once; select() takes more than a million microseconds.
 *
 * RUN: check
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>

#define FAILS(call) (errno = 0, (call) == -1 && errno == EINVAL)

int main(void)
{
	static const struct timespec bad[] = { { 0, 1000000000 }, { 0, -1 }, { -1, 0 } };
	struct timespec good = { 0, 999999999 };
	struct timeval late = { 0, 1000000 }, negative = { 0, -1 }, before = { -1, 0 };
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	for (int i = 0; i < 3; i++) {
		assert(FAILS(nanosleep(&bad[i], NULL)));
		assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad[i], NULL) == EINVAL);
		assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &bad[i], NULL) == EINVAL);
		assert(thrd_sleep(&bad[i], NULL) == -2);
		assert(FAILS(ppoll(NULL, 0, &bad[i], NULL)));
		assert(FAILS(pselect(0, NULL, NULL, NULL, &bad[i], NULL)));
		assert(FAILS(sigtimedwait(&set, NULL, &bad[i])));
	}
	assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &good, NULL) == EINVAL);
	assert(clock_nanosleep(77, 0, &good, NULL) == EINVAL);
	assert(FAILS(select(0, NULL, NULL, NULL, &negative)));
	assert(FAILS(select(0, NULL, NULL, NULL, &before)));
	assert(select(0, NULL, NULL, NULL, &late) == 0);
	assert(nanosleep(&good, NULL) == 0);
	return 0;
}
