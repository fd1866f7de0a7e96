/* SPDX-License-Identifier: MIT
 *
 * --compdb: how a build compiles each file, from its compile_commands.json, as cmake, meson and bear write it.
 */
#include "options.h"
#include "../base/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *entry, const char *key)
{
	return json_string_value(json_object_get(entry, key));
}

/* Return the path of an entry's source on the disk, or where it would be; NULL if the entry is none. */
static char *source_of(const json_t *entry)
{
	assert(json_is_object(entry));
	const char *file = string_of(entry, "file"), *directory = string_of(entry, "directory");
	if (!file || !directory || directory[0] != '/')
		return NULL;
	char *path = file[0] == '/' ? text("%s", file) : text("%s/%s", directory, file), *whole = realpath(path, NULL);
	if (!whole)
		return path;
	free(path);
	return whole;
}

static bool is_c(const char *file)
{
	const char *dot = strrchr(file, '.');
	return dot && strcmp(dot, ".c") == 0;
}

static void read_words(const char *name, const json_t *entry, struct list *words)
{
	const char *command = string_of(entry, "command");
	const json_t *arguments = json_object_get(entry, "arguments");
	size_t i;
	json_t *argument;
	struct list given = { 0 };
	if (command)
		list_add_quoted(&given, command, true);
	json_array_foreach (arguments, i, argument)
		if (!command && json_is_string(argument))
			list_add(&given, json_string_value(argument));
	if (given.count == 0)
		fail("'%s' has no command for '%s'; write it again with cmake, meson or bear", name, string_of(entry, "file"));
	for (i = 0; i < given.count; i++)
		flags_expand(given.items[i], string_of(entry, "directory"), words);
	list_release(&given);
}

/* Read the flags of an entry.  Other words are the compiler, what runs it, and the source. */
static void read_entry(struct options *o, const json_t *entry, const char *file, struct build *build)
{
	assert(!build->directory);
	struct list words = { 0 };
	struct flag flag;
	read_words(o->compdb, entry, &words);
	*build = (struct build){ .directory = text("%s", string_of(entry, "directory")) };
	for (size_t i = 0; i < words.count; i++)
		if (flag_read(words.items + i, &flag)) {
			if (flag.action != FLAG_OUTPUT && flag.action != FLAG_PLAIN)
				flags_add(&build->flags, &flag);
			i += (size_t)flag.words - 1;
			assert(i < words.count);
		}
	if (build->flags.refused)
		fail("cannot check '%s', which '%s' compiles with %s", file, o->compdb, build->flags.refused);
	flags_merge(&o->flags, &build->flags);
	list_release(&words);
}

static json_t *read_database(const char *name)
{
	json_error_t error;
	size_t size;
	char *bytes = read_file(name, &size);
	if (!bytes)
		fail("cannot read '%s'; write it with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson or bear", name);
	json_t *all = json_loadb(bytes, size, 0, &error);
	if (!all)
		fail("'%s' is no compile_commands.json: line %d: %s", name, error.line, error.text);
	if (!json_is_array(all))
		fail("'%s' is no compile_commands.json, which is an array of commands", name);
	size_t i;
	json_t *entry;
	json_array_foreach (all, i, entry) {
		char *source = source_of(entry);
		if (!source)
			fail("'%s' is no compile_commands.json: entry %zu has no file, or no absolute directory", name, i + 1);
		free(source);
	}
	free(bytes);
	return all;
}

/* Return the first entry of a file.  Further ones compile it in another way, as for a shared library. */
static const json_t *entry_of(const json_t *all, const char *file)
{
	char *whole = realpath(file, NULL);
	const json_t *found = NULL;
	for (size_t i = 0; whole && !found && i < json_array_size(all); i++) {
		char *source = source_of(json_array_get(all, i));
		assert(source); /* read_database() has refused other entries */
		found = strcmp(source, whole) == 0 ? json_array_get(all, i) : NULL;
		free(source);
	}
	free(whole);
	return found;
}

static void add_all_files(struct options *o, const json_t *all)
{
	size_t i;
	json_t *entry;
	json_array_foreach (all, i, entry) {
		char *source = source_of(entry);
		assert(source);
		const char *name = from_here(source);
		bool there = !is_c(source);
		for (size_t k = 0; k < o->files.count; k++)
			there = there || strcmp(o->files.items[k], name) == 0;
		if (!there)
			list_add(&o->files, name);
		free(source);
	}
	if (o->files.count == 0)
		fail("'%s' compiles no C file", o->compdb);
}

void compdb_read(struct options *o)
{
	assert(!o->builds);
	json_t *all = read_database(o->compdb);
	if (o->files.count == 0)
		add_all_files(o, all);
	o->builds = calloc(o->files.count, sizeof *o->builds);
	if (!o->builds)
		BUG("out of memory");
	for (size_t i = 0; i < o->files.count; i++) {
		const char *file = o->files.items[i];
		const json_t *entry = is_c(file) ? entry_of(all, file) : NULL;
		if (is_c(file) && !file_exists(file))
			fail("cannot read '%s', which '%s' compiles", file, o->compdb);
		if (is_c(file) && !entry)
			fail("'%s' does not compile '%s'; add it to the build, or check it without --compdb", o->compdb, file);
		if (entry)
			read_entry(o, entry, file, &o->builds[i]);
	}
	json_decref(all);
}

void compdb_release(struct options *o)
{
	for (size_t i = 0; o->builds && i < o->files.count; i++) {
		free(o->builds[i].directory);
		flags_release(&o->builds[i].flags);
	}
	free(o->builds);
}
