/* SPDX-License-Identifier: MIT
 *
 * The names of options on the command line: which commands have which, other spellings, and what was meant by a name that is none.
 */
#include "options.h"
#include "rows.h"
#include "../base/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct option_alias option_aliases[OPTION_ALIASES] = {
#define OPTION(name, long_name, letter, argument, commands, kind, json, help)
#define ALIAS(other, name) { other, OPT_##name },
#include "option.def"
};

/* The long names that argp knows in each command. */
static const char *const argp_names[] = { "help", "usage" };
enum { ARGP_NAMES = sizeof argp_names / sizeof *argp_names };

static unsigned command_bit(char command)
{
	assert(strchr("CNGMASPWLOR", command));
	return command == 'C'  ? OF_CHECK :
		command == 'N' ? OF_CONFIRM :
		command == 'G' ? OF_GENERATE :
		command == 'M' ? OF_COMPARE :
		command == 'A' ? OF_AUDIT :
		command == 'S' ? OF_SIMULATE :
		command == 'P' ? OF_PROFILE :
		command == 'W' ? OF_SWARM :
		command == 'L' ? OF_LINEARIZE :
		command == 'O' ? OF_ORDERS :
				 OF_REPLAY;
}

/* Return the set of commands whose options `command` takes.  Some also take those of check, for their searches. */
static unsigned taken_by(char command)
{
	return command_bit(command) | (strchr("WLON", command) ? OF_CHECK : 0);
}

unsigned option_set_of(char command)
{
	return command_bit(command);
}

bool option_is_of(enum option_id option, char command)
{
	assert(option < OPTIONS);
	return command && (option_rows[option].commands & taken_by(command));
}

/* Return the letter of an option.  A command's own options keep theirs: -j is --jobs in a swarm, not --cores of its searches. */
int option_letter(enum option_id option, char command)
{
	assert(option < OPTIONS && command);
	int letter = option_rows[option].letter;
	for (int i = 0; i < OPTIONS; i++)
		if (i != (int)option && option_rows[i].letter == letter && (option_rows[i].commands & command_bit(command)) &&
		    !(option_rows[option].commands & command_bit(command)))
			return 0;
	return letter;
}

/* Return the option that `name`, of `length` letters, is or begins; OPTIONS if there is none.  argp refuses what begins several. */
static enum option_id long_option(char command, const char *name, size_t length)
{
	enum option_id begun = OPTIONS;
	for (int i = 0; i < OPTIONS + OPTION_ALIASES; i++) {
		enum option_id option = i < OPTIONS ? (enum option_id)i : option_aliases[i - OPTIONS].option;
		const char *whole = i < OPTIONS ? option_rows[i].long_name : option_aliases[i - OPTIONS].name;
		if (!option_is_of(option, command) || strncmp(whole, name, length) != 0)
			continue;
		if (!whole[length])
			return option;
		if (begun == OPTIONS)
			begun = option;
	}
	return begun;
}

enum option_id option_of(char command, const char *word)
{
	if (strncmp(word, "--", 2) == 0)
		return word[2] ? long_option(command, word + 2, strcspn(word + 2, "=")) : OPTIONS;
	for (int i = 0; word[0] == '-' && word[1] && i < OPTIONS; i++)
		if (option_is_of((enum option_id)i, command) && option_letter((enum option_id)i, command) == word[1])
			return (enum option_id)i;
	return OPTIONS;
}

bool option_takes_next(char command, const char *word)
{
	enum option_id option = option_of(command, word);
	return option != OPTIONS && option_rows[option].argument && (word[1] == '-' ? !strchr(word, '=') : word[2] == '\0');
}

char *options_again(const struct options *options, const char *command, const enum option_id *without, const char *with)
{
	struct list words = { 0 };
	const struct list *given = &options->given;
	bool ours = true; /* what comes behind "--" is the program's */
	list_addf(&words, "bitspin");
	list_add(&words, command);
	list_add_words(&words, with);
	for (size_t i = 0; i < given->count; i++) {
		const char *word = given->items[i];
		ours = ours && strcmp(word, "--") != 0;
		enum option_id option = ours ? option_of('C', word) : OPTIONS;
		size_t k = 0;
		while (without[k] != OPTIONS && without[k] != option)
			k++;
		if (option == OPTIONS || without[k] == OPTIONS)
			list_add(&words, word);
		else if (option_takes_next('C', word))
			i++;
	}
	char *line = text_words(&words);
	list_release(&words);
	return line;
}

void option_require(char command, const char *of, const char *word)
{
	size_t length = strcspn(word, "=");
	if (strncmp(word, "--", 2) != 0 || length == 2 || option_of(command, word) != OPTIONS)
		return;
	char *name = text("%.*s", (int)(length - 2), word + 2);
	struct guess guess = { .word = name };
	for (size_t i = 0; i < ARGP_NAMES; i++) {
		guess_offer(&guess, argp_names[i]);
		if (strncmp(argp_names[i], name, length - 2) == 0) {
			free(name);
			return;
		}
	}
	for (int i = 0; i < OPTIONS; i++) {
		if (strcmp(option_rows[i].long_name, name) == 0)
			fail("%s has no option '--%s'; it is one of other commands (see 'bitspin help %s')", of, name, of);
		if (option_is_of((enum option_id)i, command))
			guess_offer(&guess, option_rows[i].long_name);
	}
	for (size_t i = 0; i < OPTION_ALIASES; i++)
		if (option_is_of(option_aliases[i].option, command))
			guess_offer(&guess, option_aliases[i].name);
	fail("%s has no option '--%s'%s (see 'bitspin help %s')", of, name, guess_question(&guess, "--"), of);
}

/* Read a time as 90, 90s, 1m30s, 2h or 1h5m: units from the longest on, each at most once. */
unsigned long option_seconds(const struct option_row *row, const char *value)
{
	unsigned long most = row->most;
	static const struct {
		char letter;
		unsigned long seconds;
	} units[] = { { 'h', 3600 }, { 'm', 60 }, { 's', 1 } };
	enum { UNITS = sizeof units / sizeof *units };
	unsigned long all = 0;
	size_t next = 0; /* the first unit that may come */
	for (const char *at = value; *at || at == value;) {
		char *end;
		unsigned long n = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : most + 1;
		size_t unit = next;
		while (n <= most && *end && unit < UNITS && units[unit].letter != *end)
			unit++;
		if (n <= most && !*end && at == value) /* no unit at all */
			unit = UNITS - 1;
		if (n > most || unit >= UNITS || (!*end && at != value) || n > (most - all) / units[unit].seconds)
			fail("--%s takes a time from 1 to %lu seconds, as 90, 90s, 1m30s or 2h, not '%s'", row->long_name, most,
			     value);
		all += n * units[unit].seconds;
		assert(all <= most);
		next = unit + 1;
		at = *end ? end + 1 : end;
	}
	if (all == 0)
		fail("--%s takes a time from 1 to %lu seconds, as 90, 90s, 1m30s or 2h, not '%s'", row->long_name, most, value);
	return all;
}
