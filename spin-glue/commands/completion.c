/* SPDX-License-Identifier: MIT
 *
 * bitspin completion: what makes bash or zsh complete the names of commands and options, and the words that options take, made
 * from the tables that have them.
 */
#include "commands.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../options/rows.h"

#include <stdlib.h>
#include <string.h>

static bool takes_words(const struct option_row *row)
{
	return row->kind == KIND_WORD && row->argument;
}

static bool takes_path(const struct option_row *row)
{
	return row->argument && !takes_words(row) && (strstr(row->argument, "FILE") || strstr(row->argument, "DIR"));
}

/* Print the words of `argument`, which is as "one|other", with blanks for the bars. */
static void print_words(const char *argument)
{
	for (; *argument; argument++)
		putchar(*argument == '|' ? ' ' : *argument);
}

static void print_kind(const char *name, const char *meaning, void *unused)
{
	(void)meaning, (void)unused;
	printf(" %s", name);
}

/* ---- bash ---------------------------------------------------------------------------------------------------------- */

static void print_bash_values(void)
{
	for (int i = 0; i < OPTIONS; i++) {
		const struct option_row *row = &option_rows[i];
		if (!takes_words(row))
			continue;
		printf("\t--%s) COMPREPLY=($(compgen -W '", row->long_name);
		print_words(row->argument);
		puts("' -- \"$word\")); return ;;");
	}
	for (int i = 0; i < OPTIONS; i++)
		if (takes_path(&option_rows[i]))
			printf("\t--%s) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", option_rows[i].long_name);
}

static void print_bash_options(const struct command *command)
{
	printf("\t%s) options='", command->name);
	for (int i = 0; i < OPTIONS; i++)
		if (option_is_of((enum option_id)i, command->letter))
			printf("--%s%s ", option_rows[i].long_name, option_rows[i].argument ? "=" : "");
	puts("--help' ;;");
}

static void print_bash(void)
{
	fputs("# bash completion of bitspin; made by: bitspin completion bash\n"
	      "_bitspin()\n{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options=''\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [ \"$COMP_CWORD\" = 1 ]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W '",
	      stdout);
	for (const struct command *command = commands; command->name; command++)
		printf("%s ", command->name);
	fputs("help --help --version' -- \"$word\"; compgen -f -X '!*.c' -- \"$word\"))\n\t\treturn\n\tfi\n"
	      "\t# The value of --option=value is a word of its own here.\n"
	      "\tif [ \"$word\" = = ]; then\n\t\tword=''\n"
	      "\telif [ \"$before\" = = ]; then\n\t\tbefore=${COMP_WORDS[COMP_CWORD - 2]}\n\tfi\n"
	      "\tcase $before in\n",
	      stdout);
	print_bash_values();
	puts("\tesac\n\tcase ${COMP_WORDS[1]} in");
	for (const struct command *command = commands; command->name; command++)
		if (command->letter)
			print_bash_options(command);
	fputs("\texplain) COMPREPLY=($(compgen -W 'program repaired", stdout);
	explain_each(print_kind, NULL);
	puts("' -- \"$word\")); return ;;\n"
	     "\tcompletion) COMPREPLY=($(compgen -W 'bash zsh' -- \"$word\")); return ;;\n\tesac\n"
	     "\tif [[ $word == -* ]]; then\n"
	     "\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
	     "\t\t[[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace\n"
	     "\telse\n\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n\tfi\n}\n"
	     "complete -o filenames -F _bitspin bitspin");
}

/* ---- zsh ----------------------------------------------------------------------------------------------------------- */

/* Print `words` for zsh, to stand within single quotes and brackets. */
static void print_zsh_text(const char *words)
{
	for (; *words; words++)
		if (*words == '\'')
			fputs("'\\''", stdout);
		else
			printf("%s%c", strchr("[]\\", *words) ? "\\" : "", *words);
}

static void print_zsh_option(const struct option_row *row)
{
	printf("\t\t\t'%s--%s%s[", row->kind == KIND_LIST || row->kind == KIND_CLANG ? "*" : "", row->long_name,
	       row->argument ? "=" : "");
	print_zsh_text(row->help);
	putchar(']');
	if (takes_words(row)) {
		fputs(":word:(", stdout);
		print_words(row->argument);
		putchar(')');
	} else if (row->argument) {
		printf(":value:%s", takes_path(row) ? "_files" : " ");
	}
	puts("' \\");
}

static void print_zsh(void)
{
	puts("#compdef bitspin\n# zsh completion of bitspin; made by: bitspin completion zsh\n"
	     "_bitspin()\n{\n\tlocal state line\n"
	     "\t_arguments -C '1:command:->command' '*::argument:->arguments'\n"
	     "\tcase $state in\n\tcommand)\n\t\tlocal -a names=(");
	for (const struct command *command = commands; command->name; command++) {
		printf("\t\t\t'%s:", command->name);
		print_zsh_text(command->help);
		puts("'");
	}
	puts("\t\t)\n\t\t_describe command names ;;\n\targuments)\n\t\tcase $line[1] in");
	for (const struct command *command = commands; command->name; command++) {
		if (!command->letter)
			continue;
		printf("\t\t%s) _arguments \\\n", command->name);
		for (int i = 0; i < OPTIONS; i++)
			if (option_is_of((enum option_id)i, command->letter))
				print_zsh_option(&option_rows[i]);
		puts("\t\t\t'*:file:_files' ;;");
	}
	fputs("\t\texplain) compadd -- program repaired", stdout);
	explain_each(print_kind, NULL);
	puts(" ;;\n\t\tcompletion) _values shell bash zsh ;;\n\t\t*) _files ;;\n\t\tesac ;;\n\tesac\n}\n"
	     "# Read by compinit as a function's body, or by eval.\n"
	     "if [ \"$funcstack[1]\" = _bitspin ]; then _bitspin \"$@\"; else compdef _bitspin bitspin; fi");
}

int command_completion(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "bash") == 0)
		print_bash();
	else if (argc == 2 && strcmp(argv[1], "zsh") == 0)
		print_zsh();
	else
		fail("name the shell: bitspin completion bash, or zsh");
	return 0;
}
