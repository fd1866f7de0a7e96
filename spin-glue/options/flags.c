/* SPDX-License-Identifier: MIT
 *
 * Flags of C compilers, on bitspin's command line and on those of builds; the table is flag.def.
 */
#include "options.h"
#include "../base/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum value { VALUE_NONE, VALUE_NEXT, VALUE_EITHER };

static const struct {
	const char *pattern, *text;
	enum value value;
	enum flag_action action;
} rows[] = {
#define FLAG(pattern_, value_, action_, text_) \
	{ .pattern = pattern_, .text = text_, .value = VALUE_##value_, .action = FLAG_##action_ },
#include "flag.def"
};

/* Does `word` begin as the row's `pattern` says?  Put the rest of the word into *joined, NULL if there is none. */
static bool fits(const char *word, const char *pattern, enum value value, const char **joined)
{
	size_t length = strlen(pattern);
	assert(length > 0);
	bool open = pattern[length - 1] == '*';
	length -= open;
	*joined = NULL;
	if (strncmp(word, pattern, length) != 0)
		return false;
	if (word[length])
		*joined = word + length;
	return open || !word[length] || value == VALUE_EITHER;
}

/* Is `value` one of the words with which the text of ONLY begins? */
static bool is_allowed(const char *value, const char *text)
{
	const char *reason = strrchr(text, '|');
	assert(reason);
	for (const char *word = text; word < reason; word += strcspn(word, "|") + 1)
		if (strncmp(value, word, strcspn(word, "|")) == 0)
			return true;
	return false;
}

bool flag_read(char *const *words, struct flag *flag)
{
	*flag = (struct flag){ .words = 1, .word = words[0] };
	for (size_t i = 0; words[0][0] == '-' && i < sizeof rows / sizeof *rows; i++) {
		if (!fits(words[0], rows[i].pattern, rows[i].value, &flag->value))
			continue;
		if (rows[i].value != VALUE_NONE && !flag->value) {
			flag->value = words[1];
			flag->words = 2;
			if (!flag->value)
				fail("the compiler's flag '%s' needs a value after it", words[0]);
		}
		flag->action = rows[i].action;
		flag->text = rows[i].text;
		assert(rows[i].value == VALUE_NONE || flag->value);
		if (flag->action == FLAG_ONLY) {
			flag->action = is_allowed(flag->value ? flag->value : "", flag->text) ? FLAG_DROP : FLAG_REFUSE;
			flag->text = strrchr(flag->text, '|') + 1;
		}
		return true;
	}
	return false;
}

static void add_once(struct list *list, const char *item)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i], item) == 0)
			return;
	list_add(list, item);
}

static void ignore(struct flags *flags, const struct flag *flag)
{
	char *whole = flag->words > 1 ? text("%s %s", flag->word, flag->value) : text("%s", flag->word);
	add_once(&flags->ignored, whole);
	free(whole);
}

void flags_add(struct flags *flags, const struct flag *flag)
{
	assert(flag->action != FLAG_ONLY && (flag->words == 1 || flag->value));
	switch (flag->action) {
	case FLAG_PASS:
		list_add(&flags->clang, flag->word);
		if (flag->words > 1)
			list_add(&flags->clang, flag->value);
		break;
	case FLAG_OUTPUT:
	case FLAG_PLAIN:
	case FLAG_OWN:
	case FLAG_NOTE: ignore(flags, flag); break;
	case FLAG_ASSUME: add_once(&flags->assumptions, flag->text); break;
	case FLAG_REFUSE:
		if (!flags->refused)
			flags->refused = text("%s%s%s: %s", flag->word, flag->words > 1 ? " " : "",
					      flag->words > 1 ? flag->value : "", flag->text);
		break;
	case FLAG_LANGUAGE:
		assert(flag->value);
		if (!flags->refused && strcmp(flag->value, "c") != 0 && strcmp(flag->value, "none") != 0)
			flags->refused = text("-x %s: only C can be checked", flag->value);
		break;
	default: break;
	}
}

void flags_merge(struct flags *flags, const struct flags *others)
{
	assert(flags != others);
	for (size_t i = 0; i < others->ignored.count; i++)
		add_once(&flags->ignored, others->ignored.items[i]);
	for (size_t i = 0; i < others->assumptions.count; i++)
		add_once(&flags->assumptions, others->assumptions.items[i]);
}

void flags_release(struct flags *flags)
{
	list_release(&flags->clang);
	list_release(&flags->ignored);
	list_release(&flags->assumptions);
	free(flags->refused);
}

void flags_note(const struct flags *flags)
{
	if (flags->ignored.count == 0)
		return;
	fflush(stdout);
	fputs("bitspin: note: ignored flags of compilers:", stderr);
	for (size_t i = 0; i < flags->ignored.count; i++)
		fprintf(stderr, " %s", flags->ignored.items[i]);
	fputc('\n', stderr);
}

void flags_expand(const char *word, const char *directory, struct list *words)
{
	enum { DEEPEST = 20 };
	static int depth;
	char *path = word[0] != '@'          ? NULL :
		word[1] == '/' || !directory ? text("%s", word + 1) :
					       text("%s/%s", directory, word + 1);
	char *content = path ? read_file(path, NULL) : NULL;
	if (!content) { /* gcc, too, takes it for a word then */
		list_add(words, word);
		free(path);
		return;
	}
	if (++depth > DEEPEST)
		fail("'%s' names itself as a file of flags", word);
	struct list inside = { 0 };
	list_add_quoted(&inside, content, false);
	for (size_t i = 0; i < inside.count; i++)
		flags_expand(inside.items[i], directory, words);
	depth--;
	list_release(&inside);
	free(content);
	free(path);
}
