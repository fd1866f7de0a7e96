/* SPDX-License-Identifier: MIT
 *
 * A semaphore by name: two threads open it and mean the same one.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DOTHER_NAME
 * EXPECT: violated deadlock
 * ALSO: --races ignore
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int data;

static void *work(void *unused)
{
#ifdef OTHER_NAME
	sem_t *s = sem_open("/other", O_CREAT, 0600, 0);
#else
	sem_t *s = sem_open("/ready", O_CREAT, 0600, 0);
#endif
	data = 1;
	sem_post(s);
	sem_close(s);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	sem_t *s = sem_open("/ready", O_CREAT, 0600, 0);
	assert(s != SEM_FAILED);
	sem_wait(s); /* ERROR */
	assert(data == 1);
	sem_close(s);
	sem_unlink("/ready");
	pthread_join(thread, NULL);
	return 0;
}
