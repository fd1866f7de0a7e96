/* SPDX-License-Identifier: MIT
 *
 * Loads of what no other thread writes: a variable with one writer, read by that writer, as a producer reads its own end of a
 * queue; or one that is only written before there is a second thread.
 *
 * Why such a load needs no step of its own (REDUCTION_OWNED): it reads the same value wherever in an execution it stands between
 * its thread's own steps.  It never blocks, writes nothing, and enables nobody.  What it may learn of happens-before, its thread
 * knows: the value is its own, or older than the thread.  It races with no access: another thread's would be a write.  So it is
 * independent of all steps of the others, and each execution has an equivalent one in which the load comes directly after what its
 * thread did before.  (If that ends the execution, or the thread, the load is not done, in neither.)  Where a thread does nothing
 * else for ever, it comes to rest in its loop as with memory of its own.  If the next thing that the thread does is to end the life
 * of memory, that comes in the step before the load, too: an access of another thread that nothing orders with it may then be told
 * as a use after that end only, where it was told as a data race with it as well.
 *
 * What counts as a write: whatever changes the bytes, and the end of their life, by free() or as a function returns.  What early
 * instructions (executors.h) write does not count: no other thread is there.  Writes are found by where pointers may point
 * (points_to.h), so too many are harmless.  An external function writes what effect.def says of locks and threads; all others count
 * as if any thread could write, at any time, all that can be reached from their arguments, unless they take numbers only.
 */
#include "analyse.h"
#include "executors.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct owners {
	struct points p;
	struct executors e;
	uint32_t **writers; /* of each object that is written late: of each byte, which threads; see struct executors */
	bool *given;        /* of each object: all threads may write all of it */
};

/* ---- writes ---------------------------------------------------------------------------------------------------------- */

struct write {
	struct owners *o;
	uint32_t threads;
};

static void note_bytes(struct object *object, uint32_t at, uint32_t size, void *data)
{
	const struct write *write = data;
	uint32_t number = (uint32_t)(object - write->o->p.objects), **writers = &write->o->writers[number];
	assert(at + size <= object->modulus);
	if (!*writers)
		*writers = calloc(object->modulus + 1, sizeof **writers);
	for (uint32_t i = at; i < at + size; i++)
		(*writers)[i] |= write->threads;
}

/* Note that `threads` write `size` bytes where `operand` points; 0: to the end of the objects. */
static void note_write(struct owners *o, uint32_t function, uint32_t operand, uint32_t size, uint32_t threads)
{
	const struct pointers *to = points_of(&o->p, function, operand);
	for (uint32_t i = 0; i < to->count; i++)
		points_touch(&o->p, &to->items[i], size, note_bytes, &(struct write){ o, threads });
}

/* Note that all threads may write all that can be reached from the pointers in `from`. */
static void give(struct owners *o, const struct pointers *from)
{
	points_reach(&o->p, from, o->given, note_bytes, &(struct write){ o, EXECUTOR_SEVERAL });
}

/* ---- external functions ---------------------------------------------------------------------------------------------- */

static uint32_t argument(struct owners *o, const struct image_insn *call, uint32_t k)
{
	assert(k < call->c);
	return *(uint32_t *)builder_at(o->p.b, IMAGE_POOL, call->b + k);
}

/* The same of what the arguments from `first` on, before `end`, point to. */
static void give_arguments(struct owners *o, uint32_t function, const struct image_insn *call, uint32_t first, uint32_t end)
{
	for (uint32_t k = first; k < call->c && k < end; k++)
		give(o, points_of(&o->p, function, argument(o, call, k)));
}

static void call_external(struct owners *o, uint32_t function, const struct image_insn *call, struct effect_row row)
{
	enum { HANDLE = 8 }; /* bytes; what a join writes is as large */
	uint32_t threads = o->e.threads[function];
	uint32_t sizes[] = { row.first, row.second };
	switch (row.effect) {
	case EFFECT_NUMBERS:
	case EFFECT_PUTS:
	case EFFECT_ALLOCATES: return;
	case EFFECT_TOUCHES:
		for (uint32_t k = 0; k < call->c; k++)
			if (k < 2 && sizes[k])
				note_write(o, function, argument(o, call, k), sizes[k], threads);
			else
				give_arguments(o, function, call, k, k + 1);
		return;
	case EFFECT_CREATES: /* the handle, and not what the thread gets */
		if (call->c)
			note_write(o, function, argument(o, call, 0), HANDLE, threads);
		give_arguments(o, function, call, 1, row.first);
		return;
	case EFFECT_JOINS:
		if (call->c > 1)
			note_write(o, function, argument(o, call, 1), HANDLE, threads);
		return;
	default: give_arguments(o, function, call, 0, call->c); return;
	}
}

/* An indirect call may be one of an external function, which may keep all its arguments. */
static void call_indirect(struct owners *o, uint32_t function, const struct image_insn *call)
{
	const struct pointers *called = points_of(&o->p, function, call->a);
	bool outside = false;
	for (uint32_t i = 0; i < called->count; i++) {
		const struct object *object = &o->p.objects[called->items[i].object];
		outside = outside ||
			(object->kind == OBJECT_FUNCTION && points_function(&o->p, object->index)->flags & FUNCTION_EXTERN);
	}
	give_arguments(o, function, call, 0, outside ? call->c : 0);
}

/* ---- instructions ---------------------------------------------------------------------------------------------------- */

static uint32_t bytes_of(const struct image_insn *insn)
{
	return (insn->bits + 7u) / 8;
}

/* Note what instruction `index`, in `function`, writes. */
static void note(struct owners *o, uint32_t function, uint32_t index)
{
	const struct image_insn *insn = builder_at(o->p.b, IMAGE_CODE, index);
	uint32_t threads = o->e.threads[function], made = o->p.made[index];
	uint64_t size = 0;
	bool external = insn->op == IMAGE_CALL && points_function(&o->p, insn->a)->flags & FUNCTION_EXTERN;
	struct effect_row row = { .effect = EFFECT_NUMBERS };
	if (external)
		row = points_effect(&o->p, insn->a);
	if (insn->op == IMAGE_ALLOCA && made != IMAGE_NONE) /* it ends as the function returns */
		note_bytes(&o->p.objects[made], 0, o->p.objects[made].modulus, &(struct write){ o, threads });
	if (executors_is_early(&o->e, function, index))
		return;
	switch ((enum image_opcode)insn->op) {
	case IMAGE_STORE:
	case IMAGE_RMW:
	case IMAGE_CMPXCHG: note_write(o, function, insn->a, bytes_of(insn), threads); break;
	case IMAGE_MEMCPY:
	case IMAGE_MEMMOVE:
	case IMAGE_MEMSET:
		if (insn->c & IMAGE_CONST)
			size = *(uint64_t *)builder_at(o->p.b, IMAGE_CONSTANTS, insn->c & ~IMAGE_CONST);
		note_write(o, function, insn->a, size < UINT32_MAX ? (uint32_t)size : 0, threads);
		break;
	case IMAGE_CALL:
		if (external)
			call_external(o, function, insn, row);
		break;
	case IMAGE_CALLI: call_indirect(o, function, insn); break;
	default: break;
	}
}

static void note_all(struct owners *o)
{
	for (uint32_t i = 0; i < o->p.nfunctions; i++) {
		const struct image_function *f = points_function(&o->p, i);
		for (uint32_t k = 0; k < f->ncode; k++)
			note(o, i, f->code + k);
	}
	give(o, &o->p.kept);
	for (uint32_t i = 0; i < o->p.nobjects; i++) { /* one for each thread, or the runtime's own */
		const struct object *object = &o->p.objects[i];
		if (object->kind != OBJECT_GLOBAL)
			continue;
		const struct image_global *g = builder_at(o->p.b, IMAGE_GLOBALS, object->index);
		if (g->flags & (GLOBAL_PROVIDED | GLOBAL_THREAD_LOCAL))
			give(o, &(struct pointers){ .items = &(struct pointer){ .object = i }, .count = 1 });
	}
}

/* ---- loads ----------------------------------------------------------------------------------------------------------- */

static void add_writers(struct object *object, uint32_t at, uint32_t size, void *data)
{
	struct write *write = data;
	const uint32_t *writers = write->o->writers[object - write->o->p.objects];
	assert(at + size <= object->modulus);
	for (uint32_t i = at; writers && i < at + size; i++)
		write->threads |= writers[i];
}

/* Does the load read only what no thread writes but the one that loads? */
static bool is_owned(struct owners *o, uint32_t function, const struct image_insn *load)
{
	struct write writes = { o, 0 };
	const struct pointers *from = points_of(&o->p, function, load->a);
	for (uint32_t i = 0; i < from->count; i++)
		points_touch(&o->p, &from->items[i], bytes_of(load), add_writers, &writes);
	uint32_t threads = o->e.threads[function];
	return from->count && !from->unknown && (writes.threads == 0 || (executors_is_one(threads) && writes.threads == threads));
}

static bool mark_loads(struct owners *o)
{
	bool any = false;
	for (uint32_t i = 0; i < o->p.nfunctions; i++) {
		const struct image_function *f = points_function(&o->p, i);
		for (uint32_t k = 0; k < f->ncode; k++) {
			struct image_insn *insn = builder_at(o->p.b, IMAGE_CODE, f->code + k);
			if (insn->op != IMAGE_LOAD || !is_owned(o, i, insn))
				continue;
			insn->order |= IMAGE_OWNED;
			any = true;
		}
	}
	return any;
}

/* Is there a load at which threads come to rest (runtime/interpreter/access.c)? */
static bool has_visible_loads(struct translation *t)
{
	struct builder *b = &t->builder;
	if (t->request->options.races == RACES_IGNORE || t->request->ntolerated)
		return true;
	for (uint32_t i = 0; i < b->sections[IMAGE_CODE].count; i++) {
		const struct image_insn *insn = builder_at(b, IMAGE_CODE, i);
		if (insn->op == IMAGE_LOAD && (insn->aux & IMAGE_ATOMIC))
			return true;
	}
	return false;
}

bool mark_owned(struct translation *t, uint32_t start, uint32_t exit)
{
	struct owners o = { .p.b = &t->builder };
	bool any = false;
	if (!has_visible_loads(t))
		return false;
	points_find(&o.p, t);
	if (!o.p.wild && executors_find(&o.e, &o.p, start, exit)) {
		o.writers = calloc(o.p.nobjects + 1, sizeof *o.writers);
		o.given = calloc(o.p.nobjects + 1, sizeof *o.given);
		note_all(&o);
		any = mark_loads(&o);
	}
	for (uint32_t i = 0; o.writers && i < o.p.nobjects; i++)
		free(o.writers[i]);
	free(o.writers);
	free(o.given);
	executors_release(&o.e);
	points_release(&o.p);
	return any;
}
