/* SPDX-License-Identifier: MIT
 *
 * The program as a whole: what is reachable from its start, in which order globals and functions are numbered, and the
 * two functions that we make up: _start, which runs constructors, the entry function and exit, and _fini for destructors.
 */
#include "internal.h"
#include "../runtime/externals/libc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NONE IMAGE_NONE

/* ---- messages ------------------------------------------------------------------------------------------------------ */

static LLVMValueRef function_around(LLVMValueRef where)
{
	if (LLVMIsAInstruction(where))
		return LLVMGetBasicBlockParent(LLVMGetInstructionParent(where));
	return LLVMIsAFunction(where);
}

static bool same_message(const struct translator_message *a, const struct translator_message *b)
{
	if (a->line != b->line || strcmp(a->text, b->text) != 0 || !a->file != !b->file)
		return false;
	return !a->file || strcmp(a->file, b->file) == 0;
}

void place_of(struct translation *t, LLVMValueRef where, struct translator_message *message)
{
	uint32_t location = location_of(t, where);
	if (location) {
		const struct image_location *at = builder_at(&t->builder, IMAGE_LOCATIONS, location);
		uint32_t string = *(uint32_t *)builder_at(&t->builder, IMAGE_FILES, at->file);
		message->file = xstrdup(builder_at(&t->builder, IMAGE_STRINGS, string));
		message->line = at->line;
	}
	LLVMValueRef function = function_around(where);
	if (function)
		message->function = xstrdup(function_name(function));
}

void complain(struct translation *t, LLVMValueRef where, const char *format, ...)
{
	struct translator_message message = { 0 };
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&message.text, format, arguments) < 0)
		exit(2);
	va_end(arguments);
	if (where)
		place_of(t, where, &message);
	struct translator_result *result = t->result;
	for (size_t i = 0; i < result->nmessages; i++)
		if (same_message(&result->messages[i], &message)) {
			free(message.file);
			free(message.function);
			free(message.text);
			return;
		}
	result->messages = xrealloc(result->messages, (result->nmessages + 1) * sizeof message);
	result->messages[result->nmessages++] = message;
}

void add_note(struct translation *t, const char *format, ...)
{
	char *text;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		exit(2);
	va_end(arguments);
	t->result->notes = xrealloc(t->result->notes, (t->result->nnotes + 1) * sizeof text);
	t->result->notes[t->result->nnotes++] = text;
}

/* ---- names and places ---------------------------------------------------------------------------------------------- */

const char *function_name(LLVMValueRef function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	return name[0] == '\1' ? name + 1 : name;
}

uint32_t location_of(struct translation *t, LLVMValueRef value)
{
	unsigned length = 0, directory_length = 0;
	if (!LLVMIsAInstruction(value) && !LLVMIsAFunction(value) && !LLVMIsAGlobalVariable(value))
		return 0;
	const char *file = LLVMGetDebugLocFilename(value, &length);
	unsigned line = LLVMGetDebugLocLine(value);
	if (!file || !length || line == 0)
		return 0;
	const char *directory = LLVMGetDebugLocDirectory(value, &directory_length);
	char *file_copy = strndup(file, length), *directory_copy = strndup(directory ? directory : "", directory_length);
	uint32_t location = builder_location(&t->builder, directory_copy, file_copy, line);
	free(file_copy);
	free(directory_copy);
	return location;
}

/* ---- functions ----------------------------------------------------------------------------------------------------- */

static uint32_t add_function(struct translation *t, const struct image_function *f, LLVMValueRef function)
{
	uint32_t index = builder_add(&t->builder, IMAGE_FUNCTIONS, f, 1);
	t->function_queue = xrealloc(t->function_queue, (t->nfunctions + 1) * sizeof *t->function_queue);
	t->function_queue[t->nfunctions++] = function;
	return index;
}

static bool has_body(struct translation *t, LLVMValueRef function)
{
	const char *name = function_name(function);
	if (LLVMIsDeclaration(function) || (is_library(function) && is_told(t, name)))
		return false;
	/* These mean what the checker says, whatever body a benchmark gives them. */
	return !(t->request->options.svcomp && (strcmp(name, "reach_error") == 0 || strcmp(name, "__VERIFIER_assert") == 0) &&
		 image_builtin_exists(name)) && strcmp(name, "__VERIFIER_error") != 0;
}

static bool is_atomic_section(const char *name)
{
	return strncmp(name, "__VERIFIER_atomic_", 18) == 0 && strcmp(name, "__VERIFIER_atomic_begin") != 0 &&
		strcmp(name, "__VERIFIER_atomic_end") != 0;
}

/* What cannot be done is complained about when all uses are known (uses.c). */
static void declare_extern(struct translation *t, LLVMValueRef function, const char *name, struct image_function *f)
{
	if (declare_as_told(t, function, name, f) || is_provided(name))
		return;
	f->flags &= ~(uint32_t)FUNCTION_LIBRARY;
	f->flags |= FUNCTION_EXTERN;
	provide_memory(t, name);
	if (builtin_policy(name) == POLICY_UNKNOWN && t->request->options.svcomp)
		f->flags |= FUNCTION_HAVOC;
	if (builtin_returns_twice(name))
		f->flags |= FUNCTION_TWICE;
}

uint32_t function_index(struct translation *t, LLVMValueRef function)
{
	uint32_t index;
	if (map_get(t->functions, function, &index))
		return index;
	const char *name = function_name(function);
	LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
	struct image_function f = {
		.name = builder_string(&t->builder, name, strlen(name)), .location = location_of(t, function),
		.signature = signature_of_function(t, function),
	};
	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		struct leaves leaves = flatten(t, LLVMTypeOf(LLVMGetParam(function, i)), function);
		f.parameters += leaves.slots;
		free(leaves.items);
	}
	struct leaves results = flatten(t, result, function);
	f.results = results.slots;
	free(results.items);
	if (LLVMGetTypeKind(result) == LLVMIntegerTypeKind)
		f.result_bits = LLVMGetIntTypeWidth(result);
	if (LLVMIsFunctionVarArg(type)) {
		f.flags |= FUNCTION_VARIADIC;
		f.parameters++;
	}
	if (is_library(function))
		f.flags |= FUNCTION_LIBRARY;
	if (!has_body(t, function)) {
		declare_extern(t, function, name, &f);
		if (LLVMIsFunctionVarArg(type) && LLVMCountParams(function) == 0) {
			/* Declared without parameters, as in `void f();`: calls say what they pass. */
			f.flags &= ~(uint32_t)FUNCTION_VARIADIC;
			f.parameters = 0;
		}
	}
	if (t->request->options.svcomp && is_atomic_section(name))
		f.flags |= FUNCTION_ATOMIC;
	index = add_function(t, &f, f.flags & FUNCTION_EXTERN ? NULL : function);
	map_put(&t->functions, function, index);
	return index;
}

uint32_t extern_index(struct translation *t, const char *name, unsigned parameters, unsigned results)
{
	LLVMValueRef declared = LLVMGetNamedFunction(t->module, name);
	if (declared)
		return function_index(t, declared);
	uint32_t string = builder_string(&t->builder, name, strlen(name));
	for (uint32_t i = 0; i < t->nfunctions; i++) {
		const struct image_function *f = builder_at(&t->builder, IMAGE_FUNCTIONS, i);
		if (f->name == string && (f->flags & FUNCTION_EXTERN))
			return i;
	}
	struct image_function f = { .name = string, .flags = FUNCTION_EXTERN, .parameters = parameters, .results = results };
	return add_function(t, &f, NULL);
}

/* ---- globals ------------------------------------------------------------------------------------------------------- */

uint32_t global_index(struct translation *t, LLVMValueRef global)
{
	uint32_t index;
	if (map_get(t->globals, global, &index))
		return index;
	struct image_global g = { .tls = NONE, .location = location_of(t, global) };
	size_t length;
	const char *name = LLVMGetValueName2(global, &length);
	LLVMLinkage linkage = LLVMGetLinkage(global);
	if (!debug_global(t, global, &g.name, &g.type))
		g.name = builder_string(&t->builder, name, length);
	if (linkage == LLVMPrivateLinkage || strncmp(name, ".str", 4) == 0) {
		g.flags |= GLOBAL_INTERNAL;
		g.name = builder_string(&t->builder, "a string literal", 16);
	}
	if (LLVMIsGlobalConstant(global))
		g.flags |= GLOBAL_CONSTANT;
	if (LLVMIsThreadLocal(global)) {
		g.flags = (g.flags & ~(uint32_t)GLOBAL_CONSTANT) | GLOBAL_THREAD_LOCAL;
		g.tls = t->ntls++;
	}
	if (is_only_atomic(global))
		g.flags |= GLOBAL_ATOMIC;
	LLVMTypeRef type = LLVMGlobalGetValueType(global);
	g.size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(t->layout, type) : 0;
	g.align = LLVMGetAlignment(global);
	index = builder_add(&t->builder, IMAGE_GLOBALS, &g, 1);
	map_put(&t->globals, global, index);
	t->global_queue = xrealloc(t->global_queue, (t->nglobals + 1) * sizeof *t->global_queue);
	t->global_queue[t->nglobals++] = global;
	return index;
}

/* Variables of the C library that programs name: any value that tells them apart will do. */
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

static void fill_global(struct translation *t, uint32_t index, LLVMValueRef global)
{
	struct image_global g = *(struct image_global *)builder_at(&t->builder, IMAGE_GLOBALS, index);
	LLVMValueRef initial = LLVMGetInitializer(global);
	size_t length;
	const char *name = LLVMGetValueName2(global, &length);
	uint64_t stream;
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

uint32_t make_global(struct translation *t, const char *name, const void *bytes, uint64_t size, uint32_t flags)
{
	struct image_global g = {
		.name = builder_string(&t->builder, name, strlen(name)), .flags = flags, .size = size, .align = 16, .tls = NONE,
		.data = builder_add(&t->builder, IMAGE_DATA, bytes, size),
	};
	uint32_t index = builder_add(&t->builder, IMAGE_GLOBALS, &g, 1);
	t->global_queue = xrealloc(t->global_queue, (t->nglobals + 1) * sizeof *t->global_queue);
	t->global_queue[t->nglobals++] = NULL;
	return index;
}

/* Functions and globals find one another, until nothing new is found. */
static void translate_reachable(struct translation *t)
{
	size_t function = 0, global = 0;
	while (function < t->nfunctions || global < t->nglobals) {
		if (function < t->nfunctions) {
			uint32_t index = (uint32_t)function++;
			if (!t->function_queue[index])
				continue;
			struct image_function f = *(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, index);
			if (LLVMIsDeclaration(t->function_queue[index]))
				lower_provided(t, function_name(t->function_queue[index]), &f);
			else
				lower_function(t, t->function_queue[index], &f);
			*(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, index) = f;
		} else {
			uint32_t index = (uint32_t)global++;
			if (t->global_queue[index])
				fill_global(t, index, t->global_queue[index]);
		}
	}
}

/* ---- constructors and destructors ---------------------------------------------------------------------------------- */

struct constructor {
	uint64_t priority;
	LLVMValueRef function;
};

static int by_priority(const void *a, const void *b)
{
	const struct constructor *x = a, *y = b;
	return x->priority < y->priority ? -1 : x->priority > y->priority;
}

/* -fsanitize=thread, which keeps the optimiser from making up accesses, adds a constructor that sets up nothing of ours. */
static bool is_sanitizers(LLVMValueRef function)
{
	static const char name[] = "tsan.module_ctor";
	return strncmp(function_name(function), name, sizeof name - 1) == 0;
}

/* The functions of llvm.global_ctors or llvm.global_dtors, in the order of their priority.  To be freed. */
static struct constructor *constructors(struct translation *t, const char *list, size_t *count)
{
	LLVMValueRef global = LLVMGetNamedGlobal(t->module, list);
	LLVMValueRef array = global ? LLVMGetInitializer(global) : NULL;
	*count = array ? LLVMGetArrayLength(LLVMTypeOf(array)) : 0;
	struct constructor *all = xrealloc(NULL, (*count + 1) * sizeof *all);
	size_t n = 0;
	for (size_t i = 0; i < *count; i++) {
		LLVMValueRef entry = constant_element(array, (unsigned)i), function = constant_element(entry, 1);
		while (LLVMIsAConstantExpr(function))
			function = LLVMGetOperand(function, 0);
		if (LLVMIsAFunction(function) && !is_sanitizers(function))
			all[n++] = (struct constructor){ LLVMConstIntGetZExtValue(constant_element(entry, 0)), function };
	}
	*count = n;
	qsort(all, n, sizeof *all, by_priority);
	return all;
}

static void call_all(struct emitter *e, const struct constructor *all, size_t count, bool backwards)
{
	for (size_t i = 0; i < count; i++)
		emit(e, IMAGE_CALL, 0, 0, NONE, function_index(e->t, all[backwards ? count - 1 - i : i].function), 0, 0);
}

static void make_fini(struct translation *t)
{
	size_t count;
	struct constructor *all = constructors(t, "llvm.global_dtors", &count);
	t->fini = NONE;
	if (count) {
		struct image_function f = { .name = builder_string(&t->builder, "_fini", 5) };
		t->fini = add_function(t, &f, NULL);
		struct emitter e = { .t = t, .area = NONE };
		call_all(&e, all, count, true);
		emit(&e, IMAGE_RET, 0, 0, NONE, 0, 0, NONE);
		finish_function(&e, &f);
		*(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, t->fini) = f;
	}
	free(all);
}

static bool check_entry(struct translation *t, LLVMValueRef entry)
{
	if (!entry || LLVMIsDeclaration(entry)) {
		complain(t, NULL, "there is no function '%s' to start from; define it, or name another with --entry", t->request->entry);
		return false;
	}
	if (LLVMCountParams(entry) > 3) {
		complain(t, entry, "'%s' takes %u parameters; an entry function takes none, or those of main", t->request->entry,
			 LLVMCountParams(entry));
		return false;
	}
	return true;
}

static void call_entry(struct emitter *e, LLVMValueRef entry)
{
	uint64_t zero = 0;
	uint32_t index = function_index(e->t, entry);
	struct image_function f = *(struct image_function *)builder_at(&e->t->builder, IMAGE_FUNCTIONS, index);
	struct operands list = { 0 };
	if (f.parameters > 0)
		operands_add(&list, number(e, e->t->request->narguments));
	if (f.parameters > 1)
		operands_add(&list, number(e, make_arguments(e)));
	if (f.parameters > 2)
		operands_add(&list, number(e, image_global_address(make_global(e->t, "environ", &zero, sizeof zero, GLOBAL_INTERNAL), 0)));
	uint32_t status = f.results ? new_register(e, f.results) : number(e, 0);
	emit(e, IMAGE_CALL, 0, 0, f.results ? status : NONE, index, builder_pool(&e->t->builder, list.items, list.count), list.count);
	call_exit_handlers(e, status);
	if (e->t->fini != NONE)
		emit(e, IMAGE_CALL, 0, 0, NONE, e->t->fini, 0, 0);
	e->location = f.location;
	emit(e, IMAGE_CALL, 0, 0, NONE, extern_index(e->t, "exit", 1, 0), builder_pool(&e->t->builder, &status, 1), 1);
	emit(e, IMAGE_UNREACHABLE, 0, 0, NONE, NONE, NONE, NONE);
	free(list.items);
}

static uint32_t make_start(struct translation *t, LLVMValueRef entry)
{
	size_t count;
	struct image_function f = { .name = builder_string(&t->builder, "_start", 6), .location = location_of(t, entry) };
	uint32_t index = add_function(t, &f, NULL);
	struct constructor *all = constructors(t, "llvm.global_ctors", &count);
	struct emitter e = { .t = t, .area = NONE, .location = f.location };
	choose_input(&e); /* constructors may read it */
	choose_variables(&e);
	call_all(&e, all, count, false);
	call_entry(&e, entry);
	finish_function(&e, &f);
	*(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, index) = f;
	free(all);
	return index;
}

static void add_views(struct translation *t)
{
	for (size_t i = 0; i < t->request->nviews; i++) {
		const struct translator_view *v = &t->request->views[i];
		bool mask = v->kind == VIEW_MASK;
		LLVMValueRef symbol = mask ? LLVMGetNamedGlobal(t->module, v->symbol) : LLVMGetNamedFunction(t->module, v->symbol);
		if (!mask && (!symbol || LLVMIsDeclaration(symbol) || LLVMCountParams(symbol) != 0)) {
			complain(t, NULL, "there is no function 'void %s(void)' in the program", v->symbol);
			continue;
		}
		if (!symbol) {
			complain(t, NULL, "the mask '%s' is not among what clang made of the program", v->text);
			continue;
		}
		struct image_view view = {
			.kind = v->kind, .index = mask ? global_index(t, symbol) : function_index(t, symbol),
			.text = builder_string(&t->builder, v->text, strlen(v->text)),
		};
		builder_add(&t->builder, IMAGE_VIEWS, &view, 1);
	}
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_external(struct translator_result *result, const char *name)
{
	result->externals = xrealloc(result->externals, (result->nexternals + 1) * sizeof *result->externals);
	result->externals[result->nexternals++] = xstrdup(name);
}

static void list_externals(struct translation *t)
{
	struct translator_result *result = t->result;
	for (uint32_t i = 0; i < t->nfunctions; i++) {
		const struct image_function *f = builder_at(&t->builder, IMAGE_FUNCTIONS, i);
		if (!(f->flags & (FUNCTION_EXTERN | FUNCTION_LIBRARY)))
			continue;
		add_external(result, builder_at(&t->builder, IMAGE_STRINGS, f->name));
	}
	for (size_t i = 0; i < result->nuses; i++) /* an alias has no function of its own */
		if (result->uses[i].kind == USE_FUNCTION)
			add_external(result, result->uses[i].name);
	if (result->nexternals)
		qsort(result->externals, result->nexternals, sizeof *result->externals, by_name);
}

static void translate(struct translation *t)
{
	LLVMValueRef entry = LLVMGetNamedFunction(t->module, t->request->entry);
	if (!check_entry(t, entry))
		return;
	make_fini(t);
	struct image_options options = t->request->options;
	options.optimised = t->optimised;
	options.unmarked = t->unmarked;
	add_properties(t); /* before any code is made that calls a watched function */
	options.start = make_start(t, entry);
	add_views(t);
	translate_reachable(t);
	check_told(t);
	make_budgets(t);
	options.order = find_order(t);
	builder_add(&t->builder, IMAGE_OPTIONS, &options, 1);
	finish_uses(t);
	note_atomics(t);
	note_passed_inputs(t);
	list_externals(t);
}

int translator_run(const struct translator_request *request, const char *output, struct translator_result *result)
{
	struct translation t = { .request = request, .result = result, .fini = NONE };
	*result = (struct translator_result){ 0 };
	builder_init(&t.builder);
	if (load_program(&t) == 0)
		translate(&t);
	if (result->nmessages == 0 && builder_write(&t.builder, output) < 0)
		complain(&t, NULL, "cannot write '%s': %s", output, strerror(errno));
	unload_program(&t);
	builder_release(&t.builder);
	map_free(&t.globals);
	map_free(&t.functions);
	map_free(&t.types);
	free(t.function_queue);
	free(t.global_queue);
	return result->nmessages ? -1 : 0;
}

void translator_result_release(struct translator_result *result)
{
	for (size_t i = 0; i < result->nmessages; i++) {
		free(result->messages[i].file);
		free(result->messages[i].function);
		free(result->messages[i].text);
	}
	free(result->messages);
	for (size_t i = 0; i < result->nexternals; i++)
		free(result->externals[i]);
	free(result->externals);
	for (size_t i = 0; i < result->nnotes; i++)
		free(result->notes[i]);
	free(result->notes);
	for (size_t i = 0; i < result->ninputs; i++) {
		free(result->inputs[i].name);
		free(result->inputs[i].place);
	}
	free(result->inputs);
	for (size_t i = 0; i < result->nuses; i++) {
		free(result->uses[i].name);
		free(result->uses[i].file);
		free(result->uses[i].function);
	}
	free(result->uses);
	free(result->weaker_file);
	*result = (struct translator_result){ 0 };
}
