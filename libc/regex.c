/* SPDX-License-Identifier: MIT
 *
 * regex.h: a compiled expression is a copy of its text and flags; the VM asks the host's library, in the C locale, whenever it is
 * used (runtime/externals/regex.c).
 */
#include "ducts.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* Done by the VM: errors as those of regcomp() and regexec(); the length of a message. */
int __bitspin_regcomp(const char *pattern, int flags, size_t *groups);
int __bitspin_regexec(const char *pattern, int flags, const char *text, size_t count, regmatch_t *matches, int how);
size_t __bitspin_regerror(int error, char *to, size_t size);

int regcomp(regex_t *expression, const char *pattern, int flags)
{
	size_t groups = 0;
	int error = __bitspin_regcomp(pattern, flags, &groups);
	memset(expression, 0, sizeof *expression);
	if (error)
		return error;
	expression->buffer = (void *)strdup(pattern);
	expression->allocated = (unsigned)flags;
	expression->re_nsub = groups;
	return expression->buffer ? 0 : REG_ESPACE;
}

int regexec(const regex_t *expression, const char *text, size_t count, regmatch_t *matches, int how)
{
	int flags = (int)expression->allocated;
	if (how & ~(REG_NOTBOL | REG_NOTEOL))
		__bitspin_refuse("regexec with REG_STARTEND is not modelled");
	if (flags & REG_NOSUB)
		count = 0;
	return __bitspin_regexec((const char *)expression->buffer, flags, text, count, matches, how);
}

void regfree(regex_t *expression)
{
	free(expression->buffer);
	expression->buffer = NULL;
}

size_t regerror(int error, const regex_t *expression, char *to, size_t size)
{
	(void)expression;
	return __bitspin_regerror(error, to, size);
}
