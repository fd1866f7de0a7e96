/* SPDX-License-Identifier: MIT
 *
 * err.h and syslog.h: the messages go to standard error, which is not compared; what is: that errno stays, and how the program
 * ends.
 */
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

static void say(void (*with)(const char *, va_list), const char *format, ...)
{
	va_list list;
	va_start(list, format);
	with(format, list);
	va_end(list);
}

static void end(void (*with)(int, const char *, va_list), const char *format, ...)
{
	va_list list;
	va_start(list, format);
	with(4, format, list);
	va_end(list);
}

static void log_it(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vsyslog(LOG_INFO, format, list);
	va_end(list);
}

static void at_exit(void)
{
	printf("ends, errno is %d\n", errno);
}

int main(int argc, char **argv)
{
	(void)argv;
	atexit(at_exit);
	errno = ENOENT;
	warn("cannot open '%s'", "x");
	printf("%d\n", errno);
	warnx("%d problems", 3);
	warnx(NULL);
	say(vwarn, "%c", 'x');
	say(vwarnx, "%c", 'x');
	printf("%d\n", errno);
	openlog("name", LOG_PERROR, LOG_USER);
	syslog(LOG_ERR, "%d: %m", 3);
	printf("%d %x", errno, (unsigned)setlogmask(LOG_MASK(LOG_ERR)));
	printf(" %x\n", (unsigned)setlogmask(0));
	log_it("%s", "nobody reads this");
	closelog();
	if (argc == 7)
		err(3, "cannot go on");
	if (argc == 8)
		end(verr, "never");
	if (argc == 9)
		end(verrx, "never");
	errx(0, "the end of %s", "it");
}
