/* SPDX-License-Identifier: MIT
 *
 * The tables of the C library in C (libc/library.h) that depend on the host or on what the user asked for: the texts of
 * strerror(), the files of the program's file system, its environment.  All tables are constants, so they cost no state.
 */
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

static uint64_t string(struct translation *t, const char *text)
{
	return make_constant(t, "a string of the C library", text, strlen(text) + 1);
}

static void *files_table(struct translation *t, uint64_t *size)
{
	size_t n = t->request->nfiles;
	uint64_t *rows = calloc(3 * (n + 1), sizeof *rows);
	for (size_t i = 0; i < n; i++) {
		const struct translator_file *file = &t->request->files[i];
		rows[3 * i] = string(t, file->name);
		rows[3 * i + 1] = make_constant(t, file->name, file->bytes, file->size);
		rows[3 * i + 2] = file->size;
	}
	*size = 3 * n * sizeof *rows;
	return rows;
}

enum { ERRORS = 134, SIGNALS = 65 }; /* of Linux */

/* Return a table of what the function `text_of` of the host says of each number. */
static void *texts_table(struct translation *t, const char *(*text_of)(int number), int count, uint64_t *size)
{
	uint64_t *rows = calloc((size_t)count, sizeof *rows);
	for (int i = 0; i < count; i++) {
		const char *text = text_of(i);
		rows[i] = text ? string(t, text) : 0;
	}
	*size = (uint64_t)count * sizeof *rows;
	return rows;
}

uint64_t environment_text(struct translation *t, size_t i)
{
	const struct translator_request *r = t->request;
	if (!r->environment_most[i])
		return string(t, r->environment[i]);
	if (!t->environment)
		t->environment = calloc(r->nenvironment, sizeof *t->environment);
	if (!t->environment[i])
		t->environment[i] = image_global_address(make_global(t, "a variable of the environment", r->environment[i],
								     strlen(r->environment[i]) + 1, GLOBAL_INTERNAL),
							 0);
	return t->environment[i];
}

static void *environment_table(struct translation *t, uint64_t *size)
{
	size_t n = t->request->nenvironment;
	uint64_t *rows = calloc(n + 1, sizeof *rows);
	for (size_t i = 0; i < n; i++)
		rows[i] = environment_text(t, i);
	*size = (n + 1) * sizeof *rows;
	return rows;
}

/* Make the text of argv[0], or of its last part. */
static void *program_table(struct translation *t, bool last, uint64_t *size)
{
	const char *name = t->request->narguments && t->request->arguments[0].count ? t->request->arguments[0].values[0] : "";
	const char *slash = last ? strrchr(name, '/') : NULL;
	name = slash ? slash + 1 : name;
	*size = strlen(name) + 1;
	return strdup(name);
}

static void *count_table(uint64_t count, uint64_t *size)
{
	uint64_t *row = malloc(sizeof *row);
	*row = count;
	*size = sizeof *row;
	return row;
}

bool library_table(struct translation *t, const char *name, void **bytes, uint64_t *size)
{
	if (strcmp(name, "__bitspin_files") == 0)
		*bytes = files_table(t, size);
	else if (strcmp(name, "__bitspin_nfiles") == 0)
		*bytes = count_table(t->request->nfiles, size);
	else if (strcmp(name, "__bitspin_errors") == 0)
		*bytes = texts_table(t, strerrordesc_np, ERRORS, size);
	else if (strcmp(name, "__bitspin_error_names") == 0)
		*bytes = texts_table(t, strerrorname_np, ERRORS, size);
	else if (strcmp(name, "__bitspin_nerrors") == 0)
		*bytes = count_table(ERRORS, size);
	else if (strcmp(name, "__bitspin_signals") == 0)
		*bytes = texts_table(t, sigdescr_np, SIGNALS, size);
	else if (strcmp(name, "__bitspin_signal_names") == 0)
		*bytes = texts_table(t, sigabbrev_np, SIGNALS, size);
	else if (strcmp(name, "__bitspin_nsignals") == 0)
		*bytes = count_table(SIGNALS, size);
	else if (strcmp(name, "__bitspin_clock_step") == 0)
		*bytes = count_table(t->request->options.clock_step, size);
	else if (strcmp(name, "__bitspin_fs_write") == 0)
		*bytes = count_table(t->request->options.fs_write, size);
	else if (strcmp(name, "__bitspin_wide_streams") == 0)
		*bytes = count_table(t->wide_streams, size);
	else if (strcmp(name, "__bitspin_stream_locks") == 0)
		*bytes = count_table(t->stream_locks, size);
	else if (strcmp(name, "__bitspin_watched_streams") == 0)
		*bytes = count_table(t->watched_streams, size);
	else if (strcmp(name, "__bitspin_program") == 0 || strcmp(name, "__bitspin_program_short") == 0)
		*bytes = program_table(t, strcmp(name, "__bitspin_program") != 0, size);
	else if (strcmp(name, "__bitspin_environment") == 0)
		*bytes = environment_table(t, size);
	else
		return false;
	return true;
}
