/* SPDX-License-Identifier: MIT
 *
 * Reading: files to one verified module, prepared for lowering.
 *
 * The only pass that runs is mem2reg, so that C's locals live in registers and dead values never enter a state.  Passes
 * that exploit undefined behaviour (sroa deletes stores beyond an array, instcombine and gvn fold what they may) would
 * hide the errors that we are looking for.
 */
#include "passes.h"
#include "read.h"
#include "variables.h"
#include "../../runtime/image/policy.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#if LLVM_VERSION_MAJOR >= 17
#include <llvm-c/DebugInfo.h>
#endif

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *translator_llvm_version(void)
{
	return LLVM_VERSION_STRING;
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *cookie)
{
	struct translation *t = cookie;
	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
		return;
	char *text = LLVMGetDiagInfoDescription(info);
	complain(t, NULL, "%s", text);
	LLVMDisposeMessage(text);
}

static LLVMModuleRef read_module(struct translation *t, const char *path)
{
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	char *error = NULL;
	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error)) {
		complain(t, NULL, "cannot read '%s': %s", path, error);
		LLVMDisposeMessage(error);
		return NULL;
	}
	if (LLVMGetBufferSize(buffer) == 0) {
		complain(t, NULL, "'%s' is empty", path);
		LLVMDisposeMemoryBuffer(buffer);
		return NULL;
	}
	if (LLVMParseIRInContext(t->context, buffer, &module, &error)) {
		char *end = error ? strchr(error, '\n') : NULL;
		if (end)
			*end = '\0';
		complain(t, NULL,
			 "cannot read '%s' as LLVM bitcode or assembly (this is LLVM %s; make it with clang %d or older): %s", path,
			 LLVM_VERSION_STRING, LLVM_VERSION_MAJOR, error ? error : "unknown error");
		LLVMDisposeMessage(error);
		return NULL;
	}
	if (make_valid(t, module, path))
		return module;
	LLVMDisposeModule(module);
	return NULL;
}

static bool target_is_ours(struct translation *t, LLVMModuleRef module, const char *path)
{
	const char *target = LLVMGetTarget(module);
	if (target[0] == '\0' || begins(target, "x86_64"))
		return true;
	complain(t, NULL, "'%s' is for the target '%s'; compile it for x86_64-linux-gnu", path, target);
	return false;
}

static LLVMModuleRef read_ours(struct translation *t, const char *path)
{
	LLVMModuleRef module = read_module(t, path);
	if (!module || target_is_ours(t, module, path))
		return module;
	LLVMDisposeModule(module);
	return NULL;
}

/* ---- linking --------------------------------------------------------------------------------------------------------- */

/* Return the file that `function` is from, by its debug information, or else that of its module.  The caller frees it. */
static char *file_of(const struct translation *t, LLVMValueRef function)
{
	size_t whole;
	unsigned length = 0;
	const char *file = LLVMGetDebugLocFilename(function, &length);
	const char *own = t->request->own, *slash = file ? memrchr(file, '/', length) : NULL;
	unsigned more = 0;
	const char *directory = LLVMGetDebugLocDirectory(function, &more);
	bool absolute = file && length && file[0] == '/';
	char *path = NULL;
	if (file && own &&
	    asprintf(&path, "%.*s%s%.*s", absolute ? 0 : (int)more, directory, absolute ? "" : "/", (int)length, file) < 0)
		exit(2);
	bool ours = path && begins(path, own); /* the user would not know it */
	free(path);
	if (ours && slash)
		return strndup(slash + 1, length - (size_t)(slash + 1 - file));
	return file && length ? strndup(file, length) : xstrdup(LLVMGetSourceFileName(LLVMGetGlobalParent(function), &whole));
}

/* Complain, and return true, if `module` and the modules before it both define a function.  LLVM's linker would say so, too, but
 * not where. */
static bool clashes(struct translation *t, LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		LLVMValueRef other = LLVMGetNamedFunction(t->module, function_name(f));
		if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMExternalLinkage || !other || LLVMIsDeclaration(other) ||
		    LLVMGetLinkage(other) != LLVMExternalLinkage)
			continue;
		char *first = file_of(t, other), *second = file_of(t, f);
		complain(t, NULL, "%s is defined in '%s' and in '%s'; name the files of one program", function_name(f), first,
			 second);
		free(first);
		free(second);
		return true;
	}
	return false;
}

static int add_module(struct translation *t, LLVMModuleRef module, const char *path)
{
	assert(module);
	inspect_given(t, module, path);
	if (!t->module) {
		t->module = module;
		return 0;
	}
	if (clashes(t, module)) {
		LLVMDisposeModule(module);
		return -1;
	}
	if (!LLVMLinkModules2(t->module, module))
		return 0;
	complain(t, NULL, "cannot link '%s' with the files before it", path);
	return -1;
}

static bool is_wanted(const struct translation *t, LLVMValueRef global, LLVMValueRef other)
{
	LLVMLinkage linkage = LLVMGetLinkage(global);
	if (LLVMIsDeclaration(global) || linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
	    linkage == LLVMAvailableExternallyLinkage)
		return false;
	if (!other)
		return strcmp(function_name(global), t->request->entry) == 0;
	return LLVMIsDeclaration(other) && LLVMGetLinkage(other) != LLVMExternalWeakLinkage && LLVMGetFirstUse(other);
}

/* Does `module` define something that is still missing? */
static bool is_needed(const struct translation *t, LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (is_wanted(t, f, LLVMGetNamedFunction(t->module, function_name(f))))
			return true;
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
		if (is_wanted(t, g, LLVMGetNamedGlobal(t->module, function_name(g))))
			return true;
	return false;
}

/* Link members of archives as a linker takes them: those that are needed, until none is. */
static int link_members(struct translation *t)
{
	size_t n = t->request->nmembers;
	LLVMModuleRef *members = xrealloc(NULL, (n + 1) * sizeof *members);
	int status = 0;
	for (size_t i = 0; i < n; i++) {
		members[i] = status == 0 ? read_ours(t, t->request->members[i]) : NULL;
		status = members[i] ? 0 : -1;
	}
	for (bool again = true; again && status == 0;) {
		again = false;
		for (size_t i = 0; i < n && status == 0; i++) {
			if (!members[i] || !is_needed(t, members[i]))
				continue;
			status = add_module(t, members[i], t->request->members[i]);
			members[i] = NULL;
			again = true;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (members[i])
			LLVMDisposeModule(members[i]);
	free(members);
	return status;
}

static int link_modules(struct translation *t)
{
	for (size_t i = 0; i < t->request->npaths; i++) {
		LLVMModuleRef module = read_ours(t, t->request->paths[i]);
		if (!module || add_module(t, module, t->request->paths[i]) < 0)
			return -1;
	}
	return link_members(t);
}

/* ---- the C library in C --------------------------------------------------------------------------------------------- */

/* Does the program need the library?  No more of it is read for that than the names, as to read all of it takes longer than the
 * rest of the translation. */
static bool is_library_needed(const struct translation *t)
{
	if (calls_library(t->module) || (defines_malloc(t->module) && calls_allocating(t->module)))
		return true;
	if (!declares_variables(t->module))
		return false;
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef names;
	char *error = NULL;
	if (LLVMCreateMemoryBufferWithContentsOfFile(t->request->library, &buffer, &error)) {
		LLVMDisposeMessage(error);
		return true; /* who reads it will complain */
	}
	if (LLVMGetBitcodeModuleInContext2(t->context, buffer, &names)) /* it has the buffer now */
		return true;
	bool needed = has_variables_of(t->module, names);
	LLVMDisposeModule(names);
	return needed;
}

static int link_library(struct translation *t)
{
	if (!t->request->library)
		return 0;
	assert(t->module);
	t->watched_streams = watches_streams(t->module);
	t->exit_in_c = t->watched_streams || declares(t->module, "atexit") || declares(t->module, "on_exit") ||
		LLVMGetNamedGlobal(t->module, "llvm.global_dtors");
	t->abort_in_c = declares(t->module, "signal") || declares(t->module, "sigaction") || declares(t->module, "__sysv_signal");
	bool any = has_any_text(t->request, t->module);
	if (!t->exit_in_c && !any && !is_library_needed(t))
		return 0;
	LLVMModuleRef library = read_module(t, t->request->library);
	if (!library)
		return -1;
	mark_library(t, library);
	t->wide_streams = uses_wide_streams(t->module);
	bool both = t->request->options.fs_write || prints_to_ducts(t->module) || uses_memory_streams(t->module);
	t->stream_locks = lock_streams(t->module, both, t->watched_streams);
	if (both || t->wide_streams) {
		write_in_c(t->module, t->wide_streams);
		write_in_c(library, t->wide_streams);
	}
	if (any) {
		read_in_c(t->module);
		read_in_c(library);
	}
	if (defines_malloc(t->module)) {
		allocate_in_c(t->module);
		allocate_in_c(library);
	}
	if (LLVMLinkModules2(t->module, library)) {
		complain(t, NULL, "cannot link the C library with the program");
		return -1;
	}
	return 0;
}

/* Does `function` call setjmp?  Then its variables stay in memory, where they keep what was last written to them. */
static bool calls_setjmp(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			LLVMValueRef called = directly_called(i);
			if (called && LLVMIsDeclaration(called) && builtin_returns_twice(function_name(called)))
				return true;
		}
	return false;
}

static bool knows_setjmp(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (LLVMIsDeclaration(f) && builtin_returns_twice(function_name(f)))
			return true;
	return false;
}

/* Remove the attributes by which clang -O0 keeps optimisers away, so that mem2reg runs. */
static void allow_passes(LLVMModuleRef module)
{
	unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", 7), noinline = LLVMGetEnumAttributeKindForName("noinline", 8);
	LLVMContextRef context = LLVMGetModuleContext(module);
	bool jumps = knows_setjmp(module); /* else nobody need look at all calls */
	assert(optnone && noinline);       /* 0: this version of LLVM has no such attribute */
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (!jumps || !calls_setjmp(f)) {
			LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, optnone);
			continue;
		}
		LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					LLVMCreateEnumAttribute(context, noinline, 0));
		LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					LLVMCreateEnumAttribute(context, optnone, 0));
	}
}

static int run_passes(struct translation *t)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(t->module, "function(mem2reg)", NULL, options);
	LLVMDisposePassBuilderOptions(options);
	if (!error)
		return 0;
	char *text = LLVMGetErrorMessage(error);
	complain(t, NULL, "LLVM cannot prepare the program: %s", text);
	LLVMDisposeErrorMessage(text);
	return -1;
}

int load_program(struct translation *t)
{
	assert(!t->context && !t->module);
	t->context = LLVMContextCreate();
	t->optimised = t->request->options.optimised;
	LLVMContextSetDiagnosticHandler(t->context, on_diagnostic, t);
	keep_readers_alive();
	if (link_modules(t) < 0)
		return -1;
	assert(t->module);
	drop_described_bodies(t);
	join_sections(t);
	name_system_calls(t);
	if (link_library(t) < 0)
		return -1;
	char *error = NULL;
	bool several = t->request->npaths + t->request->nmembers > 1; /* each by itself is valid */
	if (several && LLVMVerifyModule(t->module, LLVMReturnStatusAction, &error)) {
		char *end = strchr(error, '\n');
		if (end)
			*end = '\0';
		complain(t, NULL, "the files are not valid together: %s", error);
		LLVMDisposeMessage(error);
		return -1;
	}
	LLVMDisposeMessage(error);
#if LLVM_VERSION_MAJOR >= 19
	LLVMSetIsNewDbgInfoFormat(t->module, 0); /* variables as intrinsics, as in older versions */
#endif
	allow_passes(t->module);
	mark_variables(t->module, t->request->variables_stay);
	if (!t->request->variables_stay && run_passes(t) < 0)
		return -1;
	name_itself(t);
	t->layout = LLVMGetModuleDataLayout(t->module);
	if (LLVMPointerSize(t->layout) != 8 || LLVMByteOrder(t->layout) != LLVMLittleEndian) {
		complain(t, NULL, "the program is not for a 64-bit little-endian machine; compile it for x86_64-linux-gnu");
		return -1;
	}
	return t->result->nmessages ? -1 : 0;
}

void unload_program(struct translation *t)
{
	if (t->request->ends)
		return;
	if (t->module)
		LLVMDisposeModule(t->module);
	if (t->context)
		LLVMContextDispose(t->context);
}
