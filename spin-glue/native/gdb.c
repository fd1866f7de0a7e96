/* SPDX-License-Identifier: MIT
 *
 * The native program under gdb, in the schedule.  gdb gets a file of commands: it stops where the violation is, and says how to go
 * on.  Threads wait for their turns in futexes, so those that gdb does not let run do no harm: the schedule waits.
 */
#include "native.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../pan/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Write the commands for gdb.  It stops in the last turn of the thread that fails, as the line may be passed many times before. */
static void put_commands(FILE *out, const struct native *n, const struct list *arguments, const char *input, const char *directory)
{
	assert(n->schedule && n->violation && *directory == '/');
	const json_t *violation = n->violation;
	const char *file = field_text(violation, "file"), *slash = strrchr(file, '/');
	long long line = json_integer_value(json_object_get(violation, "line"));
	fputs("set pagination off\nset confirm off\nset print thread-events off\nset breakpoint pending on\n"
	      "set style enabled off\nset disable-randomization on\nhandle SIGUSR1 SIGUSR2 nostop noprint pass\n",
	      out);
	fprintf(out, "cd %s\nset args", directory);
	for (size_t i = 0; i < arguments->count; i++) {
		fputs(" '", out);
		for (const char *p = arguments->items[i]; *p; p++)
			if (*p == '\'')
				fputs("'\\''", out);
			else
				fputc(*p, out);
		fputc('\'', out);
	}
	if (input)
		fprintf(out, " <%s", input);
	fputc('\n', out);
	struct list variables = { 0 };
	native_environment(n, &variables);
	for (size_t i = 0; i < variables.count; i++) {
		const char *variable = variables.items[i];
		fprintf(out, "set environment %.*s = %s\n", (int)strcspn(variable, "="), variable,
			variable + strcspn(variable, "=") + 1);
	}
	list_release(&variables);
	fputs("tbreak bitspin_native_hangs\ntbreak bitspin_native_late\n", out);
	if (line && !n->schedule->hangs)
		fprintf(out, "tbreak bitspin_native_last\n");
	fputs("echo \\nThe program runs in the schedule that bitspin has found.\\n\nrun\n", out);
	if (line && !n->schedule->hangs)
		fprintf(out, "break %s:%lld\ncontinue\n", slash ? slash + 1 : file, line);
	fputs("echo \\n\ninfo threads\n", out);
	if (n->schedule->hangs)
		fputs("thread apply all backtrace\n"
		      "echo \\nThe threads are blocked for good: `thread N' chooses one, `backtrace' shows where it is.\\n\n",
		      out);
	else
		fputs("backtrace\necho \\nThis is where bitspin finds the violation: `next' goes a line further in this thread, `continue' "
		      "lets it happen,\\n`thread N' chooses another thread. The others keep to the schedule meanwhile.\\n\n",
		      out);
}

int native_debug(const struct native *n)
{
	struct list arguments = { 0 };
	char *path = text("%s/program", n->job->program.work), *commands = text("%s/commands.gdb", n->job->program.work), *input,
	     *directory;
	char *error = native_build(n, SANITIZER_NONE, "", path);
	if (error)
		fail("%s", error);
	native_command(n, &arguments, &input, &directory);
	FILE *out = fopen(commands, "we");
	if (out)
		put_commands(out, n, &arguments, input, directory);
	if (!out || fclose(out) != 0)
		fail("cannot write '%s'", commands);
	bool batch = !isatty(0);
	const char *const argv[] = { "gdb", "-q", "-nx", "-x", commands, batch ? "-batch" : path, batch ? path : NULL, NULL };
	int status;
	enum process_end end = process_run(&(struct process){ .argv = argv, .input = true, .terminal = true }, &status);
	if (end == PROCESS_NOT_FOUND)
		fail("cannot find 'gdb'; install the package gdb");
	list_release(&arguments);
	free(path);
	free(commands);
	free(input);
	free(directory);
	return end == PROCESS_EXITED ? status : 2;
}
