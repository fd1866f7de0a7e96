/* SPDX-License-Identifier: MIT
 *
 * bitspin-image: bitcode to program image, and images as text.  For golden tests and for the curious.
 */
#include "translator.h"
#include "../runtime/image/policy.h"
#include "../runtime/image/standard.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct arguments {
	const char *output, *entry;
	const char *library; /* NULL: none */
	bool disassemble, slicing;
	uint32_t staleness; /* 0: memory is sequentially consistent */
	int optimise;       /* 1 to 3: write bitcode that is optimised as by clang's -O; 0: write an image */
	const char **files;
	size_t nfiles;
};

static uint32_t staleness_of(const struct argp_state *state, const char *value)
{
	char *end;
	unsigned long most = strtoul(value, &end, 10);
	if (*end || most < 1 || most > IMAGE_MOST_STALENESS)
		argp_error(state, "'%s' is no number of values from 1 to %d", value, IMAGE_MOST_STALENESS);
	return (uint32_t)most;
}

static int level_of(const struct argp_state *state, const char *value)
{
	if (strlen(value) != 1 || !strchr("123", *value))
		argp_error(state, "-O takes 1, 2 or 3, not '%s'", value);
	return *value - '0';
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	switch (key) {
	case 'o': arguments->output = value; return 0;
	case 'l': arguments->library = value; return 0;
	case 'e': arguments->entry = value; return 0;
	case 'd': arguments->disassemble = true; return 0;
	case 's': arguments->slicing = true; return 0;
	case 'm': arguments->staleness = staleness_of(state, value); return 0;
	case 'O': arguments->optimise = level_of(state, value); return 0;
	case ARGP_KEY_ARG:
		arguments->files = realloc(arguments->files, (arguments->nfiles + 1) * sizeof *arguments->files);
		arguments->files[arguments->nfiles++] = value;
		return 0;
	case ARGP_KEY_NO_ARGS: argp_usage(state); return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

/* Is the file an image already, as check --keep leaves one? */
static bool is_image(const char *path)
{
	uint32_t magic = 0;
	FILE *in = fopen(path, "rbe");
	bool good = in && fread(&magic, sizeof magic, 1, in) == 1 && magic == IMAGE_MAGIC;
	if (in)
		fclose(in);
	return good;
}

/* May the file at `path` be written over?  A file that is not ours stays. */
static bool may_replace(const char *path)
{
	struct stat st;
	return stat(path, &st) < 0 || !S_ISREG(st.st_mode) || is_image(path);
}

static int disassemble(const char *path)
{
	struct image image;
	char error[4400];
	if (image_load(&image, path, error, sizeof error) < 0) {
		fprintf(stderr, "bitspin-image: %s\n", error);
		return 2;
	}
	image_print(&image, stdout);
	image_release(&image);
	return 0;
}

/* Write the optimised bitcode of the first file into `output`; return the exit status. */
static int optimise(const struct arguments *arguments, const char *output)
{
	char *error = translator_optimise(arguments->files[0], output, arguments->optimise);
	if (error)
		fprintf(stderr, "bitspin-image: %s\n", error);
	free(error);
	return error ? 2 : 0;
}

int main(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "output", 'o', "FILE", 0, "write the image to FILE (program.image)", 0 },
		{ "entry", 'e', "NAME", 0, "start from function NAME (main)", 0 },
		{ "slicing", 's', NULL, 0, "mark data on which nothing that is checked depends", 0 },
		{ "memory", 'm', "K", 0, "C11's memory model: the K newest values of a location can be read", 0 },
		{ "library", 'l', "FILE", 0, "link this bitcode of the C library's functions that are written in C", 0 },
		{ "optimize", 'O', "1..3", 0, "write the bitcode of FILE as -O1, 2 or 3 makes it, not an image", 0 },
		{ "disassemble", 'd', NULL, 0, "print the image as text instead; FILE may be an image, too", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		options, parse, "FILE...", "Translate LLVM bitcode to a bitspin program image.", 0, 0, 0
	};
	struct arguments arguments = { .output = NULL, .entry = "main" };
	image_open_standard();
	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	if (arguments.disassemble && arguments.nfiles == 1 && is_image(arguments.files[0]))
		return disassemble(arguments.files[0]);
	char temporary[] = "/tmp/bitspin-image.XXXXXX";
	const char *output = arguments.output ? arguments.output : "program.image", *name = "a.out";
	if (arguments.disassemble && !arguments.output) {
		int fd = mkstemp(temporary);
		if (fd >= 0)
			close(fd);
		output = temporary;
	}
	if (output != temporary && !may_replace(output)) {
		fprintf(stderr, "bitspin-image: '%s' is there, and is no image; remove it, or name another file with -o\n", output);
		return 2;
	}
	if (arguments.optimise)
		return optimise(&arguments, output);
	const struct translator_argument argument = { &name, 1, 0 };
	struct translator_request request = {
		.paths = arguments.files,
		.npaths = arguments.nfiles,
		.entry = arguments.entry,
		.library = arguments.library,
		.arguments = &argument,
		.narguments = 1,
		.options = { .deadlock = 1,
			     .max_threads = 8,
			     .reductions = (arguments.slicing ? REDUCTION_SLICING : 0) | REDUCTION_OWNED | REDUCTION_SYMMETRY },
	};
	if (arguments.staleness) {
		request.options.memory = MEMORY_C11;
		request.options.staleness = arguments.staleness;
	}
	for (unsigned i = 0; i < IMAGE_INJECTIONS; i++)
		request.budgets[i] = builtin_injection_usual(i);
	struct translator_result result;
	int status = translator_run(&request, output, &result) ? 2 : 0;
	for (size_t i = 0; i < result.nmessages; i++) {
		const struct translator_message *m = &result.messages[i];
		if (m->file)
			fprintf(stderr, "%s:%u: ", m->file, m->line);
		fprintf(stderr, "%s\n", m->text);
	}
	translator_result_release(&result);
	if (status == 0 && arguments.disassemble)
		status = disassemble(output);
	if (output == temporary)
		unlink(temporary);
	free(arguments.files);
	return status;
}
