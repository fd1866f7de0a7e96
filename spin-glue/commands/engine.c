/* SPDX-License-Identifier: MIT
 *
 * Who runs the searches of a swarm: we, GNU parallel, or Slurm.  Each search is a command line, and leaves its report in a file of
 * its own; that is all that an engine has to do.
 */
#include "swarm.h"
#include "../base/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG "log" /* GNU parallel's, in the directory of the reports: number, machine, ... of each search */

/* ---- here ---------------------------------------------------------------------------------------------------------- */

static void start_next(struct swarm *swarm, struct child *child)
{
	assert(!child->pid);
	while (swarm->next < swarm->count && swarm->searches[swarm->next].report)
		swarm->next++; /* it was done before */
	if (swarm->next == swarm->count)
		return;
	struct swarm_search *search = &swarm->searches[swarm->next++];
	char *errors = text("%s.err", search->output);
	child_start(child,
		    &(struct process){
			    .argv = (const char *const *)search->argv.items, .output = search->output, .errors = errors });
	free(errors);
}

static bool run_here(struct swarm *swarm)
{
	assert(swarm->engine == ENGINE_LOCAL && swarm->children);
	bool any = false;
	for (unsigned long i = 0; i < swarm->jobs; i++) {
		struct child *child = &swarm->children[i];
		enum process_end end;
		int status;
		if (child->pid && child_has_ended(child, &end, &status) && process_interrupted())
			continue;
		if (!child->pid && !process_interrupted())
			start_next(swarm, child);
		any |= child->pid != 0;
	}
	return any;
}

/* ---- elsewhere ----------------------------------------------------------------------------------------------------- */

static bool is_gnu_parallel(const struct swarm *swarm)
{
	char *path = find_program("parallel"), *said = path ? text("%s/version", swarm->directory) : NULL;
	const char *const argv[] = { "parallel", "--version", NULL };
	int status;
	bool is = path && process_run(&(struct process){ .argv = argv, .output = said, .errors = said }, &status) == PROCESS_EXITED;
	char *version = is ? read_file(said, NULL) : NULL;
	is = version && strncmp(version, "GNU parallel", 12) == 0;
	free(version);
	free(said);
	free(path);
	return is;
}

/* Write a file with one command line for each search of `swarm`; a search that has its report gets one that does nothing.  Return
 * its path. */
static char *write_lines(const struct swarm *swarm)
{
	char *path = text("%s/searches", swarm->directory);
	FILE *out = fopen(path, "we");
	for (size_t i = 0; out && i < swarm->count; i++) {
		const struct swarm_search *search = &swarm->searches[i];
		char *line = search->report ? text(":") : swarm_command_line(search);
		fprintf(out, "cd %s && %s\n", swarm->here, line);
		free(line);
	}
	if (!out || fclose(out) != 0)
		check_space();
	return path;
}

static void start_parallel(struct swarm *swarm)
{
	assert(!swarm->child_errors);
	char *lines = write_lines(swarm), *jobs = text("%lu", swarm->jobs), *results = text("%s/{#}", swarm->directory);
	char *said = text("%s/engine", swarm->directory), *log = text("%s/" LOG, swarm->directory);
	const char *const argv[] = { "parallel",
				     "--will-cite",
				     "--joblog",
				     log,
				     "--jobs",
				     jobs,
				     "--results",
				     results,
				     "-a",
				     lines,
				     swarm->sshlogin ? "--sshlogin" : NULL,
				     swarm->sshlogin,
				     NULL };
	swarm->child_errors = text("%s.err", said);
	child_start(&swarm->children[0],
		    &(struct process){ .argv = argv, .output = said, .errors = swarm->child_errors, .starts_groups = true });
	free(lines);
	free(jobs);
	free(results);
	free(said);
	free(log);
}

/* Start the searches of `swarm` as the tasks of one array job. */
static void start_slurm(struct swarm *swarm)
{
	assert(!swarm->child_errors);
	char *lines = write_lines(swarm), *script = text("%s/script", swarm->directory);
	char *body = text("#!/bin/sh\nline=$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" '%s')\neval \"$line\"\n", lines);
	char *array = text("--array=1-%zu%%%lu", swarm->count, swarm->jobs), *results = text("--output=%s/%%a", swarm->directory);
	char *errors = text("--error=%s/%%a.err", swarm->directory), *said = text("%s/engine", swarm->directory);
	const char *const argv[] = { "sbatch", "--parsable", "--wait", "--job-name=bitspin", array, results, errors, script, NULL };
	if (!write_file(script, body, strlen(body)))
		check_space();
	swarm->child_errors = text("%s.err", said);
	child_start(&swarm->children[0],
		    &(struct process){ .argv = argv, .output = said, .errors = swarm->child_errors, .starts_groups = true });
	char *const all[] = { lines, script, body, array, results, errors, said };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

static void cancel_slurm(const struct swarm *swarm)
{
	char *path = text("%s/engine", swarm->directory), *number = read_file(path, NULL);
	int status;
	if (number && *number) {
		number[strcspn(number, ";\n")] = '\0';
		const char *const argv[] = { "scancel", number, NULL };
		process_forget_interrupt();
		process_run(&(struct process){ .argv = argv }, &status);
	}
	free(number);
	free(path);
}

static const char *engine_name(const struct swarm *swarm)
{
	return swarm->engine == ENGINE_SLURM ? "sbatch" : swarm->engine == ENGINE_PARALLEL ? "parallel" : "bitspin";
}

/* Return the first line of the file at `path`, malloc'ed; NULL if there is none. */
static char *first_line(const char *path)
{
	char *whole = read_file(path, NULL);
	char *line = whole && *whole ? text("%.*s", (int)strcspn(whole, "\n"), whole) : NULL;
	free(whole);
	return line;
}

static bool run_elsewhere(struct swarm *swarm)
{
	struct child *child = &swarm->children[0];
	enum process_end end;
	int status = 0;
	if (!child->pid || !child_has_ended(child, &end, &status))
		return child->pid != 0;
	const char *name = engine_name(swarm);
	if (end == PROCESS_NOT_FOUND)
		fail("cannot find '%s'; install the package %s", name, swarm->engine == ENGINE_SLURM ? "slurm-wlm" : "parallel");
	char *said = first_line(swarm->child_errors);
	assert(!swarm->complaint && swarm->child_errors);
	bool named = said && strncmp(said, name, strlen(name)) == 0;
	swarm->complaint = said ? text("%s%s%s", named ? "" : name, named ? "" : ": ", said) :
		status          ? text("%s ended with status %d, and said nothing", name, status) :
				  NULL;
	free(said);
	return false;
}

/* Return the machine on which GNU parallel has run `search`, malloc'ed; NULL if that is this one, or is not known. */
static char *machine_of(const struct swarm *swarm, const struct swarm_search *search)
{
	char *path = text("%s/" LOG, swarm->directory), *log = swarm->sshlogin ? read_file(path, NULL) : NULL;
	char *rest = log, *line, *machine = NULL, name[256];
	unsigned long number;
	while (!machine && rest && (line = strsep(&rest, "\n")))
		if (sscanf(line, "%lu\t%255[^\t]", &number, name) == 2 && number == search->number)
			machine = text("%s", name);
	free(path);
	free(log);
	return machine;
}

/* ---- any ----------------------------------------------------------------------------------------------------------- */

void engine_start(struct swarm *swarm)
{
	assert(!swarm->children && swarm->jobs > 0);
	swarm->children = calloc(swarm->jobs, sizeof *swarm->children);
	if (!swarm->children)
		BUG("out of memory");
	if (swarm->engine == ENGINE_LOCAL && !swarm->sshlogin && is_gnu_parallel(swarm))
		swarm->engine = ENGINE_PARALLEL;
	if (swarm->engine == ENGINE_PARALLEL)
		start_parallel(swarm);
	else if (swarm->engine == ENGINE_SLURM)
		start_slurm(swarm);
}

bool engine_runs(struct swarm *swarm)
{
	return swarm->engine == ENGINE_LOCAL ? run_here(swarm) : run_elsewhere(swarm);
}

void engine_stop(struct swarm *swarm)
{
	assert(swarm->children);
	bool any = true;
	swarm->next = swarm->count;
	if (swarm->engine == ENGINE_SLURM && swarm->children[0].pid)
		cancel_slurm(swarm);
	while (any) {
		any = false;
		for (unsigned long i = 0; i < swarm->jobs; i++) {
			struct child *child = &swarm->children[i];
			enum process_end end;
			int status;
			if (child->pid)
				child_stop(child);
			any |= child->pid && !child_has_ended(child, &end, &status);
		}
		usleep(5000);
	}
}

char *engine_complaint(const struct swarm *swarm, const struct swarm_search *search)
{
	char *errors = text("%s.err", search->output), *said = first_line(errors), *machine = machine_of(swarm, search);
	char *complaint = said   ? text("%s%s%s: %s", engine_name(swarm), machine ? " on " : "", machine ? machine : "", said) :
		swarm->complaint ? text("%s", swarm->complaint) :
				   text("%s said nothing", engine_name(swarm));
	free(errors);
	free(said);
	free(machine);
	return complaint;
}
