/* SPDX-License-Identifier: MIT
 *
 * What may be initialised: an object that is zero, unset, destroyed, freed and allocated again, zeroed or assigned anew, moved
 * by realloc, or a copy of another's bytes; and in each round of a loop a variable of its block.
 *
 * RUN: check -DTYPE=pthread_mutex_t '-DINIT(o)=pthread_mutex_init(o,NULL)' -DDESTROY=pthread_mutex_destroy
 * EXPECT: verified
 * RUN: check -DTYPE=pthread_cond_t '-DINIT(o)=pthread_cond_init(o,NULL)' -DDESTROY=pthread_cond_destroy
 * EXPECT: verified
 * RUN: check -DTYPE=pthread_rwlock_t '-DINIT(o)=pthread_rwlock_init(o,NULL)' -DDESTROY=pthread_rwlock_destroy
 * EXPECT: verified
 * RUN: check -DTYPE=pthread_barrier_t '-DINIT(o)=pthread_barrier_init(o,NULL,1)' -DDESTROY=pthread_barrier_destroy
 * EXPECT: verified
 * RUN: check -DTYPE=pthread_spinlock_t '-DINIT(o)=pthread_spin_init(o,0)' -DDESTROY=pthread_spin_destroy
 * EXPECT: verified
 * RUN: check -DTYPE=sem_t '-DINIT(o)=sem_init(o,0,1)' -DDESTROY=sem_destroy
 * EXPECT: verified
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

struct item {
	int number;
	TYPE object;
};

static struct item items[8];

static void block(int n)
{
	struct item item;
	INIT(&item.object);
	if (n)
		block(n - 1);
}

int main(void)
{
	for (int i = 0; i < 8; i++)
		INIT(&items[i].object);
	DESTROY(&items[0].object);
	INIT(&items[0].object);
	memset(&items[0], 0, sizeof items[0]);
	INIT(&items[0].object);
	items[0] = (struct item){ 0 };
	INIT(&items[0].object);

	struct item *one = malloc(sizeof *one), *two = malloc(sizeof *two);
	INIT(&one->object);
	*two = *one;
	two->number = 2;
	INIT(&two->object);
	memcpy(&items[1], &items[2], sizeof items[1]);
	INIT(&items[1].object);
	free(one);
	one = malloc(sizeof *one);
	INIT(&one->object);
	two = realloc(two, 2 * sizeof *two);
	INIT(&two[0].object);
	INIT(&two[1].object);
	free(one);
	free(two);

	for (int i = 0; i < 3; i++) {
		struct item item;
		INIT(&item.object);
	}
	block(2);
	return 0;
}
