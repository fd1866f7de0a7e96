/* SPDX-License-Identifier: MIT
 *
 * Witnesses for validators, in format 2.0 of SV-COMP: a violation as a sequence of segments, of which the last is the place of the
 * violation, and the others are what unknown functions returned on the way.  A program that is verified gets a set of invariants
 * that is empty: it claims no more than the verdict.
 *
 * The format has no threads.  Of a program with several, the witness has what was returned before the second was created, and the
 * place of the violation; it says so, as the schedule is what makes the program fail.
 */
#include "output.h"
#include "source.h"
#include "yaml.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../pan/job.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* The properties of SV-COMP that the format has witnesses for. */
static const struct {
	const char *kind, *property;
} properties[] = {
	{ "assertion", "G ! call(__assert_fail())" }, { "out-of-bounds", "G valid-deref" }, { "use-after-free", "G valid-deref" },
	{ "null-dereference", "G valid-deref" },      { "double-free", "G valid-free" },    { "invalid-free", "G valid-free" },
	{ "signed-overflow", "G ! overflow" },
};

static const char reached[] = "reach_error is reached", unreachable[] = "G ! call(reach_error())";

static const char *property_of(const json_t *violation)
{
	if (field_is(violation, "kind", "assertion") && field_is(violation, "message", reached))
		return unreachable;
	if (field_is(violation, "kind", "assertion") && strncmp(field_text(violation, "message"), "assertion `", 11) != 0)
		return NULL; /* of ours, such as bitspin_assert() */
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
		if (field_is(violation, "kind", properties[i].kind))
			return properties[i].property;
	return NULL;
}

/* ---- where it comes from ------------------------------------------------------------------------------------------- */

static char *uuid(void)
{
	unsigned char b[16];
	if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
		fail("no random numbers for the identifier of a witness: %s", strerror(errno));
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40); /* version 4 of RFC 4122 */
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
	return text("%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2], b[3], b[4], b[5],
		    b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

/* Return the SHA-256 of `file`, by the command that every system has, malloc'ed; NULL if it cannot be had. */
static char *hash_of(const char *file)
{
	char *to = text("%s/bitspin-hash-XXXXXX", temporary_directory()), *hash = NULL;
	int fd = mkstemp(to), status;
	const char *const argv[] = { "sha256sum", "--", file, NULL };
	if (fd >= 0 && process_run(&(struct process){ .argv = argv, .output = to }, &status) == PROCESS_EXITED && status == 0) {
		char *line = read_file(to, NULL);
		const char *digits = line && *line == '\\' ? line + 1 : line; /* the file's name is escaped */
		if (digits && strspn(digits, "0123456789abcdef") == 64)
			hash = text("%.64s", digits);
		free(line);
	}
	if (fd >= 0) {
		close(fd);
		unlink(to);
	}
	free(to);
	return hash;
}

/* Return the task of a witness.  If some file is no C source, or cannot be read, set *problem to words about it, malloc'ed. */
static json_t *task_of(const json_t *report, const char *property, char **problem)
{
	assert(!*problem);
	const json_t *files = json_object_get(json_object_get(report, "options"), "files"), *file;
	json_t *names = json_array(), *hashes = json_object();
	size_t i;
	json_array_foreach (files, i, file) {
		const char *name = json_string_value(file), *dot = strrchr(name, '.');
		char *hash = dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".i") == 0) ? hash_of(name) : NULL;
		if (!hash && !*problem)
			*problem = text("'%s' is no C source whose SHA-256 can be told", name);
		json_array_append_new(names, json_string(name));
		json_object_set_new(hashes, name, json_string(hash ? hash : ""));
		free(hash);
	}
	char *specification = text("CHECK( init(main()), LTL(%s) )", property);
	json_t *task = json_pack("{s:o, s:o, s:s, s:s, s:s}", "input_files", names, "input_file_hashes", hashes, "specification",
				 specification, "data_model", "LP64", "language", "C");
	free(specification);
	return task;
}

static json_t *metadata(const json_t *report, json_t *task, const char *description)
{
	char created[40], *identifier = uuid();
	time_t now = time(NULL);
	struct tm utc;
	strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	json_t *producer = json_pack("{s:s, s:s}", "name", "bitspin", "version", field_text(report, "bitspin"));
	if (*description)
		json_object_set_new(producer, "description", json_string(description));
	json_t *all = json_pack("{s:s, s:s, s:s, s:o, s:o}", "format_version", "2.0", "uuid", identifier, "creation_time", created,
				"producer", producer, "task", task);
	free(identifier);
	return all;
}

/* ---- segments ------------------------------------------------------------------------------------------------------ */

/* Return the name that the user has given the file at `path`. */
static const char *input_name(const json_t *report, const char *path)
{
	const json_t *file;
	size_t i;
	json_array_foreach (json_object_get(json_object_get(report, "options"), "files"), i, file) {
		char *whole = absolute_path(json_string_value(file));
		bool same = strcmp(whole, path) == 0;
		free(whole);
		if (same)
			return json_string_value(file);
	}
	return from_here(path);
}

static json_t *location_of(const json_t *report, const json_t *place, long long column)
{
	json_t *location = json_pack("{s:s, s:I}", "file_name", input_name(report, field_text(place, "file")), "line",
				     (json_int_t)field_number(place, "line"));
	if (column > 0)
		json_object_set_new(location, "column", json_integer(column));
	if (*field_text(place, "function"))
		json_object_set(location, "function", json_object_get(place, "function"));
	return location;
}

static json_t *segment(json_t *waypoint)
{
	assert(waypoint);
	return json_pack("{s:[{s:o}]}", "segment", "waypoint", waypoint);
}

/* Return the column of the parenthesis that ends a call of __VERIFIER_nondet_*() in this line, where the function's name begins
 * in `column`.  Return 0 if there is none, as when the name comes from a macro. */
static long long end_of_call(const char *file, long long line, long long column)
{
	size_t length, at = (size_t)column - 1;
	const char *bytes = source_line_of(file, line, &length);
	if (!bytes || column < 1 || at >= length)
		return 0;
	size_t name = at;
	while (at < length && (isalnum((unsigned char)bytes[at]) || bytes[at] == '_'))
		at++;
	assert(name <= at && at <= length);
	bool nondet = at - name > 18 && memcmp(bytes + name, "__VERIFIER_nondet_", 18) == 0;
	while (at < length && isspace((unsigned char)bytes[at]))
		at++;
	if (!nondet || at == length || bytes[at] != '(')
		return 0;
	for (at++; at < length && isspace((unsigned char)bytes[at]);)
		at++;
	return at < length && bytes[at] == ')' ? (long long)at + 1 : 0;
}

/* Return what the nondeterministic call in `event` has returned, or NULL if it is no such call, or the value is no number. */
static const char *returned(const json_t *event)
{
	static const char words[] = " returns ";
	const char *detail = field_text(event, "detail"), *number = strstr(detail, words);
	char *end;
	if (!field_is(event, "action", "choose"))
		return NULL;
	number = number ? number + sizeof words - 1 : detail;
	errno = 0;
	strtoull(number, &end, 10); /* takes negative numbers, too */
	return end != number && *end == '\0' && errno == 0 ? number : NULL;
}

/* Return the sequence of choices up to `violation`.  Add to *left_out the number of choices that it leaves out, and set *threads
 * if the program has created threads. */
static json_t *sequence(const json_t *report, const json_t *violation, size_t *left_out, bool *threads)
{
	const json_t *event;
	json_t *content = json_array();
	size_t i;
	json_array_foreach (json_object_get(violation, "trace"), i, event) {
		*threads = *threads || field_is(event, "action", "create");
		if (!field_is(event, "action", "choose"))
			continue;
		const char *file = field_text(event, "file");
		long long line = field_number(event, "line"), end = end_of_call(file, line, field_number(event, "column"));
		const char *value = returned(event);
		if (*threads || !end || !value) {
			++*left_out;
			continue;
		}
		char *constraint = text("\\result == %s", value);
		json_array_append_new(content,
				      segment(json_pack("{s:s, s:s, s:{s:s, s:s}, s:o}", "type", "function_return", "action",
							"follow", "constraint", "value", constraint, "format", "acsl_expression",
							"location",
							location_of(report, event, source_character(file, line, end)))));
		free(constraint);
	}
	/* A call begins where its statement does; where an expression goes wrong, the line tells the statement. */
	bool call = field_is(violation, "kind", "assertion");
	long long column = call ? source_character(field_text(violation, "file"), field_number(violation, "line"),
						   field_number(violation, "column")) :
				  0;
	json_array_append_new(content,
			      segment(json_pack("{s:s, s:s, s:o}", "type", "target", "action", "follow", "location",
						location_of(report, violation, column))));
	return content;
}

/* ---- all ----------------------------------------------------------------------------------------------------------- */

static char *describe(size_t left_out, bool threads)
{
	char *choices = left_out ? text("%zu values that functions returned are left out", left_out) : text("%s", "");
	char *all = text("%s%s%s",
			 threads ? "the program has several threads, and format 2.0 has no schedules: which thread runs when "
				   "is left out" :
				   "",
			 threads && left_out ? "; " : "", choices);
	free(choices);
	return all;
}

static char *violation_witness(const json_t *report, FILE *out)
{
	const json_t *violation = json_array_get(json_object_get(report, "violations"), 0);
	assert(violation);
	const char *property = property_of(violation);
	size_t left_out = 0;
	bool threads = false;
	char *problem = NULL;
	if (!property)
		return text("format 2.0 has no witness for a violation of this kind (%s)", field_text(violation, "kind"));
	if (field_number(violation, "line") < 1)
		return text("the place of the violation is not known");
	json_t *task = task_of(report, property, &problem);
	if (problem) {
		json_decref(task);
		return problem;
	}
	json_t *content = sequence(report, violation, &left_out, &threads);
	char *description = describe(left_out, threads);
	if (*description)
		fprintf(stderr, "bitspin: note: the witness is not the whole story: %s\n", description);
	json_t *entry = json_pack("[{s:s, s:o, s:o}]", "entry_type", "violation_sequence", "metadata",
				  metadata(report, task, description), "content", content);
	yaml_write(entry, out);
	json_decref(entry);
	free(description);
	return NULL;
}

static char *correctness_witness(const json_t *report, FILE *out)
{
	const json_t *o = json_object_get(report, "options");
	char *problem = NULL;
	if (json_array_size(json_object_get(report, "suppressed")))
		return text("the program is verified apart from faults that are suppressed");
	if (json_array_size(json_object_get(o, "masks")) || json_array_size(json_object_get(o, "abstractions")))
		return text("the verdict rests on claims (--mask, --abstract) that a witness cannot tell");
	json_t *task = task_of(report, field_is(o, "profile", "svcomp") ? unreachable : properties[0].property, &problem);
	if (problem) {
		json_decref(task);
		return problem;
	}
	json_t *entry = json_pack("[{s:s, s:o, s:[]}]", "entry_type", "invariant_set", "metadata",
				  metadata(report, task, "all schedules were explored; no invariants are told"), "content");
	yaml_write(entry, out);
	json_decref(entry);
	return NULL;
}

char *witness_write(const struct job *job, const json_t *report, FILE *out)
{
	(void)job;
	if (field_is(report, "verdict", verdict_name(VERDICT_VIOLATED)))
		return violation_witness(report, out);
	if (field_is(report, "verdict", verdict_name(VERDICT_VERIFIED)))
		return correctness_witness(report, out);
	return text("the check %s, so there is nothing to witness",
		    field_is(report, "verdict", verdict_name(VERDICT_ERROR)) ? "ended with an error" : "is inconclusive");
}
