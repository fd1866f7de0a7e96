/* SPDX-License-Identifier: MIT
 *
 * What the checked program is given when it starts: argv, the environment and standard input.  Where the options name more than
 * one thing, any of them; the search branches over all.
 */
#include "options.h"
#include "../base/base.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 1000, MOST_VALUES = 10000, MOST_LETTERS = 256, MOST_BYTES = 1000 };

bool parse_range(const char *value, int64_t *low, int64_t *high)
{
	char *end;
	errno = 0;
	*low = strtoll(value, &end, 0);
	if (end == value || strncmp(end, "..", 2) != 0)
		return false;
	const char *second = end + 2;
	*high = strtoll(second, &end, 0);
	return end != second && *end == '\0' && errno == 0 && *low <= *high;
}

enum { USUAL_ANY = 8, MOST_ANY = 64 };

bool parse_any(const char *value, size_t *most)
{
	char *end;
	*most = USUAL_ANY;
	if (strcmp(value, "any") == 0)
		return true;
	if (strncmp(value, "any:", 4) != 0)
		return false;
	*most = strtoul(value + 4, &end, 10);
	if (value[4] < '0' || value[4] > '9' || *end || *most == 0 || *most > MOST_ANY)
		fail("'%s': any text of at most N bytes is any:N, with N from 1 to %d", value, MOST_ANY);
	return true;
}

char *any_given(const struct options *o)
{
	size_t most;
	for (size_t i = 0; i < o->values.count; i++)
		if (strchr(o->values.items[i], '=') && parse_any(strchr(o->values.items[i], '=') + 1, &most))
			return text("--arg %s", o->values.items[i]);
	for (size_t i = 0; i < o->environment.count; i++)
		if (strchr(o->environment.items[i], '=') && parse_any(strchr(o->environment.items[i], '=') + 1, &most))
			return text("--env %s", o->environment.items[i]);
	for (size_t i = 0; i < o->externs.count; i++) {
		const char *sign = strrchr(o->externs.items[i], '=');
		if (sign && strcmp(sign, "=any") == 0)
			return text("--extern %s", o->externs.items[i]);
	}
	return o->alphabet && parse_any(o->alphabet, &most) ? text("--stdin-bytes %s", o->alphabet) : NULL;
}

void inputs_add_file(struct translator_file **files, size_t *count, const char *name, const char *path)
{
	size_t size;
	char *bytes = read_file(path, &size);
	if (!bytes)
		fail("cannot read '%s': %s", path, strerror(errno));
	*files = realloc(*files, (*count + 1) * sizeof **files);
	if (!*files)
		BUG("out of memory");
	(*files)[(*count)++] = (struct translator_file){ text("%s", name), bytes, size };
}

/* ---- argv ------------------------------------------------------------------------------------------------------------ */

/* Add `value` to `values`, unless it is there: given twice, it is still one possibility. */
static void add_value(struct list *values, const char *value)
{
	for (size_t i = 0; i < values->count; i++)
		if (strcmp(values->items[i], value) == 0)
			return;
	list_add(values, value);
}

static void add_range(struct list *values, const char *given, int64_t low, int64_t high)
{
	assert(low <= high);
	if ((uint64_t)high - (uint64_t)low >= MOST_VALUES)
		fail("--arg %s: an argument has at most %d values", given, MOST_VALUES);
	for (int64_t n = low; n < high; n++) {
		char *value = text("%lld", (long long)n);
		add_value(values, value);
		free(value);
	}
	char *value = text("%lld", (long long)high);
	add_value(values, value);
	free(value);
}

static struct list *values_of(struct world *world, size_t number)
{
	size_t before = world->narguments;
	if (number >= before) {
		world->narguments = number + 1;
		world->values = realloc(world->values, world->narguments * sizeof *world->values);
		world->most = realloc(world->most, world->narguments * sizeof *world->most);
		if (!world->values || !world->most)
			BUG("out of memory");
		memset(world->values + before, 0, (world->narguments - before) * sizeof *world->values);
		memset(world->most + before, 0, (world->narguments - before) * sizeof *world->most);
	}
	return &world->values[number];
}

static void add_argument(struct world *world, const char *given)
{
	char *end;
	int64_t low, high;
	size_t most;
	unsigned long number = strtoul(given, &end, 10);
	if (end == given || *end != '=' || *given == '-' || number == 0 || number > MOST_ARGUMENTS)
		fail("--arg takes NUMBER=VALUE, NUMBER=LO..HI or NUMBER=any with a number from 1 to %d, not '%s'", MOST_ARGUMENTS,
		     given);
	bool any = parse_any(end + 1, &most);
	if (values_of(world, number)->count && (any || world->most[number]))
		fail("--arg %s: argument %lu is given twice, and one of them is any text", given, number);
	if (any) {
		add_value(values_of(world, number), "");
		world->most[number] = most;
	} else if (parse_range(end + 1, &low, &high))
		add_range(values_of(world, number), given, low, high);
	else
		add_value(values_of(world, number), end + 1);
}

static void read_arguments(struct world *world, const struct options *o)
{
	assert(o->files.count > 0 && !world->arguments);
	add_value(values_of(world, 0), o->files.items[0]);
	for (size_t i = 0; i < o->arguments.count; i++)
		add_value(values_of(world, i + 1), o->arguments.items[i]);
	for (size_t i = 0; i < o->values.count; i++)
		add_argument(world, o->values.items[i]);
	world->arguments = calloc(world->narguments, sizeof *world->arguments);
	if (!world->arguments)
		BUG("out of memory");
	for (size_t i = 0; i < world->narguments; i++) {
		if (world->values[i].count == 0)
			fail("argument %zu has a value (--arg), but argument %zu has none", world->narguments - 1, i);
		world->arguments[i] = (struct translator_argument){ (const char *const *)world->values[i].items,
								    world->values[i].count, world->most[i] };
	}
}

/* ---- the environment ------------------------------------------------------------------------------------------------- */

static void read_environment(struct world *world, const struct options *o)
{
	world->environment_most = calloc(o->environment.count + 1, sizeof *world->environment_most);
	if (!world->environment_most)
		BUG("out of memory");
	for (size_t i = 0; i < o->environment.count; i++) {
		const char *variable = o->environment.items[i], *sign = strchr(variable, '=');
		assert(sign);
		if (parse_any(sign + 1, &world->environment_most[i]))
			list_addf(&world->environment, "%.*s", (int)(sign - variable) + 1, variable);
		else
			list_add(&world->environment, variable);
		world->environment_most[i] *= strcmp(world->environment.items[i], variable) != 0;
	}
}

/* ---- standard input -------------------------------------------------------------------------------------------------- */

/* Return the byte that the letter at *at stands for, and set *at behind that letter.  `given` is the whole value, for the
 * message. */
static char letter(const char **at, const char *given)
{
	static const char escapes[] = "ntr0\\", bytes[] = "\n\t\r\0\\";
	if (**at != '\\')
		return *(*at)++;
	const char *escape = (*at)[1] ? strchr(escapes, (*at)[1]) : NULL;
	if (!escape)
		fail("--stdin-bytes %s: after a backslash comes n, t, r, 0 or another one", given);
	*at += 2;
	return bytes[escape - escapes];
}

static void read_alphabet(struct world *world, const char *given)
{
	char *end, *alphabet = NULL;
	if (parse_any(given, &world->input.most))
		return;
	alphabet = calloc(MOST_LETTERS, 1);
	unsigned long most = strtoul(given, &end, 10);
	size_t count = 0;
	if (!alphabet)
		BUG("out of memory");
	if (end == given || *end != '=' || !end[1] || *given == '-' || most == 0 || most > MOST_BYTES)
		fail("--stdin-bytes takes NUMBER=LETTERS with a number from 1 to %d, any or any:NUMBER, not '%s'", MOST_BYTES,
		     given);
	for (const char *at = end + 1; *at;) {
		char byte = letter(&at, given);
		if (memchr(alphabet, byte, count))
			fail("--stdin-bytes %s: a letter is named twice", given);
		assert(count < MOST_LETTERS); /* as there are no more bytes, and none is there twice */
		alphabet[count++] = byte;
	}
	assert(count > 0 && !world->input.alphabet);
	world->input.alphabet = alphabet;
	world->input.letters = count;
	world->input.most = most;
}

void inputs_read(struct world *world, const struct options *o)
{
	struct translator_file *files = NULL;
	read_arguments(world, o);
	read_environment(world, o);
	for (size_t i = 0; o->inputs.count > 1 && i < o->inputs.count; i++)
		inputs_add_file(&files, &world->input.nfiles, o->inputs.items[i], o->inputs.items[i]);
	world->input.files = files;
	if (o->alphabet)
		read_alphabet(world, o->alphabet);
}

void inputs_release(struct world *world)
{
	for (size_t i = 0; i < world->input.nfiles; i++) {
		free((char *)world->input.files[i].name);
		free((void *)world->input.files[i].bytes);
	}
	free((void *)world->input.files);
	free((char *)world->input.alphabet);
	for (size_t i = 0; i < world->narguments; i++)
		list_release(&world->values[i]);
	free(world->values);
	free(world->most);
	free(world->arguments);
	list_release(&world->environment);
	free(world->environment_most);
}

/* ---- what is assumed ------------------------------------------------------------------------------------------------- */

static char *joined(const struct list *values)
{
	enum { SHOWN = 8 };
	char *names = text("%s", "");
	for (size_t i = 0; i < values->count; i++) {
		if (values->count > SHOWN && i == SHOWN - 2)
			i = values->count - 1;
		const char *between = !i ? "" : values->count > SHOWN && i + 1 == values->count ? ", ..., " : ", ";
		char *more = text("%s%s'%s'", names, between, values->items[i]);
		free(names);
		names = more;
	}
	return names;
}

void inputs_assume(const struct world *world, struct list *assumptions)
{
	for (size_t i = 0; i < world->narguments; i++) {
		assert(world->values[i].count > 0);
		if (world->most[i])
			list_addf(assumptions, "argument %zu of the program is any text of at most %zu byte%s (--arg)", i,
				  world->most[i], world->most[i] == 1 ? "" : "s");
		if (world->values[i].count == 1)
			continue;
		char *names = joined(&world->values[i]);
		list_addf(assumptions, "argument %zu of the program is one of %s (--arg)", i, names);
		free(names);
	}
	for (size_t i = 0; i < world->environment.count; i++)
		if (world->environment_most[i])
			list_addf(assumptions, "the environment has %sTEXT, any text of at most %zu byte%s (--env)",
				  world->environment.items[i], world->environment_most[i],
				  world->environment_most[i] == 1 ? "" : "s");
	struct list files = { 0 };
	for (size_t i = 0; i < world->input.nfiles; i++)
		list_add(&files, world->input.files[i].name);
	char *names = joined(&files);
	if (files.count)
		list_addf(assumptions, "standard input is one of the files %s (--stdin)", names);
	if (world->input.most && !world->input.letters)
		list_addf(assumptions, "standard input has at most %zu byte%s, of any values (--stdin-bytes)", world->input.most,
			  world->input.most == 1 ? "" : "s");
	else if (world->input.most)
		list_addf(assumptions, "standard input has at most %zu byte%s, each one of %zu (--stdin-bytes)", world->input.most,
			  world->input.most == 1 ? "" : "s", world->input.letters);
	free(names);
	list_release(&files);
}
