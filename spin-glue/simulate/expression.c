/* SPDX-License-Identifier: MIT
 *
 * Values of C expressions.  The name of a variable is looked up in debug information.  Anything else is compiled: it is appended to
 * the first C file as a function, as propositions of formulas are; local variables are macros there for what lies at their
 * addresses.  Then the program is translated again, and the steps so far are taken again in the new image.
 */
#include "simulate.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../pan/job.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void expressions_free(struct session *s)
{
	for (size_t i = 0; i < s->nshown; i++) {
		free(s->shown[i].key);
		free(s->shown[i].body);
	}
	free(s->shown);
	s->shown = NULL;
	s->nshown = 0;
}

/* ---- variables ----------------------------------------------------------------------------------------------------- */

/* Is the word one of the expression's? */
static bool mentions(const char *expression, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = expression; (p = strstr(p, word)); p++) {
		bool begins = p == expression || !(isalnum((unsigned char)p[-1]) || p[-1] == '_' || p[-1] == '.' || p[-1] == '>');
		if (begins && !(isalnum((unsigned char)p[n]) || p[n] == '_'))
			return true;
	}
	return false;
}

struct sought {
	const char *expression;
	json_t *found; /* the variables that it mentions, the innermost of a name */
};

static void take_variable(void *context, const json_t *record)
{
	struct sought *search = context;
	const char *name = field_text(record, "name");
	if (strcmp(field_text(record, "type"), "variable") == 0 && mentions(search->expression, name))
		json_object_set(search->found, name, (json_t *)record);
}

/* Return an object of the variables that `expression` mentions: of the locals of the frame in view, or of all globals. */
static json_t *variables(struct session *s, const char *expression, bool locals)
{
	struct sought search = { expression, json_object() };
	if (locals && !session_over(s))
		run_ask(s, &s->run, take_variable, &search, "locals %u %u", s->thread, s->frame);
	else if (!locals)
		run_ask(s, &s->run, take_variable, &search, "globals");
	return search.found;
}

/* ---- code ---------------------------------------------------------------------------------------------------------- */

/* Return the body of a function that returns where the expression's value lies, or if it lies nowhere, the value itself. */
static char *body_of(const char *expression, const json_t *locals, bool lies)
{
	char *body = text("%s", ""), *whole;
	const char *name;
	json_t *variable;
	json_object_foreach ((json_t *)locals, name, variable) {
		if (!*field_text(variable, "c"))
			continue;
		char *more = text("%s#pragma push_macro(\"%s\")\n#undef %s\n__typeof__(%s) *const __bitspin_local_%s = "
				  "(__typeof__(%s) *)%sul;\n",
				  body, name, name, field_text(variable, "c"), name, field_text(variable, "c"),
				  field_text(variable, "address"));
		free(body);
		body = more;
	}
	json_object_foreach ((json_t *)locals, name, variable) {
		if (!*field_text(variable, "c"))
			continue;
		char *more = text("%s#define %s (*__bitspin_local_%s)\n", body, name, name);
		free(body);
		body = more;
	}
	if (lies)
		whole = text("%s#line 1 \"<expression>\"\n__typeof__(%s) *volatile __bitspin_at = (void *)&(\n%s\n);\n"
			     "return (unsigned long)__bitspin_at;\n",
			     body, expression, expression);
	else
		whole = text(
			"%s#line 1 \"<expression>\"\n__typeof__(0 ? (%s) : (%s)) __bitspin_is = (\n%s\n);\n"
			"_Static_assert(sizeof __bitspin_is <= 8, \"it has more than 8 bytes and lies nowhere\");\n"
			"unsigned long word = 0;\n__builtin_memcpy(&word, &__bitspin_is, sizeof __bitspin_is);\nreturn word;\n",
			body, expression, expression, expression);
	free(body);
	json_object_foreach ((json_t *)locals, name, variable) {
		if (!*field_text(variable, "c"))
			continue;
		char *more = text("%s#undef %s\n#pragma pop_macro(\"%s\")\n", whole, name, name);
		free(whole);
		whole = more;
	}
	return whole;
}

/* Return what identifies the expression, as "x 0x1000;": with other variables of these names it is another one. */
static char *key_of(const char *expression, const json_t *locals)
{
	char *key = text("%s", expression);
	const char *name;
	json_t *variable;
	json_object_foreach ((json_t *)locals, name, variable) {
		char *more = text("%s\n%s %s %s", key, name, field_text(variable, "address"), field_text(variable, "c"));
		free(key);
		key = more;
	}
	return key;
}

/* Compile the session's expressions.  Return NULL, or what is wrong with the last one. */
static char *compile(struct session *s)
{
	list_release(&s->job->program.shown);
	for (size_t i = 0; i < s->nshown; i++)
		list_add(&s->job->program.shown, s->shown[i].body);
	assert(s->job->program.shown.count == s->nshown);
	return compile_shown(&s->job->program);
}

static bool add(struct session *s, char *key, const char *expression, const json_t *locals)
{
	assert(key && expression);
	s->shown = realloc(s->shown, (s->nshown + 1) * sizeof *s->shown);
	if (!s->shown)
		BUG("out of memory");
	struct shown *shown = &s->shown[s->nshown++];
	*shown = (struct shown){ key, body_of(expression, locals, true) };
	char *complaint = compile(s);
	if (complaint) {
		free(shown->body);
		shown->body = body_of(expression, locals, false);
		char *other = compile(s);
		if (!other || strstr(complaint, "rvalue")) {
			free(complaint);
			complaint = other;
		} else {
			free(other);
		}
	}
	if (!complaint && !session_translate(s))
		complaint = text("with this expression the program takes other steps");
	if (!complaint)
		return true;
	show_error("'%s': %s", expression, complaint);
	free(complaint);
	s->nshown--;
	free(shown->key);
	free(shown->body);
	free(compile(s));
	session_translate(s);
	return false;
}

static bool is_safe(const char *expression)
{
	int depth = 0;
	for (const char *p = expression; *p; p++) {
		depth += (*p == '(') - (*p == ')');
		if (depth < 0)
			return false;
	}
	return depth == 0 && !strpbrk(expression, "#;{}\\\n") && expression[strspn(expression, " \t")];
}

char *expression_value(struct session *s, const char *expression, bool *truth)
{
	if (!is_safe(expression)) {
		show_error("'%s' is no expression of C", expression);
		return NULL;
	}
	json_t *locals = variables(s, expression, true), *known = json_object_get(locals, expression);
	json_t *globals = known ? NULL : variables(s, expression, false);
	known = known ? known : json_object_get(globals, expression);
	char *value = NULL;
	if (known) {
		value = text("%s", field_text(known, "value"));
		*truth = strcmp(value, "0") != 0 && strcmp(value, "NULL") != 0 && value[0] != '<' && strcmp(value, "'\\0'") != 0;
	} else if (s->fixed) {
		show_error("'%s' is no variable; for other expressions, give the C file and --schedule", expression);
	} else {
		char *key = key_of(expression, locals);
		size_t i = 0;
		while (i < s->nshown && strcmp(s->shown[i].key, key) != 0)
			i++;
		if (i < s->nshown)
			free(key);
		if (i < s->nshown || add(s, key, expression, locals)) {
			assert(i < s->nshown);
			const json_t *answer = run_ask(s, &s->run, NULL, NULL, "value %zu", i);
			if (*field_text(answer, "error"))
				show_error("'%s': %s", expression, field_text(answer, "error"));
			else
				value = text("%s", field_text(answer, "value"));
			*truth = json_is_true(json_object_get(answer, "true"));
		}
	}
	json_decref(locals);
	json_decref(globals);
	return value;
}
