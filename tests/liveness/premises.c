/* SPDX-License-Identifier: MIT
 *
 * Many premises: what each is owed is a bit of the claim.  Thread 1 asks and answers six times; with LOST the last answer is lost.
 *
 * RUN: check --ltl '(G(a->F b) && G(c->F d) && G(e->F f) && G(g->F h) && G(i->F j) && G(k->F l)) -> G(c -> F d)'
 * EXPECT: verified
 * RUN: check --fairness none --ltl '(G(a->F b) && G(c->F d) && G(e->F f) && G(g->F h) && G(i->F j) && G(k->F l)) -> G F a'
 * EXPECT: violated ltl
 * RUN: check --ltl '(G(a->F b) && G(c->F d) && G(e->F f) && G(g->F h) && G(i->F j) && G(k->F l) && F l) -> G F a'
 * EXPECT: violated ltl
 * RUN: check -DLOST --ltl '(G(a->F b) && G(c->F d) && G(e->F f) && G(g->F h) && G(i->F j) && G(k->F l)) -> G F a'
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

enum { ASKED = 6 };
static atomic_int v[2 * ASKED];

#define IS(name, number) \
	int name(void) \
	{ \
		return v[number] != 0; \
	}
IS(a, 0)
IS(b, 1)
IS(c, 2)
IS(d, 3)
IS(e, 4)
IS(f, 5)
IS(g, 6)
IS(h, 7)
IS(i, 8)
IS(j, 9)
IS(k, 10)
IS(l, 11)

static void *asks(void *unused)
{
	for (int n = 0; n < ASKED; n++) {
		v[2 * n] = 1;
#ifdef LOST
		if (n == ASKED - 1)
			break;
#endif
		v[2 * n + 1] = 1;
		v[2 * n] = 0;
		v[2 * n + 1] = 0;
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, asks, NULL);
	pthread_join(thread, NULL);
	return 0;
}
