/* SPDX-License-Identifier: MIT
 *
 * See executors.h.
 */
#include "executors.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* where a function may be entered from */
enum entrance {
	ENTERED_BY_CALL,
	ENTERED_BY_CREATION,
	ENTERED_BY_RUNTIME, /* in any thread, at any time */
};

/* what is known of a function while its entrances are gathered */
struct known {
	uint32_t entrances;      /* 0, 1, or 2 for more */
	uint32_t function, insn; /* the last one: which instruction of which function */
	bool by_runtime;
	bool once;    /* it runs at most once */
	bool creates; /* it may create threads */
};

struct finding {
	struct executors *e;
	struct points *p;
	struct known *known;
	uint32_t start, exit, nsites;
	bool calls_back; /* the runtime may call functions of the program */
	bool changed;
};

static const struct image_insn *insn_at(const struct finding *f, uint32_t insn)
{
	return builder_at(f->p->b, IMAGE_CODE, insn);
}

static bool is_extern(const struct finding *f, uint32_t function)
{
	return points_function(f->p, function)->flags & FUNCTION_EXTERN;
}

/* ---- who enters what ------------------------------------------------------------------------------------------------- */

typedef void visit_entrance(struct finding *f, enum entrance how, uint32_t from, uint32_t insn, uint32_t entered);

/* Return the function with a body that is run when `function` is entered through its address; itself, if it has none. */
static uint32_t body_of(const struct finding *f, uint32_t function)
{
	const struct image_function *row = points_function(f->p, function);
	return row->flags & FUNCTION_EXTERN && row->stand_in ? row->stand_in : function;
}

static void visit_pointed(struct finding *f, enum entrance how, uint32_t from, uint32_t insn, const struct pointers *to,
			  visit_entrance *visit)
{
	for (uint32_t i = 0; i < to->count; i++) {
		const struct object *object = &f->p->objects[to->items[i].object];
		if (object->kind == OBJECT_FUNCTION)
			visit(f, how, from, insn, body_of(f, object->index));
	}
}

/* Call `visit` with each function that instruction `insn` of `from` may enter. */
static void visit_entered(struct finding *f, uint32_t from, uint32_t insn, visit_entrance *visit)
{
	const struct image_insn *call = insn_at(f, insn);
	if (call->op == IMAGE_CALLI)
		visit_pointed(f, ENTERED_BY_CALL, from, insn, points_of(f->p, from, call->a), visit);
	if (call->op != IMAGE_CALL)
		return;
	struct effect_row row = { .effect = EFFECT_READS };
	if (is_extern(f, call->a))
		row = points_effect(f->p, call->a);
	else
		visit(f, ENTERED_BY_CALL, from, insn, call->a);
	if (row.effect != EFFECT_CREATES || row.first >= call->c)
		return;
	uint32_t operand = *(uint32_t *)builder_at(f->p->b, IMAGE_POOL, call->b + row.first);
	visit_pointed(f, ENTERED_BY_CREATION, from, insn, points_of(f->p, from, operand), visit);
}

static void visit_all(struct finding *f, visit_entrance *visit)
{
	for (uint32_t i = 0; i < f->p->nfunctions; i++) {
		const struct image_function *row = points_function(f->p, i);
		for (uint32_t k = 0; k < row->ncode; k++)
			visit_entered(f, i, row->code + k, visit);
	}
	visit_pointed(f, ENTERED_BY_RUNTIME, f->start, 0, &f->p->kept, visit);
	if (f->exit != IMAGE_NONE)
		visit(f, ENTERED_BY_RUNTIME, f->start, 0, f->exit);
}

static void count_entrance(struct finding *f, enum entrance how, uint32_t from, uint32_t insn, uint32_t entered)
{
	struct known *known = &f->known[entered];
	known->entrances += known->entrances < 2;
	known->function = from;
	known->insn = insn;
	known->by_runtime = known->by_runtime || how == ENTERED_BY_RUNTIME;
}

/* ---- flow within a function ------------------------------------------------------------------------------------------ */

struct flow {
	const struct finding *finding;
	const struct image_function *row;
	bool *reached;  /* of each instruction of the function */
	uint32_t *left; /* those of them whose successors are still to come */
	uint32_t nleft;
};

static void reach(uint32_t at, void *data)
{
	struct flow *flow = data;
	if (at >= flow->row->ncode || flow->reached[at])
		return;
	flow->reached[at] = true;
	flow->left[flow->nleft++] = at;
}

/* Reach what control may go to after instruction `at` of the function. */
static void go_on(struct flow *flow, uint32_t at)
{
	visit_successors(flow->finding->p->b, insn_at(flow->finding, flow->row->code + at), at, reach, flow);
}

/* Mark in `reached`, by instruction of `function`, what may come after instruction `from` of the image. */
static void reach_from(const struct finding *f, uint32_t function, uint32_t from, bool *reached)
{
	const struct image_function *row = points_function(f->p, function);
	struct flow flow = { f, row, reached, xrealloc(NULL, (row->ncode + 1) * sizeof *flow.left), 0 };
	go_on(&flow, from - row->code);
	while (flow.nleft)
		go_on(&flow, flow.left[--flow.nleft]);
	free(flow.left);
}

/* Is the instruction in a loop of its function? */
static bool is_in_loop(const struct finding *f, uint32_t function, uint32_t insn)
{
	const struct image_function *row = points_function(f->p, function);
	bool *reached = calloc(row->ncode + 1, sizeof *reached);
	reach_from(f, function, insn, reached);
	bool again = reached[insn - row->code];
	free(reached);
	return again;
}

/* ---- before the first creation --------------------------------------------------------------------------------------- */

/* Has the runtime a function of the program that it may call? */
static bool may_call_back(const struct points *p)
{
	for (uint32_t i = 0; i < p->kept.count; i++)
		if (p->objects[p->kept.items[i].object].kind == OBJECT_FUNCTION)
			return true;
	return false;
}

/* May the instruction create a thread, as far as it is known which functions do? */
static bool may_create(const struct finding *f, uint32_t insn)
{
	const struct image_insn *call = insn_at(f, insn);
	if (call->op != IMAGE_CALL)
		return call->op == IMAGE_CALLI;
	if (!is_extern(f, call->a))
		return f->known[call->a].creates;
	enum effect effect = points_effect(f->p, call->a).effect;
	bool hands_on = effect == EFFECT_KEEPS || effect == EFFECT_HOLDS || effect == EFFECT_HOST;
	return effect == EFFECT_CREATES || (f->calls_back && hands_on);
}

static void find_creators(struct finding *f)
{
	do {
		f->changed = false;
		for (uint32_t i = 0; i < f->p->nfunctions; i++) {
			const struct image_function *row = points_function(f->p, i);
			for (uint32_t k = 0; k < row->ncode && !f->known[i].creates; k++)
				if (may_create(f, row->code + k))
					f->known[i].creates = f->changed = true;
		}
	} while (f->changed);
}

static void find_late(struct finding *f)
{
	for (uint32_t i = 0; i < f->p->nfunctions; i++) {
		const struct image_function *row = points_function(f->p, i);
		for (uint32_t k = 0; k < row->ncode && f->known[i].creates; k++)
			if (may_create(f, row->code + k))
				reach_from(f, i, row->code + k, f->e->late + row->code);
	}
}

/* A function begins late if one of its entrances is late. */
static void enter_late(struct finding *f, enum entrance how, uint32_t from, uint32_t insn, uint32_t entered)
{
	bool late = how != ENTERED_BY_CALL || !executors_is_early(f->e, from, insn);
	f->changed = f->changed || (late && !f->e->begins_late[entered]);
	f->e->begins_late[entered] = f->e->begins_late[entered] || late;
}

/* ---- threads --------------------------------------------------------------------------------------------------------- */

static void find_once(struct finding *f)
{
	f->known[f->start].once = f->known[f->start].entrances == 0;
	do {
		f->changed = false;
		for (uint32_t i = 0; i < f->p->nfunctions; i++) {
			struct known *known = &f->known[i];
			if (known->once || known->entrances != 1 || known->by_runtime || !f->known[known->function].once ||
			    is_in_loop(f, known->function, known->insn))
				continue;
			known->once = f->changed = true;
		}
	} while (f->changed);
}

static void add_threads(struct finding *f, uint32_t function, uint32_t threads)
{
	uint32_t all = f->e->threads[function] | threads;
	f->changed = f->changed || all != f->e->threads[function];
	f->e->threads[function] = all;
}

/* Give each function that a site creates threads for the bit of that site. */
static void enter_thread(struct finding *f, enum entrance how, uint32_t from, uint32_t insn, uint32_t entered)
{
	enum { MOST = 30 }; /* bits between that of main and EXECUTOR_SEVERAL */
	if (how == ENTERED_BY_CALL)
		return;
	bool single = how == ENTERED_BY_CREATION && f->known[entered].once && f->known[from].once && f->nsites < MOST;
	assert(!single || f->known[entered].insn == insn);
	add_threads(f, entered, single ? UINT32_C(1) << ++f->nsites : EXECUTOR_SEVERAL);
}

static void pass_threads(struct finding *f, enum entrance how, uint32_t from, uint32_t insn, uint32_t entered)
{
	(void)insn;
	if (how == ENTERED_BY_CALL)
		add_threads(f, entered, f->e->threads[from]);
}

static bool returns_twice(const struct finding *f)
{
	for (uint32_t i = 0; i < f->p->nfunctions; i++)
		if (points_function(f->p, i)->flags & FUNCTION_TWICE)
			return true;
	return false;
}

bool executors_find(struct executors *e, struct points *p, uint32_t start, uint32_t exit)
{
	struct finding f = { .e = e, .p = p, .start = start, .exit = exit, .calls_back = may_call_back(p) };
	assert(!p->wild && start < p->nfunctions);
	*e = (struct executors){ 0 };
	if (returns_twice(&f))
		return false;
	f.known = calloc(p->nfunctions + 1, sizeof *f.known);
	e->threads = calloc(p->nfunctions + 1, sizeof *e->threads);
	e->begins_late = calloc(p->nfunctions + 1, sizeof *e->begins_late);
	e->late = calloc(p->b->sections[IMAGE_CODE].count + 1, sizeof *e->late);
	visit_all(&f, count_entrance);
	find_creators(&f);
	find_late(&f);
	do {
		f.changed = false;
		visit_all(&f, enter_late);
	} while (f.changed);
	find_once(&f);
	add_threads(&f, start, EXECUTOR_MAIN);
	visit_all(&f, enter_thread);
	do {
		f.changed = false;
		visit_all(&f, pass_threads);
	} while (f.changed);
	free(f.known);
	return true;
}

void executors_release(struct executors *e)
{
	free(e->threads);
	free(e->begins_late);
	free(e->late);
	*e = (struct executors){ 0 };
}

bool executors_is_early(const struct executors *e, uint32_t function, uint32_t insn)
{
	return !e->begins_late[function] && !e->late[insn];
}

bool executors_is_one(uint32_t threads)
{
	return threads && !(threads & EXECUTOR_SEVERAL) && !(threads & (threads - 1));
}
