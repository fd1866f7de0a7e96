/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <openssl/crypto.h>
#include <pthread.h>
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static CRYPTO_THREAD_LOCAL key;
static CRYPTO_RWLOCK *lock; /* which the first to come makes, and the last to go frees */
static int references = 2, uses;
static void leave(void *left)
{
	assert(CRYPTO_atomic_add(&references, -1, left, lock));
	if (*(int *)left == 0) {
		assert(CRYPTO_THREAD_read_lock(lock) && uses == 2 && CRYPTO_THREAD_unlock(lock));
		CRYPTO_THREAD_lock_free(lock);
	}
}
static void make(void) { assert((lock = CRYPTO_THREAD_lock_new()) && CRYPTO_THREAD_init_local(&key, leave)); }
static void *use(void *left)
{
	assert(CRYPTO_THREAD_run_once(&once, make) && CRYPTO_THREAD_set_local(&key, left));
	assert(CRYPTO_THREAD_write_lock(lock) && ++uses && CRYPTO_THREAD_unlock(lock));
	return left; /* the destructor of the key leaves */
}
int main(void)
{
	int left[2] = { 0 };
	pthread_t threads[2];
	assert(!pthread_create(&threads[0], NULL, use, &left[0]) && !pthread_create(&threads[1], NULL, use, &left[1]));
	assert(!pthread_join(threads[0], NULL) && !pthread_join(threads[1], NULL) && left[0] + left[1] == 1);
}
