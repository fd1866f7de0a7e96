/* SPDX-License-Identifier: MIT
 *
 * Message queues: who receives waits for a message, who sends for room; the highest priority comes first, the oldest of these.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DNOBODY_SENDS
 * EXPECT: violated deadlock
 * RUN: check -DORDER
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static mqd_t queue;
static int shared; /* what a message orders */

static void *sender(void *unused)
{
	shared = 1;
#ifndef NOBODY_SENDS
	assert(mq_send(queue, "low", 4, 1) == 0);
	assert(mq_send(queue, "high", 5, 7) == 0);
	assert(mq_send(queue, "later", 6, 7) == 0); /* waits: there is room for two */
#endif
	return unused;
}

int main(void)
{
	struct mq_attr attributes = { .mq_maxmsg = 2, .mq_msgsize = 8 }, now;
	char text[8];
	unsigned priority;
	pthread_t thread;
	assert(mq_open("/none", O_RDONLY) == -1 && errno == ENOENT);
	queue = mq_open("/jobs", O_CREAT | O_EXCL | O_RDWR, 0600, &attributes);
	assert(queue >= 0);
	mqd_t other = mq_open("/jobs", O_RDONLY | O_NONBLOCK);
	assert(other >= 0 && mq_send(other, "x", 1, 0) == -1 && errno == EBADF);
	assert(mq_receive(other, text, 8, NULL) == -1 && errno == EAGAIN);
	assert(mq_receive(queue, text, 7, NULL) == -1 && errno == EMSGSIZE);
	struct timespec past = { 1, 0 };
	assert(mq_timedreceive(queue, text, 8, NULL, &past) == -1 && errno == ETIMEDOUT);
	assert(mq_timedsend(queue, "x", 2, 3, &past) == 0 && mq_timedreceive(queue, text, 8, &priority, &past) == 2 && priority == 3);
	assert(mq_setattr(queue, &(struct mq_attr){ .mq_flags = O_NONBLOCK }, &now) == 0 && now.mq_flags == 0);
	assert(mq_receive(queue, text, 8, NULL) == -1 && errno == EAGAIN && mq_setattr(queue, &now, NULL) == 0);
	pthread_create(&thread, 0, sender, 0);
	int low = 0, count = 0;
	while (count < 3) {
		ssize_t size = mq_receive(queue, text, 8, &priority); /* ERROR */
		assert(size == (ssize_t)strlen(text) + 1 && priority == (text[0] == 'l' && text[1] == 'o' ? 1 : 7));
		low += priority == 1;
		count++;
#ifdef ORDER
		assert(priority == 7 || count == 3); /* ERROR */
#endif
		assert(shared == 1);
	}
	assert(low == 1);
	pthread_join(thread, 0);
	assert(mq_getattr(queue, &now) == 0 && now.mq_curmsgs == 0 && now.mq_maxmsg == 2);
	assert(mq_unlink("/jobs") == 0 && mq_close(queue) == 0 && mq_close(other) == 0 && mq_close(other) == -1);
	return 0;
}
