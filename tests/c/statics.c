/* SPDX-License-Identifier: MIT
 *
 * Static locals, extern declarations, tentative definitions, zero-initialised and constant data.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>

static int tentative;
static int tentative;
extern int later;
static const char *const names[] = {"zero", "one", "two"};
static const struct { int x, y[3]; } constants = {1, {2, 3}};
static int zeros[100];

static int counter(void)
{
	static int count = 10;
	return count++;
}

static int *slot(int reset)
{
	static int value;
	if (reset)
		value = 0;
	value++;
	return &value;
}

static int each(int n)
{
	static int calls;
	calls++;
	if (n > 0)
		each(n - 1);
	return calls;
}

int main(void)
{
	assert(tentative == 0 && later == 7);
	later++;
	assert(counter() == 10 && counter() == 11 && counter() == 12);
	int *p = slot(0);
	assert(slot(0) == p && *p == 2 && *slot(1) == 1);
	assert(each(5) == 6 && each(0) == 7);
	assert(names[2][1] == 'w' && names[1][3] == 0);
	assert(constants.y[1] == 3 && constants.y[2] == 0 && zeros[99] == 0 && later == 8);
	return 0;
}

int later = 7;
