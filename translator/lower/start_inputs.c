/* SPDX-License-Identifier: MIT
 *
 * What the program is given when it starts: argv, the environment and standard input.  Where more than one thing is possible,
 * _start calls a function of the runtime that chooses (runtime/externals/input.c), so that the choice is a step of the search like
 * any other.
 */
#include "instructions.h"
#include "../symbols/symbols.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

/* Call the function `name` of the runtime.  The first operand is put into a register before: the first step of a program is one
 * without a choice, and this may be all that it does. */
static void call_runtime(struct emitter *e, const char *name, const uint64_t *arguments, unsigned count)
{
	assert(count > 0);
	struct operands list = { 0 };
	uint32_t first = new_register(e, 1);
	emit(e, IMAGE_MOV, 64, 0, first, number(e, arguments[0]), NONE, NONE);
	operands_add(&list, first);
	for (unsigned i = 1; i < count; i++)
		operands_add(&list, number(e, arguments[i]));
	uint32_t function = extern_index(e->t, name, count, 0);
	emit(e, IMAGE_CALL, 0, 0, NONE, function, builder_pool(&e->t->builder, list.items, list.count), list.count);
	free(list.items);
}

/* ---- arguments ------------------------------------------------------------------------------------------------------- */

/* Let the runtime choose the argument number `which`, which lies at `address`.  It gets the values one behind the other, each with
 * its zero byte. */
static void choose_argument(struct emitter *e, size_t which, uint64_t address, const struct translator_argument *argument)
{
	assert(argument->count > 1);
	char *bytes = NULL;
	size_t size = 0;
	for (size_t i = 0; i < argument->count; i++) {
		size_t length = strlen(argument->values[i]) + 1;
		bytes = xrealloc(bytes, size + length);
		memcpy(bytes + size, argument->values[i], length);
		size += length;
	}
	uint64_t values = make_constant(e->t, "the values of an argument", bytes, size);
	call_runtime(e, "__bitspin_choose_argument", (uint64_t[]){ which, address, values, argument->count }, 4);
	free(bytes);
}

/* Let the runtime make any text of at most `most` bytes at `address`, behind the first `before` bytes. */
static void choose_any(struct emitter *e, size_t which, uint64_t address, size_t before, size_t most, uint64_t row)
{
	call_runtime(e, "__bitspin_choose_any", (uint64_t[]){ which, address, before, most, row }, 5);
}

uint64_t make_arguments(struct emitter *e)
{
	size_t n = e->t->request->narguments;
	uint64_t *addresses = calloc(n + 1, sizeof *addresses);
	for (size_t i = 0; i < n; i++) {
		const struct translator_argument *argument = &e->t->request->arguments[i];
		assert(argument->count > 0);
		const char *first = argument->values[0];
		addresses[i] = image_global_address(make_global(e->t, "argument", first, strlen(first) + 1, GLOBAL_INTERNAL), 0);
		if (argument->count > 1)
			choose_argument(e, i, addresses[i], argument);
		else if (argument->most)
			choose_any(e, i, addresses[i], 0, argument->most, 0);
	}
	uint64_t address = image_global_address(make_global(e->t, "argv", addresses, (n + 1) * sizeof *addresses, GLOBAL_INTERNAL),
						0);
	free(addresses);
	return address;
}

/* ---- the environment ------------------------------------------------------------------------------------------------- */

void choose_environment(struct emitter *e)
{
	const struct translator_request *r = e->t->request;
	for (size_t i = 0; i < r->nenvironment; i++)
		if (r->environment_most[i] && LLVMGetNamedGlobal(e->t->module, "__bitspin_environment"))
			choose_any(e, IMAGE_GIVEN_VARIABLE + i, environment_text(e->t, i), strlen(r->environment[i]),
				   r->environment_most[i], 0);
}

/* ---- standard input -------------------------------------------------------------------------------------------------- */

static bool input_is_chosen(const struct translation *t)
{
	return t->request->input.nfiles > 1 || t->request->input.most > 0;
}

static void choose_file(struct emitter *e, uint64_t row)
{
	const struct translator_input *input = &e->t->request->input;
	assert(input->nfiles > 1 && !input->most);
	uint64_t *rows = calloc(3 * input->nfiles, sizeof *rows);
	for (size_t i = 0; i < input->nfiles; i++) {
		const struct translator_file *file = &input->files[i];
		rows[3 * i] = make_constant(e->t, "the name of an input", file->name, strlen(file->name) + 1);
		rows[3 * i + 1] = make_constant(e->t, "standard input", file->bytes, file->size);
		rows[3 * i + 2] = file->size;
	}
	uint64_t table = make_constant(e->t, "the files for standard input", rows, 3 * input->nfiles * sizeof *rows);
	call_runtime(e, "__bitspin_choose_input", (uint64_t[]){ row, table, input->nfiles }, 3);
	free(rows);
}

static void choose_bytes(struct emitter *e, uint64_t row)
{
	const struct translator_input *input = &e->t->request->input;
	assert(input->most > 0 && input->nfiles <= 1);
	uint8_t *zero = calloc(input->most, 1);
	uint64_t text = image_global_address(make_global(e->t, "standard input", zero, input->most, GLOBAL_INTERNAL), 0);
	free(zero);
	if (input->letters == 0) {
		choose_any(e, 0, text, 0, input->most, row);
		return;
	}
	uint64_t alphabet = make_constant(e->t, "the alphabet of standard input", input->alphabet, input->letters);
	call_runtime(e, "__bitspin_choose_text", (uint64_t[]){ row, text, input->most, alphabet, input->letters }, 5);
}

/* Emit nothing if the program cannot open files.  What is chosen is put into the row of file 0 in the table of files, which is no
 * constant then (see library_table()). */
void choose_input(struct emitter *e)
{
	LLVMValueRef files = input_is_chosen(e->t) ? LLVMGetNamedGlobal(e->t->module, "__bitspin_files") : NULL;
	if (!files)
		return;
	uint32_t table = global_index(e->t, files);
	struct image_global *global = builder_at(&e->t->builder, IMAGE_GLOBALS, table);
	global->flags &= ~(uint32_t)GLOBAL_CONSTANT;
	if (e->t->request->input.most)
		choose_bytes(e, image_global_address(table, 0));
	else
		choose_file(e, image_global_address(table, 0));
}
