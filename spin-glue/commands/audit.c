/* SPDX-License-Identifier: MIT
 *
 * bitspin audit: what a program uses that is not its own, how a check would treat it, and what a verdict would assume; before
 * any search.  Nothing is run.
 */
#include "commands.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../report/report.h"
#include "../report/screen.h"
#include "../../runtime/image/policy.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum treatment { MODELLED, INTERPRETED, NATIVE, NO_EFFECT, AS_TOLD, ANY_VALUE, REFUSED, TREATMENTS };

static const struct {
	const char *name, *title;
} treatments[TREATMENTS] = {
	[MODELLED] = { "modelled", "modelled by bitspin" },
	[INTERPRETED] = { "library", "interpreted, from bitspin's C library" },
	[NATIVE] = { "native", "this machine's function, on checked memory" },
	[NO_EFFECT] = { "no-effect", "without effect" },
	[AS_TOLD] = { "as-told", "as described by --extern, --stubs and --nondet" },
	[ANY_VALUE] = { "any-value", "returns some values of its type (--profile svcomp)" },
	[REFUSED] = { "refused", "refused" },
};

static enum treatment treatment_of(const struct job *job, const struct translator_use *use)
{
	if (use->kind != USE_FUNCTION)
		return use->supported ? MODELLED : REFUSED;
	if (world_extern(&job->inputs->world, use->name))
		return AS_TOLD;
	switch (builtin_policy(use->name)) {
	case POLICY_LIBRARY: return INTERPRETED;
	case POLICY_HOST: return NATIVE;
	case POLICY_NOTHING: return NO_EFFECT;
	case POLICY_REFUSED: return REFUSED;
	case POLICY_UNKNOWN: return use->supported ? job->inputs->options.svcomp ? ANY_VALUE : MODELLED : REFUSED;
	default: return MODELLED;
	}
}

static const char *kind_name(enum translator_use_kind kind)
{
	static const char *const names[USE_KINDS] = {
		[USE_FUNCTION] = "function",
		[USE_INTRINSIC] = "intrinsic",
		[USE_ASSEMBLY] = "assembly statement",
		[USE_INSTRUCTION] = "instruction",
	};
	assert(kind < USE_KINDS && names[kind]);
	return names[kind];
}

/* ---- for people ------------------------------------------------------------------------------------------------------ */

static void print_use(const struct translator_use *use, const char *before)
{
	bool same = before && strcmp(before, use->name) == 0;
	printf("  %-28s", same ? "" : use->name);
	if (use->file)
		printf(" %s:%u%s%s", from_here(use->file), use->line, use->function ? ", in " : "",
		       use->function ? use->function : "");
	else
		fputs(" by its address", stdout);
	putchar('\n');
}

/* The uses of one kind with one treatment.  Messages tell what is missing. */
struct group {
	const struct job *job;
	const struct translator_result *result;
	enum translator_use_kind kind;
	enum treatment treatment;
};

static bool is_in(const struct group *group, size_t i, const char *name)
{
	const struct translator_use *use = &group->result->uses[i];
	assert(i < group->result->nuses);
	return !use->missing && use->kind == group->kind && treatment_of(group->job, use) == group->treatment &&
		(!name || strcmp(use->name, name) == 0);
}

/* Is the use in the group, and the first one there of its name? */
static bool is_first(const struct group *group, size_t i)
{
	if (!is_in(group, i, NULL))
		return false;
	for (size_t k = 0; k < i; k++)
		if (is_in(group, k, group->result->uses[i].name))
			return false;
	return true;
}

enum { MOST_PLACES = 3 }; /* of one name, where -v does not ask for all */

/* Print all places of a name, or the first few. */
static void print_uses(const struct group *group, const char *name)
{
	const char *before = NULL;
	size_t count = 0, most = group->job->inputs->options.verbose ? SIZE_MAX : MOST_PLACES;
	for (size_t i = 0; i < group->result->nuses; i++)
		if (is_in(group, i, name) && count++ < most) {
			print_use(&group->result->uses[i], before);
			before = name;
		}
	if (count > most)
		printf("  %-28s and %zu more\n", "", count - most);
}

static void print_names(const struct group *group)
{
	struct page page = { 0 };
	char *names = text("%s", "");
	for (size_t i = 0; i < group->result->nuses; i++)
		if (is_first(group, i))
			names = text_add(names, ", ", group->result->uses[i].name);
	page_put(&page, "  ");
	page_wrap(&page, names, 2, screen_width());
	page_end(&page);
	page_print(&page);
	free(page.bytes);
	free(names);
}

/* Print the group under one title: what is not supported with its places, of other functions the names.  -v: all, with places. */
static void print_group(const struct group *group)
{
	bool any = false, refused = group->treatment == REFUSED;
	for (size_t i = 0; !any && i < group->result->nuses; i++)
		any = is_in(group, i, NULL);
	if (!any || (group->kind != USE_FUNCTION && !refused && !group->job->inputs->options.verbose))
		return;
	printf("%ss, %s:\n", kind_name(group->kind),
	       refused ? "not supported: a path that comes there ends inconclusive" : treatments[group->treatment].title);
	if (!refused && !group->job->inputs->options.verbose) {
		print_names(group);
		return;
	}
	for (size_t i = 0; i < group->result->nuses; i++)
		if (is_first(group, i))
			print_uses(group, group->result->uses[i].name);
}

static void print_place(const struct translator_message *m)
{
	if (m->file)
		printf("    %s:%u%s%s\n", from_here(m->file), m->line, m->function ? ", in " : "", m->function ? m->function : "");
	else if (m->function)
		printf("    in %s\n", m->function);
}

/* Print a message with its places, or the first few. */
static void print_message(const struct translator_result *result, const char *message, bool all)
{
	size_t count = 0;
	printf("  %s\n", message);
	for (size_t i = 0; i < result->nmessages; i++)
		if (strcmp(result->messages[i].text, message) == 0 && (count++ < MOST_PLACES || all))
			print_place(&result->messages[i]);
	if (count > MOST_PLACES && !all)
		printf("    and %zu more\n", count - MOST_PLACES);
}

/* Print each message of `result` once.  Return how many different ones there are. */
static size_t print_messages(const struct translator_result *result, bool all)
{
	size_t count = 0;
	if (result->nmessages)
		printf("%scannot be checked:%s\n", colour(COLOUR_RED), colour(COLOUR_NONE));
	for (size_t i = 0; i < result->nmessages; i++) {
		const char *message = result->messages[i].text;
		size_t first = 0;
		while (strcmp(result->messages[first].text, message) != 0)
			first++;
		if (first < i)
			continue;
		count++;
		print_message(result, message, all);
	}
	return count;
}

/* Say that the program can be checked, and at how many places a path would end inconclusive. */
static void print_checkable(const struct translator_result *result)
{
	size_t refused = 0;
	for (size_t i = 0; i < result->nuses; i++)
		refused += !result->uses[i].supported;
	printf("%scan be checked%s", colour(COLOUR_GREEN), colour(COLOUR_NONE));
	if (refused)
		printf(", apart from paths to %zu place%s that %s not supported", refused, refused == 1 ? "" : "s",
		       refused == 1 ? "is" : "are");
	putchar('\n');
}

static void print_audit(const struct job *job, const struct translator_result *result)
{
	for (int kind = 0; kind < USE_KINDS && !job->inputs->options.quiet; kind++)
		for (int treatment = 0; treatment < TREATMENTS; treatment++)
			print_group(&(struct group){ job, result, (enum translator_use_kind)kind, (enum treatment)treatment });
	if (!job->inputs->options.quiet) {
		puts("a verdict would assume:");
		for (size_t i = 0; i < job->program.assumptions.count; i++)
			printf("  %s\n", job->program.assumptions.items[i]);
	}
	size_t problems = print_messages(result, job->inputs->options.verbose);
	if (problems)
		printf("%s%zu problem%s%s\n", colour(COLOUR_RED), problems, problems == 1 ? "" : "s", colour(COLOUR_NONE));
	else
		print_checkable(result);
	flush_stdout();
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

static void set_place(json_t *object, const char *file, unsigned line, const char *function)
{
	if (file) {
		json_object_set_new(object, "file", json_string(file));
		json_object_set_new(object, "line", json_integer(line));
	}
	if (function)
		json_object_set_new(object, "function", json_string(function));
}

static json_t *audit_json(const struct job *job, const struct translator_result *result)
{
	json_t *uses = json_array(), *problems = json_array();
	for (size_t i = 0; i < result->nuses; i++) {
		const struct translator_use *use = &result->uses[i];
		json_t *row = json_pack("{s:s, s:s, s:s}", "kind", kind_name(use->kind), "name", use->name, "treatment",
					treatments[treatment_of(job, use)].name);
		char *assumption = use->kind == USE_FUNCTION ? world_assumption(&job->inputs->world, use->name) : NULL;
		if (row && assumption)
			json_object_set_new(row, "assumption", json_string(assumption));
		free(assumption);
		set_place(row, use->file, use->line, use->function);
		json_array_append_new(uses, row);
	}
	for (size_t i = 0; i < result->nmessages; i++) {
		const struct translator_message *m = &result->messages[i];
		json_t *row = json_pack("{s:s}", "message", m->text);
		set_place(row, m->file, m->line, m->function);
		json_array_append_new(problems, row);
	}
	return json_pack("{s:s, s:b, s:o, s:o, s:o}", "bitspin", BITSPIN_VERSION, "checkable", result->nmessages == 0, "uses", uses,
			 "problems", problems, "assumptions", strings_json(&job->program.assumptions));
}

int command_audit(int argc, char **argv)
{
	struct job job;
	struct list bitcode = { 0 };
	struct translator_result result;
	command_begin(&job, 'A', argc, argv);
	compile_files(&job.program, &bitcode);
	audit_files(&job.program, &bitcode, &result);
	job.result.verdict = result.nmessages ? VERDICT_VIOLATED : VERDICT_VERIFIED;
	if (job.inputs->options.json)
		write_json(audit_json(&job, &result), job.inputs->options.json);
	if (!job.inputs->options.json || strcmp(job.inputs->options.json, "-") != 0)
		print_audit(&job, &result);
	int status = verdict_status(job.result.verdict);
	translator_result_release(&result);
	list_release(&bitcode);
	command_end(&job);
	return status;
}
