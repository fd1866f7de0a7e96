/* SPDX-License-Identifier: MIT
 *
 * The C library in C (libc/): whether a program needs it, which functions belong to it, and which of its functions take the place
 * of those that the program names.
 */
#include "passes.h"
#include "read.h"
#include "../../runtime/image/policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY_MARK "bitspin-library"

bool is_library(LLVMValueRef function)
{
	return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LIBRARY_MARK,
					     strlen(LIBRARY_MARK)) != NULL;
}

void mark_library(struct translation *t, LLVMModuleRef library)
{
	LLVMAttributeRef mark = LLVMCreateStringAttribute(t->context, LIBRARY_MARK, strlen(LIBRARY_MARK), "", 0);
	for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark);
		if (LLVMGetLinkage(f) == LLVMExternalLinkage)
			LLVMSetLinkage(f, LLVMWeakAnyLinkage);
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g))
		if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage)
			LLVMSetLinkage(g, LLVMWeakAnyLinkage);
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(library); a; a = LLVMGetNextGlobalAlias(a))
		LLVMSetLinkage(a, LLVMWeakAnyLinkage);
}

bool declares(LLVMModuleRef module, const char *name)
{
	LLVMValueRef function = LLVMGetNamedFunction(module, name);
	return function && LLVMIsDeclaration(function);
}

static bool makes_ducts(LLVMModuleRef program)
{
	return declares(program, "pipe") || declares(program, "pipe2") || declares(program, "socketpair") ||
		declares(program, "eventfd");
}

bool prints_to_ducts(LLVMModuleRef program)
{
	return makes_ducts(program) &&
		(declares(program, "fdopen") || declares(program, "dprintf") || declares(program, "vdprintf"));
}

bool uses_memory_streams(LLVMModuleRef program)
{
	return declares(program, "open_memstream") || declares(program, "open_wmemstream") || declares(program, "fmemopen") ||
		declares(program, "tmpfile") || declares(program, "tmpfile64");
}

bool uses_wide_streams(LLVMModuleRef program)
{
	/* clang-format off */
	static const char *const functions[] = {
		"open_wmemstream", "fwide", "wprintf", "vwprintf", "fwprintf", "vfwprintf", "putwc", "fputwc", "putwchar",
			"putwc_unlocked",
		"fputwc_unlocked", "putwchar_unlocked", "fputws", "fputws_unlocked", "getwc", "fgetwc", "getwchar",
		"getwc_unlocked", "fgetwc_unlocked", "getwchar_unlocked", "fgetws", "fgetws_unlocked", "ungetwc", "wscanf",
		"vwscanf", "fwscanf", "vfwscanf", "__isoc99_wscanf", "__isoc99_vwscanf", "__isoc99_fwscanf", "__isoc99_vfwscanf",
		"__isoc23_wscanf", "__isoc23_vwscanf", "__isoc23_fwscanf", "__isoc23_vfwscanf", "__wprintf_chk",
		"__vwprintf_chk", "__fwprintf_chk", "__vfwprintf_chk", "__fgetws_chk",
	};
	/* clang-format on */
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (declares(program, functions[i]))
			return true;
	return false;
}

/* Let `module` use the function `by` of libc/ in the place of the function `name` of the VM. */
static void replace(LLVMModuleRef module, const char *name, const char *by)
{
	assert(strcmp(name, by) != 0);
	LLVMValueRef old = LLVMGetNamedFunction(module, name), new = LLVMGetNamedFunction(module, by);
	if (!old || !LLVMIsDeclaration(old))
		return;
	if (new)
		LLVMReplaceAllUsesWith(old, LLVMConstBitCast(new, LLVMTypeOf(old)));
	else
		LLVMSetValueName2(old, by, strlen(by));
}

/* Write streams in C. A program needs that where a stream or descriptor may be a file (--fs-write), a pipe, a wide stream or one in
 * memory. */
void write_in_c(LLVMModuleRef module, bool output)
{
	static const char *const functions[][2] = {
		{ "fprintf", "__bitspin_fprintf" },     { "vfprintf", "__bitspin_vfprintf" },
		{ "dprintf", "__bitspin_dprintf" },     { "vdprintf", "__bitspin_vdprintf" },
		{ "fputs", "__bitspin_fputs" },         { "fputs_unlocked", "__bitspin_fputs" },
		{ "fwrite", "__bitspin_fwrite" },       { "fwrite_unlocked", "__bitspin_fwrite" },
		{ "fputc", "__bitspin_fputc" },         { "putc", "__bitspin_fputc" },
		{ "_IO_putc", "__bitspin_fputc" },      { "fputc_unlocked", "__bitspin_fputc" },
		{ "putc_unlocked", "__bitspin_fputc" },
		{ "fflush", "__bitspin_fflush" },       { "fflush_unlocked", "__bitspin_fflush" },
		{ "setvbuf", "__bitspin_setvbuf" },     { "setbuf", "__bitspin_setbuf" },
	}, *const standard[][2] = {
		{ "printf", "__bitspin_printf" },   { "vprintf", "__bitspin_vprintf" }, { "puts", "__bitspin_puts" },
		{ "putchar", "__bitspin_putchar" }, { "putchar_unlocked", "__bitspin_putchar" },
	};
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		replace(module, functions[i][0], functions[i][1]);
	for (size_t i = 0; output && i < sizeof standard / sizeof *standard; i++)
		replace(module, standard[i][0], standard[i][1]);
}

/* Does the program call a function that returns an input? */
static bool asks_for_inputs(LLVMModuleRef program)
{
	static const char *const families[] = { "bitspin_any_", "bitspin_nondet_", "__VERIFIER_nondet_" };
	size_t length;
	for (LLVMValueRef f = LLVMGetFirstFunction(program); f; f = LLVMGetNextFunction(f))
		for (size_t i = 0; LLVMIsDeclaration(f) && i < sizeof families / sizeof *families; i++)
			if (strncmp(LLVMGetValueName2(f, &length), families[i], strlen(families[i])) == 0)
				return true;
	return false;
}

bool has_any_text(const struct translator_request *request, LLVMModuleRef program)
{
	bool any = request->input.most && !request->input.letters;
	any |= image_inputs_are_whole(request->options.inputs) && asks_for_inputs(program);
	for (size_t i = 0; i < request->narguments; i++)
		any |= request->arguments[i].most;
	for (size_t i = 0; i < request->nenvironment; i++)
		any |= request->environment_most[i] > 0;
	return any;
}

/* Read strings in C.  A program needs that where their characters are inputs of any value. */
void read_in_c(LLVMModuleRef module)
{
	static const char *const functions[][2] = {
		{ "strlen", "__bitspin_strlen" },
		{ "strnlen", "__bitspin_strnlen" },
		{ "strcmp", "__bitspin_strcmp" },
		{ "strcoll", "__bitspin_strcmp" },
		{ "strncmp", "__bitspin_strncmp" },
		{ "memcmp", "__bitspin_memcmp" },
		{ "bcmp", "__bitspin_memcmp" },
		{ "memchr", "__bitspin_memchr" },
		{ "memmem", "__bitspin_memmem" },
		{ "strstr", "__bitspin_strstr" },
		{ "strcasecmp", "__bitspin_strcasecmp" },
		{ "strncasecmp", "__bitspin_strncasecmp" },
		{ "strspn", "__bitspin_strspn" },
		{ "strcspn", "__bitspin_strcspn" },
		{ "strpbrk", "__bitspin_strpbrk" },
		{ "strchr", "__bitspin_strchr" },
		{ "strrchr", "__bitspin_strrchr" },
		{ "strcpy", "__bitspin_strcpy" },
		{ "strcat", "__bitspin_strcat" },
		{ "strncpy", "__bitspin_strncpy" },
		{ "strdup", "__bitspin_strdup" },
		{ "atoi", "__bitspin_atoi" },
		{ "atol", "__bitspin_atol" },
		{ "atoll", "__bitspin_atol" },
		{ "strtol", "__bitspin_strtol" },
		{ "strtoll", "__bitspin_strtol" },
		{ "strtoul", "__bitspin_strtoul" },
		{ "strtoull", "__bitspin_strtoul" },
		{ "__isoc23_strtol", "__bitspin_strtol" },
		{ "__isoc23_strtoll", "__bitspin_strtol" },
		{ "__isoc23_strtoul", "__bitspin_strtoul" },
		{ "__isoc23_strtoull", "__bitspin_strtoul" },
		{ "tolower", "__bitspin_tolower" },
		{ "toupper", "__bitspin_toupper" },
	};
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		replace(module, functions[i][0], functions[i][1]);
}

bool defines_malloc(LLVMModuleRef program)
{
	LLVMValueRef own = LLVMGetNamedFunction(program, "malloc");
	return own && !LLVMIsDeclaration(own) && LLVMGetLinkage(own) != LLVMInternalLinkage;
}

static const char *const allocating[][2] = {
	{ "strdup", "__bitspin_strdup" },
	{ "strndup", "__bitspin_strndup" },
	{ "asprintf", "__bitspin_asprintf" },
	{ "vasprintf", "__bitspin_vasprintf" },
};
enum { ALLOCATING = sizeof allocating / sizeof *allocating };

bool calls_allocating(LLVMModuleRef program)
{
	for (size_t i = 0; i < ALLOCATING; i++)
		if (declares(program, allocating[i][0]))
			return true;
	return false;
}

/* Allocate in C.  A program needs that if it defines malloc(), for what it frees by its own free() is to be from there. */
void allocate_in_c(LLVMModuleRef module)
{
	for (size_t i = 0; i < ALLOCATING; i++)
		replace(module, allocating[i][0], allocating[i][1]);
}

/* Is the function `name` called otherwise than with a null pointer as its second argument? */
static bool gives_buffer(LLVMModuleRef program, const char *name)
{
	LLVMValueRef function = declares(program, name) ? LLVMGetNamedFunction(program, name) : NULL;
	for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsACallInst(user) || LLVMGetNumArgOperands(user) < 2 || !LLVMIsNull(LLVMGetOperand(user, 1)))
			return true;
	}
	return false;
}

static bool is_standard_stream(LLVMValueRef value)
{
	LLVMValueRef global = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : value;
	size_t length;
	const char *name = LLVMIsAGlobalVariable(global) ? LLVMGetValueName2(global, &length) : "";
	return strcmp(name, "stdin") == 0 || strcmp(name, "stdout") == 0 || strcmp(name, "stderr") == 0;
}

/* Is the value, a standard stream, used otherwise than as an argument of a function that the program does not define, or to compare
 * it?  Then a variable may have it later. */
static bool is_passed_on(LLVMValueRef stream)
{
	for (LLVMUseRef use = LLVMGetFirstUse(stream); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use), called = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
		if (!LLVMIsAICmpInst(user) && (!called || !LLVMIsAFunction(called) || !LLVMIsDeclaration(called)))
			return true;
	}
	return false;
}

/* May a variable of the program have the standard stream `name`, other than the one of that name? */
static bool has_copies(LLVMModuleRef program, const char *name)
{
	LLVMValueRef variable = LLVMGetNamedGlobal(program, name);
	for (LLVMUseRef use = variable ? LLVMGetFirstUse(variable) : NULL; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsALoadInst(user) || is_passed_on(user))
			return true;
	}
	return false;
}

/* May fclose() be called for a standard stream, by its name or by a copy of it? */
static bool closes_standard_stream(LLVMModuleRef program)
{
	LLVMValueRef function = declares(program, "fclose") ? LLVMGetNamedFunction(program, "fclose") : NULL;
	if (function && (has_copies(program, "stdin") || has_copies(program, "stdout") || has_copies(program, "stderr")))
		return true;
	for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (LLVMIsACallInst(user) && LLVMGetNumArgOperands(user) == 1 && is_standard_stream(LLVMGetOperand(user, 0)))
			return true;
	}
	return false;
}

bool watches_streams(LLVMModuleRef program)
{
	return gives_buffer(program, "setvbuf") || gives_buffer(program, "setbuf") || gives_buffer(program, "setbuffer") ||
		closes_standard_stream(program);
}

enum stream_group { SHOWS, PIECES, READS, WRITES };

static const struct stream_function {
	const char *name, *by;
	enum stream_group group;
} stream_functions[] = {
#define STREAM(name, by, group) { name, by, group },
#include "stream_lock.def"
#undef STREAM
};
enum { STREAM_FUNCTIONS = sizeof stream_functions / sizeof *stream_functions };

static bool calls_any(LLVMModuleRef program, enum stream_group group)
{
	assert(group <= WRITES);
	for (size_t i = 0; i < STREAM_FUNCTIONS; i++)
		if (stream_functions[i].group == group && declares(program, stream_functions[i].name))
			return true;
	return false;
}

/* Where a program could notice that streams have locks, its calls take them (libc/streams.c), or race.
 *
 * That is so if it names a function of the lock, or one that goes without; and if a call may wait while it holds the lock, as it
 * may if the stream is a pipe or socket.  In all other programs nobody holds a lock but during a call that does not wait, so that
 * nobody ever waits for one; and that a call takes the lock orders nothing.  Then the lock does no more than make the call one
 * step.  What is one step without it, as to print is, does not need it: there is the same step at each point where there would be
 * one with the lock, with no other outcome.  What takes several steps (PIECES) needs it, if there are threads; and so does what
 * others do to the stream meanwhile, that is all that is for input, and what writes if a stream may be for `both`.
 *
 * Where it is watched whether the buffers that the program gives to streams are there, and the standard streams are open, the same
 * functions look at that. */
bool lock_streams(LLVMModuleRef program, bool both, bool watched)
{
	bool threads = declares(program, "pthread_create") || declares(program, "thrd_create") || declares(program, "timer_create");
	bool shows = calls_any(program, SHOWS) || (makes_ducts(program) && declares(program, "fdopen")),
	     locks = shows || (threads && calls_any(program, PIECES));
	for (size_t i = 0; (locks || watched) && i < STREAM_FUNCTIONS; i++) {
		const struct stream_function *f = &stream_functions[i];
		if (f->by && (shows || both || watched || f->group != WRITES))
			replace(program, f->name, f->by);
	}
	return locks;
}

bool calls_library(LLVMModuleRef program)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(program); f; f = LLVMGetNextFunction(f))
		if (LLVMIsDeclaration(f) && builtin_policy(function_name(f)) == POLICY_LIBRARY)
			return true;
	return false;
}

bool declares_variables(LLVMModuleRef program)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(program); g; g = LLVMGetNextGlobal(g))
		if (LLVMIsDeclaration(g))
			return true;
	return false;
}

bool has_variables_of(LLVMModuleRef program, LLVMModuleRef library)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(program); g; g = LLVMGetNextGlobal(g)) {
		size_t length;
		LLVMValueRef own = LLVMIsDeclaration(g) ? LLVMGetNamedGlobal(library, LLVMGetValueName2(g, &length)) : NULL;
		if (own && !LLVMIsDeclaration(own))
			return true;
	}
	return false;
}
