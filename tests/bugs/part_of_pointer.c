/* SPDX-License-Identifier: MIT
 *
 * A part of a pointer is written over with a number: it then points to another element.  Slicing once took it to point where it
 * did before, so that what is written there seemed to matter to nobody.
 *
 * RUN: check --reduction all,slicing -O0 -DCHANGE='first[0] = 4'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DCHANGE='first[0] = 8'
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DCHANGE='first[0] += 4'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DCHANGE='memset((void *)first, 4, 1)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DCHANGE='memset((void *)first, 8, n)'
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DCHANGE='memset((void *)first, 4, n)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DCHANGE='memcpy((void *)first, (void *)&four, 1)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DCHANGE='memcpy((void *)first, (void *)&four, n)'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DCHANGE='memcpy((void *)&both, &later, 9); where.pointer = both.pointer'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DCHANGE='struct odd o = { where.pointer }; o.first[0] = 4; where.pointer = o.pointer'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DCHANGE='strcpy((char *)first, "\4")'
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DCHANGE='sprintf((char *)first, "%s", "\4")'
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The address of array is a multiple of 256 in the model, as that of each object is; natively of so many that nothing changes. */
static _Alignas(256) volatile int array[4];

union place {
	volatile int *volatile pointer;
	volatile unsigned char parts[8];
};
struct __attribute__((packed)) odd {
	union {
		volatile int *volatile pointer;
		volatile unsigned char first[8];
	};
	int more;
};
struct pair {
	volatile int *volatile before;
	volatile int *volatile pointer;
};

static union place where;
static struct pair both = { &array[3], &array[0] };
static struct {
	volatile int *pointer;
	unsigned char four[8];
} later = { &array[3], { 4 } };
static volatile size_t n = 1;

int main(void)
{
	volatile unsigned char *first = where.parts, four = 4;
	(void)four;
	where.pointer = &array[0];
	CHANGE;
	*where.pointer = 5;
	assert(array[1] != 5); /* ERROR */
	return 0;
}
