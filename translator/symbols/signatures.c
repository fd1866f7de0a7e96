/* SPDX-License-Identifier: MIT
 *
 * The types of functions and calls, as text: "int (pointer, long, ...)".  See runtime/image/match.h for what is written and how
 * two of them are compared.
 *
 * LLVM's types are not C's: int and unsigned, all pointers, and structures that travel in registers look alike.  So a
 * difference that is found is one, and some are not found.
 */
#include "symbols.h"
#include "../read/read.h"

#include <llvm-c/DebugInfo.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void add_type(FILE *out, LLVMTypeRef type);

static void add_elements(FILE *out, LLVMTypeRef type)
{
	fputs("struct {", out);
	for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
		fputs(i ? "; " : "", out);
		add_type(out, LLVMStructGetTypeAtIndex(type, i));
	}
	fputc('}', out);
}

static void add_type(FILE *out, LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMVoidTypeKind: fputs("void", out); break;
	case LLVMPointerTypeKind: fputs("pointer", out); break;
	case LLVMHalfTypeKind: fputs("_Float16", out); break;
	case LLVMFloatTypeKind: fputs("float", out); break;
	case LLVMDoubleTypeKind: fputs("double", out); break;
	case LLVMX86_FP80TypeKind: fputs("long double", out); break;
	case LLVMFP128TypeKind: fputs("__float128", out); break;
	case LLVMStructTypeKind: add_elements(out, type); break;
	case LLVMVectorTypeKind:
		fprintf(out, "%u times ", LLVMGetVectorSize(type));
		add_type(out, LLVMGetElementType(type));
		break;
	case LLVMIntegerTypeKind:
		switch (LLVMGetIntTypeWidth(type)) {
		case 1: fputs("_Bool", out); break;
		case 32: fputs("int", out); break;
		case 64: fputs("long", out); break;
		case 128: fputs("__int128", out); break;
		default: fprintf(out, "%u-bit integer", LLVMGetIntTypeWidth(type)); break;
		}
		break;
	default: fputs("?", out); break;
	}
}

/* Print the type of parameter number `index` of `of`, or with 0 that of the result.  Integers narrower than int have an attribute
 * that says how they are extended. */
static void add_value(struct translation *t, FILE *out, LLVMValueRef of, LLVMAttributeIndex index, LLVMTypeRef type)
{
	unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
	LLVMAttributeRef copied = index ? attribute_of(of, index, "byval") : NULL,
			 returned = index ? attribute_of(of, index, "sret") : NULL;
	bool extends_sign = attribute_of(of, index, "signext"), extends_zero = attribute_of(of, index, "zeroext");
	if (copied || returned) {
		LLVMTypeRef whole = LLVMGetTypeAttributeValue(copied ? copied : returned);
		assert(whole);
		fprintf(out, "struct of %llu bytes%s", LLVMABISizeOfType(t->layout, whole), returned ? " as result" : "");
	} else if ((bits == 8 || bits == 16) && (extends_sign || extends_zero)) {
		fprintf(out, "%s%s", extends_zero ? "unsigned " : "", bits == 8 ? "char" : "short");
	} else {
		add_type(out, type);
	}
}

static uint32_t write_signature(struct translation *t, LLVMValueRef of, LLVMTypeRef type, const char *before, bool any)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	unsigned count = LLVMCountParamTypes(type);
	LLVMTypeRef *parameters = xrealloc(NULL, (count + 1) * sizeof *parameters);
	if (!out)
		exit(2);
	LLVMGetParamTypes(type, parameters);
	fputs(before, out);
	add_value(t, out, of, 0, LLVMGetReturnType(type));
	fputs(" (", out);
	for (unsigned i = 0; !any && i < count; i++) {
		fputs(i ? ", " : "", out);
		add_value(t, out, of, i + 1, parameters[i]);
	}
	if (!any && LLVMIsFunctionVarArg(type))
		fputs(count ? ", ..." : "...", out);
	else if (!any && count == 0)
		fputs("void", out);
	fputc(')', out);
	fclose(out);
	uint32_t string = builder_string(&t->builder, text, length);
	free(parameters);
	free(text);
	return string;
}

uint32_t signature_of_call(struct translation *t, LLVMValueRef call)
{
	LLVMTypeRef type = LLVMGetCalledFunctionType(call);
	/* A call of what was declared as `int f();` looks like one of a variadic function that passes nothing more. */
	bool perhaps = LLVMIsFunctionVarArg(type) && LLVMGetNumArgOperands(call) == LLVMCountParamTypes(type);
	return write_signature(t, call, type, perhaps ? "~" : "", false);
}

/* Does debug information say that `function` was defined with a parameter list, if only (void)?  LLVM-C shows this flag in the text
 * of a node only. */
static bool has_prototype(struct translation *t, LLVMValueRef function)
{
	LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
	if (!subprogram)
		return false;
	char *text = LLVMPrintValueToString(LLVMMetadataAsValue(t->context, subprogram));
	bool found = strstr(text, "DIFlagPrototyped") != NULL;
	LLVMDisposeMessage(text);
	return found;
}

uint32_t signature_of_function(struct translation *t, LLVMValueRef function)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function);
	bool any = LLVMCountParamTypes(type) == 0;
	if (any && LLVMIsDeclaration(function))
		any = LLVMIsFunctionVarArg(type);
	else if (any)
		any = !is_library(function) && !has_prototype(t, function);
	return write_signature(t, function, type, "", any);
}
