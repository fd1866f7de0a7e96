/* SPDX-License-Identifier: MIT
 *
 * The deque of Chase and Lev with the fences of Le, Pop, Cohen and Zappella Nardelli (PPoPP 2013): an owner pushes and takes, N - 1
 * thieves steal.
 */
#include "threads.h"
enum { SIZE = 4, TASKS = 3 };
static atomic_int top, bottom, tasks[SIZE];
static int done[TASKS + 1];
static void push(int task)
{
	int b = LOAD(&bottom, RELAXED);
	STORE(&tasks[b % SIZE], task, RELAXED);
	atomic_thread_fence(RELEASE);
	STORE(&bottom, b + 1, RELAXED);
}
static int take(void)
{
	int b = LOAD(&bottom, RELAXED) - 1, task = 0;
	STORE(&bottom, b, RELAXED);
	atomic_thread_fence(memory_order_seq_cst);
	int t = LOAD(&top, RELAXED);
	if (t <= b) {
		task = LOAD(&tasks[b % SIZE], RELAXED);
		if (t < b)
			return task;
		if (!CAS(&top, &t, t + 1, memory_order_seq_cst, RELAXED))
			task = 0;
	}
	STORE(&bottom, b + 1, RELAXED);
	return task;
}
static int steal(void)
{
	int t = LOAD(&top, ACQUIRE);
	atomic_thread_fence(memory_order_seq_cst);
	int b = LOAD(&bottom, ACQUIRE);
	if (t >= b)
		return 0;
	int task = LOAD(&tasks[t % SIZE], RELAXED);
	return CAS(&top, &t, t + 1, memory_order_seq_cst, RELAXED) ? task : 0;
}
static void *work(void *number)
{
	if ((long)number == 0) {
		for (int i = 1; i <= TASKS; i++)
			push(i);
		for (int i = 0; i < TASKS; i++)
			done[take()]++;
	} else {
		int task = steal();
		if (task)
			done[task]++;
	}
	return NULL;
}
int main(void)
{
	done[0] = 0;
	run(work);
	for (int i = 1; i <= TASKS; i++)
		assert(done[i] <= 1);
}
