/* SPDX-License-Identifier: MIT
 *
 * bitspin: the command.  Picks the subcommand, and knows how a run ends when it goes wrong.
 */
#include "commands.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../runtime/image/standard.h"
#include "../../translator/translator.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct command commands[] = {
	{ "check", 'C', command_check, "check a program and say whether it can go wrong" },
	{ "compare", 'M', command_compare, "compare bitspin's search with those of SCALE and CHESS" },
	{ "generate", 'G', command_generate, "write a Promela model to run pan on by hand" },
	{ "replay", 'R', command_replay, "print the story of a trail" },
	{ "confirm", 'N', command_confirm, "check a program, and see whether the native program fails the same way" },
	{ "swarm", 'W', command_swarm, "make many searches of a program, each in its own way" },
	{ "simulate", 'S', command_simulate, "run a program step by step, by hand" },
	{ "profile", 'P', command_profile, "say which lines and variables make so many states" },
	{ "linearize", 'L', command_linearize, "say whether a data structure does what it does when calls come one by one" },
	{ "orders", 'O', command_orders, "say which memory orders could be weaker, or which ones must be stronger" },
	{ "audit", 'A', command_audit, "list the external functions that a program uses, and how each is handled" },
	{ "cc", '\0', command_cc, "compile as CC of a build, and leave bitcode for check beside the machine code" },
	{ "explain", '\0', command_explain, "say what a kind of violation is, with the smallest program that has it" },
	{ "completion", '\0', command_completion, "print what makes a shell complete commands and options: bash or zsh" },
	{ NULL, '\0', NULL, NULL },
};

static int find_command(const char *name)
{
	for (int i = 0; commands[i].name; i++)
		if (strcmp(commands[i].name, name) == 0)
			return i;
	return -1;
}

static _Noreturn void fail_command(const char *name)
{
	struct guess guess = { .word = name };
	for (int i = 0; commands[i].name; i++)
		guess_offer(&guess, commands[i].name);
	guess_offer(&guess, "help");
	fail("there is no command '%s'%s (see 'bitspin --help')", name, guess_question(&guess, ""));
}

/* Do these words go on as those of check do: does the first one name a file, or is it an option? */
static bool means_check(const char *word)
{
	static const char *const suffixes[] = { ".c", ".i", ".bc", ".ll", ".o", ".a", ".cpp", ".cc", ".cxx", ".C", ".hpp" };
	struct stat st;
	if (*word == '-' || (stat(word, &st) == 0 && S_ISREG(st.st_mode)))
		return true;
	const char *dot = strrchr(word, '.');
	for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
		if (strcmp(dot, suffixes[i]) == 0)
			return true;
	return false;
}

/* Run check with the words after argv[0]. */
static int check_words(int argc, char **argv)
{
	char **words = calloc((size_t)argc + 1, sizeof *words), *name = text("bitspin check");
	if (!words)
		BUG("out of memory");
	memcpy(words, argv, (size_t)argc * sizeof *words);
	words[0] = name;
	int status = command_check(argc, words);
	free(words);
	free(name);
	return status;
}

static void print_help(FILE *out)
{
	fputs("bitspin checks multi-threaded C programs under every schedule.\n\nusage: bitspin COMMAND [OPTION...] ...\n"
	      "       bitspin [OPTION...] FILE...   (as bitspin check)\n\n",
	      out);
	for (int i = 0; commands[i].name; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
	fputs("  help       print this, or the options of a command: bitspin help check\n"
	      "\n  -v, -q     before a command: print each program that it runs, or the last line only\n"
	      "  --version  print versions\n  --help     print this\n\nexample: bitspin check prog.c\n",
	      out);
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
		fail_command(argv[1]);
	if (commands[i].letter)
		options_help(commands[i].letter);
	else if (commands[i].run == command_completion)
		puts("usage: bitspin completion bash|zsh\n\nIn bash: eval \"$(bitspin completion bash)\"");
	else if (commands[i].run == command_explain)
		puts("usage: bitspin explain [KIND [program|repaired]]\n\n"
		     "Without KIND: the kinds of violation. With KIND: its page, or only the program of the page, as C that is\n"
		     "wrong or repaired. For example: bitspin explain deadlock program >it.c && bitspin check it.c");
	else
		puts("usage: bitspin cc FLAG... FILE...\n\n"
		     "A compiler for builds, as in make CC='bitspin cc'. The flags are the compiler's own: clang's,\n"
		     "or those of the compiler that BITSPIN_REAL_CC names. Then check what was built: bitspin check ./program");
	return 0;
}

static bool is_among(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

/* Is `option` one that may stand before `word`, which is what bitspin is asked to do? */
static bool goes_before(const char *option, const char *word)
{
	static const char *const options[] = { "-v", "--verbose", "-q", "--quiet", NULL };
	static const char *const others[] = { "help", "--help", "-h", "--version", "-V", NULL };
	return is_among(option, options) && (find_command(word) >= 0 || is_among(word, others));
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	image_open_standard();
	process_catch_signals();
	offer_solver();
	if (strcmp(slash ? slash + 1 : argv[0], "bitspin-cc") == 0) /* for those who want a compiler of one word */
		return command_cc(argc, argv);
	if (argc < 2) {
		print_help(stderr);
		return 2;
	}
	if (argc > 2 && goes_before(argv[1], argv[2])) { /* before the command it means the same */
		char *option = argv[1];
		argv[1] = argv[2];
		argv[2] = option;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		print_version();
		return 0;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
		return help(argc - 1, argv + 1);
	int i = find_command(argv[1]);
	if (i < 0 && means_check(argv[1]))
		return check_words(argc, argv);
	if (i < 0)
		fail_command(argv[1]);
	if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0) && commands[i].run != command_cc)
		return help(2, argv);
	char *name = text("bitspin %s", argv[1]);
	argv[1] = name;
	int status = commands[i].run(argc - 1, argv + 1);
	free(name);
	return status;
}
