/* SPDX-License-Identifier: MIT
 *
 * Pointers that are not aligned as their type demands; memcpy, packed structures and types of lesser alignment are right.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated misaligned-access
 * RUN: check -O0 -DCASE=1 --alignment ignore
 * EXPECT: verified
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated misaligned-access
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated misaligned-access
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated misaligned-access
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated misaligned-access
 * RUN: check -O0 -DCASE=6
 * EXPECT: violated null-dereference
 * RUN: check -DCASE=7
 * EXPECT: verified
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) packed { char tag; int value; struct { short s; long l; } inner; };
struct plain { char tag; int value; long l; };
typedef int loose __attribute__((aligned(1)));
typedef int four __attribute__((vector_size(16)));

static _Alignas(16) char bytes[64];

static int fine(void)
{
	struct packed p = { 1, 2, { 3, 4 } }, array[3] = { p, p, p };
	p.value++;
	array[1].inner.l = p.inner.l + array[2].value;
	loose *l = (loose *)(bytes + 3);
	*l = 5;
	int value;
	memcpy(&value, bytes + 3, sizeof value);
	char *raw = malloc(64), *aligned = (char *)(((uintptr_t)raw + 1 + 15) & ~(uintptr_t)15);
	*(four *)aligned = (four){ 1, 2, 3, 4 };
	*(long *)(raw + 8) = value;
	long double *x = (long double *)raw;
	*x = 1;
	uint16_t *pair = (uint16_t *)(raw + 2);
	pair[1] = pair[0];
	struct plain plain = { 1, 2, 3 }, *q = aligned_alloc(64, 64);
	*q = plain;
	int sum = q->value + value + (int)array[1].inner.l;
	free(raw);
	free(q);
	return sum;
}

int main(void)
{
	switch (CASE) {
	case 1: return *(int *)(bytes + 1); /* ERROR */
	case 2: *(long *)(bytes + 4) = 1; return 0; /* ERROR */
	case 3: ((struct plain *)(bytes + 2))->value = 1; return 0; /* ERROR */
	case 4: return atomic_fetch_add((_Atomic int *)(bytes + 6), 1); /* ERROR */
	case 5: {
		struct packed p = { 0 };
		int *value = (int *)((char *)&p + 1);
		*value = 1; /* ERROR */
		return p.value;
	}
	case 6: return *(int *)3; /* ERROR */
	case 7: return fine() == 0;
	}
	return 0;
}
