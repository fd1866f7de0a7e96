/* SPDX-License-Identifier: MIT
 *
 * Hidden pointers to things that are no heap objects, ways in which they reach other threads, and what their objects point to.
 *
 * RUN: check --waits ignore -DSTACK
 * EXPECT: violated assertion
 * RUN: check -O0 -DSTACK_AGAIN
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DTHREAD_LOCAL_RACE
 * EXPECT: violated data-race
 * RUN: check -DBEHIND_LATER
 * EXPECT: violated assertion
 * RUN: check -DARGUMENT
 * EXPECT: violated data-race
 * RUN: check -O0 -DSPECIFIC
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DDANGLING
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DREALLOCATED
 * EXPECT: violated use-after-free
 * RUN: check -DLIST
 * EXPECT: verified
 * RUN: check --max-time 12 -DENDLESS
 * EXPECT: inconclusive: time limit of 12 seconds reached
 * RUN: check -DSTACK --ltl '[] {seen != 1}'
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define KEY UINT64_C(0x123456789abcdef0)

static atomic_uintptr_t kept;
static atomic_int *show(void) { return (atomic_int *)(kept ^ KEY); }
static void hide(void *p) { kept = (uintptr_t)p ^ KEY; }
int seen;

static void twice(atomic_int *p)
{
	*p = 1;
	*p = 2;
}

static atomic_int *new(void)
{
	atomic_int *p = malloc(sizeof *p);
	if (!p)
		exit(0);
	*p = 0;
	return p;
}

static void *look(void *unused)
{
	if (kept)
		assert(*show() != 1); /* ERROR */
	return unused;
}

#if defined STACK
static void own(void)
{
	atomic_int local = 0;
	hide(&local);
	twice(&local);
	while (kept)
		;
}
static void *use(void *unused)
{
	if (kept) {
		seen = *show();
		assert(seen != 1); /* ERROR */
	}
	kept = 0;
	return unused;
}
#elif defined STACK_ENDED || defined STACK_AGAIN
static void hidden(void)
{
	atomic_int local = 5;
	hide(&local);
}
static int other(void)
{
	atomic_int local = 5;
	atomic_int *volatile p = &local;
#ifdef STACK_AGAIN
	*show() = 6; /* ERROR */
#endif
	return *p;
}
static void own(void)
{
	hidden();
	other();
#ifdef STACK_ENDED
	*show() = 1; /* ERROR */
#endif
}
#define use look
#elif defined THREAD_LOCAL
static _Thread_local atomic_int local;
static void own(void)
{
	hide(&local);
	twice(&local);
}
#define use look
#elif defined THREAD_LOCAL_RACE
static _Thread_local int local;
static void own(void)
{
	hide(&local);
	local = 4; /* ERROR */
}
static void *use(void *unused)
{
	if (kept)
		*(int *)show() = 3; /* ERROR */
	return unused;
}
#elif defined BEHIND || defined BEHIND_LATER
static void own(void)
{
	atomic_int **outer = malloc(sizeof *outer);
	if (!outer)
		exit(0);
#ifdef BEHIND
	*outer = new();
	hide(outer);
#else
	*outer = NULL;
	atomic_int *inner = new();
	uintptr_t key = (uintptr_t)outer ^ KEY;
	*outer = inner;
	kept = key;
#endif
	twice(*outer);
}
static void *use(void *unused)
{
	if (kept)
		assert(**(atomic_int **)show() != 1); /* ERROR */
	return unused;
}
#elif defined ARGUMENT
static void *work(void *argument)
{
	int *p = (int *)((uintptr_t)argument ^ KEY);
	*p = 1; /* ERROR */
	return NULL;
}
static void own(void)
{
	pthread_t thread;
	int local = 0;
	pthread_create(&thread, NULL, work, (void *)((uintptr_t)&local ^ KEY));
	local = 2; /* ERROR */
	pthread_join(thread, NULL);
}
#define use look
#elif defined RESULT
static void *work(void *argument)
{
	atomic_int *p = new();
	uintptr_t key = (uintptr_t)p ^ KEY;
	free(p);
	new();
	(void)argument;
	return (void *)key;
}
static void own(void)
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, &result);
	*(atomic_int *)((uintptr_t)result ^ KEY) = 3; /* ERROR */
}
#define use look
#elif defined SPECIFIC
static void own(void)
{
	pthread_key_t key;
	pthread_key_create(&key, NULL);
	atomic_int *p = new();
	pthread_setspecific(key, (void *)((uintptr_t)p << 2));
	free(p);
	p = new();
	atomic_int *q = (atomic_int *)((uintptr_t)pthread_getspecific(key) >> 2);
	*q = 3; /* ERROR */
}
#define use look
#elif defined REGISTER
static void own(void)
{
	atomic_int *p = new();
	uintptr_t key = (uintptr_t)p * 3;
	free(p);
	p = new();
	*(atomic_int *)(key / 3) = 4; /* ERROR */
}
#define use look
#elif defined DANGLING
static void own(void)
{
	atomic_int *p = new();
	free(p);
	uintptr_t key = ~(uintptr_t)p;
	p = new();
	*(atomic_int *)~key = 4; /* ERROR */
}
#define use look
#elif defined REALLOCATED
static void own(void)
{
	atomic_int *p = new(), *next = NULL;
	uintptr_t key = ~(uintptr_t)p;
	p = realloc(p, 1000);
	if (!p)
		exit(0);
	next = new();
	*next = 0;
	*(atomic_int *)~key = 4; /* ERROR */
}
#define use look
#elif defined LIST || defined LIST_RACE /* each node has the exclusive or of its neighbours */
struct node { uintptr_t link; int value; };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *first;
static void push(int value)
{
	struct node *node = malloc(sizeof *node);
	if (!node)
		exit(0);
	node->value = value;
#ifndef LIST_RACE
	pthread_mutex_lock(&mutex);
#endif
	node->link = (uintptr_t)first; /* ERROR */
	if (first)
		first->link ^= (uintptr_t)node; /* ERROR */
	first = node; /* ERROR */
#ifndef LIST_RACE
	pthread_mutex_unlock(&mutex);
#endif
}
static int pop_all(void)
{
	int sum = 0;
	uintptr_t before = 0;
	for (struct node *node = first; node;) {
		struct node *next = (struct node *)(node->link ^ before);
		sum += node->value;
		before = (uintptr_t)node;
		node = next;
	}
	return sum;
}
static void *use(void *unused)
{
	push(1);
	push(2);
	return unused;
}
static void own(void)
{
	push(4);
}
#elif defined ENDLESS /* memory that may be named is not given out again, and there is not enough for ever */
static void own(void)
{
	for (;;) {
		atomic_int *p = new();
		hide(p);
		*show() = 1;
		free(p);
	}
}
static void *use(void *unused)
{
	return unused;
}
#endif

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, use, NULL);
	own();
	pthread_join(thread, NULL);
#ifdef LIST
	assert(pop_all() == 7);
#endif
	return 0;
}
