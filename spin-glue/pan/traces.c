/* SPDX-License-Identifier: MIT
 *
 * --traces: how many Mazurkiewicz traces the program has, as bitspin-drive counts them (runtime/search/bound/traces.h).
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAIRS = 20000000 };

/* Return the last record of a kind in a file; NULL if there is none. */
static json_t *last_record(const char *path, const char *type)
{
	char *lines = read_file(path, NULL), *rest = lines, *line;
	json_t *found = NULL;
	while (rest && (line = strsep(&rest, "\n"))) {
		json_t *record = json_loads(line, 0, NULL);
		bool wanted = record && strcmp(field_text(record, "type"), type) == 0;
		json_decref(wanted ? found : record);
		found = wanted ? record : found;
	}
	free(lines);
	return found;
}

json_t *traces_count(struct job *job)
{
	assert(job->program.image);
	char *drive = data_file("bitspin-drive"), *pairs = text("%d", PAIRS), *records = text("%s/traces.json", job->program.work);
	char *image = text("BITSPIN_IMAGE=%s", job->program.image), *result = text("BITSPIN_RESULT=%s", records);
	char *output = text("%s/traces.out", job->program.work);
	const char *const argv[] = { drive, "traces", pairs, NULL }, *const environment[] = { image, result, NULL };
	int status;
	unlink(records);
	enum process_end end = process_run(&(struct process){ .argv = argv,
							      .output = output,
							      .errors = output,
							      .environment = environment },
					   &status);
	json_t *record = last_record(records, "traces");
	if (!record)
		record = json_pack("{s:s}", "why", end == PROCESS_TIMED_OUT ? "the time limit was reached" : "a limit was reached");
	char *const all[] = { drive, pairs, records, image, result, output };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	return record;
}
