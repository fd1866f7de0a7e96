/* SPDX-License-Identifier: MIT
 *
 * The translator, run in a process of its own: on corrupt bitcode LLVM's reader may end its process or crash, and that
 * must be a message, not our end.  What the child found reaches us through a file of strings, each ended by a zero byte.
 */
#include "program.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void put_inputs(FILE *out, const struct translator_result *result);
static void put_atomics(FILE *out, const struct translator_result *result);

/* what the child does */
struct translation {
	const struct translator_request *request;
	const char *image, *findings;
};

static void put(FILE *out, const char *string)
{
	fwrite(string ? string : "", 1, string ? strlen(string) + 1 : 1, out);
}

/* Write what the child has found: the numbers first, then the file of the first weaker atomic access, where the memory model is
 * narrowed, each message as four strings, the externals, each use as four strings, the notes; `.` at the end. */
static int write_findings(const struct translation *t, const struct translator_result *result, int status)
{
	FILE *out = fopen(t->findings, "we");
	if (!out)
		return -1;
	fprintf(out, "%d %zu %u %zu %zu %zu %zu", status, result->weaker_atomics, result->weaker_line, result->nmessages,
		result->nexternals, result->nuses, result->nnotes);
	put(out, "");
	put(out, result->weaker_file);
	put(out, result->orders_narrow);
	for (size_t i = 0; i < result->nmessages; i++) {
		const struct translator_message *m = &result->messages[i];
		put(out, m->file);
		fprintf(out, "%u", m->line);
		put(out, "");
		put(out, m->function);
		put(out, m->text);
	}
	for (size_t i = 0; i < result->nexternals; i++)
		put(out, result->externals[i]);
	for (size_t i = 0; i < result->nuses; i++) {
		const struct translator_use *use = &result->uses[i];
		put(out, use->name);
		put(out, use->file);
		fprintf(out, "%u %d %d %d", use->line, use->kind, use->supported, use->missing);
		put(out, "");
		put(out, use->function);
	}
	for (size_t i = 0; i < result->nnotes; i++)
		put(out, result->notes[i]);
	put_inputs(out, result);
	put_atomics(out, result);
	put(out, ".");
	return fclose(out);
}

/* Write the number of inputs, and each as four strings. */
static void put_inputs(FILE *out, const struct translator_result *result)
{
	fprintf(out, "%zu", result->ninputs);
	put(out, "");
	for (size_t i = 0; i < result->ninputs; i++) {
		put(out, result->inputs[i].name);
		put(out, result->inputs[i].place);
		put(out, result->inputs[i].truth ? "1" : "0");
		put(out, result->inputs[i].exact ? "1" : "0");
	}
}

static int translate(void *argument)
{
	const struct translation *t = argument;
	struct translator_result result;
	int status = translator_run(t->request, t->image, &result);
	return write_findings(t, &result, status) == 0 ? 0 : 1;
}

static char *next(char **at, const char *end)
{
	char *string = *at;
	if (string >= end)
		BUG("the translator's findings are cut short");
	*at += strlen(string) + 1;
	return string;
}

static char *copy_or_null(const char *string)
{
	return *string ? text("%s", string) : NULL;
}

static void read_use(char **at, const char *end, struct translator_use *use)
{
	unsigned kind;
	int supported, missing;
	use->name = text("%s", next(at, end));
	use->file = copy_or_null(next(at, end));
	if (sscanf(next(at, end), "%u %u %d %d", &use->line, &kind, &supported, &missing) != 4 || kind >= USE_KINDS)
		BUG("the translator's findings are not understood");
	use->kind = (enum translator_use_kind)kind;
	use->supported = supported;
	use->missing = missing;
	use->function = copy_or_null(next(at, end));
}

static void read_inputs(char **at, const char *end, struct translator_result *result)
{
	size_t count = strtoul(next(at, end), NULL, 10);
	result->inputs = calloc(count + 1, sizeof *result->inputs);
	if (!result->inputs)
		BUG("out of memory");
	for (; result->ninputs < count; result->ninputs++) {
		struct translator_input_use *input = &result->inputs[result->ninputs];
		input->name = text("%s", next(at, end));
		input->place = text("%s", next(at, end));
		input->truth = *next(at, end) == '1';
		input->exact = *next(at, end) == '1';
	}
}

static void put_atomics(FILE *out, const struct translator_result *result)
{
	fprintf(out, "%zu", result->natomics);
	put(out, "");
	for (size_t i = 0; i < result->natomics; i++) {
		const struct translator_atomic *atomic = &result->atomics[i];
		fprintf(out, "%d %d %u", (int)atomic->kind, (int)atomic->order, atomic->line);
		put(out, "");
		put(out, atomic->file);
		put(out, atomic->function);
	}
}

static void read_atomics(char **at, const char *end, struct translator_result *result)
{
	size_t count = strtoul(next(at, end), NULL, 10);
	result->atomics = calloc(count + 1, sizeof *result->atomics);
	if (!result->atomics)
		BUG("out of memory");
	while (result->natomics < count) {
		struct translator_atomic *atomic = &result->atomics[result->natomics++];
		int kind, order;
		if (sscanf(next(at, end), "%d %d %u", &kind, &order, &atomic->line) != 3)
			BUG("the translator's findings are not understood");
		assert(kind >= 0 && kind < ATOMIC_KINDS && order > TO_AS_WRITTEN && order < TO_ORDERS);
		atomic->kind = (enum translator_atomic_kind)kind;
		atomic->order = (enum translator_order)order;
		atomic->file = text("%s", next(at, end));
		atomic->function = text("%s", next(at, end));
	}
}

static int read_findings(char *bytes, size_t size, struct translator_result *result)
{
	char *at = bytes;
	const char *end = bytes + size;
	int status;
	unsigned line;
	size_t weaker, messages, externals, uses, notes;
	if (sscanf(next(&at, end), "%d %zu %u %zu %zu %zu %zu", &status, &weaker, &line, &messages, &externals, &uses, &notes) != 7)
		BUG("the translator's findings are not understood");
	*result = (struct translator_result){
		.weaker_atomics = weaker,
		.weaker_line = line,
		.messages = calloc(messages + 1, sizeof *result->messages),
		.externals = calloc(externals + 1, sizeof *result->externals),
		.uses = calloc(uses + 1, sizeof *result->uses),
		.notes = calloc(notes + 1, sizeof *result->notes),
	};
	if (!result->messages || !result->externals || !result->uses || !result->notes)
		BUG("out of memory");
	result->weaker_file = copy_or_null(next(&at, end));
	result->orders_narrow = copy_or_null(next(&at, end));
	for (; result->nmessages < messages; result->nmessages++) {
		struct translator_message *m = &result->messages[result->nmessages];
		m->file = copy_or_null(next(&at, end));
		m->line = (unsigned)strtoul(next(&at, end), NULL, 10);
		m->function = copy_or_null(next(&at, end));
		m->text = text("%s", next(&at, end));
	}
	while (result->nexternals < externals)
		result->externals[result->nexternals++] = text("%s", next(&at, end));
	while (result->nuses < uses)
		read_use(&at, end, &result->uses[result->nuses++]);
	while (result->nnotes < notes)
		result->notes[result->nnotes++] = text("%s", next(&at, end));
	read_inputs(&at, end, result);
	read_atomics(&at, end, result);
	if (strcmp(next(&at, end), ".") != 0)
		BUG("the translator's findings are not understood");
	return status;
}

/* End, as the child has crashed, with the file that it read and what LLVM said. */
static _Noreturn void crashed(const struct program *program, const char *errors)
{
	check_space();
	char *said = read_file(errors, NULL), *names = text("%s", "");
	bool bitcode = false;
	for (size_t i = 0; i < program->inputs->options.files.count; i++) {
		const char *file = program->inputs->options.files.items[i], *dot = strrchr(file, '.');
		if (dot && strcmp(dot, ".c") == 0)
			continue;
		char *more = text("%s%s'%s'", names, bitcode ? ", " : "", file);
		free(names);
		names = more;
		bitcode = true;
	}
	const char *line = said ? strstr(said, "LLVM ERROR: ") : NULL;
	bool invalid = line && strstr(line, "Broken module"); /* its verifier said why before; LLVM 17 and later leave it to us */
	line = line && !invalid ? line + strlen("LLVM ERROR: ") : said && *said ? said : "it crashed";
	if (bitcode)
		fail("LLVM cannot read %s (%.*s); is it corrupt? compile it again", names, (int)strcspn(line, "\n"), line);
	if (invalid)
		fail("what clang made of the program is not valid: LLVM %s says: %.*s; try another -O", translator_llvm_version(),
		     (int)strcspn(line, "\n"), line);
	fail("internal error: the translator ended (%.*s); this is a bug in bitspin, please report it", (int)strcspn(line, "\n"),
	     line);
}

int run_translator(const struct program *program, const struct translator_request *request, struct translator_result *result)
{
	char *findings = text("%s/translation", program->work), *errors = text("%s/translation.err", program->work);
	struct translation translation = { request, program->image, findings };
	int status;
	size_t size;
	assert(request->npaths > 0);
	for (size_t i = 0; i < request->npaths; i++)
		echo_remark("translate %s into %s", request->paths[i], program->image);
	enum process_end end = process_call(translate, &translation, errors, &status);
	if (end == PROCESS_INTERRUPTED)
		fail("interrupted");
	if (end == PROCESS_TIMED_OUT)
		out_of_time("the program was translated");
	char *bytes = end == PROCESS_EXITED && status == 0 ? read_file(findings, &size) : NULL;
	if (!bytes)
		crashed(program, errors);
	int done = read_findings(bytes, size, result);
	assert(done >= 0 || result->nmessages > 0);
	free(bytes);
	free(findings);
	free(errors);
	return done;
}
