/* SPDX-License-Identifier: MIT
 *
 * threads.h: every function, its errors and time-outs.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <string.h>
#include <threads.h>
#include <time.h>

static const struct timespec past = { 1, 0 };
static mtx_t mutex;
static cnd_t changed;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int initialised, destroyed, ready;

static void init(void)
{
	initialised++;
}

static void drop(void *value)
{
	destroyed += *(int *)value;
}

static int nothing(void *unused)
{
	return unused != NULL;
}

static int try(void *unused)
{
	(void)unused;
	assert(mtx_trylock(&mutex) == thrd_busy && mtx_timedlock(&mutex, &past) == thrd_timedout);
	return -5;
}

static int leave(void *value)
{
	assert(tss_get(key) == NULL && tss_set(key, value) == thrd_success && tss_get(key) == value);
	call_once(&flag, init);
	thrd_exit(9);
}

static int wait(void *unused)
{
	(void)unused;
	assert(mtx_lock(&mutex) == thrd_success);
	while (!ready)
		assert(cnd_wait(&changed, &mutex) == thrd_success);
	ready++;
	assert(cnd_broadcast(&changed) == thrd_success && mtx_unlock(&mutex) == thrd_success);
	return 0;
}

static void locks(void)
{
	mtx_t recursive;
	thrd_t thread;
	int result;
	assert(mtx_init(&mutex, mtx_timed) == thrd_success && mtx_init(&recursive, mtx_recursive | mtx_plain) == thrd_success);
	assert(mtx_lock(&mutex) == thrd_success && mtx_trylock(&mutex) == thrd_busy);
	assert(thrd_create(&thread, try, NULL) == thrd_success && thrd_join(thread, &result) == thrd_success && result == -5);
	assert(mtx_unlock(&mutex) == thrd_success);
	assert(mtx_timedlock(&mutex, &past) == thrd_success && mtx_unlock(&mutex) == thrd_success);
	assert(mtx_lock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
	assert(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&recursive) == thrd_success);
	mtx_destroy(&recursive);
}

int main(void)
{
	thrd_t thread;
	int result, value = 3;
	locks();
	assert(tss_create(&key, drop) == thrd_success);
	call_once(&flag, init);
	assert(thrd_create(&thread, leave, &value) == thrd_success && thrd_join(thread, &result) == thrd_success);
	assert(result == 9 && initialised == 1 && destroyed == 3);
	tss_delete(key);
	assert(cnd_init(&changed) == thrd_success);
	mtx_lock(&mutex);
	assert(cnd_timedwait(&changed, &mutex, &past) == thrd_timedout);
	assert(thrd_create(&thread, wait, NULL) == thrd_success);
	ready = 1;
	assert(cnd_signal(&changed) == thrd_success);
	while (ready != 2)
		cnd_wait(&changed, &mutex);
	mtx_unlock(&mutex);
	assert(thrd_join(thread, NULL) == thrd_success);
	cnd_destroy(&changed);
	mtx_destroy(&mutex);
	thrd_yield();
	assert(thrd_sleep(&(struct timespec){ 0, 0 }, NULL) == 0);
	assert(thrd_equal(thrd_current(), thrd_current()) && !thrd_equal(thrd_current(), thread));
	assert(thrd_create(&thread, nothing, NULL) == thrd_success && thrd_detach(thread) == thrd_success);
	thrd_exit(0);
}
