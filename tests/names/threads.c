/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
	int id;
	int *result;
};

static void *work(void *argument)
{
	struct job *job = argument;
	*job->result = job->id * 2;
	job->id = -1;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int results[2] = { 0 };
	struct job *mine = malloc(sizeof *mine), other = { 5, &results[1] };
	mine->id = 4;
	mine->result = &results[0];
	pthread_create(&thread, NULL, work, mine);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, work, &other);
	pthread_join(thread, NULL);
	assert(!mine); /* HERE */
}
