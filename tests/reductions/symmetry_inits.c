/* SPDX-License-Identifier: MIT
 *
 * Threads that are alike, and initialise locks in memory of their own.  WORK is what each of the three does.  The verdicts were
 * derived by hand.
 *
 * RUN: check -DWORK='struct box *b = made(); use(b); unmake(b)'
 * EXPECT: verified
 * The first one's box is for all:
 * RUN: check -DWORK='use(shared())' -DAFTER='assert(box->count == 3)'
 * EXPECT: verified
 * RUN: check -DWORK='struct box *b = shared(); int k = b->count; b->count = k + 1'
 * EXPECT: violated data-race
 * RUN: check -DWORK='use(shared())' -DAFTER='assert(box->count != 3)'
 * EXPECT: violated assertion
 * Twice:
 * RUN: check -DWORK='struct box *b = made(); INIT(b)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DWORK='INIT(shared())'
 * EXPECT: violated mutex-misuse
 * RUN: check -DWORK='struct box *b = made(); pthread_mutex_destroy(&b->lock); INIT(b); use(b)'
 * EXPECT: verified
 * RUN: check -DWORK='struct box *b = made(); use(b); use(b); free(b); b = made(); use(b)'
 * EXPECT: verified
 * A copy of one that is initialised may be initialised, once:
 * RUN: check -DWORK='struct box *b = made(), *c = copy(b); INIT(c); use(b); use(c)'
 * EXPECT: verified
 * RUN: check -DWORK='struct box *b = made(), *c = copy(b); INIT(c); INIT(c)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DWORK='struct box *b = made(), *c = copy(b); INIT(c); INIT(b)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DWORK='struct box *b = copy(&global); INIT(b); use(b)' -DBETWEEN='INIT(&global)'
 * EXPECT: verified
 * Of the other kinds:
 * RUN: check -DWORK="SPIN; pthread_spin_lock(s); pthread_spin_unlock(s)"
 * EXPECT: verified
 * RUN: check -DWORK="SPIN; pthread_spin_init(s, 0)"
 * EXPECT: violated mutex-misuse
 * RUN: check -DWORK='sem_t *s = malloc(sizeof *s); sem_init(s, 0, 1); sem_wait(s); sem_post(s); LOCKED(global.count++)'
 * EXPECT: verified
 * RUN: check -DWORK='sem_t *s = malloc(sizeof *s); sem_init(s, 0, 1); sem_init(s, 0, 2)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DWORK='sem_t s, u; sem_init(&s, 0, 1); u = s; sem_init(&u, 0, 1); sem_wait(&u); sem_wait(&s)'
 * EXPECT: verified
 * RUN: check -DWORK='pthread_cond_t *c = malloc(sizeof *c); pthread_cond_init(c, 0); LOCKED(pthread_cond_signal(c))'
 * EXPECT: verified
 * RUN: check -DWORK='pthread_rwlock_t r; pthread_rwlock_init(&r, 0); pthread_rwlock_rdlock(&r); pthread_rwlock_init(&r, 0)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DWORK='pthread_barrier_t b; pthread_barrier_init(&b, 0, 1); pthread_barrier_wait(&b); LOCKED(global.count++)'
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#define SPIN pthread_spinlock_t *s = malloc(sizeof *s); pthread_spin_init(s, 0)
#define INIT(b) pthread_mutex_init(&(b)->lock, NULL)
#define LOCKED(statement) (pthread_mutex_lock(&outer), (statement), pthread_mutex_unlock(&outer))

struct box {
	int count;
	pthread_mutex_t lock;
};

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static struct box global, *box;

__attribute__((unused)) static struct box *made(void)
{
	struct box *b = calloc(1, sizeof *b);
	INIT(b);
	return b;
}

__attribute__((unused)) static struct box *copy(const struct box *from)
{
	struct box *b = malloc(sizeof *b);
	*b = *from;
	return b;
}

__attribute__((unused)) static struct box *shared(void)
{
	pthread_mutex_lock(&outer);
	if (!box)
		box = made();
	struct box *b = box;
	pthread_mutex_unlock(&outer);
	return b;
}

__attribute__((unused)) static void use(struct box *b)
{
	pthread_mutex_lock(&b->lock);
	b->count++;
	pthread_mutex_unlock(&b->lock);
}

__attribute__((unused)) static void unmake(struct box *b)
{
	pthread_mutex_destroy(&b->lock);
	free(b);
}

static void *work(void *arg)
{
	WORK; /* ERROR */
	return arg;
}

int main(void)
{
	pthread_t threads[3];
#ifdef BETWEEN
	BETWEEN;
#endif
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
#ifdef AFTER
	AFTER; /* ERROR */
#endif
	return 0;
}
