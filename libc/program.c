/* SPDX-License-Identifier: MIT
 *
 * What a program knows of itself: its names, and where it is.  And constants that glibc has.
 */
#include "library.h"

#include <errno.h>
#include <error.h>
#include <execinfo.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *program_invocation_name = (char *)__bitspin_program;
char *program_invocation_short_name = (char *)__bitspin_program_short;
extern char *__progname __attribute__((alias("program_invocation_short_name")));
extern char *__progname_full __attribute__((alias("program_invocation_name")));

const struct in6_addr in6addr_any = IN6ADDR_ANY_INIT, in6addr_loopback = IN6ADDR_LOOPBACK_INIT;

/* What libgcc knows of the processor, for __builtin_cpu_supports(): as cpuid says, nothing (translator/lower/uses.c). */
struct {
	unsigned vendor, type, subtype, features[1];
} __cpu_model;
unsigned __cpu_features2[1];
void __cpu_indicator_init(void) /* as clang calls it */
{
}

/* No addresses of code exist: a list of callers is empty, as that of a stack that cannot be read. */
int backtrace(void **list, int most)
{
	(void)list;
	(void)most;
	return 0;
}

char **backtrace_symbols(void *const *list, int count)
{
	(void)list;
	(void)count;
	return malloc(1);
}

void backtrace_symbols_fd(void *const *list, int count, int fd)
{
	(void)list;
	(void)count;
	(void)fd;
}

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

/* Print "NAME: FILE:LINE: MESSAGE: ERROR", and end the program if `status` is not 0. */
static void say(int status, int number, const char *file, unsigned line, const char *format, va_list arguments)
{
	fflush(stdout);
	LOCKED;
	if (error_print_progname)
		error_print_progname();
	else
		fprintf(stderr, "%s:", program_invocation_name);
	if (file)
		fprintf(stderr, "%s:%u: ", file, line);
	else
		fputc(' ', stderr);
	vfprintf(stderr, format, arguments);
	if (number)
		fprintf(stderr, ": %s", strerror(number));
	fputc('\n', stderr);
	error_message_count++;
	UNLOCKED;
	if (status)
		exit(status);
}

void error(int status, int number, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(status, number, NULL, 0, format, arguments);
	va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(status, number, file, line, format, arguments);
	va_end(arguments);
}
