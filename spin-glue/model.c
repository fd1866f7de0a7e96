/* SPDX-License-Identifier: MIT
 *
 * From a number of threads to a model, and from a model to a pan.  A pan holds nothing of the program (the VM reads the
 * image when pan starts), so one serves every program with as many threads; it is kept in the user's cache under a hash of
 * all that went into it.
 */
#include "formula.h"
#include "../runtime/bitspin_vm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static char *replaced(const char *where, const char *what, const char *by)
{
	const char *at = strstr(where, what);
	if (!at)
		BUG("the model's template has no %s", what);
	return text("%.*s%s%s", (int)(at - where), where, by, at + strlen(what));
}

/* With masks or abstractions the state is not what is matched on, but its view is. */
static bool has_views(const struct job *job)
{
	return job->options.masks.count || job->options.abstractions.count;
}

/* Under another identity than that of states, more than these tells nodes apart. */
static bool is_identified(const struct job *job)
{
	return job->options.identity != IDENTITY_STATE;
}

/* The guard and the step of an outcome. */
static char *option_text(const struct job *job, int choice)
{
	const char *state = has_views(job) ? "concrete" : "vm";
	const char *before = has_views(job) ? "VM_UNMATCHED(concrete); " : "";
	const char *after = has_views(job) ? " now.vm = vm_view(now.concrete);" :
		job->formula && job->formula->fairness != LTL_UNFAIR ? " now.last = Pthread->_pid;" : "";
	char *take = is_identified(job) ? text("vm_take_identified(&now.%s, &now.identity, &now.last, &now.used, depth, ", state) :
		text("vm_take(&now.%s, &now.last, &now.used, ", state);
	char *option = text("\t:: d_step { c_expr { vm_allowed (now.%s, now.last, now.used, Pthread->_pid, %d) } ->\n"
			    "\t\tc_code { %s%sPthread->_pid, %d);%s } }%s", state, choice, before, take, choice, after,
			    choice + 1 < VM_CHOICES ? "\n" : "");
	free(take);
	return option;
}

static char *all_options(const struct job *job)
{
	char *options = text("%s", "");
	for (int i = 0; i < VM_CHOICES; i++) {
		char *option = option_text(job, i), *longer = text("%s%s", options, option);
		free(option);
		free(options);
		options = longer;
	}
	return options;
}

char *model_text(const struct job *job, unsigned threads)
{
	char *path = data_file("model.pml.in"), *template = read_file(path, NULL);
	if (!template)
		fail("cannot read '%s': %s", path, strerror(errno));
	char *number = text("%u", threads), *options = all_options(job);
	char *more = text("%s%s", has_views(job) ? "int concrete; /* the state; `vm` is its view, which is matched on */\n" : "",
			  is_identified(job) ? "int identity; /* tells equal states apart: what happened before what */\n" : "");
	const char *const parts[][2] = { { "@THREADS@", number }, { "@MORE@", more }, { "@OPTIONS@", options } };
	char *model = template;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		char *next = replaced(model, parts[i][0], parts[i][1]);
		free(model);
		model = next;
	}
	char *claim = job->formula ? formula_claim(job->formula, threads) : NULL;
	char *whole = claim ? text("%s\n%s", model, claim) : text("%s", model);
	free(claim);
	free(model);
	free(path);
	free(number);
	free(options);
	free(more);
	return whole;
}

const char *pan_compiler(void)
{
	const char *chosen = getenv("BITSPIN_CC");
	return chosen && chosen[strspn(chosen, " ")] ? chosen : "cc";
}

/* Options of pan.c for a kind of search, NULL-terminated.  VECTORSZ: room for 248 processes. */
static const char *const *pan_options(const struct job *job)
{
	static const char *const depth_first[] = { "-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DVECTORSZ=4096", NULL };
	static const char *const cycles[] = { "-O2", "-w", "-DNOREDUCE", "-DNOFAIR", "-DVECTORSZ=4096", NULL };
	static const char *const breadth_first[] = { "-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DVECTORSZ=4096", "-DBFS", NULL };
	return job->formula ? cycles : strcmp(job->options.search, "bfs") == 0 ? breadth_first : depth_first;
}

static void hash_file(XXH3_state_t *state, const char *name)
{
	char *path = data_file(name);
	size_t size;
	char *bytes = read_file(path, &size);
	if (!bytes)
		fail("cannot read '%s': %s", path, strerror(errno));
	XXH3_128bits_update(state, bytes, size);
	free(bytes);
	free(path);
}

/* Which spin and which compiler would be run: a new version of either makes a new pan. */
static void hash_program(XXH3_state_t *state, const char *name)
{
	char *path = find_program(name);
	struct stat st;
	if (path && stat(path, &st) == 0) {
		XXH3_128bits_update(state, &st.st_size, sizeof st.st_size);
		XXH3_128bits_update(state, &st.st_mtim.tv_sec, sizeof st.st_mtim.tv_sec);
	}
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

static char *cache_key(const struct job *job, const char *model)
{
	struct list compiler = { 0 };
	list_add_words(&compiler, pan_compiler());
	XXH3_state_t *state = XXH3_createState();
	XXH3_128bits_reset(state);
	char *bare = without_comments(model); /* they name the formula; a pan serves all that are alike but for their propositions */
	XXH3_128bits_update(state, bare, strlen(bare));
	free(bare);
	XXH3_128bits_update(state, pan_compiler(), strlen(pan_compiler()) + 1);
	for (const char *const *option = pan_options(job); *option; option++)
		XXH3_128bits_update(state, *option, strlen(*option) + 1);
	hash_file(state, "libbitspin-vm.a");
	hash_program(state, "spin");
	hash_program(state, compiler.items[0]);
	list_release(&compiler);
	XXH128_hash_t hash = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	return text("pan-%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

static char *cache_directory(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (base && *base)
		return text("%s/bitspin", base);
	return home && *home ? text("%s/.cache/bitspin", home) : NULL;
}

/* Of a compiler's output, the line that says what is wrong. */
static const char *telling_line(const char *output)
{
	static const char *const words[] = { "No space", "rror:", "rror" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *word = strstr(output, words[i]);
		while (word && word > output && word[-1] != '\n')
			word--;
		if (word)
			return word;
	}
	return output;
}

void run_tool(const struct process *process, const char *package)
{
	int status;
	switch (process_run(process, &status)) {
	case PROCESS_EXITED: break;
	case PROCESS_NOT_FOUND: fail("cannot find '%s'; install the package %s", process->argv[0], package);
	case PROCESS_INTERRUPTED: fail("interrupted");
	case PROCESS_TIMED_OUT: out_of_time("%s made the verifier", process->argv[0]);
	default: fail("'%s' died of signal %d", process->argv[0], status);
	}
	if (status == 0)
		return;
	char *output = read_file(process->errors, NULL);
	if (!output || !*output) {
		free(output);
		output = read_file(process->output, NULL);
	}
	const char *line = output ? telling_line(output) : "";
	fail("'%s' failed with status %d: %.*s", process->argv[0], status, (int)strcspn(line, "\n"), line);
}

/* Make a pan in the work directory; its path. */
static char *make_pan(const struct job *job, const char *model)
{
	char *directory = text("%s/pan.d", job->work), *file = text("%s/model.pml", directory);
	char *log = text("%s/log", directory), *errors = text("%s/errors", directory), *pan = text("%s/pan", directory);
	char *header = data_file("bitspin_vm.h"), *library = data_file("libbitspin-vm.a"), *copy = text("%s/bitspin_vm.h", directory);
	make_directories(directory);
	if (!write_file(file, model, strlen(model)) || !copy_file(header, copy))
		fail("cannot write to '%s': %s", directory, strerror(errno));
	const char *const spin[] = { "spin", "-a", "model.pml", NULL };
	run_tool(&(struct process){ .argv = spin, .directory = directory, .output = log, .errors = errors }, "spin");
	check_space(); /* spin does not say that its files were cut short */
	struct list cc = { 0 };
	list_add_words(&cc, pan_compiler());
	for (const char *const *option = pan_options(job); *option; option++)
		list_add(&cc, *option);
	const char *const rest[] = { "-o", "pan", "pan.c", library, "-lffi", "-ljansson", "-lm" };
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		list_add(&cc, rest[i]);
	run_tool(&(struct process){ .argv = (const char *const *)cc.items, .directory = directory, .output = log, .errors = errors },
		 "gcc (and libffi-dev, libjansson-dev)");
	list_release(&cc);
	free(directory);
	free(file);
	free(log);
	free(errors);
	free(header);
	free(library);
	free(copy);
	return pan;
}

/* A pan in the cache has its hash in its name's twin, so that one that was cut short is not taken for good. */
static char *sum_of(const char *path)
{
	size_t size;
	char *bytes = read_file(path, &size);
	char *sum = bytes ? text("%016llx\n", (unsigned long long)XXH3_64bits(bytes, size)) : NULL;
	free(bytes);
	return sum;
}

static bool is_good(const char *cached)
{
	char *twin = text("%s.sum", cached), *said = read_file(twin, NULL);
	char *sum = access(cached, X_OK) == 0 ? sum_of(cached) : NULL;
	bool good = said && sum && strcmp(said, sum) == 0;
	free(twin);
	free(said);
	free(sum);
	return good;
}

/* Put a pan into the cache for the next time; not being able to is no error. */
static void remember(const char *pan, const char *cache, const char *cached)
{
	char *part = text("%s.%d", cached, (int)getpid()), *twin = text("%s.sum", cached), *sum = sum_of(pan);
	if (!sum || !try_directories(cache) || !copy_file(pan, part) || rename(part, cached) < 0 ||
	    !write_file(twin, sum, strlen(sum)))
		unlink(part);
	free(part);
	free(twin);
	free(sum);
}

char *pan_for(struct job *job, unsigned threads)
{
	char *model = model_text(job, threads), *key = cache_key(job, model), *cache = cache_directory();
	char *cached = cache ? text("%s/%s", cache, key) : NULL, *pan = NULL;
	if (cached && is_good(cached)) {
		pan = text("%s", cached);
	} else {
		pan = make_pan(job, model);
		if (cached)
			remember(pan, cache, cached);
	}
	free(model);
	free(key);
	free(cache);
	free(cached);
	return pan;
}
