/* SPDX-License-Identifier: MIT
 *
 * Something depends on an uninitialized value: what is done next, an address, the output of the program.  The
 * value comes from a variable, from malloc, from a part of a structure, from another thread, through arithmetic.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=6
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=7
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=8
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=9
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=10
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=11
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=12
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=13
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=14
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=15
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=16
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=17
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=18
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=19
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=20
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DCASE=21
 * EXPECT: violated mutex-misuse
 * RUN: check -O0 -DCASE=22
 * EXPECT: violated mutex-misuse
 * RUN: check -O0 -DCASE=1 --uninitialized zero
 * EXPECT: verified
 * RUN: check -O0 -DCASE=7 --uninitialized=zero
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };
struct bits { unsigned a : 3, b : 5, c : 1; };

static volatile int zero;
static int table[4];

static int set_if(int condition)
{
	int x;
	if (condition)
		x = 5;
	return x;
}

static void *no_result(void *unused)
{
	uintptr_t result;
	if (zero)
		result = 1;
	return (void *)(result + (uintptr_t)unused);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int memory(void)
{
	struct node *node = malloc(sizeof *node), *copy = malloc(sizeof *copy);
	char text[8], *word = malloc(4);
	int array[3] = { 1 }, *more = realloc(malloc(sizeof(int)), 2 * sizeof *more), numbers[3];
	node->value = 1;
	memcpy(text, "abcd", 4);
	*copy = *node;
	*more = numbers[0] = numbers[2] = 2;
	word[0] = 'x';
	switch (CASE) {
	case 5: if (copy->next != NULL) return 1; break; /* ERROR */
	case 6: if (strlen(text) == 4) return 1; break; /* ERROR */
	case 7: if (more[1] == 3) return 1; break; /* ERROR */
	case 8: printf("%.3s\n", word); break; /* ERROR */
	case 9: if (copy->next->value) return 1; break; /* ERROR */
	case 10: qsort(numbers, 3, sizeof *numbers, compare); break; /* ERROR */
	case 11: if (memcmp(node, copy, sizeof *node)) return 1; break; /* ERROR */
	case 12: if (fwrite(node, sizeof *node, 1, stdout) == 1) return 1; break; /* ERROR */
	}
	return array[1];
}

static int threads(void)
{
	pthread_t thread;
	pthread_mutex_t *mutex = malloc(sizeof *mutex);
	pthread_cond_t condition;
	void *result;
	atomic_int *counter = malloc(sizeof *counter);
	pthread_create(&thread, NULL, no_result, NULL);
	pthread_join(thread, &result);
	switch (CASE) {
	case 18: if (result == NULL) return 1; break; /* ERROR */
	case 19: if (atomic_fetch_add(counter, 1) == 0) return 1; break; /* ERROR */
	case 20: if (atomic_compare_exchange_strong(counter, &table[0], 1)) return 1; break; /* ERROR */
	case 21: if (pthread_mutex_lock(mutex)) return 1; break; /* ERROR */
	case 22: if (pthread_cond_signal(&condition)) return 1; break; /* ERROR */
	}
	return 0;
}

static int arithmetic(void)
{
	int x;
	unsigned short narrow;
	double real;
	struct bits bits;
	bits.a = 1;
	if (zero)
		x = narrow = 1, real = 2;
	switch (CASE) {
	case 13: if ((x & 6) == 2) return 1; break; /* ERROR */
	case 14: if (x / 2 + 7 > 9 ? 1 : 0) return 1; break; /* ERROR */
	case 15: if (real * 0.5 > 1.0) return 1; break; /* ERROR */
	case 16: if (bits.b == 2) return 1; break; /* ERROR */
	case 17: if (table[narrow >> 14]) return 1; break; /* ERROR */
	}
	return 0;
}

int main(void)
{
	int x, y;
	if (CASE == 1 && set_if(zero) == 5) /* ERROR */
		return 1;
	if (CASE == 2)
		printf("%d\n", set_if(zero)); /* ERROR */
	if (CASE == 3)
		switch (x) { /* ERROR */
		case 1: puts("one");
		}
	if (CASE == 4)
		return y; /* ERROR */
	return CASE < 13 ? memory() : CASE < 18 ? arithmetic() : threads();
}
