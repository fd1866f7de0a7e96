/* SPDX-License-Identifier: MIT
 *
 * Once, thread-specific data and its destructors, cancellation and cleanup handlers, tryjoin, names: in an order that does
 * not depend on the schedule.
 *
 * RUN: check
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char text[200];

static void say(const char *word)
{
	assert(strlen(text) + strlen(word) + 2 < sizeof text);
	strcat(strcat(text, word), " ");
}

static void said(const char *expected)
{
	if (strcmp(text, expected) != 0) {
		printf("'%s', not '%s'\n", text, expected);
		assert(0);
	}
	text[0] = '\0';
}

static void *run(void *(*f)(void *), void *argument)
{
	pthread_t thread;
	void *result;
	assert(pthread_create(&thread, NULL, f, argument) == 0);
	assert(pthread_join(thread, &result) == 0);
	return result;
}

/* ---- once ---------------------------------------------------------------------------------------------------------- */

static pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;

static void init_inner(void)
{
	say("inner");
}

static void init_outer(void)
{
	say("outer");
	assert(pthread_once(&inner, init_inner) == 0);
	say("done");
}

static void *call_once_again(void *unused)
{
	assert(pthread_once(&outer, init_outer) == 0 && pthread_once(&inner, init_inner) == 0);
	return unused;
}

static void once(void)
{
	assert(pthread_once(&outer, init_outer) == 0);
	assert(pthread_once(&outer, init_outer) == 0);
	run(call_once_again, NULL);
	said("outer inner done ");
}

/* ---- thread-specific data ------------------------------------------------------------------------------------------ */

static pthread_key_t first, second, bare;
static int again;

static void drop_first(void *value)
{
	say(value);
	assert(pthread_getspecific(first) == NULL);
}

static void drop_second(void *value)
{
	say(value);
	if (again-- > 0)
		assert(pthread_setspecific(second, "again") == 0);
}

static void *use_keys(void *how)
{
	assert(pthread_getspecific(first) == NULL && pthread_getspecific(second) == NULL);
	assert(pthread_setspecific(first, "one") == 0 && pthread_setspecific(second, "two") == 0);
	assert(pthread_setspecific(bare, "bare") == 0);
	assert(strcmp(pthread_getspecific(first), "one") == 0);
	if (how)
		pthread_exit(how);
	return "returned";
}

static void keys(void)
{
	pthread_key_t other;
	assert(pthread_key_create(&first, drop_first) == 0 && pthread_key_create(&second, drop_second) == 0);
	assert(pthread_key_create(&bare, NULL) == 0 && first != second && second != bare);
	assert(pthread_setspecific(first, "main") == 0);
	assert(strcmp(run(use_keys, NULL), "returned") == 0);
	said("one two ");
	again = 1;
	assert(strcmp(run(use_keys, "left"), "left") == 0);
	said("one two again ");
	again = 100; /* destructors run in four rounds at most */
	run(use_keys, NULL);
	said("one two again again again ");
	assert(strcmp(pthread_getspecific(first), "main") == 0);
	assert(pthread_key_delete(first) == 0 && pthread_key_create(&other, NULL) == 0);
	assert(pthread_getspecific(other) == NULL);
	assert(pthread_key_delete(other) == 0 && pthread_key_delete(second) == 0 && pthread_key_delete(bare) == 0);
}

/* ---- the end of a thread ------------------------------------------------------------------------------------------- */

static void clean(void *word)
{
	say(word);
}

static void deep(int n)
{
	char local[8] = "local";
	pthread_cleanup_push(clean, n ? "deep" : local);
	if (n == 0)
		pthread_exit("exit");
	deep(n - 1);
	pthread_cleanup_pop(0);
}

static void *handlers(void *unused)
{
	int before = 41;
	pthread_cleanup_push(clean, "bottom");
	pthread_cleanup_push(clean, "popped");
	before++;
	pthread_cleanup_pop(1);
	pthread_cleanup_push(clean, "silent");
	pthread_cleanup_pop(0);
	assert(before == 42);
	deep(2);
	pthread_cleanup_pop(0);
	return unused;
}

static void clean_number(void *number)
{
	assert(*(int *)number == 7);
	say("number");
	pthread_testcancel(); /* too late to matter */
}

static void *cancel_oneself(void *unused)
{
	int old = -1, number = 7;
	pthread_cleanup_push(clean_number, &number);
	assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
	assert(pthread_setcancelstate(12, &old) == EINVAL);
	assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
	assert(pthread_setcanceltype(12, &old) == EINVAL);
	assert(pthread_cancel(pthread_self()) == 0);
	pthread_testcancel();
	sleep(0);
	say("disabled");
	assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
	say("enabled");
	pthread_testcancel();
	say("never");
	pthread_cleanup_pop(1);
	return unused;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void unlock(void *m)
{
	assert(pthread_mutex_unlock(m) == 0); /* the wait has taken it back */
	say("unlocked");
}

static void *wait_for_ever(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	for (;;)
		pthread_cond_wait(&changed, &mutex);
	pthread_cleanup_pop(1);
	return unused;
}

static void cancellation(void)
{
	pthread_t thread;
	void *result;
	assert(strcmp(run(handlers, NULL), "exit") == 0);
	said("popped local deep deep bottom ");
	assert(run(cancel_oneself, NULL) == PTHREAD_CANCELED);
	said("disabled enabled number ");
	pthread_create(&thread, NULL, wait_for_ever, NULL);
	assert(pthread_cancel(thread) == 0);
	assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
	assert(strcmp(text, "unlocked ") == 0 || strcmp(text, "") == 0); /* it may have ended before the push */
	text[0] = '\0';
	assert(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
}

/* ---- the rest ------------------------------------------------------------------------------------------------------ */

static void *wait_for_mutex(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void joins_and_sleeps(void)
{
	struct timespec past = { 1, 0 }, nothing = { 0, 0 };
	pthread_t thread;
	void *result = NULL;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, wait_for_mutex, "joined");
	assert(pthread_tryjoin_np(thread, &result) == EBUSY && pthread_timedjoin_np(thread, &result, &past) == ETIMEDOUT);
	assert(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
	assert(pthread_setname_np(thread, "short") == 0);
	assert(pthread_setname_np(thread, "much too long for a name") == ERANGE);
	pthread_mutex_unlock(&mutex);
	assert(pthread_join(thread, &result) == 0 && strcmp(result, "joined") == 0);
	pthread_create(&thread, NULL, wait_for_mutex, NULL);
	assert(pthread_detach(thread) == 0);
	assert(sched_yield() == 0 && sleep(0) == 0 && usleep(0) == 0 && nanosleep(&nothing, NULL) == 0);
	assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &nothing, NULL) == 0);
	assert(pthread_equal(pthread_self(), pthread_self()) && !pthread_equal(pthread_self(), thread));
	assert(pthread_setconcurrency(2) == 0 && pthread_yield() == 0);
}

int main(void)
{
	once();
	keys();
	cancellation();
	joins_and_sleeps();
	return 0;
}
