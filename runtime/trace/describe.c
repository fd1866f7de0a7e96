/* SPDX-License-Identifier: MIT
 *
 * From addresses to what the programmer calls what lies there: "pool#1.len", "x of outer()", or where no name is sure, "8 bytes at
 * offset 24 of the block allocated at pool.c:31".
 */
#include "describe.h"
#include "history.h"
#include "path.h"
#include "../state/whole.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* the object that an address is in, or near */
struct root {
	char name[VM_TEXT], after[80]; /* the path goes between them */
	uint32_t type;                 /* 0: not known */
	uint64_t size;                 /* bytes; 0: there is none */
	int64_t offset;
	uint32_t unit; /* heap: it is an array of elements of so many bytes; 0: nobody knows */
	bool heap;
};

static const char *string(uint32_t string)
{
	return image_string(&vm_this.image, string);
}

/* ---- variables ----------------------------------------------------------------------------------------------------- */

/* Is there a variable of this name other than the local one? */
static bool has_namesake(const struct image_symbol *symbol)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_GLOBALS]; i++)
		if (image->globals[i].name == symbol->name)
			return true;
	for (uint64_t i = 0; i < image->counts[IMAGE_SYMBOLS]; i++)
		if (image->symbols[i].name == symbol->name && image->symbols[i].function != symbol->function)
			return true;
	return false;
}

/* Is there another variable of this name in the same function? */
static bool has_twin(const struct image_symbol *symbol)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_SYMBOLS]; i++) {
		const struct image_symbol *other = &image->symbols[i];
		if (other->name == symbol->name && other->function == symbol->function && other->location &&
		    other->location != symbol->location)
			return true;
	}
	return false;
}

/* Return how many calls of the function are on the stack, from frame number `from` on, which counts from 0. */
static unsigned calls_of(const struct vm_thread *thread, uint32_t function, uint32_t from)
{
	unsigned count = 0;
	for (uint32_t i = from; thread->loaded && i < thread->header.frames; i++)
		count += vm_this.image.functions[thread->frames[i].function].name == function;
	return count;
}

static bool is_in(const struct vm_thread *thread, uint32_t function)
{
	uint32_t top = thread->header.frames;
	while (top > 1 && (vm_this.image.functions[thread->frames[top - 1].function].flags & FUNCTION_LIBRARY))
		top--;
	return top && vm_this.image.functions[thread->frames[top - 1].function].name == function;
}

/* Say which of the variables of that name it is, where the reader cannot know. */
static void add_owner(struct root *root, const struct vm_place *place, const struct image_symbol *symbol)
{
	unsigned slot = (place->number - IMAGE_FIRST_DYNAMIC) / vm_this.span;
	const struct vm_thread *owner = slot <= vm_this.max_threads ? &vm_this.threads[slot] : NULL, *me = vm_this.current;
	const char *function = string(symbol->function);
	uint32_t depth = place->object ? place->object->header.depth : 0;
	unsigned deeper = owner ? calls_of(owner, symbol->function, depth) : 0;
	if (owner == me && is_in(me, symbol->function) && (deeper == 0 || calls_of(me, symbol->function, 0) == 1)) {
		if (has_twin(symbol))
			vm_add(root->after, " (of line %u)", (unsigned)image_line(&vm_this.image, symbol->location));
		return;
	}
	if (slot == 0 && strcmp(function, "main") == 0 && !has_namesake(symbol) && !has_twin(symbol))
		return;
	if (owner == me && deeper && is_in(me, symbol->function))
		snprintf(root->after, sizeof root->after, " of %.40s(), %u call%s up", function, deeper, deeper == 1 ? "" : "s");
	else if (owner == me && function[0])
		snprintf(root->after, sizeof root->after, " of %.60s()", function);
	else
		snprintf(root->after, sizeof root->after, " of thread %u", slot);
}

static void find_local(struct root *root, const struct vm_place *place)
{
	const struct image *image = &vm_this.image;
	assert(place->number >= IMAGE_FIRST_DYNAMIC && !place->heap);
	uint32_t slot = (place->number - IMAGE_FIRST_DYNAMIC) / vm_this.span;
	uint32_t index = (place->number - IMAGE_FIRST_DYNAMIC) % vm_this.span;
	const struct vm_past *past = vm_past_of(place->number);
	if (index < vm_this.tls_count) {
		const struct image_global *global = &image->globals[vm_this.tls_global[index]];
		snprintf(root->name, sizeof root->name, "%.150s", string(global->name));
		if (vm_this.current && vm_this.current->slot != slot)
			snprintf(root->after, sizeof root->after, " of thread %u", slot);
		root->type = global->type;
	} else if (past && past->symbol != IMAGE_NONE && string(image->symbols[past->symbol].name)[0]) {
		const struct image_symbol *symbol = &image->symbols[past->symbol];
		snprintf(root->name, sizeof root->name, "%.150s", string(symbol->name));
		root->type = symbol->type;
		if (vm_this.current)
			add_owner(root, place, symbol);
	} else {
		snprintf(root->name, sizeof root->name, "local variable %u of thread %u", index + 1, slot);
	}
}

/* Say whose static variable it is, if another global variable has its name, too. */
static void add_scope(struct root *root, const struct image_global *global)
{
	const struct image *image = &vm_this.image;
	const char *file = image_file(image, global->location), *slash = strrchr(file, '/');
	bool alone = true;
	for (uint64_t i = 0; alone && i < image->counts[IMAGE_GLOBALS]; i++)
		alone = image->globals[i].name != global->name || &image->globals[i] == global;
	if (!alone && string(global->function)[0])
		snprintf(root->after, sizeof root->after, " of %.60s()", string(global->function));
	else if (!alone && file[0])
		snprintf(root->after, sizeof root->after, " of %.60s", slash ? slash + 1 : file);
}

static void find_global(struct root *root, const struct image_global *global)
{
	const char *name = string(global->name);
	snprintf(root->name, sizeof root->name, "%.150s", name[0] ? name : "a constant");
	root->type = global->type;
	root->size = global->size;
	if (!(global->flags & GLOBAL_INTERNAL))
		add_scope(root, global);
}

/* ---- memory from malloc -------------------------------------------------------------------------------------------- */

static void find_heap(struct root *root, const struct vm_place *place)
{
	assert(place->number >= IMAGE_FIRST_DYNAMIC && place->heap);
	const struct vm_past *past = vm_past_of(place->number);
	uint32_t index = (place->number - IMAGE_FIRST_DYNAMIC) % vm_this.span - vm_this.locals + 1;
	unsigned slot = (place->number - IMAGE_FIRST_DYNAMIC) / vm_this.span; /* numbers are the thread's own */
	root->heap = true;
	if (past && past->allocated_at) {
		snprintf(root->name, sizeof root->name, "%s", vm_name_of_block(place->number));
		root->type = past->type;
		root->unit = past->unit;
		return;
	}
	vm_add(root->name, "heap object %u", index);
	if (slot)
		vm_add(root->name, " of thread %u", slot);
}

/* ---- names --------------------------------------------------------------------------------------------------------- */

/* Find the object that an address is in, or was in.  Return false if there is none. */
static bool find_root(struct root *root, uint64_t address)
{
	const struct image *image = &vm_this.image;
	struct vm_place place = vm_place_of(address);
	uint32_t function = place.number - IMAGE_FIRST_FUNCTION;
	*root = (struct root){ .offset = place.offset, .size = place.object ? place.object->header.size : 0 };
	struct vm_whole whole = vm_whole_of(address);
	if (whole.parts > 1) {
		place = vm_place_of(image_address(whole.first, 0));
		root->offset = whole.offset;
		root->size = whole.size;
	}
	if (place.number >= IMAGE_FIRST_DYNAMIC)
		(place.heap ? find_heap : find_local)(root, &place);
	else if (place.number >= 1 && place.number - 1 < image->counts[IMAGE_GLOBALS])
		find_global(root, &image->globals[place.number - 1]);
	else if (place.number >= IMAGE_FIRST_FUNCTION && function < image->counts[IMAGE_FUNCTIONS])
		snprintf(root->name, sizeof root->name, "%.150s", string(image->functions[function].name));
	else
		return false;
	return true;
}

/* Add the way into memory from malloc, which may hold one thing of its type, or many, or one and something behind it. */
static struct vm_way add_heap_way(char *text, const struct root *root, const struct vm_target *target)
{
	assert(root->heap && root->offset >= 0);
	const struct image_type *t = &vm_this.image.types[root->type];
	uint64_t offset = (uint64_t)root->offset, index = t->size ? offset / t->size : 0;
	bool whole = t->kind == TYPE_STRUCT || t->kind == TYPE_UNION, many = t->size && root->size >= 2 * t->size;
	bool array = many && root->size % t->size == 0 && !vm_is_flexible(root->type) && (!whole || root->unit == t->size);
	bool sure = array || target->field || (target->pointer && target->points && vm_is_same_type(target->points, root->type));
	struct vm_way none = { 0 };
	size_t length = strlen(text);
	if (t->size == 0)
		return none;
	if (vm_is_flexible(root->type) || (offset < t->size && !array))
		return vm_path_add(text, root->type, offset, root->size, target);
	if (!many || root->size % t->size || !sure)
		return none;
	vm_add(text, "[%llu]", (unsigned long long)index);
	if (target->pointer && offset % t->size == 0 && (!target->points || vm_is_same_type(target->points, root->type)))
		return (struct vm_way){ WAY_WHOLE, root->type, 0 };
	struct vm_way way = vm_path_add(text, root->type, offset % t->size, t->size, target);
	if (way.end == WAY_NONE)
		text[length] = '\0';
	return way;
}

/* Write what the target at an address is called, or else which bytes it is.  Return how it was found. */
static struct vm_way describe(char *text, uint64_t address, const struct vm_target *target)
{
	struct root root;
	struct vm_way way = { 0 };
	text[0] = '\0';
	if (!find_root(&root, address)) {
		vm_add(text, "address %#llx", (unsigned long long)address);
		return way;
	}
	vm_add(text, "%s", root.name);
	if (root.type && root.offset >= 0 && (uint64_t)root.offset < root.size)
		way = root.heap ? add_heap_way(text, &root, target) :
				  vm_path_add(text, root.type, (uint64_t)root.offset, root.size, target);
	bool argument = !root.type && strcmp(root.name, "argv") == 0 && target->bytes == 8 && root.offset % 8 == 0; /* _start's */
	if (argument)
		vm_add(text, "[%lld]", (long long)root.offset / 8);
	else if (way.end == WAY_NONE && target->pointer)
		text[0] = '\0'; /* the caller knows better */
	else if (way.end == WAY_FIELDS && !target->bytes)
		snprintf(text, VM_TEXT, "a bit-field of %.100s%s", root.name, root.after);
	else if (way.end == WAY_NONE && target->bytes && root.size && (root.offset || target->bytes != root.size))
		snprintf(text, VM_TEXT, "%u byte%s at offset %lld of %.70s%s", target->bytes, target->bytes == 1 ? "" : "s",
			 (long long)root.offset, root.name, root.after);
	else if (way.end == WAY_NONE && root.offset)
		snprintf(text, VM_TEXT, "offset %lld of %.70s%s", (long long)root.offset, root.name, root.after);
	else
		vm_add(text, "%s", root.after);
	return way;
}

struct vm_way vm_describe_target(char *text, uint64_t address, const struct vm_target *target)
{
	return describe(text, address, target);
}

const char *vm_describe(uint64_t address)
{
	char *text = vm_text();
	describe(text, address, &(const struct vm_target){ 0 });
	return text;
}

const char *vm_describe_object(uint64_t address)
{
	struct root root;
	char *text = vm_text();
	if (!find_root(&root, address))
		return vm_describe(address);
	vm_add(text, "%s%s", root.name, root.after);
	return text;
}

const char *vm_describe_whole(uint64_t address)
{
	return vm_place_of(address).offset ? vm_describe(address) : vm_describe_object(address);
}

unsigned vm_scalar_size(uint64_t address)
{
	struct vm_way way = describe(vm_text(), address, &(const struct vm_target){ 0 });
	uint64_t size = way.end == WAY_SCALAR ? vm_this.image.types[way.type].size : 0;
	return size <= sizeof(uint64_t) ? (unsigned)size : 0;
}

/* Return what the running thread's load or store says of its target. */
static struct vm_target target_here(unsigned bytes)
{
	const struct image_insn *insn = vm_instruction();
	struct vm_target target = { .bytes = bytes };
	if (insn && (insn->op == IMAGE_LOAD || insn->op == IMAGE_STORE)) {
		target.field = insn->aux & IMAGE_FIELD;
		target.number = insn->aux & IMAGE_FLOATING ? NUMBER_FLOATING : NUMBER_INTEGER;
	} else if (insn && (insn->op == IMAGE_RMW || insn->op == IMAGE_CMPXCHG)) {
		target.number = NUMBER_INTEGER;
	}
	return target;
}

const char *vm_describe_bytes(uint64_t address, unsigned bytes, uint32_t *type)
{
	char *text = vm_text();
	const struct vm_target target = target_here(bytes);
	struct vm_way way = describe(text, address, &target);
	if (way.end == WAY_FIELDS)
		snprintf(text, VM_TEXT, "bit-fields of %.150s", vm_describe_object(address));
	if (type)
		*type = way.end == WAY_SCALAR ? way.type : 0;
	return text;
}

const char *vm_describe_area(uint64_t address, uint64_t bytes)
{
	struct root root;
	char *text = vm_text();
	const struct vm_target target = { .pointer = true, .area = bytes };
	if (describe(text, address, &target).end != WAY_NONE)
		return text;
	return find_root(&root, address) && root.offset == 0 ? vm_describe_object(address) : vm_describe(address);
}

/* ---- bit-fields ---------------------------------------------------------------------------------------------------- */

/* Describe an access to bit-fields: each that is read, or that gets another value.  Return false if the access is to none. */
static bool describe_fields(char *text, uint64_t address, unsigned bytes, uint64_t value, const uint64_t *old)
{
	const struct vm_target target = target_here(bytes);
	struct vm_way way = describe(text, address, &target);
	const struct image_type *t = &vm_this.image.types[way.type];
	const struct image_member *m = vm_this.image.members + t->members;
	char prefix[VM_TEXT];
	bool any = false;
	if (way.end != WAY_FIELDS || bytes > 8)
		return false;
	struct root root;
	find_root(&root, address);
	assert(strlen(text) >= strlen(root.after));
	size_t length = strlen(text) - strlen(root.after);
	snprintf(prefix, sizeof prefix, "%.*s", (int)length, text);
	text[0] = '\0';
	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t begin = m[i].offset * 8 + m[i].bit_offset, low = way.offset * 8;
		if (!m[i].bit_size || begin < low || begin + m[i].bit_size > low + 8 * bytes)
			continue;
		uint64_t mask = vm_mask(m[i].bit_size), now = value >> (begin - low) & mask;
		if (old && now == (*old >> (begin - low) & mask))
			continue;
		vm_add(text, "%s%s.%s%s %s ", any ? ", " : "", prefix, string(m[i].name), root.after, old ? "=" : "is");
		vm_add_scalar(text, m[i].type, m[i].bit_size, now);
		any = true;
	}
	if (!any)
		vm_add(text, "bit-fields of %s%s are %s", root.name, root.after, old ? "written unchanged" : "read");
	return true;
}

static const uint8_t *memory_at(uint64_t address, unsigned bytes)
{
	const struct vm_place place = vm_place_of(address);
	bool inside = place.object && place.offset >= 0 && (uint64_t)place.offset + bytes <= place.object->header.size;
	return inside ? place.object->bytes + place.offset : NULL;
}

const char *vm_describe_access(uint64_t address, unsigned bytes, uint64_t value, const uint64_t *old, bool writes)
{
	char *text = vm_text();
	uint32_t type;
	bool set = vm_is_set(address, bytes);
	if (set && bytes <= 8 &&
	    describe_fields(text, address, bytes, value, writes ? old ? old : &(const uint64_t){ ~value } : NULL))
		return text;
	const char *name = vm_describe_bytes(address, bytes, &type);
	snprintf(text, VM_TEXT, "%s %s ", name, writes ? "=" : "is");
	if (!set)
		vm_add(text, writes ? "an uninitialized value" : "uninitialized");
	else if (bytes > 8)
		vm_add_wide(text, type, bytes, memory_at(address, bytes));
	else if (value == 0 && bytes == 8 && strncmp(name, "argv[", strlen("argv[")) == 0)
		vm_add(text, "NULL");
	else
		vm_add_scalar(text, type, 8 * bytes, value);
	return text;
}
