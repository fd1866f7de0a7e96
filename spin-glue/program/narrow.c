/* SPDX-License-Identifier: MIT
 *
 * Inputs of which fewer values are tried than the SV-COMP profile means: a search that finds nothing says nothing then.
 */
#include "program.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../runtime/image/policy.h"
#include "../../translator/translator.h"

#include <string.h>
#include <stdlib.h>

/* Are fewer values tried of this input than SV-COMP means? */
static bool is_narrowed(const struct program *program, const struct translator_input_use *input)
{
	const struct translator_extern *told = world_extern(&program->inputs->world, input->name);
	if (input->exact)
		return false;
	if (input->truth)
		return told && (told->low > 0 || told->high < 0 || told->low == told->high);
	if (told)
		return strncmp(input->name, "__VERIFIER_nondet_", 18) == 0 && world_narrows(&program->inputs->world, input->name);
	return !image_builtin_exists(input->name) || builtin_assumption(input->name);
}

bool is_input_tried(const struct program *program, const struct translator_result *result, const char *name)
{
	for (size_t i = 0; i < result->ninputs; i++)
		if (strcmp(result->inputs[i].name, name) == 0 && is_narrowed(program, &result->inputs[i]))
			return false;
	return program->inputs->options.svcomp && strncmp(name, "__VERIFIER_nondet_", 18) == 0 &&
		!world_extern(&program->inputs->world, name);
}

char *narrowed_input(const struct program *program, const struct translator_result *result)
{
	const struct translator_input_use *first = NULL;
	size_t count = 0;
	for (size_t i = 0; i < result->ninputs; i++)
		if (is_narrowed(program, &result->inputs[i]) && count++ == 0)
			first = &result->inputs[i];
	if (!first)
		return NULL;
	bool variable = strchr(first->name, ' ');
	char *more = count > 1 ? text(", and of %zu more input%s", count - 1, count > 2 ? "s" : "") : text("%s", "");
	char *all = text("%s%s%s%s", variable ? "" : "what ", first->name, variable ? "" : " returns", first->place);
	char *whole = text("%s%s", all, more);
	free(more);
	free(all);
	return whole;
}
