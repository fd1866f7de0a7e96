/* SPDX-License-Identifier: MIT
 *
 * The C library in C (libc/): does a program need it, which functions are its, and its tables (libc/library.h) that depend on the
 * host or on what the user asked for: the texts of strerror(), the files of the program's file system, its environment.  All
 * tables are constants, so they cost no state.
 */
#include "symbols.h"
#include "../runtime/image/policy.h"

#include <stdlib.h>
#include <string.h>

#define LIBRARY_MARK "bitspin-library"

bool is_library(LLVMValueRef function)
{
	return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LIBRARY_MARK,
					     strlen(LIBRARY_MARK)) != NULL;
}

/* The program's own definitions win over the library's: these are weak.  They are marked, to be told from the program's. */
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

static bool calls(LLVMModuleRef module, const char *name)
{
	LLVMValueRef function = LLVMGetNamedFunction(module, name);
	return function && LLVMIsDeclaration(function);
}

/* May what a program writes to a stream, or prints to a descriptor, go to a pipe of its own? */
bool prints_to_ducts(LLVMModuleRef program)
{
	bool ducts = calls(program, "pipe") || calls(program, "pipe2") || calls(program, "socketpair") || calls(program, "eventfd");
	return ducts && (calls(program, "fdopen") || calls(program, "dprintf") || calls(program, "vdprintf"));
}

bool uses_memory_streams(LLVMModuleRef program)
{
	return calls(program, "open_memstream") || calls(program, "open_wmemstream") || calls(program, "fmemopen") ||
		calls(program, "tmpfile") || calls(program, "tmpfile64");
}

/* Does the program use streams of wide characters? */
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
		if (calls(program, functions[i]))
			return true;
	return false;
}

/* Use the function of libc/ in the place of that of the VM. */
static void replace(LLVMModuleRef module, const char *name, const char *by)
{
	LLVMValueRef old = LLVMGetNamedFunction(module, name), new = LLVMGetNamedFunction(module, by);
	if (!old || !LLVMIsDeclaration(old))
		return;
	if (new)
		LLVMReplaceAllUsesWith(old, LLVMConstBitCast(new, LLVMTypeOf(old)));
	else
		LLVMSetValueName2(old, by, strlen(by));
}

/* A program needs it where a stream or descriptor may be a file (--fs-write), a pipe, a wide stream or one in memory. */
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

/* Where a program could notice that streams have locks, its calls take them (libc/streams.c), or race. */
void lock_streams(LLVMModuleRef program)
{
	static const char *const locks[] = { "flockfile", "ftrylockfile" };
	static const char *const unlocked[][2] = {
		{ "putchar_unlocked", "__bitspin_unlocked_putchar" },
		{ "putc_unlocked", "__bitspin_unlocked_fputc" },
		{ "fputc_unlocked", "__bitspin_unlocked_fputc" },
		{ "fputs_unlocked", "__bitspin_unlocked_fputs" },
		{ "fwrite_unlocked", "__bitspin_unlocked_fwrite" },
		{ "getchar_unlocked", "__bitspin_unlocked_getchar" },
		{ "getc_unlocked", "__bitspin_unlocked_fgetc" },
		{ "fgetc_unlocked", "__bitspin_unlocked_fgetc" },
		{ "fread_unlocked", "__bitspin_unlocked_fread" },
		{ "__overflow", "__bitspin_unlocked_overflow" },
		{ "__uflow", "__bitspin_unlocked_fgetc" },
	};
	static const char *const locked[][2] = {
		{ "printf", "__bitspin_locked_printf" },       { "vprintf", "__bitspin_locked_vprintf" },
		{ "fprintf", "__bitspin_locked_fprintf" },     { "vfprintf", "__bitspin_locked_vfprintf" },
		{ "puts", "__bitspin_locked_puts" },           { "fputs", "__bitspin_locked_fputs" },
		{ "fwrite", "__bitspin_locked_fwrite" },       { "putchar", "__bitspin_locked_putchar" },
		{ "putc", "__bitspin_locked_fputc" },          { "fputc", "__bitspin_locked_fputc" },
		{ "_IO_putc", "__bitspin_locked_fputc" },      { "fgetc", "__bitspin_locked_fgetc" },
		{ "getc", "__bitspin_locked_fgetc" },          { "_IO_getc", "__bitspin_locked_fgetc" },
		{ "getchar", "__bitspin_locked_getchar" },     { "fgets", "__bitspin_locked_fgets" },
		{ "fread", "__bitspin_locked_fread" },         { "getdelim", "__bitspin_locked_getdelim" },
		{ "getline", "__bitspin_locked_getline" },     { "ungetc", "__bitspin_locked_ungetc" },
		{ "__getdelim", "__bitspin_locked_getdelim" }, { "fflush", "__bitspin_locked_fflush" },
	};
	bool notices = false;
	for (size_t i = 0; i < sizeof locks / sizeof *locks; i++)
		notices |= calls(program, locks[i]);
	for (size_t i = 0; i < sizeof unlocked / sizeof *unlocked; i++)
		notices |= calls(program, unlocked[i][0]);
	if (!notices)
		return;
	for (size_t i = 0; i < sizeof locked / sizeof *locked; i++)
		replace(program, locked[i][0], locked[i][1]);
	for (size_t i = 0; i < sizeof unlocked / sizeof *unlocked; i++)
		replace(program, unlocked[i][0], unlocked[i][1]);
}

bool needs_library(LLVMModuleRef program, LLVMModuleRef library)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(program); f; f = LLVMGetNextFunction(f))
		if (LLVMIsDeclaration(f) && builtin_policy(function_name(f)) == POLICY_LIBRARY)
			return true;
	for (LLVMValueRef g = LLVMGetFirstGlobal(program); g; g = LLVMGetNextGlobal(g)) {
		size_t length;
		LLVMValueRef own = LLVMIsDeclaration(g) ? LLVMGetNamedGlobal(library, LLVMGetValueName2(g, &length)) : NULL;
		if (own && !LLVMIsDeclaration(own))
			return true;
	}
	return false;
}

/* ---- tables -------------------------------------------------------------------------------------------------------- */

static uint64_t constant(struct translation *t, const char *name, const void *bytes, size_t size)
{
	return image_global_address(make_global(t, name, bytes, size, GLOBAL_CONSTANT | GLOBAL_INTERNAL), 0);
}

static uint64_t string(struct translation *t, const char *text)
{
	return constant(t, "a string of the C library", text, strlen(text) + 1);
}

static void *files_table(struct translation *t, uint64_t *size)
{
	size_t n = t->request->nfiles;
	uint64_t *rows = calloc(3 * (n + 1), sizeof *rows);
	for (size_t i = 0; i < n; i++) {
		const struct translator_file *file = &t->request->files[i];
		rows[3 * i] = string(t, file->name);
		rows[3 * i + 1] = constant(t, file->name, file->bytes, file->size);
		rows[3 * i + 2] = file->size;
	}
	*size = 3 * n * sizeof *rows;
	return rows;
}

enum { ERRORS = 134, SIGNALS = 65 }; /* of Linux */

/* What the host's function says of each number. */
static void *texts_table(struct translation *t, const char *(*text_of)(int number), int count, uint64_t *size)
{
	uint64_t *rows = calloc((size_t)count, sizeof *rows);
	for (int i = 0; i < count; i++) {
		const char *text = text_of(i);
		rows[i] = text ? string(t, text) : 0;
	}
	*size = (uint64_t)count * sizeof *rows;
	return rows;
}

static void *environment_table(struct translation *t, uint64_t *size)
{
	size_t n = t->request->nenvironment;
	uint64_t *rows = calloc(n + 1, sizeof *rows);
	for (size_t i = 0; i < n; i++)
		rows[i] = string(t, t->request->environment[i]);
	*size = (n + 1) * sizeof *rows;
	return rows;
}

static void *count_table(uint64_t count, uint64_t *size)
{
	uint64_t *row = malloc(sizeof *row);
	*row = count;
	*size = sizeof *row;
	return row;
}

bool library_table(struct translation *t, const char *name, void **bytes, uint64_t *size)
{
	if (strcmp(name, "__bitspin_files") == 0)
		*bytes = files_table(t, size);
	else if (strcmp(name, "__bitspin_nfiles") == 0)
		*bytes = count_table(t->request->nfiles, size);
	else if (strcmp(name, "__bitspin_errors") == 0)
		*bytes = texts_table(t, strerrordesc_np, ERRORS, size);
	else if (strcmp(name, "__bitspin_error_names") == 0)
		*bytes = texts_table(t, strerrorname_np, ERRORS, size);
	else if (strcmp(name, "__bitspin_nerrors") == 0)
		*bytes = count_table(ERRORS, size);
	else if (strcmp(name, "__bitspin_signals") == 0)
		*bytes = texts_table(t, sigdescr_np, SIGNALS, size);
	else if (strcmp(name, "__bitspin_signal_names") == 0)
		*bytes = texts_table(t, sigabbrev_np, SIGNALS, size);
	else if (strcmp(name, "__bitspin_nsignals") == 0)
		*bytes = count_table(SIGNALS, size);
	else if (strcmp(name, "__bitspin_clock_step") == 0)
		*bytes = count_table(t->request->options.clock_step, size);
	else if (strcmp(name, "__bitspin_fs_write") == 0)
		*bytes = count_table(t->request->options.fs_write, size);
	else if (strcmp(name, "__bitspin_wide_streams") == 0)
		*bytes = count_table(t->wide_streams, size);
	else if (strcmp(name, "__bitspin_environment") == 0)
		*bytes = environment_table(t, size);
	else
		return false;
	return true;
}
