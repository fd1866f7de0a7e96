/* SPDX-License-Identifier: MIT */
#include <assert.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }

operation chosen, table[2];
struct {
	void (*done)(void);
	operation *slot;
} hooks;

int main(void)
{
	chosen = add;
	table[1] = sub;
	hooks.slot = &table[1];
	hooks.done = 0;
	assert(chosen(1, 2) == 2 + table[1](5, 5)); /* HERE */
}
