/* SPDX-License-Identifier: MIT
 *
 * A struct passed by value is a variable of the function that it is passed to, and ends when that returns.  By CASE:
 *
 * A pointer to it is kept; called once, in a loop, through a pointer, in each of two arguments; the same for one that is small.
 * (An optimiser may put the functions of the last two into main(), and an undefined value in the place of what has ended.)
 * RUN: check -DCASE=KEPT
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=LOOP
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=INDIRECT
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=SECOND
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=SMALL
 * EXPECT: violated use-after-free
 * A thread gets its address, and writes while the function may have returned; or the function waits for it:
 * RUN: check -DCASE=THREAD
 * EXPECT: violated data-race
 * RUN: check -DCASE=THREAD -DWAITS
 * EXPECT: verified
 * RUN: check -DCASE=LOCKED
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=LOCKED -DWAITS
 * EXPECT: verified
 * It is used by what the function calls, it is passed on, the function calls itself, each call has its own:
 * RUN: check -DCASE=DOWN
 * EXPECT: verified
 * RUN: check -DCASE=RECURSIVE
 * EXPECT: verified
 * The variable that was passed is another one, and goes on:
 * RUN: check -DCASE=ORIGINAL
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>

enum { KEPT, LOOP, INDIRECT, SECOND, SMALL, THREAD, LOCKED, DOWN, RECURSIVE, ORIGINAL };
#ifdef WAITS
enum { WAIT = 1 };
#else
enum { WAIT = 0 };
#endif

struct big {
	int values[8];
};
struct small {
	int value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t worker;
static int *kept;

static void keep(struct big b)
{
	kept = &b.values[1];
	*kept = 1;
}
static void keep_second(int a, struct big b, struct big c)
{
	assert(b.values[a] == c.values[a]);
	kept = &c.values[a];
}
static void keep_small(struct small s)
{
	kept = &s.value;
}

static void *work(void *p)
{
	*(int *)p = 1; /* ERROR */
	return NULL;
}
static void *work_locked(void *p)
{
	pthread_mutex_lock(&mutex);
	*(int *)p = 1; /* ERROR */
	pthread_mutex_unlock(&mutex);
	return NULL;
}
static void start(struct big b)
{
	pthread_create(&worker, NULL, CASE == THREAD ? work : work_locked, &b.values[3]);
	if (WAIT)
		pthread_join(worker, NULL);
}

static int sum(const struct big *b)
{
	return b->values[0] + b->values[7];
}
static int below(struct big b)
{
	return sum(&b);
}
static int down(struct big b)
{
	b.values[0]++;
	return below(b) + sum(&b);
}
static int recursive(struct big b, const int *above)
{
	int before = above ? *above : 0;
	b.values[0]++;
	int rest = b.values[0] < 4 ? recursive(b, &b.values[0]) : 0;
	assert(!above || *above == before);
	return b.values[0] + rest;
}

int main(void)
{
	struct big b = { { 0 } };
	void (*volatile indirect)(struct big) = keep;
	switch (CASE) {
	case KEPT: keep(b); break;
	case LOOP:
		for (int i = 0; i < 3; i++)
			keep(b);
		break;
	case INDIRECT: indirect(b); break;
	case SECOND: keep_second(2, b, b); break;
	case SMALL: keep_small((struct small){ 1 }); break;
	case DOWN: assert(down(b) == 2); break;
	case RECURSIVE: assert(recursive(b, NULL) == 10); break;
	case ORIGINAL:
		kept = &b.values[1];
		keep_second(1, b, b);
		kept = &b.values[1];
		break;
	default:
		start(b); /* ERROR */
		if (!WAIT)
			pthread_join(worker, NULL);
	}
	return kept ? *kept : 0; /* ERROR */
}
