/* SPDX-License-Identifier: MIT
 *
 * switch with ranges, fall-through and 64-bit values, goto in and out of loops, do-while, nested break and
 * continue, comma, Duff's device.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdint.h>

static int classify(long x)
{
	switch (x) {
	case -5: return 1;
	case 0 ... 9: return 2;
	case 100: x++; /* fall through */
	case 101: return (int)x;
	case INT64_MAX: return 3;
	case INT64_MIN: return 4;
	default: return 0;
	}
}

static int dense(unsigned char c)
{
	switch (c) {
	case 'a': return 1;
	case 'b': return 10;
	case 'c': return 100;
	case 'd': return 1000;
	case 'e': return 10000;
	case 255: return 7;
	}
	return -1;
}

static void duff(char *to, const char *from, int count)
{
	int n = (count + 3) / 4;
	switch (count % 4) {
	case 0: do { *to++ = *from++; /* fall through */
	case 3: *to++ = *from++; /* fall through */
	case 2: *to++ = *from++; /* fall through */
	case 1: *to++ = *from++;
		} while (--n > 0);
	}
}

static int collatz(int n)
{
	int steps = 0;
again:
	if (n == 1)
		goto out;
	n = n % 2 ? 3 * n + 1 : n / 2;
	steps++;
	goto again;
out:
	return steps;
}

int main(void)
{
	assert(classify(-5) == 1 && classify(0) == 2 && classify(9) == 2 && classify(10) == 0);
	assert(classify(100) == 101 && classify(101) == 101 && classify(INT64_MAX) == 3 && classify(INT64_MIN) == 4);
	assert(dense('a') == 1 && dense('e') == 10000 && dense('f') == -1 && dense(255) == 7);
	char to[8] = "", from[] = "abcdefg";
	duff(to, from, 7);
	assert(to[6] == 'g' && to[0] == 'a' && to[7] == 0);
	assert(collatz(27) == 111);
	int found = 0, looked = 0;
	for (int i = 0; i < 10; i++) {
		for (int j = 0; j < 10; j++) {
			if (j > i)
				break;
			if ((i + j) % 2)
				continue;
			looked++;
			if (i * j == 35) {
				found = i;
				goto done;
			}
		}
	}
done:
	assert(found == 7 && looked == 19);
	int k = 0;
	do {
		k++;
	} while (k < 0);
	assert(k == 1 && (k++, k * 2) == 4);
	static void *const labels[] = {&&one, &&two};
	int i = 0;
next:
	goto *labels[i];
one:
	i++;
	k += 10;
	goto next;
two:
	assert(k == 12);
	return 0;
}
