/* SPDX-License-Identifier: MIT
 *
 * Rendezvous of the textbooks, with semaphores: the sleeping barber, whose customers must not overtake the chair; water, of
 * two atoms of hydrogen and one of oxygen; the river, which a boat of four crosses with no one alone among others.
 *
 * RUN: check -DBARBER
 * EXPECT: verified
 * RUN: check -DBARBER -DBUG
 * EXPECT: violated deadlock
 * RUN: check -DWATER
 * EXPECT: verified
 * RUN: check -DWATER -DBUG
 * EXPECT: violated assertion
 * RUN: check -DRIVER
 * EXPECT: verified
 * RUN: check -DRIVER -DBUG
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static sem_t mutex;

#if defined BARBER
enum { THREADS = 4, CHAIRS = 1 };
static sem_t customers, barber;
static int waiting;
static atomic_int served, gone;
static bool closed;

static void *cut(void *unused)
{
	for (;;) {
		sem_wait(&customers);
		sem_wait(&mutex); /* ERROR */
		bool end = closed && waiting == 0;
		if (!end) {
			waiting--;
			sem_post(&barber);
		}
		sem_post(&mutex);
		if (end)
			return unused;
	}
}

static void *visit(void *unused)
{
	sem_wait(&mutex);
	if (waiting == CHAIRS) {
		gone++;
		sem_post(&mutex);
		return unused;
	}
	waiting++;
	assert(waiting <= CHAIRS);
	sem_post(&customers);
#ifdef BUG
	sem_wait(&barber); /* with the mutex: the barber cannot take the customer off the chair */
	sem_post(&mutex);
#else
	sem_post(&mutex);
	sem_wait(&barber);
#endif
	served++;
	return unused;
}

static void start(pthread_t threads[])
{
	sem_init(&customers, 0, 0);
	sem_init(&barber, 0, 0);
	pthread_create(&threads[0], NULL, cut, NULL);
	for (int i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, visit, NULL);
	for (int i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	sem_wait(&mutex);
	closed = true;
	sem_post(&mutex);
	sem_post(&customers);
	pthread_join(threads[0], NULL);
	assert(served + gone == THREADS - 1 && served >= 1);
}
#elif defined WATER
enum { THREADS = 6 };
static sem_t hydrogen_queue, oxygen_queue;
static int hydrogen, oxygen, left;
static atomic_int bonded[2], molecules;

/* Called with the mutex; who completes a molecule keeps it, and the last to bond gives it back. */
static void react(void)
{
	if (hydrogen < 2 || oxygen < 1) {
		sem_post(&mutex);
		return;
	}
	hydrogen -= 2;
	oxygen--;
	left = 3;
	sem_post(&hydrogen_queue);
	sem_post(&hydrogen_queue);
	sem_post(&oxygen_queue);
#ifdef BUG
	sem_post(&mutex); /* the next molecule may begin while this one bonds */
#endif
}

static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;

static void bond(int kind)
{
	bonded[kind]++;
	pthread_mutex_lock(&count);
	if (--left == 0) {
		assert(bonded[0] == 2 && bonded[1] == 1); /* ERROR */
		bonded[0] = bonded[1] = 0;
		molecules++;
#ifndef BUG
		sem_post(&mutex);
#endif
	}
	pthread_mutex_unlock(&count);
}

static void *make_hydrogen(void *unused)
{
	sem_wait(&mutex);
	hydrogen++;
	react();
	sem_wait(&hydrogen_queue);
	bond(0);
	return unused;
}

static void *make_oxygen(void *unused)
{
	sem_wait(&mutex);
	oxygen++;
	react();
	sem_wait(&oxygen_queue);
	bond(1);
	return unused;
}

static void start(pthread_t threads[])
{
	sem_init(&hydrogen_queue, 0, 0);
	sem_init(&oxygen_queue, 0, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, i % 3 ? make_hydrogen : make_oxygen, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(molecules == 2);
}
#else
enum { THREADS = 4 };
static sem_t queue[2];
static pthread_barrier_t boat;
static int waiting[2];
static atomic_int boarded[2], rowed;

static void *cross(void *argument)
{
	int me = (int)(long)argument;
	bool captain = false;
	sem_wait(&mutex);
	waiting[me]++;
	if (waiting[me] == 4) {
		for (int i = 0; i < 4; i++)
			sem_post(&queue[me]);
		waiting[me] = 0;
		captain = true;
#ifdef BUG
	} else if (waiting[me] >= 2 && waiting[!me] >= 1) {
#else
	} else if (waiting[me] == 2 && waiting[!me] >= 2) {
#endif
		sem_post(&queue[me]);
		sem_post(&queue[me]);
		sem_post(&queue[!me]);
		sem_post(&queue[!me]);
		waiting[me] -= 2;
		waiting[!me] -= 2;
		captain = true;
	} else {
		sem_post(&mutex);
	}
	sem_wait(&queue[me]);
	boarded[me]++;
	pthread_barrier_wait(&boat); /* ERROR */
	if (captain) {
		assert((boarded[0] == 2 && boarded[1] == 2) || boarded[me] == 4);
		assert(waiting[0] >= 0 && waiting[1] >= 0);
		rowed++;
		sem_post(&mutex);
	}
	return NULL;
}

static void start(pthread_t threads[])
{
	sem_init(&queue[0], 0, 0);
	sem_init(&queue[1], 0, 0);
	pthread_barrier_init(&boat, NULL, 4);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, cross, (void *)(i % 2));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(rowed == 1);
}
#endif

int main(void)
{
	pthread_t threads[8];
	sem_init(&mutex, 0, 1);
	start(threads);
	return 0;
}
