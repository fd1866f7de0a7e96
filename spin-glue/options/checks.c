/* SPDX-License-Identifier: MIT
 *
 * Which kinds of fault are reported: --checks, and files of suppressions.  Some kinds have an option of their own; --checks is
 * another way to give it.
 */
#include "options.h"
#include "rows.h"
#include "../base/base.h"
#include "../../runtime/state/end.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum after { GOES_ON, DIES, UNKNOWN, NEVER };

static const struct kind {
	const char *name;
	enum after after;
} kinds[VM_VIOLATIONS] = {
#define VIOLATION(name, text, after, meaning, advice) { text, after },
#include "../../runtime/state/violation.def"
#undef VIOLATION
};

static unsigned kind_named(const char *name)
{
	unsigned kind = 0;
	while (kind < VM_VIOLATIONS && strcmp(kinds[kind].name, name) != 0)
		kind++;
	return kind;
}

/* Return the names of all kinds that can be switched off, for messages; malloc'ed. */
static char *kind_names(void)
{
	char *all = text("%s", "");
	for (unsigned i = 0; i < VM_VIOLATIONS; i++) {
		char *more = kinds[i].after == NEVER ? text("%s", all) : text("%s%s%s", all, *all ? ", " : "", kinds[i].name);
		free(all);
		all = more;
	}
	return all;
}

/* Return the kind with this name.  Fail if there is none, or if it cannot be switched off; `where` begins the message: "" or
 * "FILE:LINE: ". */
static unsigned known_kind(const char *where, const char *name)
{
	unsigned kind = kind_named(name);
	if (kind == VM_VIOLATIONS) {
		struct guess guess = { .word = name };
		for (unsigned i = 0; i < VM_VIOLATIONS; i++)
			if (kinds[i].after != NEVER)
				guess_offer(&guess, kinds[i].name);
		fail("%sthere is no kind of violation '%s'%s%s known are %s", where, name, guess_question(&guess, ""),
		     guess.name ? "" : ";", kind_names());
	}
	if (kinds[kind].after == NEVER)
		fail("%s'%s' cannot be switched off; leave out the formula", where, name);
	return kind;
}

/* Switch `kind` on or off by the option that it has.  Return false if it has none. */
static bool set_by_option(struct options *o, enum vm_violation_kind kind, bool wanted)
{
	switch (kind) {
	case VIOLATION_DATA_RACE: options_set(o, OPT_RACES, wanted ? "report" : "ignore"); return true;
	case VIOLATION_MISALIGNED_ACCESS: options_set(o, OPT_ALIGNMENT, wanted ? "report" : "ignore"); return true;
	case VIOLATION_UNDEFINED_CALL: options_set(o, OPT_CALLS, wanted ? "report" : "ignore"); return true;
	case VIOLATION_UNINITIALIZED_READ: options_set(o, OPT_UNINITIALIZED, wanted ? "report" : "zero"); return true;
	case VIOLATION_MEMORY_LEAK: o->leaks = wanted; return true;
	case VIOLATION_SIGNED_OVERFLOW: o->overflow = wanted; return true;
	case VIOLATION_DEADLOCK: o->no_deadlock = !wanted; return true;
	default: return false;
	}
}

static void set_check(struct options *o, unsigned kind, bool wanted)
{
	assert(kind < VM_VIOLATIONS && kinds[kind].after != NEVER);
	if (!set_by_option(o, (enum vm_violation_kind)kind, wanted))
		o->unchecked = wanted ? o->unchecked & ~(1ul << kind) : o->unchecked | 1ul << kind;
}

/* Set what is checked, from left to right: "-all,+data-race" leaves one.  `all` are the kinds that can be switched off, without
 * invariants: who states one wants it checked, as with formulas. */
void set_checks(struct options *o, const char *value)
{
	char *copy = text("%s", value), *rest = copy, *word;
	while ((word = strsep(&rest, ","))) {
		bool wanted = *word != '-', all = strcmp(word + (*word == '-' || *word == '+'), "all") == 0;
		if (!all && *word != '-' && *word != '+')
			fail("--checks takes kinds of violation, each with - or + before it, not '%s'; -all,+data-race is one alone",
			     word);
		if (!all)
			set_check(o, known_kind("", word + 1), wanted);
		for (unsigned kind = 0; all && kind < VM_VIOLATIONS; kind++)
			if (kinds[kind].after != NEVER && kind != VIOLATION_INVARIANT)
				set_check(o, kind, wanted);
	}
	free(copy);
}

/* ---- suppressions -------------------------------------------------------------------------------------------------- */

static struct translator_suppression *append(struct suppressions *all)
{
	all->items = realloc(all->items, (all->count + 1) * sizeof *all->items);
	if (!all->items)
		BUG("out of memory");
	all->items[all->count] = (struct translator_suppression){ 0 };
	return &all->items[all->count++];
}

/* Read the pattern of a suppression: "ring.c:12", or a function's name. */
static void read_pattern(struct translator_suppression *s, const char *pattern, const char *where)
{
	const char *colon = strrchr(pattern, ':');
	char *end;
	if (*pattern == '\0' || colon == pattern)
		fail("%sa suppression is KIND:PATTERN, and the pattern is a function, a file or FILE:LINE", where);
	if (!colon && !strpbrk(pattern, "./")) {
		s->function = text("%s", pattern);
		return;
	}
	if (colon) {
		unsigned long line = strtoul(colon + 1, &end, 10);
		if (*end || end == colon + 1 || line == 0 || line > 1000000000)
			fail("%s'%s' is no line of a file", where, pattern);
		s->line = (unsigned)line;
	}
	s->file = colon ? text("%.*s", (int)(colon - pattern), pattern) : text("%s", pattern);
}

static char *trimmed(char *line)
{
	line += strspn(line, " \t\r");
	size_t length = strlen(line);
	while (length && strchr(" \t\r", line[length - 1]))
		line[--length] = '\0';
	return line;
}

static void read_suppressions(struct suppressions *all, const char *path)
{
	char *bytes = read_file(path, NULL), *rest = bytes, *line;
	if (!bytes)
		fail("cannot read '%s': %s", path, strerror(errno));
	for (unsigned number = 1; (line = strsep(&rest, "\n")); number++) {
		char *where = text("%s:%u: ", from_here(path), number);
		line = trimmed(line);
		char *colon = strchr(line, ':');
		if (*line && *line != '#' && !colon)
			fail("%sa suppression is KIND:PATTERN, not '%s'", where, line);
		if (*line && *line != '#') {
			struct translator_suppression *s = append(all);
			s->text = text("%s (%s:%u)", line, from_here(path), number);
			*colon = '\0';
			s->kind = known_kind(where, trimmed(line));
			read_pattern(s, trimmed(colon + 1), where);
			assert((s->function != NULL) != (s->file != NULL));
		}
		free(where);
	}
	free(bytes);
}

void suppressions_read(struct suppressions *all, const struct options *o)
{
	assert(all->count == 0 && !all->items);
	*all = (struct suppressions){ 0 };
	for (unsigned kind = 0; kind < VM_VIOLATIONS; kind++)
		if (o->unchecked >> kind & 1) {
			struct translator_suppression *s = append(all);
			assert(kinds[kind].after != NEVER);
			s->kind = kind;
			s->text = text("%s (--checks)", kinds[kind].name);
		}
	all->whole_kinds = all->count;
	for (size_t i = 0; i < o->suppressions.count; i++)
		read_suppressions(all, o->suppressions.items[i]);
}

void suppressions_release(struct suppressions *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free((char *)all->items[i].function);
		free((char *)all->items[i].file);
		free((char *)all->items[i].text);
	}
	free(all->items);
	*all = (struct suppressions){ 0 };
}
