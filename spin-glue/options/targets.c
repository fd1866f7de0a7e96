/* SPDX-License-Identifier: MIT
 *
 * The files that options name for output: usage is checked before anything is opened.  A name that was forgotten is what goes
 * wrong: in `--json prog.c`, the program is taken for the file to write.
 */
#include "options.h"
#include "rows.h"
#include "../base/base.h"
#include "../base/target.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char **place(struct options *o, int option)
{
	assert(option_rows[option].form && option_rows[option].kind == KIND_TEXT);
	return (const char **)((char *)o + option_rows[option].field);
}

static bool takes_stdout(const struct option_row *row)
{
	assert(row->argument);
	return strstr(row->argument, "|-") != NULL;
}

/* Return the form of the file at `path`.  Another program draws an SVG from what the option writes. */
static enum form form_of(const struct option_row *row, const char *path)
{
	size_t n = strlen(path);
	bool drawn = (row->form == FORM_GRAPH || row->form == FORM_PLOT) && n > 4 && strcmp(path + n - 4, ".svg") == 0;
	return drawn ? FORM_PICTURE : row->form;
}

/* Does `path` name something that the command reads? */
static bool is_input(const struct options *o, const char *path)
{
	bool is = target_goes_to(path, 0);
	for (size_t i = 0; i < o->files.count; i++)
		is = is || target_is_same(path, o->files.items[i]);
	for (int i = 0; i < OPTIONS; i++) {
		const struct option_row *row = &option_rows[i];
		if (!row->argument || strcmp(row->argument, "FILE") != 0 || row->form)
			continue;
		const void *field = option_field(o, (enum option_id)i);
		const struct list *list = row->kind == KIND_LIST ? field : NULL;
		const char *one = row->kind == KIND_TEXT ? *(const char *const *)field : NULL;
		is = is || (one && target_is_same(path, one));
		for (size_t k = 0; list && k < list->count; k++)
			is = is || target_is_same(path, list->items[k]);
	}
	return is;
}

/* Return what was meant, malloc'ed, where the option's own file was left out and `path` is an input. */
static char *guess(const struct option_row *row, const char *path)
{
	return takes_stdout(row) ? text("did you mean --%s=- %s?", row->long_name, path) :
				   text("did you mean --%s FILE %s?", row->long_name, path);
}

/* Return why the option does not get its file, malloc'ed; NULL if it does. */
static char *refusal(const struct options *o, const struct option_row *row, const char *path)
{
	bool forgotten = target_is_source(path) || (*path == '-' && path[1]);
	if (strcmp(path, "-") == 0 && !takes_stdout(row))
		return text("--%s needs the name of a file, and cannot write to standard output", row->long_name);
	char *why = NULL, *meant = guess(row, path);
	if (!forgotten && *path && is_input(o, path))
		why = text("--%s would overwrite '%s', which is an input; %s", row->long_name, path, meant);
	else {
		char *refused = target_refusal(path, form_of(row, path));
		why = refused ? text("--%s: %s%s%s", row->long_name, refused, forgotten ? "; " : "", forgotten ? meant : "") : NULL;
		free(refused);
	}
	free(meant);
	return why;
}

/* Do both paths name the same place?  The files beside a checkpoint count, too. */
static bool meet(const char *a, const char *b)
{
	char *beside = text("%s.states", a), *other = text("%s.states", b);
	bool same = target_is_same(a, b) || target_is_same(beside, b) || target_is_same(a, other);
	free(beside);
	free(other);
	return same;
}

static void check_pairs(struct options *o)
{
	for (int i = 0; i < OPTIONS; i++)
		for (int k = 0; k < i; k++) {
			const struct option_row *row = &option_rows[i], *earlier = &option_rows[k];
			const char *path = row->form ? *place(o, i) : NULL, *other = earlier->form ? *place(o, k) : NULL;
			if (!path || !other || !meet(path, other))
				continue;
			bool standard = strcmp(path, "-") == 0;
			if (!standard) /* the error goes to neither */
				*place(o, i) = *place(o, k) = NULL;
			fail("--%s and --%s both go to %s; only one can", earlier->long_name, row->long_name,
			     standard ? "standard output" : path);
		}
}

static void check_streams(struct options *o)
{
	for (int i = 0; i < OPTIONS; i++) {
		const char *path = option_rows[i].form ? *place(o, i) : NULL;
		if (!path || target_is_descriptor(path, 2) || (!target_goes_to(path, 1) && !target_goes_to(path, 2)))
			continue;
		*place(o, i) = NULL;
		fail("--%s and %s both go to '%s'; only one can", option_rows[i].long_name,
		     target_goes_to(path, 1) ? "standard output" : "standard error", path);
	}
}

void targets_check(struct options *o)
{
	char *first = NULL;
	for (int i = 0; i < OPTIONS; i++) {
		const struct option_row *row = &option_rows[i];
		const char *path = row->form ? *place(o, i) : NULL;
		if (!path)
			continue;
		if (takes_stdout(row) && target_is_descriptor(path, 1))
			*place(o, i) = path = "-";
		char *why = refusal(o, row, path);
		if (why)
			*place(o, i) = NULL; /* the error cannot go there either */
		if (first)
			free(why);
		else
			first = why;
	}
	if (first)
		fail("%s", first);
	check_streams(o);
	check_pairs(o);
}

void targets_forget(struct options *o)
{
	for (int i = 0; i < OPTIONS; i++)
		if (option_rows[i].form)
			*place(o, i) = NULL;
}

static enum form form_for(const char *option, const char *path)
{
	for (int i = 0; i < OPTIONS; i++)
		if (option_rows[i].form && strcmp(option_rows[i].long_name, option) == 0)
			return form_of(&option_rows[i], path);
	BUG("no option --%s writes a file", option);
}

bool targets_write(const char *option, const char *path, const char *bytes, size_t size)
{
	return target_write(path, form_for(option, path), bytes, size);
}

void targets_remove(const char *option, const char *path)
{
	target_remove(path, form_for(option, path));
}
