/* SPDX-License-Identifier: MIT
 *
 * Two threads share an object that the first to come makes; the last to go frees it.
 */
#include <assert.h>
#include <openssl/crypto.h>
#include <pthread.h>
struct shared {
	CRYPTO_RWLOCK *lock;
	int references, uses;
};
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static CRYPTO_THREAD_LOCAL key;
static struct shared *shared;
static int freed;
static void leave(void *object)
{
	struct shared *s = object;
	int left, uses;
	assert(CRYPTO_atomic_add(&s->references, -1, &left, s->lock) && left >= 0);
	if (left)
		return;
	assert(CRYPTO_THREAD_read_lock(s->lock) && (uses = s->uses) == 2 && CRYPTO_THREAD_unlock(s->lock));
	CRYPTO_THREAD_lock_free(s->lock);
	OPENSSL_free(s);
	freed = 1;
}
static void make(void)
{
	shared = OPENSSL_zalloc(sizeof *shared);
	shared->lock = CRYPTO_THREAD_lock_new();
	shared->references = 2;
	assert(CRYPTO_THREAD_init_local(&key, leave));
}
static void *use(void *unused)
{
	assert(CRYPTO_THREAD_run_once(&once, make) && CRYPTO_THREAD_set_local(&key, shared));
	assert(CRYPTO_THREAD_write_lock(shared->lock));
	shared->uses++;
	assert(CRYPTO_THREAD_unlock(shared->lock));
	return unused; /* the destructor of the key leaves */
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, use, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(freed);
	return 0;
}
