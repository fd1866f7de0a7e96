/* SPDX-License-Identifier: MIT
 *
 * Checked slicing: which values cannot matter to anything that is checked, so that states need not tell them apart.
 *
 * Each register and each byte of each object (points_to.h) has a level: NOTHING looks at it, something asks only whether it is SET
 * (initialized), or something looks at its VALUE.  Levels hold for the whole program, so nothing becomes relevant later.  They are
 * the least ones such that
 *
 *  (1) what decides has level VALUE: conditions of branches, those of loops included, addresses, sizes, what is called, the
 *      operands of synchronization and of all other external functions, and what these read; divisors, shift counts and all else
 *      that an instruction may fail on; what properties return and threads end with.  What is only printed has level SET.
 *  (2) what may be an address has level VALUE, and the memory that may hold one: leaks, what is shared, and the numbers of new
 *      objects depend on them.
 *  (3) an operand has the level of the result.  (Where the shadow of a result depends on the values of operands, which it does if
 *      they are not set as a whole, the VM gives up, see below.)  What is stored has the level of the memory, what is read passes
 *      its own on to the memory.
 *
 * A store to memory that has level NOTHING wherever its address may point is marked: the VM then writes zero instead (*dead*); at
 * level SET, zero with the shadow of the value (*only shadow*).  So is what is loaded.  Of registers, a state keeps those above
 * NOTHING.
 *
 * Why that keeps every verdict: call the marked program P', the given one P, and relate a state of P to one of P' if they are equal
 * but for values below their level.  Related states offer the same operations with the same operands, by (1), which lead to related
 * states, by (3); they have the same objects with the same numbers, the same shared ones and the same leaks, by (2).  Accesses, and
 * so races and footprints, are the same: a marked store checks, races and counts as a write as any other.  So P and P' have the
 * same violations, deadlocks, and runs with the same propositions, fair ones included; and the search of P', with all its other
 * reductions, is that of an ordinary program: one whose stores write zeros.  (What a state of P' drops is never read again but to
 * compute what is dropped too.)  So nothing is assumed.  A replay takes the steps of P, with the lengths of those of P'
 * (runtime/search/replay/whole_states.h): a story has the true values, and a difference is a bug of ours.
 *
 * Happens-before, where a state has records of it (runtime/memory/records.h): they come of which operations are made on which
 * bytes, in which order and with which memory orders, not of what is written.  But for two: an exchange that fails does less than
 * one that succeeds, and a lock that is tried may be refused.  What these compare has level VALUE, whoever uses the answer.  So
 * related states have the same records, and the same races.
 *
 * It is off where this argument has not been made: for programs that hide pointers, that an optimizer has changed, under views,
 * suppressions and tolerated races, and where an address is computed from what is none, or may point to so much that to find it all
 * out would take longer than the rest of the translation (`wild`).
 */
#include "relevance.h"
#include "../../runtime/image/policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- raising levels ------------------------------------------------------------------------------------------------ */

static void raise_value(struct relevance *r, uint32_t value, uint8_t level)
{
	assert(value < r->p.nvalues && level <= LEVEL_VALUE);
	if (r->levels[value] < level) {
		r->levels[value] = level;
		r->changed = true;
	}
	if (r->regions && level == LEVEL_VALUE)
		r->regions->value_is_whole(r, value);
}

static void raise_operand(struct relevance *r, uint32_t function, uint32_t operand, unsigned slots, uint8_t level)
{
	for (unsigned k = 0; !(operand & IMAGE_CONST) && k < slots; k++)
		raise_value(r, r->p.first[function] + operand + k, level);
}

struct raising {
	struct relevance *r;
	uint8_t level;
};

static void raise_bytes(struct object *object, uint32_t at, uint32_t size, void *data)
{
	const struct raising *raising = data;
	assert(at + size <= object->modulus);
	for (uint32_t i = at; i < at + size; i++) {
		if (object->levels[i] < raising->level) {
			object->levels[i] = raising->level;
			raising->r->changed = true;
		}
		if (raising->r->regions && raising->level == LEVEL_VALUE)
			raising->r->regions->byte_is_whole(raising->r, object, i);
	}
}

void relevance_raise_bytes(struct relevance *r, const struct pointer *pointer, uint32_t size, uint8_t level)
{
	if (level)
		points_touch(&r->p, pointer, size, raise_bytes, &(struct raising){ r, level });
}

static void highest(struct object *object, uint32_t at, uint32_t size, void *data)
{
	uint8_t *level = data;
	assert(at + size <= object->modulus);
	for (uint32_t i = at; i < at + size; i++)
		if (object->levels[i] > *level)
			*level = object->levels[i];
}

const struct pointers *relevance_pointers(struct relevance *r, uint32_t function, uint32_t operand)
{
	return points_of(&r->p, function, operand);
}

/* Raise `size` bytes where the operand `address` may point, or with `size` 0 all to the end of the object, to `level`. */
static void raise_memory(struct relevance *r, uint32_t function, uint32_t address, uint32_t size, uint8_t level)
{
	const struct pointers *to = relevance_pointers(r, function, address);
	for (uint32_t i = 0; i < to->count; i++)
		relevance_raise_bytes(r, &to->items[i], size, level);
}

uint8_t relevance_of_bytes(const struct relevance *r, const struct pointer *pointer, uint32_t size)
{
	uint8_t level = LEVEL_NOTHING;
	points_touch(&r->p, pointer, size, highest, &level);
	return level;
}

uint8_t relevance_of_memory(struct relevance *r, uint32_t function, uint32_t address, uint32_t size)
{
	const struct pointers *to = relevance_pointers(r, function, address);
	uint8_t level = to->count ? LEVEL_NOTHING : LEVEL_VALUE;
	for (uint32_t i = 0; i < to->count; i++) {
		uint8_t one = relevance_of_bytes(r, &to->items[i], size);
		level = one > level ? one : level;
	}
	return level;
}

/* Give all memory that can be reached from the pointers in `from` the level VALUE. */
static void raise_reachable(struct relevance *r, const struct pointers *from)
{
	points_reach(&r->p, from, r->read, raise_bytes, &(struct raising){ r, LEVEL_VALUE });
}

void relevance_raise_operand(struct relevance *r, uint32_t function, uint32_t operand, unsigned slots, uint8_t level)
{
	raise_operand(r, function, operand, slots, level);
}

void relevance_raise_memory(struct relevance *r, uint32_t function, uint32_t address, uint32_t size, uint8_t level)
{
	raise_memory(r, function, address, size, level);
}

/* ---- external functions -------------------------------------------------------------------------------------------- */

/* Return the text that the operand points to the beginning of, if it is that of a constant variable, else NULL. */
static const char *constant_text(struct relevance *r, uint32_t function, uint32_t operand)
{
	const struct pointers *to = relevance_pointers(r, function, operand);
	const struct object *object = to->count == 1 && !to->unknown ? &r->p.objects[to->items[0].object] : NULL;
	if (!object || object->kind != OBJECT_GLOBAL || to->items[0].stride || to->items[0].offset)
		return NULL;
	const struct image_global *g = builder_at(r->p.b, IMAGE_GLOBALS, object->index);
	const char *text = builder_at(r->p.b, IMAGE_DATA, (uint32_t)g->data);
	return (g->flags & GLOBAL_CONSTANT) && memchr(text, '\0', g->size) ? text : NULL;
}

/* Does `format` print numbers only? */
static bool prints_numbers(const char *format)
{
	for (const char *at = format; (at = strchr(at, '%')); at++) {
		at++;
		at += strspn(at, "-+ #0123456789.hlLjzt");
		bool wide = *at == 'c' && at[-1] == 'l'; /* may fail and set errno */
		if (*at == '\0' || wide || !strchr("diuxXocfFeEgG%", *at))
			return false;
	}
	return true;
}

static bool is_used(const struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	for (unsigned k = 0; k < slots_defined(r->p.b, insn); k++)
		if (r->levels[r->p.first[function] + insn->dst + k])
			return true;
	return false;
}

/* Return which argument of the call `insn` of a function that prints is the format. */
static uint32_t format_of(struct relevance *r, const struct image_insn *insn)
{
	return points_effect(&r->p, insn->a).first;
}

bool relevance_prints_numbers(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	bool external = points_function(&r->p, insn->a)->flags & FUNCTION_EXTERN;
	if (!external || points_effect(&r->p, insn->a).effect != EFFECT_PRINTS || insn->c <= format_of(r, insn) ||
	    is_used(r, function, insn))
		return false;
	const uint32_t *arguments = builder_at(r->p.b, IMAGE_POOL, insn->b);
	const char *text = constant_text(r, function, arguments[format_of(r, insn)]);
	return text && prints_numbers(text);
}

bool relevance_only_prints(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	return insn->c == format_of(r, insn) + 1 + IMAGE_AREA_OPERANDS && relevance_prints_numbers(r, function, insn);
}

static void print(struct relevance *r, uint32_t function, const struct image_insn *insn, const uint32_t *arguments)
{
	uint32_t format = format_of(r, insn);
	assert(insn->c == format + 1 + IMAGE_AREA_OPERANDS); /* the format, and where arguments are */
	raise_memory(r, function, arguments[format], 0, LEVEL_VALUE);
	raise_memory(r, function, arguments[format + 1], 0, LEVEL_SET); /* all of the object that has the arguments */
	for (uint32_t k = 0; k < insn->c; k++)
		raise_operand(r, function, arguments[k], 1, LEVEL_VALUE);
}

/* Do the outcomes of the call `insn` depend on its operands only in what is printed, or in how long the call takes? */
static bool decides_nothing(struct relevance *r, const struct image_insn *insn, const char *name, struct effect_row row)
{
	static const char *const writers[] = { "puts",    "fputs",    "fwrite", "vprintf", "vfprintf",
					       "dprintf", "vdprintf", "putc",   "fputc" };
	if (!r->deciding || insn->op != IMAGE_CALL)
		return false;
	return IS_AMONG(name, writers) || row.effect == EFFECT_PRINTS || row.effect == EFFECT_PUTS ||
		(builtin_flags(name) & BUILTIN_SLEEPS);
}

static void external(struct relevance *r, uint32_t function, const struct image_insn *insn, const uint32_t *arguments)
{
	struct effect_row row = points_effect(&r->p, insn->a);
	const char *name = builder_at(r->p.b, IMAGE_STRINGS, points_function(&r->p, insn->a)->name);
	uint32_t deadline = r->deciding ? builtin_deadline(builtin_flags(name)) : 0;
	if (decides_nothing(r, insn, name, row))
		return;
	if (relevance_only_prints(r, function, insn)) {
		print(r, function, insn, arguments);
		return;
	}
	if (row.effect == EFFECT_PUTS && insn->c == 1 && !is_used(r, function, insn)) {
		raise_operand(r, function, arguments[0], 1, LEVEL_SET);
		return;
	}
	for (uint32_t i = 0; i < insn->c; i++) {
		raise_operand(r, function, arguments[i], 1, LEVEL_VALUE);
		if (deadline && i == deadline)
			continue;
		uint32_t size = i == 0 ? row.first : i == 1 ? row.second : 0;
		if (row.effect == EFFECT_TOUCHES && size)
			raise_memory(r, function, arguments[i], size, LEVEL_VALUE);
		else if ((row.effect == EFFECT_CREATES && i == 0) || (row.effect == EFFECT_JOINS && i == 1))
			raise_memory(r, function, arguments[i], 8, LEVEL_VALUE);
		else if (row.effect != EFFECT_RELEASES && !(row.effect == EFFECT_CREATES && i > row.first))
			raise_reachable(r, relevance_pointers(r, function, arguments[i]));
	}
}

/* ---- instructions -------------------------------------------------------------------------------------------------- */

/* Raise `operand` to the level of `value`. */
static void raise_like(struct relevance *r, uint32_t function, uint32_t operand, uint32_t value)
{
	if (r->regions)
		r->regions->raise_like(r, function, operand, value);
	else
		raise_operand(r, function, operand, 1, r->levels[value]);
}

static void call_to(struct relevance *r, uint32_t function, const struct image_insn *insn, const uint32_t *arguments,
		    uint32_t callee)
{
	const struct image_function *f = points_function(&r->p, callee);
	for (uint32_t k = 0; k < f->parameters && k < insn->c; k++)
		raise_like(r, function, arguments[k], r->p.first[callee] + k);
	for (uint32_t k = 0; k < f->results && k < slots_defined(r->p.b, insn); k++)
		raise_like(r, callee, f->registers + k, r->p.first[function] + insn->dst + k);
}

static void call(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	const uint32_t *arguments = insn->c ? builder_at(r->p.b, IMAGE_POOL, insn->b) : NULL;
	if (insn->op == IMAGE_CALL && points_function(&r->p, insn->a)->flags & FUNCTION_EXTERN) {
		external(r, function, insn, arguments);
		return;
	}
	if (insn->op == IMAGE_CALL) {
		call_to(r, function, insn, arguments, insn->a);
		return;
	}
	raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
	struct pointer space;
	struct pointers own;
	const struct pointers *called = points_operand(&r->p, function, insn->a, 64, &space, &own);
	for (uint32_t i = 0; i < called->count; i++) {
		const struct object *object = &r->p.objects[called->items[i].object];
		if (object->kind != OBJECT_FUNCTION)
			continue;
		bool outside = points_function(&r->p, object->index)->flags & FUNCTION_EXTERN;
		for (uint32_t k = 0; outside && k < insn->c; k++) {
			raise_operand(r, function, arguments[k], 1, LEVEL_VALUE);
			raise_reachable(r, relevance_pointers(r, function, arguments[k]));
		}
		if (!outside)
			call_to(r, function, insn, arguments, object->index);
	}
}

unsigned relevance_deciding_fields(const struct relevance *r, const struct image_insn *insn)
{
	enum { A = 2, B = 4, C = 8 };
	switch ((enum image_opcode)insn->op) {
	case IMAGE_UDIV:
	case IMAGE_UREM: return B;
	case IMAGE_SDIV:
	case IMAGE_SREM: return r->deciding && (insn->b & IMAGE_CONST) ? 0 : A | B;
	case IMAGE_SHL: return r->t->request->options.overflow ? A | B : B;
	case IMAGE_LSHR:
	case IMAGE_ASHR: return B;
	case IMAGE_FPTOUI:
	case IMAGE_FPTOSI:
	case IMAGE_BOOL: return A;
	case IMAGE_INDEX: return A | B | C;
	case IMAGE_ADD:
	case IMAGE_SUB:
	case IMAGE_MUL:
	case IMAGE_ABS: return r->t->request->options.overflow ? A | B : 0;
	default: return 0;
	}
}

static void compute(struct relevance *r, uint32_t function, const struct image_insn *insn, uint8_t level)
{
	const char *roles = image_opcodes[insn->op].roles;
	const uint32_t fields[] = { insn->dst, insn->a, insn->b, insn->c };
	unsigned deciding = relevance_deciding_fields(r, insn);
	for (int i = 1; i < 4; i++) {
		uint8_t wanted = deciding >> i & 1 ? LEVEL_VALUE : level;
		if (roles[i] == 'x')
			raise_operand(r, function, fields[i], insn->bits > 64 ? 2 : 1, wanted);
		else if (roles[i] == 'q')
			raise_operand(r, function, fields[i], 1, wanted);
	}
}

uint8_t relevance_of_result(const struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint8_t level = LEVEL_NOTHING;
	for (unsigned k = 0; k < slots_defined(r->p.b, insn); k++) {
		uint8_t one = r->levels[r->p.first[function] + insn->dst + k];
		level = one > level ? one : level;
	}
	return level;
}

/* Raise the operands of `insn`, which changes memory by what it finds there, and that memory; `level`: that of the result. */
static void exchange(struct relevance *r, uint32_t function, const struct image_insn *insn, uint8_t level)
{
	uint32_t size = (insn->bits + 7u) / 8;
	unsigned slots = insn->bits > 64 ? 2 : 1;
	raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
	raise_memory(r, function, insn->a, size, insn->op == IMAGE_CMPXCHG ? LEVEL_VALUE : level);
	assert(relevance_of_memory(r, function, insn->a, size) >= level);
	level = relevance_of_memory(r, function, insn->a, size);
	raise_memory(r, function, insn->a, size, level); /* all objects to which the address may point get the level */
	raise_operand(r, function, insn->b, slots, level);
	if (insn->op == IMAGE_CMPXCHG)
		raise_operand(r, function, insn->c, slots, level);
}

/* Raise what the copy `insn` reads to the level of where it writes. */
static void copy(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	uint32_t size = 0, from = insn->b;
	if (insn->c & IMAGE_CONST) {
		uint64_t bytes = *(uint64_t *)builder_at(r->p.b, IMAGE_CONSTANTS, insn->c & ~IMAGE_CONST);
		size = bytes < UINT32_MAX ? (uint32_t)bytes : 0;
	}
	raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
	raise_operand(r, function, from, 1, LEVEL_VALUE);
	raise_operand(r, function, insn->c, 1, LEVEL_VALUE);
	if (insn->op != IMAGE_MEMSET)
		raise_memory(r, function, from, size, relevance_of_memory(r, function, insn->a, size));
}

static void step(struct relevance *r, uint32_t function, const struct image_insn *insn)
{
	if (r->regions && r->regions->step(r, function, insn))
		return;
	uint8_t level = relevance_of_result(r, function, insn);
	uint32_t size = (insn->bits + 7u) / 8;
	switch ((enum image_opcode)insn->op) {
	case IMAGE_LOAD:
		raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
		raise_memory(r, function, insn->a, size, level);
		break;
	case IMAGE_STORE:
		raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
		raise_operand(r, function, insn->b, insn->bits > 64 ? 2 : 1, relevance_of_memory(r, function, insn->a, size));
		break;
	case IMAGE_RMW:
	case IMAGE_CMPXCHG: exchange(r, function, insn, level); break;
	case IMAGE_MEMCPY:
	case IMAGE_MEMMOVE:
	case IMAGE_MEMSET: copy(r, function, insn); break;
	case IMAGE_CALL:
	case IMAGE_CALLI: call(r, function, insn); break;
	case IMAGE_RET:
		for (uint32_t k = 0; k < insn->b; k++)
			raise_like(r, function, *(uint32_t *)builder_at(r->p.b, IMAGE_POOL, insn->a + k),
				   points_result(&r->p, function, k));
		break;
	case IMAGE_BRCOND:
	case IMAGE_SWITCH:
	case IMAGE_ALLOCA:
	case IMAGE_STACKRESTORE: raise_operand(r, function, insn->a, 1, LEVEL_VALUE); break;
	case IMAGE_ORDER:
		raise_operand(r, function, insn->a, 1, LEVEL_VALUE);
		raise_operand(r, function, insn->b, 1, LEVEL_VALUE);
		break;
	default: compute(r, function, insn, level); break;
	}
}

/* ---- the beginning ------------------------------------------------------------------------------------------------- */

static void seed_results(struct relevance *r, uint32_t function)
{
	for (uint32_t k = 0; k < points_function(&r->p, function)->results; k++)
		raise_value(r, points_result(&r->p, function, k), LEVEL_VALUE);
}

/* Give memory that may hold an address, or that the runtime or the translator itself looks at, the level VALUE. */
static void seed_objects(struct relevance *r)
{
	for (uint32_t i = 0; i < r->p.nobjects; i++) {
		struct object *object = &r->p.objects[i];
		uint32_t width = object->ncells == 1 ? object->modulus : 8;
		struct raising raising = { r, LEVEL_VALUE };
		if (object->kind == OBJECT_GLOBAL && !r->t->global_queue[object->index])
			raise_bytes(object, 0, object->modulus, &raising);
		for (uint32_t k = 0; k < object->ncells && !r->deciding; k++)
			if (object->cells[k].count)
				raise_bytes(object, k * width, width, &raising);
	}
}

static void seed(struct relevance *r)
{
	struct builder *b = r->p.b;
	for (uint32_t i = 0; i < r->p.nvalues && !r->deciding; i++)
		if (r->p.values[i].count)
			raise_value(r, i, LEVEL_VALUE);
	seed_objects(r);
	raise_reachable(r, &r->p.kept);
	for (uint32_t f = 0; f < r->p.nfunctions; f++)
		if (r->p.invoked[f])
			seed_results(r, f);
	for (uint32_t i = 0; i < b->sections[IMAGE_PROPERTIES].count; i++)
		seed_results(r, ((struct image_property *)builder_at(b, IMAGE_PROPERTIES, i))->function);
}

static void find_levels(struct relevance *r)
{
	seed(r);
	do {
		r->changed = false;
		for (uint32_t f = r->p.nfunctions; f-- > 0;) {
			const struct image_function *function = points_function(&r->p, f);
			for (uint32_t i = function->ncode; i-- > 0;)
				step(r, f, builder_at(r->p.b, IMAGE_CODE, function->code + i));
		}
	} while (r->changed);
}

bool relevance_find(struct relevance *r)
{
	assert(!r->levels && !r->read);
	points_find(&r->p, r->t);
	if (r->p.wild)
		return false;
	r->levels = calloc(r->p.nvalues + 2, 1);
	r->read = calloc(r->p.nobjects + 1, sizeof *r->read);
	if (r->regions)
		r->regions->begin(r);
	find_levels(r);
	return true;
}

void relevance_release(struct relevance *r)
{
	if (r->regions)
		r->regions->release(r);
	free(r->levels);
	free(r->read);
	points_release(&r->p);
}
