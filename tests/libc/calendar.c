/* SPDX-License-Identifier: MIT
 *
 * Calendar arithmetic; the clocks themselves stand still in the VM, so what they say is not printed.  Compared with the same
 * program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static void show(time_t t)
{
	char text[100];
	struct tm tm, local;
	gmtime_r(&t, &tm);
	localtime_r(&t, &local);
	size_t n = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %a %A %b %B %p %I %y %U %w", &tm);
	printf("%zu %s %ld %ld %d\n", n, text, (long)timegm(&tm), (long)mktime(&local), tm.tm_yday);
	printf("%s%s", asctime(&tm), ctime(&t));
	printf("%s%s", asctime_r(&tm, text), ctime_r(&t, text + 50));
	printf("%d %d\n", gmtime(&t)->tm_hour, localtime(&t)->tm_min);
}

int main(void)
{
	static const time_t times[] = { 0, -1, 951782400, 1000000000, 1709210096, 4102444799 };
	struct tm odd = { .tm_year = 124, .tm_mon = 13, .tm_mday = -5, .tm_hour = 50, .tm_sec = 70 };
	struct timespec at;
	struct timeval now;
	char text[4];
	tzset();
	for (int i = 0; i < 6; i++)
		show(times[i]);
	printf("%ld %d %d %d\n", (long)mktime(&odd), odd.tm_mon, odd.tm_mday, odd.tm_wday);
	printf("%zu %g\n", strftime(text, sizeof text, "%Y", &odd), difftime(10, 4));
	time_t t;
	printf("%d %d\n", time(&t) == t, time(NULL) >= 0);
	printf("%d %d", clock_gettime(CLOCK_MONOTONIC, &at), clock_gettime(77, &at));
	printf(" %d %d\n", errno, clock_getres(CLOCK_REALTIME, &at));
	printf("%d %d %d\n", gettimeofday(&now, NULL), timespec_get(&at, TIME_UTC), clock() >= 0);
	return 0;
}
