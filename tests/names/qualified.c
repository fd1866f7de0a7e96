/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdatomic.h>

volatile int v;
_Atomic int a;
atomic_uint au;
_Atomic(int *) ap;
const int *pc;
int *const volatile vp = 0;
volatile struct {
	const int fixed;
	_Atomic long inner;
	volatile char c;
} s;
typedef volatile unsigned reg;
reg regs[4];

int main(void)
{
	v = 1;
	a = 2;
	au = 3;
	atomic_fetch_add(&au, 4);
	ap = (int *)&v;
	pc = (const int *)&s.fixed;
	s.inner = 5;
	s.c = 'v';
	regs[3] = 6;
	atomic_store(&a, 8);
	assert(!v); /* HERE */
}
