/* SPDX-License-Identifier: MIT */
#include <assert.h>

const char *name, *names[3], *rest;
const char greeting[] = "hello";
const struct {
	int id;
	const char *text;
} entry = { 1, "entry" };
const char *copy;
const void *where;

int main(void)
{
	name = "plain";
	names[1] = "with \"quotes\" and \n";
	rest = name + 2;
	copy = greeting;
	where = &entry;
	names[2] = &greeting[3];
	copy = entry.text;
	assert(!name); /* HERE */
}
