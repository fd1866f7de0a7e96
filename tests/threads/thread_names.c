/* SPDX-License-Identifier: MIT
 *
 * Names and attributes of threads that run.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -O0 -DTOO_EARLY
 * EXPECT: violated assertion
 * RUN: check -DDETACHED
 * EXPECT: verified
 * RUN: check -DSTACK
 * EXPECT: inconclusive: the address of a thread's stack is not modelled
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t named, done;

static void *work(void *unused)
{
	char name[16];
	assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "first") == 0);
	assert(pthread_setname_np(pthread_self(), "much too long a name") == ERANGE);
	pthread_setname_np(pthread_self(), "worker");
#ifdef DETACHED /* who may still ask about itself, also by the way of Linux */
	pthread_attr_t own;
	pthread_detach(pthread_self());
	prctl(PR_GET_NAME, name);
	assert(strcmp(name, "worker") == 0);
	prctl(PR_SET_NAME, "a longer name than sixteen");
	assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "a longer name t") == 0);
	assert(pthread_getattr_np(pthread_self(), &own) == 0);
	return unused;
#endif
	sem_post(&named);
	sem_wait(&done);
	return unused;
}

int main(void)
{
	char name[16];
	pthread_t thread;
	pthread_attr_t wanted, found;
	size_t size;
	int state;
	sem_init(&named, 0, 0);
	sem_init(&done, 0, 0);
	pthread_setname_np(pthread_self(), "first");
	pthread_attr_init(&wanted);
	pthread_attr_setstacksize(&wanted, 1 << 17);
	pthread_create(&thread, &wanted, work, NULL);
#ifdef DETACHED
	pthread_exit(NULL);
#endif
#ifndef TOO_EARLY
	sem_wait(&named);
#endif
	assert(pthread_getname_np(thread, name, 15) == ERANGE);
	assert(pthread_getname_np(thread, name, sizeof name) == 0);
	assert(strcmp(name, "worker") == 0); /* ERROR */
	assert(pthread_getattr_np(thread, &found) == 0);
	assert(pthread_attr_getstacksize(&found, &size) == 0 && size == 1 << 17);
	assert(pthread_attr_getdetachstate(&found, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
#ifdef STACK
	void *address;
	pthread_attr_getstack(&found, &address, &size);
#endif
	assert(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0) > 0);
	assert(syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0) == 0);
	assert(syscall(SYS_membarrier, 3, 0) == -1 && errno == EINVAL);
	sem_post(&done);
	pthread_join(thread, NULL);
}
