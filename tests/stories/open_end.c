/* SPDX-License-Identifier: MIT
 *
 * The reader of a pipe waits for its end, but the program still holds the writing end itself.
 */
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused)
{
	char byte;
	while (read(ends[0], &byte, 1) > 0)
		;
	return unused;
}

int main(void)
{
	pthread_t thread;
	if (pipe(ends) < 0)
		return 1;
	pthread_create(&thread, NULL, reader, NULL);
	if (write(ends[1], "x", 1) != 1)
		return 1;
	pthread_join(thread, NULL); /* before close(ends[1]) */
	close(ends[1]);
}
