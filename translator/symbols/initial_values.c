/* SPDX-License-Identifier: MIT
 *
 * The bytes that a global variable has at first: its initial value, a table of the C library, or the number of a standard stream.
 */
#include "symbols.h"
#include "values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Is `name` one of the standard streams?  Put its value into *value: any that tells the three apart will do. */
static bool is_standard_stream(const char *name, uint64_t *value)
{
	static const char *const names[] = { "stdin", "stdout", "stderr" };
	for (uint64_t i = 0; i < 3; i++)
		if (strcmp(name, names[i]) == 0) {
			*value = i + 1;
			return true;
		}
	return false;
}

void fill_global(struct translation *t, uint32_t index, LLVMValueRef global)
{
	struct image_global g = *(struct image_global *)builder_at(&t->builder, IMAGE_GLOBALS, index);
	LLVMValueRef initial = LLVMGetInitializer(global);
	size_t length;
	const char *name = LLVMGetValueName2(global, &length);
	uint64_t stream;
	assert(t->global_queue[index] == global && g.data == 0); /* nothing is filled twice */
	if (g.size > IMAGE_MAX_SIZE) {
		complain(t, global, "variable '%s' has %llu bytes; the limit is %llu", name, (unsigned long long)g.size,
			 (unsigned long long)IMAGE_MAX_SIZE);
		return;
	}
	uint8_t *bytes = calloc(g.size + 8, 1);
	void *table = NULL;
	if (initial)
		constant_bytes(t, initial, bytes, global);
	else if (library_table(t, name, &table, &g.size))
		memcpy(bytes = xrealloc(bytes, g.size + 8), table, g.size);
	else if (is_standard_stream(name, &stream))
		memcpy(bytes, &stream, sizeof stream);
	else if (LLVMGetLinkage(global) != LLVMExternalWeakLinkage && !t->request->options.svcomp)
		complain(t, global, "variable '%s' is not defined; add the file that defines it", name);
	g.data = builder_add(&t->builder, IMAGE_DATA, bytes, g.size);
	free(bytes);
	free(table);
	struct image_global *filled = builder_at(&t->builder, IMAGE_GLOBALS, index);
	filled->data = g.data;
	filled->size = g.size;
}
