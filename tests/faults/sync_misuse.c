/* SPDX-License-Identifier: MIT
 *
 * Keys that do not exist, once objects that are none, attributes that were destroyed, conditions and mutexes used at the end
 * of their lives, threads that are no longer there, a handler that outlives its function.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated thread-misuse
 * RUN: check -DCASE=2
 * EXPECT: violated thread-misuse
 * RUN: check -DCASE=3
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=4
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=5
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=6
 * EXPECT: violated thread-misuse
 * RUN: check --races ignore -DCASE=7
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=8
 * EXPECT: violated null-dereference
 */
#include <pthread.h>

static pthread_key_t key;
static pthread_once_t once = 77;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *work(void *unused)
{
	return unused;
}

static void init(void)
{
}

#if CASE == 7
static void *wait(void *unused)
{
	pthread_mutex_lock(&mutex); /* ERROR */
	pthread_cond_wait(&changed, &mutex); /* ERROR */
	pthread_mutex_unlock(&mutex);
	return unused;
}
#endif

int main(void)
{
	pthread_t thread;
	pthread_mutexattr_t attributes;
	switch (CASE) {
	case 1:
		pthread_setspecific(key, &key); /* ERROR */
		break;
	case 2:
		pthread_key_create(&key, NULL);
		pthread_key_delete(key);
		pthread_getspecific(key); /* ERROR */
		break;
	case 3:
		pthread_once(&once, init); /* ERROR */
		break;
	case 4:
		pthread_mutexattr_init(&attributes);
		pthread_mutexattr_destroy(&attributes);
		pthread_mutex_init(&mutex, &attributes); /* ERROR */
		break;
	case 5:
		pthread_cond_destroy(&changed);
		pthread_cond_signal(&changed); /* ERROR */
		break;
	case 6:
		pthread_create(&thread, NULL, work, NULL);
		pthread_join(thread, NULL);
		pthread_cancel(thread); /* ERROR */
		break;
#if CASE == 7
	case 7:
		pthread_create(&thread, NULL, wait, NULL);
		pthread_mutex_destroy(&mutex); /* ERROR */
		break;
#endif
	case 8:
		once = PTHREAD_ONCE_INIT;
		pthread_once(&once, (void (*)(void))0); /* ERROR */
		break;
	}
	return 0;
}
