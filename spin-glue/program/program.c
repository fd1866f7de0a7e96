/* SPDX-License-Identifier: MIT
 *
 * See program.h.
 */
#include "program.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <stdlib.h>

void program_init(struct program *program, struct inputs *inputs, char *work)
{
	assert(inputs && work);
	*program = (struct program){ .inputs = inputs, .work = work, .image = text("%s/program.image", work) };
}

static void places_free(struct translator_place *places, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free((char *)places[i].file);
	free(places);
}

void program_release(struct program *program)
{
	places_free(program->tolerated, program->ntolerated);
	places_free(program->interrupted, program->ninterrupted);
	list_release(&program->recorded);
	list_release(&program->rules);
	list_release(&program->assumptions);
	list_release(&program->shown);
	free(program->weaker.file);
	free(program->memory_narrowed);
	atomics_release(program);
	json_decref(program->left_out);
	json_decref(program->withdrawn);
	free(program->work);
	free(program->image);
}
