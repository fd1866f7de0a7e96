/* SPDX-License-Identifier: MIT
 *
 * err.h: messages to standard error, and the end of the program.
 */
#include "streams.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "NAME: MESSAGE: ERROR" in one piece; without an error if it is negative. */
static void say(int error, const char *format, va_list arguments)
{
	if (__bitspin_stream_locks || __bitspin_watched_streams)
		__bitspin_enter_stream(stderr);
	LOCKED;
	fprintf(stderr, "%s: ", program_invocation_short_name);
	if (format)
		vfprintf(stderr, format, arguments);
	if (error >= 0)
		fprintf(stderr, "%s%s", format ? ": " : "", strerror(error));
	fputc('\n', stderr);
	UNLOCKED;
	if (__bitspin_stream_locks || __bitspin_watched_streams)
		__bitspin_leave_stream(stderr);
}

void vwarn(const char *format, va_list arguments)
{
	say(errno, format, arguments);
}

void vwarnx(const char *format, va_list arguments)
{
	say(-1, format, arguments);
}

void warn(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(errno, format, arguments);
	va_end(arguments);
}

void warnx(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(-1, format, arguments);
	va_end(arguments);
}

void verr(int status, const char *format, va_list arguments)
{
	say(errno, format, arguments);
	exit(status);
}

void verrx(int status, const char *format, va_list arguments)
{
	say(-1, format, arguments);
	exit(status);
}

void err(int status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(errno, format, arguments);
	exit(status);
}

void errx(int status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(-1, format, arguments);
	exit(status);
}
