/* SPDX-License-Identifier: MIT
 *
 * Cells that are poked, with the numbers of traces of the benchmark `poke` of Nguyen, Rodríguez, Sousa, Coti and Petrucci (CAV
 * 2018): CELLS threads each set a cell of their own.  Meanwhile main goes through ROUNDS rounds, in each of which one thread
 * counts, and another clears the cell that the counter shows.  Each cell and the counter has a mutex.  What they do is ours.
 */
#include <assert.h>
#include <pthread.h>

#ifndef CELLS
#define CELLS 7
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

static pthread_mutex_t of_cell[CELLS], of_counter = PTHREAD_MUTEX_INITIALIZER;
static int cells[CELLS], counter, numbers[CELLS];

static void put(int number, int value)
{
	pthread_mutex_lock(&of_cell[number]);
	cells[number] = value;
	pthread_mutex_unlock(&of_cell[number]);
}

static void *set(void *argument)
{
	put(*(int *)argument, 1);
	return NULL;
}

static void *count(void *argument)
{
	for (int i = 1; i < CELLS; i++) {
		pthread_mutex_lock(&of_counter);
		counter = i;
		pthread_mutex_unlock(&of_counter);
	}
	return argument;
}

static void *clear(void *argument)
{
	pthread_mutex_lock(&of_counter);
	int number = counter;
	pthread_mutex_unlock(&of_counter);
	put(number, 0);
	return argument;
}

int main(void)
{
	pthread_t setters[CELLS], pair[2];
	int unset = 0;
	for (int i = 0; i < CELLS; i++) {
		pthread_mutex_init(&of_cell[i], NULL);
		numbers[i] = i;
		pthread_create(&setters[i], NULL, set, &numbers[i]);
	}
	for (int i = 0; i < ROUNDS; i++) {
		pthread_create(&pair[0], NULL, count, NULL);
		pthread_create(&pair[1], NULL, clear, NULL);
		pthread_join(pair[0], NULL);
		pthread_join(pair[1], NULL);
	}
	for (int i = 0; i < CELLS; i++) {
		pthread_join(setters[i], NULL);
		unset += !cells[i];
	}
	assert(unset <= ROUNDS);
	return 0;
}
