/* SPDX-License-Identifier: MIT
 *
 * What a program says to bitspin, in a native run: a claim that does not hold ends it as a failed assertion does, a choice is what
 * the schedule says.
 */
#include "native.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OURS(name) bitspin_native_##name

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

long long bitspin_native_value(long long usual);

static _Noreturn void fail(const char *what, const char *text)
{
	const struct thread *me = native_self();
	int key = me ? me->calling - 1 : -1;
	native_report->failed = key + 1;
	const struct native_key *place = key >= 0 ? &bitspin_native_schedule.keys[key] : NULL;
	if (place)
		fprintf(stderr, "%s:%u: ", place->file, place->line);
	fprintf(stderr, "%s%s%s\n", what, *text ? ": " : "", text);
	abort();
}

_Noreturn void OURS(bitspin_error)(const char *message)
{
	fail("bitspin_error", message);
}

void OURS(bitspin_assert)(int condition)
{
	if (!condition)
		fail("bitspin_assert failed", "");
}

_Noreturn void OURS(reach_error)(void)
{
	fail("reach_error", "");
}

_Noreturn void OURS(__VERIFIER_error)(void)
{
	fail("__VERIFIER_error", "");
}

/* End the program if the condition is false: the path does not go on.  In the schedule it does. */
void OURS(bitspin_assume)(int condition)
{
	if (condition)
		return;
	native_report->assumed = 1;
	fflush(NULL);
	_exit(0);
}

void OURS(__VERIFIER_assume)(int condition)
{
	OURS(bitspin_assume)(condition);
}

/* Return what the schedule chooses in this call.  What stands for functions without a body (--extern) calls this, too. */
long long bitspin_native_value(long long usual)
{
	struct thread *me = native_self();
	long long value = me && me->has_value ? me->value : usual;
	if (me)
		me->has_value = 0;
	return value;
}

int OURS(bitspin_choose)(int low, int high)
{
	long long value = bitspin_native_value(low);
	return (int)(value > high ? high : value);
}

#define VALUE(type, name) \
	type OURS(name)(void) \
	{ \
		return (type)bitspin_native_value(0); \
	}
VALUE(_Bool, bitspin_nondet_bool)
VALUE(int, bitspin_nondet_int)
VALUE(unsigned, bitspin_nondet_unsigned)
VALUE(long, bitspin_nondet_long)
VALUE(_Bool, bitspin_any_bool)
VALUE(char, bitspin_any_char)
VALUE(unsigned char, bitspin_any_uchar)
VALUE(short, bitspin_any_short)
VALUE(unsigned short, bitspin_any_ushort)
VALUE(int, bitspin_any_int)
VALUE(unsigned, bitspin_any_unsigned)
VALUE(long, bitspin_any_long)
VALUE(unsigned long, bitspin_any_ulong)
VALUE(_Bool, __VERIFIER_nondet_bool)
VALUE(_Bool, __VERIFIER_nondet__Bool)
VALUE(char, __VERIFIER_nondet_char)
VALUE(unsigned char, __VERIFIER_nondet_uchar)
VALUE(short, __VERIFIER_nondet_short)
VALUE(unsigned short, __VERIFIER_nondet_ushort)
VALUE(int, __VERIFIER_nondet_int)
VALUE(unsigned, __VERIFIER_nondet_uint)
VALUE(unsigned, __VERIFIER_nondet_unsigned)
VALUE(unsigned, __VERIFIER_nondet_u32)
VALUE(long, __VERIFIER_nondet_long)
VALUE(unsigned long, __VERIFIER_nondet_ulong)
VALUE(long long, __VERIFIER_nondet_longlong)
VALUE(unsigned long long, __VERIFIER_nondet_ulonglong)
VALUE(size_t, __VERIFIER_nondet_size_t)

/* The value of these is their bits. */
#define BITS(type, name) \
	type OURS(name)(void) \
	{ \
		long bits = bitspin_native_value(0); \
		type number; \
		memcpy(&number, &bits, sizeof number); \
		return number; \
	}
BITS(float, __VERIFIER_nondet_float)
BITS(double, __VERIFIER_nondet_double)

/* ---- atomic sections ------------------------------------------------------------------------------------------------- */

/* The schedule keeps others out of atomic sections.  ThreadSanitizer, if it is there, is told by its own functions that the
 * sections come one after the other. */
static char section;

__attribute__((weak)) void AnnotateHappensBefore(const char *file, int line, const volatile void *what);
__attribute__((weak)) void AnnotateHappensAfter(const char *file, int line, const volatile void *what);

void OURS(bitspin_atomic_begin)(void)
{
	if (AnnotateHappensAfter)
		AnnotateHappensAfter(__FILE__, __LINE__, &section);
}

void OURS(bitspin_atomic_end)(void)
{
	if (AnnotateHappensBefore)
		AnnotateHappensBefore(__FILE__, __LINE__, &section);
}

void OURS(__VERIFIER_atomic_begin)(void)
{
	OURS(bitspin_atomic_begin)();
}

void OURS(__VERIFIER_atomic_end)(void)
{
	OURS(bitspin_atomic_end)();
}

/* ---- what has no meaning here ---------------------------------------------------------------------------------------- */

void OURS(bitspin_yield)(void)
{
}

void OURS(bitspin_label)(const char *name)
{
	(void)name;
}

void OURS(bitspin_progress)(void)
{
}

void OURS(bitspin_view)(const void *start, unsigned long size)
{
	(void)start;
	(void)size;
}
