/* SPDX-License-Identifier: MIT
 *
 * Slicing: ways that a value may take.  Thread 1 writes 1, thread 2 writes 2, by WRITE with `v`; thread 1 may come last, and then
 * SEEN is true.  So all of these are violated, if nothing loses the value.
 *
 * RUN: check --reduction all,slicing -O0 -DFLOW=1
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=2
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=3
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=4
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=5
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=6
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=7
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=8
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=9
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=10
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=11
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=12
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=13
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=14
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=15
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=16
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=17
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=18
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=19
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=20
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=21
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=22
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=23
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=24
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=25
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=26
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=27
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=28
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=29
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=30
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=31
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=32
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=33
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=34
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=35
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=36
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=37
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=38
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=39
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=40
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=41
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=42
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=43
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=44
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=45
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=46
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=47
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=48
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=49
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=50
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=51
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=52
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=53
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=54
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=55
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=56
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=57
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=58
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=59
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=60
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=61
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=62
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=63
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=64
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=65
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=66
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=67
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=68
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=69
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=70
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=71
 * EXPECT: violated assertion
 * RUN: check --reduction all,slicing -O0 -DFLOW=72
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct whole {
	int first, more[9], last;
};
struct pair {
	int a, b;
};
struct row {
	int n;
	int *p;
};
typedef int vector_type __attribute__((vector_size(16)));

static struct whole whole;
static struct pair pair;
static volatile int noise;
static int got, spare, handed, number[4], others[4], many[3000], *area;
static int *initial = &number[2], *const behind = number + 4;
static struct row row[3] = { { 0, &number[1] }, { 0, &number[3] } };
static struct cell {
	struct cell *next;
	int value;
} cells[2], *list;
static struct __attribute__((packed)) {
	char c;
	int *p;
} odd;
static struct {
	int n[2];
} table[3];
static struct {
	unsigned a : 3, b : 3, c : 5;
} bits;
static union {
	float f;
	int i;
	char c[4];
} either;
static __int128 wide, wider;
static long double extended;
static _Bool truth;
static char buffer[16], *text;
static volatile size_t size = 16;
static uintptr_t address;
static vector_type vector;
static atomic_int counter;
static _Atomic(int *) shared;
static _Thread_local int own;
static jmp_buf place;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t inner;
static void *result;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

/* structs that are returned */
#define WRITE_1 whole = made(v)
#define SEEN_1  whole.last == 1
#define WRITE_2 pair = made_small(v)
#define SEEN_2  pair.b == 1

/* structs that are passed */
#define WRITE_3 \
	struct whole w = { .last = v }; \
	take(w)
#define SEEN_3 got == 1

/* arguments without names */
#define WRITE_4 sum(3, 0, v, 0)
#define SEEN_4  got == 1
#define WRITE_5 through(v, 0, &got)
#define SEEN_5  got == 1

/* setjmp() */
#define WRITE_6 \
	int r = setjmp(place); \
	if (r == 0) \
		longjmp(place, v); \
	got = r
#define SEEN_6 got == 1

/* thread-local variables */
#define WRITE_7 \
	own = v; \
	got = own
#define SEEN_7 got == 1

/* thread-specific data */
#define WRITE_8 \
	pthread_key_create(&key, NULL); \
	spare = v; \
	pthread_setspecific(key, &spare); \
	got = *(int *)pthread_getspecific(key)
#define SEEN_8 got == 1

/* functions by their addresses */
#define WRITE_9 functions[1](v)
#define SEEN_9  got == 1
#define WRITE_10 \
	spare = v; \
	by_pointer(&spare)
#define SEEN_10 got == 1
#define WRITE_11 \
	number[0] = v; \
	number[1] = 0; \
	number[2] = 0; \
	qsort(number, 3, sizeof *number, compare)
#define SEEN_11 number[2] == 1
#define WRITE_12 \
	spare = v; \
	pthread_once(&once, initialize)
#define SEEN_12 got == 1
#define WRITE_13 \
	int own = v; \
	pthread_cleanup_push(at_end, &own); \
	pthread_cleanup_pop(1)
#define SEEN_13 got == 1

/* what other threads get and return */
#define WRITE_14 \
	handed = v; \
	pthread_create(&inner, NULL, hand_on, &handed); \
	pthread_join(inner, &result); \
	got = *(int *)result
#define SEEN_14 got == 1

/* bit-fields */
#define WRITE_15 bits.b = (unsigned)v & 7
#define SEEN_15  bits.b == 1

/* unions */
#define WRITE_16 either.f = (float)v
#define SEEN_16  either.i == 0x3f800000
#define WRITE_17 either.c[3] = (char)v
#define SEEN_17  either.i >> 24 == 1

/* numbers of other sizes */
#define WRITE_18 wide = (__int128)v << 70
#define SEEN_18  (int)(wide >> 70) == 1
#define WRITE_19 extended = v
#define SEEN_19  (int)extended == 1
#define WRITE_20 truth = v == 1
#define SEEN_20  truth
#define WRITE_21 got = (double)v < 1.5
#define SEEN_21  got == 1

/* memory that is moved */
#define WRITE_22 \
	number[0] = v; \
	memmove(number + 1, number, 8)
#define SEEN_22 number[1] == 1
#define WRITE_23 \
	number[3] = v; \
	memcpy(others, number, size)
#define SEEN_23 others[3] == 1
#define WRITE_24 \
	number[3] = v; \
	memcpy(others + 1, number + 2, 8)
#define SEEN_24  others[2] == 1
#define WRITE_25 memset(number, v, 4)
#define SEEN_25  number[0] == 0x01010101
#define WRITE_26 \
	area = malloc(8); \
	area[0] = 0; \
	area[1] = v; \
	area = realloc(area, 64)
#define SEEN_26 area[1] == 1
#define WRITE_27 \
	char b[2] = { (char)v, 0 }; \
	text = strdup(b)
#define SEEN_27 text[0] == 1
#define WRITE_28 \
	char b[2] = { (char)v, 0 }; \
	strcpy(buffer, b)
#define SEEN_28  buffer[0] == 1
#define WRITE_29 sprintf(buffer, "%d", v)
#define SEEN_29  buffer[0] == '1'
#define WRITE_30 \
	buffer[0] = (char)(48 + v); \
	got = (int)strtol(buffer, &text, 10)
#define SEEN_30 got == 1
#define WRITE_31 \
	buffer[0] = (char)(48 + v); \
	sscanf(buffer, "%d", &got)
#define SEEN_31 got == 1
#define WRITE_32 \
	buffer[1] = 7; \
	text = memchr(buffer, 7, 4); \
	*text = (char)v
#define SEEN_32 buffer[1] == 1
#define WRITE_33 \
	errno = v; \
	got = errno
#define SEEN_33 got == 1

/* addresses that move */
#define WRITE_34 \
	int *p = number + 3; \
	p[-2] = v
#define SEEN_34 number[1] == 1
#define WRITE_35 \
	int *p = number + 3; \
	for (int i = 0; i < 3; i++) \
	p[-i] = v + i
#define SEEN_35 number[3] == 1
#define WRITE_36 \
	struct whole *w = (struct whole *)((char *)&whole.last - offsetof(struct whole, last)); \
	w->first = v
#define SEEN_36 whole.first == 1
#define WRITE_37 \
	int *p = &number[1], *q = number; \
	number[p - q] = v
#define SEEN_37 number[1] == 1
#define WRITE_38 \
	for (int i = 0; i < 3; i++) \
		for (int j = 0; j < 2; j++) \
	table[i].n[j] = i == 2 && j == 1 ? v : 0
#define SEEN_38  table[2].n[1] == 1
#define WRITE_39 many[2500] = v
#define SEEN_39  many[2500] == 1
#define WRITE_40 \
	area = malloc(20000); \
	area[4000] = v
#define SEEN_40  area[4000] == 1
#define WRITE_41 *initial = v
#define SEEN_41  number[2] == 1
#define WRITE_42 *row[1].p = v
#define SEEN_42  number[3] == 1
#define WRITE_43 behind[-1] = v
#define SEEN_43  number[3] == 1

/* addresses in memory */
#define WRITE_44 \
	list = &cells[0]; \
	list->next = &cells[1]; \
	list->next->value = v
#define SEEN_44 cells[1].value == 1
#define WRITE_45 \
	row[0].p = &got; \
	row[2] = row[0]; \
	*row[2].p = v
#define SEEN_45 got == 1
#define WRITE_46 \
	struct row *r = malloc(sizeof *r), *s = malloc(sizeof *s); \
	r->n = 0; \
	r->p = &got; \
	*s = *r; \
	*s->p = v
#define SEEN_46 got == 1
#define WRITE_47 \
	for (int i = 0; i < 3; i++) { \
		row[i].p = &got; \
		row[i].n = i; \
	} \
	*row[2].p = v
#define SEEN_47 got == 1
#define WRITE_48 \
	int *p = &got, *q; \
	memcpy(buffer + 3, &p, 8); \
	memcpy(&q, buffer + 3, 8); \
	*q = v
#define SEEN_48 got == 1
#define WRITE_49 \
	int *p = &got, *q; \
	for (int i = 0; i < 8; i++) \
		((char *)&q)[i] = ((char *)&p)[i]; \
	*q = v
#define SEEN_49 got == 1
#define WRITE_50 \
	odd.p = &got; \
	*odd.p = v
#define SEEN_50 got == 1
#define WRITE_51 \
	address = (uintptr_t)&number[1]; \
	*(int *)(address + 4) = v
#define SEEN_51 number[2] == 1
#define WRITE_52 \
	address = (uintptr_t)&spare ^ (uintptr_t)&got; \
	*(int *)(address ^ (uintptr_t)&spare) = v
#define SEEN_52 got == 1
#define WRITE_53 \
	address = (uintptr_t)&got | 1; \
	if (address & 1) \
	*(int *)(address & ~(uintptr_t)1) = v
#define SEEN_53 got == 1
#define WRITE_54 \
	int *p = v == 1 ? &got : &spare; \
	*p = 5
#define SEEN_54 got == 5
#define WRITE_55 \
	int *p = &got; \
	void *q = &p; \
	**(int **)q = v
#define SEEN_55 got == 1

/* atomic operations */
#define WRITE_56 \
	atomic_store(&counter, v); \
	got = atomic_exchange(&counter, 0)
#define SEEN_56 got == 1
#define WRITE_57 \
	atomic_store(&counter, 0); \
	atomic_fetch_add(&counter, v); \
	got = atomic_fetch_add(&counter, 0)
#define SEEN_57 got == 1
#define WRITE_58 \
	int e = 9; \
	atomic_store(&counter, v); \
	atomic_compare_exchange_strong(&counter, &e, 3); \
	got = e
#define SEEN_58 got == 1
#define WRITE_59 \
	int e = v; \
	atomic_store(&counter, 1); \
	got = atomic_compare_exchange_strong(&counter, &e, 3)
#define SEEN_59 got == 1
#define WRITE_60 \
	atomic_store(&shared, &spare); \
	int *o = atomic_exchange(&shared, &got); \
	*o = 0; \
	*atomic_load(&shared) = v
#define SEEN_60 got == 1
#define WRITE_61 \
	atomic_store(&shared, &got); \
	int *e = &spare; \
	atomic_compare_exchange_strong(&shared, &e, &spare); \
	*e = v
#define SEEN_61 got == 1

/* branches */
#define WRITE_62 \
	switch (v) { \
	case 1: got = 1; break; \
	default: got = 0; \
	}
#define SEEN_62  got == 1
#define WRITE_63 got = v == 1 && v < 3
#define SEEN_63  got == 1
#define WRITE_64 \
	goto *(v == 1 ? &&one : &&other); \
	one: \
	got = 1; \
	other:
#define SEEN_64 got == 1

/* sizes */
#define WRITE_65 \
	spare = v; \
	char b[spare + 1]; \
	memset(b, 0, sizeof b); \
	got = (int)sizeof b
#define SEEN_65 got == 2

/* functions that call themselves */
#define WRITE_66 got = again(3, v)
#define SEEN_66  got == 1

/* assembly */
#define WRITE_67 __asm__("movl %1,%0" : "=m"(got) : "r"(v))
#define SEEN_67  got == 1

/* vectors */
#define WRITE_68 vector = (vector_type){ 0, 0, v, 0 } + vector * 0
#define SEEN_68  vector[2] == 1

/* checked arithmetic */
#define WRITE_69 got = __builtin_add_overflow(v, 2147483646, &spare)
#define SEEN_69  !got

/* wide registers that live on while other threads run */
#define WRITE_70 \
	wide = (__int128)v << 70; \
	__int128 w = wide; \
	pthread_mutex_unlock(&m); \
	pthread_mutex_lock(&m); \
	got = (int)((w + 1) >> 70)
#define SEEN_70 got == 1
#define WRITE_71 \
	wide = (__int128)v << 70; \
	__int128 w = wide; \
	pthread_mutex_unlock(&m); \
	pthread_mutex_lock(&m); \
	wider = w
#define SEEN_71 (int)(wider >> 70) == 1

/* threads that return numbers */
#define WRITE_72 \
	pthread_create(&inner, NULL, add_one, (void *)(long)v); \
	pthread_join(inner, &result); \
	got = (int)(long)result
#define SEEN_72 got == 2

#define JOINED(a, b)   a##b
#define EXPANDED(a, b) JOINED(a, b)

static struct whole made(int v)
{
	struct whole w = { .last = v };
	return w;
}

static struct pair made_small(int v)
{
	struct pair p = { 0, v };
	return p;
}

static void take(struct whole w)
{
	got = w.last;
}

static void sum(int n, ...)
{
	va_list arguments;
	va_start(arguments, n);
	for (got = 0; n > 0; n--)
		got += va_arg(arguments, int);
	va_end(arguments);
}

static void through(int n, ...)
{
	va_list arguments;
	va_start(arguments, n);
	(void)va_arg(arguments, int);
	*va_arg(arguments, int *) = n;
	va_end(arguments);
}

static void at_end(void *p)
{
	got = *(int *)p;
}

static void (*by_pointer)(void *) = at_end;

static void forget(int v)
{
	(void)v;
}

static void keep(int v)
{
	got = v;
}

static void (*functions[2])(int) = { forget, keep };

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void initialize(void)
{
	got = spare;
}

static void *hand_on(void *p)
{
	return p;
}

static void *add_one(void *p)
{
	return (void *)((long)p + 1);
}

static int again(int n, int v)
{
	return n ? again(n - 1, v) : v;
}

static void *work(void *argument)
{
	int v = (int)(long)argument;
	pthread_mutex_lock(&m);
	noise += v;
	EXPANDED(WRITE_, FLOW);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t first, second;
	(void)made, (void)made_small, (void)take, (void)sum, (void)through, (void)compare, (void)initialize, (void)hand_on,
		(void)again;
	(void)by_pointer, (void)functions, (void)initial, (void)behind, (void)list, (void)text, (void)place, (void)area;
	pthread_create(&first, NULL, work, (void *)1L);
	pthread_create(&second, NULL, work, (void *)2L);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	assert(!(EXPANDED(SEEN_, FLOW))); /* ERROR */
	return 0;
}
