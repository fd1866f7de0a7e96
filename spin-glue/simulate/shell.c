/* SPDX-License-Identifier: MIT
 *
 * Commands: reading them, with line editing on a terminal, and doing what they say.
 */
#include "simulate.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../base/target.h"
#include "../native/native.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../report/screen.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <editline/readline.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum command {
#define COMMAND(name, group, text, short, arguments, help) COMMAND_##name,
#include "command.def"
	COMMANDS
};

static const struct {
	const char *group, *name, *abbreviation, *arguments, *help;
} commands[COMMANDS] = {
#define COMMAND(name, group, text, short, arguments, help) { group, text, short, arguments, help },
#include "command.def"
};

/* Words of gdb, and what they are here. */
static const struct {
	const char *word, *command;
} words_of_gdb[] = {
	{ "where", "backtrace" }, { "stack", "backtrace" },   { "locals", "info locals" }, { "globals", "info globals" },
	{ "heap", "info heap" },  { "inspect", "print" },     { "stepi", "step" },         { "si", "step" },
	{ "exit", "quit" },       { "reverse-step", "back" },
};

enum { ARGUMENT_MOST = 100 }; /* characters of a bad argument that a message repeats */

/* ---- help ---------------------------------------------------------------------------------------------------------- */

/* Return the command that the first `length` characters of `word` mean; COMMANDS if they mean none. */
static enum command find_command(const char *word, size_t length)
{
	for (int i = 0; i < COMMANDS; i++) {
		const char *exact[] = { commands[i].name, commands[i].abbreviation };
		for (int k = 0; k < 2; k++)
			if (length && strlen(exact[k]) == length && strncmp(exact[k], word, length) == 0)
				return (enum command)i;
	}
	for (int i = 0; i < COMMANDS; i++)
		if (length && strncmp(commands[i].name, word, length) == 0)
			return (enum command)i;
	return COMMANDS;
}

static void show_unknown(const char *line)
{
	char *word = text("%.*s", (int)strcspn(line, " \t"), line);
	struct guess guess = { .word = word };
	for (int i = 0; i < COMMANDS; i++)
		guess_offer(&guess, commands[i].name);
	char *question = guess_question(&guess, "");
	show_error("there is no command '%.*s'%s%s 'help' lists them", (int)ARGUMENT_MOST, line, question, guess.name ? "" : ";");
	free(question);
	free(word);
}

static void help(const char *word)
{
	enum command one = find_command(word, strlen(word));
	if (*word && one == COMMANDS) {
		show_unknown(word);
		return;
	}
	for (int i = 0; i < COMMANDS; i++) {
		if (*word && i != (int)one)
			continue;
		if (!*word && (i == 0 || strcmp(commands[i].group, commands[i - 1].group) != 0))
			printf("%s%s:\n", i ? "\n" : "", commands[i].group);
		char *usage = text("%s %s", commands[i].name, commands[i].arguments), *also = text("%s", "");
		if (*commands[i].abbreviation) {
			free(also);
			also = text(" (%s)", commands[i].abbreviation);
		}
		printf("  %-32s %s%s\n", usage, commands[i].help, also);
		free(usage);
		free(also);
	}
	if (!*word)
		puts("\nAn empty line repeats the last command.  Commands may be cut short.");
}

/* ---- arguments ----------------------------------------------------------------------------------------------------- */

/* Read up to two numbers from `arguments` into *a and *b.  Return how many there are; -1 if there is anything else. */
static int numbers(const char *arguments, unsigned long *a, unsigned long *b)
{
	char *end;
	if (!*arguments)
		return 0;
	if (strchr(arguments, '-'))
		return -1;
	errno = 0;
	*a = strtoul(arguments, &end, 10);
	bool first = end != arguments && !errno;
	if (first && !end[strspn(end, " \t")])
		return 1;
	const char *second = end;
	*b = strtoul(second, &end, 10);
	return first && end != second && !errno && !end[strspn(end, " \t")] && (*second == ' ' || *second == '\t') ? 2 : -1;
}

static void complain(enum command command, const char *arguments)
{
	assert(command < COMMANDS);
	show_error("%s takes %s, not '%.*s'", commands[command].name,
		   *commands[command].arguments ? commands[command].arguments : "nothing", (int)ARGUMENT_MOST, arguments);
}

/* ---- commands ------------------------------------------------------------------------------------------------------ */

static void back(struct session *s, unsigned long steps)
{
	if (s->at == 0)
		show_error("this is the start of the program");
	else {
		session_back(s, steps < s->at ? s->at - steps : 0);
		show_stop(s);
	}
}

static void select_thread(struct session *s, unsigned long thread)
{
	if (thread > LTL_MAX_THREADS || !session_thread(s, (unsigned)thread)) {
		show_error("there is no thread %lu now", thread);
		return;
	}
	s->thread = (unsigned)thread;
	s->frame = 0;
	free(s->listed);
	s->listed = NULL;
	show_frame(s);
}

static void select_frame(struct session *s, long frame)
{
	if (frame < 0) {
		show_error("this is the innermost frame");
		return;
	}
	s->frame = (unsigned)frame;
	show_frame(s);
}

/* Return a whole number in another form, by gdb's letter for it, malloc'ed; NULL if `value` is none. */
static char *in_form(const char *value, char letter)
{
	char *end, bits[70];
	errno = 0;
	long long number = strtoll(value, &end, 0);
	if (errno) {
		errno = 0;
		number = (long long)strtoull(value, &end, 0);
	}
	if (end == value || *end || errno)
		return NULL;
	size_t at = sizeof bits;
	bits[--at] = '\0';
	for (unsigned long long rest = (unsigned long long)number; rest || bits[at] == '\0'; rest >>= 1)
		bits[--at] = (char)('0' + (rest & 1));
	switch (letter) {
	case 'x': return text("%#llx", (unsigned long long)number);
	case 'o': return text("%#llo", (unsigned long long)number);
	case 'u': return text("%llu", (unsigned long long)number);
	case 't': return text("%s", bits + at);
	case 'c': return number >= ' ' && number <= '~' ? text("%lld '%c'", number, (char)number) : text("%lld", number);
	default: return text("%lld", number);
	}
}

/* Print the value of an expression in one of the forms x, d, u, o, t or c, as after "print/x". */
static void print_in_form(struct session *s, const char *expression, char letter)
{
	bool truth;
	char *number = text("(long long)(%s)", expression), *value = expression_value(s, expression, &truth);
	char *shown = value ? in_form(value, letter) : NULL;
	if (value && !shown && !s->fixed) { /* a character, an enumerator, an address */
		free(value);
		value = expression_value(s, number, &truth);
		shown = value ? in_form(value, letter) : NULL;
	}
	if (value) {
		printf("%s = ", expression);
		print_plain(shown ? shown : value, strlen(shown ? shown : value));
		putchar('\n');
	}
	free(shown);
	free(value);
	free(number);
}

static void print(struct session *s, const char *expression)
{
	bool truth;
	if (*expression == '/' && expression[1] && strchr("xduotc", expression[1]) && expression[2] == ' ') {
		print_in_form(s, expression + 2 + strspn(expression + 2, " "), expression[1]);
		return;
	}
	char *value = expression_value(s, expression, &truth);
	if (value) {
		printf("%s = ", expression);
		print_plain(value, strlen(value));
		putchar('\n');
	}
	free(value);
}

static void display(struct session *s, const char *expression)
{
	bool truth;
	if (!*expression) {
		for (size_t i = 0; i < s->displays.count; i++)
			printf("%zu: %s\n", i + 1, s->displays.items[i]);
		return;
	}
	char *value = expression_value(s, expression, &truth);
	if (!value)
		return;
	list_add(&s->displays, expression);
	printf("%zu: %s = ", s->displays.count, expression);
	print_plain(value, strlen(value));
	putchar('\n');
	free(value);
}

static void undisplay(struct session *s, int given, unsigned long number)
{
	if (given == 0) {
		list_release(&s->displays);
	} else if (number == 0 || number > s->displays.count) {
		show_error("there is no display %lu", number);
	} else {
		free(s->displays.items[number - 1]);
		for (size_t i = number; i <= s->displays.count; i++) /* with the NULL at the end */
			s->displays.items[i - 1] = s->displays.items[i];
		s->displays.count--;
	}
}

static void info(struct session *s, const char *what)
{
	char *locals = text("locals %u %u", s->thread, s->frame);
	if (strcmp(what, "locals") == 0)
		show_variables(s, locals, "this frame has no variables with a value now");
	else if (strcmp(what, "globals") == 0)
		show_variables(s, "globals", "the program has no global variables");
	else if (strcmp(what, "heap") == 0)
		show_variables(s, "heap", "there is no memory from malloc");
	else if (strcmp(what, "threads") == 0)
		show_threads(s);
	else if (strcmp(what, "stack") == 0)
		show_stack(s);
	else if (strcmp(what, "source") == 0 || strcmp(what, "line") == 0)
		show_list(s, "");
	else
		complain(COMMAND_INFO, what);
	free(locals);
}

static void save(struct session *s, const char *path)
{
	char *why = target_refusal(path, FORM_SCHEDULE);
	if (why)
		show_error("%s", why);
	else if (schedule_save(&s->schedule, s->at, path))
		printf("saved %zu step%s in '%s'\n", s->at, s->at == 1 ? "" : "s", path);
	else
		show_error("cannot write '%s'", path); /* why has been said */
	free(why);
}

bool shell_load(struct session *s, const char *path)
{
	struct kept_schedule loaded;
	char *wrong = schedule_load(&loaded, path);
	if (wrong) {
		show_error("%s", wrong);
		free(wrong);
		return false;
	}
	const char *own = s->schedule.program;
	if (loaded.program && own && strcmp(loaded.program, own) != 0)
		printf("warning: '%s' was made with another program, or another version of it; it may not fit\n", path);
	free(loaded.program);
	loaded.program = s->schedule.program;
	s->schedule.program = NULL;
	schedule_free(&s->schedule);
	s->schedule = loaded;
	session_back(s, 0);
	printf("'%s' has %zu step%s\n", path, s->schedule.count, s->schedule.count == 1 ? "" : "s");
	return true;
}

/* Do a command that takes numbers; `given` says how many there are.  Return false if it is none, or there are too many. */
static bool with_numbers(struct session *s, enum command command, int given, unsigned long a, unsigned long b)
{
	assert(given >= 0 && given <= 2);
	switch (command) {
	case COMMAND_STEP:
		if (given == 0)
			walk_step(s);
		else
			walk_one(s, a > 255 ? 255 : (unsigned)a, given < 2 ? 0 : b > 255 ? 255 : (unsigned)b);
		return true;
	case COMMAND_BACK: back(s, given ? a : 1); return given < 2;
	case COMMAND_RUN: walk_run(s, given ? (a > 255 ? 255 : (unsigned)a) : s->thread); return given < 2;
	case COMMAND_RANDOM:
		walk_random(s, given ? a : (unsigned long)-1,
			    given == 2                           ? b :
				    s->job->inputs->options.seed ? s->job->inputs->options.seed :
								   1);
		return true;
	case COMMAND_THREAD: select_thread(s, a); return given == 1;
	case COMMAND_FRAME: select_frame(s, given ? (long)a : (long)s->frame); return given < 2;
	case COMMAND_UP: select_frame(s, (long)s->frame + (long)(given ? a : 1)); return given < 2;
	case COMMAND_DOWN: select_frame(s, (long)s->frame - (long)(given ? a : 1)); return given < 2;
	case COMMAND_UNDISPLAY: undisplay(s, given, a); return given < 2;
	default: return false;
	}
}

/* Do a command that takes any text, or nothing.  Return false if it is none, or takes something else. */
static bool with_text(struct session *s, enum command command, const char *arguments)
{
	bool any = *arguments;
	switch (command) {
	case COMMAND_UNTIL: return any && (walk_until(s, arguments), true);
	case COMMAND_LIST: show_list(s, arguments); return true;
	case COMMAND_PRINT: return any && (print(s, arguments), true);
	case COMMAND_DISPLAY: display(s, arguments); return true;
	case COMMAND_INFO: info(s, arguments); return true;
	case COMMAND_SAVE: return any && (save(s, arguments), true);
	case COMMAND_LOAD:
		if (any && shell_load(s, arguments))
			show_stop(s);
		return any;
	case COMMAND_HELP: help(arguments); return true;
	case COMMAND_CONTINUE: return !any && (walk_continue(s), true);
	case COMMAND_RESTART: return !any && (session_back(s, 0), show_stop(s), true);
	case COMMAND_THREADS: return !any && (show_threads(s), true);
	case COMMAND_NEXT: return !any && (show_stop(s), true);
	case COMMAND_BACKTRACE: return !any && (show_stack(s), true);
	case COMMAND_SCHEDULE: return !any && (show_schedule(s), true);
	case COMMAND_QUIT: return !any && (s->over = true);
	default: return false;
	}
}

static bool takes_numbers(enum command command)
{
	return command == COMMAND_STEP || command == COMMAND_BACK || command == COMMAND_RUN || command == COMMAND_RANDOM ||
		command == COMMAND_THREAD || command == COMMAND_FRAME || command == COMMAND_UP || command == COMMAND_DOWN ||
		command == COMMAND_UNDISPLAY;
}

/* Return the line in our words, malloc'ed; NULL if it is in no words of gdb. */
static char *from_gdb(const char *line)
{
	size_t length = strcspn(line, " \t\r\n");
	for (size_t i = 0; i < sizeof words_of_gdb / sizeof *words_of_gdb; i++)
		if (strlen(words_of_gdb[i].word) == length && strncmp(line, words_of_gdb[i].word, length) == 0)
			return text("%s%s", words_of_gdb[i].command, line + length);
	return NULL;
}

static void run_command(struct session *s, char *line)
{
	char *ours = from_gdb(line + strspn(line, " \t"));
	if (ours) {
		run_command(s, ours);
		free(ours);
		return;
	}
	size_t end = strlen(line);
	while (end && strchr(" \t\r\n", line[end - 1]))
		line[--end] = '\0';
	line += strspn(line, " \t");
	size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyz");
	const char *arguments = line + length + strspn(line + length, " \t");
	enum command command = find_command(line, length);
	unsigned long a = 0, b = 0;
	if (*line == '#' || *line == '\0')
		return;
	bool form = command == COMMAND_PRINT && line[length] == '/';
	if (command == COMMANDS || (line[length] && !strchr(" \t", line[length]) && !form)) {
		show_unknown(line);
		return;
	}
	int given = takes_numbers(command) ? numbers(arguments, &a, &b) : 0;
	bool thread = command != COMMAND_THREAD || given == 1;
	bool good = takes_numbers(command) ? given >= 0 && thread && with_numbers(s, command, given, a, b) :
					     with_text(s, command, arguments);
	if (!good)
		complain(command, arguments);
	if (process_interrupted()) {
		puts("stopped by Ctrl-C");
		process_forget_interrupt();
	}
	fflush(stdout);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

static struct session *completing;

static char *next_command(const char *word, int again)
{
	static int i;
	for (i = again ? i : 0; i < COMMANDS;)
		if (strncmp(commands[i++].name, word, strlen(word)) == 0)
			return text("%s", commands[i - 1].name);
	return NULL;
}

static void take_name(void *context, const json_t *record)
{
	if (strcmp(field_text(record, "type"), "variable") == 0)
		list_add(context, field_text(record, "name"));
}

static char *next_variable(const char *word, int again)
{
	static struct list names;
	static size_t i;
	struct session *s = completing;
	assert(s);
	if (!again) {
		list_release(&names);
		i = 0;
		run_ask(s, &s->run, take_name, &names, "locals %u %u", s->thread, s->frame);
		run_ask(s, &s->run, take_name, &names, "globals");
		for (size_t k = 0; k < 3; k++)
			list_add(&names, (const char *const[]){ "locals", "globals", "heap" }[k]);
	}
	while (i < names.count)
		if (strncmp(names.items[i++], word, strlen(word)) == 0)
			return text("%s", names.items[i - 1]);
	return NULL;
}

/* Complete a word: the first to a command, others to variables or files. */
static char **complete(const char *word, int begin, int end)
{
	(void)end;
	size_t first = strspn(rl_line_buffer, " ");
	enum command command = find_command(rl_line_buffer + first, strcspn(rl_line_buffer + first, " "));
	if (begin <= (int)first || command == COMMAND_HELP) {
		rl_attempted_completion_over = 1;
		return rl_completion_matches(word, next_command);
	}
	if (command == COMMAND_SAVE || command == COMMAND_LOAD || command == COMMAND_LIST)
		return NULL;
	rl_attempted_completion_over = 1;
	return rl_completion_matches(word, next_variable);
}

/* Return a line from the user; NULL if there are no more. */
static char *read_edited(void)
{
	for (;;) {
		char *line = readline("(bitspin) ");
		if (!process_interrupted())
			return line;
		process_forget_interrupt();
		free(line);
		putchar('\n');
	}
}

static void run_edited(struct session *s)
{
	char *line, *last = text("%s", "");
	completing = s;
	rl_readline_name = "bitspin";
	rl_attempted_completion_function = complete;
	using_history();
	while (!s->over && (line = read_edited())) {
		if (line[strspn(line, " \t")]) {
			add_history(line);
			free(last);
			last = text("%s", line);
		}
		free(line);
		char *copy = text("%s", last);
		run_command(s, copy);
		free(copy);
	}
	if (!s->over)
		putchar('\n');
	free(last);
}

static void run_file(struct session *s, FILE *in)
{
	char *line = NULL;
	size_t capacity = 0;
	while (!s->over && getline(&line, &capacity, in) >= 0)
		run_command(s, line);
	free(line);
}

void shell_run(struct session *s, const struct list *given, const char *script)
{
	for (size_t i = 0; i < given->count && !s->over; i++) {
		char *copy = text("%s", given->items[i]);
		run_command(s, copy);
		free(copy);
	}
	FILE *in = script ? fopen(script, "re") : NULL;
	if (script && !in)
		fail("cannot read '%s': %s", script, strerror(errno));
	if (in) {
		run_file(s, in);
		fclose(in);
	}
	if (script || given->count)
		return;
	s->interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (s->interactive)
		run_edited(s);
	else
		run_file(s, stdin);
}
