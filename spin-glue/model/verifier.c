/* SPDX-License-Identifier: MIT
 *
 * From a model to a pan.  A pan holds nothing of the program (the VM reads the image when pan starts), so one serves every program
 * with as many threads; it is kept in the user's cache (pan_cache.h) under a hash of all that tells it from others.
 */
#include "model.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../program/program.h"
#include "pan_cache.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const char *pan_compiler(void)
{
	const char *chosen = getenv("BITSPIN_CC");
	return chosen && chosen[strspn(chosen, " ")] ? chosen : "cc";
}

/* Add to `options` those with which pan.c is compiled for the search.  VECTORSZ gives room for 248 processes.  The following
 * options are for a search by several processes.  Without FULL_TRAIL, a trail begins where a process was handed a state.  MEMLIM
 * limits address space, in MB: it is large, as the VM looks at what is in use.  VMAX is the room for a state that is handed over,
 * and costs time in proportion (a process takes 8 bytes, the rest less than 64).  PMAX is the number of processes in such a
 * state.  USE_TDH is usual for BFS_PAR, and keeps 64 bits of a state: SPIN's whole states are five times slower.  So the VM counts
 * what must be in that table (runtime/search/pan/several.h). */
static void pan_options(const struct program *program, unsigned threads, struct list *options)
{
	static const char *const usual[] = { "-w", "-DNOREDUCE", "-DVECTORSZ=4096" };
	const struct options *o = &program->inputs->options;
	assert(threads > 0 && threads <= 248 && (o->cores <= 1 || o->search <= SEARCH_BREADTH_FIRST));
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		list_add(options, usual[i]);
	list_add(options, program->formula ? "-DNOFAIR" : "-DSAFETY");
	if (program->formula)
		return;
	bool several = o->cores > 1, breadth = o->search == SEARCH_BREADTH_FIRST, crew = model_is_of_crew(program);
	if (breadth)
		list_add(options, several ? "-DBFS_PAR" : "-DBFS");
	else if (crew)
		list_add(options, "-DVM_CREW");
	else if (several)
		list_addf(options, "-DNCORE=%lu", o->cores);
	if (several && !breadth && !crew) {
		list_add(options, "-DFULL_TRAIL");
		list_add(options, "-DMEMLIM=65536");
		list_addf(options, "-DVMAX=%u", 64 + 8 * threads);
		list_addf(options, "-DPMAX=%u", threads);
	}
	if (o->search == SEARCH_HASH_COMPACT)
		list_add(options, "-DHC4");
	if (o->search == SEARCH_BITSTATE || model_keeps_visited(program))
		list_add(options, "-DBITSTATE");
	if (model_keeps_visited(program))
		list_add(options, "-DVM_VISITED");
	if (o->seed) {
		list_add(options, "-DP_RAND");
		list_add(options, "-DT_RAND");
	}
}

/* Return the option of optimization for pan.c.  The VM, which does most of the work of a search, is compiled already.  Compiling
 * pan.c takes 2 to 3 s with -O2, half of that or less with -Og, and a quarter with -O0.  A search for safety takes 2 % longer
 * with -Og than with -O2, and 5 to 10 % longer with -O0.  A search for a formula, in which pan does more, takes 10 % longer with
 * -Og, and 40 % with -O0.  A search by several processes, which hand over states byte by byte, takes 40 % longer with -Og.  All
 * programs share one pan for safety, but each form of a formula needs its own.  So the pan of a formula is compiled quickly,
 * unless the search before took long (`seconds`): then this search will take long, too. */
static const char *optimisation(const struct program *program, double seconds)
{
	enum { LONG = 1 /* seconds */ };
	if (program->formula && seconds < LONG)
		return "-O0";
	return !program->formula && program->inputs->options.cores > 1 && !model_is_of_crew(program) ? "-O2" : "-Og";
}

/* Hash which file `path` is without reading it: the library of the VM has megabytes, and every check would have to read it.  Return
 * false, and set errno, if there is none. */
static bool hash_file(XXH3_state_t *state, const char *path)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return false;
	const uint64_t identity[] = { st.st_dev, st.st_ino, (uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
				      (uint64_t)st.st_mtim.tv_nsec };
	XXH3_128bits_update(state, identity, sizeof identity);
	return true;
}

static void hash_library(XXH3_state_t *state, const char *name)
{
	char *path = data_file(name);
	if (!hash_file(state, path))
		fail("cannot read '%s': %s", path, strerror(errno));
	free(path);
}

/* Hash which program would be run as `name` (spin, the compiler): a new version makes a new pan. */
static void hash_program(XXH3_state_t *state, const char *name)
{
	char *path = find_program(name);
	if (path)
		hash_file(state, path);
	free(path);
}

static char *without_comments(const char *model)
{
	char *bare = text("%s", model), *to = bare;
	for (const char *from = model; *from;) {
		const char *end = strncmp(from, "/*", 2) == 0 ? strstr(from + 2, "*/") : NULL;
		if (end)
			from = end + 2;
		else
			*to++ = *from++;
	}
	*to = '\0';
	return bare;
}

static char *cache_key(const struct program *program, unsigned threads, const char *model, const char *level)
{
	struct list compiler = { 0 };
	list_add_words(&compiler, pan_compiler());
	assert(compiler.count > 0);
	XXH3_state_t *state = XXH3_createState();
	XXH3_128bits_reset(state);
	/* comments name the formula; a pan serves all models that differ only in their propositions */
	char *bare = without_comments(model);
	XXH3_128bits_update(state, bare, strlen(bare));
	free(bare);
	XXH3_128bits_update(state, pan_compiler(), strlen(pan_compiler()) + 1);
	struct list options = { 0 };
	pan_options(program, threads, &options);
	for (size_t i = 0; i < options.count; i++)
		XXH3_128bits_update(state, options.items[i], strlen(options.items[i]) + 1);
	list_release(&options);
	XXH3_128bits_update(state, level, strlen(level) + 1);
	hash_library(state, "libbitspin-vm.a");
	hash_program(state, "spin");
	hash_program(state, compiler.items[0]);
	list_release(&compiler);
	XXH128_hash_t hash = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	return text("pan-%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

/* Return where to make a pan.  The one of the search before may still be needed, so it stays. */
static char *pan_directory(const struct program *program, const char *key)
{
	char *usual = text("%s/pan.d", program->work), *there = text("%s/pan", usual);
	if (file_exists(there)) {
		free(usual);
		usual = text("%s/%s.d", program->work, key);
	}
	free(there);
	return usual;
}

/* Make a pan in `directory`, optimised at this `level`.  Return its path. */
static char *make_pan(const struct program *program, unsigned threads, const char *directory, const char *model, const char *level)
{
	char *file = text("%s/model.pml", directory), *log = text("%s/log", directory), *errors = text("%s/errors", directory),
	     *pan = text("%s/pan", directory);
	char *header = data_file("bitspin_vm.h"), *library = data_file("libbitspin-vm.a"),
	     *copy = text("%s/bitspin_vm.h", directory);
	make_directories(directory);
	if (!write_file(file, model, strlen(model)) || !copy_file(header, copy))
		fail("cannot write to '%s': %s", directory, strerror(errno));
	const char *const spin[] = { "spin", "-a", "model.pml", NULL };
	run_tool(&(struct process){ .argv = spin, .directory = directory, .output = log, .errors = errors }, "spin");
	check_space(); /* spin does not say that its files were cut short */
	struct list cc = { 0 };
	list_add_words(&cc, pan_compiler());
	list_add(&cc, level);
	pan_options(program, threads, &cc);
	const char *const rest[] = { "-o", "pan", "-Wl,--strip-debug", "pan.c", library, "-lffi", "-ljansson", "-lm" };
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		list_add(&cc, rest[i]);
	run_tool(&(struct process){ .argv = (const char *const *)cc.items,
				    .directory = directory,
				    .output = log,
				    .errors = errors },
		 "gcc (and libffi-dev, libjansson-dev)");
	list_release(&cc);
	free(file);
	free(log);
	free(errors);
	free(header);
	free(library);
	free(copy);
	return pan;
}

char *pan_for(struct program *program, unsigned threads, double seconds)
{
	assert(seconds >= 0);
	const char *level = optimisation(program, seconds);
	char *model = model_text(program, threads), *key = cache_key(program, threads, model, level);
	char *directory = pan_directory(program, key), *pan = pan_cache_find(key, directory);
	if (!pan) {
		pan = make_pan(program, threads, directory, model, level);
		pan_cache_add(key, pan);
	}
	free(model);
	free(key);
	free(directory);
	return pan;
}
