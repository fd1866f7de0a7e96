/* SPDX-License-Identifier: MIT
 *
 * Thread-local variables: each thread has its own, initialised, and its address differs.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>

static _Thread_local int number = 5;
static _Thread_local int *self = 0;
static __thread char text[8] = "abc";
static int *address_of_main;

static void *work(void *result)
{
	assert(number == 5 && self == 0 && text[1] == 'b');
	number += 10;
	self = &number;
	text[1] = 'x';
	assert(&number != address_of_main && *self == 15);
	*(int *)result = number;
	return 0;
}

int main(void)
{
	int result = 0;
	number = 1;
	text[1] = 'm';
	address_of_main = &number;
	pthread_t thread;
	pthread_create(&thread, 0, work, &result);
	pthread_join(thread, 0);
	assert(result == 15 && number == 1 && text[1] == 'm' && self == 0);
	return 0;
}
