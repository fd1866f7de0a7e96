/* SPDX-License-Identifier: MIT
 *
 * Mutual exclusion of two threads without locks (Peterson 1981): each says that it wants in, gives way to the other, and waits
 * while the other wants in and has been given way to.  Both properties that matter hold: never both in, and who wants in gets in.
 *
 * With -DHASTY a thread gives way before it says that it wants in: both may be in at once.  With -DSTUBBORN nobody gives way:
 * both may wait for ever.
 *
 *     bitspin check --ltl '[] !(in(critical, 1) && in(critical, 2))' --ltl '[] (in(enter, 1) -> <> in(critical, 1))' \
 *         examples/peterson.c
 *
 * RUN: check --ltl '[] !(in(critical, 1) && in(critical, 2))' --ltl '[] (in(enter, 1) -> <> in(critical, 1))'
 * EXPECT: verified
 * RUN: check -DHASTY --ltl '[] !(in(critical, 1) && in(critical, 2))'
 * EXPECT: violated ltl
 * RUN: check -DSTUBBORN --ltl '[] !(in(critical, 1) && in(critical, 2))'
 * EXPECT: verified
 * RUN: check -DSTUBBORN --ltl '[] (in(enter, 1) -> <> in(critical, 1))'
 * EXPECT: violated ltl
 * RUN: check -DSTUBBORN --fairness strong --ltl '[] (in(enter, 1) -> <> in(critical, 1))'
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
atomic_int gives_way; /* not static: at -O1, clang 14 makes what one function uses local to it, atomic or not */
static atomic_int visits;

static void enter(int me)
{
#if defined HASTY
	gives_way = me;
	wants[me] = true;
#elif defined STUBBORN
	gives_way = me;
	wants[me] = true;
	while (wants[!me])
		;
	return;
#else
	wants[me] = true;
	gives_way = me;
#endif
	while (wants[!me] && gives_way == me)
		;
}

static void critical(void)
{
	visits = !visits;
}

static void leave(int me)
{
	wants[me] = false;
}

static void *work(void *argument)
{
	int me = (int)(intptr_t)argument;
	for (;;) {
		enter(me);
		critical();
		leave(me);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
