/* SPDX-License-Identifier: MIT
 *
 * The table of the external functions that the VM provides, and those that take a few lines.
 */
#include "../memory/hidden.h"
#include "externals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ----------------------------------------------------------------------------------------------------- */

static const struct builtin builtins[] = {
#define ROW(policy, name, run, prepare, arguments, flags, data, assumption) \
	{ name, run_##run, prepare_##prepare, arguments, flags, data, assumption },
#include "builtin.def"
#undef ROW
};

const struct builtin builtin_havoc = { "(undefined)", run_choose_signed, prepare_choose_signed, 0, BUILTIN_VISIBLE, NULL, NULL };

static VM_OWN const struct builtin **resolved; /* by function of the image */

const struct builtin *builtin_find(const char *name)
{
	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	return NULL;
}

void builtin_resolve(void)
{
	const struct image *image = &vm_this.image;
	free(resolved); /* a program can begin again, on another table */
	resolved = calloc(image->counts[IMAGE_FUNCTIONS] + 1, sizeof *resolved);
	if (!resolved)
		vm_inconclusive(LIMIT_MEMORY, "out of memory");
	for (uint32_t i = 0; i < image->counts[IMAGE_FUNCTIONS]; i++) {
		const struct image_function *f = &image->functions[i];
		if (f->flags & FUNCTION_HAVOC)
			resolved[i] = &builtin_havoc;
		else if (f->flags & FUNCTION_DECLARED)
			resolved[i] = builtin_declared(f->name);
		else if (f->flags & FUNCTION_EXTERN)
			resolved[i] = builtin_find(image_string(image, f->name));
	}
	builtin_bind(resolved);
}

/* ---- short functions ------------------------------------------------------------------------------------------------ */

void prepare_none(struct vm_call *call)
{
	(void)call;
}

enum vm_outcome run_nothing(struct vm_call *call)
{
	(void)call;
	return CALL_DONE;
}

enum vm_outcome run_view(struct vm_call *call)
{
	if (vm_this.evaluating && vm_this.view)
		vm_this.view(vm_access(call->arguments[0], call->arguments[1], ACCESS_READ), call->arguments[1]);
	return CALL_DONE;
}

/* Refuse to run: the translator lets no program pass that calls one of these. */
enum vm_outcome run_library(struct vm_call *call)
{
	VM_BUG("%s has no body", call->builtin->name);
}

enum vm_outcome run_refused(struct vm_call *call)
{
	VM_BUG("%s is called", call->builtin->name);
}

/* Compute the absolute value of an int, if the row has `data`, or of a long. */
enum vm_outcome run_abs(struct vm_call *call)
{
	unsigned bits = call->builtin->data ? 32 : 64;
	int64_t value = vm_signed(call->arguments[0], bits);
	if (vm_this.image.options->overflow && value == (bits == 32 ? INT32_MIN : INT64_MIN))
		vm_fault(VIOLATION_SIGNED_OVERFLOW, "%s of the least integer does not fit its type", call->builtin->name);
	call->results[0] = value < 0 ? -(uint64_t)value : (uint64_t)value;
	vm_hidden_combined(call->arguments[0], 0, call->results[0]);
	return CALL_DONE;
}
