/* SPDX-License-Identifier: MIT
 *
 * Programs without end or measure: where there is an error it is told, and where there is none but a limit of the checker,
 * the verdict is inconclusive, never an error and never `verified`.
 *
 * RUN: check -O0 -DALLOCATES
 * EXPECT: inconclusive
 * RUN: check -DLIST
 * EXPECT: inconclusive
 * RUN: check -DGROWS
 * EXPECT: inconclusive
 * RUN: check -DTHREADS
 * EXPECT: inconclusive
 * RUN: check -DTHREADS -DIN_TURN
 * EXPECT: verified
 * RUN: check -DCONSTRUCTOR
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DDESTRUCTOR
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DCONSTRUCTOR_RECURSES
 * EXPECT: violated stack-overflow
 * RUN: check -DJUMP
 * EXPECT: violated use-after-free
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static volatile int zero;
static volatile int result;
static jmp_buf buffer;

struct node {
	struct node *next;
	int number;
};

static void allocate(void)
{
	for (;;)
		result += malloc(10) != NULL;
}

static void make_list(void)
{
	struct node *list = NULL;
	for (int i = 0;; i++) {
		struct node *node = malloc(sizeof *node);
		node->next = list;
		node->number = i;
		list = node;
	}
}

static void grow(void)
{
	char *bytes = NULL;
	for (size_t size = 2;; size *= 2) {
		bytes = realloc(bytes, size);
		memset(bytes, 1, size);
	}
}

static void *work(void *unused)
{
	return unused;
}

static void create(void)
{
	pthread_t threads[300];
	for (int i = 0; i < 300; i++) {
		pthread_create(&threads[i], NULL, work, NULL);
#ifdef IN_TURN
		pthread_join(threads[i], NULL);
#endif
	}
#ifndef IN_TURN
	for (int i = 0; i < 300; i++)
		pthread_join(threads[i], NULL);
#endif
}

static int divide(void)
{
	return 5 / zero; /* ERROR */
}

static int recurse(volatile int n) /* ERROR */
{
	return recurse(n + 1) + 1; /* ERROR */
}

static int come_back(void)
{
	return setjmp(buffer);
}

__attribute__((constructor)) static void early(void)
{
#ifdef CONSTRUCTOR
	result = divide();
#elif defined(CONSTRUCTOR_RECURSES)
	result = recurse(0);
#endif
}

__attribute__((destructor)) static void late(void)
{
#ifdef DESTRUCTOR
	result = divide();
#endif
}

int main(void)
{
	(void)allocate, (void)make_list, (void)grow, (void)create, (void)divide, (void)recurse, (void)come_back;
#ifdef ALLOCATES
	allocate();
#elif defined(LIST)
	make_list();
#elif defined(GROWS)
	grow();
#elif defined(THREADS)
	create();
#elif defined(JUMP)
	if (come_back() == 0)
		longjmp(buffer, 1); /* ERROR */
#endif
	return 0;
}
