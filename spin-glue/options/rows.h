/* SPDX-License-Identifier: MIT
 *
 * The rows of option.def, as data: for parsing, for records and completion, and for who handles options by number.  Who only wants
 * to know what the user has asked for includes options.h, and does not depend on the table.
 */
#ifndef BITSPIN_ROWS_H
#define BITSPIN_ROWS_H

#include "options.h"
#include "../base/target.h"

#include <stdbool.h>
#include <stddef.h>

enum option_id {
#define OPTION(name, long_name, letter, argument, commands, kind, json, help) OPT_##name,
#define ALIAS(other, name)
#include "option.def"
	OPTIONS
};

/* The commands in a row of option.def. */
enum {
	OF_CHECK = 1,
	OF_GENERATE = 2,
	OF_REPLAY = 4,
	OF_COMPARE = 8,
	OF_AUDIT = 16,
	OF_SIMULATE = 32,
	OF_PROFILE = 64,
	OF_SWARM = 128,
	OF_LINEARIZE = 256,
	OF_CONFIRM = 1024,
	OF_ORDERS = 512,
};

/* Other spellings, at most one of each option. */
enum {
#define OPTION(name, long_name, letter, argument, commands, kind, json, help)
#define ALIAS(other, name) ALIAS_OF_##name,
#include "option.def"
	OPTION_ALIASES
};
extern const struct option_alias {
	const char *name;
	enum option_id option;
} option_aliases[OPTION_ALIASES];

/* How a row is read. */
enum option_kind { KIND_NONE, KIND_FLAG, KIND_TEXT, KIND_WORD, KIND_NUMBER, KIND_SECONDS, KIND_LIST, KIND_CLANG, KIND_OWN };
struct option_row {
	const char *long_name, *argument, *json, *help;
	int letter;
	unsigned commands; /* a set of letters; see option_is_of() */
	enum option_kind kind;
	size_t field; /* the place of its field in struct options, where the kind has one */
	const char *usual, *format;
	enum form form; /* of the file that the option names for output; FORM_NONE: it names none */
	unsigned long most;
	void (*check)(const struct option_row *row, const char *value);
	void (*set)(struct options *options, const char *value);
};
extern const struct option_row option_rows[OPTIONS];
/* names.c; a command is its letter */
bool option_is_of(enum option_id option, char command);
int option_letter(enum option_id option, char command);   /* in this command; 0: it has none */
enum option_id option_of(char command, const char *word); /* which option the word gives; OPTIONS: none */
bool option_takes_next(char command, const char *word);   /* is the next word the value of the option that `word` gives? */
/* Fail if `word` is a long option that `command`, whose name is `of`, has not: say what may be meant, or that others have it. */
void option_require(char command, const char *of, const char *word);
unsigned long option_seconds(const struct option_row *row, const char *value);
unsigned option_set_of(char command); /* the letter of a command, as it is in a row */
const void *option_field(const struct options *options, enum option_id option);
void options_set(struct options *options, enum option_id option, const char *value); /* set an option as if it were given */

/* Return the command line again, for people: of `command`, without some options (ended by OPTIONS), with others in their place,
 * which are separated by blanks; malloc'ed. */
char *options_again(const struct options *options, const char *command, const enum option_id *without, const char *with);

#endif
