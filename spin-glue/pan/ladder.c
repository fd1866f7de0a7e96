/* SPDX-License-Identifier: MIT
 *
 * The ladder: when the exhaustive search has run for a while, other searches climb beside it, in one process (climb.c), which find
 * shallow faults at once however large the state space is.  Whoever finds a violation first ends the others.  Where the exhaustive
 * search does not come to its end, the strongest that was reached is told.
 *
 * Searches that are over before that are as if there were no ladder.
 *
 * When memory has ended the exhaustive search, a bitstate search takes its place, which needs little: the last rung.  It looks at
 * steps in another order, or it would see again what the other has seen.  It may go on for as long again, or until --max-time.
 *
 * Memory is shared: the climber gets a part, the exhaustive search the rest; a climber that ends leaves its part to that.
 */
#include "job.h"
#include "pan.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../runtime/state/machine.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 2 /* seconds of exhaustive search before the ladder is put up */ };
enum { LEAST_SHARE = 32 << 20 /* bytes; with less, no search is worth while */ };

/* a part of the memory: a file that a VM looks at (limit.c) */
struct allotment {
	char *path;
	uint64_t *bytes;
};

/* the process beside the exhaustive search */
struct climber {
	char *directory; /* of its own */
	struct allotment part;
	struct child child;
	int status; /* when it has ended */
};

struct ladder {
	const struct list *bitcode;
	double began; /* when the exhaustive search has; 0: it has not */
	bool climbed; /* the climber was started, and may have ended */
	struct climber climber;
	struct allotment search;
	uint64_t memory; /* bytes, of all searches together */
	double took;     /* seconds of the exhaustive search that memory has ended, PATIENCE at least; 0: it has not */
	double ended;    /* when */
	double until;    /* when the bitstate search is to end; 0: not known yet */
	struct outcome {
		enum verdict verdict;
		char *reason;
		struct statistics statistics;
		struct list cuts;
		double paths_cut, memory_limit;
		unsigned long seed;
	} exhaustive;     /* while the bitstate search goes on: of that before */
	bool last_rung;   /* it does */
	json_t *bitstate; /* its figures; NULL: there was none */
};

/* ---- memory -------------------------------------------------------------------------------------------------------- */

static bool allot(struct allotment *part, char *path, uint64_t bytes)
{
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	part->path = path;
	part->bytes = MAP_FAILED;
	if (file >= 0 && ftruncate(file, sizeof bytes) == 0)
		part->bytes = mmap(NULL, sizeof bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (file >= 0)
		close(file);
	if (part->bytes == MAP_FAILED)
		return false;
	*part->bytes = bytes;
	return true;
}

static void release(struct allotment *part)
{
	if (part->bytes != MAP_FAILED)
		munmap(part->bytes, sizeof *part->bytes);
	free(part->path);
}

/* Return the resident memory of `process`, in bytes; 0 if it is not known. */
static uint64_t resident(int process)
{
	char *path = text("/proc/%d/statm", process), *line = read_file(path, NULL);
	unsigned long long whole, pages = 0;
	if (line && sscanf(line, "%llu %llu", &whole, &pages) < 2)
		pages = 0;
	free(path);
	free(line);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Return the memory for the climber, in bytes: a quarter, but at most half of what the exhaustive search has not
 * taken yet. */
static uint64_t share(const struct ladder *ladder)
{
	uint64_t used = resident(process_waited_for()), most = *ladder->search.bytes, left = used < most ? most - used : 0;
	return left / 2 < ladder->memory / 4 ? left / 2 : ladder->memory / 4;
}

/* ---- up ------------------------------------------------------------------------------------------------------------ */

static bool make_room(struct climber *climber, const struct job *job)
{
	climber->directory = text("%s/ladder", job->program.work);
	make_directories(climber->directory);
	return allot(&climber->part, text("%s/memory", climber->directory), 0);
}

void ladder_begin(struct job *job, const struct list *bitcode)
{
	const struct options *o = &job->inputs->options;
	if (!job->search.may_climb || job->program.formula || !options_climb(o))
		return;
	assert(!job->search.ladder);
	struct ladder *ladder = calloc(1, sizeof *ladder);
	if (!ladder)
		BUG("out of memory");
	ladder->bitcode = bitcode;
	ladder->memory = o->max_memory ? o->max_memory << 20 : image_usual_memory();
	if (!make_room(&ladder->climber, job) || !allot(&ladder->search, text("%s/memory", job->program.work), ladder->memory))
		fail("cannot write to '%s': %s", job->program.work, strerror(errno));
	job->search.allotment = ladder->search.path;
	job->search.ladder = ladder;
}

static void start_climber(struct job *job)
{
	struct ladder *ladder = job->search.ladder;
	struct climber *climber = &ladder->climber;
	assert(!ladder->climbed);
	ladder->climbed = true;
	uint64_t part = share(ladder);
	/* What comes after a suppressed race, the exhaustive search finds out (races.c). */
	if (part < LEAST_SHARE || job->program.rules.count)
		return;
	char *image = text("%s/walks.image", climber->directory), *output = text("%s/output", climber->directory);
	struct climb climb = { job, ladder->bitcode, climber->directory, .allotment = climber->part.path };
	resume_walks(job, &climb.seeds, &climb.walked);
	assert(!climber->child.pid);
	assert(part <= *ladder->search.bytes);
	*ladder->search.bytes -= part;
	*climber->part.bytes = part;
	if (copy_file(job->program.image, image))
		child_call(&climber->child, climb_ladder, &climb, output, job->inputs->options.verbose ? NULL : output);
	free(image);
	free(output);
}

/* Does the climber of `ladder` still search? */
static bool is_searching(struct ladder *ladder)
{
	struct climber *climber = &ladder->climber;
	enum process_end end;
	if (!climber->child.pid)
		return false;
	if (!child_has_ended(&climber->child, &end, &climber->status))
		return true;
	if (end != PROCESS_EXITED)
		climber->status = CLIMB_DONE;
	*ladder->search.bytes += *climber->part.bytes;
	*climber->part.bytes = 0;
	return false;
}

static bool have_found(const struct ladder *ladder)
{
	return ladder->climber.status == CLIMB_FOUND;
}

bool ladder_look(struct job *job)
{
	struct ladder *ladder = job->search.ladder;
	if (!ladder)
		return true;
	if (!ladder->began)
		ladder->began = seconds_now();
	if (!ladder->climbed && seconds_now() - ladder->began > PATIENCE)
		start_climber(job);
	if (ladder->last_rung && ladder->until == 0) /* its pan is made by now */
		ladder->until = job->inputs->options.max_time ? INFINITY : seconds_now() + ladder->took;
	bool found = !is_searching(ladder) && have_found(ladder);
	return !found && !(ladder->last_rung && seconds_now() > ladder->until);
}

static void stop_climber(struct ladder *ladder)
{
	child_stop(&ladder->climber.child);
	while (is_searching(ladder))
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

/* ---- the last rung ------------------------------------------------------------------------------------------------- */

static bool has_last_rung(const struct job *job)
{
	const struct ladder *ladder = job->search.ladder;
	const struct options *o = &job->inputs->options;
	bool over = process_interrupted() || process_out_of_time();
	return ladder && !have_found(ladder) && job->search.starved && job->result.verdict == VERDICT_INCONCLUSIVE && !over &&
		!job->program.rules.count && o->masks.count + o->abstractions.count == 0;
}

bool ladder_last_rung(struct job *job)
{
	struct ladder *ladder = job->search.ladder;
	if (!has_last_rung(job))
		return false;
	assert(!ladder->last_rung);
	ladder->ended = seconds_now();
	ladder->took = fmax(ladder->began > 0 ? ladder->ended - ladder->began : 0, PATIENCE);
	ladder->exhaustive = (struct outcome){ job->result.verdict,      job->result.reason,    job->result.statistics,
					       job->result.cuts,         job->result.paths_cut, job->search.memory_limit,
					       job->inputs->options.seed };
	ladder->last_rung = true;
	job->result.reason = NULL;
	job->result.cuts = (struct list){ 0 };
	job->inputs->options.search = SEARCH_BITSTATE;
	job->inputs->options.seed += 2; /* another order than the one there was */
	return true;
}

bool ladder_last_rung_done(struct job *job)
{
	struct ladder *ladder = job->search.ladder;
	const struct outcome *before = &ladder->exhaustive;
	const struct statistics *s = &job->result.statistics;
	assert(ladder->last_rung && !ladder->bitstate && job->inputs->options.search == SEARCH_BITSTATE);
	const struct coverage coverage = coverage_of(job);
	if (s->states > 0)
		ladder->bitstate = json_pack("{s:I, s:I, s:f, s:b, s:f}", "states", (json_int_t)s->states, "transitions",
					     (json_int_t)s->transitions, "seconds", s->search_seconds, "complete",
					     (int)job->search.complete, "told_apart", coverage.apart);
	json_decref(job->result.coverage);
	job->result.coverage = NULL;
	ladder->last_rung = false;
	job->inputs->options.search = SEARCH_DEPTH_FIRST;
	job->inputs->options.seed = before->seed;
	job->search.starved = true;
	if (job->result.verdict == VERDICT_VIOLATED) {
		free(before->reason);
		list_release(&ladder->exhaustive.cuts);
		return true;
	}
	free(job->result.reason);
	list_release(&job->result.cuts);
	job->result.verdict = before->verdict;
	job->result.reason = before->reason;
	double resident = s->resident;
	job->result.statistics = before->statistics;
	job->result.statistics.resident = resident > before->statistics.resident ? resident : before->statistics.resident;
	job->result.cuts = before->cuts;
	job->result.paths_cut = before->paths_cut;
	job->search.memory_limit = before->memory_limit;
	return false;
}

bool ladder_is_on_last_rung(const struct job *job)
{
	return job->search.ladder && job->search.ladder->last_rung;
}

/* ---- what was reached ---------------------------------------------------------------------------------------------- */

/* Wait for the search with bounds as long again as the exhaustive search has taken, which can do no more. */
static void wait_for_bounds(struct ladder *ladder)
{
	assert(ladder->began > 0); /* else nobody has started the climber */
	double until = ladder->ended > 0 ? ladder->ended + ladder->took : 2 * seconds_now() - ladder->began;
	*ladder->climber.part.bytes = ladder->memory;
	while (is_searching(ladder) && seconds_now() < until)
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
}

/* Make the violation that the climber has found the job's, with the image on which its schedule is one. */
static void take_over(struct job *job)
{
	json_error_t error;
	char *path = text("%s/" CLIMB_OUTCOME, job->search.ladder->climber.directory),
	     *found = text("%s/" FOUND_SCHEDULE, job->program.work);
	json_t *outcome = json_load_file(path, 0, &error), *violation = json_object_get(outcome, "violation");
	const char *image = json_string_value(json_object_get(outcome, "image"));
	const char *schedule = json_string_value(json_object_get(outcome, "schedule"));
	if (!violation || !image || !schedule || !copy_file(schedule, found) || !copy_file(image, job->program.image)) {
		check_space();
		fail("internal error: what a search beside the exhaustive one has found is not understood; "
		     "this is a bug in bitspin, please report it");
	}
	json_array_clear(job->result.violations);
	json_array_append(job->result.violations, violation);
	job->search.threads = (unsigned)json_integer_value(json_object_get(outcome, "threads"));
	job->search.scheduled = job->search.complete = true;
	job->result.verdict = VERDICT_VIOLATED;
	free(job->result.reason);
	job->result.reason = NULL;
	json_object_set(job->result.rungs, "found_by", json_object_get(outcome, "rung"));
	json_decref(outcome);
	free(path);
	free(found);
}

/* Read what the searches beside this one have reached so far, and earlier runs before. */
static void read_rungs(struct job *job, struct rungs *rungs)
{
	rungs_read(rungs, job->search.ladder->climber.directory, RUNGS_BOUNDS);
	resume_add(job, rungs);
}

char *ladder_reached(struct job *job, bool brief)
{
	struct rungs rungs;
	if (!job->search.ladder || !job->search.ladder->climbed)
		return NULL;
	read_rungs(job, &rungs);
	char *reached = brief ? rungs_in_brief(&rungs) : rungs_in_words(&rungs);
	rungs_release(&rungs);
	return reached;
}

/* Return what the searches have reached at the end; NULL if nothing is known. */
static char *guarantee(const struct job *job)
{
	struct rungs rungs = { .bounds = json_object_get(job->result.rungs, "bounds"),
			       .bitstate = json_object_get(job->result.rungs, "bitstate") };
	json_t *walks = json_object_get(job->result.rungs, "walks"), *batches = json_array();
	json_array_append(batches, walks);
	rungs.batches = batches;
	char *reached = job->result.rungs ? rungs_in_words(&rungs) : NULL, *remark = resume_remark(job);
	bool formulas = job->program.formulas &&
		job->program.formulas->count + job->inputs->options.properties.count; /* these searches do not judge them */
	const char *what = formulas ? "no violation apart from the formula" : "no violation";
	assert(!reached || strncmp(reached, "no violation", strlen("no violation")) == 0);
	char *whole = reached ? text("%s%s%s", what, reached + strlen("no violation"), remark) : NULL;
	json_decref(batches);
	free(reached);
	free(remark);
	return whole;
}

char *ladder_line(const struct job *job)
{
	const char *rung = json_string_value(json_object_get(job->result.rungs, "found_by"));
	size_t bounds = json_array_size(json_object_get(job->result.rungs, "bounds"));
	if (rung && strcmp(rung, "bitstate") == 0)
		return text("found by a bitstate search, when the exhaustive one had no memory left");
	if (rung && strcmp(rung, "walks") == 0)
		return text("found by a random run, beside the exhaustive search");
	if (rung) {
		char *within = bounds_in_words(bounds), *found = text("found by the search %s, beside the exhaustive one", within);
		free(within);
		return found;
	}
	char *reached = guarantee(job);
	char *line = reached ? text("searches beside this one: %s", reached) : NULL;
	free(reached);
	return line;
}

static void tell_guarantee(struct job *job)
{
	bool counts = job->result.verdict == VERDICT_INCONCLUSIVE && !job->result.cuts.count && !job->program.narrowed;
	char *reached = counts ? guarantee(job) : NULL;
	bool walked = json_number_value(json_object_get(json_object_get(job->result.rungs, "walks"), "walks")) > 0;
	char *plain = text_without(job->result.reason ? job->result.reason : "", walked ? ADVICE_WALKS : "");
	char *reason = reached ? text("%s; %s", plain, reached) : NULL;
	if (reason) {
		free(job->result.reason);
		job->result.reason = reason;
	}
	free(plain);
	free(reached);
}

static void take_figures(struct job *job)
{
	struct rungs rungs;
	read_rungs(job, &rungs);
	json_decref(job->result.rungs);
	job->result.rungs = job->search.ladder->climbed || job->result.earlier || job->search.ladder->bitstate ?
		json_pack("{s:O, s:o}", "bounds", rungs.bounds, "walks", rungs_sum(rungs.batches)) :
		NULL;
	if (job->result.rungs && job->search.ladder->bitstate)
		json_object_set(job->result.rungs, "bitstate", job->search.ladder->bitstate);
	if (job->result.rungs && job->search.ladder->bitstate && job->result.verdict == VERDICT_VIOLATED)
		json_object_set_new(job->result.rungs, "found_by", json_string("bitstate"));
	rungs_release(&rungs);
}

void ladder_end(struct job *job)
{
	struct ladder *ladder = job->search.ladder;
	if (!ladder)
		return;
	if (job->search.starved && ladder->climber.child.pid)
		wait_for_bounds(ladder);
	stop_climber(ladder);
	assert(!ladder->last_rung && !ladder->climber.child.pid);
	take_figures(job);
	bool open = job->result.verdict == VERDICT_INCONCLUSIVE;
	if (open && have_found(ladder))
		take_over(job);
	else
		tell_guarantee(job);
	release(&ladder->climber.part);
	free(ladder->climber.directory);
	release(&ladder->search);
	json_decref(ladder->bitstate);
	free(ladder);
	job->search.ladder = NULL;
	job->search.allotment = NULL;
}
