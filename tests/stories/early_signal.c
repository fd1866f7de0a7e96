/* SPDX-License-Identifier: MIT
 *
 * The signal may come before pause() begins to wait for it.
 */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void on_alarm(int number)
{
	rang = number;
}

int main(void)
{
	signal(SIGALRM, on_alarm);
	alarm(1);
	if (!rang)
		pause();
}
