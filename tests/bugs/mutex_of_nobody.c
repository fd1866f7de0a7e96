/* SPDX-License-Identifier: MIT
 *
 * A mutex whose bytes are no mutex: they name a thread that cannot exist as the owner.  The VM looked for that thread and died, if
 * the bytes also said that the mutex is robust.
 *
 * RUN: check -DBYTES=0x10
 * EXPECT: violated mutex-misuse
 * RUN: check -DBYTES=0x04
 * EXPECT: violated mutex-misuse
 */
#include <pthread.h>
#include <string.h>

int main(void)
{
	pthread_mutex_t mutex;
	memset(&mutex, BYTES, sizeof mutex);
	pthread_mutex_lock(&mutex); /* ERROR */
	return 0;
}
