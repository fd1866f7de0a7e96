/* SPDX-License-Identifier: MIT
 *
 * Running pan and understanding what it says.  pan's exit status says nothing, so its output is read line by line; a line
 * that is not known, or a figure that is missing, is an error of ours, never a verdict.
 */
#include "pan.h"
#include "../../runtime/state/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROCESS_DIED 72 /* exit status of pan: one of its processes was killed (runtime/search/pan/several.c) */
#define TRAIL        64 /* bytes of address space that pan takes for each step of a path, or more */

struct findings {
	bool states, transitions, vector, elapsed; /* figures that were there */
	bool incomplete, too_deep, out_of_memory, interrupted;
	unsigned claim;  /* errors of the never claim's */
	bool in_message; /* the lines of an error message, which the program may have written */
	double errors, megabytes, matched;
	double array;        /* MB that the array of a bitstate search has */
	const char *unknown; /* first line that is not understood */
};

/* How lines begin that say nothing we need, after blanks. */
static const char *const known[] = {
	"(Spin Version",
	"+ Breadth-First Search",
	"+ Multi-Core",
	"Full statespace search for:",
	"Bit statespace search for:",
	"Hash-Compact 4 search for:",
	"never claim ",
	"assertion violations",
	"cycle checks ",
	"invalid end states",
	"hash conflicts:",
	"Stats on memory usage",
	"state-vector as stored =",
	"unreached in ",
	"model.pml:",
	"pan: rate ",
	"pan: wrote ",
	"pan: resizing hashtable",
	"pan: reducing search depth",
	"pan: error writing trailfile",
	"pan: cannot create ",
	"Depth=",
	"hint: to reduce memory",
	"-DCOLLAPSE ",
	"-DMA=",
	"-DHC ",
	"-DBITSTATE ",
	"hash factor:",
	"+ Randomized ",
	"bits set per state:",
	"random seed used:",
	"largest shared memory segment:",
	"the hash table is ",
	"in ", /* so many local heaps, or queues */
	"stop - ",
	"stop (",
	"search terminated ",
	"rate ",
	"recommend recompiling ",
	"pan: using ",
	"pan: releasing shared memory",
	"hash table is full",
	"acceptance ",
	"non-progress ",
};

/* The same, after a number. */
static const char *const known_figures[] = {
	"nominal states",
	"atomic steps",
	"memory used for ",
	"states lost (", /* by several processes: the census has them */
	"shared memory reserved for ",
	"shared memory used for ",
	"total non-shared memory usage",
	"total shared memory usage",
	"other (proc and chan stacks)",
	"memory lost to fragmentation",
	"total actual memory usage",
	"memory usage (Mbyte)",
};

static bool begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

static bool is_known(const char *line)
{
	char *after;
	double figure = strtod(line, &after);
	(void)figure;
	after += strspn(after, " \t");
	for (size_t i = 0; after > line && i < sizeof known_figures / sizeof *known_figures; i++)
		if (begins(after, known_figures[i]))
			return true;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (begins(line, known[i]))
			return true;
	unsigned some, all;
	return line[0] == '\0' || sscanf(line, "(%u of %u states)", &some, &all) == 2 || sscanf(line, "(max size %u", &some) == 1;
}

bool is_claims_error(const char *message)
{
	static const char *const messages[] = {
		"acceptance cycle",
		"assertion violated",
		"claim violated",
		"end state in claim reached",
	};
	message += strspn(message, " ");
	for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
		if (begins(message, messages[i]))
			return true;
	return false;
}

/* A part of an error message?  It begins with "pan:N:", may have several lines, and ends with the depth. */
static bool is_message(struct findings *f, const char *line)
{
	unsigned long n;
	int length = 0;
	if (!f->in_message && (sscanf(line, "pan:%lu:%n", &n, &length) < 1 || length == 0))
		return false;
	if (!f->in_message && is_claims_error(line + length))
		f->claim++;
	f->in_message = !strstr(line, " (at depth ");
	return true;
}

/* Several processes say which of them speaks: "cpu0: ", "cpu01: ", "cpu00 ". */
static char *without_speaker(char *line)
{
	unsigned number;
	int length = 0;
	if (sscanf(line, "cpu%u%n", &number, &length) < 1 || length == 0)
		return line;
	return line + length + strspn(line + length, ": ");
}

static void read_line(struct job *job, struct findings *f, char *line)
{
	double x, y;
	char *rest = without_speaker(line + strspn(line, " \t"));
	if (is_message(f, rest))
		return;
	if (sscanf(rest, "State-vector %*f byte, depth reached %lf, errors: %lf", &x, &y) == 2) {
		job->statistics.depth = x > job->statistics.depth ? x : job->statistics.depth;
		f->errors = y;
		f->vector = true;
	} else if (strstr(rest, " states, stored") && sscanf(rest, "%lf", &x) == 1) {
		job->statistics.states = x;
		f->states = true;
	} else if (strstr(rest, " states, matched") && sscanf(rest, "%lf", &x) == 1) {
		f->matched += x; /* of several processes, too */
	} else if (strstr(rest, " transitions (") && sscanf(rest, "%lf", &x) == 1) {
		job->statistics.transitions = x;
		f->transitions = true;
	} else if (strstr(rest, "memory usage for states") && sscanf(rest, "%lf", &x) == 1) {
		/* "equivalent", then "actual": compressed, but in large chunks */
		f->megabytes = f->megabytes > 0 && f->megabytes < x ? f->megabytes : x;
	} else if (strstr(rest, "memory used for hash array") && sscanf(rest, "%lf", &x) == 1) {
		f->array = x;
	} else if (sscanf(rest, "pan: elapsed time %lf", &x) == 1 || sscanf(rest, "elapsed time %lf", &x) == 1) {
		job->statistics.search_seconds = x;
		f->elapsed = true;
	} else if (begins(rest, "error: max search depth too small")) {
		f->too_deep = true;
	} else if (begins(rest, "Warning: Search not completed")) {
		f->incomplete = true;
	} else if (begins(rest, "pan: out of memory") || strstr(rest, "MEMLIM")) {
		f->out_of_memory = true;
	} else if (begins(rest, "Interrupted")) {
		f->interrupted = true;
	} else if (!is_known(rest) && !f->unknown) {
		f->unknown = rest;
	}
}

static void read_output(struct job *job, struct findings *f, char *output)
{
	char *rest = output, *line;
	while ((line = strsep(&rest, "\n")))
		read_line(job, f, line);
}

/* ---- the VM's result file ------------------------------------------------------------------------------------------ */

/* what made the search incomplete, by the VM's word */
struct limits {
	struct list cuts;      /* reasons to cut paths, with their places; some of them, if there are many */
	double paths, reasons; /* paths cut, and how many reasons there were */
	double taken;          /* steps of several pans that share a set of visited states; 0: see pan's figures */
	double skipped;        /* steps that lead to visited states, which pan was not offered */
	double counted, left;  /* states that several processes have been led to, and of these, those not looked at */
	bool several;          /* ... which there are */
	limit_set met;
	char *stopped;          /* what was going on when the search was stopped; NULL if nothing is worth telling */
	bool finished;          /* its last record was there: none is lost */
	bool own_search;        /* it has searched by itself, pan has only walked */
	double stored, matched; /* pan's counts of states, all digits */
};

static bool met(const struct limits *limits, enum vm_limit limit)
{
	return (limits->met & limit_bit(limit)) != 0;
}

static void limits_release(struct limits *limits)
{
	list_release(&limits->cuts);
	free(limits->stopped);
}

/* What reductions have saved; each process of a search has a record of its own. */
static void add_saved(struct statistics *statistics, const json_t *saved)
{
	for (int i = 0; i < REDUCTIONS; i++) {
		json_t *number = json_object_get(saved, reductions[i].name);
		if (!number)
			continue;
		statistics->saved[i] += (double)json_integer_value(number);
		statistics->reductions |= 1u << i;
	}
}

static void read_limit(struct job *job, const json_t *record, struct limits *limits)
{
	enum vm_limit limit = limit_named(json_string_value(json_object_get(record, "limit")));
	const char *file = json_string_value(json_object_get(record, "file"));
	long long line = json_integer_value(json_object_get(record, "line"));
	char *place = line ? text(" (at %s:%lld)", from_here(file), line) : text("%s", "");
	char *reason = text("%s%s", json_string_value(json_object_get(record, "reason")), place);
	restart_note(job, limit, record);
	bool cuts = limit != LIMIT_PREEMPTIONS && limit != LIMIT_MEMORY && limit != LIMIT_DEPTH && limit != LIMIT_STOPPED;
	if (cuts)
		list_add(&limits->cuts, reason);
	if (limit < VM_LIMITS)
		limits->met |= limit_bit(limit);
	if (limit == LIMIT_STOPPED) {
		free(limits->stopped);
		limits->stopped = reason;
		reason = NULL;
	}
	free(reason);
	free(place);
}

/* Each of several processes has a record with what all have done until then; the last is the one with most states, or, of these,
 * the one with the fewest left. */
static void take_census(struct statistics *s, const json_t *record, struct limits *limits)
{
	double states = (double)json_integer_value(json_object_get(record, "states"));
	double left = (double)json_integer_value(json_object_get(record, "left"));
	if (states < limits->counted || (states == limits->counted && left >= limits->left))
		return;
	s->states = limits->counted = states;
	limits->left = left;
}

static void read_statistics(struct job *job, const json_t *record, struct limits *limits)
{
	struct statistics *s = &job->statistics;
	double resident = (double)json_integer_value(json_object_get(record, "resident"));
	double bytes = (double)json_integer_value(json_object_get(record, "bytes"));
	double whole = (double)json_integer_value(json_object_get(record, "whole"));
	s->resident = resident > s->resident ? resident : s->resident;
	s->whole = whole > s->whole ? whole : s->whole;
	limits->taken += (double)json_integer_value(json_object_get(record, "taken"));
	limits->skipped += (double)json_integer_value(json_object_get(record, "skipped"));
	limits->several = json_object_get(record, "left") != NULL;
	limits->own_search = !limits->several && json_object_get(record, "states");
	s->bytes = limits->several ? (bytes > s->bytes ? bytes : s->bytes) : s->bytes + bytes; /* their table is one */
	if (limits->several)
		take_census(s, record, limits);
	if (limits->own_search) {
		s->states = (double)json_integer_value(json_object_get(record, "states"));
		s->transitions = (double)json_integer_value(json_object_get(record, "transitions"));
		if (json_object_get(record, "depth"))
			s->depth = (double)json_integer_value(json_object_get(record, "depth"));
	}
	add_saved(s, json_object_get(record, "saved"));
	json_decref(job->off);
	job->off = json_incref(json_object_get(record, "off"));
	s->runs += (double)json_integer_value(json_object_get(record, "ends"));
	valuations_add(job, json_object_get(record, "valuations"));
	unsigned threads = (unsigned)json_integer_value(json_object_get(record, "threads"));
	job->threads_used = threads > job->threads_used ? threads : job->threads_used;
	met_add(job, json_object_get(record, "met"));
	limits->stored = (double)json_integer_value(json_object_get(record, "stored"));
	limits->matched = (double)json_integer_value(json_object_get(record, "matched"));
	limits->paths += (double)json_integer_value(json_object_get(record, "cut"));
	limits->reasons += (double)json_integer_value(json_object_get(record, "reasons"));
	if (interrupts_found(job, record))
		limits->met |= limit_bit(LIMIT_INTERRUPTS);
	limits->finished = true;
}

static void take_bound(struct job *job, json_t *record)
{
	json_object_del(record, "type");
	json_array_append(job->bounds, record);
}

/* The search went on from states that another had left. */
static void assume_restored(struct job *job)
{
	char *assumption = text("what is in '%s' is as an earlier run of this search has left it (--checkpoint)",
				job->snapshot ? from_here(job->snapshot) : "");
	assume_at(job, assumption, NULL, 0);
	free(assumption);
}

static void read_record(struct job *job, json_t *record, struct limits *limits)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	if (!type)
		fail("internal error: a result without a type; this is a bug in bitspin, please report it");
	if (strcmp(type, "violation") == 0)
		json_array_append(job->violations, record);
	else if (strcmp(type, "inconclusive") == 0)
		read_limit(job, record, limits);
	else if (strcmp(type, "assumption") == 0)
		assume_at(job, json_string_value(json_object_get(record, "assumption")),
			  json_string_value(json_object_get(record, "file")),
			  (unsigned)json_integer_value(json_object_get(record, "line")));
	else if (strcmp(type, "suppressed") == 0)
		rules_note(job, record);
	else if (strcmp(type, "bound") == 0)
		take_bound(job, record);
	else if (strcmp(type, "restored") == 0)
		assume_restored(job);
	else if (strcmp(type, "statistics") == 0)
		read_statistics(job, record, limits);
}

static void read_results(struct job *job, struct limits *limits)
{
	char *lines = read_file(job->result, NULL), *rest = lines, *line;
	while (rest && (line = strsep(&rest, "\n"))) {
		json_error_t error;
		json_t *record = *line ? json_loads(line, 0, &error) : NULL;
		if (*line && !record && rest) /* the last line may be cut short, where pan was killed */
			fail("internal error: a result that is no JSON: %s; this is a bug in bitspin, please report it", line);
		if (record)
			read_record(job, record, limits);
		json_decref(record);
	}
	free(lines);
}

/* ---- the verdict --------------------------------------------------------------------------------------------------- */

unsigned long memory_limit(const struct options *o)
{
	return o->max_memory ? o->max_memory << 20 : image_usual_memory();
}

static double limit_of(const struct job *job)
{
	return job->options.max_memory || job->memory_limit == 0 ? (double)memory_limit(&job->options) : job->memory_limit;
}

static void conclude(struct job *job, enum verdict verdict, char *reason)
{
	job->verdict = verdict;
	free(job->reason);
	job->reason = reason;
}

static _Noreturn void not_understood(const struct job *job, const char *what, const char *output)
{
	check_space();
	char *kept = text("%s/bitspin-pan-output.%d", temporary_directory(), (int)getpid());
	char *errors_path = text("%s/pan.err", job->work), *errors = read_file(errors_path, NULL);
	char *all = text("%s%s", output ? output : "", errors ? errors : "");
	if (!write_file(kept, all, strlen(all)))
		fail("internal error: pan's output is not understood (%s), and cannot be kept in '%s': %s", what, kept,
		     strerror(errno));
	fail("internal error: pan's output is not understood (%s); this is a bug in bitspin, please report it with the file '%s'",
	     what, kept);
}

/* Did the search end by itself, with nothing left out but schedules with more preemptions? */
static bool was_complete(const struct findings *f, const struct limits *limits, enum process_end end)
{
	return end == PROCESS_EXITED && !limits->cuts.count && !met(limits, LIMIT_MEMORY) && !f->out_of_memory && !f->too_deep &&
		!f->incomplete && !f->interrupted;
}

static char *bound_reason(size_t preemptions)
{
	char *within = bounds_in_words(preemptions), *reason = text("no violation %s", within);
	free(within);
	return reason;
}

/* What cut paths: the first reason, and how many more. */
static char *cut_reason(const struct limits *limits)
{
	double more = limits->reasons - 1;
	char *others = more > 0 ? text("; and %.0f more limit%s", more, more > 1 ? "s" : "") : text("%s", "");
	char *paths = limits->paths > 1 ? text("; %.0f paths were cut", limits->paths) : text("%s", "");
	char *reason = text("%s%s%s", limits->cuts.items[0], others, paths);
	free(others);
	free(paths);
	return reason;
}

/* Could there be more numbers for objects of malloc? */
static bool has_room(const struct job *job)
{
	return !job->many || (!job->fewest && !job->options.threads && job->threads_used < job->threads);
}

/* SCALE's filters together miss violations (tests/bench/scale/missed.c). */
static bool misses_violations(const struct options *o)
{
	return o->identity == IDENTITY_SCALE && (o->reductions & REDUCTION_SUPERSTEPS);
}

/* What ended a search early, or cut paths of it, though it was to find all; NULL: nothing. */
static char *what_cut(const struct job *job, const struct findings *f, const struct limits *limits, enum process_end end,
		      unsigned long depth)
{
	unsigned long seconds = job->options.max_time;
	if (end == PROCESS_TIMED_OUT && seconds)
		return text("time limit of %lu second%s reached", seconds, plural((double)seconds));
	if (end == PROCESS_INTERRUPTED)
		return text("interrupted");
	if (f->out_of_memory || met(limits, LIMIT_MEMORY))
		return text("memory limit of %.0f MB reached", limit_of(job) / MEGABYTE);
	if (limits->cuts.count)
		return cut_reason(limits);
	if (f->too_deep)
		return text("depth limit %lu reached", depth);
	if (!was_complete(f, limits, end))
		return text("pan did not complete it");
	return is_partial(&job->options) ? text("--search %s leaves states out", job->options.value[OPT_SEARCH]) : NULL;
}

static enum search_end judge(struct job *job, const struct findings *f, const struct limits *limits, enum process_end end,
			     int status, unsigned long depth, bool more_threads)
{
	const struct options *o = &job->options;
	char *unknown;
	job->cut = false;
	job->starved = f->out_of_memory || met(limits, LIMIT_MEMORY);
	if (end != PROCESS_EXITED && restart_casts_doubt(limits->met))
		json_array_clear(job->violations); /* there was no time to begin again */
	job->complete = json_array_size(job->violations) || was_complete(f, limits, end);
	if (end == PROCESS_EXITED && restart(job, limits->met))
		return SEARCH_AGAIN;
	free(job->cut_short);
	job->cut_short = job->options.all && json_array_size(job->violations) ? what_cut(job, f, limits, end, depth) : NULL;
	if (json_array_size(job->violations))
		conclude(job, VERDICT_VIOLATED, NULL);
	else if (end == PROCESS_INTERRUPTED)
		conclude(job, VERDICT_INCONCLUSIVE,
			 text("interrupted after %.0f state%s", job->statistics.states, plural(job->statistics.states)));
	else if (end == PROCESS_STOPPED) /* by the ladder, which knows why */
		conclude(job, VERDICT_INCONCLUSIVE,
			 text("stopped after %.0f state%s", job->statistics.states, plural(job->statistics.states)));
	else if (end == PROCESS_TIMED_OUT)
		conclude(job, VERDICT_INCONCLUSIVE,
			 text("time limit of %lu second%s reached after %.0f state%s%s%s", o->max_time, plural((double)o->max_time),
			      job->statistics.states, plural(job->statistics.states), limits->stopped ? "; " : "",
			      limits->stopped ? limits->stopped : ""));
	else if (met(limits, LIMIT_THREADS) && more_threads)
		return SEARCH_MORE_THREADS;
	else if (is_by_several(job) && end == PROCESS_EXITED && status == PROCESS_DIED)
		conclude(job, VERDICT_INCONCLUSIVE, text("a process of the search was killed, perhaps for want of memory"));
	else if (f->out_of_memory || met(limits, LIMIT_MEMORY))
		conclude(job, VERDICT_INCONCLUSIVE,
			 text("memory limit of %.0f MB reached after %.0f state%s" ADVICE_MEMORY ADVICE_WALKS,
			      limit_of(job) / MEGABYTE, job->statistics.states, plural(job->statistics.states)));
	else if (f->too_deep && !o->max_depth && depth < MOST_DEPTH)
		return SEARCH_MORE_DEPTH;
	else if (met(limits, LIMIT_HEAP_OBJECTS) && has_room(job))
		return SEARCH_MORE_OBJECTS;
	else if (limits->cuts.count)
		conclude(job, VERDICT_INCONCLUSIVE, cut_reason(limits));
	else if (f->too_deep)
		conclude(job, VERDICT_INCONCLUSIVE, text("depth limit %lu reached", depth));
	else if (is_by_several(job) && (!limits->several || limits->left > 0))
		conclude(job, VERDICT_INCONCLUSIVE,
			 text("no violation, but of %.0f states %.0f were lost between the processes; search without --cores",
			      limits->counted, limits->left));
	else if (f->incomplete || f->interrupted || f->errors > 0)
		conclude(job, VERDICT_INCONCLUSIVE, text("pan did not complete the search"));
	else if ((job->cut = met(limits, LIMIT_PREEMPTIONS)))
		conclude(job, VERDICT_INCONCLUSIVE, bound_reason(job->bound));
	else if ((job->cut = misses_violations(o)))
		conclude(job, VERDICT_INCONCLUSIVE, text("SCALE finds no violation, but with super-steps it can miss one"));
	else if (is_partial(o) && !job->formula)
		conclude(job, VERDICT_INCONCLUSIVE, partial_reason(job));
	else if (job->narrowed)
		conclude(job, VERDICT_INCONCLUSIVE, text("no violation found, but only a few values were tried of %s", job->input));
	else if ((unknown = what_is_unknown(job)))
		conclude(job, VERDICT_INCONCLUSIVE, unknown);
	else
		conclude(job, VERDICT_VERIFIED, NULL);
	return SEARCH_DONE;
}

/* Of a search that did not get as far as earlier ones. */
static void add_earlier_bounds(struct job *job)
{
	struct rungs rungs;
	if (!job->options.bounded || job->formula)
		return;
	rungs_read(&rungs, job->work, RUNGS_OF_SEARCH);
	resume_add(job, &rungs);
	for (size_t i = json_array_size(job->bounds); i < json_array_size(rungs.bounds); i++)
		json_array_append(job->bounds, json_array_get(rungs.bounds, i));
	rungs_release(&rungs);
}

/* A search that was stopped says up to which bound it had found nothing. */
static void tell_coverage(struct job *job, const struct limits *limits)
{
	size_t bounds = json_array_size(job->bounds);
	if (job->verdict != VERDICT_INCONCLUSIVE || job->cut || job->narrowed || bounds == 0 || limits->cuts.count ||
	    met(limits, LIMIT_DEPTH))
		return;
	char *reached = bound_reason(bounds - 1), *remark = resume_remark(job);
	conclude(job, VERDICT_INCONCLUSIVE, text("%s; %s%s", job->reason, reached, remark));
	free(reached);
	free(remark);
}

/* Of a search that has told states apart by a hash: what that has covered.  One that was stopped does not say so yet. */
static void tell_told_apart(struct job *job)
{
	json_decref(job->coverage);
	job->coverage = NULL;
	if (!is_partial(&job->options) || job->formula || job->verdict != VERDICT_INCONCLUSIVE || job->statistics.states <= 0)
		return;
	struct coverage coverage = coverage_of(job);
	job->coverage = coverage_json(&coverage);
	char *apart = coverage_in_part(&coverage);
	if (!job->complete)
		conclude(job, VERDICT_INCONCLUSIVE, text("%s; %s", job->reason, apart));
	free(apart);
}

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
	if (!job->options.quiet)
		progress_look(job->progress, ladder_reached, job);
	resume_look(job);
	explain_keep_time_back(job);
	return ladder_look(job);
}

static void pan_arguments(const struct job *job, const char *pan, unsigned long depth, struct list *argv)
{
	list_add(argv, pan);
	list_addf(argv, "-m%lu", depth);
	search_arguments(job, argv);
	if (job->formula || job->options.all)
		list_add(argv, job->formula ? "-a" : "-e");
	if (!job->formula && job->options.all)
		list_add(argv, "-c0");
}

/* The bounds that the VM is to report are those of this image. */
static void name_image(const struct job *job)
{
	char *image = image_identity(job), *line = text("{\"type\":\"" RUNGS_IMAGE "\",\"image\":\"%s\"}\n", image);
	if (!write_file(job->result, line, strlen(line)))
		fail("cannot write '%s': %s", job->result, strerror(errno));
	free(image);
	free(line);
}

/* Where a search from bound to bound is to keep its states, and of what they are; "": it is not to. */
static const char *snapshot_of(const struct job *job)
{
	const struct options *o = &job->options;
	bool kept = job->snapshot && o->bounded && o->identity == IDENTITY_STATE && !o->all && !o->output && !job->formula;
	return kept ? job->snapshot : "";
}

static char *image_of_snapshot(const struct job *job)
{
	char *image = *snapshot_of(job) ? image_identity(job) : text("%s", ""), *of = text("BITSPIN_CHECKPOINT_OF=%s", image);
	free(image);
	return of;
}

/* The limit on address space is a last resort: the VM looks at what is in use. */
static enum process_end run_pan(struct job *job, const char *pan, unsigned long depth, bool more_threads, const char *output,
				int *status)
{
	const struct options *o = &job->options;
	char *image = text("BITSPIN_IMAGE=%s", job->image), *result = text("BITSPIN_RESULT=%s", job->result);
	char *cores = text("BITSPIN_CORES=%lu", is_by_several(job) ? o->cores : 1);
	char *printed = text("%s/output", job->work), *print = text("BITSPIN_OUTPUT=%s", o->output ? printed : "");
	struct list argv = { 0 };
	pan_arguments(job, pan, depth, &argv);
	const char *more = more_threads ? "BITSPIN_MORE_THREADS=yes" : "BITSPIN_MORE_THREADS=";
	char *memory = text("BITSPIN_MEMORY=%s", job->allotment ? job->allotment : "");
	struct progress *progress = job->progress = progress_begin(job);
	char *figures = text("BITSPIN_PROGRESS=%s", progress_path(progress));
	char *snapshot = text("BITSPIN_CHECKPOINT=%s", snapshot_of(job)), *of = image_of_snapshot(job);
	const char *const environment[] = { image, result, print, more, memory, cores, figures, snapshot, of, NULL };
	struct process process = {
		.argv = (const char *const *)argv.items,
		.directory = job->work,
		.output = output,
		.errors = text("%s/pan.err", job->work),
		.environment = environment,
		.address_space = 10 * memory_limit(o) + (320ul << 20) + depth * TRAIL + file_size(job->image),
	};
	if (strstr(pan_compiler(), "-fsanitize") || is_by_several(job)) /* their shadow, and what they share, takes terabytes */
		process.address_space = 0;
	if (is_by_several(job))
		several_forget_trails(job);
	unlink(job->result);
	unlink(printed); /* of a search that has begun again, only the last time counts */
	if (o->bounded)
		name_image(job);
	job->told = 0;
	job->told_states = job->bound && o->identity != IDENTITY_STATE ? job->told_states : 0;
	process.meanwhile = meanwhile;
	process.context = job;
	echo_remark("at most %.0f MB of memory", (double)memory_limit(o) / MEGABYTE);
	enum process_end end = process_run(&process, status);
	progress_take(progress, &job->statistics); /* in case that there are no others */
	if (progress_limit(progress) > 0)
		job->memory_limit = progress_limit(progress);
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

static _Noreturn void pan_died(const struct job *job, int status)
{
	char *path = text("%s/pan.err", job->work), *said = read_file(path, NULL);
	fail("internal error: pan died of signal %d%s%.*s; this is a bug in bitspin, please report it", status,
	     said && *said ? ": " : "", said ? (int)strcspn(said, "\n") : 0, said ? said : "");
}

/* pan said all that it says at the end, the VM too, and they agree; else there is no verdict. */
static void check_complete(const struct job *job, const struct findings *f, const struct limits *limits, const char *output)
{
	if (f->unknown)
		not_understood(job, f->unknown, output);
	if (!f->states || !f->transitions || !f->vector || !f->elapsed) {
		char *path = text("%s/pan.err", job->work), *said = read_file(path, NULL);
		if (said && begins(said, "bitspin: ")) /* the VM could not start */
			fail("%.*s", (int)strcspn(said + 9, "\n"), said + 9);
		not_understood(job, "its statistics are missing", output);
	}
	if (!limits->finished)
		not_understood(job, "its results are missing", output);
	if (is_by_several(job))
		return; /* each may have found something, and be killed then */
	if (f->errors != (double)json_array_size(job->violations) + f->claim || (f->claim && !job->formula))
		not_understood(job, "its errors are not those of the program", output);
}

/* What pan has for states, beside the VM's table.  A bitstate search has its array; "equivalent" is what it has not.  Of an array,
 * no more is in memory than what has been touched. */
static void add_memory_of_pan(struct job *job, const struct findings *f)
{
	struct statistics *s = &job->statistics;
	s->bytes += (job->options.search == SEARCH_BITSTATE ? f->array : f->megabytes) * MEGABYTE;
	if (job->options.search == SEARCH_BITSTATE && s->resident > 0 && s->bytes > s->resident)
		s->bytes = s->resident;
}

/* pan prints eight digits of a count, as "%.8g".  Has this one more of the same? */
static void take_digits(double *shown, double exact)
{
	char eight[32];
	snprintf(eight, sizeof eight, "%.8g", exact);
	if (strtod(eight, NULL) == *shown)
		*shown = exact;
}

static void take_counts(struct statistics *s, struct findings *f, const struct limits *limits)
{
	take_digits(&s->states, limits->stored);
	take_digits(&s->transitions, limits->stored + limits->matched);
	take_digits(&f->matched, limits->matched);
}

enum search_end search_run(struct job *job, const char *pan, unsigned long depth, bool more_threads)
{
	int status;
	char *path = text("%s/pan.out", job->work);
	struct findings findings = { 0 };
	struct limits limits = { 0 };
	memset(job->statistics.saved, 0, sizeof job->statistics.saved);
	job->statistics.reductions = 0;
	job->statistics.walks = job->statistics.unfinished = job->statistics.steps = 0;
	job->statistics.bytes = job->statistics.runs = job->statistics.resident = job->statistics.whole = 0;
	job->statistics.depth = 0;
	valuations_forget(job);
	json_array_clear(job->violations);
	json_array_clear(job->bounds);
	if (!job->formula)
		met_forget(job);
	if (job->options.search == SEARCH_RANDOM && !job->formula)
		return walks_search(job, more_threads);
	enum process_end end = run_pan(job, pan, depth, more_threads, path, &status);
	if (end == PROCESS_STOPPED && ladder_has_verified(job, &path)) {
		end = PROCESS_EXITED;
		status = 0;
	}
	char *output = read_file(path, NULL), *copy = text("%s", output ? output : "");
	read_output(job, &findings, copy);
	read_results(job, &limits);
	take_counts(&job->statistics, &findings, &limits);
	findings.too_deep |= met(&limits, LIMIT_DEPTH);
	if (!limits.own_search && !model_keeps_visited(job))
		add_memory_of_pan(job, &findings);
	if (limits.taken > 0)
		job->statistics.transitions = limits.taken + 1; /* as pan counts: to the first state, too */
	job->statistics.transitions += limits.skipped;
	/* Where the search stopped at a violation, the path to it is one more. */
	job->statistics.runs += findings.matched + limits.skipped + (!job->options.all && json_array_size(job->violations));
	bool found = json_array_size(job->violations) > 0, several = is_by_several(job);
	if (end == PROCESS_SIGNALLED && !findings.out_of_memory && !(several && found))
		pan_died(job, status);
	if (end == PROCESS_NOT_FOUND || (end == PROCESS_EXITED && status == 126))
		fail("cannot start the verifier '%s'", pan);
	/* A limit ends pan. */
	bool early = findings.out_of_memory || met(&limits, LIMIT_MEMORY) || restart_is_called_for(limits.met) ||
		(met(&limits, LIMIT_THREADS) && more_threads);
	early = early || (several && (found || status == PROCESS_DIED));
	if (end == PROCESS_EXITED && !early)
		check_complete(job, &findings, &limits, output);
	for (unsigned i = 0; i < findings.claim; i++) /* what it is, the replay will tell */
		json_array_append_new(job->violations, json_pack("{s:s, s:s, s:i}", "kind", "ltl", "message", "", "line", 0));
	enum search_end what = judge(job, &findings, &limits, end, status, depth, more_threads);
	if (what == SEARCH_DONE && several && found && !several_choose_violation(job, pan)) {
		json_array_clear(job->violations);
		conclude(job, VERDICT_INCONCLUSIVE,
			 text("a violation was found, but its schedule was lost; search without --cores"));
	}
	if (what == SEARCH_DONE)
		add_earlier_bounds(job);
	if (what == SEARCH_DONE) {
		tell_coverage(job, &limits);
		tell_told_apart(job);
	}
	list_release(&job->cuts);
	job->cuts = limits.cuts;
	job->paths_cut = limits.paths;
	limits.cuts = (struct list){ 0 };
	limits_release(&limits);
	free(output);
	free(copy);
	free(path);
	return what;
}
