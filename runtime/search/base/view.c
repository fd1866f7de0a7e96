/* SPDX-License-Identifier: MIT
 *
 * See view.h.  A view is a state blob like any other, in which masked bytes of globals are zero, or the refs of globals and
 * heap are those of what the abstraction told.  Threads (where they are, their registers, stacks and open segments) and
 * which of them can go on always count.
 */
#include "view.h"
#include "../../bitspin_vm.h"
#include "report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* what the abstractions have told of the state at hand */
static VM_OWN struct {
	uint8_t *bytes;
	uint64_t used, size;
} told;

static _Noreturn void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static _Noreturn void refuse(const char *format, ...)
{
	va_list arguments;
	fputs("bitspin: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(2);
}

/* Return the place of the bytes of a mask, and their number in *size. */
static struct vm_place masked(const struct image_view *view, uint64_t *size)
{
	assert(view->index < vm_this.image.counts[IMAGE_GLOBALS]);
	assert(view->kind == VIEW_MASK);
	uint64_t words[2];
	assert(vm_this.image.globals[view->index].size >= sizeof words);
	memcpy(words, vm_this.image.data + vm_this.image.globals[view->index].data, sizeof words);
	*size = words[1];
	return vm_place_of(words[0]);
}

void vm_view_open(void)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_VIEWS]; i++) {
		uint64_t size;
		if (image->views[i].kind != VIEW_MASK)
			continue;
		struct vm_place place = masked(&image->views[i], &size);
		if (!place.object || place.map != &vm_this.globals)
			refuse("the mask '%s' is no global variable that can change, nor a part of one",
			       image_string(image, image->views[i].text));
		if (place.offset < 0 || size > place.object->header.size ||
		    (uint64_t)place.offset > place.object->header.size - size)
			refuse("the mask '%s' is not inside a variable", image_string(image, image->views[i].text));
	}
}

static void add(const void *bytes, uint64_t size)
{
	assert(told.used <= told.size);
	if (told.size - told.used < size) {
		uint64_t more = 2 * (told.used + size);
		uint8_t *bigger = more < UINT32_MAX ? realloc(told.bytes, more) : NULL;
		if (!bigger)
			vm_violation(VIOLATION_INVARIANT, "its view of %llu bytes is too large",
				     (unsigned long long)(told.used + size));
		told.bytes = bigger;
		told.size = more;
	}
	memcpy(told.bytes + told.used, bytes, size);
	told.used += size;
}

/* Evaluate the abstraction of `view` in the working state.  This may leave through vm_this.escape. */
static void ask(const struct image_view *view)
{
	assert(view->kind == VIEW_ABSTRACTION && !vm_this.view);
	uint64_t start = told.used;
	vm_this.view = add;
	struct image_property abstraction = { .kind = PROPERTY_INVARIANT, .function = view->index, .text = view->text };
	vm_evaluate(&abstraction);
	vm_this.view = NULL;
	uint64_t length = told.used - start; /* so that two views in a row are read in one way only */
	add(&length, sizeof length);
}

/* Return what stands in the working state for the globals, and put into *heap whether it stands for the heap as well. */
static vm_ref globals_of_view(bool *heap)
{
	const struct image *image = &vm_this.image;
	told.used = 0;
	*heap = false;
	for (uint64_t i = 0; i < image->counts[IMAGE_VIEWS]; i++) {
		const struct image_view *view = &image->views[i];
		uint64_t size;
		if (view->kind == VIEW_ABSTRACTION) {
			ask(view);
			*heap = true;
			continue;
		}
		struct vm_place place = masked(view, &size);
		assert(place.object && place.offset >= 0 && (uint64_t)place.offset + size <= place.object->header.size);
		vm_object_change(place.map, place.object, (uint32_t)place.offset, (uint32_t)place.offset + (uint32_t)size);
		memset(place.object->bytes + place.offset, 0, size);
		if (place.object->shadow)
			memset(place.object->shadow + place.offset, 0, size);
	}
	if (!*heap)
		return vm_state_store_globals();
	vm_ref ref = vm_table_put(told.bytes, (uint32_t)told.used);
	if (!ref)
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	return ref;
}

static vm_ref view_of(vm_ref state)
{
	bool heap;
	vm_state_load(state);
	vm_ref globals = globals_of_view(&heap);
	uint32_t size = vm_words_size(vm_state_words(state));
	uint32_t *words = vm_scratch(size);
	memcpy(words, vm_state_words(state), size);
	words[2] = globals;
	for (uint32_t i = 0; heap && i < words[1]; i++)
		words[STATE_WORDS + i * STATE_SLOT_WORDS + 2] = 0;
	return vm_state_put_words(words);
}

/* Report why the view could not be made. */
static void failed(void)
{
	const struct image *image = &vm_this.image;
	const struct vm_ending *ending = &vm_this.ending;
	if (ending->end == END_INCONCLUSIVE) {
		vm_report_inconclusive(ending->limit, ending->message, 0);
		return;
	}
	const char *why = ending->end == END_VIOLATION ? ending->message :
							 "it ends the program or cuts the path; it must only read";
	for (uint64_t i = 0; i < image->counts[IMAGE_VIEWS]; i++)
		if (image->views[i].kind == VIEW_ABSTRACTION)
			refuse("the abstraction '%s' fails at %s:%u: %s", image_string(image, image->views[i].text),
			       image_file(image, ending->location), (unsigned)image_line(image, ending->location), why);
	VM_BUG("a mask fails: %s", why);
}

int vm_view(int state)
{
	struct vm *vm = &vm_this;
	volatile vm_ref view = (vm_ref)state ^ vm->initial;
	if (vm->image.counts[IMAGE_VIEWS] == 0 || vm_state_words(view)[0]) /* a final state has no heap left to look at */
		return state;
	assert(!vm->stepping); /* else the way out of that step would be lost */
	vm->ending.end = END_NONE;
	vm->stepping = true;
	if (setjmp(vm->escape) == 0)
		view = view_of(view);
	else
		failed();
	vm->view = NULL;
	vm->stepping = false;
	vm->evaluating = NULL;
	vm->ref = 0; /* the working state is no program's */
	return (int)(view ^ vm->initial);
}

bool vm_same_view(vm_ref a, vm_ref b)
{
	if (a == b || vm_this.image.counts[IMAGE_VIEWS] == 0)
		return a == b;
	return vm_view((int)(a ^ vm_this.initial)) == vm_view((int)(b ^ vm_this.initial));
}
