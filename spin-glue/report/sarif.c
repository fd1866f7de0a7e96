/* SPDX-License-Identifier: MIT
 *
 * The result as SARIF 2.1.0 (OASIS): for editors, and for services that show what was found beside the code.
 *
 * A kind of violation is a rule, a violation a result, and its story a code flow with a thread flow for each thread; executionOrder
 * tells how the threads take turns.  Faults that were suppressed are results with a suppression.
 */
#include "output.h"
#include "source.h"
#include "story.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../pan/job.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"
#define ROOT   "SRCROOT"

static json_t *message_of(const char *words)
{
	return json_pack("{s:s}", "text", words);
}

/* ---- places -------------------------------------------------------------------------------------------------------- */

/* Return `path` as a part of a URI, malloc'ed. */
static char *encoded(const char *path)
{
	char *uri = malloc(3 * strlen(path) + 1), *p = uri;
	if (!uri)
		BUG("out of memory");
	for (; *path; path++)
		if (isalnum((unsigned char)*path) || strchr("/._~-", *path))
			*p++ = *path;
		else
			p += sprintf(p, "%%%02X", (unsigned)(unsigned char)*path);
	*p = '\0';
	return uri;
}

/* Return the location of `file`, relative to the working directory if it is below that. */
static json_t *artifact_location(const char *file)
{
	const char *path = from_here(file);
	bool absolute = *path == '/';
	char *name = encoded(path), *uri = text("%s%s", absolute ? "file://" : "", name);
	json_t *location = json_pack("{s:s}", "uri", uri);
	if (!absolute)
		json_object_set_new(location, "uriBaseId", json_string(ROOT));
	free(name);
	free(uri);
	return location;
}

static json_t *snippet_of(const char *file, long long line)
{
	size_t length;
	const char *bytes = source_line_of(file, line, &length);
	if (!bytes)
		return NULL;
	char *words = source_as_utf8(bytes, length);
	json_t *snippet = message_of(words);
	free(words);
	return snippet;
}

/* Return the location of `place`, with the text of its line if `quoted`; NULL if the place is not known. */
static json_t *physical_location(const json_t *place, bool quoted)
{
	const char *file = field_text(place, "file");
	long long line = field_number(place, "line"), column = field_number(place, "column");
	if (line < 1 || !*file)
		return NULL;
	json_t *region = json_pack("{s:I}", "startLine", (json_int_t)line);
	json_t *snippet = quoted ? snippet_of(file, line) : NULL;
	if (column > 0)
		json_object_set_new(region, "startColumn", json_integer(source_character(file, line, column)));
	if (snippet)
		json_object_set_new(region, "snippet", snippet);
	return json_pack("{s:o, s:o}", "artifactLocation", artifact_location(file), "region", region);
}

/* Return the location of `place` and of its function.  `words` say what happens there, or are NULL. */
static json_t *location_of(const json_t *place, bool quoted, const char *words)
{
	json_t *location = json_object(), *physical = physical_location(place, quoted);
	const char *function = field_text(place, "function");
	if (physical)
		json_object_set_new(location, "physicalLocation", physical);
	if (*function)
		json_object_set_new(location, "logicalLocations", json_pack("[{s:s, s:s}]", "name", function, "kind", "function"));
	if (words)
		json_object_set_new(location, "message", message_of(words));
	return location;
}

/* ---- rules --------------------------------------------------------------------------------------------------------- */

/* Return the title of `kind` for lists of rules, malloc'ed: "data-race" is DataRace; NULL if both are the same. */
static char *title_of(const char *kind)
{
	if (!strchr(kind, '-'))
		return NULL;
	char *title = text("%s", kind), *to = title;
	bool first = true;
	for (const char *from = kind; *from; from++) {
		if (*from != '-')
			*to++ = first ? (char)toupper((unsigned char)*from) : *from;
		first = *from == '-';
	}
	*to = '\0';
	return title;
}

static json_t *rules(void)
{
	json_t *array = json_array();
	for (size_t i = 0; i < kind_count; i++) {
		const struct kind_row *kind = &kind_rows[i];
		assert(*kind->meaning && *kind->advice);
		char *title = title_of(kind->name), *help = text("%s. What to do: %s.", kind->meaning, kind->advice);
		*help = (char)toupper((unsigned char)*help);
		char *full = text("%c%s.", toupper((unsigned char)*kind->meaning), kind->meaning + 1);
		json_array_append_new(array,
				      json_pack("{s:s, s:s*, s:o, s:o, s:o, s:{s:s}}", "id", kind->name, "name", title,
						"shortDescription", message_of(full), "fullDescription", message_of(full), "help",
						message_of(help), "defaultConfiguration", "level", "error"));
		free(title);
		free(help);
		free(full);
	}
	return array;
}

static size_t rule_of(const char *kind)
{
	size_t i = 0;
	while (i < kind_count && strcmp(kind_rows[i].name, kind) != 0)
		i++;
	assert(i < kind_count);
	return i;
}

/* ---- the story ----------------------------------------------------------------------------------------------------- */

/* Return how important `event` is: viewers show the unimportant ones only on request. */
static const char *importance(const json_t *event)
{
	static const char *const plain[] = { "read", "write", "run" };
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (field_is(event, "action", plain[i]))
			return "unimportant";
	return field_is(event, "action", "fault") || field_is(event, "action", "blocked") ? "essential" : "important";
}

static json_t *thread_flow_location(const json_t *event, size_t order)
{
	char *words = event_words(event);
	json_t *location = json_pack("{s:o, s:I, s:s}", "location", location_of(event, false, words), "executionOrder",
				     (json_int_t)order, "importance", importance(event));
	free(words);
	return location;
}

static json_t *thread_flow(const json_t *trace, long long thread)
{
	const json_t *event;
	json_t *locations = json_array();
	size_t i;
	json_array_foreach (trace, i, event)
		if (field_number(event, "thread") == thread)
			json_array_append_new(locations, thread_flow_location(event, i + 1));
	char *id = text("thread %lld", thread);
	json_t *flow = json_pack("{s:s, s:o}", "id", id, "locations", locations);
	free(id);
	return flow;
}

/* Return the story of `violation` as one flow for each thread; NULL if there is no story. */
static json_t *code_flows(const json_t *violation)
{
	const json_t *trace = json_object_get(violation, "trace"), *event;
	json_t *flows = json_array();
	bool seen[1000] = { false };
	size_t i;
	json_array_foreach (trace, i, event) {
		long long thread = field_number(event, "thread");
		if (thread < 0 || thread >= (long long)(sizeof seen / sizeof *seen) || seen[thread])
			continue;
		seen[thread] = true;
		json_array_append_new(flows, thread_flow(trace, thread));
	}
	if (json_array_size(flows))
		return json_pack("[{s:o}]", "threadFlows", flows);
	json_decref(flows);
	return NULL;
}

/* ---- stacks and other places --------------------------------------------------------------------------------------- */

static json_t *stack_of(const json_t *frames, const char *title)
{
	json_t *array = json_array();
	const json_t *frame;
	size_t i;
	json_array_foreach (frames, i, frame)
		if (!frame_is_ours(frame))
			json_array_append_new(array, json_pack("{s:o}", "location", location_of(frame, false, NULL)));
	return json_pack("{s:o, s:o}", "message", message_of(title), "frames", array);
}

static json_t *stacks(const json_t *violation)
{
	json_t *all = json_array();
	const json_t *thread, *other = json_object_get(violation, "other");
	size_t i;
	if (!json_object_get(violation, "threads") && json_object_get(violation, "stack"))
		json_array_append_new(all, stack_of(json_object_get(violation, "stack"), "where it happens"));
	json_array_foreach (json_object_get(violation, "threads"), i, thread) {
		const char *waits = field_text(thread, "waits");
		char *title = text("thread %lld, which runs %s%s%s", field_number(thread, "thread"), field_text(thread, "function"),
				   *waits ? ", " : "", waits);
		json_array_append_new(all, stack_of(json_object_get(thread, "stack"), title));
		free(title);
	}
	if (other) {
		char *title = text("the other access, by thread %lld", field_number(other, "thread"));
		json_array_append_new(all, stack_of(json_object_get(other, "stack"), title));
		free(title);
	}
	return all;
}

static void add_related(json_t *all, const json_t *place, const char *function, char *words)
{
	json_t *location = location_of(place, true, words);
	if (function && *function)
		json_object_set_new(location, "logicalLocations", json_pack("[{s:s, s:s}]", "name", function, "kind", "function"));
	json_object_set_new(location, "id", json_integer((json_int_t)json_array_size(all) + 1));
	if (json_object_get(location, "physicalLocation"))
		json_array_append_new(all, location);
	else
		json_decref(location);
	free(words);
}

static json_t *related_locations(const json_t *violation)
{
	json_t *all = json_array();
	const json_t *other = json_object_get(violation, "other"), *thread, *lock, *one;
	size_t i, k;
	if (other)
		add_related(all, other, field_text(json_array_get(json_object_get(other, "stack"), 0), "function"),
			    text("the other access, by thread %lld", field_number(other, "thread")));
	json_array_foreach (json_object_get(violation, "threads"), i, thread) {
		long long number = field_number(thread, "thread");
		if (field_is(violation, "kind", "deadlock") && *field_text(thread, "waits"))
			add_related(all, json_array_get(json_object_get(thread, "stack"), 0), NULL,
				    text("thread %lld %s", number, field_text(thread, "waits")));
		json_array_foreach (json_object_get(thread, "holds"), k, lock)
			add_related(all, lock, NULL, text("thread %lld locked %s here", number, field_text(lock, "object")));
	}
	if (json_object_get(violation, "end"))
		add_related(all, json_object_get(violation, "end"), NULL, text("the program ends here"));
	json_array_foreach (json_object_get(violation, "switches"), i, one) {
		const json_t *after = json_object_get(one, "after");
		add_related(all, after ? after : json_object_get(one, "before"), NULL,
			    text("in this schedule, %s", field_text(one, "text")));
	}
	json_array_foreach (json_object_get(violation, "starving"), i, thread)
		add_related(all, thread, NULL, text("thread %lld %s", field_number(thread, "thread"), field_text(thread, "waits")));
	return all;
}

/* ---- results ------------------------------------------------------------------------------------------------------- */

/* Add `array` to `object` as `key`, unless it is empty.  The function takes over `array`. */
static void set_array(json_t *object, const char *key, json_t *array)
{
	if (json_array_size(array))
		json_object_set(object, key, array);
	json_decref(array);
}

static json_t *result_of(const json_t *violation)
{
	const char *kind = field_text(violation, "kind");
	char *identity = fingerprint(violation);
	json_t *result = json_pack("{s:s, s:I, s:s, s:s, s:o, s:[o], s:{s:s}}", "ruleId", kind, "ruleIndex",
				   (json_int_t)rule_of(kind), "level", "error", "kind", "fail", "message",
				   message_of(field_text(violation, "message")), "locations", location_of(violation, true, NULL),
				   "partialFingerprints", "bitspin/v1", identity);
	free(identity);
	set_array(result, "relatedLocations", related_locations(violation));
	json_t *inputs = inputs_of(violation);
	if (json_array_size(inputs))
		json_object_set_new(result, "properties", json_pack("{s:O}", "inputs", inputs));
	json_decref(inputs);
	set_array(result, "stacks", stacks(violation));
	set_array(result, "codeFlows", code_flows(violation));
	return result;
}

static json_t *suppressed_result(const json_t *report, const json_t *fault)
{
	json_t *result = result_of(fault);
	const json_t *rule = json_array_get(json_object_get(report, "suppressions"), (size_t)field_number(fault, "suppression"));
	assert(json_is_object(rule));
	bool comment = json_boolean_value(json_object_get(rule, "comment"));
	json_object_set_new(result, "suppressions",
			    json_pack("[{s:s, s:s, s:s}]", "kind", comment ? "inSource" : "external", "status", "accepted",
				      "justification", field_text(rule, "suppression")));
	return result;
}

static json_t *results(const json_t *report)
{
	json_t *all = json_array();
	const json_t *fault;
	size_t i;
	json_array_foreach (json_object_get(report, "violations"), i, fault)
		json_array_append_new(all, result_of(fault));
	json_array_foreach (json_object_get(report, "suppressed"), i, fault)
		json_array_append_new(all, suppressed_result(report, fault));
	return all;
}

/* ---- the run ------------------------------------------------------------------------------------------------------- */

static json_t *notification(const char *level, const char *words)
{
	return json_pack("{s:s, s:o}", "level", level, "message", message_of(words));
}

/* Return what went wrong, or keeps the verdict from being more, and what was not tried. */
static json_t *notifications(const json_t *report)
{
	const char *why = field_text(report, "message"), *verdict = verdict_words(report);
	json_t *all = json_array();
	const json_t *note;
	size_t i;
	if (*why)
		json_array_append_new(all,
				      notification(field_is(report, "verdict", verdict_name(VERDICT_ERROR)) ? "error" : "warning",
						   why));
	else if (strcmp(verdict, field_text(report, "verdict")) != 0)
		json_array_append_new(all, notification("note", verdict));
	json_array_foreach (json_object_get(report, "notes"), i, note)
		json_array_append_new(all, notification("note", json_string_value(note)));
	return all;
}

static json_t *invocation(const json_t *report)
{
	json_t *all = json_pack("{s:b, s:I}", "executionSuccessful", !field_is(report, "verdict", verdict_name(VERDICT_ERROR)),
				"exitCode", (json_int_t)field_number(report, "status"));
	set_array(all, "toolExecutionNotifications", notifications(report));
	return all;
}

static json_t *base_ids(void)
{
	char here[4096];
	if (!getcwd(here, sizeof here))
		return NULL;
	char *path = encoded(here), *uri = text("file://%s/", strcmp(path, "/") == 0 ? "" : path);
	json_t *ids = json_pack("{s:{s:s}}", ROOT, "uri", uri);
	free(path);
	free(uri);
	return ids;
}

char *sarif_write(const struct job *job, const json_t *report, FILE *out)
{
	(void)job;
	json_t *run = json_pack("{s:{s:{s:s, s:s, s:s, s:o}}, s:[o], s:s, s:o, s:{s:s, s:O, s:O}}", "tool", "driver", "name",
				"bitspin", "version", field_text(report, "bitspin"), "semanticVersion",
				field_text(report, "bitspin"), "rules", rules(), "invocations", invocation(report), "columnKind",
				"unicodeCodePoints", "results", results(report), "properties", "verdict", verdict_words(report),
				"assumptions", json_object_get(report, "assumptions"), "statistics",
				json_object_get(report, "statistics"));
	json_t *ids = base_ids();
	if (ids)
		json_object_set_new(run, "originalUriBaseIds", ids);
	json_t *log = json_pack("{s:s, s:s, s:[o]}", "$schema", SCHEMA, "version", "2.1.0", "runs", run);
	if (!log)
		BUG("the report is no SARIF");
	json_dumpf(log, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(log);
	return NULL;
}
