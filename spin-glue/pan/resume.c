/* SPDX-License-Identifier: MIT
 *
 * --checkpoint of check: a file with the bounds that the search from bound to bound has completed, and the random walks that were
 * made, by seed.  A later run of the same command tells of them, and makes other walks.  The file is replaced as a whole, so it is
 * good whenever the run is killed; it is locked for as long as the run lasts.
 *
 * What is kept is of one image (identity.c), which holds the program, its input and all options that decide.  A search may begin
 * again with another image, since the one that it had took for granted what is not so (restart.c).  Bounds count for the image on
 * which they were completed: once a run has begun again, those of another image are forgotten.  So no bound is told of which a
 * later one has shown that it was searched wrongly.
 *
 * Beside it, in FILE.states, is the snapshot from which the search from bound to bound goes on (runtime/search/bound/iterative.c),
 * where there is one; otherwise that search passes through the bounds that are known once more.  An exhaustive search begins anew.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../base/target.h"
#include "../options/options.h"
#include "../../runtime/bitspin_vm.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define PAUSE 1.0 /* seconds between looks */

struct resume {
	char *path;      /* symbolic links are followed */
	int lock;        /* the file, open and locked */
	json_t *head;    /* what the file is of: "bitspin", "program", "given", "image" */
	json_t *bounds;  /* of earlier runs; what they are of: */
	char *image;     /* NULL: not known */
	json_t *batches; /* of random walks of earlier runs */
	char *written;   /* the text of the file */
	double looked;   /* when; 0: never */
	bool warned;     /* that it cannot be written */
	char *trouble;   /* with the states beside it, of which people were told last; NULL: none */
};

static _Noreturn void refuse(const char *path, const char *why)
{
	fail("the checkpoint '%s' %s; remove it, or name another file", path, why);
}

/* ---- the file ------------------------------------------------------------------------------------------------------ */

/* Is the open file still the one of this name? */
static bool is_current(int file, const char *path)
{
	struct stat own, named;
	return fstat(file, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

/* Open the file at `path`, or make it, and lock it against other runs.  Try again for a while: a run that was just killed may
 * still have it.  Return its descriptor. */
static int take_hold(const char *path)
{
	enum { TRIES = 20 };
	struct stat st;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		refuse(path, "is no plain file");
	for (int i = 0; i < TRIES; i++) {
		int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (file < 0)
			fail("cannot write the checkpoint '%s': %s", path, strerror(errno));
		if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_current(file, path))
			return file;
		close(file);
		nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	}
	fail("the checkpoint '%s' is in use by another run; wait for its end, or name another file", path);
}

/* Put a text in its place; false: it cannot be, and errno says why. */
static bool replace(struct resume *resume, const char *bytes)
{
	assert(resume->lock >= 0);
	char *part;
	int file = target_open_beside(resume->path, &part);
	size_t size = strlen(bytes);
	bool good = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
	errno = good ? 0 : errno;
	ssize_t n = good ? write(file, bytes, size) : -1;
	if (n >= 0 && (size_t)n < size)
		errno = ENOSPC;
	good = n == (ssize_t)size && rename(part, resume->path) == 0;
	int error = errno;
	if (good)
		close(resume->lock);
	else if (file >= 0) {
		close(file);
		unlink(part);
	}
	resume->lock = good ? file : resume->lock;
	free(part);
	errno = error;
	return good;
}

/* Return the options that decide what is found, as a line of JSON, malloc'ed.  Time and memory are left out: with more of them,
 * the same search goes further. */
static char *given(const struct options *o)
{
	static const char *const free_ones[] = { "max_time", "max_memory", "files" };
	json_t *all = options_json(o);
	for (size_t i = 0; i < sizeof free_ones / sizeof *free_ones; i++)
		json_object_del(all, free_ones[i]);
	char *line = json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(all);
	if (!line)
		BUG("the options are no JSON");
	return line;
}

static json_t *head_of(const struct job *job)
{
	char *program = program_identity(&job->program), *options = given(&job->inputs->options),
	     *image = image_identity(&job->program);
	json_t *head = json_pack("{s:s, s:s, s:s, s:s}", "bitspin", BITSPIN_VERSION, "program", program, "given", options, "image",
				 image);
	free(program);
	free(options);
	free(image);
	return head;
}

/* Return the checksum of all that the checkpoint `all` contains except the sum, malloc'ed.  It guards against damage, and not
 * against people: they can leave out the sum of a file that they edit. */
static char *sum_of(const json_t *all)
{
	json_t *copy = json_copy((json_t *)all);
	json_object_del(copy, "sum");
	char *line = json_dumps(copy, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(copy);
	if (!line)
		BUG("the checkpoint is no JSON");
	char *sum = text("%016llx", (unsigned long long)XXH3_64bits(line, strlen(line)));
	free(line);
	return sum;
}

static void check_sum(const struct resume *resume, const json_t *all)
{
	const json_t *there = json_object_get(all, "sum");
	const char *known = json_string_value(there);
	char *sum = sum_of(all);
	if (there && !(known && strcmp(sum, known) == 0))
		refuse(resume->path, "is damaged");
	free(sum);
}

static void check_head(const struct resume *resume, const json_t *all)
{
	static const struct {
		const char *name, *why;
	} rows[] = {
		{ "bitspin", "is of another version of bitspin" },
		{ "program", "is of another program" },
		{ "given", "was made with other options" },
		{ "image", "is of another program: what it includes or reads, or a tool, has changed" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!json_equal(json_object_get(all, rows[i].name), json_object_get(resume->head, rows[i].name)))
			refuse(resume->path, rows[i].why);
}

static void read_earlier(struct resume *resume)
{
	assert(json_array_size(resume->bounds) == 0 && json_array_size(resume->batches) == 0);
	json_error_t error;
	json_t *all = json_load_file(resume->path, 0, &error);
	json_t *bounds = json_object_get(all, "bounds"), *batches = json_object_get(all, "walks");
	if (!json_is_array(bounds) || !json_is_array(batches))
		refuse(resume->path, "is damaged, or not of bitspin check");
	check_sum(resume, all);
	check_head(resume, all);
	const char *image = json_string_value(json_object_get(all, "bounds_image"));
	json_array_extend(resume->bounds, bounds);
	json_array_extend(resume->batches, batches);
	resume->image = image ? text("%s", image) : NULL;
	json_decref(all);
}

static bool is_empty(int file)
{
	struct stat st;
	return fstat(file, &st) == 0 && st.st_size == 0;
}

/* Fail if `states`, the file in which the checkpoint `path` keeps states, is a file of somebody else: it must not be replaced. */
static void check_states(const char *path, const char *states)
{
	char magic[sizeof VM_SNAPSHOT_MAGIC];
	struct stat st;
	if (stat(states, &st) < 0 && lstat(states, &st) < 0)
		return;
	bool plain = S_ISREG(st.st_mode), ours = plain && st.st_size == 0;
	FILE *file = plain && !ours ? fopen(states, "re") : NULL;
	if (plain && !ours && !file)
		fail("cannot read '%s': %s", states, strerror(errno));
	if (file) {
		ours = fread(magic, sizeof magic, 1, file) == 1 && memcmp(magic, VM_SNAPSHOT_MAGIC, sizeof magic) == 0;
		fclose(file);
	}
	if (!ours)
		fail("'%s', where the checkpoint '%s' keeps states, has something else; remove it, or name another checkpoint",
		     states, path);
}

/* Remove what a run that was killed has left beside `states`: the beginning of a file that may be as long as the whole. */
static void remove_part(const char *states)
{
	char *part = text("%s.part", states);
	struct stat st;
	if (lstat(part, &st) == 0 && S_ISREG(st.st_mode))
		unlink(part);
	free(part);
}

/* ---- earlier runs and this one ------------------------------------------------------------------------------------- */

static bool has_begun_again(const struct job *job, const struct rungs *rungs)
{
	struct rungs own;
	rungs_read(&own, job->program.work, "");
	bool again = own.again || rungs->again;
	rungs_release(&own);
	return again;
}

/* Are bounds of earlier runs those of the image on which this one searches? */
static bool are_of(const struct resume *resume, const char *image)
{
	return resume->image && image && strcmp(resume->image, image) == 0;
}

/* Return the bounds of earlier runs if they are as good as those of this run, and are more; NULL if not. */
static const json_t *better_bounds(const struct job *job, const struct rungs *rungs)
{
	const struct resume *resume = job->search.resume;
	bool known = json_array_size(rungs->bounds) > 0;
	bool good = known ? are_of(resume, rungs->image) : !has_begun_again(job, rungs);
	return good && !rungs->cut && json_array_size(resume->bounds) > json_array_size(rungs->bounds) ? resume->bounds : NULL;
}

void resume_add(struct job *job, struct rungs *rungs)
{
	const struct resume *resume = job->search.resume;
	if (!resume)
		return;
	const json_t *bounds = better_bounds(job, rungs);
	json_t *walks = rungs_sum(resume->batches);
	json_int_t walked = json_integer_value(json_object_get(walks, "walks"));
	size_t own = json_array_size(rungs->bounds), all = bounds ? json_array_size(bounds) : own;
	bool same = !rungs->cut && are_of(resume, rungs->image); /* this run has gone through them again */
	size_t known = same || bounds ? json_array_size(resume->bounds) : 0;
	assert(own <= all);
	for (size_t i = own; i < all; i++)
		json_array_append(rungs->bounds, json_array_get(bounds, i));
	json_array_extend(rungs->batches, resume->batches);
	json_decref(job->result.earlier);
	job->result.earlier = known || walked ?
		json_pack("{s:s, s:I, s:I}", "file", resume->path, "bounds", (json_int_t)known, "walks", walked) :
		NULL;
	json_decref(walks);
}

char *resume_line(const struct job *job)
{
	size_t bounds = (size_t)json_integer_value(json_object_get(job->result.earlier, "bounds"));
	double walks = json_number_value(json_object_get(job->result.earlier, "walks"));
	char *within = bounds ? bounds_in_words(bounds - 1) : NULL;
	char *line = job->result.earlier ?
		text("from the checkpoint '%s': %s%s%s", json_string_value(json_object_get(job->result.earlier, "file")),
		     within ? "the search " : "", within ? within : "", within && walks > 0 ? ", " : "") :
		NULL;
	char *whole = line && walks > 0 ? text("%s%.0f random run%s", line, walks, walks > 1 ? "s" : "") :
					  text("%s", line ? line : "");
	free(within);
	free(line);
	return whole;
}

char *resume_remark(const struct job *job)
{
	const char *path = json_string_value(json_object_get(job->result.earlier, "file"));
	return path ? text("; part of it is from the checkpoint '%s'", path) : text("%s", "");
}

size_t resume_bounds(const struct job *job)
{
	return job->search.resume ? json_array_size(job->search.resume->bounds) : 0;
}

void resume_walks(const struct job *job, unsigned long *seeds, double *seconds)
{
	json_t *batch;
	size_t i;
	*seeds = 0;
	*seconds = 0;
	json_array_foreach (job->search.resume ? job->search.resume->batches : NULL, i, batch) {
		unsigned long seed = (unsigned long)json_integer_value(json_object_get(batch, "seed"));
		*seeds = seed > *seeds ? seed : *seeds;
		*seconds += json_number_value(json_object_get(batch, "seconds"));
	}
}

/* ---- what the file is to hold --------------------------------------------------------------------------------------- */

/* Do the bounds of this run replace those of earlier runs?  They do if they are more, or if the earlier ones were searched
 * wrongly. */
static bool replaces_bounds(const struct job *job, const struct rungs *rungs)
{
	const struct resume *resume = job->search.resume;
	size_t own = json_array_size(rungs->bounds);
	bool wrong = own && !are_of(resume, rungs->image) && has_begun_again(job, rungs);
	return rungs->cut || wrong || own > json_array_size(resume->bounds);
}

/* Add to `to` those batches of walks that have found no violation.  The others are walked again, to find the violation again. */
static void add_batches(json_t *to, const json_t *batches)
{
	json_t *batch;
	size_t i;
	json_array_foreach (batches, i, batch) {
		json_t *copy = json_copy(batch);
		bool violates = json_is_true(json_object_get(copy, "violates"));
		json_object_del(copy, "violates");
		if (!violates && json_integer_value(json_object_get(copy, "walks")) > 0)
			json_array_append(to, copy);
		json_decref(copy);
	}
}

static char *content(const struct job *job, const struct rungs *rungs, const char *verdict)
{
	const struct resume *resume = job->search.resume;
	bool own = replaces_bounds(job, rungs);
	assert(resume->head && resume->batches);
	const char *image = own ? rungs->image : resume->image;
	json_t *all = json_copy(resume->head), *batches = json_copy(resume->batches);
	add_batches(batches, rungs->batches);
	json_object_set(all, "bounds", own ? rungs->bounds : resume->bounds);
	if (image)
		json_object_set_new(all, "bounds_image", json_string(image));
	json_object_set_new(all, "walks", batches);
	if (verdict)
		json_object_set_new(all, "verdict", json_string(verdict));
	char *sum = sum_of(all);
	json_object_set_new(all, "sum", json_string(sum));
	free(sum);
	char *bytes = json_dumps(all, JSON_INDENT(1));
	if (!bytes)
		BUG("the checkpoint is no JSON");
	json_decref(all);
	return bytes;
}

/* Read into `rungs` what this run has finished so far. */
static void read_own(const struct job *job, struct rungs *rungs)
{
	bool bounded = job->inputs->options.bounded;
	char *directory = bounded ? text("%s", job->program.work) : text("%s/ladder", job->program.work);
	rungs_read(rungs, directory, bounded ? RUNGS_OF_SEARCH : RUNGS_BOUNDS);
	free(directory);
}

/* Write the checkpoint, if it has changed.  If the file could be written before and cannot be any more, warn once, and go on
 * without it. */
static void write_down(struct job *job, const struct rungs *rungs, const char *verdict)
{
	struct resume *resume = job->search.resume;
	char *bytes = content(job, rungs, verdict);
	if (resume->written && strcmp(resume->written, bytes) == 0) {
		free(bytes);
		return;
	}
	bool good = replace(resume, bytes);
	int error = errno;
	if (!good && !resume->written && is_empty(resume->lock))
		unlink(resume->path); /* it was made just now, or has nothing */
	errno = error;
	if (!good && !resume->written)
		fail("cannot write the checkpoint '%s': %s", resume->path, strerror(errno));
	if (!good && !resume->warned) {
		fprintf(stderr, "bitspin: cannot write the checkpoint '%s': %s; the check goes on\n", resume->path,
			strerror(errno));
		resume->warned = true;
	}
	if (good) {
		free(resume->written);
		resume->written = bytes;
		bytes = NULL;
	}
	free(bytes);
}

/* Print what is wrong with the file of states, once, when it happens. */
static void tell_trouble(struct job *job, const struct rungs *rungs)
{
	struct resume *resume = job->search.resume;
	if (!rungs->trouble || (resume->trouble && strcmp(resume->trouble, rungs->trouble) == 0))
		return;
	free(resume->trouble);
	resume->trouble = text("%s", rungs->trouble);
	fprintf(stderr, "bitspin: '%s.states' %s; the check goes on\n", resume->path, rungs->trouble);
}

/* ---- the run -------------------------------------------------------------------------------------------------------- */

static void tell(const struct job *job)
{
	struct rungs none;
	read_own(job, &none);
	json_array_extend(none.bounds, job->search.resume->bounds);
	json_array_extend(none.batches, job->search.resume->batches);
	char *reached = rungs_in_words(&none);
	if (reached && !job->inputs->options.quiet)
		fprintf(stderr, "goes on from %s: %s\n", job->search.resume->path, reached);
	free(reached);
	rungs_release(&none);
}

void resume_begin(struct job *job)
{
	const char *path = job->inputs->options.checkpoint;
	struct rungs own;
	if (!path || job->search.resume)
		return;
	struct resume *resume = calloc(1, sizeof *resume);
	if (!resume)
		BUG("out of memory");
	*resume = (struct resume){ .path = target_of(path), .head = head_of(job), .bounds = json_array(), .batches = json_array() };
	char *snapshot = text("%s.states", resume->path), *part = text("%s.part", snapshot);
	check_states(path, snapshot);
	struct stat st;
	if (stat(part, &st) == 0 && S_ISREG(st.st_mode)) /* nothing else can be harmed */
		check_states(path, part);
	free(part);
	resume->lock = take_hold(resume->path);
	assert(!job->search.snapshot);
	job->search.resume = resume;
	job->search.snapshot = absolute_path(snapshot);
	if (!is_empty(resume->lock))
		read_earlier(resume);
	else
		unlink(snapshot); /* it is of another file of this name */
	remove_part(snapshot);
	free(snapshot);
	read_own(job, &own);
	write_down(job, &own, NULL);
	rungs_release(&own);
	tell(job);
}

void resume_look(struct job *job)
{
	struct rungs own;
	if (!job->search.resume || seconds_now() - job->search.resume->looked < PAUSE)
		return;
	job->search.resume->looked = seconds_now();
	read_own(job, &own);
	write_down(job, &own, NULL);
	tell_trouble(job, &own);
	rungs_release(&own);
}

static void free_resume(struct resume *resume)
{
	close(resume->lock);
	json_decref(resume->head);
	json_decref(resume->bounds);
	json_decref(resume->batches);
	free(resume->path);
	free(resume->image);
	free(resume->written);
	free(resume->trouble);
	free(resume);
}

void resume_end(struct job *job)
{
	struct rungs own;
	if (!job->search.resume)
		return;
	assert(job->search.snapshot);
	read_own(job, &own);
	write_down(job, &own, job->result.verdict == VERDICT_INCONCLUSIVE ? NULL : verdict_name(job->result.verdict));
	tell_trouble(job, &own);
	rungs_release(&own);
	if (job->result.verdict != VERDICT_INCONCLUSIVE) /* nothing is left to go on with */
		unlink(job->search.snapshot);
	remove_part(job->search.snapshot);
	free(job->search.snapshot);
	job->search.snapshot = NULL;
	free_resume(job->search.resume);
	job->search.resume = NULL;
}
