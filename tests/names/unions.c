/* SPDX-License-Identifier: MIT */
#include <assert.h>

union mixed {
	int i;
	float f;
	char c[8];
	long l;
};

struct {
	int kind;
	union {
		double number;
		char letter;
		struct {
			short a, b;
		};
	};
} value, number, letter;

union mixed mixed, floating, whole, letters;

int main(void)
{
	floating.f = 1.5f;
	mixed.i = 7;
	letters.c[5] = 'x';
	whole.l = 99;
	value.kind = 1;
	number.number = -2.5;
	letter.letter = 'k';
	value.b = 12;
	assert(mixed.i == 0); /* HERE */
}
