/* SPDX-License-Identifier: MIT
 *
 * Barriers: never initialised, destroyed while a thread waits, used when destroyed, initialised
 * twice.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated mutex-misuse
 * RUN: check --races ignore -DCASE=2
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=3
 * EXPECT: violated mutex-misuse
 * RUN: check --races ignore -DCASE=4
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=5
 * EXPECT: violated mutex-misuse
 */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *wait(void *unused)
{
	pthread_barrier_wait(&barrier); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	if (CASE == 1) {
		pthread_barrier_wait(&barrier); /* ERROR */
		return 0;
	}
	pthread_barrier_init(&barrier, NULL, 2);
	switch (CASE) {
	case 2:
		pthread_create(&thread, NULL, wait, NULL);
		pthread_barrier_destroy(&barrier); /* ERROR */
		break;
	case 3:
		pthread_barrier_destroy(&barrier);
		pthread_barrier_wait(&barrier); /* ERROR */
		break;
	case 4:
		pthread_create(&thread, NULL, wait, NULL);
		pthread_barrier_init(&barrier, NULL, 3); /* ERROR */
		break;
	case 5:
		pthread_barrier_init(&barrier, NULL, 2); /* ERROR */
		break;
	}
	return 0;
}
