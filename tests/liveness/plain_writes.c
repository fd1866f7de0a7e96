/* SPDX-License-Identifier: MIT
 *
 * Plain writes to what a formula reads count one by one, in a critical section too: to the formula they are no one step.
 *
 * RUN: check --ltl '<> {x == 1 && y == 0}' --ltl '{x == 0} U {x == 1}' --ltl '[] ({x == 2} -> {y == 1})'
 * EXPECT: verified
 * RUN: check --ltl '[] {x == y}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] {x - y < 3}' --ltl '<> [] {x == 3}'
 * EXPECT: verified
 * RUN: check -O0 --ltl '[] ({x == 1} -> {held})' --ltl '<> {copy.a == 1 && copy.b == 0}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] ({x == 1} -> {held})' --ltl '<> {copy.a == 1}' --ltl '<> {text[0] == 7 && text[9] == 7}'
 * EXPECT: verified
 * RUN: check --races ignore --ltl '<> {x == 1 && y == 0}' --ltl '{x == 0} U {x == 1}' --ltl '[] ({x == 2} -> {y == 1})'
 * EXPECT: verified
 * RUN: check --races ignore --ltl '[] {x == y}'
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, y, held;
static struct pair { int a, b; } copy;
static char text[10];

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	held = 1;
	x = 1;
	y = 1;
	x = 2;
	x = 3;
	copy = (struct pair){ 1, 1 };
	memset(text, 7, sizeof text);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
