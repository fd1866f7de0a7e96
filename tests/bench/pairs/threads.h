/* SPDX-License-Identifier: MIT
 *
 * What programs of this directory and of states/ share: main creates N threads, which know their numbers, and joins them in
 * turn.
 */
static int run(void *(*work)(void *))
{
	pthread_t threads[N];
	for (long i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
