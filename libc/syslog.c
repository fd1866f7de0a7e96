/* SPDX-License-Identifier: MIT
 *
 * syslog.h: messages for the system's log, which nobody reads.  They are formatted, as arguments may be wrong, and go to standard
 * error where the program asks for that.
 */
#include "library.h"

#include <errno.h>
#include <syslog.h>

enum { ALL = 0xff, MOST = 1024 };

static const char *identity = "program";
static int options, mask = ALL;

void openlog(const char *name, int option, int facility)
{
	(void)facility;
	LOCKED;
	identity = name ? name : "program";
	options = option;
	UNLOCKED;
}

void closelog(void)
{
	LOCKED;
	identity = "program";
	options = 0;
	UNLOCKED;
}

int setlogmask(int new)
{
	LOCKED;
	int before = mask;
	if (new)
		mask = new;
	UNLOCKED;
	return before;
}

void vsyslog(int priority, const char *format, va_list arguments)
{
	char text[MOST];
	int error = errno;
	vsnprintf(text, sizeof text, format, arguments);
	LOCKED;
	if ((options & LOG_PERROR) && (mask & LOG_MASK(LOG_PRI(priority))))
		fprintf(stderr, "%s: %s\n", identity, text);
	UNLOCKED;
	errno = error;
}

void syslog(int priority, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsyslog(priority, format, arguments);
	va_end(arguments);
}

void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments)
{
	(void)flag;
	vsyslog(priority, format, arguments);
}

void __syslog_chk(int priority, int flag, const char *format, ...)
{
	va_list arguments;
	(void)flag;
	va_start(arguments, format);
	vsyslog(priority, format, arguments);
	va_end(arguments);
}
