/* SPDX-License-Identifier: MIT
 *
 * Programs without end or measure: an error is reported, and where there is none but a limit of the checker,
 * the verdict is inconclusive, never an error and never `verified`.
 *
 * RUN: check -O0 -DALLOCATES
 * EXPECT: inconclusive: a thread has more than 215040 objects alive
 * RUN: check -DLIST
 * EXPECT: inconclusive: a thread has more than 215040 objects alive
 * RUN: check -DGROWS --max-memory 300
 * EXPECT: inconclusive: the objects that one step changes take more memory than is left
 * RUN: check -DTHREADS
 * EXPECT: verified
 * RUN: check -DCONSTRUCTOR
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DDESTRUCTOR
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DCONSTRUCTOR_RECURSES
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DARGUMENTS
 * EXPECT: inconclusive: a call passes more than 256 words of arguments
 * RUN: check -DARGUMENTS -DVARIADIC
 * EXPECT: verified
 * RUN: check -DJUMP
 * EXPECT: violated use-after-free
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
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
	for (int i = 0; i < 300; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, work, NULL);
		pthread_join(thread, NULL);
	}
}

#define TEN(x)        x, x, x, x, x, x, x, x, x, x
#define HUNDRED(x)    TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x)
#define PARAMETERS(p) int p##0, int p##1, int p##2, int p##3, int p##4, int p##5, int p##6, int p##7, int p##8, int p##9
#define MANY(p) \
	PARAMETERS(p##0), PARAMETERS(p##1), PARAMETERS(p##2), PARAMETERS(p##3), PARAMETERS(p##4), PARAMETERS(p##5), \
		PARAMETERS(p##6), PARAMETERS(p##7), PARAMETERS(p##8), PARAMETERS(p##9)

static int last(MANY(a), MANY(b), MANY(c), int it)
{
	return a00 + it;
}

static int last_of(int count, ...)
{
	va_list list;
	va_start(list, count);
	int it = 0;
	for (int i = 0; i < count; i++)
		it = va_arg(list, int);
	va_end(list);
	return it;
}

static void hand_over(void)
{
#ifdef VARIADIC
	assert(last_of(301, HUNDRED(1), HUNDRED(2), HUNDRED(3), 42) == 42);
#else
	assert(last(HUNDRED(1), HUNDRED(2), HUNDRED(3), 41) == 42);
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
	(void)last, (void)last_of, (void)hand_over;
#ifdef ALLOCATES
	allocate();
#elif defined(LIST)
	make_list();
#elif defined(GROWS)
	grow();
#elif defined(THREADS)
	create();
#elif defined(ARGUMENTS)
	hand_over();
#elif defined(JUMP)
	if (come_back() == 0)
		longjmp(buffer, 1); /* ERROR */
#endif
	return 0;
}
