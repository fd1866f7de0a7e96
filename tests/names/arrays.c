/* SPDX-License-Identifier: MIT */
#include <assert.h>

int cube[2][3][4];
char words[3][8];
int *rows[2];
struct {
	int m[2][2];
} blocks[2];
int (*plane)[4];

int main(void)
{
	cube[1][2][3] = 123;
	words[2][1] = 'w';
	rows[1] = cube[1][1];
	rows[1][2] = 112;
	blocks[1].m[1][0] = 110;
	plane = cube[1];
	plane[0][1] = 101;
	assert(!cube[1][2][3]); /* HERE */
}
