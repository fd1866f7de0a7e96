/* SPDX-License-Identifier: MIT
 *
 * What --help and the command help print.  argp reads the command line, and could print this; but glibc's puts blanks in wrong
 * places where a text is as wide as a line.
 */
#include "options.h"
#include "rows.h"
#include "../base/base.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_COLUMN = 29, WIDTH = 79 };

static const char *const usage[] = {
	/* clang-format off */
	['C'] = "check FILE... [-- ARG...]",
	['G'] = "generate FILE... -o DIR [-- ARG...]",
	['R'] = "replay DIR|TRAIL",
	['N'] = "confirm FILE...|DIR [-- ARG...]",
	['M'] = "compare FILE... [-- ARG...]",
	['A'] = "audit FILE... [-- ARG...]",
	['S'] = "simulate FILE...|DIR [-- ARG...]",
	['P'] = "profile FILE... [-- ARG...]",
	['W'] = "swarm FILE... [-- ARG...]",
	['L'] = "linearize FILE... --thread CALLS...",
	['O'] = "orders FILE... [-- ARG...]",
	/* clang-format on */
};

static const char *const purpose[] = {
	['C'] = "Check a multi-threaded C program: .c, .bc or .ll files, linked together.\n\n"
		"  bitspin check prog.c                 under every schedule\n"
		"  bitspin check a.c b.c -DN=3 -Idir    several files, with flags of compilers\n"
		"  bitspin check prog.c -- 3 word       with arguments of the program\n\n"
		"What most people need of the options below:\n"
		"  --max-time 10m             end after this time; 90 is seconds, 2h hours\n"
		"  -j 4                       search on four cores\n"
		"  --preemptions iterate      large programs: few preemptions first\n"
		"  --invariant 'n <= 3'       what must hold after every write\n"
		"  --checks=-all,+data-race   look for some kinds of fault only\n"
		"  --html story.html          what was found as a page for a browser\n"
		"  --keep DIR                 ... and for bitspin replay, simulate and confirm\n"
		"  -q                         print the verdict only\v"
		"Examples:\n"
		"  bitspin check --call 'f(1)' --call 'g()' lib.c   # a thread for each call\n"
		"  bitspin check --ltl '[] (in(take, 1) -> <> done(1))' prog.c\n"
		"  bitspin check --preemptions iterate --max-time 60 prog.c\n\n"
		"Exit status: 0 verified, 1 violated, 2 error, 3 inconclusive.",
	['G'] = "Write a Promela model, a program image and a Makefile, to run SPIN's pan by hand.\vExample:\n"
		"  bitspin generate prog.c -o model && make -C model && model/pan -m100000",
	['N'] = "Check a program; if it is wrong, run the native program in the same schedule, and say whether it fails the same way. "
		"DIR: what an earlier check has left by --keep.\v"
		"Exit status: 0 confirmed, 1 not confirmed, 2 error, 3 there is nothing to confirm.",
	['M'] = "Compare bitspin's search of a program with those of SCALE and CHESS.\v"
		"Example:\n"
		"  bitspin compare examples/indexer.c\n\n"
		"Exit status: 0 verified, 1 violated, 2 error, 3 inconclusive.",
	['A'] = "List the external functions, intrinsics and inline assembly that a program can reach, how they are treated, and what "
		"a verdict would assume.\vExample:\n  bitspin audit *.c\n\n"
		"Exit status: 0 it can be checked, 1 something is refused, 2 error.",
	['S'] = "Run a multi-threaded C program step by step: choose which thread goes on, look at variables, go back. DIR: what "
		"check --keep has left.\v"
		"Commands come from the terminal, or else from standard input; 'help' lists them.\n\n"
		"Examples:\n"
		"  bitspin simulate prog.c\n"
		"  bitspin check --keep kept prog.c; bitspin simulate --schedule kept/schedule prog.c\n\n"
		"Exit status without a terminal: 1 the last state is a violation, 0 it is none, 2 error.",
	['P'] = "Say where the states of a program come from: at which lines threads can come between each other, and which "
		"variables tell states apart.\v"
		"Example:\n"
		"  bitspin profile -DTHREADS=7 examples/barrier.c\n\n"
		"Exit status: 0 it was told, 2 error.",
	['W'] = "Make many searches of a program, each in its own way, from a budget of time and memory.\v"
		"Examples:\n"
		"  bitspin swarm --max-time 300 prog.c\n"
		"  bitspin swarm --engine parallel --sshlogin 4/one,4/other prog.c\n\n"
		"Exit status: 0 verified, 1 violated, 2 error, 3 inconclusive.",
	['L'] = "Say whether a data structure does in every schedule what it does when each operation runs in one piece.\v"
		"Examples:\n"
		"  bitspin linearize --setup 'q := queue_new(2)' --thread 'put(q, 1); put(q, 2)' --thread 'get(q)' queue.c\n"
		"  bitspin linearize --thread 'push(1); pop(out(int))' --thread 'pop(out(int))' stack.c\n\n"
		"Exit status: 0 linearizable, 1 violated, 2 error, 3 inconclusive.",
	['O'] = "Say which memory orders of a program could be weaker without a violation under C11's memory model; or if there is a "
		"violation, which ones must be stronger.\v"
		"Example:\n"
		"  bitspin orders --max-time 60 queue.c      # at most 60 seconds for each check\n"
		"  bitspin orders --memory tso old.c         # fences that x86 needs for volatile variables\n\n"
		"Exit status: 0 right as it is, 1 violated, 2 error, 3 inconclusive.",
	['R'] = "Print the trace of a trail that check --keep, or pan in a generated directory, has left.\vExample:\n"
		"  bitspin check --keep kept prog.c; bitspin replay kept",
};

/* The options from top to bottom, and before some a title. */
static const struct help_line {
	const char *title; /* NULL: an option */
	enum option_id option;
} help_lines[] = {
#define GROUP(text)                                                           { .title = text ":" },
#define OPTION(name, long_name, letter, argument, commands, kind, json, help) { .option = OPT_##name },
#define ALIAS(other, name)
#include "option.def"
#undef OPTION
#undef ALIAS
};

const char *options_usage(char command)
{
	assert((size_t)command < sizeof usage / sizeof *usage && usage[(int)command]);
	return usage[(int)command];
}

/* Print words in lines that begin in column `left` and end before WIDTH.  The first begins in column `column`.  A line of the text
 * that begins with a blank is an example, and stays whole. */
static void print_wrapped(const char *words, size_t length, size_t column, size_t left)
{
	bool first = true, whole = *words == ' ';
	while (length > 0) {
		size_t word = strcspn(words, whole ? "\n" : " \n");
		word = word < length ? word : length;
		if (!first && column + 1 + word > WIDTH) {
			printf("\n%*s", (int)left, "");
			column = left;
			first = true;
		}
		printf("%s%.*s", first ? "" : " ", (int)word, words);
		column += word + !first;
		first = false;
		words += word;
		length -= word;
		if (length > 0 && *words == '\n') {
			putchar('\n');
			column = left;
			first = true;
			whole = words[1] == ' ';
		}
		words += length > 0;
		length -= length > 0;
	}
	putchar('\n');
}

static void print_option(enum option_id option, char command)
{
	const struct option_row *row = &option_rows[option];
	int letter = option_letter(option, command);
	char *short_name = letter ? text("-%c,", letter) : text("%s", "");
	printf("  %-4s", short_name);
	free(short_name);
	size_t column = 6 +
		(size_t)printf("--%s%s%s", row->long_name, row->argument ? "=" : "", row->argument ? row->argument : "");
	if (column >= TEXT_COLUMN) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", (int)(TEXT_COLUMN - column), "");
	print_wrapped(row->help, strlen(row->help), TEXT_COLUMN, TEXT_COLUMN);
}

void options_help(char command)
{
	const char *words = purpose[(int)command], *title = NULL;
	size_t before = strcspn(words, "\v"), name = strcspn(options_usage(command), " ");
	printf("Usage: bitspin %.*s [OPTION...]%s\n", (int)name, options_usage(command), options_usage(command) + name);
	print_wrapped(words, before, 0, 0);
	for (size_t l = 0; l < sizeof help_lines / sizeof *help_lines; l++) {
		if (help_lines[l].title) {
			title = help_lines[l].title;
			continue;
		}
		if (!option_is_of(help_lines[l].option, command))
			continue;
		if (title)
			printf("\n %s\n", title);
		title = NULL;
		print_option(help_lines[l].option, command);
	}
	if (words[before]) {
		putchar('\n');
		print_wrapped(words + before + 1, strlen(words + before + 1), 0, 0);
	}
}
