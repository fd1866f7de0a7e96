/* SPDX-License-Identifier: MIT
 *
 * An account is checked under one lock and changed under the next: two withdrawals overdraw it.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int covers(int amount)
{
	pthread_mutex_lock(&mutex);
	int enough = balance >= amount;
	pthread_mutex_unlock(&mutex);
	return enough;
}

static void *withdraw(void *unused)
{
	if (covers(80)) {
		pthread_mutex_lock(&mutex);
		balance -= 80;
		assert(balance >= 0);
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, withdraw, NULL);
	withdraw(NULL);
	pthread_join(thread, NULL);
}
