/* SPDX-License-Identifier: MIT
 *
 * There are 1,024 keys of thread-specific data (PTHREAD_KEYS_MAX): the next one is an error.  Destructors run key by key, in
 * rounds, as the last key's shows; what a key had is gone when it is made again.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DMORE
 * EXPECT: violated assertion
 * RUN: check -DBEYOND
 * EXPECT: violated thread-misuse
 * RUN: check -DTSS
 * EXPECT: verified
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static pthread_key_t keys[PTHREAD_KEYS_MAX];
static char order[8];
static int ended;

static void drop(void *value)
{
	order[ended++] = *(char *)value;
	if (*(char *)value == 'c') /* of the last key: it comes in this round, what it sets in the next */
		pthread_setspecific(keys[0], "d");
}

static void *run(void *unused)
{
	pthread_setspecific(keys[PTHREAD_KEYS_MAX - 1], "c");
	pthread_setspecific(keys[64], "b");
	pthread_setspecific(keys[0], "a");
	assert(pthread_getspecific(keys[63]) == NULL);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_key_t more;
	int made = 0;
#ifdef TSS
	tss_t key;
	while (tss_create(&key, NULL) == thrd_success)
		made++;
	assert(made == PTHREAD_KEYS_MAX && tss_create(&key, NULL) == thrd_error);
	return 0;
#endif
	while (made < PTHREAD_KEYS_MAX && pthread_key_create(&keys[made], drop) == 0)
		made++;
#ifdef MORE
	assert(pthread_key_create(&more, NULL) == 0); /* ERROR */
#endif
	assert(made == PTHREAD_KEYS_MAX && pthread_key_create(&more, NULL) == EAGAIN);
#ifdef BEYOND
	pthread_setspecific(PTHREAD_KEYS_MAX, "a"); /* ERROR */
#endif
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	assert(ended == 4 && order[0] == 'a' && order[1] == 'b' && order[2] == 'c' && order[3] == 'd');
	pthread_setspecific(keys[100], "a");
	pthread_key_delete(keys[100]);
	assert(pthread_key_create(&more, NULL) == 0 && more == keys[100] && pthread_getspecific(more) == NULL);
	return 0;
}
