/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

int *numbers, *other;

int main(void)
{
	numbers = malloc(2 * sizeof *numbers);
	numbers[0] = 1;
	numbers[1] = 2;
	numbers = realloc(numbers, 8 * sizeof *numbers);
	numbers[7] = 70;
	other = calloc(3, sizeof *other);
	other[2] = 5;
	assert(!numbers); /* HERE */
}
