/* SPDX-License-Identifier: MIT
 *
 * Programs that packages bring: all but success ends the command, with the line in which the program says why.
 */
#include "base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Return the line of a compiler's `output` that says what is wrong. */
static const char *telling_line(const char *output)
{
	static const char *const words[] = { "No space", "rror:", "rror" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *word = strstr(output, words[i]);
		while (word && word > output && word[-1] != '\n')
			word--;
		if (word)
			return word;
	}
	return output;
}

void run_tool(const struct process *process, const char *package)
{
	assert(process->errors);
	int status;
	switch (process_run(process, &status)) {
	case PROCESS_EXITED: break;
	case PROCESS_NOT_FOUND: fail("cannot find '%s'; install the package %s", process->argv[0], package);
	case PROCESS_INTERRUPTED: fail("interrupted");
	case PROCESS_TIMED_OUT: out_of_time("%s made the verifier", process->argv[0]);
	default: fail("'%s' died of signal %d", process->argv[0], status);
	}
	if (status == 0)
		return;
	char *output = read_file(process->errors, NULL);
	if (!output || !*output) {
		free(output);
		output = process->output ? read_file(process->output, NULL) : NULL;
	}
	const char *line = output ? telling_line(output) : "";
	fail("'%s' failed with status %d: %.*s", process->argv[0], status, (int)strcspn(line, "\n"), line);
}
