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

/* How a row is read. */
enum option_kind { KIND_NONE, KIND_FLAG, KIND_TEXT, KIND_WORD, KIND_NUMBER, KIND_LIST, KIND_CLANG, KIND_OWN };
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
bool option_is_of(enum option_id option, char command);
unsigned option_set_of(char command); /* the letter of a command, as it is in a row */
const void *option_field(const struct options *options, enum option_id option);
void options_set(struct options *options, enum option_id option, const char *value); /* set an option as if it were given */

#endif
