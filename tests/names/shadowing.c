/* SPDX-License-Identifier: MIT */
#include <assert.h>

void *volatile keep[4];
int value = 1;

int main(void)
{
	keep[0] = &value;
	{
		int value = 2;
		keep[1] = &value;
		value = 3;
		{
			int value = 4;
			keep[2] = &value;
			value = 5;
			assert(!value); /* HERE */
		}
	}
}
