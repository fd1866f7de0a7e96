/* SPDX-License-Identifier: MIT
 *
 * Spin locks: never initialised, unlocked though free, destroyed while held, used when destroyed,
 * initialised twice.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=2
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=3
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=5
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=4
 * EXPECT: violated mutex-misuse
 */
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void)
{
	if (CASE == 1)
		pthread_spin_lock(&lock); /* ERROR */
	pthread_spin_init(&lock, 0);
	if (CASE == 2)
		pthread_spin_unlock(&lock); /* ERROR */
	if (CASE == 5)
		pthread_spin_init(&lock, 0); /* ERROR */
	pthread_spin_lock(&lock);
	if (CASE == 3)
		pthread_spin_destroy(&lock); /* ERROR */
	pthread_spin_unlock(&lock);
	pthread_spin_destroy(&lock);
	pthread_spin_trylock(&lock); /* ERROR */
	return 0;
}
