/* SPDX-License-Identifier: MIT
 *
 * Where something depends on the values of addresses, the report says so, with the line; tests/cli.sh looks for that.  -DPLAIN has
 * all that depends on none.
 *
 * RUN: check -DPLAIN
 * EXPECT: verified
 * RUN: check -DORDER
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; int value; };

static struct node first, second, array[10];
static volatile int sink;

static unsigned hash(uintptr_t key)
{
	return (unsigned)(key * 2654435761u >> 20) % 16;
}

int main(void)
{
	struct node *p = malloc(sizeof *p), *q = malloc(sizeof *q), local;
	if (!p || !q)
		return 0;
	local.next = NULL;
#if defined ORDER
	sink = p < q; /* HERE */
#elif defined ORDER_NUMBERS
	sink = (uintptr_t)p < (uintptr_t)q; /* HERE */
#elif defined ORDER_GLOBALS
	struct node *volatile a = &first, *volatile b = &second;
	sink = a > b; /* HERE */
#elif defined ORDER_LOCAL
	sink = (char *)&local < (char *)q; /* HERE */
#elif defined DISTANCE
	sink = (int)(p - q); /* HERE */
#elif defined HASH
	sink = (int)((uintptr_t)p >> 4 & 7); /* HERE */
#elif defined HASH_CALLED
	sink = (int)hash((uintptr_t)q);
#elif defined HASH_GLOBAL
	struct node *volatile a = &first;
	sink = (int)((uintptr_t)a / 8 % 13); /* HERE */
#elif defined BYTES
	unsigned h = 0;
	for (unsigned i = 0; i < sizeof p; i++)
		h = h * 31 + ((unsigned char *)&p)[i]; /* HERE */
	sink = (int)h;
#elif defined PRINTED
	printf("%p\n", (void *)p); /* HERE */
#elif defined PRINTED_NUMBER
	printf("%lx\n", (unsigned long)(uintptr_t)p); /* HERE */
#elif defined ALIGNED
	sink = ((uintptr_t)p & 63) == 0; /* HERE */
#elif defined NARROW
	sink = (int)(uintptr_t)p; /* HERE */
#else /* PLAIN */
	sink = p == q || !p || p != &first;
	sink = (uintptr_t)p == (uintptr_t)q;
	sink = ((uintptr_t)p & 7) == 0 && (uintptr_t)p % 16 == 0;
	sink = (int)(uintptr_t)p & 3;
	sink = p > (struct node *)0;
	for (struct node *n = array; n < array + 10; n++)
		n->value = 1;
	struct node *end = array + 10;
	sink = (int)(end - array);
	uintptr_t tagged = (uintptr_t)p | 1;
	p = (struct node *)(tagged & ~(uintptr_t)1);
	uintptr_t high = (uintptr_t)q | (uintptr_t)0x17 << 48;
	sink = (int)(high >> 48);
	q = (struct node *)(high & 0xffffffffffff);
	struct node copy = { p, 3 }, other;
	for (unsigned i = 0; i < sizeof copy; i++)
		((char *)&other)[i] = ((char *)&copy)[i];
	sink = other.next == p;
	sink = (int)hash(sizeof copy);
	printf("%d %s\n", copy.value, "text");
#endif
	free(p);
	free(q);
	return local.next != NULL;
}
