/* SPDX-License-Identifier: MIT
 *
 * A variable ends while another thread may still access it.  The access can come first in all schedules that are explored, as it
 * rides along with what its thread does before; what no order keeps from coming after the end is an error all the same.  By CASE:
 *
 * The function returns without waiting for the thread; the thread writes at once, or after a signal that the function waits for; it
 * reads; it holds a lock, as the function did not:
 * RUN: check -DCASE=AT_ONCE
 * EXPECT: violated data-race
 * RUN: check -DCASE=AFTER_SIGNAL
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=READS
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=LOCKED
 * EXPECT: violated use-after-free
 * The function waits until the thread has written, in whatever way:
 * RUN: check -DCASE=BEFORE_SIGNAL
 * EXPECT: verified
 * RUN: check -DCASE=JOINED
 * EXPECT: verified
 * RUN: check -DCASE=HANDSHAKE
 * EXPECT: verified
 * RUN: check -DCASE=RELEASED
 * EXPECT: verified
 * A job on the stack, of which the thread writes the result when it has told that it is done:
 * RUN: check -DCASE=HANDSHAKE -DLATE
 * EXPECT: violated data-race
 * To know that the flag is set is not to come after what was before it, with this order:
 * RUN: check -DCASE=RELAXED
 * EXPECT: violated data-race
 * The variable of a block, of a loop, one of unknown size, and those of a thread that ends:
 * RUN: check -DCASE=BLOCK
 * EXPECT: violated data-race
 * RUN: check -DCASE=LOOP
 * EXPECT: violated data-race
 * RUN: check -DCASE=LOOP -DWAITS
 * EXPECT: verified
 * The block is entered again, with the same variable, so nobody finds that it is gone:
 * RUN: check -DCASE=ROUNDS
 * EXPECT: violated data-race
 * RUN: check -DCASE=ROUNDS -DWAITS
 * EXPECT: verified
 * RUN: check -DCASE=REQUESTS
 * EXPECT: violated data-race
 * RUN: check -DCASE=REQUESTS -DWAITS
 * EXPECT: verified
 * RUN: check -DCASE=SIZED
 * EXPECT: violated data-race
 * RUN: check -DCASE=OF_THREAD
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=OF_THREAD -DWAITS
 * EXPECT: verified
 * RUN: check -DCASE=THREAD_LOCAL
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=THREAD_LOCAL -DWAITS
 * EXPECT: verified
 * Two that only look, and one that ends it:
 * RUN: check -DCASE=TWO_LOOK
 * EXPECT: violated data-race
 * RUN: check -DCASE=TWO_LOOK -DWAITS
 * EXPECT: verified
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { AT_ONCE, AFTER_SIGNAL, READS, LOCKED, BEFORE_SIGNAL, JOINED, HANDSHAKE, RELEASED, RELAXED, BLOCK, LOOP, ROUNDS, REQUESTS,
       SIZED, OF_THREAD, THREAD_LOCAL, TWO_LOOK };
#ifdef WAITS
enum { WAIT = 1 };
#else
enum { WAIT = 0 };
#endif
#ifdef LATE
enum { IS_LATE = 1 };
#else
enum { IS_LATE = 0 };
#endif

struct job {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool done;
	int result;
};

static sem_t told, seen;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool flag;
static pthread_t worker;
static int *published;
static int sink;

static void write_it(int *p)
{
	*p = 1; /* ERROR */
}

static void *work(void *p)
{
	switch (CASE) {
	case AFTER_SIGNAL:
	case BLOCK:
	case SIZED:
		sem_post(&told);
		write_it(p);
		break;
	case READS: sink = *(int *)p; break; /* ERROR */
	case LOCKED:
		pthread_mutex_lock(&mutex);
		write_it(p);
		pthread_mutex_unlock(&mutex);
		break;
	case BEFORE_SIGNAL:
		write_it(p);
		sem_post(&told);
		break;
	case RELEASED:
		write_it(p);
		atomic_store_explicit(&flag, true, memory_order_release);
		break;
	case RELAXED:
		write_it(p);
		atomic_store_explicit(&flag, true, memory_order_relaxed);
		break;
	default: write_it(p);
	}
	return NULL;
}

static void *do_job(void *p)
{
	struct job *job = p;
	pthread_mutex_lock(&job->mutex);
	if (!IS_LATE)
		write_it(&job->result);
	job->done = true;
	pthread_cond_signal(&job->changed);
	pthread_mutex_unlock(&job->mutex);
	if (IS_LATE)
		write_it(&job->result);
	return NULL;
}

static int wait_for_job(void)
{
	struct job job = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0 };
	pthread_create(&worker, NULL, do_job, &job);
	pthread_mutex_lock(&job.mutex);
	while (!job.done)
		pthread_cond_wait(&job.changed, &job.mutex);
	pthread_mutex_unlock(&job.mutex);
	if (!IS_LATE)
		pthread_join(worker, NULL);
	return 0;
} /* ERROR */

static void start(void)
{
	int x = 0;
	pthread_create(&worker, NULL, work, &x);
	if (CASE == AFTER_SIGNAL || CASE == BEFORE_SIGNAL)
		sem_wait(&told);
	else if (CASE == JOINED)
		pthread_join(worker, NULL);
	else if (CASE == RELEASED)
		while (!atomic_load_explicit(&flag, memory_order_acquire))
			;
	else if (CASE == RELAXED)
		while (!atomic_load_explicit(&flag, memory_order_relaxed))
			;
} /* ERROR */

static void start_in_block(void)
{
	{
		int x = 0;
		pthread_create(&worker, NULL, work, &x);
		sem_wait(&told); /* ERROR */
	} /* ERROR */
	sem_post(&seen); /* ERROR */
}

static void start_in_loop(void)
{
	for (int i = 0; i < 2; i++) {
		int x = i;
		pthread_create(&worker, NULL, work, &x);
		if (WAIT)
			pthread_join(worker, NULL);
		else
			pthread_detach(worker);
	} /* ERROR */
}

static void *use_published(void *unused)
{
	sem_wait(&seen);
	write_it(published);
	sem_post(&told);
	return unused;
}

/* The first round publishes the variable; it waits itself until that has been used, or the second one does. */
static void publish_in_loop(void)
{
	pthread_create(&worker, NULL, use_published, NULL);
	for (int i = 0; i < 2; i++) {
		int x;
		if (i == 0) {
			published = &x;
			sem_post(&seen); /* ERROR */
		}
		if (i == !WAIT)
			sem_wait(&told);
	}
}

struct request {
	int in, out;
};

static _Atomic(struct request *) queue;

static void *serve(void *unused)
{
	struct request *request;
	while (!(request = queue))
		;
	request->out = request->in + 1; /* ERROR */
	sem_post(&told);
	return unused;
}

static void ask_in_loop(void)
{
	pthread_create(&worker, NULL, serve, NULL);
	for (int i = 0; i < 2; i++) {
		struct request request;
		if (i == 0) {
			request.in = 1;
			queue = &request; /* ERROR */
		}
		if (i == !WAIT)
			sem_wait(&told);
	} /* ERROR */
}

static void start_sized(int n)
{
	int x[n];
	x[0] = 0;
	pthread_create(&worker, NULL, work, x);
	sem_wait(&told);
} /* ERROR */

static _Thread_local int own;

static void *publishes(void *unused)
{
	int x = 0;
	published = CASE == THREAD_LOCAL ? &own : &x;
	sem_post(&told);
	if (WAIT)
		sem_wait(&seen);
	return unused; /* ERROR */
}

static void use_others(void)
{
	pthread_create(&worker, NULL, publishes, NULL);
	sem_wait(&told);
	write_it(published);
	sem_post(&seen);
	pthread_join(worker, NULL);
}

static void *look(void *p)
{
	volatile int value = *(int *)p; /* ERROR */
	(void)value;
	if (WAIT)
		sem_post(&told);
	return NULL;
}

static void start_two(void)
{
	int x = 0;
	pthread_t other;
	pthread_create(&worker, NULL, look, &x);
	pthread_create(&other, NULL, look, &x);
	pthread_detach(other);
	if (WAIT) {
		sem_wait(&told);
		sem_wait(&told);
	}
} /* ERROR */

int main(void)
{
	sem_init(&told, 0, 0);
	sem_init(&seen, 0, 0);
	switch (CASE) {
	case HANDSHAKE: return wait_for_job();
	case BLOCK: start_in_block(); break;
	case LOOP: start_in_loop(); return 0;
	case ROUNDS: publish_in_loop(); break;
	case REQUESTS: ask_in_loop(); break;
	case SIZED: start_sized(2); break;
	case OF_THREAD:
	case THREAD_LOCAL: use_others(); return 0;
	case TWO_LOOK: start_two(); break;
	default: start(); break;
	}
	if (CASE != JOINED)
		pthread_join(worker, NULL);
	return 0;
}
