/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library that only hand out an address: of errno, and of the tables behind isalpha() and its kin.
 * Their bodies are made here, so that what they point to is ordinary memory of the program.
 */
#include "instructions.h"
#include "lower.h"
#include "../symbols/symbols.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#define NONE IMAGE_NONE

enum { TABLE_FIRST = -128, TABLE_SIZE = 384 }; /* glibc's tables are indexed from -128 to 255 */

static uint32_t make_errno(struct translation *t)
{
	uint32_t index, zero = 0;
	if (map_get(t->globals, &t->globals, &index)) /* our own address: a key that no value of LLVM has */
		return index;
	index = make_global(t, "errno", &zero, sizeof zero, GLOBAL_THREAD_LOCAL | GLOBAL_ERRNO);
	((struct image_global *)builder_at(&t->builder, IMAGE_GLOBALS, index))->tls = t->ntls++;
	map_put(&t->globals, &t->globals, index);
	return index;
}

/* Make a constant that holds the address of element 0 of a table, and return the address of the constant. */
static uint64_t make_table(struct translation *t, const void *first, size_t element)
{
	const char *bytes = (const char *)first + TABLE_FIRST * (ptrdiff_t)element;
	uint32_t table = make_global(t, "the character table", bytes, TABLE_SIZE * element, GLOBAL_CONSTANT | GLOBAL_INTERNAL);
	uint64_t middle = image_global_address(table, -TABLE_FIRST * (int64_t)element);
	return make_constant(t, "the character table", &middle, sizeof middle);
}

void lower_provided(struct translation *t, const char *name, struct image_function *f)
{
	struct emitter e = { .t = t, .area = NONE };
	uint32_t result = new_register(&e, 1);
	if (strcmp(name, "__errno_location") == 0) {
		emit(&e, IMAGE_TLSADDR, 64, 0, result, make_errno(t), NONE, NONE);
	} else {
		assert(is_provided(name));
		uint64_t address = strcmp(name, "__ctype_b_loc") == 0 ? make_table(t, *__ctype_b_loc(), sizeof(unsigned short)) :
			strcmp(name, "__ctype_tolower_loc") == 0      ? make_table(t, *__ctype_tolower_loc(), sizeof(int)) :
									make_table(t, *__ctype_toupper_loc(), sizeof(int));
		emit(&e, IMAGE_MOV, 64, 0, result, number(&e, address), NONE, NONE);
	}
	emit(&e, IMAGE_RET, 0, 0, NONE, builder_pool(&t->builder, &result, 1), 1, NONE);
	finish_function(&e, f);
}
