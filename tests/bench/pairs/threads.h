/* SPDX-License-Identifier: MIT
 *
 * What programs of this directory, of states/ and of published/ share: main creates N threads, which know their numbers, and joins
 * them in turn.  Or as people write it otherwise:
 *
 *     LEAVES      main does not join them
 *     DETACHED    they are detached, and not joined
 *     POINTER     the number is passed by pointer
 *     RACES       ... by pointer to the counter of main's loop
 */
#ifdef POINTER
static int numbers[N];
#define ARGUMENT(i) (numbers[i] = (int)(i), &numbers[i])
#define NUMBER(argument) (*(int *)(argument))
#elif defined RACES
#define ARGUMENT(i) (&(i))
#define NUMBER(argument) ((int)*(long *)(argument))
#else
#define ARGUMENT(i) ((void *)(i))
#define NUMBER(argument) ((int)(long)(argument))
#endif

static int run(void *(*work)(void *))
{
	pthread_t threads[N];
	for (long i = 0; i < N; i++) {
		pthread_create(&threads[i], NULL, work, ARGUMENT(i));
#ifdef DETACHED
		pthread_detach(threads[i]);
#endif
	}
#if !defined LEAVES && !defined DETACHED
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
#endif
	return 0;
}
