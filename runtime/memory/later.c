/* SPDX-License-Identifier: MIT
 *
 * See later.h.  Locations fall into classes: one for each global variable that is accessed by its name, and class 0 for all the
 * rest.  Each instruction has a set of two bits for each class, of what may be done from there on until its function returns.
 */
#include "later.h"
#include "interrupts.h"
#include "rules.h"
#include "../image/policy.h"

#include <assert.h>
#include <string.h>

enum { CLASSES = 32, MOST_REGISTERS = 8 };
enum what { MODIFIES, ACCESSES, KINDS };

static VM_OWN struct {
	bool known, off;
	uint32_t objects[CLASSES]; /* the number of the variable of each class but 0 */
	unsigned classes;
	uint64_t *after; /* by instruction */
	uint32_t capacity;
	uint64_t any; /* what some function does */
	bool changed;
} later;

static uint64_t bit(unsigned class, enum what what)
{
	return UINT64_C(1) << (KINDS * class + what);
}

/* Return the class of an object; 0: it has none of its own.  `add`: it gets one if there is room, unless it is object 0, any. */
static unsigned class_of(uint32_t object, bool add)
{
	for (unsigned i = 1; i < later.classes; i++)
		if (later.objects[i] == object)
			return i;
	if (!add || !object || later.classes == CLASSES)
		return 0;
	later.objects[later.classes] = object;
	return later.classes++;
}

/* Return the number of the global variable that a constant operand points into; 0: it is none. */
static uint32_t variable_at(uint32_t operand)
{
	if (operand == IMAGE_NONE || !(operand & IMAGE_CONST))
		return 0;
	uint64_t number = image_number(vm_this.image.constants[operand & ~IMAGE_CONST]);
	return number >= 1 && number <= vm_this.image.counts[IMAGE_GLOBALS] ? (uint32_t)number : 0;
}

/* Return how many slots an instruction sets at most, from `dst` on. */
static uint32_t most_set(const struct image_insn *insn)
{
	enum { MOST = 3 }; /* a wide value and a flag */
	uint32_t results = insn->op == IMAGE_CALL ? vm_this.image.functions[insn->a].results :
		insn->op == IMAGE_CALLI           ? insn->aux :
						    0;
	return results > MOST ? results : MOST;
}

/* The same for any operand: a register counts if it only ever gets addresses of elements of the variable.  `depth`: how many
 * registers to look at one behind the other. */
static uint32_t variable_of(const struct image_function *f, uint32_t operand, unsigned depth)
{
	uint32_t variable = 0;
	if (operand & IMAGE_CONST)
		return variable_at(operand);
	for (uint32_t i = 0; i < f->ncode && depth && operand >= f->parameters; i++) {
		const struct image_insn *insn = &vm_this.image.code[f->code + i];
		bool element = insn->op == IMAGE_INDEX || (insn->op == IMAGE_MOV && insn->bits == 64);
		if (insn->dst == IMAGE_NONE || insn->op == IMAGE_SWITCH || insn->dst > operand ||
		    operand - insn->dst >= (element ? 1 : most_set(insn)))
			continue;
		uint32_t own = element ? variable_of(f, insn->a, depth - 1) : 0;
		if (!own || (variable && own != variable))
			return 0;
		variable = own;
	}
	return variable;
}

/* ---- what follows an instruction ------------------------------------------------------------------------------------------- */

static void add_to(uint64_t *set, uint64_t more)
{
	later.changed = later.changed || (more & ~*set);
	*set |= more;
}

/* Return what an access or a fence does by itself. */
static uint64_t done_by(const struct image_function *f, const struct image_insn *insn)
{
	if (!(insn->order & IMAGE_STALE))
		return 0;
	if (insn->op == IMAGE_FENCE)
		return vm_this.image.options->order & ORDER_SC_NODES ? UINT64_MAX : 0;
	return bit(class_of(variable_of(f, insn->a, MOST_REGISTERS), true), insn->op == IMAGE_RMW ? MODIFIES : ACCESSES);
}

static uint64_t at_entry(uint32_t function)
{
	const struct image_function *f = &vm_this.image.functions[function];
	return f->flags & FUNCTION_EXTERN ? later.any : later.after[f->code];
}

/* Return what a thread does that the call `insn` creates. */
static uint64_t done_by_child(const struct image_insn *insn)
{
	const struct image *image = &vm_this.image;
	for (uint32_t i = 0; i < insn->c; i++) {
		uint32_t operand = image->pool[insn->b + i];
		uint64_t word = operand & IMAGE_CONST ? image->constants[operand & ~IMAGE_CONST] : 0;
		uint64_t number = image_number(word) - IMAGE_FIRST_FUNCTION;
		if (word && number < image->counts[IMAGE_FUNCTIONS])
			return at_entry((uint32_t)number);
	}
	return later.any;
}

/* Return what functions do that are called, that the runtime enters there, or that a thread begins with. */
static uint64_t done_in_call(const struct image_insn *insn)
{
	if (insn->op == IMAGE_CALLI)
		return later.any;
	const struct image_function *f = &vm_this.image.functions[insn->a];
	const char *name = image_string(&vm_this.image, f->name);
	if (!(f->flags & FUNCTION_EXTERN))
		return at_entry(insn->a);
	if (builtin_flags(name) & BUILTIN_CREATES)
		return done_by_child(insn);
	return (f->flags & (FUNCTION_HAVOC | FUNCTION_DECLARED)) || (builtin_flags(name) & BUILTIN_ENTERS) ? later.any : 0;
}

/* Add what follows instruction `i` of a function to what is known of it. */
static void look_at(const struct image_function *f, uint32_t i)
{
	const struct image *image = &vm_this.image;
	const struct image_insn *insn = &image->code[f->code + i];
	uint64_t *set = &later.after[f->code + i], *own = &later.after[f->code];
	switch ((enum image_opcode)insn->op) {
	case IMAGE_RET:
	case IMAGE_UNREACHABLE:
	case IMAGE_REFUSE: return;
	case IMAGE_BR: add_to(set, own[insn->a]); return;
	case IMAGE_BRCOND: add_to(set, own[insn->b] | own[insn->c]); return;
	case IMAGE_SWITCH:
		add_to(set, own[insn->dst]);
		for (uint32_t k = 0; k < insn->c; k++)
			add_to(set, own[image->pool[insn->b + 3 * k + 2]]);
		return;
	case IMAGE_CALL:
	case IMAGE_CALLI: add_to(set, done_in_call(insn)); break;
	default: break;
	}
	if (i + 1 < f->ncode)
		add_to(set, own[i + 1]);
}

/* May control go where no instruction says so? */
static bool goes_elsewhere(void)
{
	const struct image *image = &vm_this.image;
	for (uint32_t i = 0; i < image->counts[IMAGE_FUNCTIONS]; i++) {
		const struct image_function *f = &image->functions[i];
		const char *name = image_string(image, f->name);
		bool outside = f->flags & FUNCTION_EXTERN;
		if ((outside && (f->flags & FUNCTION_TWICE)) || (!outside && strcmp(name, "exit") == 0))
			return true;
		if (outside && (builtin_flags(name) & BUILTIN_ARRANGES))
			return true;
	}
	return vm_has_interrupts();
}

static void for_each_insn(void (*each)(const struct image_function *f, uint32_t i))
{
	for (uint32_t k = 0; k < vm_this.image.counts[IMAGE_FUNCTIONS]; k++) {
		const struct image_function *f = &vm_this.image.functions[k];
		for (uint32_t i = f->ncode; i-- > 0;)
			each(f, i);
		if (f->ncode)
			add_to(&later.any, later.after[f->code]);
	}
}

static void begin_at(const struct image_function *f, uint32_t i)
{
	later.after[f->code + i] = done_by(f, &vm_this.image.code[f->code + i]);
}

static void look(void)
{
	later.known = true;
	later.off = goes_elsewhere() || vm_rule_is_off(RULE_LATER);
	if (later.off)
		return;
	later.classes = 1;
	later.after = vm_grow(later.after, &later.capacity, vm_this.image.counts[IMAGE_CODE] + 1, sizeof *later.after);
	for_each_insn(begin_at);
	do {
		later.changed = false;
		for_each_insn(look_at);
	} while (later.changed);
}

/* ---- threads --------------------------------------------------------------------------------------------------------------- */

/* Return what a frame does from now on.  `inner`: it has called a function, which runs. */
static uint64_t done_by_frame(const struct vm_frame *frame, bool inner)
{
	const struct image_function *f = &vm_this.image.functions[frame->function];
	const struct image_insn *insn = &vm_this.image.code[f->code + frame->pc];
	bool called = inner && insn->op == IMAGE_CALL && !(vm_this.image.functions[insn->a].flags & FUNCTION_EXTERN);
	assert(frame->pc < f->ncode);
	if (called)
		return frame->pc + 1 < f->ncode ? later.after[f->code + frame->pc + 1] : 0;
	return later.after[f->code + frame->pc];
}

bool vm_later_stands(unsigned slot, uint32_t object, bool attached)
{
	if (!later.known)
		look();
	if (later.off)
		return true;
	const struct vm_thread *thread = vm_thread_load(slot);
	unsigned class = class_of(object, false);
	uint64_t done = 0;
	for (uint32_t i = 0; i < thread->header.frames; i++)
		done |= done_by_frame(&thread->frames[i], i + 1 < thread->header.frames);
	if (done & (bit(0, ACCESSES) | bit(class, ACCESSES)))
		return true;
	return !attached && (done & (bit(0, MODIFIES) | bit(class, MODIFIES)));
}
