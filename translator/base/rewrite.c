/* SPDX-License-Identifier: MIT
 *
 * A file of bitcode that is read, changed and written, beside the translation.
 */
#include "translation.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>

#include <stdlib.h>

char *rewrite_module(const char *path, const char *output, module_change *change, void *with)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	char *error = NULL, *message = NULL;
	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error) ||
	    LLVMParseIRInContext(context, buffer, &module, &error)) {
		if (asprintf(&message, "cannot read '%s': %s", path, error ? error : "unknown error") < 0)
			exit(2);
		LLVMDisposeMessage(error);
	} else {
		message = change(module, with);
		if (!message && LLVMWriteBitcodeToFile(module, output) && asprintf(&message, "cannot write '%s'", output) < 0)
			exit(2);
		LLVMDisposeModule(module);
	}
	LLVMContextDispose(context);
	return message;
}
