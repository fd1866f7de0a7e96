/* SPDX-License-Identifier: MIT
 *
 * The non-blocking queue, action for action as in Florian's thesis on SCALE (2010), appendix A.1, except its assertion, which the
 * thesis ignores for its figure 6.3.  Its local variables are volatile: they keep their last values, as on SCALE's
 * stacks, which local-cycle detection compares.  (The algorithm is by Shann, Huang and Chen, ICPADS 2000.)
 */
#include <pthread.h>

#define UNSET 0xffffffffu /* no value that comes up later */

#ifndef SIZE
#define SIZE 2
#endif

struct element {
	volatile int value; /* 0: none */
	volatile int version;
};

static pthread_mutex_t lock;
static struct element queue[SIZE];
static volatile unsigned front, rear;
static volatile int items[SIZE];

static int exchange_element(struct element *at, int value, int version, int new_value, int new_version)
{
	int done = 0;
	pthread_mutex_lock(&lock);
	if (at->value == value && at->version == version) {
		at->value = new_value;
		at->version = new_version;
		done = 1;
	}
	pthread_mutex_unlock(&lock);
	return done;
}

static void exchange(volatile unsigned *at, unsigned old, unsigned new)
{
	pthread_mutex_lock(&lock);
	if (*at == old)
		*at = new;
	pthread_mutex_unlock(&lock);
}

static void enqueue(int item)
{
	volatile unsigned end = UNSET, again = UNSET, begin = UNSET;
	volatile int value = (int)UNSET, version = (int)UNSET;
	for (;;) {
		end = rear;
		value = queue[end % SIZE].value;
		version = queue[end % SIZE].version;
		again = rear;
		if (end != again)
			continue;
		begin = front;
		if (end == begin + SIZE)
			continue;
		if (value == 0) {
			if (exchange_element(&queue[end % SIZE], value, version, item, version + 1)) {
				exchange(&rear, end, end + 1);
				return;
			}
		} else {
			exchange(&rear, end, end + 1);
		}
	}
}

static int dequeue(void)
{
	volatile unsigned begin = UNSET, again = UNSET, end = UNSET;
	volatile int value = (int)UNSET, version = (int)UNSET;
	for (;;) {
		begin = front;
		value = queue[begin % SIZE].value;
		version = queue[begin % SIZE].version;
		again = front;
		if (begin != again)
			continue;
		end = rear;
		if (begin == end)
			continue;
		if (value != 0) {
			if (exchange_element(&queue[begin % SIZE], value, version, 0, version + 1)) {
				exchange(&front, begin, begin + 1);
				return value;
			}
		} else {
			exchange(&front, begin, begin + 1);
		}
	}
}

static void *produce(void *unused)
{
	for (int i = 0; i < SIZE; i++) {
		items[i] = i;
		enqueue(i + 1);
	}
	return unused;
}

int main(void)
{
	pthread_t producer;
	pthread_mutex_init(&lock, 0);
	pthread_create(&producer, 0, produce, 0);
	for (int i = 0; i < SIZE; i++)
		(void)items[dequeue() - 1];
	pthread_join(producer, 0);
	pthread_mutex_destroy(&lock);
	return 0;
}
