/* SPDX-License-Identifier: MIT
 *
 * What the programs of this directory have in common.
 */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INT    __VERIFIER_nondet_int
#define UINT   __VERIFIER_nondet_uint
#define CHAR   __VERIFIER_nondet_char
#define UCHAR  __VERIFIER_nondet_uchar
#define SHORT  __VERIFIER_nondet_short
#define USHORT __VERIFIER_nondet_ushort
#define LONG   __VERIFIER_nondet_long
#define ULONG  __VERIFIER_nondet_ulong
#define BOOL   __VERIFIER_nondet_bool
#define FLOAT  __VERIFIER_nondet_float
#define DOUBLE __VERIFIER_nondet_double

extern int INT(void);
extern unsigned UINT(void);
extern char CHAR(void);
extern unsigned char UCHAR(void);
extern short SHORT(void);
extern unsigned short USHORT(void);
extern long LONG(void);
extern unsigned long ULONG(void);
extern _Bool BOOL(void);
extern float FLOAT(void);
extern double DOUBLE(void);
extern void __VERIFIER_assume(int condition), reach_error(void);
extern int number(void), outside, table[4], *pointer(void);
extern short small;

static int global, other;
static double stored;
static _Atomic int atomic;

struct pair {
	int a, b;
};

struct bits {
	int low : 3, high : 5;
};

static void error(void)
{
	reach_error(); /* ERROR */
}

static void check(int condition)
{
	if (!condition)
		error();
}

static int same(int x)
{
	return x;
}

static int (*function)(int) = same;

static int through(int x)
{
	return function(x);
}

static void *takes(void *p)
{
	if (p == (void *)77)
		error();
	return p;
}

static inline void need_not_be_used(void)
{
	(void)global, (void)other, (void)stored, (void)atomic, (void)through, (void)check, (void)takes;
}
