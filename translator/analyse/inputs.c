/* SPDX-License-Identifier: MIT
 *
 * The values of inputs (lower/nondet.c): one of each region of numbers that the program can tell apart (regions.c), so that what is
 * found with them is what all values would show.  An input of which nothing asks more than whether it is initialized has one value.
 * An input that is looked at in another way keeps the few values that the runtime tries.
 */
#include "analyse.h"
#include "regions.h"
#include "../lower/lower.h"
#include "../read/read.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const struct translation *t, const struct image_function *f)
{
	return builder_at((struct builder *)&t->builder, IMAGE_STRINGS, f->name);
}

/* Return the call of an input that is noted for `insn` of `function`; NULL if none is. */
static struct input_call *noted_call(const struct translation *t, uint32_t function, const struct image_insn *insn)
{
	for (size_t i = 0; i < t->ninput_calls; i++)
		if (t->input_calls[i].function == function && t->input_calls[i].reg == insn->dst)
			return &t->input_calls[i];
	return NULL;
}

/* Is `insn` a call of an input of which the user has not said what it returns? */
static bool is_call(const struct translation *t, uint32_t function, const struct image_insn *insn)
{
	if (insn->op != IMAGE_CALL)
		return false;
	const struct image_function *f = builder_at((struct builder *)&t->builder, IMAGE_FUNCTIONS, insn->a);
	if (!(f->flags & FUNCTION_EXTERN) || (f->flags & FUNCTION_DECLARED))
		return false;
	return (f->flags & FUNCTION_HAVOC) || begins(name_of(t, f), "__VERIFIER_nondet_") || noted_call(t, function, insn);
}

static bool is_unsigned(const char *name)
{
	size_t length = strlen("__VERIFIER_nondet_");
	return begins(name, "bitspin_any_u") ||
		(begins(name, "__VERIFIER_nondet_") && (name[length] == 'u' || strcmp(name + length, "size_t") == 0));
}

/* Return the number of the region from `low` to `high` that is nearest to 0.  If they are `is_signed`, the upper half of numbers of
 * `bits` bits is negative. */
static uint64_t nearest(uint64_t low, uint64_t high, unsigned bits, bool is_signed)
{
	uint64_t sign = (uint64_t)1 << (bits - 1);
	bool negative = is_signed && low >= sign;
	return negative ? high | ~(2 * sign - 1) : low;
}

/* Add the values for regions between `cuts` to the pool, for an input of `bits` bits, and return where they are. */
static uint32_t add_values(struct builder *b, const struct cuts *cuts, unsigned bits, bool is_signed)
{
	uint32_t *words = xrealloc(NULL, (3 + 2 * (size_t)cuts->count) * sizeof *words), n = 1;
	bits = cuts->bits < bits ? cuts->bits : bits;
	uint64_t most = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1, low = 0;
	words[0] = 0;
	for (uint32_t i = 0; low <= most; i++) {
		bool last = i == cuts->count || cuts->items[i] > most;
		uint64_t high = last ? most : cuts->items[i] - 1, value = nearest(low, high, bits, is_signed);
		assert(low <= high);
		words[0]++;
		words[n++] = (uint32_t)value;
		words[n++] = (uint32_t)(value >> 32);
		if (last)
			break;
		low = high + 1;
	}
	uint32_t at = builder_pool(b, words, n);
	free(words);
	return at;
}

/* Choose the values at the call `insn`, if they can stand for all; return whether they can. */
static bool choose(struct relevance *r, uint32_t function, struct image_insn *insn)
{
	const struct image_function *f = points_function(&r->p, insn->a);
	/* _start calls a function that has no type, see choose_variables(). */
	const struct cuts none = { .bits = 1 }, *cuts = &none;
	unsigned bits = f->result_bits ? f->result_bits : function == r->t->start ? 64 : 0;
	if (insn->dst != IMAGE_NONE && relevance_of_result(r, function, insn) == LEVEL_VALUE) {
		cuts = &r->cuts[r->p.first[function] + insn->dst];
		if (cuts->whole || f->results != 1 || (cuts->count && (bits == 0 || bits > 64)))
			return false;
		cuts = cuts->count ? cuts : &none;
	}
	uint32_t *list = xrealloc(NULL, (insn->c + 1) * sizeof *list);
	if (insn->c)
		memcpy(list + 1, builder_at(r->p.b, IMAGE_POOL, insn->b), insn->c * sizeof *list);
	list[0] = add_values(r->p.b, cuts, cuts == &none ? 1 : bits, !is_unsigned(name_of(r->t, f)));
	insn->b = builder_pool(r->p.b, list, insn->c + 1) + 1;
	insn->aux |= IMAGE_REGIONS;
	free(list);
	return true;
}

static void choose_all(struct relevance *r)
{
	struct translation *t = r->t;
	bool *chosen = calloc(t->ninput_calls + 1, sizeof *chosen);
	for (uint32_t f = 0; f < t->nfunctions; f++) {
		const struct image_function *function = builder_at(&t->builder, IMAGE_FUNCTIONS, f);
		for (uint32_t i = 0; i < function->ncode; i++) {
			struct image_insn *insn = builder_at(&t->builder, IMAGE_CODE, function->code + i);
			if (!is_call(t, f, insn))
				continue;
			struct input_call *noted = noted_call(t, f, insn);
			bool done = choose(r, f, insn);
			if (noted)
				chosen[noted - t->input_calls] = done;
		}
	}
	for (size_t i = 0; i < t->ninput_calls; i++)
		t->result->inputs[t->input_calls[i].row].exact = true;
	for (size_t i = 0; i < t->ninput_calls; i++)
		if (!chosen[i])
			t->result->inputs[t->input_calls[i].row].exact = false;
	free(chosen);
}

void choose_values(struct translation *t)
{
	struct relevance r = { .t = t, .regions = &region_rules };
	if (t->ninput_calls == 0)
		return;
	if (relevance_find(&r))
		choose_all(&r);
	relevance_release(&r);
}
