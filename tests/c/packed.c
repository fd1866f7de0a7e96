/* SPDX-License-Identifier: MIT
 *
 * Packed and padded structs, unaligned access, arrays of packed structs, bit-fields across bytes.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct __attribute__((packed)) header { uint8_t kind; uint32_t length; uint16_t check; };
struct padded { char a; long b; char c; };
struct __attribute__((packed)) bits { unsigned a : 3, b : 11, c : 5; };

static struct header table[3] = {{1, 0x11223344, 2}, {3, 4, 5}};

int main(void)
{
	assert(sizeof(struct header) == 7 && offsetof(struct header, check) == 5 && sizeof(struct padded) == 24);
	table[2] = table[0];
	table[2].length++;
	assert(table[2].length == 0x11223345 && table[1].check == 5 && table[2].check == 2);
	const unsigned char *raw = (const unsigned char *)&table[2];
	assert(raw[0] == 1 && raw[1] == 0x45 && raw[4] == 0x11);
	uint32_t unaligned;
	memcpy(&unaligned, raw + 2, sizeof unaligned);
	assert(unaligned == 0x02112233);
	struct bits b = {0};
	b.b = 1234;
	b.c = 17;
	b.a = 5;
	assert(sizeof b == 3 && b.a == 5 && b.b == 1234 && b.c == 17);
	struct padded p;
	memset(&p, 0xff, sizeof p);
	p.a = 1, p.b = 2, p.c = 3;
	assert(p.a + p.b + p.c == 6);
	return 0;
}
