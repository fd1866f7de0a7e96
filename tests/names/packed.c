/* SPDX-License-Identifier: MIT */
#include <assert.h>

struct __attribute__((packed)) header {
	char kind;
	int length;
	short crc;
	struct __attribute__((packed)) {
		char c;
		double d;
	} body[2];
} header;

struct empty {
};

struct zero {
	int n;
	struct empty nothing;
	char none[0];
	int after;
} zero;

int main(void)
{
	header.kind = 'h';
	header.length = 77;
	header.crc = -2;
	header.body[1].d = 0.75;
	zero.n = 1;
	zero.after = 2;
	assert(!zero.n); /* HERE */
}
