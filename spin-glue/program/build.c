/* SPDX-License-Identifier: MIT
 *
 * Bitcode to the program image: what the user asked for, in the translator's terms; and what a verdict will assume.
 */
#include "program.h"
#include "../../runtime/image/policy.h"

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

static void assume(struct job *job, const char *assumption)
{
	for (size_t i = 0; i < job->assumptions.count; i++)
		if (strcmp(job->assumptions.items[i], assumption) == 0)
			return;
	list_add(&job->assumptions, assumption);
}

/* The memory model makes a difference only where threads meet at atomic accesses that are weaker than the default. */
static void note_weaker_atomics(struct job *job, const struct translator_result *result)
{
	bool threads = false;
	for (size_t i = 0; i < result->nexternals; i++)
		threads = threads || strcmp(result->externals[i], "pthread_create") == 0 ||
			strcmp(result->externals[i], "thrd_create") == 0;
	free(job->weaker.file);
	job->weaker = (struct weaker_atomics){ 0 };
	if (!threads || result->weaker_atomics == 0)
		return;
	job->weaker = (struct weaker_atomics){
		.count = result->weaker_atomics,
		.file = text("%s", result->weaker_file),
		.line = result->weaker_line,
	};
	assume(job,
	       "atomic accesses weaker than memory_order_seq_cst behave as if they were sequentially consistent; "
	       "only data races are found by their real order");
}

void assume_at(struct job *job, const char *assumption, const char *file, unsigned line)
{
	char *whole = line ? text("%s (%s:%u)", assumption, from_here(file), line) : text("%s", assumption);
	assume(job, whole);
	free(whole);
}

static void assume_of_races(struct job *job)
{
	switch ((enum races)job->options.races) {
	case RACES_ARE_REPORTED: break;
	case RACES_ARE_IGNORED:
		assume(job, "plain accesses to shared memory are atomic, each a step of its own (--races ignore)");
		break;
	case RACES_BUT_VOLATILE:
		assume(job,
		       "accesses through volatile of up to 8 aligned bytes are atomic, which C does not promise; they order nothing, as "
		       "memory_order_relaxed (--races volatile)");
		break;
	case RACES_BUT_VOLATILE_SEQ_CST:
		assume(job,
		       "accesses through volatile of up to 8 aligned bytes are atomic and order memory as memory_order_seq_cst, which "
		       "neither C nor the machine promises (--races volatile=seq_cst)");
		break;
	}
}

static void collect_assumptions(struct job *job, const struct translator_result *result)
{
	list_release(&job->assumptions);
	job->narrowed = false;
	assume(job, "memory is sequentially consistent: all threads see all writes in one order");
	if (job->options.zeroed)
		assume(job, "uninitialized memory is zero (--uninitialized zero)");
	assume_of_races(job);
	if (job->options.identity == IDENTITY_SCALE)
		assume(job, "a thread has ended as soon as it has done its last operation (--identity scale)");
	if (job->options.alignment_ignore)
		assume(job, "misaligned accesses do what they do on x86-64 (--alignment ignore)");
	if (job->options.calls_ignore && !job->options.svcomp)
		assume(job, "calls of a function as one of another type do what they do on x86-64 (--calls ignore)");
	if (job->ntolerated)
		assume(job,
		       "accesses at the places of data races that the search has gone past are atomic, each a step of its own");
	note_weaker_atomics(job, result);
	for (size_t i = 0; i < job->options.flags.assumptions.count; i++)
		assume(job, job->options.flags.assumptions.items[i]);
	if (job->options.optimized)
		assume(job,
		       "the program is checked as clang's optimizer left it; errors that are undefined behaviour may be gone (-O)");
	if ((job->options.optimized || count_sources(&job->options) == 0) && formulas_name_functions(job->formulas))
		assume(job, "in(...) covers only the calls that the compiler kept; it may have removed some");
	if (job->options.overflow && count_sources(&job->options) < job->options.files.count)
		assume(job,
		       "the bitcode was not optimized; otherwise an overflow may be the optimizer's, not the program's (--overflow)");
	for (size_t i = 0; i < result->nexternals; i++) {
		const char *name = result->externals[i];
		char *assumption = world_assumption(&job->world, name);
		if (assumption)
			assume(job, assumption);
		free(assumption);
	}
	memcpy(job->why_off, result->why_off, sizeof job->why_off);
	for (size_t i = 0; i < result->nnotes; i++)
		assume(job, result->notes[i]);
	free(job->input);
	job->input = narrowed_input(job, result);
	job->narrowed = job->input != NULL;
	inputs_assume(&job->world, &job->assumptions);
	for (size_t i = 0; i < job->options.masks.count; i++)
		list_addf(&job->assumptions, "no error depends on the value of '%s' (--mask)", job->options.masks.items[i]);
	for (size_t i = 0; i < job->options.abstractions.count; i++)
		list_addf(&job->assumptions, "no error depends on what '%s' leaves out (--abstract)",
			  job->options.abstractions.items[i]);
	if (job->formulas && job->formulas->count + job->options.properties.count)
		assume(job, fairness_text((enum ltl_fairness)job->options.fairness));
	for (size_t i = 0; job->formulas && i < job->formulas->count; i++)
		if (job->formulas->items[i].counts_steps)
			list_addf(&job->assumptions,
				  "'%s' may count steps, so it is checked without reductions; a step is one "
				  "operation that other threads can notice, with the code after it up to the next",
				  job->formulas->items[i].name);
	if (job->options.no_deadlock && !job->options.svcomp)
		assume(job, "deadlocks are not reported (--no-deadlock)");
	else if (job->options.total_deadlocks && !job->options.svcomp)
		assume(job,
		       "threads that wait for each other in a circle are no error while another thread can run (--deadlock total)");
	if (job->options.waits_ignore && !job->options.no_deadlock && !job->options.svcomp)
		assume(job, "threads that wait in loops for ever are not reported (--waits ignore)");
}

/* All messages on stderr but the last, which fail() gives. */
static _Noreturn void cannot_translate(const struct translator_result *result)
{
	for (size_t i = 0; i < result->nmessages; i++) {
		const struct translator_message *m = &result->messages[i];
		char *place = m->file ? text("%s:%u: ", m->file, m->line) : text("%s", "");
		char *function = m->function ? text("in function '%s': ", m->function) : text("%s", "");
		if (i + 1 == result->nmessages)
			fail("%s%s%s", place, function, m->text);
		fprintf(stderr, "bitspin: %s%s%s\n", place, function, m->text);
		free(place);
		free(function);
	}
	BUG("translation failed without a message");
}

/* What does not distinguish states, in the translator's terms; `names` owns the symbols. */
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

/* The translator's status; `result` is filled in. */
static int translate(struct job *job, const struct list *bitcode, unsigned threads, struct translator_result *result)
{
	const struct options *o = &job->options;
	struct list names = { 0 };
	struct properties properties;
	properties_make(&properties, job->formulas, job->formula);
	properties_add_shown(&properties, job->shown.count);
	size_t nviews = o->masks.count + o->abstractions.count;
	struct translator_view *views = make_views(o, &names);
	if (!job->world.files) {
		world_read(&job->world, o);
		suppressions_read(&job->suppressions, o);
	}
	char *library = data_file("libc.bc");
	struct translator_request request = {
		.library = library, .files = job->world.files, .nfiles = job->world.nfiles,
		.environment = (const char *const *)o->environment.items, .nenvironment = o->environment.count,
		.externs = job->world.externs, .nexterns = job->world.nexterns,
		.paths = (const char *const *)bitcode->items, .npaths = bitcode->count - job->members,
		.members = (const char *const *)bitcode->items + bitcode->count - job->members, .nmembers = job->members,
		.own = job->work, .entry = o->entry,
		.arguments = job->world.arguments, .narguments = job->world.narguments, .input = job->world.input,
		.properties = properties.items, .nproperties = properties.count, .nearest = ltl_nearest, .views = views, .nviews = nviews,
		.volatiles = volatiles_of(o), .variables_stay = job->variables_stay,
		.suppressions = job->suppressions.items, .nsuppressions = job->suppressions.count,
		.tolerated = job->tolerated, .ntolerated = job->ntolerated,
		.interrupted = job->interrupted, .ninterrupted = job->ninterrupted,
		.options = {
			.races = o->races == RACES_ARE_IGNORED ? RACES_IGNORE : RACES_REPORT, .svcomp = o->svcomp,
			.deadlock = o->no_deadlock ? DEADLOCK_IGNORED : o->total_deadlocks ? DEADLOCK_TOTAL : DEADLOCK_CIRCULAR,
			.alignment = !o->alignment_ignore, .calls = !o->calls_ignore, .leaks = o->leaks, .overflow = o->overflow, .all = o->all,
			.waits = options_report_waits(o), .zeroed = o->zeroed, .hidden = job->hidden || o->hidden, .many = job->many,
			.interrupts = (uint16_t)(job->interrupts > o->interrupts ? job->interrupts : o->interrupts),
			.optimised = o->optimized, .max_threads = threads,
			.reductions = plan_reductions(job),
			.preemptions = (uint16_t)(o->bounded ? job->bound + 1 : 0), .iterate = o->iterate,
			.fs_write = o->fs_write, .clock_step = o->clock.step, .clock_moves = o->clock.moves, .coverage = o->coverage,
			.identity = o->identity, .local_cycles = o->local_cycles, .max_memory = o->max_memory << 20,
		},
	};
	memcpy(request.budgets, job->world.budgets, sizeof request.budgets);
	int status = run_translator(job, &request, result);
	free(library);
	list_release(&names);
	properties_release(&properties);
	free(views);
	return status;
}

void translate_files(struct job *job, const struct list *bitcode, unsigned threads)
{
	struct translator_result result;
	if (translate(job, bitcode, threads, &result) < 0)
		cannot_translate(&result);
	collect_assumptions(job, &result);
	translator_result_release(&result);
	rules_read(job);
	left_out_read(job);
}

void audit_files(struct job *job, const struct list *bitcode, struct translator_result *result)
{
	translate(job, bitcode, 1, result);
	collect_assumptions(job, result);
}
