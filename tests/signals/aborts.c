/* SPDX-License-Identifier: MIT
 *
 * abort() runs the handler of SIGABRT, though the signal is blocked.  The handler may leave; if it returns, or the signal is
 * ignored, the program is aborted.
 *
 * RUN: check -DCASE=JUMPS
 * EXPECT: verified
 * RUN: check -DCASE=BLOCKED
 * EXPECT: verified
 * RUN: check -DCASE=EXITS
 * EXPECT: verified
 * RUN: check -DCASE=POINTER
 * EXPECT: verified
 * RUN: check -DCASE=RETURNS
 * EXPECT: violated abort
 * RUN: check -DCASE=IGNORED
 * EXPECT: violated abort
 * RUN: check -DCASE=RESET
 * EXPECT: violated abort
 */
#define _GNU_SOURCE
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { JUMPS, BLOCKED, EXITS, POINTER, RETURNS, IGNORED, RESET };

static sigjmp_buf out;
static volatile int runs;

static void handler(int number)
{
	assert(number == SIGABRT);
	runs++;
	if (CASE == EXITS)
		_exit(0);
	if (CASE != RETURNS)
		siglongjmp(out, 1);
}

static void (*volatile how)(void) = abort;

int main(void)
{
	sigset_t set;
	struct sigaction action = { .sa_handler = CASE == IGNORED ? SIG_IGN : handler,
				    .sa_flags = CASE == RESET ? SA_RESETHAND : 0 };
	sigaction(SIGABRT, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGABRT);
	if (CASE == BLOCKED)
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (sigsetjmp(out, 1) && CASE != RESET) {
		assert(runs == 1);
		return 0;
	}
	if (CASE == POINTER)
		how();
	abort(); /* ERROR */
}
