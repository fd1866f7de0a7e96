/* SPDX-License-Identifier: MIT
 *
 * The world that a checked program runs in, as the user describes it: its files, standard input, environment, what functions
 * without a body do, what may go wrong.
 */
#include "options.h"
#include "../base/base.h"
#include "../../runtime/image/policy.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files ----------------------------------------------------------------------------------------------------------- */

enum { MOST_FILES = 10000, MOST_BYTES = 64 << 20 };

static void add_file(struct world *world, const char *name, const char *path)
{
	inputs_add_file(&world->files, &world->nfiles, name, path);
	world->bytes += world->files[world->nfiles - 1].size;
	if (world->nfiles > MOST_FILES || world->bytes > MOST_BYTES)
		fail("--fs has more than %d files or %d MB; name a smaller directory", MOST_FILES, MOST_BYTES >> 20);
}

/* Add all regular files under `directory`.  `prefix` is its name in the program's file system: "", or with a slash at its end. */
static void add_directory(struct world *world, const char *directory, const char *prefix)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, NULL, NULL);
	if (count < 0)
		fail("cannot read '%s': %s", directory, strerror(errno));
	for (int i = 0; i < count; i++) {
		const char *entry = entries[i]->d_name;
		char *path = text("%s/%s", directory, entry), *name = text("%s%s", prefix, entry);
		struct stat st;
		if (strcmp(entry, ".") != 0 && strcmp(entry, "..") != 0 && stat(path, &st) == 0) {
			if (S_ISDIR(st.st_mode)) {
				char *below = text("%s/", name);
				add_directory(world, path, below);
				free(below);
			} else if (S_ISREG(st.st_mode)) {
				add_file(world, name, path);
			}
		}
		free(path);
		free(name);
		free(entries[i]);
	}
	free(entries);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct translator_file *)a)->name, ((const struct translator_file *)b)->name);
}

static void read_files(struct world *world, const struct options *o)
{
	struct stat st;
	assert(world->nfiles == 0); /* file 0 is standard input */
	add_file(world, "", o->inputs.count ? o->inputs.items[0] : "/dev/null");
	if (!o->fs)
		return;
	if (stat(o->fs, &st) < 0 || !S_ISDIR(st.st_mode))
		fail("--fs takes a directory, and '%s' is none", o->fs);
	add_directory(world, o->fs, "");
	assert(world->files[0].name[0] == '\0');                                   /* standard input */
	qsort(world->files + 1, world->nfiles - 1, sizeof *world->files, by_name); /* readdir() relies on it */
}

/* ---- functions --------------------------------------------------------------------------------------------------------- */

static struct translator_extern *new_extern(struct world *world, const char *name)
{
	for (size_t i = 0; i < world->nexterns; i++)
		if (strcmp(world->externs[i].name, name) == 0)
			fail("'%s' is described twice", name);
	world->externs = realloc(world->externs, (world->nexterns + 1) * sizeof *world->externs);
	if (!world->externs)
		BUG("out of memory");
	struct translator_extern *new = &world->externs[world->nexterns++];
	*new = (struct translator_extern){ .name = name };
	return new;
}

/* ---- --extern NAME=WHAT, --stubs FILE ---------------------------------------------------------------------------------- */

#define FORMS "nop, any, choose:LO..HI, pure:LO..HI, native, fresh:SIZE, arg:N or refuse"

static bool parse_number(const char *value, int64_t most, int64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoll(value, &end, 10);
	return end != value && *end == '\0' && errno == 0 && *number >= 1 && *number <= most;
}

/* Of some functions the results are not all numbers of their type. */
static void any_of(struct translator_extern *new)
{
	static const char *const positive[] = { "rand", "random", "lrand48", "nrand48", "rand_r" };
	new->policy = EXTERN_CHOOSE;
	new->low = strcmp(new->name, "time") == 0 ? 0 : INT64_MIN;
	new->high = INT64_MAX;
	for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
		if (strcmp(new->name, positive[i]) == 0) {
			new->low = 0;
			new->high = INT32_MAX;
		}
}

static bool parse_what(struct translator_extern *new, const char *what)
{
	enum { MOST_BYTES_OF_STUB = 1 << 24, MOST_ARGUMENTS = 8 };
	static const struct {
		const char *prefix;
		enum image_extern_policy policy;
	} forms[] = {
		{ "nop", EXTERN_NOP },    { "native", EXTERN_NATIVE }, { "refuse", EXTERN_REFUSE }, { "choose:", EXTERN_CHOOSE },
		{ "pure:", EXTERN_PURE }, { "fresh:", EXTERN_FRESH },  { "arg:", EXTERN_ARGUMENT },
	};
	if (strcmp(what, "any") == 0) {
		any_of(new);
		return true;
	}
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		size_t length = strlen(forms[i].prefix);
		const char *rest = what + length;
		if (strncmp(what, forms[i].prefix, length) != 0)
			continue;
		new->policy = forms[i].policy;
		switch (new->policy) {
		case EXTERN_CHOOSE:
		case EXTERN_PURE: return parse_range(rest, &new->low, &new->high);
		case EXTERN_FRESH: return parse_number(rest, MOST_BYTES_OF_STUB, &new->low);
		case EXTERN_ARGUMENT: return parse_number(rest, MOST_ARGUMENTS, &new->low);
		default: return *rest == '\0';
		}
	}
	return false;
}

/* Add the external function that `given` describes.  `origin` is for messages; it is kept, so it must stay valid. */
static void add_extern(struct world *world, const char *given, const char *origin, bool required)
{
	assert(origin && *given);
	const char *sign = strstr(given, ")=") ? strstr(given, ")=") + 1 : strchr(given, '=');
	if (!sign || sign == given)
		fail("%s takes NAME=WHAT, where WHAT is " FORMS ", not '%s'", origin, given);
	char *name = text("%.*s", (int)(sign - given), given);
	list_add(&world->names, name);
	struct translator_extern *new = new_extern(world, world->names.items[world->names.count - 1]);
	new->origin = origin;
	new->required = required &&strcmp(name, "*") != 0;
	free(name);
	if (!parse_what(new, sign + 1))
		fail("%s %s: '%s' is not " FORMS, origin, new->name, sign + 1);
}

static void remove_blanks(char *text)
{
	char *out = text;
	for (; *text; text++)
		if (!strchr(" \t\r", *text))
			*out++ = *text;
	*out = '\0';
}

/* Add the external functions in the file at `path`: one in each line.  What follows # in a line is a comment. */
static void add_stubs(struct world *world, const char *path)
{
	size_t size;
	unsigned line = 0;
	char *bytes = read_file(path, &size), *rest = bytes, *one;
	if (!bytes)
		fail("cannot read '%s': %s", path, strerror(errno));
	while ((one = strsep(&rest, "\n"))) {
		line++;
		one[strcspn(one, "#")] = '\0';
		remove_blanks(one);
		if (!*one)
			continue;
		list_addf(&world->names, "%s:%u:", path, line);
		add_extern(world, one, world->names.items[world->names.count - 1], false);
	}
	free(bytes);
}

/* ---- --nondet TYPE=LO..HI -------------------------------------------------------------------------------------------- */

static const struct {
	const char *type;
	int64_t low, high;
} types[] = {
	{ "bool", 0, 1 },
	{ "_Bool", 0, 1 },
	{ "char", CHAR_MIN, CHAR_MAX },
	{ "uchar", 0, UCHAR_MAX },
	{ "short", SHRT_MIN, SHRT_MAX },
	{ "ushort", 0, USHRT_MAX },
	{ "int", INT_MIN, INT_MAX },
	{ "uint", 0, UINT_MAX },
	{ "unsigned", 0, UINT_MAX },
	{ "u32", 0, UINT_MAX },
	{ "long", LONG_MIN, LONG_MAX },
	{ "ulong", 0, LONG_MAX },
	{ "longlong", LONG_MIN, LONG_MAX },
	{ "ulonglong", 0, LONG_MAX },
	{ "size_t", 0, LONG_MAX },
	{ "float", LONG_MIN, LONG_MAX },
	{ "double", LONG_MIN, LONG_MAX },
};

enum { TYPES = sizeof types / sizeof *types };

static void add_nondet(struct world *world, const char *given)
{
	static const char *const prefixes[] = { "__VERIFIER_nondet_", "bitspin_nondet_" };
	const char *sign = strchr(given, '=');
	int64_t low, high;
	if (!sign || !parse_range(sign + 1, &low, &high))
		fail("--nondet takes TYPE=LO..HI, not '%s'", given);
	size_t length = (size_t)(sign - given), i = 0;
	while (i < TYPES && (strlen(types[i].type) != length || strncmp(types[i].type, given, length) != 0))
		i++;
	if (i == TYPES)
		fail("--nondet knows no type '%.*s'; say bool, char, uchar, short, ushort, int, uint, long, ulong, longlong, ulonglong, "
		     "size_t, float or double",
		     (int)length, given);
	if (low < types[i].low || high > types[i].high)
		fail("--nondet %s: not all values fit the type", given);
	for (size_t k = 0; k < 2; k++) {
		list_addf(&world->names, "%s%s", prefixes[k], types[i].type);
		const char *name = world->names.items[world->names.count - 1];
		if (!image_builtin_exists(name))
			continue;
		struct translator_extern *new = new_extern(world, name);
		new->policy = EXTERN_CHOOSE;
		new->low = low;
		new->high = high;
	}
}

bool world_narrows(const struct world *world, const char *name)
{
	const struct translator_extern *e = world_extern(world, name);
	const char *type = strrchr(name, '_');
	for (size_t i = 0; e && type && i < TYPES; i++)
		if (strcmp(types[i].type, type + 1) == 0 && types[i].high <= UINT_MAX) /* wider ones cannot be covered */
			return e->low > types[i].low || e->high < types[i].high;
	return true;
}

/* ---- --faults LIST --------------------------------------------------------------------------------------------------- */

static const char *const meanings[] = {
#define INJECTION(name, text, usual, meaning) meaning,
#include "../../runtime/image/inject.def"
#undef INJECTION
};

static const char *const injections[] = {
#define INJECTION(name, text, usual, meaning) text,
#include "../../runtime/image/inject.def"
#undef INJECTION
};

static void add_fault(struct world *world, const char *word)
{
	const char *colon = strchr(word, ':');
	size_t length = colon ? (size_t)(colon - word) : strlen(word);
	unsigned i = 0;
	char *end = NULL;
	while (i < IMAGE_INJECTIONS && (strlen(injections[i]) != length || strncmp(injections[i], word, length) != 0))
		i++;
	if (i == IMAGE_INJECTIONS || i == INJECT_CLOCK)
		fail("--faults knows no fault '%.*s'; known are %s", (int)length, word, world_injections());
	unsigned long n = colon ? strtoul(colon + 1, &end, 10) : 0, least = world->budgets[i] == 0;
	if (colon && strcmp(colon, ":*") == 0)
		world->budgets[i] = UINT32_MAX;
	else if (!colon || end == colon + 1 || *end || n < least || n > 1000 || colon[1] == '-')
		fail("--faults takes NAME:N with N from %lu to 1000, or NAME:*, not '%s'", least, word);
	else
		world->budgets[i] = (uint32_t)n;
}

const char *world_injections(void)
{
	static char *list;
	for (unsigned i = 0; i < IMAGE_INJECTIONS; i++) {
		if (i == INJECT_CLOCK)
			continue;
		char *longer = text("%s%s%s", i ? list : "", i ? ", " : "", injections[i]);
		free(list);
		list = longer;
	}
	return list;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

void world_read(struct world *world, const struct options *o)
{
	assert(!world->files && !world->externs && !world->arguments);
	*world = (struct world){ 0 };
	for (unsigned i = 0; i < IMAGE_INJECTIONS; i++)
		world->budgets[i] = o->svcomp && i == INJECT_SPURIOUS_WAKEUP ? UINT32_MAX : builtin_injection_usual(i);
	world->budgets[INJECT_CLOCK] = (uint32_t)o->clock.moves;
	world->writes = o->fs_write;
	world->clock = o->clock.moves ? clock_assumption(o) : NULL;
	for (size_t i = 0; i < o->externs.count; i++)
		add_extern(world, o->externs.items[i], "--extern", true);
	for (size_t i = 0; i < o->stubs.count; i++)
		add_stubs(world, o->stubs.items[i]);
	for (size_t i = 0; i < o->nondets.count; i++)
		add_nondet(world, o->nondets.items[i]);
	for (size_t i = 0; i < o->faults.count; i++) {
		char *copy = text("%s", o->faults.items[i]), *rest = copy, *word;
		while ((word = strsep(&rest, ",")))
			add_fault(world, word);
		free(copy);
	}
	for (size_t i = 0; i < o->environment.count; i++)
		if (!strchr(o->environment.items[i], '=') || *o->environment.items[i] == '=')
			fail("--env takes NAME=VALUE, not '%s'", o->environment.items[i]);
	read_files(world, o);
	inputs_read(world, o);
}

static const struct translator_extern *find_extern(const struct world *world, const char *name)
{
	for (size_t i = 0; i < world->nexterns; i++)
		if (strcmp(world->externs[i].name, name) == 0)
			return &world->externs[i];
	return NULL;
}

const struct translator_extern *world_extern(const struct world *world, const char *name)
{
	const struct translator_extern *told = find_extern(world, name);
	enum builtin_policy policy = builtin_policy(name);
	if (told || translator_provides(name) || (policy != POLICY_UNKNOWN && policy != POLICY_REFUSED))
		return told;
	return find_extern(world, "*");
}

/* Return in words what the user says of the function `name`. */
static char *told_assumption(const struct translator_extern *e, const char *name)
{
	const char *origin = e->origin ? e->origin : "--nondet";
	int length = (int)strlen(origin) - (*origin && origin[strlen(origin) - 1] == ':');
	long long low = e->low, high = e->high;
	switch (e->policy) {
	case EXTERN_NOP: return text("%s does nothing and returns 0 (%.*s)", name, length, origin);
	case EXTERN_NATIVE: return text("%s is this machine's, and depends on its arguments alone (%.*s)", name, length, origin);
	case EXTERN_FRESH: return text("%s returns new memory of %lld bytes, all zero (%.*s)", name, low, length, origin);
	case EXTERN_ARGUMENT: return text("%s does nothing and returns its argument %lld (%.*s)", name, low, length, origin);
	case EXTERN_REFUSE: return text("%s is not called on the paths that were explored (%.*s)", name, length, origin);
	default:
		assert(e->policy == EXTERN_CHOOSE || e->policy == EXTERN_PURE);
		if (low == INT64_MIN && high == INT64_MAX)
			return text("%s returns any value of its type (%.*s)", name, length, origin);
		return text("%s returns %lld..%lld%s (%.*s)", name, low, high,
			    e->policy == EXTERN_PURE ? ", always the same for the same arguments" : "", length, origin);
	}
}

char *world_assumption(const struct world *world, const char *name)
{
	const struct translator_extern *e = world_extern(world, name);
	unsigned injection = builtin_injection(name);
	assert(injection <= IMAGE_INJECTIONS);
	uint32_t budget = injection < IMAGE_INJECTIONS ? world->budgets[injection] : 0;
	if (e)
		return told_assumption(e, name);
	const char *assumption = builtin_assumption(name), *still = builtin_assumption("clock_gettime");
	assert(still && builtin_assumption("fopen")); /* rows of other tables */
	if (assumption && world->writes && strcmp(assumption, builtin_assumption("fopen")) == 0)
		assumption =
			"the program's files are those of --fs and what it writes itself, which is at once in the file; no disk is full "
			"(--fs-write)";
	if (assumption && world->clock && strcmp(assumption, still) == 0)
		assumption = world->clock;
	if (injection == IMAGE_INJECTIONS || budget == builtin_injection_usual(injection))
		return assumption ? text("%s", assumption) : NULL;
	if (budget == 0)
		return text("it never happens that %s (--faults %s:0)", meanings[injection], injections[injection]);
	if (budget == UINT32_MAX)
		return text("%s at any time (--faults %s:*)", meanings[injection], injections[injection]);
	return text("%s at most %u time%s on any path (--faults)", meanings[injection], budget, budget == 1 ? "" : "s");
}

void inputs_complete(struct inputs *inputs)
{
	if (inputs->world.files)
		return;
	world_read(&inputs->world, &inputs->options);
	suppressions_read(&inputs->suppressions, &inputs->options);
}

void inputs_free(struct inputs *inputs)
{
	options_release(&inputs->options);
	world_release(&inputs->world);
	suppressions_release(&inputs->suppressions);
	free(inputs);
}

void world_release(struct world *world)
{
	inputs_release(world);
	for (size_t i = 0; i < world->nfiles; i++) {
		free((char *)world->files[i].name);
		free((void *)world->files[i].bytes);
	}
	free(world->files);
	free(world->clock);
	free(world->externs);
	list_release(&world->names);
}
