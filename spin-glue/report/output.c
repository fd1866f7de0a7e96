/* SPDX-License-Identifier: MIT
 *
 * Where a result goes, beside the text for people: to each file that the user names, in the form that it is to have.
 */
#include "output.h"
#include "report.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../pan/job.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct output {
	const char *option;
	size_t field;
	output_writer *write;
} outputs[] = {
#define OUTPUT(option, field, write) { option, offsetof(struct options, field), write },
#define LINES(word, write)
#include "output.def"
};

enum { OUTPUTS = sizeof outputs / sizeof *outputs };

static lines_writer *const lines[] = {
#define OUTPUT(option, field, write)
#define LINES(word, write) write,
#include "output.def"
};

const struct kind_row kind_rows[] = {
#define VIOLATION(name, text, after, meaning, advice) { text, meaning, advice },
#include "../../runtime/state/violation.def"
#undef VIOLATION
};
const size_t kind_count = sizeof kind_rows / sizeof *kind_rows;

bool frame_is_ours(const json_t *frame)
{
	return field_is(frame, "function", "_start") || field_number(frame, "line") == 0;
}

const char *verdict_words(const json_t *report)
{
	return field_text(report, field_is(report, "verdict", verdict_name(VERDICT_VERIFIED)) ? "last_line" : "verdict");
}

char *event_words(const json_t *event)
{
	static const char *const speaking[] = { "read", "write", "atomic", "exit", "call", "fault", "blocked", "holds" };
	const char *action = field_text(event, "action"), *detail = field_text(event, "detail");
	for (size_t i = 0; i < sizeof speaking / sizeof *speaking; i++)
		if (strcmp(action, speaking[i]) == 0)
			return text("%s", detail);
	return text("%s%s%s", action, *detail ? " " : "", detail);
}

static const char *path_in(const struct options *o, const struct output *output)
{
	return *(const char *const *)((const char *)o + output->field);
}

static bool is_standard(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

bool report_takes_stdout(const struct options *o)
{
	for (int i = 0; i < OUTPUTS; i++)
		if (is_standard(path_in(o, &outputs[i])))
			return true;
	return false;
}

static void put(const char *option, const char *path, const char *bytes, size_t size)
{
	if (!is_standard(path)) {
		targets_write(option, path, bytes, size);
		return;
	}
	fwrite(bytes, 1, size, stdout);
	flush_stdout();
}

static void write_one(const struct output *output, const struct job *job, const char *path, const json_t *report)
{
	assert(path);
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	if (!out)
		BUG("out of memory");
	char *refused = output->write(job, report, out);
	if (fclose(out) != 0)
		BUG("out of memory");
	if (refused) {
		fprintf(stderr, "bitspin: nothing is written to '%s' for --%s: %s\n", path, output->option, refused);
		if (!is_standard(path))
			targets_remove(output->option, path); /* it would be taken for the result */
	} else {
		put(output->option, path, bytes, size);
	}
	free(refused);
	free(bytes);
}

/* Copy to `path` what pan has written to the work directory, if it has. */
static void hand_over(const struct job *job, const char *option, const char *path)
{
	char *made = text("%s/%s", job->program.work, option);
	size_t size;
	char *bytes = path && job->program.work ? read_file(made, &size) : NULL;
	if (bytes)
		targets_write(option, path, bytes, size);
	free(bytes);
	free(made);
}

void report_write(const struct job *job)
{
	const struct options *o = &job->inputs->options;
	assert(o->format < sizeof lines / sizeof *lines);
	json_t *report = report_json(job);
	if (!report)
		BUG("the report is no JSON");
	for (int i = 0; i < OUTPUTS; i++)
		if (path_in(o, &outputs[i]))
			write_one(&outputs[i], job, path_in(o, &outputs[i]), report);
	hand_over(job, "trace", o->trace);
	hand_over(job, "output", o->output);
	if (lines[o->format])
		lines[o->format](report, report_takes_stdout(o));
	json_decref(report);
}

bool report_tells_lines(const struct options *o)
{
	assert(o->format < sizeof lines / sizeof *lines);
	return lines[o->format] != NULL;
}
