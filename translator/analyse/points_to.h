/* SPDX-License-Identifier: MIT
 *
 * What may point where, in the code of the image: inclusion-based and without regard to the order of instructions (Andersen,
 * "Program Analysis and Specialization for the C Programming Language", 1994, chapter 4), over the instructions that the VM
 * interprets, the C library's included.
 *
 * An *object* stands for all that one global variable, one ALLOCA or one call of malloc() makes.  A pointer is an object and an
 * offset, or all offsets that differ from it by a multiple of a stride.  Offsets count modulo a number that belongs to the object
 * (its size, if that is known and small), so that equal offsets are equal.  What memory holds is known for words of 8 bytes.
 *
 * Too many pointers are harmless, too few are not.  So each instruction that may make an address passes on the objects of all its
 * operands, and external functions keep, hand on and change all they get, unless effect.def says that they do not.  An address
 * that is computed from what is none is `unknown`; where one is used, all is given up (`wild`).  An address of which a part is
 * written over may then be any in its object.  It stays in that object: its number would have to be put together of constants, to
 * which no C implementation gives a meaning.
 */
#ifndef BITSPIN_TRANSLATOR_POINTERS_H
#define BITSPIN_TRANSLATOR_POINTERS_H

#include "../symbols/values.h"

struct pointer {
	uint32_t object, offset;
	uint32_t stride; /* 0: exactly that offset */
};

/* What a value may be: one pointer for each object. */
struct pointers {
	struct pointer *items;
	uint32_t count, capacity;
	bool unknown; /* the value may also be a number that was computed, and so any address */
};

enum object_kind { OBJECT_GLOBAL, OBJECT_STACK, OBJECT_HEAP, OBJECT_FUNCTION };

struct object {
	enum object_kind kind;
	uint32_t index;         /* of the global, the function, or the instruction that makes it */
	uint32_t modulus;       /* offsets count modulo this */
	uint32_t ncells;        /* modulus / 8, or 1: its words are not told apart */
	struct pointers *cells; /* what they hold */
	uint8_t *levels;        /* relevance.c: a byte each, as many as `modulus` */
	bool *left;             /* relevance.c: as many; is what stores write to the byte left out? */
};

/* What an external function does to pointers and to memory (effect.def). */
enum effect {
#define EFFECT(name) EFFECT_##name,
#define FUNCTION(pattern, effect, first, second)
#define WORST(...)
#include "effect.def"
#undef EFFECT
#undef FUNCTION
#undef WORST
};

struct effect_row {
	const char *pattern;
	enum effect effect;
	uint32_t first, second;
};

struct points {
	struct builder *b;
	struct object *objects;
	uint32_t nobjects, capacity;
	uint32_t nfunctions, nglobals;
	uint32_t *first;         /* of each function: where its registers, and then its results, begin in `values` */
	uint32_t *made;          /* of each instruction: the object that it makes, or IMAGE_NONE */
	struct pointers *values; /* of all registers and results */
	uint32_t nvalues;
	struct pointers kept; /* objects that the runtime may have kept, may hand out and may change */
	bool *invoked;        /* functions that the runtime may call */
	bool changed, wild;
	uint64_t work, most; /* pointers added to sets so far; and how many may be, or else the analysis is given up */
};

/* Find out what may point where in the image as it is so far. */
void points_find(struct points *p, struct translation *t);
void points_release(struct points *p);

/* Return what `operand`, of `bits` bits, may point to.  `space` and `own` are room for the answer if it is a constant. */
const struct pointers *points_operand(struct points *p, uint32_t function, uint32_t operand, unsigned bits, struct pointer *space,
				      struct pointers *own);

/* The same of an operand of 64 bits, until the next call. */
const struct pointers *points_of(struct points *p, uint32_t function, uint32_t operand);

/* Call `visit` with all bytes of each object that can be reached from the pointers in `from`, unless `seen`, by object, has it. */
void points_reach(struct points *p, const struct pointers *from, bool *seen,
		  void (*visit)(struct object *object, uint32_t at, uint32_t size, void *data), void *data);

/* Return the index in `values` of the k-th slot of what a function returns. */
uint32_t points_result(const struct points *p, uint32_t function, uint32_t k);

/* Return the row of `function` in the image; and what an external function does. */
const struct image_function *points_function(const struct points *p, uint32_t function);
struct effect_row points_effect(const struct points *p, uint32_t function);

/* Call `visit` with each run of bytes [at, at + size) of an object, modulo its modulus, that an access through a pointer touches;
 * size 0: to the end of the object. */
void points_touch(const struct points *p, const struct pointer *pointer, uint32_t size,
		  void (*visit)(struct object *object, uint32_t at, uint32_t size, void *data), void *data);

#endif
