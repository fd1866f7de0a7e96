/* SPDX-License-Identifier: MIT */
#include <assert.h>

typedef struct {
	int x;
	struct {
		int anonymous;
		union {
			int as_int;
			struct {
				char low, high[3];
			} parts;
		};
	};
	struct tag *self;
} thing;
typedef thing pairs[2];
typedef pairs *pointer_to_pairs;

thing one;
pairs two;
pointer_to_pairs p;

int main(void)
{
	one.x = 1;
	one.anonymous = 2;
	one.parts.high[1] = 'h';
	two[1].anonymous = 3;
	p = &two;
	(*p)[0].x = 4;
	assert(!one.x); /* HERE */
}
