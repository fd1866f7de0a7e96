/* SPDX-License-Identifier: MIT
 *
 * Data of several kinds, for simulate.sh.
 */
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <assert.h>
enum colour { RED, GREEN, BLUE };
struct node { struct node *next; int value; char name[8]; enum colour colour; unsigned a : 3, b : 5; };
typedef struct { double x; float y; } point;
static struct node *head;
static point origin = { 1.5, 2.25f };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static int twice(int n) { return 2 * n; }
static int bump(void) { return ++count; }
static void push(int value)
{
	struct node *n = malloc(sizeof *n);
	int index = value * 2;
	*n = (struct node){ .value = value, .name = "abc", .colour = BLUE, .a = 5, .b = 17 };
	pthread_mutex_lock(&m);
	n->next = head;
	head = n;
	count += index;
	pthread_mutex_unlock(&m);
}
static void *work(void *arg)
{
	long n = (long)arg;
	point here = { n, 0.5 };
	for (int i = 0; i < 2; i++)
		push((int)n + i);
	return (void *)(long)here.x;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, (void *)3L);
	push(1);
	printf("count %d\n", count);
	pthread_join(t, NULL);
	assert(count == 16);
	return 0;
}
