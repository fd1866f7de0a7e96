/* SPDX-License-Identifier: MIT
 *
 * The translation of a program: the one struct that all phases share, and messages about the program (diagnosis.c).
 *
 * The path of a program: load.c reads and links modules, valid.c sees that they are valid; program.c goes from what start.c
 * names to all that is reachable; globals.c and functions.c number it; lower.c and its kin turn functions into instructions,
 * constant.c constants into bytes, types.c debug information into names; liveness.c finds the live registers; builder.c
 * collects sections and writes the file.  The headers are in layers, each includes those below:
 *
 *     builder.h  translation.h  values.h, symbols.h  emit.h  lower.h  program.h
 *
 * No file calls another that calls it, directly or by way of a third; tests/rooms.sh has their order, and checks it.
 */
#ifndef BITSPIN_TRANSLATOR_TRANSLATION_H
#define BITSPIN_TRANSLATOR_TRANSLATION_H

#include "builder.h"
#include "translator.h"

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
	struct map *globals, *functions, *types; /* LLVM value or metadata -> index */
	LLVMValueRef *function_queue;            /* functions by index; NULL for synthesised ones */
	size_t nfunctions;
	LLVMValueRef *global_queue;
	size_t nglobals;
	uint32_t ntls;
	bool optimised;             /* an optimiser has run on some module, or may have */
	bool unmarked;              /* some module does not mark where the blocks of variables begin and end */
	bool spins;                 /* some loop may be a bounded wait */
	bool exit_in_c;             /* exit() has handlers or destructors to run, so it is that of libc/ */
	bool abort_in_c;            /* SIGABRT may have a handler: likewise */
	bool wide_streams;          /* the program uses streams of wide characters */
	LLVMValueRef weak_exchange; /* the first that may fail for no reason, or NULL */
	/* see struct translator_use */
	struct use {
		enum translator_use_kind kind;
		const char *name; /* owned */
		LLVMValueRef where;
		bool supported;
	} * uses;
	size_t nuses;
};

/* ---- messages, places and orders (diagnosis.c, accesses.c) ------------------------------------------------------------ */

/* Add a message about `where` (an instruction, function or global; may be NULL). */
void complain(struct translation *t, LLVMValueRef where, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Add an assumption to the result. */
void add_note(struct translation *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* " at FILE:LINE", for people; "" if it is not known.  To be freed. */
char *place_text(struct translation *t, LLVMValueRef where);

/* Fill in file, line and function of a message or use about `where`. */
void place_of(struct translation *t, LLVMValueRef where, struct translator_message *message);

/* The index in IMAGE_LOCATIONS; 0 if it is not known. */
uint32_t location_of(struct translation *t, LLVMValueRef value);

/* The order of a load or a store: its own, or the one that accesses through volatile are to have (accesses.c). */
LLVMAtomicOrdering order_of(const struct translation *t, LLVMValueRef access);

/* The name that the linker sees, without the mark of names that are to be left as they are. */
const char *function_name(LLVMValueRef function);

#endif
