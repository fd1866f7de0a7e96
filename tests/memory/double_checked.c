/* SPDX-License-Identifier: MIT
 *
 * Double-checked locking: an object is made once, and who sees that it is there takes no lock.
 *
 * RUN: check --memory c11 -DTHREADS=work,work,work
 * EXPECT: verified
 * RUN: check --memory c11 -DSEE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSET=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DAGAIN=acquire
 * EXPECT: verified
 */
#include "orders.h"
#include <stdlib.h>

#ifndef SEE
#define SEE acquire
#endif
#ifndef SET
#define SET release
#endif
#ifndef AGAIN
#define AGAIN relaxed /* the lock orders it */
#endif
#ifndef THREADS
#define THREADS work, work
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) object;
static int made;

static void *work(void *unused)
{
	int *mine = LOAD(object, SEE);
	if (!mine) {
		pthread_mutex_lock(&lock);
		mine = LOAD(object, AGAIN);
		if (!mine) {
			mine = malloc(sizeof *mine);
			*mine = 1; /* ERROR */
			made++;
			STORE(object, mine, SET);
		}
		pthread_mutex_unlock(&lock);
	}
	assert(*mine == 1); /* ERROR */
	return unused;
}

int main(void)
{
	RUN(THREADS);
	assert(made == 1);
}
