/* SPDX-License-Identifier: MIT
 *
 * Understanding what pan prints.  pan's exit status says nothing, so its output is read line by line; a line that is not known, or
 * a figure that is missing, is an error of ours, never a verdict.
 */
#include "outcome.h"
#include "job.h"
#include "../base/base.h"

#include <stdlib.h>
#include <string.h>

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

/* Is the line a part of an error message?  A message begins with "pan:N:", may have several lines, and ends with the depth. */
static bool is_message(struct outcome *o, const char *line)
{
	unsigned long n;
	int length = 0;
	if (!o->in_message && (sscanf(line, "pan:%lu:%n", &n, &length) < 1 || length == 0))
		return false;
	if (!o->in_message && is_claims_error(line + length))
		o->claim++;
	o->in_message = !strstr(line, " (at depth ");
	return true;
}

/* Return the line without the process that speaks: "cpu0: ", "cpu01: ", "cpu00 ". */
static char *without_speaker(char *line)
{
	unsigned number;
	int length = 0;
	if (sscanf(line, "cpu%u%n", &number, &length) < 1 || length == 0)
		return line;
	return line + length + strspn(line + length, ": ");
}

static void read_line(struct job *job, struct outcome *o, char *line)
{
	double x, y;
	char *rest = without_speaker(line + strspn(line, " \t"));
	if (is_message(o, rest))
		return;
	if (sscanf(rest, "State-vector %*f byte, depth reached %lf, errors: %lf", &x, &y) == 2) {
		job->result.statistics.depth = x > job->result.statistics.depth ? x : job->result.statistics.depth;
		o->errors = y;
		o->has_vector = true;
	} else if (strstr(rest, " states, stored") && sscanf(rest, "%lf", &x) == 1) {
		job->result.statistics.states = x;
		o->has_states = true;
	} else if (strstr(rest, " states, matched") && sscanf(rest, "%lf", &x) == 1) {
		o->matches += x; /* of several processes, too */
	} else if (strstr(rest, " transitions (") && sscanf(rest, "%lf", &x) == 1) {
		job->result.statistics.transitions = x;
		o->has_transitions = true;
	} else if (strstr(rest, "memory usage for states") && sscanf(rest, "%lf", &x) == 1) {
		/* "equivalent", then "actual": compressed, but in large chunks */
		o->megabytes = o->megabytes > 0 && o->megabytes < x ? o->megabytes : x;
	} else if (strstr(rest, "memory used for hash array") && sscanf(rest, "%lf", &x) == 1) {
		o->array = x;
	} else if (sscanf(rest, "pan: elapsed time %lf", &x) == 1 || sscanf(rest, "elapsed time %lf", &x) == 1) {
		job->result.statistics.search_seconds = x;
		o->has_elapsed = true;
	} else if (begins(rest, "error: max search depth too small")) {
		o->too_deep = true;
	} else if (begins(rest, "Warning: Search not completed")) {
		o->incomplete = true;
	} else if (begins(rest, "pan: out of memory") || strstr(rest, "MEMLIM")) {
		o->out_of_memory = true;
	} else if (begins(rest, "Interrupted")) {
		o->interrupted = true;
	} else if (!is_known(rest) && !o->unknown) {
		o->unknown = text("%s", rest);
	}
}

void read_output(struct job *job, struct outcome *o, const char *output)
{
	char *copy = text("%s", output), *rest = copy, *line;
	while ((line = strsep(&rest, "\n")))
		read_line(job, o, line);
	free(copy);
}
