/* SPDX-License-Identifier: MIT
 *
 * How a run ends: verdicts, and the three kinds of error that end it early.
 */
#include "base.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	int status;
} verdicts[] = {
#define VERDICT(name, text, status) { text, status },
#include "verdict.def"
#undef VERDICT
};

const char *verdict_name(enum verdict verdict)
{
	assert((size_t)verdict < sizeof verdicts / sizeof *verdicts);
	return verdicts[verdict].name;
}

int verdict_status(enum verdict verdict)
{
	assert((size_t)verdict < sizeof verdicts / sizeof *verdicts);
	return verdicts[verdict].status;
}

static fail_sink *sink;

void fail_tell(fail_sink *to)
{
	sink = to;
}

_Noreturn void give_up(enum verdict verdict, const char *message)
{
	assert(verdict == VERDICT_ERROR || verdict == VERDICT_INCONCLUSIVE);
	fail_sink *last = sink;
	sink = NULL; /* no second error on the way out */
	if (last)
		last(verdict, message);
	exit(verdict_status(verdict));
}

_Noreturn void fail(const char *format, ...)
{
	char *message;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&message, format, arguments) < 0)
		exit(2);
	va_end(arguments);
	if (process_interrupted()) {
		puts("inconclusive: interrupted");
		give_up(VERDICT_INCONCLUSIVE, message);
	}
	fprintf(stderr, "bitspin: %s\n", message);
	give_up(VERDICT_ERROR, message);
}

void flush_stdout(void)
{
	if ((fflush(stdout) != 0 || ferror(stdout)) && errno != EPIPE)
		fail("cannot write the report to standard output: %s", strerror(errno));
}

_Noreturn void glue_bug(const char *file, int line, const char *format, ...)
{
	char message[1000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	fprintf(stderr, "bitspin: internal error at %s:%d: %s; this is a bug in bitspin, please report it\n", file, line, message);
	give_up(VERDICT_ERROR, message);
}
