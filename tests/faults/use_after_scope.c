/* SPDX-License-Identifier: MIT
 *
 * A pointer to a variable of a block that has been left; and what a variable of a block had in the round before.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=6
 * EXPECT: verified
 * RUN: check -O0 -DCASE=7
 * EXPECT: verified
 * RUN: check -O0 -DCASE=8
 * EXPECT: violated use-after-free
 */
#include <pthread.h>
#include <semaphore.h>

struct list { struct list *next; int value; };

static volatile int two = 2;
static sem_t ready;
static int *passed;

static int sum(const struct list *list)
{
	return list ? list->value + sum(list->next) : 0; /* ERROR */
}

static void *work(void *unused)
{
	sem_wait(&ready);
	*passed = 1; /* ERROR */
	return unused;
}

static void pass_variable(void)
{
	{
		int variable = 0;
		passed = &variable;
	}
	sem_post(&ready);
}

int main(void)
{
	int *pointer = 0, total = 0;
	struct list *list = 0;
	pthread_t thread;
	if (CASE == 1) {
		{
			int inner = 1;
			pointer = &inner;
		}
		return *pointer - 1; /* ERROR */
	}
	for (int i = 0; i < two; i++) {
		int kept, *again = &kept, promoted;
		if (CASE == 2 && i == 1)
			total += *pointer; /* ERROR */
		struct list node = { list, i };
		if (i == 0)
			kept = promoted = 1;
		if (CASE == 4 && *again == 1) /* ERROR */
			total++;
		if (CASE == 5 && promoted == 1) /* ERROR */
			total++;
		if (CASE == 2)
			pointer = &node.value;
		if (CASE == 3)
			list = &node;
		if (CASE == 6) {
			node.next = 0;
			total += sum(&node);
		}
	}
	if (CASE == 3)
		return sum(list) - 1;
	if (CASE == 7) {
		int round = 0;
	again:;
		int value = round, *where = &value;
		if (*where == 0) {
			round++;
			goto again;
		}
		return *where - 1;
	}
	if (CASE == 8) {
		sem_init(&ready, 0, 0);
		pthread_create(&thread, 0, work, 0);
		pass_variable();
		pthread_join(thread, 0);
	}
	return CASE == 6 ? total - 1 : 0;
}
