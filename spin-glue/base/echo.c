/* SPDX-License-Identifier: MIT
 *
 * --verbose: each process that is started, as a line for a shell.  Where its output goes is left out: who runs it again wants to
 * see it.
 */
#include "base.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

static bool wanted;

void echo_commands(bool yes)
{
	wanted = yes;
}

static void put_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
	if (*word && strspn(word, plain) == strlen(word)) {
		fputs(word, stderr);
		return;
	}
	fputc('\'', stderr);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", stderr);
		else
			fputc(*word, stderr);
	fputc('\'', stderr);
}

/* Print `variable`, which is NAME=VALUE, for a shell.  NAME must not be quoted, or the shell sets no variable. */
static void put_variable(const char *variable)
{
	const char *sign = strchr(variable, '=');
	assert(sign && sign > variable);
	fprintf(stderr, "%.*s=", (int)(sign - variable), variable);
	if (sign[1])
		put_word(sign + 1);
	fputc(' ', stderr);
}

void echo_command(const struct process *process)
{
	if (!wanted)
		return;
	fflush(stdout);
	if (process->directory) {
		fputs("(cd ", stderr);
		put_word(process->directory);
		fputs(" && ", stderr);
	}
	for (size_t i = 0; process->environment && process->environment[i]; i++)
		put_variable(process->environment[i]);
	for (size_t i = 0; process->argv[i]; i++) {
		if (i)
			fputc(' ', stderr);
		put_word(process->argv[i]);
	}
	fputs(process->directory ? ")\n" : "\n", stderr);
}

void echo_remark(const char *format, ...)
{
	va_list arguments;
	if (!wanted)
		return;
	fflush(stdout);
	fputs("# ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}
