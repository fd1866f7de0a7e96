/* SPDX-License-Identifier: MIT
 *
 * Regular expressions, for libc/regex.c: the host's library compiles the text anew, unless it is the one of last time.
 */
#include "externals.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* Put the host's form of a pattern into `compiled`.  Return its error code; 0 if there is none. */
static int compile(const char *pattern, int flags, const regex_t **compiled)
{
	static VM_SHARED regex_t last;
	static VM_SHARED char *text;
	static VM_SHARED int with;
	*compiled = &last;
	if (text && with == flags && strcmp(text, pattern) == 0)
		return 0;
	if (text)
		regfree(&last);
	free(text);
	text = NULL;
	int error = regcomp(&last, pattern, flags);
	if (error == 0) {
		text = strdup(pattern);
		with = flags;
		if (!text)
			VM_BUG("out of memory");
	}
	return error;
}

enum vm_outcome run_regcomp(struct vm_call *call)
{
	const regex_t *compiled;
	int error = compile(vm_string(call->arguments[0], UINT64_MAX, NULL), (int)call->arguments[1], &compiled);
	if (error == 0)
		vm_store64(call->arguments[2], 8, compiled->re_nsub, ACCESS_WRITE);
	call->results[0] = (uint32_t)error;
	return CALL_DONE;
}

enum vm_outcome run_regexec(struct vm_call *call)
{
	const regex_t *compiled;
	const char *pattern = vm_string(call->arguments[0], UINT64_MAX, NULL),
		   *text = vm_string(call->arguments[2], UINT64_MAX, NULL);
	uint64_t count = call->arguments[3], most = count < 1000 ? count : 1000;
	if (compile(pattern, (int)call->arguments[1], &compiled) != 0)
		VM_BUG("a regular expression does not compile again");
	regmatch_t *matches = vm_scratch((most + 1) * sizeof *matches);
	memset(matches, 0xff, (most + 1) * sizeof *matches);
	int error = regexec(compiled, text, most, matches, (int)call->arguments[5]);
	if (error == 0 && count > most)
		vm_inconclusive(LIMIT_FUNCTION, "regexec asks for more than 1000 matches");
	if (error == 0 && count)
		vm_write(call->arguments[4], matches, NULL, count * sizeof *matches, ACCESS_WRITE);
	call->results[0] = (uint32_t)error;
	return CALL_DONE;
}

enum vm_outcome run_regerror(struct vm_call *call)
{
	char text[200];
	size_t length = regerror((int)call->arguments[0], NULL, text, sizeof text), room = call->arguments[2];
	size_t kept = length < room ? length : room;
	if (kept) {
		text[kept - 1] = '\0';
		vm_write(call->arguments[1], text, NULL, kept, ACCESS_WRITE);
	}
	call->results[0] = length;
	return CALL_DONE;
}
