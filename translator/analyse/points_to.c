/* SPDX-License-Identifier: MIT
 *
 * The analysis of points_to.h: instruction by instruction, round by round, until nothing changes.
 */
#include "pointer_sets.h"
#include "../../runtime/image/policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------------------------------------- */

struct transfer {
	struct points *p;
	struct pointers *into;       /* a read */
	const struct pointers *from; /* a write */
	bool anywhere;               /* of a part of what is there, or it is not known how much */
	bool part;                   /* a write of a part of what is touched */
};

static void read_cells(struct object *object, uint32_t at, uint32_t size, void *data)
{
	const struct transfer *t = data;
	uint32_t first = object->ncells == 1 ? 0 : at / 8, last = object->ncells == 1 ? 0 : (at + size - 1) / 8;
	assert(size > 0 && last < object->ncells);
	for (uint32_t i = first; i <= last; i++)
		(t->anywhere ? add_anywhere : add_all)(t->p, t->into, &object->cells[i]);
}

/* Let the addresses in `set` point anywhere in their objects: a part of each may have been written over, be it with a number. */
static void loosen(struct points *p, struct pointers *set)
{
	add_anywhere(p, set, set);
}

static void write_cells(struct object *object, uint32_t at, uint32_t size, void *data)
{
	const struct transfer *t = data;
	bool one = object->ncells == 1, several = one && object->modulus != 8;
	uint32_t first = one ? 0 : at / 8, last = one ? 0 : (at + size - 1) / 8;
	assert(size > 0 && last < object->ncells);
	for (uint32_t i = first; i <= last; i++) {
		(t->anywhere ? add_anywhere : add_all)(t->p, &object->cells[i], t->from);
		if (t->part || several || at > 8 * i || at + size < 8 * i + 8)
			loosen(t->p, &object->cells[i]);
	}
}

/* Give up if an access goes through an address that may have been computed. */
static void uses_address(struct points *p, const struct pointers *address)
{
	if (address->unknown)
		p->wild = true;
}

static void load(struct points *p, const struct pointers *address, uint32_t size, struct pointers *into)
{
	uses_address(p, address);
	for (uint32_t i = 0; i < address->count; i++)
		points_touch(p, &address->items[i], size, read_cells, &(struct transfer){ p, into, NULL, size % 8 != 0, false });
}

/* Store what is in `from` where `address` points; `size` in bytes, 0 if it is not known. */
static void store(struct points *p, const struct pointers *address, uint32_t size, const struct pointers *from)
{
	uses_address(p, address);
	for (uint32_t i = 0; i < address->count; i++)
		points_touch(p, &address->items[i], size, write_cells,
			     &(struct transfer){ p, NULL, from, size % 8 != 0 || size == 0, size == 0 });
}

/* ---- external functions -------------------------------------------------------------------------------------------- */

static const struct effect_row rows[] = {
#define EFFECT(name)
#define FUNCTION(pattern, effect, first, second) { pattern, EFFECT_##effect, first, second },
#define WORST(...)
#include "effect.def"
#undef EFFECT
#undef FUNCTION
#undef WORST
};

struct effect_row points_effect(const struct points *p, uint32_t function)
{
	const struct image_function *f = points_function(p, function);
	const char *name = builder_at(p->b, IMAGE_STRINGS, f->name);
	struct effect_row worst = { .effect = EFFECT_KEEPS };
	if (f->flags & (FUNCTION_DECLARED | FUNCTION_HAVOC))
		return worst;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t length = strlen(rows[i].pattern);
		bool prefix = rows[i].pattern[length - 1] == '*';
		if (prefix ? strncmp(name, rows[i].pattern, length - 1) == 0 : strcmp(name, rows[i].pattern) == 0)
			return rows[i];
	}
	if (builtin_policy(name) == POLICY_HOST)
		worst.effect = EFFECT_HOST;
	return worst;
}

/* a call, as its arguments are known */
struct site {
	uint32_t function, insn; /* the caller, and the instruction in the image */
	uint32_t dst;            /* value, or IMAGE_NONE */
	const uint32_t *arguments;
	uint32_t count;
};

static const struct pointers *argument(struct points *p, const struct site *site, uint32_t k, struct pointer *space,
				       struct pointers *own)
{
	if (k < site->count)
		return points_operand(p, site->function, site->arguments[k], 64, space, own);
	*own = (struct pointers){ 0 };
	return own;
}

/* Is parameter `k` of `f` a pointer, as far as the type of the function tells?  The last parameters of a function with variable
 * arguments tell where these are. */
static bool takes_pointer(const struct points *p, const struct image_function *f, uint32_t k)
{
	const char *type = builder_at(p->b, IMAGE_STRINGS, f->signature), *at = strchr(type, '(');
	for (; at && k; k--)
		at = strpbrk(at + 1, ",");
	if (!at)
		return *type == '\0';
	return strncmp(at + strspn(at, "(, "), "pointer", 7) == 0;
}

/* May the result of `f` be an address? */
static bool may_return_pointer(const struct image_function *f)
{
	return f->results && (f->result_bits == 0 || f->result_bits >= 64);
}

static uint64_t size_allocated(const struct points *p, const struct site *site, uint32_t factors)
{
	uint64_t size = 1, value;
	for (uint32_t i = 0; i < factors; i++) {
		if (i >= site->count || !constant_of(p, site->arguments[i], &value) || value > MOST_BYTES)
			return 0;
		size *= value;
	}
	return factors ? size : 0;
}

static void call_new(struct points *p, const struct site *site, uint32_t factors)
{
	if (p->made[site->insn] == IMAGE_NONE)
		p->made[site->insn] = add_object(p, OBJECT_HEAP, site->insn, size_allocated(p, site, factors));
	assert(p->objects[p->made[site->insn]].kind == OBJECT_HEAP);
	if (site->dst != IMAGE_NONE)
		points_add(p, &p->values[site->dst], (struct pointer){ .object = p->made[site->insn] });
}

/* Note that the runtime calls `function`, and return the function that it enters. */
static uint32_t invoke(struct points *p, uint32_t function)
{
	const struct image_function *f = points_function(p, function);
	uint32_t entered = f->flags & FUNCTION_EXTERN && f->stand_in ? f->stand_in : function;
	assert(entered == function || !(points_function(p, entered)->flags & FUNCTION_EXTERN)); /* a stand-in has a body */
	p->changed = p->changed || !p->invoked[entered];
	p->invoked[entered] = true;
	return entered;
}

static void call_create(struct points *p, const struct site *site, uint32_t at)
{
	struct pointer space[2];
	struct pointers own[2];
	const struct pointers *entry = argument(p, site, at, &space[0], &own[0]);
	const struct pointers *passed = argument(p, site, at + 1, &space[1], &own[1]);
	uses_address(p, entry);
	for (uint32_t i = 0; i < entry->count; i++) {
		const struct object *object = &p->objects[entry->items[i].object];
		if (object->kind != OBJECT_FUNCTION)
			continue;
		uint32_t function = invoke(p, object->index);
		if (points_function(p, function)->parameters)
			add_all(p, &p->values[p->first[function]], passed);
	}
}

static void call_host(struct points *p, const struct site *site)
{
	struct pointer space[2];
	struct pointers own[2];
	for (uint32_t i = 0; i < site->count; i++) {
		const struct pointers *from = argument(p, site, i, &space[0], &own[0]);
		if (site->dst != IMAGE_NONE)
			add_anywhere(p, &p->values[site->dst], from);
		for (uint32_t k = 0; k < site->count; k++)
			store(p, argument(p, site, k, &space[1], &own[1]), 0, from);
	}
}

static void call_worst(struct points *p, const struct site *site, const struct image_function *f)
{
	struct pointer space;
	struct pointers own;
	bool pointers = may_return_pointer(f);
	for (uint32_t i = 0; i < site->count; i++)
		pointers = pointers || argument(p, site, i, &space, &own)->count;
	for (uint32_t i = 0; pointers && i < site->count; i++)
		add_anywhere(p, &p->kept, argument(p, site, i, &space, &own));
	if (!may_return_pointer(f))
		return;
	call_new(p, site, 0);
	points_add(p, &p->kept, (struct pointer){ p->made[site->insn], 0, 1 });
	if (site->dst != IMAGE_NONE)
		add_all(p, &p->values[site->dst], &p->kept);
}

static void call_external(struct points *p, const struct site *site, uint32_t function, bool direct)
{
	const struct image_function *f = points_function(p, function);
	struct effect_row row = points_effect(p, function);
	struct pointer space;
	struct pointers own;
	for (uint32_t i = 0; i < site->count; i++)
		if (takes_pointer(p, f, i) && row.effect != EFFECT_HOLDS && row.effect != EFFECT_NUMBERS &&
		    !(row.effect == EFFECT_CREATES && i > row.first))
			uses_address(p, argument(p, site, i, &space, &own));
	if (!direct)
		row.effect = EFFECT_KEEPS;
	switch (row.effect) {
	case EFFECT_HOLDS:
	case EFFECT_KEEPS: call_worst(p, site, f); break;
	case EFFECT_ALLOCATES: call_new(p, site, row.first); break;
	case EFFECT_CREATES: call_create(p, site, row.first); break;
	case EFFECT_WRITES:
		for (uint32_t k = 0; k < site->count; k++)
			store(p, argument(p, site, k, &space, &own), 0, &(struct pointers){ 0 });
		break;
	case EFFECT_JOINS: store(p, argument(p, site, 1, &space, &own), 8, &p->kept); break;
	case EFFECT_HOST: call_host(p, site); break;
	case EFFECT_TOUCHES:
		for (uint32_t k = 0; k < 2; k++)
			if (k == 0 ? row.first : row.second)
				store(p, argument(p, site, k, &space, &own), k == 0 ? row.first : row.second,
				      &(struct pointers){ 0 });
		break;
	case EFFECT_READS:
	case EFFECT_NUMBERS:
	case EFFECT_PRINTS:
	case EFFECT_PUTS:
	case EFFECT_RELEASES: break;
	}
}

/* Let the runtime hand what it has kept to each function that it calls, write it to all memory that it knows, and keep what lies
 * there. */
static void spread_kept(struct points *p)
{
	for (uint32_t i = 0; i < p->kept.count && !p->wild; i++) {
		struct object *object = &p->objects[p->kept.items[i].object];
		uint32_t ncells = object->kind == OBJECT_FUNCTION ? 0 : object->ncells, index = object->index;
		bool function = object->kind == OBJECT_FUNCTION;
		struct pointers *cells = object->cells;
		for (uint32_t k = 0; k < ncells && !p->wild; k++) {
			add_anywhere(p, &p->kept, &cells[k]);
			add_all(p, &cells[k], &p->kept);
		}
		if (function)
			index = invoke(p, index);
		for (uint32_t k = 0; function && k < points_function(p, index)->parameters; k++)
			add_all(p, &p->values[p->first[index] + k], &p->kept);
	}
	for (uint32_t f = 0; f < p->nfunctions; f++)
		for (uint32_t k = 0; p->invoked[f] && k < points_function(p, f)->results; k++)
			add_anywhere(p, &p->kept, &p->values[points_result(p, f, k)]);
}

/* ---- calls --------------------------------------------------------------------------------------------------------- */

static void call_function(struct points *p, const struct site *site, uint32_t callee, uint32_t results)
{
	const struct image_function *f = points_function(p, callee);
	struct pointer space;
	struct pointers own;
	assert(!(f->flags & FUNCTION_EXTERN));
	for (uint32_t k = 0; k < f->parameters && k < site->count; k++)
		add_all(p, &p->values[p->first[callee] + k], argument(p, site, k, &space, &own));
	for (uint32_t k = 0; site->dst != IMAGE_NONE && k < results && k < f->results; k++)
		add_all(p, &p->values[site->dst + k], &p->values[points_result(p, callee, k)]);
}

static void call(struct points *p, uint32_t function, uint32_t index, const struct image_insn *insn)
{
	struct site site = {
		.function = function,
		.insn = index,
		.dst = insn->dst == IMAGE_NONE ? IMAGE_NONE : p->first[function] + insn->dst,
		.arguments = insn->c ? builder_at(p->b, IMAGE_POOL, insn->b) : NULL,
		.count = insn->c,
	};
	if (insn->op == IMAGE_CALL && points_function(p, insn->a)->flags & FUNCTION_EXTERN) {
		call_external(p, &site, insn->a, true);
		return;
	}
	if (insn->op == IMAGE_CALL) {
		call_function(p, &site, insn->a, slots_defined(p->b, insn));
		return;
	}
	struct pointer space;
	struct pointers own;
	const struct pointers *called = points_operand(p, function, insn->a, 64, &space, &own);
	uses_address(p, called);
	for (uint32_t i = 0; i < called->count; i++) {
		const struct object *object = &p->objects[called->items[i].object];
		if (object->kind != OBJECT_FUNCTION)
			continue;
		if (points_function(p, object->index)->flags & FUNCTION_EXTERN)
			call_external(p, &site, object->index, false);
		else
			call_function(p, &site, object->index, insn->aux);
	}
}

/* ---- instructions -------------------------------------------------------------------------------------------------- */

static void index_pointer(struct points *p, const struct image_insn *insn, const struct pointers *a, const struct pointers *b,
			  struct pointers *dst)
{
	uint64_t index, scale;
	bool known = constant_of(p, insn->c, &scale);
	if (known && constant_of(p, insn->b, &index))
		add_moved(p, dst, a, (int64_t)index * (int64_t)scale);
	else
		add_strided(p, dst, a, known ? ((int64_t)scale < 0 ? 0 - scale : scale) : 1);
	if (b->count) {
		add_anywhere(p, dst, b);
		add_unknown(p, dst);
	}
}

/* Does `insn` mask an address so that the number of the object stays whole, or goes? */
static bool is_tame_mask(const struct points *p, const struct image_insn *insn)
{
	uint64_t offsets = IMAGE_MAX_SIZE - 1, value;
	bool mask = insn->op == IMAGE_AND || insn->op == IMAGE_OR || insn->op == IMAGE_XOR;
	if (!mask || insn->bits != 64 || !(constant_of(p, insn->b, &value) || constant_of(p, insn->a, &value)))
		return false;
	if (insn->op == IMAGE_OR || insn->op == IMAGE_XOR)
		return value <= offsets;
	return insn->op == IMAGE_AND && ((value | offsets) == UINT64_MAX || value <= offsets);
}

/* Add to `dst` what arithmetic makes of addresses: any place in the objects of the operands, or an address that was computed. */
static void compute(struct points *p, uint32_t function, const struct image_insn *insn, struct pointers *dst)
{
	const char *roles = image_opcodes[insn->op].roles;
	const uint32_t fields[] = { insn->a, insn->b, insn->c };
	struct pointer space;
	struct pointers own;
	unsigned bits = roles[0] == 'D' ? insn->aux : insn->bits;
	for (int i = 0; i < 3; i++)
		if (roles[i + 1] == 'x' || roles[i + 1] == 'q')
			add_anywhere(p, dst, points_operand(p, function, fields[i], insn->bits, &space, &own));
	for (int i = 0; i < 3 && insn->bits > 64; i++)
		if (roles[i + 1] == 'x' && !(fields[i] & IMAGE_CONST))
			add_anywhere(p, dst, points_operand(p, function, fields[i] + 1, 64, &space, &own));
	if (bits > 28 && !is_tame_mask(p, insn))
		add_unknown(p, dst);
	if (bits > 64)
		add_all(p, dst + 1, dst);
}

static void move(struct points *p, uint32_t function, uint32_t from, unsigned bits, struct pointers *dst)
{
	struct pointer space;
	struct pointers own;
	add_all(p, dst, points_operand(p, function, from, 64, &space, &own));
	if (bits > 64)
		add_all(p, dst + 1, points_operand(p, function, from + 1, 64, &space, &own));
}

static void change_memory(struct points *p, uint32_t function, const struct image_insn *insn, struct pointers *dst)
{
	struct pointer space[2];
	struct pointers own[2], old = { 0 };
	const struct pointers *address = points_operand(p, function, insn->a, 64, &space[0], &own[0]);
	bool wide = insn->bits > 64, exchanges = insn->op == IMAGE_CMPXCHG || insn->c == RMW_XCHG;
	uint32_t size = (insn->bits + 7u) / 8, from = insn->op == IMAGE_CMPXCHG ? insn->c : insn->b;
	load(p, address, size, dst);
	if (wide)
		add_all(p, dst + 1, dst);
	for (uint32_t k = 0; k <= wide; k++)
		store(p, address, size, points_operand(p, function, from + k, insn->bits, &space[1], &own[1]));
	bool changed = p->changed; /* what is gathered here is no change */
	for (uint32_t k = 0; k <= wide && !exchanges; k++)
		add_anywhere(p, &old, points_operand(p, function, from + k, insn->bits, &space[1], &own[1]));
	add_anywhere(p, &old, dst);
	old.unknown = true;
	p->changed = changed;
	if (!exchanges)
		store(p, address, size, &old);
	free(old.items);
}

/* Copy `size` bytes, 0 if that is not known, from where `from` points to where `to` points: words at equal distances from both. */
static void copy_between(struct points *p, const struct pointer *to, const struct pointer *from, uint32_t size)
{
	struct object *a = &p->objects[to->object], *b = &p->objects[from->object];
	bool aligned = !to->stride && !from->stride && to->offset % 8 == 0 && from->offset % 8 == 0 && size && size <= a->modulus &&
		size <= b->modulus && a->ncells > 1 && b->ncells > 1;
	if (aligned) {
		for (uint32_t at = 0; at < size; at += 8) {
			struct pointers *into = &a->cells[(to->offset + at) / 8 % a->ncells];
			add_all(p, into, &b->cells[(from->offset + at) / 8 % b->ncells]);
			if (size - at < 8)
				loosen(p, into);
		}
		return;
	}
	struct pointers all = { 0 };
	bool changed = p->changed; /* what is gathered here is no change */
	points_touch(p, from, size, read_cells, &(struct transfer){ p, &all, NULL, true, false });
	p->changed = changed;
	points_touch(p, to, size, write_cells, &(struct transfer){ p, NULL, &all, true, size == 0 });
	free(all.items);
}

static void copy_memory(struct points *p, uint32_t function, const struct image_insn *insn)
{
	struct pointer space[2];
	struct pointers own[2];
	const struct pointers *to = points_operand(p, function, insn->a, 64, &space[0], &own[0]);
	const struct pointers *from = points_operand(p, function, insn->b, 64, &space[1], &own[1]);
	uint64_t size;
	if (!constant_of(p, insn->c, &size) || size > MOST_BYTES)
		size = 0;
	uses_address(p, to);
	if (insn->op == IMAGE_MEMSET) {
		store(p, to, (uint32_t)size, from);
		return;
	}
	uses_address(p, from);
	for (uint32_t i = 0; i < to->count; i++)
		for (uint32_t k = 0; k < from->count; k++)
			copy_between(p, &to->items[i], &from->items[k], (uint32_t)size);
}

static void return_values(struct points *p, uint32_t function, const struct image_insn *insn)
{
	struct pointer space;
	struct pointers own;
	for (uint32_t k = 0; k < insn->b; k++)
		add_all(p, &p->values[points_result(p, function, k)],
			points_operand(p, function, *(uint32_t *)builder_at(p->b, IMAGE_POOL, insn->a + k), 64, &space, &own));
}

static void step(struct points *p, uint32_t function, uint32_t index, const struct image_insn *insn)
{
	struct pointer space[2];
	struct pointers own[2];
	struct pointers *dst = slots_defined(p->b, insn) ? &p->values[p->first[function] + insn->dst] : NULL;
	switch ((enum image_opcode)insn->op) {
	case IMAGE_MOV:
	case IMAGE_FREEZE: move(p, function, insn->a, insn->bits, dst); break;
	case IMAGE_ZEXT:
	case IMAGE_SEXT: move(p, function, insn->a, 64, dst); break;
	case IMAGE_SELECT:
		move(p, function, insn->b, insn->bits, dst);
		move(p, function, insn->c, insn->bits, dst);
		break;
	case IMAGE_INDEX:
		index_pointer(p, insn, points_operand(p, function, insn->a, 64, &space[0], &own[0]),
			      points_operand(p, function, insn->b, 64, &space[1], &own[1]), dst);
		break;
	case IMAGE_ALLOCA:
		if (p->made[index] == IMAGE_NONE) {
			uint64_t size = 0;
			constant_of(p, insn->a, &size);
			p->made[index] = add_object(p, OBJECT_STACK, index, size);
		}
		assert(p->objects[p->made[index]].kind == OBJECT_STACK);
		points_add(p, dst, (struct pointer){ .object = p->made[index] });
		break;
	case IMAGE_TLSADDR: points_add(p, dst, (struct pointer){ .object = insn->a }); break;
	case IMAGE_LOAD:
		load(p, points_operand(p, function, insn->a, 64, &space[0], &own[0]), (insn->bits + 7u) / 8, dst);
		if (insn->bits > 64)
			add_all(p, dst + 1, dst);
		break;
	case IMAGE_STORE:
		for (uint32_t k = 0; k <= (insn->bits > 64); k++)
			store(p, points_operand(p, function, insn->a, 64, &space[0], &own[0]), (insn->bits + 7u) / 8,
			      points_operand(p, function, insn->b + k, insn->bits, &space[1], &own[1]));
		break;
	case IMAGE_RMW:
	case IMAGE_CMPXCHG: change_memory(p, function, insn, dst); break;
	case IMAGE_MEMCPY:
	case IMAGE_MEMMOVE:
	case IMAGE_MEMSET: copy_memory(p, function, insn); break;
	case IMAGE_CALL:
	case IMAGE_CALLI: call(p, function, index, insn); break;
	case IMAGE_RET: return_values(p, function, insn); break;
	/* clang-format off */
	case IMAGE_UNDEF: case IMAGE_ICMP: case IMAGE_FCMP: case IMAGE_FCLASS: case IMAGE_STACKSAVE: break; /* no addresses */
	/* clang-format on */
	default:
		if (dst)
			compute(p, function, insn, dst);
		break;
	}
}

/* ---- the beginning ------------------------------------------------------------------------------------------------- */

static void begin(struct points *p, struct translation *t)
{
	struct builder *b = p->b;
	uint32_t ncode = (uint32_t)b->sections[IMAGE_CODE].count, at = 0;
	p->nfunctions = (uint32_t)b->sections[IMAGE_FUNCTIONS].count;
	p->nglobals = (uint32_t)b->sections[IMAGE_GLOBALS].count;
	p->first = xrealloc(NULL, (p->nfunctions + 1) * sizeof *p->first);
	p->made = xrealloc(NULL, (ncode + 1) * sizeof *p->made);
	p->invoked = calloc(p->nfunctions + 1, sizeof *p->invoked);
	memset(p->made, 0xff, (ncode + 1) * sizeof *p->made);
	for (uint32_t i = 0; i < p->nglobals; i++) {
		uint32_t object = add_object(p, OBJECT_GLOBAL, i, ((struct image_global *)builder_at(b, IMAGE_GLOBALS, i))->size);
		assert(object == i); /* points_address() relies on it */
	}
	for (uint32_t f = 0; f < p->nfunctions; f++) {
		uint32_t object = add_object(p, OBJECT_FUNCTION, f, 1);
		assert(object == p->nglobals + f); /* points_address() relies on it */
		p->first[f] = at;
		at += points_function(p, f)->registers + points_function(p, f)->results;
	}
	assert(p->nfunctions == t->nfunctions && p->nglobals == t->nglobals);
	p->nvalues = at;
	p->values = calloc(at + 2, sizeof *p->values);
	for (uint32_t i = 0; i < p->nglobals; i++) {
		points_read_initial(p, t, i);
		if (!t->global_queue[i] && ((struct image_global *)builder_at(b, IMAGE_GLOBALS, i))->flags & GLOBAL_PROVIDED)
			points_add(p, &p->kept, (struct pointer){ i, 0, 1 });
	}
}

/* Give up if a call passes an address that was computed among its variable arguments, which instruction `index` makes the object
 * of: the callee takes pointers from there to format. */
static void check_area(struct points *p, uint32_t index)
{
	const struct image_insn *insn = builder_at(p->b, IMAGE_CODE, index);
	if (insn->op != IMAGE_ALLOCA || insn->b == IMAGE_NONE || p->made[index] == IMAGE_NONE)
		return;
	const struct image_symbol *symbol = builder_at(p->b, IMAGE_SYMBOLS, insn->b);
	const char *letters = builder_at(p->b, IMAGE_STRINGS, symbol->arguments);
	const struct object *object = &p->objects[p->made[index]];
	assert(strlen(letters) % 2 == 0); /* a letter and an argument for each word */
	for (uint32_t i = 0; i < strlen(letters) / 2; i++)
		if (letters[i] == 'p')
			uses_address(p, &object->cells[i % object->ncells]);
}

void points_find(struct points *p, struct translation *t)
{
	enum { LEAST = 200000, FOR_EACH = 200 };
	*p = (struct points){ .b = &t->builder };
	p->most = LEAST + FOR_EACH * (uint64_t)p->b->sections[IMAGE_CODE].count;
	begin(p, t);
	bool backwards = false; /* every other time, so that chains of calls take no rounds of their own, callers last */
	do {
		p->changed = false;
		for (uint32_t n = 0; n < p->nfunctions && !p->wild; n++) {
			uint32_t f = backwards ? p->nfunctions - 1 - n : n;
			const struct image_function *function = points_function(p, f);
			for (uint32_t i = 0; i < function->ncode && !p->wild; i++)
				step(p, f, function->code + i, builder_at(p->b, IMAGE_CODE, function->code + i));
		}
		spread_kept(p);
		backwards = !backwards;
	} while (p->changed && !p->wild);
	for (uint32_t i = 0; i < p->b->sections[IMAGE_CODE].count; i++)
		check_area(p, i);
}
