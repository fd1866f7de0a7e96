/* SPDX-License-Identifier: MIT
 *
 * Propositions that read through pointers, call functions and see what the file sees: what they read may change from state to
 * state.  One that faults in some state is a violation of kind ltl, with the reason.  (An optimiser may take a null pointer's
 * reading and a write that nobody reads away: two are not optimised.)
 *
 * RUN: check --ltl '<> [] {list && list->next && list->next->value == LAST}'
 * EXPECT: verified
 * RUN: check --ltl '[] ({list != 0} -> <> {length(list) == 2})' --ltl '{!list} W {list && list->value == FIRST}'
 * EXPECT: verified
 * RUN: check --ltl '[] {length(list) < 2}'
 * EXPECT: violated ltl
 * RUN: check -O0 --ltl '<> {list->value == FIRST}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] {!list || 10 / list->value != 3}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] {forever()}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] {writes()}'
 * EXPECT: violated ltl
 * RUN: check -O0 --ltl '[] {(calls = 1)}'
 * EXPECT: violated ltl
 */
#include <stdatomic.h>
#include <stdlib.h>

enum { FIRST = 3, LAST = 4 };
struct node {
	_Atomic(struct node *) next;
	int value;
};
static _Atomic(struct node *) list;
static int calls;

static int length(struct node *node)
{
	return node ? 1 + length(node->next) : 0;
}

static int forever(void)
{
	while (!calls)
		;
	return 1;
}

static int writes(void)
{
	return ++calls;
}

int main(void)
{
	(void)length, (void)forever, (void)writes;
	struct node *first = calloc(1, sizeof *first), *last = calloc(1, sizeof *last);
	first->value = FIRST;
	last->value = LAST;
	list = first;
	first->next = last;
	return 0;
}
