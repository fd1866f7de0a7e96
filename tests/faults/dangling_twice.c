/* SPDX-License-Identifier: MIT
 *
 * Two dangling pointers: new objects take the number of neither, however few objects are left.
 *
 * RUN: check --reduction none
 * EXPECT: violated use-after-free
 * RUN: check --reduction none -O0 -DSTACK
 * EXPECT: violated use-after-free
 */
#include <sched.h>
#include <stdlib.h>

static volatile int *volatile first, *volatile second;

static void leave(void)
{
	int a = 1, b = 2;
	first = &a;
	second = &b;
}

static int enter(void)
{
	int a = 3;
	int *volatile keep = &a;
	sched_yield();
	(void)keep;
	return *second; /* ERROR */
}

int main(void)
{
#ifdef STACK
	leave();
	sched_yield();
	return enter() & 0;
#else
	(void)leave;
	(void)enter;
	first = malloc(sizeof *first);
	second = malloc(sizeof *second);
	free((void *)first);
	free((void *)second);
	sched_yield();
	int *volatile fresh = malloc(sizeof *fresh);
	*fresh = 1;
	return *second & (*fresh = 0); /* ERROR */
#endif
}
