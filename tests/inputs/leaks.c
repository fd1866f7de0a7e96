/* SPDX-License-Identifier: MIT
 *
 * Memory that leaks for some values of an input only.  An input is no pointer, so a word of memory that may be any number keeps
 * nothing from being a leak.
 *
 * RUN: check -O0 --leaks -DRARE
 * EXPECT: violated memory-leak
 * RUN: check -O0 --leaks --inputs sets -DRARE
 * EXPECT: violated memory-leak
 * RUN: check -O0 --leaks --inputs symbolic -DRARE
 * EXPECT: violated memory-leak
 * RUN: check -O0 --leaks --inputs sets -DFREED
 * EXPECT: verified
 * RUN: check -O0 --leaks --inputs symbolic -DFREED
 * EXPECT: verified
 * RUN: check -O0 --leaks --inputs sets -DWORD
 * EXPECT: violated memory-leak
 * RUN: check -O0 --leaks --inputs sets -DCHOSEN
 * EXPECT: violated memory-leak
 * RUN: check -O0 --leaks --inputs sets -DKEPT
 * EXPECT: verified
 * RUN: check -O0 --leaks --inputs symbolic -DKEPT
 * EXPECT: verified
 * RUN: check -O0 --leaks --inputs sets -DTHREAD
 * EXPECT: violated memory-leak
 * RUN: check -O0 --leaks --inputs sets -DHANDED
 * EXPECT: verified
 * RUN: check -O0 --leaks --inputs sets -DINSIDE
 * EXPECT: verified
 */
#include <assert.h>
#include <bitspin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static long word;
static int *kept[2];
static _Atomic(int *) handed;

static int *fresh(void)
{
	int *p = malloc(sizeof *p); /* ERROR */
	if (!p)
		exit(0);
	*p = 0;
	return p;
}

static void *work(void *unused)
{
	int *p = fresh();
	int n = bitspin_any_int();
#ifdef HANDED
	if (n % 2)
		handed = p;
	else
		free(p);
#else
	if (n != -5)
		free(p);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	int n = bitspin_any_int();
	int *p = NULL;
#if defined RARE
	p = fresh();
	if (n != 1234567)
		free(p);
#elif defined FREED
	p = n > 17 ? fresh() : NULL;
	free(p);
#elif defined WORD
	word = bitspin_any_long();
	p = fresh();
	if (n < 5)
		free(p);
#elif defined CHOSEN
	kept[n > 3] = fresh();
	kept[0] = NULL;
#elif defined KEPT
	kept[n > 3] = fresh();
	p = kept[0] ? kept[0] : kept[1];
	*p = n;
	if (*p == 8)
		free(p);
#elif defined INSIDE
	int **holder = malloc(2 * sizeof *holder);
	if (!holder)
		exit(0);
	holder[0] = holder[1] = NULL;
	holder[n & 1] = fresh();
	free(holder[0]);
	free(holder[1]);
	free(holder);
#else
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	free(handed);
#endif
	p = NULL;
	(void)thread;
	return 0;
}
