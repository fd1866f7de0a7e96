/* SPDX-License-Identifier: MIT
 *
 * Constant expressions with the address of a thread-local variable, which clang does not compute: they have another value in each
 * thread.  Each is compared with the same computation on a number that was read from memory.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -O1
 * EXPECT: verified
 * RUN: check -O2
 * EXPECT: verified
 * RUN: check -DWRONG
 * EXPECT: violated assertion
 * RUN: check -O2 -DWRONG
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

struct row {
	char tag;
	struct {
		short a;
		int b[3];
	} part[2];
};
struct pair {
	int *place;
	long number;
};
typedef long vector __attribute__((vector_size(16)));

static _Thread_local int cells[4];
static _Thread_local char byte;
static _Thread_local struct row row;

#define NUMBER(object) ((intptr_t)&(object))

static int *place(void) { return &cells[2]; }
static int *field(void) { return &row.part[1].b[2]; }
static intptr_t moved(void) { return NUMBER(cells) + 8; }
static intptr_t moved_back(void) { return NUMBER(row) - 3; }
static int cut(void) { return (int)NUMBER(cells); }
static intptr_t cut_and_extended(void) { return (int)NUMBER(cells); }
static unsigned char low_byte(void) { return (unsigned char)(NUMBER(row) + 5); }
static unsigned __int128 wide(void) { return (unsigned __int128)(uintptr_t)&cells + 5; }
static intptr_t negative(void) { return -NUMBER(cells); }
static intptr_t times(void) { return NUMBER(cells) * 3; }
static int aligned(void) { return (NUMBER(cells) & 3) == 0; }
static intptr_t distance(void) { return NUMBER(cells[3]) - NUMBER(cells[1]); }
static intptr_t from_number(void) { return 100000 - NUMBER(cells); }
static intptr_t mixed(void) { return NUMBER(cells) ^ 0x5555; }
static uintptr_t shifted(void) { return (uintptr_t)&cells >> 4; }
static uintptr_t rest(void) { return (uintptr_t)&row % 24; }
static int same(void) { return (void *)cells == (void *)&byte; }
static int is_second(const int *p) { return &cells[1] == p; }
static int *indexed(void) { return &cells[(NUMBER(cells[3]) - NUMBER(cells[1])) / 8]; }
static double real(void) { return (double)NUMBER(cells); }
static struct pair both(void) { return (struct pair){ &cells[1], NUMBER(byte) + 1 }; }
static vector lanes(void) { return (vector){ NUMBER(cells), NUMBER(byte) * 5 }; }
static intptr_t one_of(int which) { return which == 1 ? NUMBER(cells) * 7 : which == 2 ? NUMBER(byte) - 7 : 0; }

static void check_places(void)
{
	for (int i = 0; i < 4; i++)
		cells[i] = 10 * i;
	row.part[1].b[2] = 77;
	assert(*place() == 20 && place() == cells + 2 && *field() == 77);
	assert(both().place == cells + 1 && *both().place == 10 && is_second(cells + 1) && !is_second(NULL));
	assert(*(int *)moved() == 20);
}

static void check_numbers(volatile intptr_t c, volatile intptr_t b, volatile intptr_t r)
{
	assert(moved() == c + 8 && moved_back() == r - 3 && cut() == (int)c && cut_and_extended() == (int)c);
	assert(low_byte() == (unsigned char)(r + 5) && wide() == (unsigned __int128)(uintptr_t)c + 5);
	assert(negative() == -c && times() == c * 3 && aligned() && distance() == 8);
	assert(from_number() == 100000 - c && mixed() == (c ^ 0x5555));
	assert(shifted() == (uintptr_t)c >> 4 && rest() == (uintptr_t)r % 24 && !same());
	assert(indexed() == cells + 1 && real() == (double)c);
	assert(both().number == b + 1 && lanes()[0] == c && lanes()[1] == b * 5);
	assert(one_of(0) == 0 && one_of(1) == c * 7 && one_of(2) == b - 7);
}

static void check(void)
{
	check_places();
	check_numbers((intptr_t)cells, (intptr_t)&byte, (intptr_t)&row);
}

static intptr_t mains;

static void *work(void *unused)
{
	check();
#ifdef WRONG
	assert(times() == mains); /* ERROR */
#else
	assert(times() != mains);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	check();
	mains = times();
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	check();
	puts("done");
	return 0;
}
