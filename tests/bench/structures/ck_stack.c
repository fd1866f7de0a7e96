/* SPDX-License-Identifier: MIT */
#include <ck_stack.h>
static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t items[4];
void push(int n)
{
	ck_stack_push_upmc(&stack, &items[n]);
}
int pop(void)
{
	ck_stack_entry_t *item = ck_stack_pop_upmc(&stack);
	return item ? (int)(item - items) : -1;
}
void push_any(int n) /* where many pop, an entry may be used again at once */
{
	ck_stack_push_mpmc(&stack, &items[n]);
}
int pop_any(void)
{
	ck_stack_entry_t *item = ck_stack_pop_mpmc(&stack);
	return item ? (int)(item - items) : -1;
}
