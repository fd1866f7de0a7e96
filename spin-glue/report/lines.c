/* SPDX-License-Identifier: MIT
 *
 * What is found, a line or a few each: as compilers tell errors, which editors know how to jump to, and as GitHub Actions takes
 * annotations.
 */
#include "output.h"
#include "source.h"
#include "../base/base.h"
#include "../base/fields.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what there is to tell ----------------------------------------------------------------------------------------- */

enum weight { ERROR, WARNING, NOTE };

/* One line about a place; file NULL: about no place. */
struct line {
	enum weight weight;
	const char *file;
	long long number, column;
	const char *title, *message;
};

/* Where lines go, and how one is written. */
struct sink {
	FILE *out;
	void (*write)(struct sink *sink, const struct line *line);
	bool begun; /* GitHub: a line that notes may follow */
};

static void tell(struct sink *sink, enum weight weight, const json_t *place, const char *title, char *message)
{
	assert(message);
	bool known = field_number(place, "line") > 0;
	sink->write(sink,
		    &(struct line){ .weight = weight,
				    .file = known ? field_text(place, "file") : NULL,
				    .number = field_number(place, "line"),
				    .column = field_number(place, "column"),
				    .title = title,
				    .message = message });
	free(message);
}

/* Tell which functions called the one where the violation happened, innermost first. */
static void tell_callers(struct sink *sink, const json_t *violation)
{
	enum { MOST = 10 };
	const json_t *stack = json_object_get(violation, "stack"), *frame;
	size_t i;
	json_array_foreach (stack, i, frame) {
		if (i > MOST)
			break;
		if (i > 0 && !frame_is_ours(frame))
			tell(sink, NOTE, frame, NULL, text("called here, in %s", field_text(frame, "function")));
	}
}

static void tell_other_threads(struct sink *sink, const json_t *violation)
{
	const json_t *thread, *lock;
	bool deadlock = field_is(violation, "kind", "deadlock");
	size_t i, k;
	json_array_foreach (json_object_get(violation, "threads"), i, thread) {
		const json_t *place = json_array_get(json_object_get(thread, "stack"), 0);
		long long number = field_number(thread, "thread");
		if (deadlock && number != field_number(violation, "thread") && *field_text(thread, "waits"))
			tell(sink, NOTE, place, NULL, text("thread %lld %s", number, field_text(thread, "waits")));
		json_array_foreach (json_object_get(thread, "holds"), k, lock)
			if (deadlock)
				tell(sink, NOTE, lock, NULL,
				     text("thread %lld locked %s here", number, field_text(lock, "object")));
	}
}

/* Tell where threads have to take turns for the violation to happen. */
static void tell_switches(struct sink *sink, const json_t *violation)
{
	const json_t *one;
	size_t i;
	json_array_foreach (json_object_get(violation, "switches"), i, one) {
		const json_t *after = json_object_get(one, "after"), *place = after ? after : json_object_get(one, "before");
		if (*field_text(one, "text"))
			tell(sink, NOTE, place, NULL, text("in this schedule, %s", field_text(one, "text")));
	}
}

static void tell_related(struct sink *sink, const json_t *violation)
{
	const json_t *other = json_object_get(violation, "other"), *thread, *cause;
	size_t i;
	if (other)
		tell(sink, NOTE, other, NULL, text("the other access, by thread %lld", field_number(other, "thread")));
	tell_callers(sink, violation);
	if (json_object_get(violation, "end"))
		tell(sink, NOTE, json_object_get(violation, "end"), NULL, text("the program ends here"));
	json_array_foreach (json_object_get(violation, "causes"), i, cause)
		tell(sink, NOTE, cause, NULL, text("%s", field_text(cause, "text")));
	tell_switches(sink, violation);
	tell_other_threads(sink, violation);
	json_array_foreach (json_object_get(violation, "starving"), i, thread)
		tell(sink, NOTE, thread, NULL, text("thread %lld %s", field_number(thread, "thread"), field_text(thread, "waits")));
}

static void tell_all(struct sink *sink, const json_t *report)
{
	const json_t *violation;
	size_t i;
	json_array_foreach (json_object_get(report, "violations"), i, violation) {
		tell(sink, ERROR, violation, field_text(violation, "kind"), text("%s", field_text(violation, "message")));
		tell_related(sink, violation);
	}
	if (field_is(report, "verdict", verdict_name(VERDICT_INCONCLUSIVE)))
		tell(sink, WARNING, NULL, "inconclusive", text("%s", field_text(report, "message")));
}

/* ---- GNU ----------------------------------------------------------------------------------------------------------- */

static void put_plain(FILE *out, const char *bytes)
{
	for (; *bytes; bytes++)
		fputc((unsigned char)*bytes < ' ' || *bytes == 127 ? ' ' : *bytes, out);
}

static void write_gnu(struct sink *sink, const struct line *line)
{
	FILE *out = sink->out;
	static const char *const words[] = { "error", "warning", "note" };
	assert(line->weight < sizeof words / sizeof *words);
	if (line->file)
		put_plain(out, from_here(line->file));
	else
		fputs("bitspin", out);
	if (line->file)
		fprintf(out, ":%lld", line->number);
	if (line->file && line->column)
		fprintf(out, ":%lld", line->column);
	fprintf(out, ": %s: ", words[line->weight]);
	put_plain(out, line->message);
	if (line->title)
		fprintf(out, " [%s]", line->title);
	fputc('\n', out);
}

void gnu_write(const json_t *report, bool taken)
{
	(void)taken;
	tell_all(&(struct sink){ .out = stderr, .write = write_gnu }, report);
}

/* ---- GitHub -------------------------------------------------------------------------------------------------------- */

/* Write the bytes.  What would end the text, or one of `special` in the properties of an annotation, becomes a percent sign and
 * its code. */
static void put_escaped(FILE *out, const char *bytes, const char *special)
{
	for (; *bytes; bytes++)
		if (strchr(special, *bytes))
			fprintf(out, "%%%02X", (unsigned)(unsigned char)*bytes);
		else
			fputc(*bytes, out);
}

/* Write the line as an annotation.  Notes go on in the text of what they are about, as GitHub shows only few annotations. */
static void write_github(struct sink *sink, const struct line *line)
{
	static const char *const words[] = { "error", "warning" }, in_text[] = "%\r\n", in_property[] = "%\r\n:,";
	FILE *out = sink->out;
	if (line->weight == NOTE) {
		fputs("%0A", out);
		put_escaped(out, from_here(line->file ? line->file : ""), in_text);
		fprintf(out, ":%lld: ", line->number);
		put_escaped(out, line->message, in_text);
		return;
	}
	assert(line->weight < sizeof words / sizeof *words && line->title);
	fprintf(out, "%s::%s ", sink->begun ? "\n" : "", words[line->weight]);
	sink->begun = true;
	if (line->file) {
		fputs("file=", out);
		put_escaped(out, from_here(line->file), in_property);
		fprintf(out, ",line=%lld", line->number);
	}
	if (line->file && line->column)
		fprintf(out, ",col=%lld", source_character(line->file, line->number, line->column));
	fprintf(out, "%stitle=bitspin%%3A ", line->file ? "," : "");
	put_escaped(out, line->title, in_property);
	fputs("::", out);
	put_escaped(out, line->message, in_text);
}

void github_write(const json_t *report, bool taken)
{
	struct sink sink = { .out = taken ? stderr : stdout, .write = write_github };
	tell_all(&sink, report);
	if (field_is(report, "verdict", verdict_name(VERDICT_ERROR)))
		tell(&sink, ERROR, NULL, "error", text("%s", field_text(report, "message")));
	if (sink.begun)
		fputc('\n', sink.out);
	if (!taken)
		flush_stdout();
}
