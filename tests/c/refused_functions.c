/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library that bitspin has no model of: a path that calls one is inconclusive, and no other is.
 *
 * RUN: check -- one
 * EXPECT: verified
 * RUN: check -- one two
 * EXPECT: inconclusive: fork is called, which is not supported: bitspin checks the threads of one process
 * RUN: check --extern fork=nop -- one two
 * EXPECT: verified
 * RUN: check -- one two three
 * EXPECT: inconclusive: uname is called, which bitspin has no model of (--extern 'uname=nop' makes it do nothing)
 * RUN: check --extern '*=nop' -- one two three
 * EXPECT: verified
 * RUN: check -- one two three four
 * EXPECT: inconclusive: syscall(63) is called, which bitspin has no model of (--extern 'syscall(63)=nop' makes it do nothing)
 * RUN: check -DBY_POINTER
 * EXPECT: inconclusive: fork is called, which is not supported: bitspin checks the threads of one process
 * An error that comes before the call is found, and one that only another path has.
 * RUN: check -DBEFORE -- one two
 * EXPECT: violated assertion
 * RUN: check -DBESIDE
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/utsname.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int turn;

static void *work(void *unused)
{
	if (turn++ == 0)
		fork();
	else
		assert(turn != 2); /* ERROR */
	return unused;
}

int main(int argc, char **argv)
{
	struct utsname system;
	pid_t (*volatile start)(void) = fork;
	(void)argv;
#ifdef BEFORE
	assert(argc == 2); /* ERROR */
#endif
#ifdef BY_POINTER
	start();
#endif
#ifdef BESIDE
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	if (turn++)
		assert(turn != 2); /* ERROR */
	pthread_join(thread, NULL);
#endif
	if (argc == 3)
		fork();
	if (argc == 4)
		uname(&system);
	if (argc == 5)
		syscall(SYS_uname, &system);
	return 0;
}
