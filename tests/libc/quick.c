/* SPDX-License-Identifier: MIT
 *
 * quick_exit runs its own handlers, last first.  Compared with the same program run natively, see tests/libc.sh.
 */
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("quick"); fflush(stdout); }
static void other(void) { puts("other"); fflush(stdout); }
static void never(void) { puts("never"); fflush(stdout); }

int main(void)
{
	atexit(never);
	at_quick_exit(handler);
	at_quick_exit(other);
	quick_exit(0);
}
