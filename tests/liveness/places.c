/* SPDX-License-Identifier: MIT
 *
 * Propositions about where threads are: in(), at(), done(), terminated, enabled(), blocked(), locking().
 *
 * RUN: check --ltl '[] !(in(inner) && !in(outer))' --ltl '<> in(inner)' --ltl '<> in(inner, 1)'
 * EXPECT: verified
 * RUN: check --ltl '<> in(inner, 0)'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !in(inner, 1)'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> at(here)' --ltl '<> at("here", 1)' --ltl '[] (at(here) -> in(outer, 1))' --ltl '<> at("two words")'
 * EXPECT: verified
 * RUN: check --ltl '[] !at(here)'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> at(here, 0)'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> terminated' --ltl '<> [] (done(0) && done(1))' --ltl '[] (done(0) || terminated -> done(1))'
 * EXPECT: verified
 * RUN: check --ltl '[] !terminated'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (done(1) -> {value == 2})' --ltl '!done(0) U done(1)' --ltl '[] !done(2)'
 * EXPECT: verified
 * RUN: check --ltl '[] !done(1)'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !blocked(0)'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !(blocked(0) && enabled(0))' --ltl 'enabled(0)' --ltl '[] !(done(1) && enabled(1))' --ltl '!enabled(1)'
 * EXPECT: verified
 * RUN: check --ltl '[] !blocked(1)'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !locking(1)'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (locking(1) -> in(outer, 1))' --ltl '[] (locking(1) -> <> !locking(1))'
 * EXPECT: verified
 * RUN: check --ltl '[] (blocked(1) -> locking(1))'
 * EXPECT: verified
 * RUN: check --prop 'inside=in(inner, 1)' --prop 'big=value > 1' --ltl '<> (inside && <> big)'
 * EXPECT: verified
 * RUN: check --prop 'braced={value > 1}' --ltl '[] ({value == 2} -> braced)'
 * EXPECT: verified
 * RUN: check --prop 'big=value > 2' --ltl '<> big'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> is_two' --ltl '[] (is_two() -> {value == 2})'
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include "bitspin.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int value;

int is_two(void)
{
	return value == 2;
}

static void inner(void)
{
	value = 1;
}

static void outer(void)
{
	inner();
	bitspin_label("here");
	pthread_mutex_lock(&mutex);
	value = 2;
	pthread_mutex_unlock(&mutex);
	bitspin_label("two words");
}

static void *work(void *unused)
{
	outer();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
