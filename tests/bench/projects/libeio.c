/* SPDX-License-Identifier: MIT
 *
 * A thread of the pool works for the loop, which waits until results are there.
 */
#include <assert.h>
#include <eio.h>
#include <semaphore.h>
static sem_t woken;
static int worked, ended;
static void want(void) { sem_post(&woken); }
static void done(void) { }
static void work(eio_req *request) { *(int *)request->data += 1; }
static int end(eio_req *request)
{
	assert(request->data == &worked && worked == 1);
	ended++;
	return 0;
}
int main(void)
{
	sem_init(&woken, 0, 0);
	assert(eio_init(want, done) == 0);
	eio_set_max_parallel(1);
	eio_custom(work, EIO_PRI_DEFAULT, end, &worked);
	while (eio_nreqs()) {
		sem_wait(&woken);
		eio_poll();
	}
	assert(ended == 1);
}
