/* SPDX-License-Identifier: MIT
 *
 * Break a file: standard input to standard output, with some changes that follow from the seed.
 *
 *     usage: corrupt SEED
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

static uint64_t state;

static size_t pick(size_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return below ? (size_t)(state >> 33) % below : 0;
}

int main(int argc, char **argv)
{
	static unsigned char bytes[2 * MOST];
	size_t size = fread(bytes, 1, MOST, stdin);
	state = argc > 1 ? strtoul(argv[1], NULL, 10) * UINT64_C(0x9E3779B97F4A7C15) : 0;
	for (size_t changes = 1 + pick(pick(2) ? 3 : 30); changes; changes--) {
		size_t at = pick(size), length = 1 + pick(64);
		if (length > size - at)
			length = size - at;
		switch (pick(8)) {
		case 0: bytes[at] = (unsigned char)pick(256); break;
		case 1: memset(bytes + at, pick(2) ? 0xff : 0, length); break;
		case 2: memmove(bytes + at, bytes + pick(size - length + 1), length); break;
		case 3: /* doubled */
			if (size + length < sizeof bytes) {
				memmove(bytes + at + length, bytes + at, size - at);
				size += length;
			}
			break;
		case 4: /* cut out */
			memmove(bytes + at, bytes + at + length, size - at - length);
			size -= length;
			break;
		case 5:
			if (pick(8) == 0)
				size = at;
			break;
		default: bytes[at] ^= (unsigned char)(1u << pick(8)); break;
		}
	}
	fwrite(bytes, 1, size, stdout);
	return 0;
}
