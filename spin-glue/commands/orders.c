/* SPDX-License-Identifier: MIT
 *
 * bitspin orders: which memory orders of a program could be weaker, or must be stronger, by checking the program with other
 * orders under C11's memory model.
 *
 * A program that is right is checked with each order weakened by itself, the weakest first.  Then the orders are weakened
 * together, one after the other, as long as the program stays right: what is printed last is a set of orders none of which can
 * be weaker.  It need not be the only one.
 *
 * A program that is wrong is checked with all orders as strong as can be.  If it is right then, each order is tried alone that
 * could repair it.  If none does, orders are taken back one after the other: what is left is a set of which none can be missed.
 * Under x86-TSO, where orders do not repair it, the same is done with fences that are not there yet: one behind each store.
 */
#include "commands.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../report/report.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SECONDS = 10 };

static const char *const order_names[TO_ORDERS] = {
	[TO_AS_WRITTEN] = "as written", [TO_RELAXED] = "relaxed", [TO_ACQUIRE] = "acquire",
	[TO_RELEASE] = "release",       [TO_ACQ_REL] = "acq_rel", [TO_SEQ_CST] = "seq_cst",
};

static const struct {
	const char *name;
	enum translator_order orders[TO_ORDERS]; /* that it can have, weaker ones first; TO_AS_WRITTEN: no more */
} kinds[ATOMIC_KINDS] = {
	[ATOMIC_LOAD] = { "load", { TO_RELAXED, TO_ACQUIRE, TO_SEQ_CST } },
	[ATOMIC_STORE] = { "store", { TO_RELAXED, TO_RELEASE, TO_SEQ_CST } },
	[ATOMIC_CHANGE] = { "read-modify-write", { TO_RELAXED, TO_ACQUIRE, TO_RELEASE, TO_ACQ_REL, TO_SEQ_CST } },
	[ATOMIC_EXCHANGE] = { "compare-exchange", { TO_RELAXED, TO_ACQUIRE, TO_RELEASE, TO_ACQ_REL, TO_SEQ_CST } },
	[ATOMIC_FAILURE] = { "... that fails", { TO_RELAXED, TO_ACQUIRE, TO_SEQ_CST } },
	[ATOMIC_FENCE] = { "fence", { TO_RELAXED, TO_ACQUIRE, TO_RELEASE, TO_ACQ_REL, TO_SEQ_CST } },
};

/* the command under way */
struct orders {
	struct job *all;
	const struct list *bitcode;
	const struct translator_atomic *atomics; /* of the program as it is written */
	size_t count;
	enum translator_order *now; /* that each has, TO_AS_WRITTEN: its own */
	unsigned checks;
	bool fences; /* there are fences behind stores, which order nothing as the program is written */
	bool quiet;
	json_t *rows;
};

/* ---- a check with other orders ------------------------------------------------------------------------------------------- */

static char *why_of(const struct job *job)
{
	const json_t *first = json_array_get(job->result.violations, 0);
	if (!first)
		return text("%s", job->result.reason ? job->result.reason : verdict_name(job->result.verdict));
	const char *file = json_string_value(json_object_get(first, "file")),
		   *kind = json_string_value(json_object_get(first, "kind"));
	return text("%s at %s:%lld", kind ? kind : "violation", file ? from_here(file) : "?",
		    (long long)json_integer_value(json_object_get(first, "line")));
}

/* Check the program with the orders that there are now.  Return the verdict, and unless `why` is NULL, in *why what speaks against
 * them, malloc'ed. */
static enum verdict try_orders(struct orders *o, char **why)
{
	struct job job;
	job_init_beside(&job, o->all);
	job.program.orders = o->now;
	job.program.norders = o->count;
	job.program.fences = o->fences;
	job.search.threads = o->all->search.threads;
	process_limit_time(job.inputs->options.max_time);
	char *pan = search_program(&job, o->bitcode);
	if (process_interrupted())
		fail("interrupted");
	assert(o->count == job.program.natomics);
	o->checks++;
	enum verdict verdict = job.result.verdict;
	if (why) {
		explain_violations(&job, pan);
		*why = why_of(&job);
	}
	free(pan);
	job_release_beside(&job);
	return verdict;
}

/* Is the program right with the orders that there are now? */
static bool is_right(struct orders *o)
{
	return try_orders(o, NULL) == VERDICT_VERIFIED;
}

/* ---- orders -------------------------------------------------------------------------------------------------------------- */

static bool is_weaker(enum translator_order a, enum translator_order b)
{
	assert(a != TO_AS_WRITTEN && b != TO_AS_WRITTEN);
	bool sides = (a == TO_ACQUIRE && b == TO_RELEASE) || (a == TO_RELEASE && b == TO_ACQUIRE);
	return a < b && !sides;
}

static enum translator_order order_now(const struct orders *o, size_t i)
{
	return o->now[i] ? o->now[i] : o->atomics[i].order;
}

static enum translator_order strongest(const struct orders *o, size_t i)
{
	const enum translator_order *order = kinds[o->atomics[i].kind].orders;
	while (order[1])
		order++;
	assert(order < kinds[o->atomics[i].kind].orders + TO_ORDERS);
	return *order;
}

static const char *word(const struct orders *o, size_t i, enum translator_order order)
{
	assert(order < TO_ORDERS);
	return order == TO_RELAXED && o->atomics[i].kind == ATOMIC_FENCE ? "no fence" : order_names[order];
}

/* Return the order that an access has as it is written. */
static const char *own_order(const struct translator_atomic *a)
{
	return a->order == TO_RELAXED && a->kind == ATOMIC_FENCE ? "none" : order_names[a->order];
}

static json_t *row_of(const struct orders *o, size_t i, enum translator_order better, const char *why)
{
	const struct translator_atomic *a = &o->atomics[i];
	assert(i < o->count && a->kind < ATOMIC_KINDS);
	json_t *row = json_pack("{s:s, s:i, s:s, s:s, s:s}", "file", a->file, "line", (int)a->line, "function", a->function,
				"access", kinds[a->kind].name, "order", own_order(a));
	if (better)
		json_object_set_new(row, "could_be", json_string(word(o, i, better)));
	if (why)
		json_object_set_new(row, "otherwise", json_string(why));
	return row;
}

static void print_place(const struct orders *o, size_t i)
{
	const struct translator_atomic *a = &o->atomics[i];
	char *place = text("%s:%u", from_here(a->file), a->line);
	printf("%-20s %-14s %-18s %-9s", place, a->function, kinds[a->kind].name, own_order(a));
	free(place);
}

static void print_heading(const struct orders *o, const char *last)
{
	if (!o->quiet)
		printf("%-20s %-14s %-18s %-9s %s\n", "place", "function", "access", "order", last);
}

/* ---- weaker -------------------------------------------------------------------------------------------------------------- */

/* Weaken operation `i` as far as the program stays right.  Return the order that it can have, TO_AS_WRITTEN if no weaker one; and
 * in *why what speaks against the next weaker one, malloc'ed; NULL: there is none. */
static enum translator_order weaken(struct orders *o, size_t i, char **why)
{
	const enum translator_order *order = kinds[o->atomics[i].kind].orders, before = order_now(o, i), kept = o->now[i];
	*why = NULL;
	for (; *order; order++) {
		if (!is_weaker(*order, before))
			continue;
		char *against;
		o->now[i] = *order;
		bool right = try_orders(o, &against) == VERDICT_VERIFIED;
		if (right) {
			free(against);
			return *order;
		}
		free(*why);
		*why = against;
	}
	o->now[i] = kept;
	return TO_AS_WRITTEN;
}

static void weaken_alone(struct orders *o)
{
	print_heading(o, "could be");
	for (size_t i = 0; i < o->count; i++) {
		char *why;
		assert(o->now[i] == TO_AS_WRITTEN);
		enum translator_order order = weaken(o, i, &why);
		o->now[i] = TO_AS_WRITTEN;
		if (!o->quiet) {
			print_place(o, i);
			if (order)
				printf(" %s\n", word(o, i, order));
			else if (why)
				printf(" no weaker: %s\n", why);
			else
				puts(" the weakest");
			fflush(stdout);
		}
		json_array_append_new(o->rows, row_of(o, i, order, why));
		free(why);
	}
}

/* Weaken the orders together.  Return how many are weaker then. */
static size_t weaken_together(struct orders *o)
{
	size_t weaker = 0;
	for (size_t i = 0; i < o->count; i++) {
		const json_t *row = json_array_get(o->rows, i);
		char *why = NULL;
		if (json_object_get(row, "could_be") && weaken(o, i, &why))
			weaker++;
		free(why);
	}
	return weaker;
}

static void print_together(const struct orders *o)
{
	puts("together:");
	for (size_t i = 0; i < o->count; i++)
		if (o->now[i]) {
			print_place(o, i);
			printf(" %s\n", word(o, i, o->now[i]));
		}
}

static char *find_weaker(struct orders *o)
{
	weaken_alone(o);
	size_t weaker = weaken_together(o);
	for (size_t i = 0; i < o->count; i++)
		if (o->now[i])
			json_object_set_new(json_array_get(o->rows, i), "together", json_string(word(o, i, o->now[i])));
	if (weaker && !o->quiet)
		print_together(o);
	return weaker ? text("%zu of %zu orders could be weaker, together, in this program", weaker, o->count) :
			text("none of %zu orders could be weaker", o->count);
}

/* ---- stronger ------------------------------------------------------------------------------------------------------------ */

static void strengthen_all(struct orders *o)
{
	for (size_t i = 0; i < o->count; i++)
		o->now[i] = strongest(o, i);
}

/* Is it worth trying?  A fence that is not there yet is seq_cst, or none, under x86-TSO. */
static bool is_worth(const struct orders *o, size_t i, enum translator_order order)
{
	return !(o->fences && o->atomics[i].kind == ATOMIC_FENCE) || order == TO_SEQ_CST;
}

/* Try each stronger order of operation `i` alone, the weakest first.  Return the first that repairs the program. */
static enum translator_order repairs(struct orders *o, size_t i)
{
	assert(o->now[i] == TO_AS_WRITTEN);
	const enum translator_order *order = kinds[o->atomics[i].kind].orders;
	enum translator_order found = TO_AS_WRITTEN;
	for (; *order && !found; order++) {
		if (!is_weaker(o->atomics[i].order, *order) || !is_worth(o, i, *order))
			continue;
		o->now[i] = *order;
		if (is_right(o))
			found = *order;
	}
	o->now[i] = TO_AS_WRITTEN;
	return found;
}

static void tell_stronger(struct orders *o, size_t i, enum translator_order order)
{
	if (!o->quiet) {
		print_place(o, i);
		printf(" %s\n", word(o, i, order));
		fflush(stdout);
	}
	json_array_append_new(o->rows, row_of(o, i, order, NULL));
}

/* Let each order of those that are as strong as can be go back to its own, or as far as the program stays right.  Return how many
 * are stronger then. */
static size_t take_back(struct orders *o)
{
	size_t left = 0;
	for (size_t i = 0; i < o->count; i++) {
		o->now[i] = TO_AS_WRITTEN;
		if (!is_right(o))
			o->now[i] = strongest(o, i);
	}
	for (size_t i = 0; i < o->count; i++) {
		enum translator_order own = o->atomics[i].order, most = o->now[i];
		const enum translator_order *order = kinds[o->atomics[i].kind].orders;
		if (!most)
			continue;
		for (; *order != most; order++) {
			assert(*order); /* the strongest is among them */
			o->now[i] = *order;
			if (is_weaker(own, *order) && is_worth(o, i, *order) && is_right(o))
				break;
		}
		o->now[i] = *order;
		left++;
	}
	return left;
}

/* Let there be a fence behind each store.  Their numbers are found out by making the program. */
static void add_fences(struct orders *o)
{
	struct job job;
	job_init_beside(&job, o->all);
	job.program.fences = o->fences = true;
	job.search.threads = o->all->search.threads;
	free(search_program(&job, o->bitcode));
	atomics_release(&o->all->program);
	o->atomics = o->all->program.atomics = job.program.atomics;
	o->count = o->all->program.natomics = job.program.natomics;
	job.program.atomics = NULL;
	job.program.natomics = 0;
	job_release_beside(&job);
	free(o->now);
	o->now = calloc(o->count + 1, sizeof *o->now);
	if (!o->now)
		BUG("out of memory");
}

/* Are orders the cause?  They are if the program is right with all of them as strong as can be: under x86-TSO, with fences if need
 * be. */
static bool can_be_repaired(struct orders *o)
{
	strengthen_all(o);
	if (o->count && is_right(o))
		return true;
	if (o->all->inputs->options.memory != MEMORY_TSO)
		return false;
	add_fences(o);
	strengthen_all(o);
	return is_right(o);
}

static char *find_stronger(struct orders *o)
{
	size_t alone = 0;
	if (!can_be_repaired(o))
		return text("%s are not the cause: with all of them seq_cst, it is not verified either",
			    o->fences ? "orders and fences" : "orders");
	memset(o->now, 0, o->count * sizeof *o->now);
	print_heading(o, "must be");
	for (size_t i = 0; i < o->count; i++) {
		enum translator_order order = repairs(o, i);
		if (order) {
			tell_stronger(o, i, order);
			alone++;
		}
	}
	if (alone)
		return text(alone == 1 ? "this %s repairs it" : "each of these %ss repairs it alone",
			    o->fences ? "fence" : "order");
	strengthen_all(o);
	size_t left = take_back(o);
	for (size_t i = 0; i < o->count; i++)
		if (o->now[i])
			tell_stronger(o, i, o->now[i]);
	return text("these %zu %s together repair it, and none of them can be missed", left,
		    o->fences ? "fences, each behind the access of its line," : "orders");
}

/* ---- the command --------------------------------------------------------------------------------------------------------- */

static void orders_init(struct orders *o, struct job *job, const struct list *bitcode)
{
	*o = (struct orders){
		.all = job,
		.bitcode = bitcode,
		.atomics = job->program.atomics,
		.count = job->program.natomics,
		.now = calloc(job->program.natomics + 1, sizeof *o->now),
		.quiet = job->inputs->options.quiet || report_takes_stdout(&job->inputs->options),
		.rows = json_array(),
	};
	if (!o->now)
		BUG("out of memory");
}

static void report_orders(struct orders *o, const char *last)
{
	const struct options *options = &o->all->inputs->options;
	if (options->json) {
		json_t *report = report_json(o->all);
		json_object_set(report, "orders", o->rows);
		json_object_set_new(report, "orders_verdict", json_string(last));
		write_json(report, options->json);
	}
	if (report_takes_stdout(options))
		return;
	if (!o->quiet)
		printf("%u checks under %s, of this program and this use of it\n", o->checks,
		       options->memory == MEMORY_TSO ? "x86-TSO" : "C11's memory model");
	puts(last);
}

int command_orders(int argc, char **argv)
{
	struct job job;
	struct orders orders;
	struct list bitcode = { 0 };
	struct formulas formulas = { 0 };
	command_begin(&job, 'O', argc, argv);
	struct options *o = &job.inputs->options;
	o->memory = o->memory == MEMORY_TSO ? MEMORY_TSO : MEMORY_C11;
	o->max_time = o->max_time ? o->max_time : DEFAULT_SECONDS;
	formulas_read(&formulas, o, true);
	job.program.formulas = &formulas;
	compile_files(&job.program, &bitcode);
	process_limit_time(o->max_time);
	char *pan = search_program(&job, &bitcode), *last;
	explain_violations(&job, pan);
	orders_init(&orders, &job, &bitcode);
	orders.checks = 1;
	bool violated = job.result.verdict == VERDICT_VIOLATED;
	if (violated && !orders.quiet)
		report_print(&job);
	if (orders.count == 0 && !(violated && o->memory == MEMORY_TSO))
		last = text("no access has a memory order");
	else if (violated)
		last = find_stronger(&orders);
	else if (job.result.verdict == VERDICT_VERIFIED)
		last = find_weaker(&orders);
	else
		last = text("%s: %s", verdict_name(job.result.verdict), job.result.reason ? job.result.reason : "");
	report_orders(&orders, last);
	int status = verdict_status(job.result.verdict);
	free(last);
	free(pan);
	free(orders.now);
	json_decref(orders.rows);
	list_release(&bitcode);
	formulas_release(&formulas);
	command_end(&job);
	return status;
}
