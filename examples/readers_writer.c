/* SPDX-License-Identifier: MIT
 *
 * A lock for several readers or one writer, made of a mutex and a condition variable.  Readers that come while others read get
 * in, so two readers in turn keep the writer out for ever, even if each of the threads always goes on (strong fairness).  With
 * -DFAIR readers wait while the writer waits; then it gets in under strong fairness.  Weak fairness is not enough: it lets a
 * thread fail to get the mutex for ever.
 *
 *     bitspin check --fairness strong --ltl '[] (in(lock_for_writing) -> <> in(change))' examples/readers_writer.c
 *
 * RUN: check --fairness strong --ltl '[] (in(lock_for_writing) -> <> in(change))'
 * EXPECT: violated ltl
 * RUN: check --fairness strong --ltl '[] (in(lock_for_writing) -> <> in(change))' -DFAIR
 * EXPECT: verified
 * RUN: check --ltl '[] (in(lock_for_writing) -> <> in(change))' -DFAIR
 * EXPECT: violated ltl
 * RUN: check --invariant 'readers == 0 || !writing' --property starvation
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writers_waiting;
static bool writing;
static int data;

static void lock_for_reading(void)
{
	pthread_mutex_lock(&mutex);
#ifdef FAIR
	while (writing || writers_waiting)
#else
	while (writing)
#endif
		pthread_cond_wait(&changed, &mutex);
	readers++;
	pthread_mutex_unlock(&mutex);
}

static void lock_for_writing(void)
{
	pthread_mutex_lock(&mutex);
	writers_waiting++;
	while (writing || readers)
		pthread_cond_wait(&changed, &mutex);
	writers_waiting--;
	writing = true;
	pthread_mutex_unlock(&mutex);
}

static void unlock(void)
{
	pthread_mutex_lock(&mutex);
	if (writing)
		writing = false;
	else
		readers--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

static int look(void)
{
	return data;
}

static void change(void)
{
	data = !data;
	atomic_thread_fence(memory_order_seq_cst);
}

static void *reader(void *unused)
{
	for (;;) {
		lock_for_reading();
		(void)look();
		unlock();
	}
	return unused;
}

static void *writer(void *unused)
{
	for (;;) {
		lock_for_writing();
		change();
		unlock();
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, reader, NULL);
	pthread_create(&thread, NULL, reader, NULL);
	writer(NULL);
	return 0;
}
