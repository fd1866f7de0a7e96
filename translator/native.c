/* SPDX-License-Identifier: MIT
 *
 * The program again, for a native run that is held to a schedule: the bitcode as it was given, with a call of our runtime library
 * (runtime/native/) before each operation that the schedule names, and another after it if it is a call.  No pass runs: what is
 * counted here must be what the VM counts (runtime/trace/turns.h).
 */
#include "base/translation.h"
#include "read/variables.h"

#include <llvm-c/DebugInfo.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "bitspin_native_"

struct native {
	const struct translator_native *request;
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMTypeRef type; /* void (int) */
	LLVMValueRef before, after;
};

/* Is the variable at `pointer` in a register of the VM, so that to read or write it is no access there? */
static bool is_register(LLVMValueRef pointer)
{
	return LLVMIsAAllocaInst(pointer) && !stays_in_memory(pointer);
}

/* Return the name of the operation `insn` as in runtime/trace/turns.h; NULL if it is none. */
static const char *operation_of(LLVMValueRef insn)
{
	LLVMValueRef called = directly_called(insn);
	const char *name = called ? function_name(called) : NULL;
	switch (LLVMGetInstructionOpcode(insn)) {
	case LLVMLoad: return is_register(LLVMGetOperand(insn, 0)) ? NULL : "load";
	case LLVMStore: return is_register(LLVMGetOperand(insn, 1)) ? NULL : "store";
	case LLVMAtomicRMW: return "rmw";
	case LLVMAtomicCmpXchg: return "cmpxchg";
	case LLVMFence: return "fence";
	case LLVMCall: break;
	default: return NULL;
	}
	if (!name || !LLVMIsDeclaration(called))
		return NULL;
	if (begins(name, "llvm.memcpy.") || begins(name, "llvm.memmove.") || begins(name, "llvm.memset."))
		return "block";
	return begins(name, "llvm.") ? NULL : name;
}

/* Is `name` the operation `wanted`?  "syscall(SYS_futex)" in the VM is "syscall" here. */
static bool same_operation(const char *wanted, const char *name)
{
	size_t length = strcspn(wanted, "(");
	return strncmp(wanted, name, length) == 0 && name[length] == '\0';
}

static bool same_file(const char *wanted, LLVMValueRef insn)
{
	unsigned length = 0, more = 0;
	const char *file = LLVMGetDebugLocFilename(insn, &length), *directory = LLVMGetDebugLocDirectory(insn, &more);
	size_t whole = strlen(wanted);
	if (!file || whole < length || strncmp(wanted + whole - length, file, length) != 0)
		return false;
	if (whole == length)
		return true;
	return directory && whole == (size_t)more + 1 + length && strncmp(wanted, directory, more) == 0;
}

/* Return which key of the request names the operation; -1 if none does. */
static int key_of(const struct native *n, LLVMValueRef insn, const char *operation)
{
	unsigned line = LLVMGetDebugLocLine(insn);
	for (size_t i = 0; i < n->request->nkeys; i++) {
		const struct translator_key *key = &n->request->keys[i];
		if (key->line == line && same_operation(key->operation, operation) && same_file(key->file, insn))
			return (int)i;
	}
	return -1;
}

static void add_call(const struct native *n, LLVMValueRef at, LLVMValueRef insn, LLVMValueRef function, int key)
{
	LLVMValueRef argument = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(n->module)), (unsigned)key, 0);
	assert(key >= 0 && (size_t)key < n->request->nkeys);
	LLVMPositionBuilderBefore(n->builder, at);
	LLVMValueRef call = LLVMBuildCall2(n->builder, n->type, function, &argument, 1, "");
	LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(insn));
}

static void instrument(const struct native *n, LLVMValueRef insn)
{
	const char *operation = operation_of(insn);
	int key = operation ? key_of(n, insn, operation) : -1;
	if (key < 0)
		return;
	LLVMValueRef next = LLVMGetNextInstruction(insn);
	add_call(n, insn, insn, n->before, key);
	bool call = LLVMIsACallInst(insn) && strcmp(operation, "block") != 0;
	if (call && next && !LLVMIsAUnreachableInst(next))
		add_call(n, next, insn, n->after, key);
}

/* Rename the functions that our library does in another way than the system. */
static void rename_functions(const struct native *n)
{
	for (size_t i = 0; i < n->request->nrenamed; i++) {
		LLVMValueRef f = LLVMGetNamedFunction(n->module, n->request->renamed[i]);
		char *name = NULL;
		if (!f || !LLVMIsDeclaration(f))
			continue;
		if (asprintf(&name, PREFIX "%s", n->request->renamed[i]) < 0)
			exit(2);
		assert(!LLVMGetNamedFunction(n->module, name)); /* LLVM would put a number behind the name */
		LLVMSetValueName2(f, name, strlen(name));
		free(name);
	}
}

static void instrument_module(struct native *n)
{
	assert(n->module && !n->builder);
	LLVMContextRef context = LLVMGetModuleContext(n->module);
	const char *attribute = n->request->attribute;
	unsigned kind = attribute ? LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)) : 0;
	LLVMTypeRef number = LLVMInt32TypeInContext(context);
	assert(kind || !attribute); /* 0: this version of LLVM has no such attribute */
	n->builder = LLVMCreateBuilderInContext(context);
	n->type = LLVMFunctionType(LLVMVoidTypeInContext(context), &number, 1, 0);
	n->before = LLVMAddFunction(n->module, PREFIX "before", n->type);
	n->after = LLVMAddFunction(n->module, PREFIX "after", n->type);
	for (LLVMValueRef f = LLVMGetFirstFunction(n->module); f; f = LLVMGetNextFunction(f)) {
		if (kind && !LLVMIsDeclaration(f))
			LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
						LLVMCreateEnumAttribute(context, kind, 0));
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
			for (LLVMValueRef insn = LLVMGetFirstInstruction(block), next; insn; insn = next) {
				next = LLVMGetNextInstruction(insn);
				instrument(n, insn);
			}
	}
	rename_functions(n);
	LLVMDisposeBuilder(n->builder);
}

static char *make_native(LLVMModuleRef module, void *request)
{
	struct native n = { .request = request, .module = module };
	instrument_module(&n);
	return NULL;
}

char *translator_make_native(const struct translator_native *request)
{
	assert(request->path && request->output);
	return rewrite_module(request->path, request->output, make_native, (void *)request);
}
