/* SPDX-License-Identifier: MIT
 *
 * A longjmp into a function that has returned, though another call stands at the same depth; into another thread; to a buffer
 * that was never filled.
 *
 * RUN: check
 * EXPECT: violated use-after-free
 * RUN: check -DUNFILLED
 * EXPECT: violated unreachable
 * RUN: check -DOTHER
 * EXPECT: violated thread-misuse
 */
#include <pthread.h>
#include <setjmp.h>

static jmp_buf buffer;

static int set(void)
{
	return setjmp(buffer);
}

static void jump(int again)
{
	volatile int local = again;
	if (local)
		longjmp(buffer, 1); /* ERROR */
}

static void *other(void *unused)
{
	longjmp(buffer, 1); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
#ifdef UNFILLED
	jump(1);
#elif defined OTHER
	if (setjmp(buffer) == 0) {
		pthread_create(&thread, NULL, other, NULL);
		pthread_join(thread, NULL);
	}
#else
	if (set() == 0)
		jump(1);
#endif
	(void)thread;
	return 0;
}
