/* SPDX-License-Identifier: MIT
 *
 * The result as a page: page.html (made of the files in page/) with the report and the sources in it, as JSON.  The page's own
 * script reads them and shows them as text, never as markup, so nothing in a program can act in the reader's browser.
 */
#include "output.h"
#include "fold.h"
#include "source.h"
#include "report.h"
#include "story.h"
#include "../base/base.h"
#include "../pan/job.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	WHOLE = 1 << 19 /* bytes of a source that is shown as a whole */,
	AROUND = 100 /* lines; of longer ones, around each place */
};

/* ---- sources ------------------------------------------------------------------------------------------------------- */

/* Return any bytes as a string of JSON; U+FFFD stands for each byte that is no UTF-8. */
static json_t *any_text(const char *bytes, size_t size)
{
	static const char unknown[] = "\xef\xbf\xbd";
	json_t *json = json_stringn(bytes, size);
	char *copy = json ? NULL : malloc(3 * size + 1);
	size_t length = 0;
	for (size_t i = 0; copy && i < size;) {
		size_t n = source_utf8_length(bytes + i, size - i);
		memcpy(copy + length, n ? bytes + i : unknown, n ? n : 3);
		length += n ? n : 3;
		i += n ? n : 1;
	}
	if (copy)
		json = json_stringn(copy, length);
	free(copy);
	return json ? json : json_string("");
}

static void note_place(json_t *places, const char *file, json_int_t line)
{
	char number[24];
	if (!file || !*file || line <= 0)
		return;
	if (!json_object_get(places, file))
		json_object_set_new(places, file, json_object());
	snprintf(number, sizeof number, "%lld", (long long)line);
	json_object_set_new(json_object_get(places, file), number, json_true());
}

/* Add to `places` the lines of each file that any part of `json` names: an object for each file, with a member for each line. */
static void note_places(json_t *places, const json_t *json)
{
	const char *key, *file = json_string_value(json_object_get(json, "file"));
	json_t *value;
	size_t i;
	note_place(places, file, json_integer_value(json_object_get(json, "line")));
	json_array_foreach (json_object_get(json, "lines"), i, value)
		note_place(places, file, json_integer_value(value));
	json_object_foreach ((json_t *)json, key, value)
		note_places(places, value);
	json_array_foreach (json, i, value)
		note_places(places, value);
}

/* Is a line near one that the report names? */
static bool is_near(const json_t *lines, long line)
{
	const char *key;
	json_t *value;
	json_object_foreach ((json_t *)lines, key, value)
		if (labs(strtol(key, NULL, 10) - line) <= AROUND)
			return true;
	return false;
}

static void add_piece(json_t *pieces, long line, const char *from, const char *to)
{
	if (to > from)
		json_array_append_new(pieces,
				      json_pack("{s:i, s:o}", "line", (int)line, "text", any_text(from, (size_t)(to - from))));
}

/* Add to `pieces` those parts of a long source that are near one of `lines`. */
static void add_pieces(json_t *pieces, const char *bytes, size_t size, const json_t *lines)
{
	const char *end = bytes + size, *from = NULL;
	long line = 1, first = 0;
	for (const char *p = bytes; p < end; line++) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		bool near = is_near(lines, line);
		if (near && !from) {
			from = p;
			first = line;
		} else if (!near && from) {
			add_piece(pieces, first, from, p);
			from = NULL;
		}
		p = newline ? newline + 1 : end;
	}
	if (from)
		add_piece(pieces, first, from, end);
}

/* Return {FILE: {"pieces": [{"line", "text"}], "note"}} for each source that `report` names, and that can be read. */
static json_t *sources_json(const struct job *job, const json_t *report)
{
	json_t *places = json_object(), *sources = json_object(), *lines;
	const char *file;
	struct stat image, source;
	note_places(places, job->result.violations);
	note_places(places, json_object_get(json_object_get(report, "ran"), "lines_never_ran"));
	bool dated = stat(job->program.image, &image) == 0;
	json_object_foreach (places, file, lines) {
		size_t size;
		char *bytes = stat(file, &source) == 0 && S_ISREG(source.st_mode) ? read_file(file, &size) : NULL;
		json_t *pieces = json_array();
		if (!bytes) {
			json_decref(pieces);
			continue;
		}
		if (size <= WHOLE)
			add_piece(pieces, 1, bytes, bytes + size);
		else
			add_pieces(pieces, bytes, size, lines);
		const char *note = dated && source.st_mtime > image.st_mtime ?
			"this file has changed since the program was checked" :
			NULL;
		json_object_set_new(sources, file, json_pack("{s:o, s:s*}", "pieces", pieces, "note", note));
		free(bytes);
	}
	json_decref(places);
	return sources;
}

/* ---- the page ------------------------------------------------------------------------------------------------------ */

/* Write JSON within a script element.  A '<' could end the element; it occurs in strings only. */
static int put_json(const char *bytes, size_t size, void *out)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] == '<')
			fputs("\\u003c", out);
		else
			putc(bytes[i], out);
	return 0;
}

static void put_escaped(const char *bytes, FILE *out)
{
	assert(bytes);
	for (const char *p = bytes; *p; p++)
		if (strchr("<>&\"'", *p))
			fprintf(out, "&#%d;", *p);
		else
			putc(*p, out);
}

/* Write what browsers show that run no scripts. */
static void put_summary(const struct job *job, FILE *out)
{
	size_t i;
	json_t *violation;
	char *line = report_last_line(job);
	put_escaped(job->result.verdict == VERDICT_VIOLATED ? verdict_name(job->result.verdict) : line, out);
	free(line);
	json_array_foreach (job->result.violations, i, violation) {
		fprintf(out, "<br>%s at ", json_string_value(json_object_get(violation, "kind")));
		put_escaped(json_string_value(json_object_get(violation, "file")), out);
		fprintf(out, ":%lld: ", (long long)json_integer_value(json_object_get(violation, "line")));
		put_escaped(json_string_value(json_object_get(violation, "message")), out);
	}
}

/* Write the template up to `mark`.  Return what comes behind the mark. */
static const char *put_until(const char *template, const char *mark, FILE *out)
{
	const char *at = strstr(template, mark);
	if (!at)
		BUG("page.html has no %s", mark);
	fwrite(template, 1, (size_t)(at - template), out);
	return at + strlen(mark);
}

/* Return the violation for a page.  Of a very long trace it has the beginning and the end, as a browser has to hold all that is
 * in the page. */
static json_t *fit_for_a_page(const json_t *violation)
{
	enum { MOST = 50000, KEPT = 10000 };
	json_t *copy = json_copy((json_t *)violation), *trace = json_object_get(violation, "trace"), *kept = json_array();
	size_t n = json_array_size(trace);
	for (size_t i = 0; n > MOST && i < n; i++) {
		if (i == KEPT) {
			json_t *omitted = json_copy(json_array_get(trace, i));
			char *detail = text("%zu events are left out", n - 2 * KEPT);
			json_object_set_new(omitted, "action", json_string("omitted"));
			json_object_set_new(omitted, "detail", json_string(detail));
			json_array_append_new(kept, omitted);
			free(detail);
			i = n - KEPT;
		}
		json_array_append(kept, json_array_get(trace, i));
	}
	if (n > MOST)
		json_object_set(copy, "trace", kept);
	json_decref(kept);
	return copy;
}

static void take_line(void *context, struct line *line)
{
	*lines_add(context, line->kind) = *line;
}

/* Return the story of a violation as it is told to people: an array with an object for each of its lines, which names the events
 * of `trace` that the line is about. */
static json_t *story_json(const json_t *violation)
{
	static const char *const kinds[] = {
		[LINE_STEP] = "step", [LINE_OUTPUT] = "output", [LINE_MARK] = "mark", [LINE_FOLDED] = "folded"
	};
	struct lines lines = { .width = 120 };
	json_t *story = json_array();
	story_lines(violation, false, take_line, &lines);
	unmark(&lines);
	fold(&lines, STORY_MOST);
	for (size_t i = 0; i < lines.count; i++) {
		const struct line *line = &lines.items[i];
		json_t *json = json_pack("{s:I, s:I, s:s, s:o, s:b}", "first", (json_int_t)line->first, "last",
					 (json_int_t)line->last, "kind", kinds[line->kind], "text",
					 any_text(line->text, strlen(line->text)), "marked", line->kept || line->relevant);
		if (line->note)
			json_object_set_new(json, "note", any_text(line->note, strlen(line->note)));
		json_array_append_new(story, json);
	}
	lines_release(&lines);
	return story;
}

static json_t *data_json(const struct job *job, const json_t *report)
{
	json_t *shown = json_copy((json_t *)report), *violations = json_array(), *violation;
	size_t i;
	json_array_foreach (json_object_get(report, "violations"), i, violation) {
		json_t *fitting = fit_for_a_page(violation);
		json_object_set_new(fitting, "story", story_json(fitting));
		if (job->result.frames)
			json_object_set(fitting, "frames", job->result.frames);
		json_array_append_new(violations, fitting);
	}
	json_object_set_new(shown, "violations", violations);
	return json_pack("{s:o, s:o}", "report", shown, "sources", sources_json(job, report));
}

char *html_write(const struct job *job, const json_t *report, FILE *out)
{
	char *template_path = data_file("page.html"), *template = read_file(template_path, NULL);
	if (!template)
		fail("cannot read '%s': %s", template_path, strerror(errno));
	json_t *data = data_json(job, report);
	if (!data)
		BUG("the report is no JSON");
	const char *rest = put_until(template, "@SUMMARY@", out);
	put_summary(job, out);
	rest = put_until(rest, "@REPORT@", out);
	json_dump_callback(data, put_json, out, JSON_COMPACT | JSON_DIGITS);
	fputs(rest, out);
	json_decref(data);
	free(template);
	free(template_path);
	return NULL;
}
