/* SPDX-License-Identifier: MIT
 *
 * Running pan and understanding what it says.  pan's exit status tells nothing, so its output is read line by line; a line
 * that is not known, or a figure that is missing, is an error of ours, never a verdict.
 */
#include "glue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MEGABYTE 1048576.0

struct findings {
	bool states, transitions, vector, elapsed; /* figures that were there */
	bool incomplete, too_deep, out_of_memory, interrupted;
	unsigned claim;      /* errors of the never claim's */
	bool in_message;     /* the lines of an error message, which the program may have written */
	double errors, megabytes, matched;
	const char *unknown; /* first line that is not understood */
};

/* How lines begin that say nothing we need, after blanks. */
static const char *const known[] = {
	"(Spin Version", "+ Breadth-First Search", "Full statespace search for:", "never claim ", "assertion violations",
	"cycle checks ", "invalid end states", "hash conflicts:", "Stats on memory usage", "state-vector as stored =",
	"unreached in ", "model.pml:", "pan: rate ", "pan: wrote ", "pan: resizing hashtable", "pan: reducing search depth",
	"pan: error writing trailfile", "pan: cannot create ", "Depth=", "hint: to reduce memory", "-DCOLLAPSE ", "-DMA=", "-DHC ",
	"-DBITSTATE ", "acceptance ", "non-progress ",
};

/* The same, after a number. */
static const char *const known_figures[] = {
	"nominal states", "atomic steps", "memory used for ",
	"other (proc and chan stacks)", "memory lost to fragmentation", "total actual memory usage", "memory usage (Mbyte)",
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
	return line[0] == '\0' || sscanf(line, "(%u of %u states)", &some, &all) == 2 ||
		sscanf(line, "(max size %u", &some) == 1;
}

/* An error that the never claim makes, not the VM? */
static bool is_claims(const char *message)
{
	static const char *const messages[] = {
		"acceptance cycle", "assertion violated", "claim violated", "end state in claim reached",
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
	if (!f->in_message && is_claims(line + length))
		f->claim++;
	f->in_message = !strstr(line, " (at depth ");
	return true;
}

static void read_line(struct job *job, struct findings *f, char *line)
{
	double x, y;
	char *rest = line + strspn(line, " \t");
	if (is_message(f, rest))
		return;
	if (sscanf(rest, "State-vector %*f byte, depth reached %lf, errors: %lf", &x, &y) == 2) {
		job->statistics.depth = x;
		f->errors = y;
		f->vector = true;
	} else if (strstr(rest, " states, stored") && sscanf(rest, "%lf", &x) == 1) {
		job->statistics.states = x;
		f->states = true;
	} else if (strstr(rest, " states, matched") && sscanf(rest, "%lf", &x) == 1) {
		f->matched = x;
	} else if (strstr(rest, " transitions (") && sscanf(rest, "%lf", &x) == 1) {
		job->statistics.transitions = x;
		f->transitions = true;
	} else if (strstr(rest, "memory usage for states") && sscanf(rest, "%lf", &x) == 1) {
		/* "equivalent", then "actual": compressed, but in large chunks */
		f->megabytes = f->megabytes > 0 && f->megabytes < x ? f->megabytes : x;
	} else if (sscanf(rest, "pan: elapsed time %lf", &x) == 1) {
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

struct limit { /* what made the search incomplete, by the VM's word */
	char *name, *reason;
	bool finished; /* its last record was there: none is lost */
};

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

static void take_valuations(struct job *job, const json_t *valuations)
{
	job->valuations_known = valuations != NULL;
	job->nvaluations = json_array_size(valuations);
	job->valuations = realloc(job->valuations, (job->nvaluations + 1) * sizeof *job->valuations);
	if (!job->valuations)
		BUG("out of memory");
	for (size_t i = 0; i < job->nvaluations; i++)
		job->valuations[i] = (uint64_t)json_integer_value(json_array_get(valuations, i));
}

static void read_record(struct job *job, json_t *record, struct limit *limit)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	if (!type)
		fail("internal error: a result without a type; this is a bug in bitspin, please report it");
	if (strcmp(type, "violation") == 0) {
		json_array_append(job->violations, record);
	} else if (strcmp(type, "inconclusive") == 0) {
		free(limit->name);
		free(limit->reason);
		limit->name = text("%s", json_string_value(json_object_get(record, "limit")));
		const char *file = json_string_value(json_object_get(record, "file"));
		long long line = json_integer_value(json_object_get(record, "line"));
		char *place = line ? text(" (at %s:%lld)", from_here(file), line) : text("%s", "");
		limit->reason = text("%s%s", json_string_value(json_object_get(record, "reason")), place);
		free(place);
	} else if (strcmp(type, "statistics") == 0) {
		job->statistics.bytes += (double)json_integer_value(json_object_get(record, "bytes"));
		add_saved(&job->statistics, json_object_get(record, "saved"));
		job->statistics.runs += (double)json_integer_value(json_object_get(record, "ends"));
		take_valuations(job, json_object_get(record, "valuations"));
		unsigned threads = (unsigned)json_integer_value(json_object_get(record, "threads"));
		job->threads_used = threads > job->threads_used ? threads : job->threads_used;
		limit->finished = true;
	}
}

static void read_results(struct job *job, struct limit *limit)
{
	char *lines = read_file(job->result, NULL), *rest = lines, *line;
	while (rest && (line = strsep(&rest, "\n"))) {
		json_error_t error;
		json_t *record = *line ? json_loads(line, 0, &error) : NULL;
		if (*line && !record && rest) /* the last line may be cut short, where pan was killed */
			fail("internal error: a result that is no JSON: %s; this is a bug in bitspin, please report it", line);
		if (record)
			read_record(job, record, limit);
		json_decref(record);
	}
	free(lines);
}

/* ---- the verdict --------------------------------------------------------------------------------------------------- */

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
		fail("internal error: pan's output is not understood (%s), and cannot be kept in '%s': %s", what, kept, strerror(errno));
	fail("internal error: pan's output is not understood (%s); this is a bug in bitspin, please report it with the file '%s'",
	     what, kept);
}

/* Did the search end by itself, with nothing left out but schedules with more preemptions? */
static bool was_complete(const struct findings *f, const struct limit *limit, enum process_end end)
{
	bool limited = limit->name && strcmp(limit->name, "preemptions") != 0;
	return end == PROCESS_EXITED && !limited && !f->out_of_memory && !f->too_deep && !f->incomplete && !f->interrupted;
}

static enum search_end judge(struct job *job, const struct findings *f, const struct limit *limit, enum process_end end,
			     unsigned long depth)
{
	const struct options *o = &job->options;
	job->cut = false;
	job->complete = json_array_size(job->violations) || was_complete(f, limit, end);
	if (json_array_size(job->violations))
		conclude(job, VERDICT_VIOLATED, NULL);
	else if (end == PROCESS_INTERRUPTED)
		conclude(job, VERDICT_INCONCLUSIVE, text("interrupted after %.0f states", job->statistics.states));
	else if (end == PROCESS_TIMED_OUT)
		conclude(job, VERDICT_INCONCLUSIVE, text("time limit of %lu seconds reached after %.0f states", o->max_time,
								 job->statistics.states));
	else if (limit->name && strcmp(limit->name, "threads") == 0) {
		conclude(job, VERDICT_INCONCLUSIVE, text("%s", limit->reason));
		return SEARCH_MORE_THREADS;
	} else if (f->out_of_memory || (limit->name && strcmp(limit->name, "memory") == 0))
		conclude(job, VERDICT_INCONCLUSIVE, text("memory limit reached%s", o->max_memory ? "; allow more with --max-memory" : ""));
	else if (limit->name && strcmp(limit->name, "preemptions") != 0)
		conclude(job, VERDICT_INCONCLUSIVE, text("%s", limit->reason));
	else if (f->too_deep && !o->max_depth)
		return SEARCH_MORE_DEPTH;
	else if (f->too_deep)
		conclude(job, VERDICT_INCONCLUSIVE, text("depth limit %lu reached", depth));
	else if (f->incomplete || f->interrupted || f->errors > 0)
		conclude(job, VERDICT_INCONCLUSIVE, text("pan did not complete the search"));
	else if ((job->cut = limit->name != NULL))
		conclude(job, VERDICT_INCONCLUSIVE, text("no violation with up to %u preemption%s", job->bound,
							 job->bound == 1 ? "" : "s"));
	else if (job->narrowed)
		conclude(job, VERDICT_INCONCLUSIVE, text("no violation found, but only a few of the possible inputs were tried"));
	else
		conclude(job, VERDICT_VERIFIED, NULL);
	return SEARCH_DONE;
}

/* Of --max-time, what earlier runs have left; 0: no limit. */
static unsigned long seconds_left(const struct job *job)
{
	const struct options *o = &job->options;
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	unsigned long spent = (unsigned long)(t.tv_sec - job->started.tv_sec);
	return !o->max_time ? 0 : spent < o->max_time ? o->max_time - spent : 1;
}

static unsigned long memory_of_machine(void)
{
	return (unsigned long)sysconf(_SC_PHYS_PAGES) * (unsigned long)sysconf(_SC_PAGESIZE);
}

static enum process_end run_pan(const struct job *job, const char *pan, unsigned long depth, const char *output, int *status)
{
	const struct options *o = &job->options;
	char *m = text("-m%lu", depth), *image = text("BITSPIN_IMAGE=%s", job->image), *result = text("BITSPIN_RESULT=%s", job->result);
	char *absolute = o->output ? realpath(o->output, NULL) : NULL, *print = text("BITSPIN_OUTPUT=%s", absolute ? absolute : "");
	const char *argv[] = { pan, m, "-w21", job->formula ? "-a" : o->all ? "-e" : NULL, job->formula ? NULL : "-c0", NULL };
	const char *const environment[] = { image, result, print, NULL };
	unsigned long room = o->max_memory ? o->max_memory << 20 : memory_of_machine() / 2;
	struct process process = {
		.argv = argv, .directory = job->work, .output = output, .errors = text("%s/pan.err", job->work), .environment = environment,
		.seconds = seconds_left(job), .address_space = 2 * room + (320ul << 20) + depth * 64,
	};
	if (strstr(pan_compiler(), "-fsanitize")) /* their shadow takes terabytes */
		process.address_space = 0;
	unlink(job->result);
	enum process_end end = process_run(&process, status);
	free((char *)process.errors);
	free(m);
	free(image);
	free(result);
	free(print);
	free(absolute);
	return end;
}

static _Noreturn void pan_died(const struct job *job, int status)
{
	char *path = text("%s/pan.err", job->work), *said = read_file(path, NULL);
	fail("internal error: pan died of signal %d%s%.*s; this is a bug in bitspin, please report it", status,
	     said && *said ? ": " : "", said ? (int)strcspn(said, "\n") : 0, said ? said : "");
}

/* pan said all that it says at the end, the VM too, and they agree; else there is no verdict. */
static void check_complete(const struct job *job, const struct findings *f, const struct limit *limit, const char *output)
{
	if (f->unknown)
		not_understood(job, f->unknown, output);
	if (!f->states || !f->transitions || !f->vector || !f->elapsed) {
		char *path = text("%s/pan.err", job->work), *said = read_file(path, NULL);
		if (said && begins(said, "bitspin: ")) /* the VM could not start */
			fail("%.*s", (int)strcspn(said + 9, "\n"), said + 9);
		not_understood(job, "its statistics are missing", output);
	}
	if (!limit->finished)
		not_understood(job, "its results are missing", output);
	if (f->errors != (double)json_array_size(job->violations) + f->claim || (f->claim && !job->formula))
		not_understood(job, "its errors are not those of the program", output);
}

enum search_end search_run(struct job *job, const char *pan, unsigned long depth)
{
	int status;
	char *path = text("%s/pan.out", job->work);
	struct findings findings = { 0 };
	struct limit limit = { 0 };
	memset(job->statistics.saved, 0, sizeof job->statistics.saved);
	job->statistics.reductions = 0;
	job->statistics.bytes = job->statistics.runs = 0;
	json_array_clear(job->violations);
	if (!job->started.tv_sec)
		clock_gettime(CLOCK_MONOTONIC, &job->started);
	enum process_end end = run_pan(job, pan, depth, path, &status);
	char *output = read_file(path, NULL), *copy = text("%s", output ? output : "");
	read_output(job, &findings, copy);
	read_results(job, &limit);
	job->statistics.bytes += findings.megabytes * MEGABYTE;
	/* Where the search stopped at a violation, the path to it is one more. */
	job->statistics.runs += findings.matched + (!job->options.all && json_array_size(job->violations));
	if (end == PROCESS_SIGNALLED && !findings.out_of_memory)
		pan_died(job, status);
	if (end == PROCESS_NOT_FOUND || (end == PROCESS_EXITED && status == 126))
		fail("cannot start the verifier '%s'", pan);
	if (end == PROCESS_EXITED && !findings.out_of_memory && !limit.name) /* a limit may end pan before its time */
		check_complete(job, &findings, &limit, output);
	for (unsigned i = 0; i < findings.claim; i++) /* what it is, the replay will tell */
		json_array_append_new(job->violations, json_pack("{s:s, s:s, s:i}", "kind", "ltl", "message", "", "line", 0));
	enum search_end what = judge(job, &findings, &limit, end, depth);
	free(limit.name);
	free(limit.reason);
	free(output);
	free(copy);
	free(path);
	return what;
}
