/* SPDX-License-Identifier: MIT
 *
 * A wait of a message queue ends by a signal, by cancellation, by its deadline; each call is one step.
 *
 * RUN: check -DHANDLER
 * EXPECT: violated assertion
 * With SA_RESTART, the call goes on.
 * RUN: check -DHANDLER -DFLAGS=SA_RESTART
 * EXPECT: verified
 * RUN: check -DCANCEL
 * EXPECT: verified
 * RUN: check -DDEADLINE
 * EXPECT: verified for one clock
 * RUN: check -DDEADLINE --clock forward:2:1s
 * EXPECT: verified
 * Another thread closes the queue, and unlinks it, while one waits; the last to leave forgets it.
 * RUN: check -DCLOSED
 * EXPECT: violated deadlock
 * The bytes of a message are the caller's until the call, and so is the buffer.
 * RUN: check -DRACE
 * EXPECT: violated data-race
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#ifndef FLAGS
#define FLAGS 0
#endif

static mqd_t queue;
static char text[8] = "hello";
static int cleaned;

static void handler(int number)
{
	(void)number;
}

static void clean(void *unused)
{
	(void)unused;
	cleaned = 1;
}

static void *receive(void *unused)
{
	char bytes[8];
	ssize_t size;
	(void)unused;
	pthread_cleanup_push(clean, NULL);
#ifdef DEADLINE
	struct timespec then;
	clock_gettime(CLOCK_REALTIME, &then);
	then.tv_sec++;
	size = mq_timedreceive(queue, bytes, sizeof bytes, NULL, &then);
	assert(size == -1 && errno == ETIMEDOUT);
#elif defined RACE
	size = mq_receive(queue, text, sizeof text, NULL); /* ERROR */
#else
	size = mq_receive(queue, bytes, sizeof bytes, NULL); /* ERROR */
	assert(size == 2 || errno == EINTR);
	assert(size == 2); /* ERROR */
#endif
	(void)size;
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 8 };
	struct sigaction action = { .sa_handler = handler, .sa_flags = FLAGS };
	pthread_t thread;
	sigaction(SIGUSR1, &action, NULL);
	queue = mq_open("/queue", O_CREAT | O_RDWR, 0600, &attributes);
	pthread_create(&thread, NULL, receive, NULL);
#ifdef HANDLER
	pthread_kill(thread, SIGUSR1);
	mq_send(queue, "x", 2, 0);
#endif
#ifdef CANCEL
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	assert(cleaned);
	return mq_close(queue);
#endif
#ifdef CLOSED
	mq_close(queue);
	mq_unlink("/queue");
#endif
#ifdef RACE
	mq_send(queue, "x", 2, 0);
	text[0] = 'y'; /* ERROR */
#endif
	pthread_join(thread, NULL); /* ERROR */
	return 0;
}
