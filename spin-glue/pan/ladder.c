/* SPDX-License-Identifier: MIT
 *
 * The ladder: when the exhaustive search has run for a while, other searches climb beside it (climb.c), which find shallow faults
 * at once however large the state space is.  Whoever finds a violation first ends the others.  Where the exhaustive search does
 * not come to its end, the strongest that was reached is told.
 *
 * Searches that are over before that are as if there were no ladder.
 *
 * When memory has ended the exhaustive search, a bitstate search takes its place, which needs little: the last rung.  It looks at
 * steps in another order, or it would see again what the other has seen.  It may go on for as long again, or until --max-time.
 *
 * Memory is shared: the climber gets a part, the exhaustive search the rest; who ends leaves its part to the other.
 */
#include "pan.h"
#include "../../runtime/state/machine.h"

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

struct ladder {
	const struct list *bitcode;
	double began; /* when the exhaustive search has; 0: it has not */
	bool climbed; /* the climber was started, and may have ended */
	struct child climber;
	char *directory;
	struct allotment search, rungs;
	uint64_t memory; /* bytes, of all searches together */
	int status;      /* of the climber that has ended */
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

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

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

/* What a process has resident, bytes. */
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

/* The climber's part: a quarter, or half of what the exhaustive search has not taken yet. */
static uint64_t share(const struct ladder *ladder)
{
	uint64_t used = resident(process_waited_for()), left = used < ladder->memory ? ladder->memory - used : 0;
	return left / 2 < ladder->memory / 4 ? left / 2 : ladder->memory / 4;
}

/* ---- up ------------------------------------------------------------------------------------------------------------ */

void ladder_begin(struct job *job, const struct list *bitcode)
{
	const struct options *o = &job->options;
	if (!job->may_climb || job->formula || !options_climb(o))
		return;
	struct ladder *ladder = calloc(1, sizeof *ladder);
	if (!ladder)
		BUG("out of memory");
	ladder->bitcode = bitcode;
	ladder->memory = o->max_memory ? o->max_memory << 20 : image_usual_memory();
	ladder->directory = text("%s/ladder", job->work);
	make_directories(ladder->directory);
	if (!allot(&ladder->search, text("%s/memory.search", ladder->directory), ladder->memory) ||
	    !allot(&ladder->rungs, text("%s/memory.rungs", ladder->directory), 0))
		fail("cannot write to '%s': %s", ladder->directory, strerror(errno));
	job->allotment = ladder->search.path;
	job->ladder = ladder;
}

static void start_climber(struct job *job)
{
	struct ladder *ladder = job->ladder;
	uint64_t part = share(ladder);
	ladder->climbed = true;
	if (part < LEAST_SHARE || job->rules.count) /* what comes after a suppressed race, this search finds out (races.c) */
		return;
	char *image = text("%s/walks.image", ladder->directory), *output = text("%s/output", ladder->directory);
	struct climb climb = { job, ladder->bitcode, ladder->directory, .allotment = ladder->rungs.path };
	resume_walks(job, &climb.seeds, &climb.walked);
	*ladder->search.bytes = ladder->memory - part;
	*ladder->rungs.bytes = part;
	if (copy_file(job->image, image))
		child_call(&ladder->climber, climb_ladder, &climb, output, job->options.verbose ? NULL : output);
	free(image);
	free(output);
}

/* Does it still climb? */
static bool is_climbing(struct ladder *ladder)
{
	enum process_end end;
	if (!ladder->climber.pid)
		return false;
	if (!child_has_ended(&ladder->climber, &end, &ladder->status))
		return true;
	if (end != PROCESS_EXITED)
		ladder->status = CLIMB_DONE;
	*ladder->search.bytes = ladder->memory;
	return false;
}

bool ladder_look(struct job *job)
{
	struct ladder *ladder = job->ladder;
	if (!ladder)
		return true;
	if (!ladder->began)
		ladder->began = now();
	if (!ladder->climbed && now() - ladder->began > PATIENCE)
		start_climber(job);
	if (ladder->last_rung && ladder->until == 0) /* its pan is made by now */
		ladder->until = job->options.max_time ? INFINITY : now() + ladder->took;
	return (is_climbing(ladder) || ladder->status != CLIMB_FOUND) && !(ladder->last_rung && now() > ladder->until);
}

/* ---- the last rung ------------------------------------------------------------------------------------------------- */

static bool has_last_rung(const struct job *job)
{
	const struct ladder *ladder = job->ladder;
	const struct options *o = &job->options;
	bool over = process_interrupted() || process_out_of_time();
	return ladder && ladder->status != CLIMB_FOUND && job->starved && job->verdict == VERDICT_INCONCLUSIVE && !over &&
		!job->rules.count && o->masks.count + o->abstractions.count == 0;
}

bool ladder_last_rung(struct job *job)
{
	struct ladder *ladder = job->ladder;
	if (!has_last_rung(job))
		return false;
	ladder->ended = now();
	ladder->took = fmax(ladder->ended - ladder->began, PATIENCE);
	ladder->exhaustive = (struct outcome){ job->verdict,   job->reason,       job->statistics,  job->cuts,
					       job->paths_cut, job->memory_limit, job->options.seed };
	ladder->last_rung = true;
	job->reason = NULL;
	job->cuts = (struct list){ 0 };
	job->options.search = SEARCH_BITSTATE;
	job->options.seed += 2; /* another order than the one there was */
	return true;
}

bool ladder_last_rung_done(struct job *job)
{
	struct ladder *ladder = job->ladder;
	const struct outcome *before = &ladder->exhaustive;
	const struct statistics *s = &job->statistics;
	const struct coverage coverage = coverage_of(job);
	if (s->states > 0)
		ladder->bitstate = json_pack("{s:I, s:I, s:f, s:b, s:f}", "states", (json_int_t)s->states, "transitions",
					     (json_int_t)s->transitions, "seconds", s->search_seconds, "complete",
					     (int)job->complete, "told_apart", coverage.apart);
	json_decref(job->coverage);
	job->coverage = NULL;
	ladder->last_rung = false;
	job->options.search = SEARCH_DEPTH_FIRST;
	job->options.seed = before->seed;
	job->starved = true;
	if (job->verdict == VERDICT_VIOLATED) {
		free(before->reason);
		list_release(&ladder->exhaustive.cuts);
		return true;
	}
	free(job->reason);
	list_release(&job->cuts);
	job->verdict = before->verdict;
	job->reason = before->reason;
	double resident = s->resident;
	job->statistics = before->statistics;
	job->statistics.resident = resident > before->statistics.resident ? resident : before->statistics.resident;
	job->cuts = before->cuts;
	job->paths_cut = before->paths_cut;
	job->memory_limit = before->memory_limit;
	return false;
}

bool ladder_is_on_last_rung(const struct job *job)
{
	return job->ladder && job->ladder->last_rung;
}

/* ---- what was reached ---------------------------------------------------------------------------------------------- */

/* Nothing is left to the exhaustive search but what the others find in as much time again. */
static void wait_for_climber(struct ladder *ladder)
{
	double until = ladder->ended > 0 ? ladder->ended + ladder->took : 2 * now() - ladder->began;
	*ladder->rungs.bytes = ladder->memory;
	while (is_climbing(ladder) && now() < until)
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
}

static void stop_climber(struct ladder *ladder)
{
	child_stop(&ladder->climber);
	while (is_climbing(ladder))
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

/* The climber's violation becomes the job's, with the image on which its schedule is one. */
static void take_over(struct job *job)
{
	json_error_t error;
	char *path = text("%s/" CLIMB_OUTCOME, job->ladder->directory), *found = text("%s/" FOUND_SCHEDULE, job->work);
	json_t *outcome = json_load_file(path, 0, &error), *violation = json_object_get(outcome, "violation");
	const char *image = json_string_value(json_object_get(outcome, "image"));
	const char *schedule = json_string_value(json_object_get(outcome, "schedule"));
	if (!violation || !image || !schedule || !copy_file(schedule, found) || !copy_file(image, job->image)) {
		check_space();
		fail("internal error: what a search beside the exhaustive one has found is not understood; "
		     "this is a bug in bitspin, please report it");
	}
	json_array_clear(job->violations);
	json_array_append(job->violations, violation);
	job->threads = (unsigned)json_integer_value(json_object_get(outcome, "threads"));
	job->scheduled = job->complete = true;
	job->verdict = VERDICT_VIOLATED;
	free(job->reason);
	job->reason = NULL;
	json_object_set(job->rungs, "found_by", json_object_get(outcome, "rung"));
	json_decref(outcome);
	free(path);
	free(found);
}

/* What the others have reached so far, and earlier runs before. */
static void read_rungs(struct job *job, struct rungs *rungs)
{
	rungs_read(rungs, job->ladder->directory, RUNGS_BOUNDS);
	resume_add(job, rungs);
}

char *ladder_reached(struct job *job, bool brief)
{
	struct rungs rungs;
	if (!job->ladder || !job->ladder->climbed)
		return NULL;
	read_rungs(job, &rungs);
	char *reached = brief ? rungs_in_brief(&rungs) : rungs_in_words(&rungs);
	rungs_release(&rungs);
	return reached;
}

/* The same at the end; NULL: nothing is known. */
static char *guarantee(const struct job *job)
{
	struct rungs rungs = { .bounds = json_object_get(job->rungs, "bounds"),
			       .bitstate = json_object_get(job->rungs, "bitstate") };
	json_t *walks = json_object_get(job->rungs, "walks"), *batches = json_array();
	json_array_append(batches, walks);
	rungs.batches = batches;
	char *reached = job->rungs ? rungs_in_words(&rungs) : NULL, *remark = resume_remark(job);
	char *whole = reached ? text("%s%s", reached, remark) : NULL;
	json_decref(batches);
	free(reached);
	free(remark);
	return whole;
}

char *ladder_line(const struct job *job)
{
	const char *rung = json_string_value(json_object_get(job->rungs, "found_by"));
	size_t bounds = json_array_size(json_object_get(job->rungs, "bounds"));
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
	bool counts = job->verdict == VERDICT_INCONCLUSIVE && !job->cuts.count && !job->narrowed;
	char *reached = counts ? guarantee(job) : NULL;
	bool walked = json_number_value(json_object_get(json_object_get(job->rungs, "walks"), "walks")) > 0;
	char *plain = text_without(job->reason ? job->reason : "", walked ? ADVICE_WALKS : "");
	char *reason = reached ? text("%s; %s", plain, reached) : NULL;
	if (reason) {
		free(job->reason);
		job->reason = reason;
	}
	free(plain);
	free(reached);
}

static void take_figures(struct job *job)
{
	struct rungs rungs;
	read_rungs(job, &rungs);
	json_decref(job->rungs);
	job->rungs = job->ladder->climbed || job->earlier || job->ladder->bitstate ?
		json_pack("{s:O, s:o}", "bounds", rungs.bounds, "walks", rungs_sum(rungs.batches)) :
		NULL;
	if (job->rungs && job->ladder->bitstate)
		json_object_set(job->rungs, "bitstate", job->ladder->bitstate);
	if (job->rungs && job->ladder->bitstate && job->verdict == VERDICT_VIOLATED)
		json_object_set_new(job->rungs, "found_by", json_string("bitstate"));
	rungs_release(&rungs);
}

void ladder_end(struct job *job)
{
	struct ladder *ladder = job->ladder;
	if (!ladder)
		return;
	if (job->starved && ladder->climber.pid)
		wait_for_climber(ladder);
	stop_climber(ladder);
	take_figures(job);
	if (ladder->status == CLIMB_FOUND && job->verdict == VERDICT_INCONCLUSIVE)
		take_over(job);
	else
		tell_guarantee(job);
	release(&ladder->search);
	release(&ladder->rungs);
	json_decref(ladder->bitstate);
	free(ladder->directory);
	free(ladder);
	job->ladder = NULL;
	job->allotment = NULL;
}
