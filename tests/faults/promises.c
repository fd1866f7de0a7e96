/* SPDX-License-Identifier: MIT
 *
 * Promises to the compiler: each is kept with -DCASE=0, and broken in the others.
 *
 * RUN: check -DCASE=0
 * EXPECT: verified
 * RUN: check -O2 -DCASE=0
 * EXPECT: verified
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated unreachable
 * RUN: check -O2 -DCASE=1
 * EXPECT: violated unreachable
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated misaligned-access
 * RUN: check -O2 -DCASE=4
 * EXPECT: violated misaligned-access
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated misaligned-access
 * RUN: check -O0 -DCASE=6
 * EXPECT: violated unreachable
 * RUN: check -O0 -DCASE=7
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=8
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=9
 * EXPECT: violated misaligned-access
 */
#include <stddef.h>

__attribute__((nonnull(1))) static int first(const int *given, const int *other) /* ERROR */
{
	return other ? *other : given != NULL;
}

__attribute__((returns_nonnull)) static int *same(int *p)
{
	return p; /* ERROR */
}

static int none_of(int several[static 2])
{
	(void)several;
	return 0;
}

__attribute__((assume_aligned(16))) static char *placed(char *p)
{
	return p;
}

static _Noreturn void never(int go)
{
	while (go)
		;
	__builtin_unreachable(); /* ERROR */
}

static _Alignas(16) char bytes[64];

int main(void)
{
	volatile int three = 3;
	int one = 1, two[2] = { 1, 2 }, *volatile none = NULL, read = three;
	char *volatile at = bytes;
	char *aligned = bytes;
	switch (CASE) {
	case 0:
		__builtin_assume(read == 3);
		first(&one, NULL);
		same(&one);
		none_of(two);
		placed(at + 16);
		aligned = __builtin_assume_aligned(at, 16);
		aligned[0] = 1;
		aligned = __builtin_assume_aligned(at + 4, 16, 4);
		break;
	case 1: __builtin_assume(read == 4); break; /* ERROR */
	case 2: first(none, &one); break;           /* ERROR */
	case 3: same(none); break;
	case 4: aligned = __builtin_assume_aligned(at + 1, 8); break;     /* ERROR */
	case 5: aligned = __builtin_assume_aligned(at + 4, 16, 3); break; /* ERROR */
	case 6: never(read - 3); break;
	case 7: return (read == 3 ? first : NULL)(none, &one);
	case 8: none_of(none); break;            /* ERROR */
	case 9: aligned = placed(at + 8); break; /* ERROR */
	}
	aligned[0] = 2;
	return 0;
}
