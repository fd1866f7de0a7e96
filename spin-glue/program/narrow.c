/* SPDX-License-Identifier: MIT
 *
 * Inputs of which fewer values are tried than count: a search that finds nothing says nothing then.
 */
#include "program.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../runtime/image/policy.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <string.h>
#include <stdlib.h>

/* Are fewer values tried of this input than count? */
static bool is_narrowed(const struct program *program, const struct translator_input_use *input)
{
	const struct translator_extern *told = world_extern(&program->inputs->world, input->name);
	bool variable = strchr(input->name, ' '); /* which is 0 if it is no integer */
	if (input->exact)
		return false;
	if (program->inputs->options.input_values != INPUTS_FEW && !told && !variable)
		return false; /* what has not all values is refused */
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
	bool all = program->inputs->options.input_values != INPUTS_FEW;
	bool nondet = strncmp(name, "__VERIFIER_nondet_", 18) == 0 || (all && strncmp(name, "bitspin_nondet_", 15) == 0);
	if (strncmp(name, "bitspin_any_", 12) == 0)
		return true;
	return nondet && !world_extern(&program->inputs->world, name);
}

/* Return what people call the input, after "a few values were tried of". */
static char *in_words(const struct translator_input_use *input)
{
	bool variable = strchr(input->name, ' ');
	return text("%s%s%s%s", variable ? "" : "what ", input->name, variable ? "" : " returns", input->place);
}

char *narrowed_input(const struct program *program, const struct translator_result *result)
{
	enum { MOST = 3 };
	char *all = NULL;
	size_t count = 0, told = 0;
	for (size_t i = 0; i < result->ninputs; i++)
		count += is_narrowed(program, &result->inputs[i]);
	for (size_t i = 0; i < result->ninputs && told < MOST; i++) {
		if (!is_narrowed(program, &result->inputs[i]))
			continue;
		char *one = in_words(&result->inputs[i]);
		char *longer = text("%s%s%s", all ? all : "", told == 0 ? "" : told + 1 == count ? ", and of " : ", of ", one);
		free(one);
		free(all);
		all = longer;
		told++;
	}
	assert(told == (count < MOST ? count : MOST));
	if (count <= MOST)
		return all;
	char *whole = text("%s, and of %zu more input%s", all, count - MOST, count > MOST + 1 ? "s" : "");
	free(all);
	return whole;
}

bool has_real_inputs(const struct translator_result *result)
{
	bool any = false;
	for (size_t i = 0; i < result->ninputs; i++)
		any |= strcmp(result->inputs[i].name, "__VERIFIER_nondet_float") == 0 ||
			strcmp(result->inputs[i].name, "__VERIFIER_nondet_double") == 0;
	return any;
}
