/* SPDX-License-Identifier: MIT
 *
 * Joining twice, oneself, a detached thread, no thread at all; detaching twice.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated thread-misuse
 * RUN: check -DCASE=2
 * EXPECT: violated thread-misuse
 * RUN: check -DCASE=3
 * EXPECT: violated thread-misuse
 * RUN: check -DCASE=4
 * EXPECT: violated thread-misuse
 * RUN: check -DCASE=5
 * EXPECT: violated thread-misuse
 */
#include <pthread.h>

static void *work(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	switch (CASE) {
	case 1:
		pthread_join(thread, NULL);
		pthread_join(thread, NULL); /* ERROR */
		break;
	case 2:
		pthread_join(pthread_self(), NULL); /* ERROR */
		break;
	case 3:
		pthread_detach(thread);
		pthread_join(thread, NULL); /* ERROR */
		break;
	case 4:
		pthread_join((pthread_t)1234567, NULL); /* ERROR */
		break;
	case 5:
		pthread_detach(thread);
		pthread_detach(thread); /* ERROR */
		break;
	}
	return 0;
}
