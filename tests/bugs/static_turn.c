/* SPDX-License-Identifier: MIT
 *
 * LLVM's optimiser made a local variable of `turn`, as only run() uses it, does not call itself and writes `turn` first.  With -O1
 * and above the lock let both threads in, or neither.
 *
 * RUN: check -O0
 * EXPECT: verified
 * RUN: check -O1
 * EXPECT: verified
 * RUN: check -O2
 * EXPECT: verified
 * RUN: check -O3
 * EXPECT: verified
 * RUN: check -O2 -DBROKEN
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static int counter;

static void *run(void *argument)
{
	int me = argument != NULL;
	flag[me] = 1;
#ifdef BROKEN
	turn = me;
#else
	turn = !me;
#endif
	while (flag[!me] && turn != me)
		;
	counter++;
	flag[me] = 0;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, threads);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert(counter == 2);
	return 0;
}
