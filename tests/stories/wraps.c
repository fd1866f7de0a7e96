/* SPDX-License-Identifier: MIT
 *
 * A ring that says full and empty in the same way: head and tail are equal.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 4 };
static int slots[SLOTS];
static atomic_uint head, tail; /* head == tail: empty, and full, too */

static void put(int value)
{
	slots[tail % SLOTS] = value;
	tail = (tail + 1) % SLOTS;
}

static void *producer(void *unused)
{
	for (int i = 1; i <= SLOTS; i++)
		put(i);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, producer, NULL);
	pthread_join(thread, NULL);
	assert(head != tail);
}
