/* SPDX-License-Identifier: MIT
 *
 * Can happens-before differ from the order in which things happen?  While memory is sequentially consistent, it does where one
 * operation sees what another did without synchronizing with it: a load or a store is too weak, or an attempt to lock
 * fails.  A program without such a pair needs no records of accesses (runtime/memory/records.h), so it is decided here, once.
 *
 * Atomic accesses fall into classes of locations: a class for each global variable that is addressed directly, one for all the
 * rest, which may be any location.  A pair is weak if a class has a write and a read, one of them weak.  A read-modify-write
 * with an unused result counts as a write only.  Locking and unlocking write the lock; a failed attempt to lock reads it
 * weakly.
 */
#include "analyse.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READS = 1, WRITES = 2, READS_WEAKLY = 4, WRITES_WEAKLY = 8 };

/* The functions that tell the state of a lock, semaphore or condition without synchronising, when they fail. */
static const char *const peeking[] = {
	"pthread_mutex_trylock",
	"__bitspin_stream_trylock",
	"pthread_mutex_timedlock",
	"pthread_mutex_clocklock",
	"mtx_trylock",
	"mtx_timedlock",
	"pthread_rwlock_tryrdlock",
	"pthread_rwlock_trywrlock",
	"pthread_rwlock_timedrdlock",
	"pthread_rwlock_timedwrlock",
	"pthread_rwlock_clockrdlock",
	"pthread_rwlock_clockwrlock",
	"pthread_spin_trylock",
	"sem_trywait",
	"sem_timedwait",
	"sem_clockwait",
	"sem_getvalue",
	"syscall(SYS_futex)",
};

/* Those of libatomic for any size get their order as an argument, which may be anything. */
static const char *const any_order[] = {
	"__atomic_load",
	"__atomic_store",
	"__atomic_exchange",
	"__atomic_compare_exchange",
};

static unsigned role_of(const struct image_insn *insn)
{
	assert(insn->aux & IMAGE_ATOMIC);
	bool read = !(insn->op == IMAGE_STORE || (insn->op == IMAGE_RMW && (insn->aux & IMAGE_BLIND)));
	bool write = insn->op != IMAGE_LOAD;
	bool weak_read = insn->aux & (IMAGE_RELAXED_READ | (insn->op == IMAGE_CMPXCHG ? IMAGE_RELAXED_FAILURE : 0));
	return (read ? READS | (weak_read ? READS_WEAKLY : 0) : 0) |
		(write ? WRITES | (insn->aux & IMAGE_RELAXED_WRITE ? WRITES_WEAKLY : 0) : 0);
}

static bool is_atomic(const struct image_insn *insn)
{
	bool accesses = insn->op == IMAGE_LOAD || insn->op == IMAGE_STORE || insn->op == IMAGE_RMW || insn->op == IMAGE_CMPXCHG;
	return accesses && (insn->aux & IMAGE_ATOMIC);
}

/* Return the class of the location that the atomic access `insn` is to: 1 + the number of a global variable, or 0 if it may be any
 * location. */
static size_t class_of(struct translation *t, const struct image_insn *insn)
{
	if (!(insn->a & IMAGE_CONST))
		return 0;
	const uint64_t *address = builder_at(&t->builder, IMAGE_CONSTANTS, insn->a & ~IMAGE_CONST);
	uint64_t object = (*address + (UINT64_C(1) << (IMAGE_OFFSET_BITS - 1))) >> IMAGE_OFFSET_BITS;
	return object >= 1 && object <= t->nglobals ? (size_t)object : 0;
}

static bool is_weak_pair(unsigned roles)
{
	return ((roles & READS_WEAKLY) && (roles & WRITES)) || ((roles & WRITES_WEAKLY) && (roles & READS));
}

/* Count `insn`, an access of the program that is weaker than sequential consistency, into the result, and remember the place if it
 * is the highest up in the first file. */
static void count_weaker(struct translation *t, const struct image_insn *insn)
{
	struct translator_result *result = t->result;
	const struct image_location *location = builder_at(&t->builder, IMAGE_LOCATIONS, insn->location);
	const char *file = builder_file_name(&t->builder, location->file);
	if (result->weaker_atomics++ == 0) {
		result->weaker_file = xstrdup(file);
		result->weaker_line = location->line;
	} else if (strcmp(file, result->weaker_file) == 0 && location->line < result->weaker_line) {
		result->weaker_line = location->line;
	}
}

static void scan_function(struct translation *t, const struct image_function *f, unsigned *roles, uint32_t *order)
{
	assert(f->ncode > 0);
	for (uint32_t i = 0; i < f->ncode; i++) {
		const struct image_insn *insn = builder_at(&t->builder, IMAGE_CODE, f->code + i);
		if (insn->op == IMAGE_FENCE && (insn->aux & IMAGE_ACQUIRES))
			*order |= ORDER_ACQUIRE_FENCES;
		if (!is_atomic(insn))
			continue;
		roles[class_of(t, insn)] |= role_of(insn);
		if ((insn->aux & IMAGE_WEAKER) && !(f->flags & FUNCTION_LIBRARY))
			count_weaker(t, insn);
	}
}

/* ---- other memory models ------------------------------------------------------------------------------------------- */

enum { WEAKER = 16, TOTAL = 32, RELAXED = 64 }; /* roles of a class beside the others */

static unsigned orders_of(const struct image_insn *insn)
{
	bool total = insn->order & (IMAGE_TOTAL | IMAGE_TOTAL_FAILURE);
	bool relaxed = insn->aux &
		(IMAGE_RELAXED_READ | IMAGE_RELAXED_WRITE | (insn->op == IMAGE_CMPXCHG ? IMAGE_RELAXED_FAILURE : 0));
	bool weaker = insn->aux & IMAGE_WEAKER;
	return (total ? TOTAL : 0) | (weaker ? WEAKER : 0) | (relaxed ? RELAXED : 0);
}

/* Call `each` for each instruction of the program.  An invariant is no part of it: it looks at the newest values. */
static void for_each(struct translation *t, void (*each)(struct translation *t, struct image_insn *insn, void *context),
		     void *context)
{
	for (uint32_t i = 0; i < t->nfunctions; i++) {
		const struct image_function *f = builder_at(&t->builder, IMAGE_FUNCTIONS, i);
		const char *name = builder_at(&t->builder, IMAGE_STRINGS, f->name);
		if ((f->flags & FUNCTION_EXTERN) || begins(name, "__bitspin_invariant_") || begins(name, "__bitspin_shown_"))
			continue;
		for (uint32_t k = 0; k < f->ncode; k++)
			each(t, builder_at(&t->builder, IMAGE_CODE, f->code + k), context);
	}
}

/* what there is in classes and in all of them */
struct orders {
	unsigned *classes, all;
	bool everywhere; /* all locations may be stale */
	uint32_t order;  /* enum image_order */
	uint32_t total;  /* location of the first seq_cst access to a location that has weaker ones; or 0 */
};

static void collect(struct translation *t, struct image_insn *insn, void *context)
{
	struct orders *orders = context;
	if (is_atomic(insn))
		orders->all |= orders->classes[class_of(t, insn)] |= role_of(insn) | orders_of(insn);
	if (insn->op == IMAGE_FENCE && (insn->order & IMAGE_TOTAL))
		orders->order |= ORDER_SC_FENCES;
}

/* Return the place of a location, malloc'ed, as "ring.c:12". */
static char *place_named(struct translation *t, uint32_t number)
{
	const struct image_location *location = builder_at(&t->builder, IMAGE_LOCATIONS, number);
	const char *file = builder_file_name(&t->builder, location->file), *slash = strrchr(file, '/');
	char *place;
	if (asprintf(&place, "%s:%u", slash ? slash + 1 : file, (unsigned)location->line) < 0)
		abort();
	return place;
}

/* Can an access of the class meet a value that is not the newest?  Only if one is weaker than seq_cst.  One of class 0 may be to
 * a location of any class.  If something is relaxed, or a location has both, the order of seq_cst accesses is not that in which
 * they happen; then all locations count. */
static bool is_stale(const struct orders *orders, size_t class)
{
	unsigned roles = class ? orders->classes[class] | orders->classes[0] : orders->all;
	return orders->everywhere || ((roles & WEAKER) && (roles & WRITES));
}

/* Has a location of the class both seq_cst accesses and weaker ones? */
static bool is_mixed(const struct orders *orders, size_t class)
{
	unsigned own = orders->classes[class], any = class ? own | orders->classes[0] : orders->all;
	return own && (any & TOTAL) && (any & WEAKER);
}

static void mark(struct translation *t, struct image_insn *insn, void *context)
{
	struct orders *orders = context;
	bool stale = is_atomic(insn) ? is_stale(orders, class_of(t, insn)) : insn->op == IMAGE_FENCE && (insn->order & IMAGE_TOTAL);
	if (stale)
		insn->order |= IMAGE_STALE;
	if (!orders->total && is_atomic(insn) && (insn->order & (IMAGE_TOTAL | IMAGE_TOTAL_FAILURE)) &&
	    is_mixed(orders, class_of(t, insn)))
		orders->total = insn->location;
}

uint32_t find_stale(struct translation *t)
{
	struct orders orders = { .classes = calloc(t->nglobals + 1, sizeof *orders.classes) };
	if (!orders.classes)
		abort();
	for_each(t, collect, &orders);
	bool mixed = false;
	for (size_t i = 0; i <= t->nglobals; i++)
		mixed = mixed || is_mixed(&orders, i);
	bool fences = orders.order & ORDER_SC_FENCES, views = (orders.all & TOTAL) && (mixed || fences || (orders.all & RELAXED));
	if (orders.all & TOTAL)
		orders.order |= ORDER_SC_ACCESSES;
	if (views) {
		orders.order |= ORDER_SC_VIEWS;
		orders.everywhere = true;
	}
	if (fences && (orders.all & (TOTAL | RELAXED)))
		orders.order |= ORDER_SC_NODES;
	uint32_t order = 0;
	for (size_t i = 0; i <= t->nglobals; i++)
		if (orders.classes[i] && is_stale(&orders, i))
			order = ORDER_STALE | ORDER_WEAK | orders.order;
	if (order)
		for_each(t, mark, &orders);
	if (orders.total)
		t->result->orders_narrow = place_named(t, orders.total);
	free(orders.classes);
	return order;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

uint32_t find_order(struct translation *t)
{
#ifdef ALWAYS_RECORDS /* a test: records may change no verdict of a program that does not need them */
	uint32_t order = ORDER_WEAK | ORDER_ACQUIRE_FENCES;
#else
	uint32_t order = 0;
#endif
	unsigned *roles = calloc(t->nglobals + 1, sizeof *roles);
	if (!roles)
		abort();
	for (uint32_t i = 0; i < t->nfunctions; i++) {
		const struct image_function *f = builder_at(&t->builder, IMAGE_FUNCTIONS, i);
		const char *name = builder_at(&t->builder, IMAGE_STRINGS, f->name);
		if (!(f->flags & FUNCTION_EXTERN))
			scan_function(t, f, roles, &order);
		else if (IS_AMONG(name, peeking) || IS_AMONG(name, any_order))
			order |= ORDER_WEAK;
		else if (t->request->options.clock_step && strcmp(name, "__bitspin_clock_read") == 0)
			order |= ORDER_WEAK; /* a time is seen by threads that do not synchronize */
	}
	for (size_t i = 0; i <= t->nglobals; i++)
		if (is_weak_pair(roles[i] | roles[0]) && (roles[i] || i == 0))
			order |= ORDER_WEAK;
	assert(!t->result->weaker_atomics == !t->result->weaker_file);
	free(roles);
	return order;
}
