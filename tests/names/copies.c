/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

struct record {
	int id;
	char name[12];
	long total;
} a, b, records[3];

char text[16];

int main(void)
{
	a.id = 1;
	strcpy(a.name, "first");
	a.total = 10;
	b = a;
	b.total++;
	records[1] = b;
	records[1].id = 3;
	memset(&records[2], 0, sizeof records[2]);
	memcpy(text, "copied", 7);
	text[0] = 'C';
	assert(!a.id); /* HERE */
}
