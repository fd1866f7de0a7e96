/* SPDX-License-Identifier: MIT
 *
 * Bitcode to the program image: what the user asked for, in the translator's terms; and what a verdict will assume.
 */
#include "program.h"
#include "../base/base.h"
#include "../formula/formula.h"
#include "../options/options.h"
#include "../../ltl/ltl.h"
#include "../../runtime/image/policy.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static size_t count_sources(const struct options *o)
{
	size_t count = 0;
	for (size_t i = 0; i < o->files.count; i++) {
		const char *dot = strrchr(o->files.items[i], '.');
		count += dot && strcmp(dot, ".c") == 0;
	}
	return count;
}

static void assume(struct program *program, const char *assumption)
{
	for (size_t i = 0; i < program->assumptions.count; i++)
		if (strcmp(program->assumptions.items[i], assumption) == 0)
			return;
	list_add(&program->assumptions, assumption);
}

/* Note where the memory model makes a difference: only where threads meet at atomic accesses that are weaker than the default. */
static void note_weaker_atomics(struct program *program, const struct translator_result *result)
{
	bool threads = false;
	for (size_t i = 0; i < result->nexternals; i++)
		threads = threads || strcmp(result->externals[i], "pthread_create") == 0 ||
			strcmp(result->externals[i], "thrd_create") == 0;
	free(program->weaker.file);
	program->weaker = (struct weaker_atomics){ 0 };
	if (!threads || result->weaker_atomics == 0 || program->inputs->options.memory != MEMORY_SC)
		return;
	program->weaker = (struct weaker_atomics){
		.count = result->weaker_atomics,
		.file = result->weaker_file ? text("%s", result->weaker_file) : NULL,
		.line = result->weaker_line,
	};
	assume(program,
	       "atomic accesses weaker than memory_order_seq_cst behave as if they were sequentially consistent; "
	       "only data races are found by their real order");
}

/* Note what of C11's memory model is not explored. */
static void note_narrowed_memory(struct program *program, const struct translator_result *result)
{
	const char *order = result->orders_narrow;
	free(program->memory_narrowed);
	program->memory_narrowed = order ? text("seq_cst in the order of happens-before, as C17 says, %s", order) : NULL;
}

void assume_at(struct program *program, const char *assumption, const char *file, unsigned line)
{
	assert(line == 0 || file);
	char *whole = line ? text("%s (%s:%u)", assumption, from_here(file), line) : text("%s", assumption);
	assume(program, whole);
	free(whole);
}

static void assume_of_races(struct program *program)
{
	switch ((enum races)program->inputs->options.races) {
	case RACES_ARE_REPORTED: break;
	case RACES_ARE_IGNORED:
		assume(program, "plain accesses to shared memory are atomic, each a step of its own (--races ignore)");
		break;
	case RACES_BUT_VOLATILE:
		assume(program,
		       "accesses through volatile of up to 8 aligned bytes are atomic, which C does not promise; they order nothing, as "
		       "memory_order_relaxed (--races volatile)");
		break;
	case RACES_BUT_VOLATILE_SEQ_CST:
		assume(program,
		       "accesses through volatile of up to 8 aligned bytes are atomic and order memory as memory_order_seq_cst, which "
		       "neither C nor the machine promises (--races volatile=seq_cst)");
		break;
	}
}

static const char *memory_assumption(enum image_memory memory)
{
	switch (memory) {
	case MEMORY_C11: return "memory is that of C11, as RC11 reads it: a value is stored before it is read (no load buffering)";
	case MEMORY_TSO:
		return "memory is that of x86 (TSO), and the stores of a thread are in the order of the program: an optimizer may "
		       "reorder what is not atomic; calls of library functions that may touch shared memory, and copies of large "
		       "blocks of it, wait for earlier stores; data races are not looked for";
	default: return "memory is sequentially consistent: all threads see all writes in one order";
	}
}

static void collect_assumptions(struct program *program, const struct translator_result *result)
{
	list_release(&program->assumptions);
	program->narrowed = false;
	assume(program, memory_assumption(program->inputs->options.memory));
	if (program->inputs->options.zeroed)
		assume(program, "uninitialized memory is zero (--uninitialized zero)");
	assume_of_races(program);
	if (program->inputs->options.identity == IDENTITY_SCALE)
		assume(program, "a thread has ended as soon as it has done its last operation (--identity scale)");
	if (program->inputs->options.alignment_ignore)
		assume(program, "misaligned accesses do what they do on x86-64 (--alignment ignore)");
	if (program->inputs->options.calls_ignore && !program->inputs->options.svcomp)
		assume(program, "calls of a function as one of another type do what they do on x86-64 (--calls ignore)");
	if (program->ntolerated)
		assume(program,
		       "accesses at the places of data races that the search has gone past are atomic, each a step of its own");
	note_weaker_atomics(program, result);
	note_narrowed_memory(program, result);
	const struct list *const told[] = { &program->inputs->options.flags.assumptions, &program->recorded };
	for (size_t t = 0; t < sizeof told / sizeof *told; t++)
		for (size_t i = 0; i < told[t]->count; i++)
			assume(program, told[t]->items[i]);
	if (program->inputs->options.optimized)
		assume(program,
		       "the program is checked as clang's optimizer left it; errors that are undefined behaviour may be gone (-O)");
	if ((program->inputs->options.optimized || count_sources(&program->inputs->options) == 0) &&
	    formulas_name_functions(program->formulas))
		assume(program, "in(...) covers only the calls that the compiler kept; it may have removed some");
	if (program->inputs->options.overflow && count_sources(&program->inputs->options) < program->inputs->options.files.count)
		assume(program,
		       "the bitcode was not optimized; otherwise an overflow may be the optimizer's, not the program's (--overflow)");
	for (size_t i = 0; i < result->nexternals; i++) {
		const char *name = result->externals[i];
		char *assumption = world_assumption(&program->inputs->world, name);
		if (assumption && !is_input_tried(program, result, name))
			assume(program, assumption);
		free(assumption);
	}
	memcpy(program->why_off, result->why_off, sizeof program->why_off);
	for (size_t i = 0; i < result->nnotes; i++)
		assume(program, result->notes[i]);
	free(program->input);
	program->input = narrowed_input(program, result);
	program->reals = has_real_inputs(result);
	program->narrowed = program->input != NULL;
	inputs_assume(&program->inputs->world, &program->assumptions);
	for (size_t i = 0; i < program->inputs->options.masks.count; i++)
		list_addf(&program->assumptions, "no error depends on the value of '%s' (--mask)",
			  program->inputs->options.masks.items[i]);
	for (size_t i = 0; i < program->inputs->options.abstractions.count; i++)
		list_addf(&program->assumptions, "no error depends on what '%s' leaves out (--abstract)",
			  program->inputs->options.abstractions.items[i]);
	if (program->formulas && program->formulas->count + program->inputs->options.properties.count)
		assume(program, fairness_text((enum ltl_fairness)program->inputs->options.fairness));
	for (size_t i = 0; program->formulas && i < program->formulas->count; i++)
		if (program->formulas->items[i].counts_steps)
			list_addf(&program->assumptions,
				  "'%s' may count steps, so it is checked without reductions; a step is one "
				  "operation that other threads can notice, with the code after it up to the next",
				  program->formulas->items[i].name);
	if (program->inputs->options.no_deadlock && !program->inputs->options.svcomp)
		assume(program, "deadlocks are not reported (--no-deadlock)");
	else if (program->inputs->options.total_deadlocks && !program->inputs->options.svcomp)
		assume(program,
		       "threads that wait for each other in a circle are no error while another thread can run (--deadlock total)");
	if (program->inputs->options.waits_ignore && !program->inputs->options.no_deadlock && !program->inputs->options.svcomp)
		assume(program, "threads that wait in loops for ever are not reported (--waits ignore)");
}

/* Print all messages but the last to stderr, and end with the last. */
static _Noreturn void cannot_translate(const struct translator_result *result)
{
	for (size_t i = 0; i < result->nmessages; i++) {
		const struct translator_message *m = &result->messages[i];
		bool ours = m->file && m->file[0] == '<'; /* an expression of the command line (additions.c), as "<invariant>" */
		char *place = ours ? text("in the %.*s: ", (int)strcspn(m->file + 1, ">"), m->file + 1) :
			m->file    ? text("%s:%u: ", m->file, m->line) :
				     text("%s", "");
		char *function = m->function && !ours ? text("in function '%s': ", m->function) : text("%s", "");
		if (i + 1 == result->nmessages)
			fail("%s%s%s", place, function, m->text);
		fprintf(stderr, "bitspin: %s%s%s\n", place, function, m->text);
		free(place);
		free(function);
	}
	BUG("translation failed without a message");
}

/* Return what does not distinguish states, in the translator's terms.  `names` owns the symbols. */
static struct translator_view *make_views(const struct options *o, struct list *names)
{
	struct translator_view *views = calloc(o->masks.count + o->abstractions.count + 1, sizeof *views);
	if (!views)
		BUG("out of memory");
	for (size_t i = 0; i < o->masks.count; i++) {
		list_addf(names, "__bitspin_mask_%zu", i);
		views[i] = (struct translator_view){ VIEW_MASK, names->items[names->count - 1], o->masks.items[i] };
	}
	for (size_t i = 0; i < o->abstractions.count; i++) {
		const char *function = o->abstractions.items[i];
		views[o->masks.count + i] = (struct translator_view){ VIEW_ABSTRACTION, function, function };
	}
	return views;
}

static enum translator_volatiles volatiles_of(const struct options *o)
{
	return o->races == RACES_BUT_VOLATILE          ? VOLATILES_RELAXED :
		o->races == RACES_BUT_VOLATILE_SEQ_CST ? VOLATILES_SEQ_CST :
							 VOLATILES_PLAIN;
}

/* Return how many values of a location can be read in this search. */
static uint32_t staleness_of(const struct program *program)
{
	const struct options *o = &program->inputs->options;
	assert(program->staleness <= IMAGE_MOST_STALENESS && o->staleness <= IMAGE_MOST_STALENESS);
	enum { USUAL = 4 }; /* where no search goes on to more */
	return program->staleness ? program->staleness : o->staleness ? o->staleness : USUAL;
}

/* Translate the bitcode, and fill in `result`.  Return the translator's status. */
static int translate(struct program *program, const struct list *bitcode, unsigned threads, struct translator_result *result)
{
	const struct options *o = &program->inputs->options;
	struct list names = { 0 };
	struct properties properties;
	properties_make(&properties, program->formulas, program->formula);
	properties_add_shown(&properties, program->shown.count);
	assert(program->members <= bitcode->count && program->bound < UINT16_MAX);
	size_t nviews = o->masks.count + o->abstractions.count;
	struct translator_view *views = make_views(o, &names);
	inputs_complete(program->inputs);
	const struct world *world = &program->inputs->world;
	assert(world->files && world->nfiles > 0); /* file 0 is standard input */
	char *library = data_file("libc.bc");
	struct translator_request request = {
		.library = library, .files = world->files, .nfiles = world->nfiles,
		.environment = (const char *const *)world->environment.items, .nenvironment = world->environment.count,
		.environment_most = world->environment_most,
		.externs = world->externs, .nexterns = world->nexterns,
		.paths = (const char *const *)bitcode->items, .npaths = bitcode->count - program->members,
		.members = (const char *const *)bitcode->items + bitcode->count - program->members, .nmembers = program->members,
		.own = program->work, .entry = o->entry, .ends = true, /* run_translator() */
		.arguments = world->arguments, .narguments = world->narguments, .input = world->input,
		.properties = properties.items, .nproperties = properties.count, .nearest = ltl_nearest, .views = views, .nviews = nviews,
		.volatiles = volatiles_of(o), .variables_stay = program->variables_stay,
		.suppressions = program->inputs->suppressions.items, .nsuppressions = program->inputs->suppressions.count,
		.tolerated = program->tolerated, .ntolerated = program->ntolerated,
		.interrupted = program->interrupted, .ninterrupted = program->ninterrupted,
		.orders = program->orders, .norders = program->norders, .fences = program->fences,
		.options = {
			.races = o->races == RACES_ARE_IGNORED || o->memory == MEMORY_TSO ? RACES_IGNORE : RACES_REPORT, .svcomp = o->svcomp,
			.deadlock = o->no_deadlock ? DEADLOCK_IGNORED : o->total_deadlocks ? DEADLOCK_TOTAL : DEADLOCK_CIRCULAR,
			.alignment = !o->alignment_ignore, .calls = !o->calls_ignore, .leaks = o->leaks, .overflow = o->overflow, .all = o->all,
			.waits = options_report_waits(o), .zeroed = o->zeroed, .hidden = program->hidden || o->hidden, .many = program->many,
			.interrupts = (uint16_t)(program->interrupts > o->interrupts ? program->interrupts : o->interrupts),
			.inputs = o->input_values, .max_values = o->max_values ? (uint32_t)o->max_values : 256,
			.max_related = program->most_related,
			.conflicts = o->solver_budget ? (uint32_t)o->solver_budget : SOLVER_BUDGET,
			.memory = o->memory, .staleness = staleness_of(program),
			.optimised = o->optimized != 0, .max_threads = threads,
			.reductions = plan_reductions(program),
			.preemptions = (uint16_t)(o->bounded ? program->bound + 1 : 0), .iterate = o->iterate,
			.fs_write = o->fs_write, .clock_step = o->clock.step, .clock_moves = o->clock.moves, .coverage = o->coverage,
			.identity = o->identity, .local_cycles = o->local_cycles, .max_memory = o->max_memory << 20,
			.rests = options_rest(o),
		},
	};
	memcpy(request.budgets, world->budgets, sizeof request.budgets);
	int status = run_translator(program, &request, result);
	free(library);
	list_release(&names);
	properties_release(&properties);
	free(views);
	return status;
}

void atomics_release(struct program *program)
{
	for (size_t i = 0; i < program->natomics; i++) {
		free(program->atomics[i].file);
		free(program->atomics[i].function);
	}
	free(program->atomics);
	program->atomics = NULL;
	program->natomics = 0;
}

void translate_files(struct program *program, const struct list *bitcode, unsigned threads)
{
	assert(threads > 0);
	struct translator_result result;
	if (translate(program, bitcode, threads, &result) < 0)
		cannot_translate(&result);
	collect_assumptions(program, &result);
	atomics_release(program);
	program->atomics = result.atomics;
	program->natomics = result.natomics;
	result.atomics = NULL;
	result.natomics = 0;
	translator_result_release(&result);
	rules_read(program);
	left_out_read(program);
}

void audit_files(struct program *program, const struct list *bitcode, struct translator_result *result)
{
	translate(program, bitcode, 1, result);
	collect_assumptions(program, result);
}
