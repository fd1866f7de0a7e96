/* SPDX-License-Identifier: MIT
 *
 * A handler that is taken to have run when the thread that sent its signal has ended.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
static volatile sig_atomic_t stop, cleaned;
static char buffer[16];
static int length;
static void on_term(int signal)
{
	(void)signal;
	buffer[length] = '\n';
	length++;
	stop = 1;
}
static void *sender(void *p)
{
	pthread_kill(*(pthread_t *)p, SIGTERM);
	return NULL;
}
int main(void)
{
	pthread_t me = pthread_self(), t;
	signal(SIGTERM, on_term);
	pthread_create(&t, NULL, sender, &me);
	for (int i = 0; i < 3; i++) {
		buffer[length] = 'a';
		length++;
	}
	pthread_join(t, NULL);
	assert(length == 4);
	return 0;
}
