/* SPDX-License-Identifier: MIT
 *
 * What comes before pthread_cancel happens before what the thread does when it has noticed; what comes after it does not, nor does
 * anything before what the thread does on its own.
 *
 * In a cleanup handler, after a write before the request; with an order that is weaker, too:
 * RUN: check -DCASE=HANDLER
 * EXPECT: verified
 * RUN: check -DCASE=HANDLER -DWEAK
 * EXPECT: verified
 * RUN: check -DCASE=PAUSED
 * EXPECT: verified
 * The write comes after the request:
 * RUN: check -DCASE=LATE
 * EXPECT: violated data-race
 * RUN: check -DCASE=LATE -DWEAK
 * EXPECT: violated data-race
 * The thread does not wait to be cancelled:
 * RUN: check -DCASE=BY_ITSELF
 * EXPECT: violated data-race
 * RUN: check -DCASE=BY_ITSELF -DWEAK
 * EXPECT: violated data-race
 * A third thread has no part in it:
 * RUN: check -DCASE=THIRD
 * EXPECT: violated data-race
 * RUN: check -DCASE=THIRD -DWEAK
 * EXPECT: violated data-race
 * The variable is the canceller's, who waits until the thread has ended; or does not:
 * RUN: check -DCASE=LOCAL
 * EXPECT: verified
 * RUN: check -DCASE=LOCAL -DDETACHED
 * EXPECT: violated data-race
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { HANDLER, PAUSED, LATE, BY_ITSELF, THIRD, LOCAL };

static int data;
static atomic_int flag;

static void clean(void *p)
{
	++*(int *)p; /* ERROR */
}

static void *work(void *p)
{
	pthread_cleanup_push(clean, p);
	if (CASE == BY_ITSELF)
		data = 3; /* ERROR */
#ifdef WEAK
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
#endif
	if (CASE == PAUSED)
		pause();
	for (;;)
		sleep(1);
	pthread_cleanup_pop(0);
	return p;
}

static void *third(void *p)
{
	*(int *)p = 2; /* ERROR */
	return p;
}

static void cancel_local(void)
{
	int local = 0;
	pthread_t thread;
	pthread_create(&thread, NULL, work, &local);
	local = 1;
	pthread_cancel(thread);
#ifdef DETACHED
	pthread_detach(thread);
#else
	pthread_join(thread, NULL);
#endif
} /* ERROR */

int main(void)
{
	pthread_t thread, other;
	if (CASE == LOCAL) {
		cancel_local(); /* ERROR */
		return 0;
	}
	pthread_create(&thread, NULL, work, &data);
	if (CASE == THIRD)
		pthread_create(&other, NULL, third, &data);
	if (CASE != LATE)
		data = 1; /* ERROR */
#ifdef WEAK
	(void)atomic_load_explicit(&flag, memory_order_relaxed);
#endif
	pthread_cancel(thread);
	if (CASE == LATE)
		data = 1; /* ERROR */
	pthread_join(thread, NULL);
	if (CASE == THIRD)
		pthread_join(other, NULL);
	return 0;
}
