/* SPDX-License-Identifier: MIT
 *
 * Functions without a body, described in a file and all at once.
 *
 * RUN: check --stubs tests/world/stubs.txt
 * EXPECT: verified
 * RUN: check --stubs tests/world/stubs.txt -DWRITES_BEHIND
 * EXPECT: violated out-of-bounds
 * RUN: check --stubs tests/world/stubs.txt -DFREES_TWICE
 * EXPECT: violated double-free
 * RUN: check --stubs tests/world/stubs.txt -DREFUSED --extern *=refuse
 * EXPECT: verified
 * RUN: check --stubs tests/world/stubs.txt -DREFUSED -DCALLED --extern *=refuse
 * EXPECT: inconclusive: fork is called, which is described as refused (--extern)
 * RUN: check --stubs tests/world/stubs.txt -DREFUSED -DCALLED --extern *=nop
 * EXPECT: verified
 * RUN: check --stubs tests/world/stubs.txt -DREFUSED -DCALLED --extern *=nop --extern fork=choose:-1..1
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct thing {
	int a, b;
};
struct thing *make_thing(int number);
char *pass(const char *format, char *buffer);
void log_line(const char *format, ...);
int never(int);
int number_of_flags(void);
static int called;

static void *work(void *unused)
{
	struct thing *thing = make_thing(1);
	assert(thing->a == 0 && thing->b == 0);
	thing->a = 1;
#ifdef WRITES_BEHIND
	*(volatile int *)(&thing->b + 1) = 2; /* ERROR */
#endif
	free(thing);
#ifdef FREES_TWICE
	free(thing); /* ERROR */
#endif
	return unused;
}

int main(void)
{
	char buffer[8];
	pthread_t threads[2];
#ifdef CALLED
	called = 1;
#endif
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	assert(pass("a", buffer) == buffer);
	log_line("%d", 1);
#ifdef REFUSED
	if (called) {
		assert(fork() == 0); /* ERROR */
		assert(never(1) == 0);
		assert(syscall(SYS_memfd_create, "name", number_of_flags()) == 0);
	}
#else
	(void)called;
#endif
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}
