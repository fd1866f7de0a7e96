/* SPDX-License-Identifier: MIT
 *
 * Running pan and understanding what it says.  pan's exit status tells nothing, so its output is read line by line; a line
 * that is not known, or a figure that is missing, is an error of ours, never a verdict.
 */
#include "glue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEGABYTE 1048576.0

struct findings {
	bool states, transitions, vector, elapsed; /* figures that were there */
	bool incomplete, too_deep, out_of_memory, interrupted;
	double errors, megabytes;
	const char *unknown; /* first line that is not understood */
};

/* Lines that say nothing we need. */
static const char *const known[] = {
	"(Spin Version", "Full statespace search", "Bit statespace",
	"never claim", "assertion violations", "acceptance", "cycle checks",
	"invalid end states", "atomic steps", "hash conflicts:", "Stats on memory", "equivalent memory usage", "state-vector as stored",
	"memory used for", "other (proc and chan", "total actual memory", "unreached in", "(0 of", "(1 of", "model.pml:", "pan: rate",
	"pan: wrote", "pan:", "+ Using", "states, matched", "nominal states", "states, stored (", "+ Breadth-First", "(max size",
	"nr of", "memory lost", "rate ", "resizing hashtable", "Depth=", "pan: elapsed", "real", "usecs", "max depth", "+ ",
	"hint:", "(not selected", "bitspin:", "state ", "-end-", "lost",
};

static bool is_known(const char *line)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strstr(line, known[i]))
			return true;
	/* "\t(of 28 states)" and its like */
	return line[0] == '(' || line[0] == '\0';
}

static void read_line(struct job *job, struct findings *f, char *line)
{
	double x, y;
	char *rest = line + strspn(line, " \t");
	if (sscanf(rest, "State-vector %*f byte, depth reached %lf, errors: %lf", &x, &y) == 2) {
		job->statistics.depth = x;
		f->errors = y;
		f->vector = true;
	} else if (strstr(rest, " states, stored") && sscanf(rest, "%lf", &x) == 1) {
		job->statistics.states = x;
		f->states = true;
	} else if (strstr(rest, " transitions (") && sscanf(rest, "%lf", &x) == 1) {
		job->statistics.transitions = x;
		f->transitions = true;
	} else if (strstr(rest, "memory usage for states") && sscanf(rest, "%lf", &x) == 1) {
		/* "equivalent", then "actual": compressed, but in large chunks */
		f->megabytes = f->megabytes > 0 && f->megabytes < x ? f->megabytes : x;
	} else if (sscanf(rest, "pan: elapsed time %lf", &x) == 1) {
		job->statistics.search_seconds = x;
		f->elapsed = true;
	} else if (strstr(rest, "max search depth too small")) {
		f->too_deep = true;
	} else if (strstr(rest, "Search not completed")) {
		f->incomplete = true;
	} else if (strstr(rest, "out of memory") || strstr(rest, "MEMLIM")) {
		f->out_of_memory = true;
	} else if (strncmp(rest, "Interrupted", 11) == 0) {
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
};

static void read_record(struct job *job, json_t *record, struct limit *limit)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	if (!type)
		BUG("a result without a type");
	if (strcmp(type, "violation") == 0) {
		json_array_append(job->violations, record);
	} else if (strcmp(type, "inconclusive") == 0) {
		free(limit->name);
		free(limit->reason);
		limit->name = text("%s", json_string_value(json_object_get(record, "limit")));
		limit->reason = text("%s", json_string_value(json_object_get(record, "reason")));
	} else if (strcmp(type, "statistics") == 0) {
		job->statistics.bytes += (double)json_integer_value(json_object_get(record, "bytes"));
	}
}

static void read_results(struct job *job, struct limit *limit)
{
	char *lines = read_file(job->result, NULL), *rest = lines, *line;
	while (rest && (line = strsep(&rest, "\n"))) {
		json_error_t error;
		json_t *record = *line ? json_loads(line, 0, &error) : NULL;
		if (*line && !record)
			BUG("a result that is no JSON: %s", line);
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
	char *kept = text("%s/bitspin-pan-output.%d", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid());
	if (!write_file(kept, output, strlen(output)))
		kept[0] = '\0';
	(void)job;
	fail("internal error: pan's output is not understood (%s); this is a bug in bitspin, please report it with the file '%s'",
	     what, kept);
}

static enum search_end judge(struct job *job, const struct findings *f, const struct limit *limit, enum process_end end,
			     unsigned long depth)
{
	const struct options *o = &job->options;
	if (json_array_size(job->violations))
		conclude(job, VERDICT_VIOLATED, NULL);
	else if (end == PROCESS_INTERRUPTED)
		conclude(job, VERDICT_INCONCLUSIVE, text("interrupted after %.0f states", job->statistics.states));
	else if (end == PROCESS_TIMED_OUT)
		conclude(job, VERDICT_INCONCLUSIVE, text("time limit of %lu seconds reached after %.0f states", o->max_time,
								 job->statistics.states));
	else if (limit->name && strcmp(limit->name, "threads") == 0)
		return SEARCH_MORE_THREADS;
	else if (f->out_of_memory || (limit->name && strcmp(limit->name, "memory") == 0))
		conclude(job, VERDICT_INCONCLUSIVE, text("memory limit reached%s", o->max_memory ? "; allow more with --max-memory" : ""));
	else if (limit->name)
		conclude(job, VERDICT_INCONCLUSIVE, text("%s", limit->reason));
	else if (f->too_deep && !o->max_depth)
		return SEARCH_MORE_DEPTH;
	else if (f->too_deep)
		conclude(job, VERDICT_INCONCLUSIVE, text("depth limit %lu reached", depth));
	else if (f->incomplete || f->interrupted || f->errors > 0)
		conclude(job, VERDICT_INCONCLUSIVE, text("pan did not complete the search"));
	else if (job->narrowed)
		conclude(job, VERDICT_INCONCLUSIVE, text("no violation found, but only a few of the possible inputs were tried"));
	else
		conclude(job, VERDICT_VERIFIED, NULL);
	return SEARCH_DONE;
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
	const char *argv[] = { pan, m, "-w21", o->all ? "-e" : NULL, "-c0", NULL };
	const char *const environment[] = { image, result, print, NULL };
	unsigned long room = o->max_memory ? o->max_memory << 20 : memory_of_machine() / 2;
	struct process process = {
		.argv = argv, .directory = job->work, .output = output, .errors = text("%s/pan.err", job->work), .environment = environment,
		.seconds = o->max_time, .address_space = 2 * room + (64ul << 20) + depth * 64,
	};
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

enum search_end search_run(struct job *job, const char *pan, unsigned long depth)
{
	int status;
	char *path = text("%s/pan.out", job->work);
	struct findings findings = { 0 };
	struct limit limit = { 0 };
	job->statistics.bytes = 0;
	json_array_clear(job->violations);
	enum process_end end = run_pan(job, pan, depth, path, &status);
	char *output = read_file(path, NULL), *copy = text("%s", output ? output : "");
	read_output(job, &findings, copy);
	read_results(job, &limit);
	job->statistics.bytes += findings.megabytes * MEGABYTE;
	if (end == PROCESS_SIGNALLED && !findings.out_of_memory)
		pan_died(job, status);
	if (end == PROCESS_NOT_FOUND || (end == PROCESS_EXITED && status == 126))
		fail("cannot start the verifier '%s'", pan);
	if (end == PROCESS_EXITED && !findings.out_of_memory && !limit.name) { /* a limit may end pan before its time */
		if (findings.unknown)
			not_understood(job, findings.unknown, output);
		if (!findings.states || !findings.transitions || !findings.vector || !findings.elapsed)
			not_understood(job, "its statistics are missing", output);
	}
	enum search_end what = judge(job, &findings, &limit, end, depth);
	free(limit.name);
	free(limit.reason);
	free(output);
	free(copy);
	free(path);
	return what;
}
