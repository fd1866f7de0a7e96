/* SPDX-License-Identifier: MIT
 *
 * bitspin generate: a model and an image to run pan on by hand.
 */
#include "commands.h"
#include "../base/base.h"
#include "../model/model.h"
#include "../options/options.h"
#include "../pan/job.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_THREADS = 16 };

static void write_or_fail(const char *directory, const char *name, const char *bytes)
{
	char *path = text("%s/%s", directory, name);
	if (!write_file(path, bytes, strlen(bytes)))
		fail("cannot write '%s': %s", path, strerror(errno));
	free(path);
}

static enum directory_use is_generated(const char *name)
{
	static const char *const names[] = { "model.pml", "program.image", "bitspin_vm.h", "Makefile", "formula" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return DIRECTORY_WRITTEN;
	return DIRECTORY_OTHERS;
}

/* Return the argument of pan -f: how many bytes of counters there are.  Each byte holds the counters of four processes, and the
 * least is 2.  pan refuses a process if one more after it would take the last counter (addproc() in pan.c).  The processes are the
 * `threads` and one for the claim. */
static unsigned fairness_bytes(unsigned threads)
{
	assert(threads > 0);
	unsigned bytes = (threads + 2) / 4 + 1;
	assert(4 * bytes > threads + 2);
	return bytes < 2 ? 2 : bytes;
}

int command_generate(int argc, char **argv)
{
	struct job job;
	struct list bitcode = { 0 };
	command_begin(&job, 'G', argc, argv);
	const char *to = job.inputs->options.directory;
	directory_check(to, is_generated);
	unsigned threads = job.inputs->options.threads ? (unsigned)job.inputs->options.threads : DEFAULT_THREADS;
	struct formulas formulas = { 0 };
	formulas_read(&formulas, &job.inputs->options, true);
	job.program.formulas = &formulas;
	job.program.formula = formulas.items; /* a model has one claim */
	job.program.bound = job.inputs->options.preemptions;
	compile_files(&job.program, &bitcode);
	make_directories(to);
	translate_files(&job.program, &bitcode, threads);
	char *image = text("%s/program.image", to), *model = model_text(&job.program, threads),
	     *library = data_file("libbitspin-vm.a");
	char *header = data_file("bitspin_vm.h"), *copy = text("%s/bitspin_vm.h", to);
	if (!copy_file(job.program.image, image) || !copy_file(header, copy))
		fail("cannot write to '%s': %s", to, strerror(errno));
	write_or_fail(to, "model.pml", model);
	if (!keep_formula(&job.program, to))
		fail("cannot write to '%s': %s", to, strerror(errno));
	/* To count a miss of a queue, pan 6.5.2 moves the counter's pointer: a worker of -DNCORE may die of it, holding a lock.
	 * FULL_TRAIL keeps its tree in memory that processes share, and with SEP_STATE they share none: they would die of it. */
	char *makefile =
		text("pan: model.pml bitspin_vm.h\n"
		     "\tspin -a model.pml\n"
		     "\tsed -i 's/\\*gr_\\([a-z]*\\)miss++/(*gr_\\1miss)++/' pan.c\n"
		     "\t$(CC) -O2 -w -DNOREDUCE -DVECTORSZ=4096 -DNFAIR=%u $(if $(findstring SEP_STATE,$(PANFLAGS)),,-DFULL_TRAIL) "
		     "$(PANFLAGS) -o pan pan.c %s -lffi -ljansson -lm\n",
		     fairness_bytes(threads), library);
	write_or_fail(to, "Makefile", makefile);
	if (!directory_note(to, is_generated))
		fail("cannot write to '%s': %s", to, strerror(errno));
	if (!job.inputs->options.quiet)
		printf("wrote model.pml, program.image and Makefile in '%s'; now: make -C %s && cd %s && ./pan%s\n", to, to, to,
		       job.program.formula ? " -a" : "");
	formulas_release(&formulas);
	free(image);
	free(model);
	free(library);
	free(header);
	free(copy);
	free(makefile);
	list_release(&bitcode);
	command_end(&job);
	return 0;
}
