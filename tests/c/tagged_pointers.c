/* SPDX-License-Identifier: MIT
 *
 * Pointers and integers: round trips, tags in the low and in the high bits, alignment, xor lists, hashing of order.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct cell { long value; struct cell *next; };

static struct cell global = {5, 0};

int main(void)
{
	struct cell *heap = malloc(sizeof *heap), local = {7, 0};
	heap->value = 6;
	struct cell *cells[] = {&global, heap, &local};
	for (int i = 0; i < 3; i++) {
		uintptr_t bits = (uintptr_t)cells[i];
		assert(bits != 0 && bits % _Alignof(struct cell) == 0);
		uintptr_t tagged = bits | 1;
		assert((tagged & 1) && ((struct cell *)(tagged & ~(uintptr_t)1))->value == 5 + i);
		assert(((struct cell *)(tagged - 1))->value == 5 + i);
		uint64_t packed = (uint64_t)bits | (uint64_t)0xabcd << 48;
		assert(packed >> 48 == 0xabcd && ((struct cell *)(packed << 16 >> 16))->value == 5 + i);
		intptr_t offset = (intptr_t)&cells[i]->next - (intptr_t)cells[i];
		assert(offset == sizeof(long));
	}
	uintptr_t mixed = (uintptr_t)heap ^ (uintptr_t)&local;
	assert(((struct cell *)(mixed ^ (uintptr_t)&local))->value == 6);
	assert(((struct cell *)(mixed ^ (uintptr_t)heap))->value == 7);
	assert((uintptr_t)heap != (uintptr_t)&local && (uintptr_t)NULL == 0);
	void *number = (void *)(intptr_t)-17;
	assert((intptr_t)number == -17 && (int)(intptr_t)number == -17);
	unsigned char bytes[sizeof heap];
	for (unsigned i = 0; i < sizeof heap; i++)
		bytes[i] = ((unsigned char *)&heap)[i];
	struct cell *again;
	for (unsigned i = 0; i < sizeof heap; i++)
		((unsigned char *)&again)[i] = bytes[i];
	assert(again == heap && again->value == 6);
	free(again);
	return 0;
}
