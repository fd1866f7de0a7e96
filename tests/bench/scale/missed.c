/* SPDX-License-Identifier: MIT
 *
 * A violation that SCALE's filters together miss.  Main reads `given` before `give` begins; `add` reads 0 and writes 1 after 4 was
 * written; `give` sees that.  With not-seen-before alone and with super-steps alone this schedule is found.
 *
 * A state that a super-step only passes through counts as seen, though only one thread is tried from there: the others are to be
 * tried where the super-step began.  A path that comes to it from elsewhere ends, in the belief that all was tried.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int number, given;

static void *add(void *unused)
{
	int old = number;
	number = old + 1;
	return unused;
}

static void *give(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	given = 1;
	number = 4;
	pthread_mutex_unlock(&mutex);
	return number == 1 ? &number : 0;
}

int main(void)
{
	pthread_t adds, gives;
	void *saw_one;
	pthread_create(&adds, 0, add, 0);
	pthread_create(&gives, 0, give, 0);
	pthread_mutex_lock(&mutex);
	int early = !given;
	pthread_mutex_unlock(&mutex);
	pthread_join(adds, 0);
	pthread_join(gives, &saw_one);
	assert(!(early && saw_one));
	return 0;
}
