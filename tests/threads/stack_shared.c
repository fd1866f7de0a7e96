/* SPDX-License-Identifier: MIT
 *
 * A thread works on main's stack; arguments differ.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

struct job { int in, out; };

static void *work(void *argument)
{
	struct job *job = argument;
	int local[2] = {job->in, 1};
	for (int *p = local; p < local + 2; p++)
		job->out += *p;
	return job;
}

int main(void)
{
	struct job jobs[2] = {{1, 0}, {20, 0}};
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &jobs[i]);
	for (int i = 0; i < 2; i++) {
		void *result;
		pthread_join(threads[i], &result);
		assert(result == &jobs[i]);
	}
	assert(jobs[0].out == 2 && jobs[1].out == 21);
	return 0;
}
