/* SPDX-License-Identifier: MIT
 *
 * Where something is in the program, and what is said about it: messages and notes for the result.
 */
#include "translation.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- names and places ---------------------------------------------------------------------------------------------- */

const char *function_name(LLVMValueRef function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	return name[0] == '\1' ? name + 1 : name;
}

size_t source_name_length(LLVMValueRef function)
{
	const char *name = function_name(function), *dot = strrchr(name, '.');
	size_t length = strlen(name);
	bool numbered = dot && dot > name && dot[1] && dot[1 + strspn(dot + 1, "0123456789")] == '\0';
	return numbered && LLVMGetLinkage(function) == LLVMInternalLinkage ? (size_t)(dot - name) : length;
}

uint32_t function_text(struct translation *t, LLVMValueRef function)
{
	return builder_string(&t->builder, function_name(function), source_name_length(function));
}

bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool is_among(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

LLVMValueRef directly_called(LLVMValueRef insn)
{
	return LLVMIsACallInst(insn) ? LLVMIsAFunction(LLVMGetCalledValue(insn)) : NULL;
}

LLVMAttributeRef attribute_of(LLVMValueRef value, LLVMAttributeIndex index, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	assert(kind); /* 0: this version of LLVM has no such attribute */
	return LLVMIsACallInst(value) ? LLVMGetCallSiteEnumAttribute(value, index, kind) :
					LLVMGetEnumAttributeAtIndex(value, index, kind);
}

uint32_t location_of(struct translation *t, LLVMValueRef value)
{
	unsigned length = 0, directory_length = 0;
	if (!LLVMIsAInstruction(value) && !LLVMIsAFunction(value) && !LLVMIsAGlobalVariable(value))
		return 0;
	const char *file = LLVMGetDebugLocFilename(value, &length);
	unsigned line = LLVMGetDebugLocLine(value), column = LLVMIsAInstruction(value) ? LLVMGetDebugLocColumn(value) : 0;
	if (!file || !length || line == 0)
		return 0;
	struct last_place *last = &t->last_place; /* a statement is many instructions */
	const char *directory = LLVMGetDebugLocDirectory(value, &directory_length);
	bool same_file = last->file == file && last->directory == directory && last->length == length;
	if (same_file && last->line == line && last->column == column)
		return last->location;
	uint32_t number = last->number;
	if (!same_file) {
		char *file_copy = strndup(file, length), *directory_copy = strndup(directory ? directory : "", directory_length);
		number = builder_file(&t->builder, directory_copy, file_copy);
		free(file_copy);
		free(directory_copy);
	}
	uint32_t location = builder_location(&t->builder, number, line, column);
	*last = (struct last_place){ file, directory, length, line, column, number, location };
	return location;
}

static LLVMValueRef function_around(LLVMValueRef where)
{
	if (LLVMIsAInstruction(where))
		return LLVMGetBasicBlockParent(LLVMGetInstructionParent(where));
	return LLVMIsAFunction(where);
}

void place_of(struct translation *t, LLVMValueRef where, struct translator_message *message)
{
	uint32_t location = location_of(t, where);
	assert(!message->file && !message->function);
	if (location) {
		const struct image_location *at = builder_at(&t->builder, IMAGE_LOCATIONS, location);
		message->file = xstrdup(builder_file_name(&t->builder, at->file));
		message->line = at->line;
	}
	LLVMValueRef function = function_around(where);
	if (function) {
		message->function = xstrdup(function_name(function));
		message->function[source_name_length(function)] = '\0';
	}
}

char *place_text(struct translation *t, LLVMValueRef where)
{
	struct translator_message place = { 0 };
	char *text = NULL;
	place_of(t, where, &place);
	const char *slash = place.file ? strrchr(place.file, '/') : NULL;
	int length = place.file ? asprintf(&text, " at %s:%u", slash ? slash + 1 : place.file, place.line) : asprintf(&text, " ");
	if (!place.file && length > 0)
		text[0] = '\0';
	free(place.file);
	free(place.function);
	if (length < 0)
		exit(2);
	return text;
}

/* ---- messages ------------------------------------------------------------------------------------------------------ */

static bool same_message(const struct translator_message *a, const struct translator_message *b)
{
	if (a->line != b->line || strcmp(a->text, b->text) != 0 || !a->file != !b->file)
		return false;
	return !a->file || strcmp(a->file, b->file) == 0;
}

/* Add a message, unless it is there.  Return whether it was not. */
static bool add_message(struct translation *t, LLVMValueRef where, const char *format, va_list arguments)
{
	struct translator_message message = { 0 };
	if (vasprintf(&message.text, format, arguments) < 0)
		exit(2);
	assert(message.text[0] != '\0');
	if (where)
		place_of(t, where, &message);
	struct translator_result *result = t->result;
	for (size_t i = 0; i < result->nmessages; i++)
		if (same_message(&result->messages[i], &message)) {
			free(message.file);
			free(message.function);
			free(message.text);
			return false;
		}
	result->messages = xrealloc(result->messages, (result->nmessages + 1) * sizeof message);
	result->messages[result->nmessages++] = message;
	return true;
}

void complain(struct translation *t, LLVMValueRef where, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	add_message(t, where, format, arguments);
	va_end(arguments);
}

void unsupported(struct translation *t, LLVMValueRef where, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	t->unsupported += add_message(t, where, format, arguments);
	va_end(arguments);
}

char *take_back(struct translation *t, size_t messages)
{
	struct translator_result *result = t->result;
	if (!t->unsupported || result->nmessages != messages + t->unsupported)
		return NULL;
	char *text = result->messages[messages].text;
	for (size_t i = messages; i < result->nmessages; i++) {
		free(result->messages[i].file);
		free(result->messages[i].function);
		if (i > messages)
			free(result->messages[i].text);
	}
	result->nmessages = messages;
	t->unsupported = 0;
	return text;
}

void add_note(struct translation *t, const char *format, ...)
{
	char *text;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		exit(2);
	va_end(arguments);
	t->result->notes = xrealloc(t->result->notes, (t->result->nnotes + 1) * sizeof text);
	t->result->notes[t->result->nnotes++] = text;
}
