/* SPDX-License-Identifier: MIT
 *
 * The translation of a program: the one struct that all rooms share, and messages about the program (messages.c).
 *
 * The path of a program: read/ makes one module of its files; request/ adds what the user asks about it; translate.c goes from what
 * lower/start.c names to all that is reachable, which symbols/ numbers and lower/ turns into instructions; analyse/ marks in the
 * image what reductions need; builder.c has collected the sections, and writes the file.
 */
#ifndef BITSPIN_TRANSLATOR_TRANSLATION_H
#define BITSPIN_TRANSLATOR_TRANSLATION_H

#include "builder.h"
#include "../translator.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

struct translation {
	const struct translator_request *request;
	struct translator_result *result;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	struct builder builder;
	struct map *globals, *functions, *types; /* from a value or metadata of LLVM to its index */
	LLVMValueRef *function_queue;            /* functions by index; NULL for those that the translator makes */
	size_t nfunctions;
	LLVMValueRef *global_queue;
	size_t nglobals;
	uint32_t ntls;
	bool optimised;             /* an optimiser has run on some module, or may have */
	bool unmarked;              /* some module does not mark where the blocks of variables begin and end */
	bool spins;                 /* some loop may be a bounded wait */
	bool exit_in_c;             /* exit() is that of libc/, because there are handlers or destructors to run */
	bool abort_in_c;            /* abort() is that of libc/, because SIGABRT may have a handler */
	bool wide_streams;          /* the program uses streams of wide characters */
	bool watched_streams;       /* the program gives buffers to streams, or closes standard ones */
	bool stream_locks;          /* the program uses streams in a way that shows that they have locks */
	size_t unsupported;         /* how many of the messages, the last ones, unsupported() has added */
	LLVMValueRef weak_exchange; /* the first compare-exchange that may fail for no reason, or NULL */
	/* see struct translator_use */
	struct use {
		enum translator_use_kind kind;
		const char *name; /* owned */
		LLVMValueRef where;
		bool supported, missing;
	} * uses;
	size_t nuses;
	struct last_place { /* that location_of() was asked for; the names are LLVM's, of the module */
		const char *file, *directory;
		unsigned length, line, column;
		uint32_t number, location; /* of the file, in the image */
	} last_place;
	uint32_t start; /* index of _start */
	/* calls of inputs */
	struct input_call {
		uint32_t function, reg; /* of the image: where the call is, and the first register of its result */
		size_t row;             /* in the result's inputs */
	} * input_calls;
	size_t ninput_calls;
	uint64_t *environment; /* addresses of the variables that are inputs, by number; 0: not made yet */
};

/* ---- messages and places (messages.c) ------------------------------------------------------------ */

/* Add a message about `where`: an instruction, a function, a global, or NULL. */
void complain(struct translation *t, LLVMValueRef where, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Add a message about something that bitspin does not support.  Programs are checked in which no path comes there: who calls may
 * take_back() the message and emit a refusal. */
void unsupported(struct translation *t, LLVMValueRef where, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Take back the messages behind the first `messages`, if there are any and they are all by unsupported().  Return the text of the
 * first of them, which the caller frees; or NULL. */
char *take_back(struct translation *t, size_t messages);

/* Add an assumption to the result. */
void add_note(struct translation *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Return " at FILE:LINE" of `where`, for people, or "" if the place is not known.  The caller frees it. */
char *place_text(struct translation *t, LLVMValueRef where);

/* Fill in file, line and function of a message about `where`. */
void place_of(struct translation *t, LLVMValueRef where, struct translator_message *message);

/* Return the index in IMAGE_LOCATIONS of the place of `value`; 0 if the place is not known. */
uint32_t location_of(struct translation *t, LLVMValueRef value);

/* Return the attribute `name` of a function, or of a call, at `index`; NULL if it has none. */
LLVMAttributeRef attribute_of(LLVMValueRef value, LLVMAttributeIndex index, const char *name);

/* Does `text` begin with `prefix`? */
bool begins(const char *text, const char *prefix);

/* Is `name` one of the `count` names? */
bool is_among(const char *name, const char *const *names, size_t count);
#define IS_AMONG(name, names) is_among(name, names, sizeof names / sizeof *names)

/* Return the function that `insn` calls by its name; NULL if it is no such call. */
LLVMValueRef directly_called(LLVMValueRef insn);

/* Return the name of `function` as the linker sees it, without LLVM's mark \1 of names that are left as they are. */
const char *function_name(LLVMValueRef function);

/* Return how many bytes of function_name() are the name in the source: where two files have a static function of one name, of which
 * one may be the library's, LLVM's linker adds a dot and a number. */
size_t source_name_length(LLVMValueRef function);

/* Return the string of the image that is the name of `function` in the source. */
uint32_t function_text(struct translation *t, LLVMValueRef function);

/* Change a module.  Return NULL, or what went wrong, malloc'ed. */
typedef char *module_change(LLVMModuleRef module, void *with);

/* rewrite.c: read the module in the file `path`, change it, and write it as bitcode into `output`, which may be the same.  Return
 * as above. */
char *rewrite_module(const char *path, const char *output, module_change *change, void *with);

#endif
