/* SPDX-License-Identifier: MIT */
#include <assert.h>

static _Thread_local int mine, many[3];
_Thread_local struct {
	long a;
	char b;
} pair;
int counter = 1;

static int next(void)
{
	static int counter = 100;
	static struct {
		int calls;
	} stats;
	stats.calls++;
	counter += 2;
	assert(counter + mine + many[2] == 0); /* HERE */
	return counter;
}

void *volatile keep[3];

int main(void)
{
	keep[0] = &mine;
	keep[1] = many;
	keep[2] = &pair;
	mine = 3;
	many[2] = 4;
	pair.b = '!';
	counter = 2;
	return next();
}
