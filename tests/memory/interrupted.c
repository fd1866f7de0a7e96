/* SPDX-License-Identifier: MIT
 *
 * A handler interrupts a thread that is about to read an older value: it reads that all the same.
 *
 * RUN: check --memory c11 --interrupts all
 * EXPECT: violated assertion
 * RUN: check --memory sc --interrupts all
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b, came;
static volatile sig_atomic_t handled;

static void handler(int number)
{
	handled = number;
}

static void *first(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	int before = handled;
	a = atomic_load_explicit(&y, memory_order_relaxed);
	came = before == 0 && handled != 0;
	return unused;
}

static void *second(void *unused)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t one, other;
	struct sigaction action = { .sa_handler = handler };
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&other, NULL, second, NULL);
	pthread_kill(one, SIGUSR1);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	assert(a == 1 || b == 1 || !came); /* ERROR */
}
