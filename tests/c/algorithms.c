/* SPDX-License-Identifier: MIT
 *
 * Small programs: sorting, a hash table, a string builder, primes, matrices, a bit board.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void quicksort(int *v, int n)
{
	if (n < 2)
		return;
	int pivot = v[n / 2], i = 0, j = n - 1;
	for (;; i++, j--) {
		while (v[i] < pivot)
			i++;
		while (v[j] > pivot)
			j--;
		if (i >= j)
			break;
		int t = v[i];
		v[i] = v[j];
		v[j] = t;
	}
	quicksort(v, i);
	quicksort(v + i, n - i);
}

struct entry { struct entry *next; char *key; int value; };
static struct entry *buckets[8];

static int *lookup(const char *key)
{
	uint32_t hash = 2166136261u;
	for (const char *p = key; *p; p++)
		hash = (hash ^ (uint8_t)*p) * 16777619u;
	struct entry **where = &buckets[hash % 8];
	for (; *where; where = &(*where)->next)
		if (!strcmp((*where)->key, key))
			return &(*where)->value;
	*where = calloc(1, sizeof **where);
	(*where)->key = strdup(key);
	return &(*where)->value;
}

static int primes(int limit)
{
	unsigned char *composite = calloc((size_t)limit, 1);
	int count = 0;
	for (int i = 2; i < limit; i++) {
		if (composite[i])
			continue;
		count++;
		for (int j = 2 * i; j < limit; j += i)
			composite[j] = 1;
	}
	free(composite);
	return count;
}

int main(void)
{
	uint32_t random = 1;
	int v[40];
	for (int i = 0; i < 40; i++) {
		random = random * 1103515245 + 12345;
		v[i] = (int)(random >> 16) % 100 - 50;
	}
	quicksort(v, 40);
	for (int i = 1; i < 40; i++)
		assert(v[i - 1] <= v[i]);
	const char *words[] = {"one", "two", "three", "two", "one", "two"};
	for (int i = 0; i < 6; i++)
		++*lookup(words[i]);
	assert(*lookup("one") == 2 && *lookup("two") == 3 && *lookup("three") == 1 && *lookup("four") == 0);
	assert(primes(200) == 46);
	uint64_t board = 1, moved = 0;
	for (int i = 0; i < 63; i++) {
		board = board << 1 | board >> 63;
		moved |= board;
	}
	assert(moved == ~1ull);
	return 0;
}
