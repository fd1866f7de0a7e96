/* SPDX-License-Identifier: MIT
 *
 * What `check --keep` says of itself in its directory, so that a later command knows the program as that check did: check.json,
 * with the version, the current directory and the words of the command line.
 */
#include "commands.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "check.json";

void kept_libraries(int argc, char **argv, struct list *linked)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		bool library = strncmp(argv[i], "-l", 2) == 0 || strncmp(argv[i], "-L", 2) == 0;
		if (!library)
			continue;
		list_add(linked, argv[i]);
		if (argv[i][2] == '\0' && i + 1 < argc)
			list_add(linked, argv[++i]);
	}
}

bool kept_write(const struct job *job, int argc, char **argv)
{
	assert(job->inputs->options.keep);
	char *path = text("%s/%s", job->inputs->options.keep, name), *here = absolute_path(".");
	json_t *words = json_array();
	bool plain = true; /* JSON has only UTF-8 */
	for (int i = 0; i < argc; i++)
		plain = json_array_append_new(words, json_string(argv[i])) == 0 && plain;
	const json_t *first = json_array_get(job->result.violations, 0);
	json_t *all = json_pack("{s:s, s:s, s:o, s:i}", "bitspin", BITSPIN_VERSION, "directory", here, "words", words, "members",
				(int)job->program.members);
	if (all && first) {
		json_object_set(all, "kind", json_object_get(first, "kind"));
		json_object_set(all, "line", json_object_get(first, "line"));
	}
	bool good = !all || !plain || json_dump_file(all, path, JSON_INDENT(1)) == 0;
	json_decref(all);
	free(path);
	free(here);
	return good;
}

/* List the bitcode of the directory: 0.bc, 1.bc and so on. */
static void find_bitcode(const char *directory, struct list *bitcode)
{
	for (size_t i = 0;; i++) {
		char *path = text("%s/%zu.bc", directory, i);
		bool there = file_exists(path);
		if (there)
			list_add(bitcode, path);
		free(path);
		if (!there)
			break;
	}
	if (bitcode->count == 0)
		fail("'%s' has no bitcode of a program; check with --keep again", directory);
}

void kept_read(struct job *job, const char *directory, struct list *bitcode, struct list *linked)
{
	json_error_t error;
	char *path = text("%s/%s", directory, name), *whole = absolute_path(directory);
	json_t *all = json_load_file(path, 0, &error), *words = json_object_get(all, "words"), *word;
	const char *here = json_string_value(json_object_get(all, "directory"));
	const char *version = json_string_value(json_object_get(all, "bitspin"));
	size_t i, count = json_array_size(words);
	if (!all || !here || count == 0 || !version)
		fail("'%s' has no %s: it was not left by bitspin check --keep", directory, name);
	if (strcmp(version, BITSPIN_VERSION) != 0)
		fail("'%s' was left by bitspin %s, and this is %s; check again", directory, version, BITSPIN_VERSION);
	if (chdir(here) < 0)
		fail("the check that left '%s' ran in '%s', which cannot be entered: %s", directory, here, strerror(errno));
	assert(!job->inputs->world.files && linked->count == 0);
	char **argv = calloc(count + 1, sizeof *argv);
	if (!argv)
		BUG("out of memory");
	json_array_foreach (words, i, word)
		argv[i] = text("%s", json_string_value(word) ? json_string_value(word) : "");
	bool quiet = job->inputs->options.quiet, verbose = job->inputs->options.verbose;
	options_release(&job->inputs->options);
	options_parse(&job->inputs->options, 'N', (int)count, argv);
	job->inputs->options.quiet = quiet;
	job->inputs->options.verbose = verbose;
	targets_forget(&job->inputs->options); /* the check has written them */
	job->inputs->options.keep = NULL;
	world_read(&job->inputs->world, &job->inputs->options);
	kept_libraries((int)count, argv, linked);
	job->program.members = (size_t)json_integer_value(json_object_get(all, "members"));
	find_bitcode(whole, bitcode);
	for (i = 0; i < count; i++)
		free(argv[i]);
	free(argv);
	free(path);
	free(whole);
	json_decref(all);
}

void kept_compare(const char *directory, const char *trail, const json_t *violation)
{
	json_error_t error;
	char *path = text("%s/%s", directory, name);
	json_t *all = json_load_file(path, 0, &error), *kind = json_object_get(all, "kind");
	bool first = strcmp(trail, "model.pml.trail") == 0 || strcmp(trail, "model.pml1.trail") == 0;
	if (first && kind &&
	    (!json_equal(kind, json_object_get(violation, "kind")) ||
	     !json_equal(json_object_get(all, "line"), json_object_get(violation, "line"))))
		fail("the trail '%s' is not the one that the check left in '%s': it found %s at line %lld; check again", trail,
		     directory, json_string_value(kind), (long long)json_integer_value(json_object_get(all, "line")));
	json_decref(all);
	free(path);
}
