/* SPDX-License-Identifier: MIT
 *
 * A bounded work-stealing deque after Chase and Lev, in C11 atomics: the owner pushes and takes tasks at the bottom, thieves
 * steal at the top.  Each task is a small record with a function pointer and must run exactly once.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DTHIEVES=2 -DTASKS=2
 * EXPECT: verified
 * RUN: check -DBUG_LAST_TASK
 * EXPECT: violated assertion
 * RUN: check -DBUG_PLAIN_STATISTICS -DTHIEVES=2
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef THIEVES
#define THIEVES 1
#endif
#ifndef TASKS
#define TASKS 3
#endif
#define CAPACITY 4 /* a power of two */
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

_Static_assert((CAPACITY & (CAPACITY - 1)) == 0, "the index is masked");

enum task_kind { TASK_SQUARE, TASK_NEGATE, TASK_KINDS };

struct task {
	int (*run)(const struct task *task);
	enum task_kind kind;
	int argument;
	atomic_int runs;
};

struct deque {
	_Atomic int64_t top;
	char padding[64 - sizeof(int64_t)]; /* owner and thieves on different cache lines */
	_Atomic int64_t bottom;
	_Atomic(struct task *) slot[CAPACITY];
};

enum steal { STEAL_OK, STEAL_EMPTY, STEAL_ABORT };

struct worker {
	pthread_t thread;
	struct deque *deque;
	unsigned stolen;
	int sum;
};

static atomic_bool producing = true;
#ifdef BUG_PLAIN_STATISTICS
static unsigned total_stolen;
#else
static atomic_uint total_stolen;
#endif

static int square(const struct task *task)
{
	return task->argument * task->argument;
}

static int negate(const struct task *task)
{
	return -task->argument;
}

static int (*const handler[])(const struct task *) = { [TASK_SQUARE] = square, [TASK_NEGATE] = negate };

_Static_assert(ARRAY_SIZE(handler) == TASK_KINDS, "each kind has a handler");

static void deque_init(struct deque *deque)
{
	atomic_init(&deque->top, 0);
	atomic_init(&deque->bottom, 0);
	for (size_t i = 0; i < ARRAY_SIZE(deque->slot); i++)
		atomic_init(&deque->slot[i], NULL);
}

static inline _Atomic(struct task *) *slot_of(struct deque *deque, int64_t index)
{
	return &deque->slot[(uint64_t)index & (CAPACITY - 1)];
}

/* Owner only.  False if there is no room. */
static bool deque_push(struct deque *deque, struct task *task)
{
	const int64_t bottom = atomic_load(&deque->bottom);
	const int64_t top = atomic_load(&deque->top);
	if (bottom - top >= CAPACITY)
		return false;
	atomic_store(slot_of(deque, bottom), task);
	atomic_store(&deque->bottom, bottom + 1);
	return true;
}

/* Owner only.  NULL if the deque is empty. */
static struct task *deque_take(struct deque *deque)
{
	const int64_t bottom = atomic_load(&deque->bottom) - 1;
	atomic_store(&deque->bottom, bottom);
	int64_t top = atomic_load(&deque->top);
	if (top > bottom) {
		atomic_store(&deque->bottom, bottom + 1);
		return NULL;
	}
	struct task *task = atomic_load(slot_of(deque, bottom));
	if (top != bottom)
		return task;
#ifdef BUG_LAST_TASK
	atomic_store(&deque->top, top + 1); /* forgets that a thief wants the last task, too */
#else
	if (!atomic_compare_exchange_strong(&deque->top, &top, top + 1))
		task = NULL;
#endif
	atomic_store(&deque->bottom, bottom + 1);
	return task;
}

static enum steal deque_steal(struct deque *deque, struct task **stolen)
{
	int64_t top = atomic_load(&deque->top);
	const int64_t bottom = atomic_load(&deque->bottom);
	if (top >= bottom)
		return STEAL_EMPTY;
	struct task *task = atomic_load(slot_of(deque, top));
	if (!atomic_compare_exchange_strong(&deque->top, &top, top + 1))
		return STEAL_ABORT;
	*stolen = task;
	return STEAL_OK;
}

static int task_run(struct task *task)
{
	const int before = atomic_fetch_add(&task->runs, 1);
	assert(before == 0); /* ERROR */
	return task->run(task);
}

static void *thief(void *argument)
{
	struct worker *self = argument;
	for (;;) {
		struct task *task = NULL;
		const bool last_round = !atomic_load(&producing);
		switch (deque_steal(self->deque, &task)) {
		case STEAL_OK:
			self->sum += task_run(task);
			self->stolen++;
			break;
		case STEAL_ABORT:
			break;
		case STEAL_EMPTY:
			if (last_round)
				goto done;
			break;
		}
	}
done:
#ifdef BUG_PLAIN_STATISTICS
	total_stolen += self->stolen; /* ERROR */
#else
	atomic_fetch_add_explicit(&total_stolen, self->stolen, memory_order_seq_cst);
#endif
	return self;
}

static int expected_sum(const struct task *tasks, size_t count)
{
	int sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += handler[tasks[i].kind](&tasks[i]);
	return sum;
}

int main(void)
{
	struct deque *deque = aligned_alloc(64, (sizeof *deque + 63) / 64 * 64);
	struct worker *workers = calloc(THIEVES, sizeof *workers);
	struct task *tasks = calloc(TASKS, sizeof *tasks);
	if (deque == NULL || workers == NULL || tasks == NULL) {
		fprintf(stderr, "out of memory\n");
		free(tasks);
		free(workers);
		free(deque);
		return EXIT_FAILURE;
	}
	deque_init(deque);
	for (int i = 0; i < THIEVES; i++) {
		workers[i].deque = deque;
		const int error = pthread_create(&workers[i].thread, NULL, thief, &workers[i]);
		if (error != 0) {
			fprintf(stderr, "pthread_create: %s\n", strerror(error));
			exit(EXIT_FAILURE);
		}
	}
	int sum = 0;
	unsigned taken = 0;
	for (int i = 0; i < TASKS; i++) {
		struct task *task = &tasks[i];
		task->kind = i % TASK_KINDS;
		task->argument = i + 1;
		task->run = handler[task->kind];
		while (!deque_push(deque, task))
			sched_yield();
	}
	for (struct task *task; (task = deque_take(deque)) != NULL; taken++)
		sum += task_run(task);
	atomic_store(&producing, false);
	for (int i = 0; i < THIEVES; i++) {
		void *result;
		pthread_join(workers[i].thread, &result);
		sum += ((struct worker *)result)->sum;
	}
	assert(taken + total_stolen == TASKS);
	assert(sum == expected_sum(tasks, TASKS));
	printf("%u taken, %u stolen, sum %d\n", taken, (unsigned)total_stolen, sum);
	free(tasks);
	free(workers);
	free(deque);
	return EXIT_SUCCESS;
}
