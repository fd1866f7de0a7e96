/* SPDX-License-Identifier: MIT
 *
 * Threads that look symmetric, and whose objects are named in memory or by other threads.  Each of N threads makes a node n, and
 * does WORK; main then does AFTER.  The verdicts were derived by hand.
 *
 * ALSO: --reduction all,-persistent
 *
 * Queue locks, stacks, and chains:
 *
 * RUN: check -DN=4 -DWORK='QUEUE; in++; assert(in == 1); in--; n->value = 1' -DAFTER='assert(top != 0)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='o = SWAP(n); in++; assert(in == 1); in--; n->value = 1'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='QUEUE; in++; assert(in < 3); n->value = 1; in--'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='QUEUE; n->value = 1; in++; assert(in < 3); in--'
 * EXPECT: violated assertion
 * RUN: check -DN=4 -DWORK='PUSH(n)' -DAFTER='assert(length() == 4)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='n->next = top; top = n' -DAFTER='assert(length() == 3)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='n->next = top; top = n' -DAFTER='assert(length() != 1)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='n->next = top; top = n' -DAFTER='assert(length() != 2)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='n->next = top; top = n' -DAFTER='assert(length() != 0)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='n->next = SWAP(n)' -DAFTER='assert(length() == 3)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='n->next = SWAP(n); assert(length() > 1)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='n->next = SWAP(n); o = top; assert(o->next != o)'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='PUSH(n); o = top; if (o->next) o->next->next = o; seen = rounds()' -DAFTER='assert(seen != 5)'
 * EXPECT: violated assertion
 *
 * Who takes a node has it for itself, or not; so with stale names:
 *
 * RUN: check -DN=3 -DWORK='top = n; o = SWAP(NULL); if (o) { o->plain = 2; free(o); }'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='top = n; o = top; if (o) o->plain = 2'
 * EXPECT: violated data-race
 * RUN: check -DN=2 -DWORK='top = n; o = top; free(o)'
 * EXPECT: violated double-free
 * RUN: check -DN=2 -DWORK='PUSH(n); o = POP; seen++; if (o) o->value = 0, PUSH(o)'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='PUSH(n); o = pop(); struct node *q = pop(); if (o) { o->value = 0; PUSH(o); } (void)q'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK='PUSH(n); LOCK(o = pop()); LOCK(n = pop()); if (o) { o->value = 0; LOCK(PUSH(o)); }'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='struct node mine = { 0 }; o = SWAP(&mine); if (o) o->value++'
 * EXPECT: violated use-after-free
 * RUN: check -DN=2 -DWORK='struct node mine = { 0 }; top = &mine; mine.value++; top = NULL' -DAFTER='assert(!top)'
 * EXPECT: verified
 *
 * Threads that wait for each other:
 *
 * RUN: check -DN=3 -DWORK='o = SWAP(n); if (o) o->value = 1; else AWAIT(n->value)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='o = SWAP(n); if (o) o->value = 1; AWAIT(n->value)'
 * EXPECT: violated deadlock
 * RUN: check -DN=3 -DWORK='o = SWAP(n); HOLD(n, if (o) HOLD(o, seen++))' -DAFTER='assert(seen == 2)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='o = SWAP(n); AWAIT(top != n || seen); seen = 1; o = top; HOLD(n, if (o != n) HOLD(o, ))'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='o = SWAP(n); if (!o) { AWAIT(top != n); o = top; } HOLD(n, HOLD(o, ))'
 * EXPECT: violated deadlock
 *
 * What tells threads apart by addresses:
 *
 * RUN: check -DN=2 -DWORK='o = SWAP(n); assert(!o || n > o)'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK='o = SWAP(n); assert(!o || n < o)'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK='o = SWAP(n); assert(!o || (((uintptr_t)n ^ (uintptr_t)o) >> 28))'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='HALVES; assert(o != n)' -DAFTER='assert(seen < 2)'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK='struct packed p = { 0, n }; o = p.node; PUSH(o)' -DAFTER='assert(length() == 2)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='struct packed p = { 0, n }; seen++; AWAIT(seen > 1); in++; assert(p.node == n)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='struct packed p = { 0, n }; LOCK(seen++); LOCK(in++); LOCK(seen++); assert(p.node == n)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='struct packed p = { 0, n }; seen++; in++; memcpy(&o, (char *)&p + 1, sizeof o); assert(o == n)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='o = n; uint32_t half; memcpy(&half, (char *)&o + 3, 4); LOCK(note(half)); seen++'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='o = n; seen++; uint32_t half; memcpy(&half, (char *)&o + 3, 4); in++; LOCK(note(half))'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='struct node copy = { 0 }; n->next = SWAP(n); memcpy(&copy, n, sizeof copy); assert(copy.next != n)'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='top = n; o = top; assert(memcmp(&o, &n, sizeof o) >= 0)'
 * EXPECT: violated assertion
 *
 * More threads, while nodes of those before are there, or have been:
 *
 * RUN: check -DN=2 -DWORK='n->next = SWAP(n)' -DAFTER='again(); assert(length() == 4)'
 * EXPECT: verified
 *
 * Properties look at memory:
 *
 * RUN: check --invariant 'in < 2' -DN=2 -DWORK='o = SWAP(n); in++; in--'
 * EXPECT: violated invariant
 * RUN: check --ltl '<> {seen == 1}' -DN=2 -DWORK='n->next = SWAP(n); seen = 1'
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct node {
	_Atomic(struct node *) next;
	atomic_int value;
	int plain;
	pthread_mutex_t mutex;
};

struct __attribute__((packed)) packed {
	char first;
	struct node *node;
};

static _Atomic(struct node *) top;
static atomic_int in, seen;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

#define SWAP(node)   atomic_exchange(&top, node)
#define AWAIT(what)  while (!(what)) {}
#define LOCK(what)   pthread_mutex_lock(&m), what, pthread_mutex_unlock(&m)
#define PUSH(node)   push(node)
#define POP          SWAP(NULL)
#define QUEUE \
	o = SWAP(n); \
	if (o) \
	AWAIT(o->value)
#define HOLD(node, what) \
	{ \
		pthread_mutex_lock(&(node)->mutex); \
		what; \
		pthread_mutex_unlock(&(node)->mutex); \
	}
#define HALVES \
	uint32_t halves[2]; \
	o = SWAP(n); \
	memcpy(&halves[0], &o, 4); \
	memcpy(&halves[1], (char *)&o + 4, 4); \
	seen += halves[0] || halves[1]; \
	if (!o) \
	seen++

static inline void push(struct node *n)
{
	struct node *o = top;
	do
		n->next = o;
	while (!atomic_compare_exchange_strong(&top, &o, n));
}

/* Take the first node, and mark it as taken. */
static inline struct node *pop(void)
{
	struct node *o = top;
	while (o && !atomic_compare_exchange_strong(&top, &o, o->next))
		;
	if (o)
		assert(o->value++ == 0); /* ERROR */
	return o;
}

static inline int length(void)
{
	int count = 0;
	for (struct node *node = top; node; node = node->next)
		count++;
	return count;
}

/* The same, up to 5. */
static inline int rounds(void)
{
	int count = 0;
	for (struct node *node = top; node && count < 5; node = node->next)
		count++;
	return count;
}

/* What is noted must be different for all. */
static inline void note(uint32_t what)
{
	static uint32_t noted[2 * N];
	int i = 0;
	for (; noted[i]; i++)
		assert(noted[i] != what);
	noted[i] = what;
}

static void *work(void *unused)
{
	struct node *n = calloc(1, sizeof *n), *o = NULL;
	(void)unused, (void)o;
	WORK; /* ERROR */
	return NULL;
}

static void again(void)
{
	pthread_t id[N];
	for (int i = 0; i < N; i++)
		pthread_create(&id[i], NULL, work, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], NULL);
}

int main(void)
{
	again();
#ifdef AFTER
	AFTER; /* ERROR */
#endif
	return 0;
}
