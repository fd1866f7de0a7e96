/* SPDX-License-Identifier: MIT */
#include <assert.h>

struct point {
	int x, y;
};

struct {
	char name[6];
	struct point corners[2][3];
	struct {
		short deep;
		struct point at;
	} inner;
} shape;

struct point points[4], *last;

int main(void)
{
	shape.name[2] = 'q';
	shape.corners[1][2].y = -7;
	shape.inner.deep = 3;
	shape.inner.at.x = 4;
	points[3].x = 5;
	last = &points[3];
	last->y = 6;
	assert(!last); /* HERE */
}
