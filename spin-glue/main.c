/* SPDX-License-Identifier: MIT
 *
 * bitspin: the command.  Picks the subcommand, and knows how a run ends when it goes wrong.
 */
#include "glue.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct job *current; /* so that errors reach its JSON report */

void job_init(struct job *job)
{
	*job = (struct job){ .violations = json_array(), .verdict = VERDICT_ERROR };
	current = job;
	job->work = work_directory();
	job->image = text("%s/program.image", job->work);
	job->result = text("%s/result.json", job->work);
}

void job_release(struct job *job)
{
	current = NULL;
	options_release(&job->options);
	world_release(&job->world);
	list_release(&job->assumptions);
	list_release(&job->cuts);
	free(job->weaker.file);
	json_decref(job->violations);
	free(job->work);
	free(job->image);
	free(job->result);
	free(job->reason);
}

static _Noreturn void give_up(enum verdict verdict, char *message)
{
	struct job *job = current;
	current = NULL; /* no second error on the way out */
	if (job) {
		job->verdict = verdict;
		job->reason = message;
		report_write_json(job);
	}
	exit(verdict_status(verdict));
}

_Noreturn void out_of_time(const char *meanwhile, ...)
{
	char *what;
	va_list arguments;
	va_start(arguments, meanwhile);
	if (vasprintf(&what, meanwhile, arguments) < 0)
		exit(2);
	va_end(arguments);
	char *message = text("time limit of %lu seconds reached while %s", current ? current->options.max_time : 0, what);
	printf("inconclusive: %s\n", message);
	give_up(VERDICT_INCONCLUSIVE, message);
}

_Noreturn void fail(const char *format, ...)
{
	char *message;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&message, format, arguments) < 0)
		exit(2);
	va_end(arguments);
	if (process_interrupted()) {
		puts("inconclusive: interrupted");
		give_up(VERDICT_INCONCLUSIVE, message);
	}
	fprintf(stderr, "bitspin: %s\n", message);
	give_up(VERDICT_ERROR, message);
}

_Noreturn void glue_bug(const char *file, int line, const char *format, ...)
{
	char message[1000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	fprintf(stderr, "bitspin: internal error at %s:%d: %s; this is a bug in bitspin, please report it\n", file, line, message);
	give_up(VERDICT_ERROR, strdup(message));
}

static const struct {
	const char *name;
	char letter;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "check", 'C', command_check, "check a program and say whether it can go wrong" },
	{ "compare", 'M', command_compare, "set our search beside those of SCALE and CHESS" },
	{ "generate", 'G', command_generate, "write a Promela model to run pan on by hand" },
	{ "replay", 'R', command_replay, "tell the story of a trail" },
	{ "audit", 'A', command_audit, "list what a program uses that is not its own, and how it is treated" },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static int find_command(const char *name)
{
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return i;
	return -1;
}

static void print_help(FILE *out)
{
	fputs("bitspin checks multi-threaded C programs under every schedule.\n\nusage: bitspin COMMAND [OPTION...] ...\n\n", out);
	for (int i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
	fputs("  help       print this, or the options of a command: bitspin help check\n"
	      "\n  --version  print versions\n  --help     print this\n\nexample: bitspin check prog.c\n", out);
}

static void print_version(void)
{
	printf("bitspin %s (LLVM %s)\n", BITSPIN_VERSION, translator_llvm_version());
	const char *const argv[] = { "spin", "-V", NULL };
	int status;
	if (process_run(&(struct process){ .argv = argv }, &status) == PROCESS_NOT_FOUND)
		puts("spin is not installed");
}

static int help(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stdout);
		return 0;
	}
	int i = find_command(argv[1]);
	if (i < 0)
		fail("there is no command '%s' (see 'bitspin --help')", argv[1]);
	options_help(commands[i].letter);
	return 0;
}

int main(int argc, char **argv)
{
	process_catch_signals();
	if (argc < 2) {
		print_help(stderr);
		return 2;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		print_version();
		return 0;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
		return help(argc - 1, argv + 1);
	int i = find_command(argv[1]);
	if (i < 0)
		fail("there is no command '%s' (see 'bitspin --help')", argv[1]);
	if (argc > 2 && strcmp(argv[2], "--help") == 0) {
		options_help(commands[i].letter);
		return 0;
	}
	char *name = text("bitspin %s", argv[1]);
	argv[1] = name;
	int status = commands[i].run(argc - 1, argv + 1);
	free(name);
	return status;
}
