/* SPDX-License-Identifier: MIT
 *
 * What asks the scheduler for something: processors and priorities, which make no difference; waiting for no files, which is
 * sleeping; the numbers of threads.
 *
 * RUN: check
 * EXPECT: verified for one process id
 * RUN: check -DPRIORITY
 * EXPECT: violated assertion
 * RUN: check -DFILES
 * EXPECT: verified for one process id
 */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/select.h>
#include <unistd.h>

static atomic_int ready;
static atomic_int number;

static void *work(void *unused)
{
	struct timespec wait = { 0, 1000 };
	number = gettid();
	ready = 1;
	assert(ppoll(NULL, 0, &wait, NULL) == 0 && pselect(0, NULL, NULL, NULL, &wait, NULL) == 0);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_attr_t attributes;
	cpu_set_t processors;
	struct sched_param parameter = { .sched_priority = 0 };
	struct timeval wait = { 0, 10 };
	CPU_ZERO(&processors);
	CPU_SET(0, &processors);
	pthread_attr_init(&attributes);
	assert(pthread_attr_setaffinity_np(&attributes, sizeof processors, &processors) == 0);
	assert(sched_setaffinity(0, sizeof processors, &processors) == 0 && sched_setscheduler(0, SCHED_OTHER, &parameter) == 0);
	assert(sched_setparam(0, &parameter) == 0 && gettid() == getpid());
	pthread_create(&thread, &attributes, work, NULL);
	assert(pthread_setaffinity_np(thread, sizeof processors, &processors) == 0);
	assert(pthread_setschedparam(thread, SCHED_OTHER, &parameter) == 0 && pthread_setschedprio(thread, 0) == 0);
#ifdef PRIORITY
	assert(ready); /* with one processor and a low priority of our own it would be */ /* ERROR */
#endif
#ifdef FILES
	struct pollfd input = { .fd = 0, .events = POLLIN };
	assert(poll(&input, 1, 100) == 1 && (input.revents & POLLIN)); /* a file is always ready */
#endif
	while (!ready)
		poll(NULL, 0, 1);
	select(0, NULL, NULL, NULL, &wait);
	pthread_join(thread, NULL);
	assert(number != getpid());
	return 0;
}
