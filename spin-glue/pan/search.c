/* SPDX-License-Identifier: MIT
 *
 * Running pan, and doing what follows from what it has left (outcome.h).
 */
#include "outcome.h"
#include "job.h"
#include "../base/base.h"
#include "../model/model.h"
#include "../options/options.h"
#include "../../runtime/state/machine.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRAIL 64 /* bytes of address space that pan takes for each step of a path, or more */

static unsigned long file_size(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? (unsigned long)st.st_size : 0;
}

static bool meanwhile(void *context)
{
	struct job *job = context;
	if (bounds_are_told(job))
		bounds_tell(job);
	if (!job->inputs->options.quiet)
		progress_look(job->search.progress, ladder_reached, job);
	resume_look(job);
	explain_keep_time_back(job);
	beside_look(job);
	return ladder_look(job);
}

static void pan_arguments(const struct job *job, const char *pan, unsigned long depth, struct list *argv)
{
	list_add(argv, pan);
	list_addf(argv, "-m%lu", depth);
	search_arguments(job, argv);
	if (job->program.formula || job->inputs->options.all)
		list_add(argv, job->program.formula ? "-a" : "-e");
	if (!job->program.formula && job->inputs->options.all)
		list_add(argv, "-c0");
}

/* Write the identity of the image into the file of records: the VM reports bounds of this image. */
static void name_image(const struct job *job)
{
	char *image = image_identity(&job->program), *line = text("{\"type\":\"" RUNGS_IMAGE "\",\"image\":\"%s\"}\n", image);
	if (!write_file(job->search.records, line, strlen(line)))
		fail("cannot write '%s': %s", job->search.records, strerror(errno));
	free(image);
	free(line);
}

/* Return the file in which a search from bound to bound keeps its states; "" if it keeps none. */
static const char *snapshot_of(const struct job *job)
{
	const struct options *o = &job->inputs->options;
	bool kept = job->search.snapshot && o->bounded && o->identity == IDENTITY_STATE && !o->all && !o->output &&
		!job->program.formula;
	return kept ? job->search.snapshot : "";
}

static char *image_of_snapshot(const struct job *job)
{
	char *image = *snapshot_of(job) ? image_identity(&job->program) : text("%s", ""),
	     *of = text("BITSPIN_CHECKPOINT_OF=%s", image);
	free(image);
	return of;
}

/* Run `pan`.  Its address space is limited only as a last resort: the VM looks at what is in use. */
static enum process_end run_pan(struct job *job, const char *pan, unsigned long depth, bool more_threads, const char *output,
				int *status)
{
	assert(depth > 0 && job->program.image && job->search.records);
	const struct options *o = &job->inputs->options;
	char *image = text("BITSPIN_IMAGE=%s", job->program.image), *result = text("BITSPIN_RESULT=%s", job->search.records);
	char *cores = text("BITSPIN_CORES=%lu", is_by_several(job) ? o->cores : 1);
	char *printed = text("%s/output", job->program.work), *print = text("BITSPIN_OUTPUT=%s", o->output ? printed : "");
	struct list argv = { 0 };
	pan_arguments(job, pan, depth, &argv);
	const char *more = more_threads ? "BITSPIN_MORE_THREADS=yes" : "BITSPIN_MORE_THREADS=";
	char *memory = text("BITSPIN_MEMORY=%s", job->search.allotment ? job->search.allotment : "");
	struct progress *progress = job->search.progress = progress_begin(job);
	char *figures = text("BITSPIN_PROGRESS=%s", progress_path(progress));
	char *snapshot = text("BITSPIN_CHECKPOINT=%s", snapshot_of(job)), *of = image_of_snapshot(job);
	const char *const environment[] = { image, result, print, more, memory, cores, figures, snapshot, of, NULL };
	struct process process = {
		.argv = (const char *const *)argv.items,
		.directory = job->program.work,
		.output = output,
		.errors = text("%s/pan.err", job->program.work),
		.environment = environment,
		.address_space = 10 * memory_limit(o) + (320ul << 20) + depth * TRAIL + file_size(job->program.image),
	};
	if (strstr(pan_compiler(), "-fsanitize") || is_by_several(job)) /* their shadow, and what they share, takes terabytes */
		process.address_space = 0;
	if (is_by_several(job))
		several_forget_trails(job);
	unlink(job->search.records);
	unlink(printed); /* of a search that has begun again, only the last time counts */
	if (o->bounded)
		name_image(job);
	job->search.told = 0;
	job->search.told_states = job->program.bound && o->identity != IDENTITY_STATE ? job->search.told_states : 0;
	process.meanwhile = meanwhile;
	process.context = job;
	echo_remark("at most %.0f MB of memory", (double)memory_limit(o) / MEGABYTE);
	enum process_end end = process_run(&process, status);
	progress_take(progress, &job->result.statistics); /* in case that there are no others */
	if (progress_limit(progress) > 0)
		job->search.memory_limit = progress_limit(progress);
	progress_end(progress);
	free(figures);
	if (bounds_are_told(job))
		bounds_tell(job);
	free(memory);
	free((char *)process.errors);
	list_release(&argv);
	free(cores);
	free(image);
	free(snapshot);
	free(of);
	free(result);
	free(print);
	free(printed);
	return end;
}

/* ---- pan that did not do as it should ------------------------------------------------------------------------------------ */

static _Noreturn void not_understood(const struct job *job, const char *what, const char *output)
{
	check_space();
	char *kept = text("%s/bitspin-pan-output.%d", temporary_directory(), (int)getpid());
	char *errors_path = text("%s/pan.err", job->program.work), *errors = read_file(errors_path, NULL);
	char *all = text("%s%s", output ? output : "", errors ? errors : "");
	if (!write_file(kept, all, strlen(all)))
		fail("internal error: pan's output is not understood (%s), and cannot be kept in '%s': %s", what, kept,
		     strerror(errno));
	fail("internal error: pan's output is not understood (%s); this is a bug in bitspin, please report it with the file '%s'",
	     what, kept);
}

/* Fail, so that there is no verdict, unless pan and the VM have both said all that they say at the end, and agree. */
static void check_complete(const struct job *job, const struct outcome *o, const char *output)
{
	char *path = text("%s/pan.err", job->program.work), *said = read_file(path, NULL);
	bool figures = o->has_states && o->has_transitions && o->has_vector && o->has_elapsed;
	/* Each of several processes may have found something, and be killed then. */
	bool agree = is_by_several(job) ||
		(o->errors == (double)json_array_size(job->result.violations) + o->claim && (!o->claim || job->program.formula));
	if (!o->unknown && !figures && said && strncmp(said, "bitspin: ", 9) == 0) /* the VM could not start */
		fail("%.*s", (int)strcspn(said + 9, "\n"), said + 9);
	const struct {
		bool wrong;
		const char *what;
	} rows[] = {
		{ o->unknown != NULL, o->unknown },
		{ !figures, "its statistics are missing" },
		{ !o->finished, "its results are missing" },
		{ !agree, "its errors are not those of the program" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].wrong)
			not_understood(job, rows[i].what, output);
	free(path);
	free(said);
}

/* End the command if pan was not started, or has died. */
static void check_end(const struct job *job, const struct outcome *o, const char *pan)
{
	char *path = text("%s/pan.err", job->program.work), *said = read_file(path, NULL);
	bool expected = o->out_of_memory || (is_by_several(job) && json_array_size(job->result.violations));
	if (o->end == PROCESS_SIGNALLED && !expected)
		fail("internal error: pan died of signal %d%s%.*s; this is a bug in bitspin, please report it", o->status,
		     said && *said ? ": " : "", said ? (int)strcspn(said, "\n") : 0, said ? said : "");
	if (o->end == PROCESS_NOT_FOUND || (o->end == PROCESS_EXITED && o->status == 126))
		fail("cannot start the verifier '%s'", pan);
	free(path);
	free(said);
}

/* ---- the search --------------------------------------------------------------------------------------------------------- */

/* Add the memory that pan has for states beside the VM's table.  A bitstate search has its array, of which only what was touched
 * is in memory; "equivalent" is what pan does not have. */
static void add_memory_of_pan(struct job *job, const struct outcome *o)
{
	struct statistics *s = &job->result.statistics;
	s->bytes += (job->inputs->options.search == SEARCH_BITSTATE ? o->array : o->megabytes) * MEGABYTE;
	if (job->inputs->options.search == SEARCH_BITSTATE && s->resident > 0 && s->bytes > s->resident)
		s->bytes = s->resident;
}

/* Replace the count `shown` by `exact` if that has the same eight digits: pan prints no more of a count ("%.8g"). */
static void take_digits(double *shown, double exact)
{
	char eight[32];
	snprintf(eight, sizeof eight, "%.8g", exact);
	if (strtod(eight, NULL) == *shown)
		*shown = exact;
}

static void take_counts(struct statistics *s, struct outcome *o)
{
	take_digits(&s->states, o->stored);
	take_digits(&s->transitions, o->stored + o->matched);
	take_digits(&o->matches, o->matched);
}

/* Add the bounds that earlier searches have completed, if this one did not get as far. */
static void add_earlier_bounds(struct job *job)
{
	struct rungs rungs;
	if (!job->inputs->options.bounded || job->program.formula)
		return;
	rungs_read(&rungs, job->program.work, RUNGS_OF_SEARCH);
	resume_add(job, &rungs);
	for (size_t i = json_array_size(job->result.bounds); i < json_array_size(rungs.bounds); i++)
		json_array_append(job->result.bounds, json_array_get(rungs.bounds, i));
	rungs_release(&rungs);
}

/* Forget what the last search has found. */
static void begin(struct job *job)
{
	struct statistics *s = &job->result.statistics;
	*s = (struct statistics){ .states = s->states,
				  .transitions = s->transitions,
				  .seconds = s->seconds,
				  .search_seconds = s->search_seconds,
				  .summed = s->summed };
	valuations_forget(job);
	json_array_clear(job->result.violations);
	json_array_clear(job->result.bounds);
	if (!job->program.formula)
		met_forget(job);
}

/* Complete the job's figures by those that pan and the VM have counted. */
static void count(struct job *job, struct outcome *o)
{
	struct statistics *s = &job->result.statistics;
	take_counts(s, o);
	if (!o->own_search && !model_keeps_visited(&job->program))
		add_memory_of_pan(job, o);
	if (o->taken > 0)
		s->transitions = o->taken + 1; /* as pan counts: to the first state, too */
	s->transitions += o->skipped;
	/* Where the search stopped at a violation, the path to it is one more. */
	s->runs += o->matches + o->skipped + (!job->inputs->options.all && json_array_size(job->result.violations));
}

/* Complete what the verdict says, and leave in the job what has cut paths. */
static void finish(struct job *job, struct outcome *o, const char *pan)
{
	assert((json_array_size(job->result.violations) > 0) == (job->result.verdict == VERDICT_VIOLATED));
	if (is_by_several(job) && json_array_size(job->result.violations) && !several_choose_violation(job, pan)) {
		json_array_clear(job->result.violations);
		conclude(job, VERDICT_INCONCLUSIVE,
			 text("a violation was found, but its schedule was lost; search without --cores"));
	}
	add_earlier_bounds(job);
	tell_coverage(job, o);
	memory_tell(job);
	tell_told_apart(job);
}

void search_again(struct job *job, const char *pan, unsigned long depth)
{
	struct statistics kept = job->result.statistics;
	char *records = job->search.records, *output = text("%s/again.out", job->program.work);
	int status;
	job->search.records = text("%s/again.records", job->program.work);
	run_pan(job, pan, depth, false, output, &status);
	free(job->search.records);
	job->search.records = records;
	job->result.statistics = kept;
	free(output);
}

enum search_end search_run(struct job *job, const char *pan, unsigned long depth, bool more_threads)
{
	begin(job);
	assert(depth > 0);
	if (job->inputs->options.search == SEARCH_RANDOM && !job->program.formula)
		return walks_search(job, more_threads);
	char *path = text("%s/pan.out", job->program.work);
	struct outcome o = { .job = job, .depth = depth, .more_threads = more_threads };
	o.end = run_pan(job, pan, depth, more_threads, path, &o.status);
	char *output = read_file(path, NULL);
	read_output(job, &o, output ? output : "");
	read_records(job, &o);
	count(job, &o);
	check_end(job, &o, pan);
	if (o.end == PROCESS_EXITED && !ended_early(job, &o))
		check_complete(job, &o, output);
	for (unsigned i = 0; i < o.claim; i++) /* what it is, the replay will tell */
		json_array_append_new(job->result.violations,
				      json_pack("{s:s, s:s, s:i}", "kind", "ltl", "message", "", "line", 0));
	enum search_end what = judge(job, &o);
	if (what == SEARCH_DONE)
		finish(job, &o, pan);
	list_release(&job->result.cuts);
	job->result.limits = o.met;
	job->result.end = o.end;
	job->result.too_deep = o.too_deep;
	free(job->result.stopped);
	job->result.stopped = o.stopped;
	o.stopped = NULL;
	job->result.cuts = o.cuts;
	job->result.paths_cut = o.paths;
	o.cuts = (struct list){ 0 };
	outcome_release(&o);
	free(output);
	free(path);
	return what;
}
