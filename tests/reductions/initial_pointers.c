/* SPDX-License-Identifier: MIT
 *
 * A pointer to what the other thread reads stands in an initial value, where neither the type of a variable nor an address that is
 * a multiple of 8 tells: thread `two` writes TARGET through it, thread `one` reads `x` twice.
 *
 * In the constant from which a local variable gets its value:
 * RUN: check -DLOCAL -DTARGET=x
 * EXPECT: violated assertion
 * RUN: check -DLOCAL -DTARGET=y
 * EXPECT: verified
 * In a compound literal, which has no debug information:
 * RUN: check -DLITERAL -DTARGET=x
 * EXPECT: violated assertion
 * RUN: check -DLITERAL -DTARGET=y
 * EXPECT: verified
 * In a set that the linker puts together:
 * RUN: check -DSET -DTARGET=x
 * EXPECT: violated assertion
 * RUN: check -DSET -DTARGET=y
 * EXPECT: verified
 * The address of a function that writes:
 * RUN: check -DFUNCTION -DTARGET=x
 * EXPECT: violated assertion
 * RUN: check -DFUNCTION -DTARGET=y
 * EXPECT: verified
 * One before the first element, and a distance of addresses:
 * RUN: check -DBEFORE -DTARGET=x
 * EXPECT: violated assertion
 * RUN: check -DDISTANCE -DTARGET=x
 * EXPECT: violated assertion
 * In a variable that the optimiser takes apart, its parts having the type of the whole:
 * RUN: check -O2 --races ignore -DAPART -DTARGET=x
 * EXPECT: violated assertion
 * RUN: check -O2 --races ignore -DAPART -DTARGET=y
 * EXPECT: verified
 * An input is stored through such a pointer, in a program with one thread:
 * RUN: check -DINPUT -DTARGET=x
 * EXPECT: violated assertion
 * RUN: check -DINPUT -DTARGET=y
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef APART
typedef volatile int number;
#else
typedef atomic_int number;
#endif

static number x, y, many[2];

struct __attribute__((packed)) packed {
	char first;
	number *p;
	char last[40];
};

#if defined LITERAL
static struct packed *literal = &(struct packed){ 1, &TARGET, { 2 } };
#elif defined SET
struct __attribute__((packed)) member {
	char first;
	number *p;
};
#define MEMBER __attribute__((section("members"), used))
static struct member one_member MEMBER = { 1, &y }, another MEMBER = { 2, &TARGET };
extern struct member __start_members[], __stop_members[];
#elif defined FUNCTION
struct __attribute__((packed)) packed_function {
	char first;
	void (*f)(void);
	char last[40];
};

static void write_target(void)
{
	TARGET = 1;
}
#elif defined BEFORE
static number *base = &TARGET - 1;
#elif defined DISTANCE
static intptr_t half = (intptr_t)&TARGET - 1;
#elif defined APART
static struct {
	int before;
	number *p;
	int after;
} apart = { 1, &TARGET, 2 };
#endif

static void *one(void *arg)
{
	int r = x, s = x;
	assert(r == s); /* ERROR */
	return arg;
}

static void *two(void *arg)
{
	many[0] = 1;
#if defined LOCAL
	struct packed local = { 1, &TARGET, { 2, 3 } };
	*local.p = 1;
#elif defined LITERAL
	*literal->p = 1;
#elif defined SET
	for (struct member *m = __start_members; m < __stop_members; m++)
		if (m->first == 2)
			*m->p = 1;
#elif defined FUNCTION
	struct packed_function local = { 1, write_target, { 2 } };
	local.f();
#elif defined BEFORE
	base[1] = 1;
#elif defined DISTANCE
	*(number *)(half + 1) = 1;
#elif defined APART
	number *p = apart.p;
	apart.p = &many[1];
	apart.before++;
	*p = 1;
#endif
	return arg;
}

#ifdef INPUT
int __VERIFIER_nondet_int(void);
static int none;

int main(void)
{
	struct packed local = { 1, &TARGET, { 2, 3 } };
	number *p = &many[0];
	if (!none)
		p = local.p;
	*p = __VERIFIER_nondet_int();
	assert(x != 1000); /* ERROR */
	return (one != two) - 1;
}
#else
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, one, 0);
	pthread_create(&b, 0, two, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
#ifdef APART
	return apart.before < 0;
#else
	return 0;
#endif
}
#endif
