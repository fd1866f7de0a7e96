/* SPDX-License-Identifier: MIT
 *
 * What is printed while a search runs, on standard error: on a terminal one line that changes, elsewhere a line every ten seconds.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../../runtime/search/base/progress.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define FIRST    1.0  /* seconds before the first line on a terminal */
#define OFTEN    0.25 /* ... between changes of it */
#define LONG_RUN 2.0  /* ... before a run that has not come to its end is told */
#define RARE     10.0 /* ... between lines elsewhere, and before the first */

struct progress {
	struct vm_progress *figures;
	char *path;
	double began, told;   /* told: when the last line was printed, 0: there was none */
	double steps;         /* of the last line */
	char *beside;         /* what the searches beside had reached when that last changed; NULL: nothing */
	double changed;       /* when that was */
	bool terminal, shown; /* shown: there is a line on the terminal, to be taken away */
};

struct progress *progress_begin(const struct job *job)
{
	struct progress *progress = calloc(1, sizeof *progress);
	if (!progress)
		BUG("out of memory");
	const char *terminal = getenv("TERM");
	progress->began = seconds_now();
	progress->terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
	progress->path = text("%s/progress", job->program.work);
	int file = open(progress->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	void *page = MAP_FAILED;
	if (file >= 0 && ftruncate(file, sizeof *progress->figures) == 0)
		page = mmap(NULL, sizeof *progress->figures, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (page == MAP_FAILED)
		fail("cannot write '%s': %s", progress->path, strerror(errno));
	close(file);
	progress->figures = page;
	return progress;
}

const char *progress_path(const struct progress *progress)
{
	return progress->path;
}

void progress_take(const struct progress *progress, struct statistics *statistics)
{
	statistics->states = (double)progress->figures->states;
	statistics->transitions = (double)progress->figures->steps;
	statistics->depth = (double)progress->figures->depth;
	statistics->search_seconds = seconds_now() - progress->began;
}

double progress_limit(const struct progress *progress)
{
	return (double)progress->figures->limit;
}

/* Return how many columns the terminal has. */
static int width(void)
{
	struct winsize size;
	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* Return a number in a form that one takes in at a glance: 812, 81.2 k, 8.12 M. */
static char *rough(double number)
{
	static const char *const units[] = { "", " k", " M", " G" };
	int unit = 0;
	while (number >= 999.5 && unit < 3) {
		number /= 1000;
		unit++;
	}
	return text("%.*f%s", unit == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2, number, units[unit]);
}

/* parts of the line, of which a narrow terminal has the last ones longest */
enum { DEPTH = 1, SEEN = 2, RATE = 4, MEMORY = 8, ALL = 15 };

static char *figures(const struct progress *progress, double time, unsigned parts)
{
	const struct vm_progress *f = progress->figures;
	double since = time - (progress->told > 0 ? progress->told : progress->began);
	assert(since > 0);
	double visited = (double)f->states, taken = (double)f->steps;
	double matched = taken > visited && visited > 0 ? 100 * (taken - visited) / taken : 0;
	char *states = rough(visited), *number = rough((taken - progress->steps) / since), *deep = rough((double)f->depth);
	char *rate = text(parts & RATE ? ", %s step%s/s" : "", number, strcmp(number, "1") == 0 ? "" : "s"),
	     *depth = text(parts & DEPTH ? ", depth %s" : "", deep);
	char *seen = text(parts & SEEN ? ", %.0f %% seen before" : "", matched);
	char *memory = text(parts & MEMORY ? ", %.0f of %.0f MB" : "", (double)f->resident / MEGABYTE, (double)f->limit / MEGABYTE);
	char *line = text("%.0f s: %s states%s%s%s%s", time - progress->began, states, rate, depth, seen, memory);
	char *const all[] = { states, number, deep, rate, depth, seen, memory };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	return line;
}

/* Return for how long the searches beside have come no further, in words, malloc'ed; "" if that is not long. */
static char *standstill(struct progress *progress, double time, const char *beside)
{
	enum { LONG = 20 };
	if (!beside || !progress->beside || strcmp(beside, progress->beside) != 0) {
		free(progress->beside);
		progress->beside = beside ? text("%s", beside) : NULL;
		progress->changed = time;
	}
	double since = time - progress->changed;
	return beside && since >= LONG ? text(" (no more for %.0f s)", since) : text("%s", "");
}

/* Return the line.  What the searches beside this one have reached stands at its end, and the rest makes room for that. */
static char *line_of(struct progress *progress, double time, progress_reached *reached, struct job *job)
{
	unsigned parts = ALL;
	char *beside = reached(job, false), *line = NULL, *still = standstill(progress, time, beside);
	for (bool brief = false;; brief = true) {
		char *first = figures(progress, time, parts);
		free(line);
		line = text("%s%s%s%s%s", ladder_is_on_last_rung(job) ? "bitstate, " : "", first, beside ? "; beside it: " : "",
			    beside ? beside : "", still);
		free(first);
		if (!progress->terminal || strlen(line) < (size_t)width() || parts == 0)
			break;
		if (brief) {
			parts &= parts - 1; /* without the first of them */
		} else {
			free(beside);
			beside = reached(job, true);
		}
	}
	free(beside);
	free(still);
	return line;
}

void progress_look(struct progress *progress, progress_reached *reached, struct job *job)
{
	double time = seconds_now(), since = time - (progress->told > 0 ? progress->told : progress->began);
	double pause = !progress->terminal ? RARE : progress->told > 0 ? OFTEN : FIRST;
	bool none = progress->figures->steps == 0;
	if (since < pause || (none && time - progress->began < LONG_RUN))
		return;
	char *line = none ? text("%.0f s: a thread is in its first run without a stop", time - progress->began) :
			    line_of(progress, time, reached, job);
	if (progress->terminal)
		fprintf(stderr, "\r%.*s\033[K", width() - 1, line);
	else
		fprintf(stderr, "%s\n", line);
	fflush(stderr);
	free(line);
	progress->told = time;
	progress->steps = (double)progress->figures->steps;
	progress->shown = progress->terminal;
}

void progress_clear(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}

void progress_end(struct progress *progress)
{
	progress_clear(progress);
	munmap(progress->figures, sizeof *progress->figures);
	unlink(progress->path);
	free(progress->path);
	free(progress->beside);
	free(progress);
}
