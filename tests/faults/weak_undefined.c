/* SPDX-License-Identifier: MIT
 *
 * Weak symbols that nothing defines are null.
 *
 * RUN: check -DASKED
 * EXPECT: verified
 * RUN: check -DCALL
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DPOINTER
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DREAD
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DWRITE
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DELEMENT
 * EXPECT: violated null-dereference
 * RUN: check -DCALL --extern hook=choose:1..2
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern int hook(int) __attribute__((weak));
extern int variable __attribute__((weak));
extern int array[4] __attribute__((weak));
extern __typeof__(pthread_self) pthread_self __attribute__((weak));

static int (*table[2])(int) = { hook, NULL };
static int *where = &variable;

__attribute__((weak)) int defined(void) { return 3; }

int main(void)
{
	int (*volatile pointer)(int) = hook;
	(void)pointer, (void)where, (void)table;
	assert(defined() == 3);
#if defined ASKED
	if (hook)
		hook(1);
	if (table[0])
		table[0](1);
	if (where)
		*where = 1;
	assert(!pointer && !table[0] && !where && !&variable && !array);
	assert(pthread_self && pthread_self() == pthread_self());
#elif defined CALL
	return hook(1) == 0; /* ERROR */
#elif defined POINTER
	return pointer(1); /* ERROR */
#elif defined READ
	return variable; /* ERROR */
#elif defined WRITE
	*where = 1; /* ERROR */
#elif defined ELEMENT
	return array[2]; /* ERROR */
#endif
	return 0;
}
