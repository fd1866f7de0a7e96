/* SPDX-License-Identifier: MIT
 *
 * printf and its kin read and write what their variable arguments point to, which other threads use.  Thread `writer`, created
 * first, does FIRST; thread `other` does SECOND.
 *
 * %n, of a call with arguments and of one with a va_list:
 * RUN: check --races ignore -DFIRST='printf("ab%n", (int *)&x)' -DSECOND='int r = x, s = x; assert(r == s)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DFIRST='say("ab%n", (int *)&x)' -DSECOND='int r = x, s = x; assert(r == s)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DFIRST='say("ab%n", (int *)&y)' -DSECOND='int r = x, s = x; assert(r == s)'
 * EXPECT: verified
 * RUN: check --races ignore --preemptions 1 -DFIRST='say("%d%n", 5, (int *)&x)' -DSECOND='int r = x, s = x; assert(r == s)'
 * EXPECT: violated assertion
 * More arguments than there are registers:
 * RUN: check --races ignore -DFIRST='printf("%d%d%d%d%d%d%n", 1, 2, 3, 4, 5, 6, (int *)&x)' -DSECOND='int r = x; assert(r == x)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DFIRST='say("%d%d%d%d%d%d%n", 1, 2, 3, 4, 5, 6, (int *)&x)' -DSECOND='int r = x; assert(r == x)'
 * EXPECT: violated assertion
 * %s of a text that changes:
 * RUN: check --races ignore -DFIRST='snprintf(p, 4, T); snprintf(q, 4, T); assert(*p == *q)' -DSECOND="text[0] = 'b'"
 * EXPECT: violated assertion
 * RUN: check --races ignore -DFIRST='put(p, T); put(q, T); assert(*p == *q)' -DSECOND="text[0] = 'b'"
 * EXPECT: violated assertion
 * RUN: check --races ignore -DFIRST='put(p, T); put(q, T); assert(*p == *q)' -DSECOND="text[2] = 'b'"
 * EXPECT: verified
 * A race, where races are reported:
 * RUN: check -DFIRST='printf("ab%n", (int *)&x)' -DSECOND='x = 1'
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#define T "%s", (char *)text

static volatile int x, y;
static volatile char text[4] = "a";

__attribute__((unused)) static void say(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
}

__attribute__((unused)) static void put(char *to, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vsnprintf(to, 4, format, list);
	va_end(list);
}

static void *writer(void *arg)
{
	__attribute__((unused)) char p[4], q[4];
	FIRST; /* ERROR */
	return arg;
}

static void *other(void *arg)
{
	SECOND; /* ERROR */
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return y < 0 || text[1];
}
