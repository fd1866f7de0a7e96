/* SPDX-License-Identifier: MIT
 *
 * Declarations of the functions that the rows of libc.def name.  Each runs one call of an external function by the
 * running thread; see struct vm_call in vm.h.
 */
#ifndef BITSPIN_BUILTIN_H
#define BITSPIN_BUILTIN_H

#include "vm.h"

#define BUILTIN(name, run, prepare, arguments, flags, data, assumption) \
	enum vm_outcome run_##run(struct vm_call *call); \
	void prepare_##prepare(struct vm_call *call);
#include "libc.def"
#undef BUILTIN

/* Functions that are not in the table: FUNCTION_HAVOC, which returns anything of its type. */
extern const struct builtin builtin_havoc;

/* The NUL-terminated string at an address, checked and recorded as read; its length in *length unless NULL.  Reads at
 * most `limit` bytes. */
const char *vm_string(uint64_t address, uint64_t limit, uint64_t *length);

/* Format as printf does, variable arguments from the area at `area` (see FUNCTION_VARIADIC).  The text, in scratch
 * memory. */
char *vm_format(const char *format, uint64_t area, size_t *length);

#endif
