/* SPDX-License-Identifier: MIT
 *
 * What the files of the translator share: one struct for the translation of a program, one for the function being lowered.
 *
 * The path of a program: load.c reads and links modules, valid.c sees that they are valid; program.c decides what is
 * reachable and numbers it; lower.c and its kin turn functions into instructions, constant.c constants into bytes, types.c
 * debug information into names; liveness.c finds the live registers; builder.c collects sections and writes the file.
 *
 * A value of LLVM, of whatever type, is a run of register slots: its scalar leaves in order (flatten()).  A vector is
 * nothing but a struct of equal leaves, and vector instructions are lowered lane by lane.
 */
#ifndef BITSPIN_TRANSLATOR_INTERNAL_H
#define BITSPIN_TRANSLATOR_INTERNAL_H

#include "translator.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

/* ---- memory and containers (builder.c) ----------------------------------------------------------------------------- */

void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);

struct section { /* growing array of elements of one section */
	char *bytes;
	size_t count, capacity; /* elements */
};

struct map; /* pointer -> uint32_t */
void map_put(struct map **map, const void *key, uint32_t value);
bool map_get(struct map *map, const void *key, uint32_t *value);
void map_free(struct map **map);

struct interned; /* bytes -> uint32_t */

struct builder {
	struct section sections[IMAGE_SECTIONS];
	struct interned *strings, *files, *locations, *constants, *pool;
};

void builder_init(struct builder *b);
void builder_release(struct builder *b);
/* Append elements to a section; index of the first. */
uint32_t builder_add(struct builder *b, enum image_section section, const void *elements, size_t count);
void *builder_at(struct builder *b, enum image_section section, uint32_t index);
/* Equal contents get equal indices. */
uint32_t builder_string(struct builder *b, const char *text, size_t length);
uint32_t builder_location(struct builder *b, const char *directory, const char *file, unsigned line);
uint32_t builder_constant(struct builder *b, uint64_t low, uint64_t high, unsigned slots);
uint32_t builder_pool(struct builder *b, const uint32_t *words, size_t count);
/* 0, or -1 with errno set. */
int builder_write(struct builder *b, const char *path);

/* ---- the translation of a program ---------------------------------------------------------------------------------- */

struct emitter;

struct translation {
	const struct translator_request *request;
	struct translator_result *result;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	struct builder builder;
	struct map *globals, *functions, *types; /* LLVM value or metadata -> index */
	LLVMValueRef *function_queue; /* functions by index; NULL for synthesised ones */
	size_t nfunctions;
	LLVMValueRef *global_queue;
	size_t nglobals;
	uint32_t ntls;
	bool optimised; /* an optimiser has run on some module, or may have */
	bool unmarked;  /* some module does not mark where the blocks of variables begin and end */
	bool exit_handlers; /* the program may call atexit() */
	LLVMValueRef weak_exchange; /* the first that may fail for no reason, or NULL */
	struct use { /* see struct translator_use */
		enum translator_use_kind kind;
		const char *name; /* owned */
		LLVMValueRef where;
		bool supported;
	} *uses;
	size_t nuses;
	uint32_t fini; /* function that runs destructors, or IMAGE_NONE */
};

/* Add a message about `where` (an instruction, function or global; may be NULL). */
void complain(struct translation *t, LLVMValueRef where, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Add an assumption to the result. */
void add_note(struct translation *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* " at FILE:LINE", for people; "" if it is not known.  To be freed. */
char *place_text(struct translation *t, LLVMValueRef where);

/* Fill in file, line and function of a message or use about `where`. */
void place_of(struct translation *t, LLVMValueRef where, struct translator_message *message);

/* property.c: the propositions and invariants of the request. */
void add_properties(struct translation *t);

/* orders.c: a set of enum image_order; and counts the accesses weaker than sequential consistency into the result. */
uint32_t find_order(struct translation *t);

/* Is a global variable accessed by atomic instructions and as a lock only, so that no plain access can race with these? */
bool is_only_atomic(LLVMValueRef global);

/* The flags of an atomic access for what its order lacks. */
unsigned flags_of_order(bool acquires, bool releases, bool total);

/* reads.c: what the property's function may read, into `reads` and `nreads` of the property. */
void property_reads(struct translation *t, LLVMValueRef function, struct image_property *property);

/* uses.c: note a use of what is not the program's own; and when all are known, complain about those that the checker does
 * not do, and put the others into the result. */
void add_use(struct emitter *e, enum translator_use_kind kind, const char *name, LLVMValueRef where, bool supported);
void finish_uses(struct translation *t);

void note_atomics(struct translation *t);

/* nondet.c: inputs under the SV-COMP profile: the result of a call, if it is one; functions whose address is taken; undefined
 * variables, for which code of _start chooses. */
void note_input(struct emitter *e, LLVMValueRef call, LLVMValueRef function);
void note_passed_inputs(struct translation *t);
void choose_variables(struct emitter *e);

/* extern.c: functions of which the user says what they do, and faults that may happen (--extern, --faults).
 * declare_as_told: false if nothing is said of this one. */
bool is_told(const struct translation *t, const char *name);
bool declare_as_told(struct translation *t, LLVMValueRef function, const char *name, struct image_function *f);
void check_told(struct translation *t);
void make_budgets(struct translation *t);

/* inputs.c: make argv, an array of addresses of strings and NULL, and choose what arguments are and what standard input is. */
uint64_t make_arguments(struct emitter *e);
void choose_input(struct emitter *e);

/* library.c: tables that the C library in C (libc/) wants filled in.  False if it is none of them; the bytes are to be
 * freed. */
bool library_table(struct translation *t, const char *name, void **bytes, uint64_t *size);

/* Is this a function of that library? */
bool is_library(LLVMValueRef function);

/* variables.c: before mem2reg, a store of a value of its own into each local variable that mem2reg will remove; for what LLVM
 * says of such variables, undef, passes may fold into anything else.  is_undefined: is a function the source of such
 * values?  is_keeper: ... the one that takes the addresses of those that must stay in memory? */
void mark_variables(LLVMModuleRef module);

/* The place of the variable that a declaration in debug information describes, and the variable; NULL if it is none. */
LLVMValueRef declared_place(LLVMValueRef insn, LLVMValueRef *variable);

bool is_undefined(LLVMValueRef function);
bool is_keeper(LLVMValueRef function);

/* signature.c: the type of a call, and of a function, as strings of the image; see runtime/calls/signature.h. */
uint32_t signature_of_call(struct translation *t, LLVMValueRef call);
uint32_t signature_of_function(struct translation *t, LLVMValueRef function);

/* The variable that such a value, or memory that a call has allocated, was made for; IMAGE_NONE if it is not known. */
uint32_t variable_symbol(struct translation *t, LLVMValueRef value);

/* provided.c: functions of the C library that hand out addresses; written in instructions of the image.  False if it is
 * none of them. */
bool is_provided(const char *name);

/* Make the memory that a function of the runtime needs, if any. */
void provide_memory(struct translation *t, const char *function);
void lower_provided(struct translation *t, const char *name, struct image_function *f);

/* load.c */
int load_program(struct translation *t);
void unload_program(struct translation *t);

/* given.c: note what bitcode that we have not made ourselves lacks. */
void inspect_given(struct translation *t, LLVMModuleRef module, const char *path);

/* valid.c: tell LLVM's readers not to end the process on a module that is not valid; and make one valid, or complain. */
void keep_readers_alive(void);
bool make_valid(struct translation *t, LLVMModuleRef module, const char *path);

/* program.c: the index of a global or function, which becomes reachable */
uint32_t global_index(struct translation *t, LLVMValueRef global);
uint32_t function_index(struct translation *t, LLVMValueRef function);
uint32_t extern_index(struct translation *t, const char *name, unsigned parameters, unsigned results);
uint32_t make_global(struct translation *t, const char *name, const void *bytes, uint64_t size, uint32_t flags);
uint32_t location_of(struct translation *t, LLVMValueRef value);
const char *function_name(LLVMValueRef function);

/* ---- types --------------------------------------------------------------------------------------------------------- */

struct leaf { /* a scalar part of a value */
	unsigned bits;   /* 1..128; pointers 64, x86_fp80 80 */
	unsigned slot;   /* first slot within the value */
	uint64_t offset; /* bytes from the start of the value in memory */
};

struct leaves {
	struct leaf *items;
	unsigned count, slots;
};

/* The leaves of a type.  A type that has no place in a register gives a message and no leaves.  Owned by the caller. */
struct leaves flatten(struct translation *t, LLVMTypeRef type, LLVMValueRef where);
unsigned slots_of_bits(unsigned bits);
unsigned bits_of_type(LLVMTypeRef type); /* of a scalar; 0 if it is none that we know */
bool is_float_type(LLVMTypeRef type);

/* Debug types (types.c): index in IMAGE_TYPES, 0 if unknown. */
uint32_t debug_type(struct translation *t, LLVMMetadataRef type);
/* Name and type of a global from its debug information; false if it has none. */
bool debug_global(struct translation *t, LLVMValueRef global, uint32_t *name, uint32_t *type);
/* The same of a DILocalVariable given as a value. */
bool debug_local(struct translation *t, LLVMValueRef variable, uint32_t *name, uint32_t *type);

/* ---- constants (constant.c) ---------------------------------------------------------------------------------------- */

struct constant { /* a scalar constant */
	uint64_t low, high;
	uint32_t tls; /* not IMAGE_NONE: add the address of this thread-local global */
	bool undefined; /* undef or poison; `low` and `high` are 0 */
};

/* The leaves of a constant, in the order of flatten(); `out` has room for `count`.  False, with a message, if unsupported. */
bool constant_leaves(struct translation *t, LLVMValueRef constant, struct constant *out, unsigned count, LLVMValueRef where);
/* Is it a weak symbol that nothing defines?  Its address is 0. */
bool is_missing(const struct translation *t, LLVMValueRef global);
/* Write a constant's bytes as they lie in memory. */
bool constant_bytes(struct translation *t, LLVMValueRef constant, uint8_t *bytes, LLVMValueRef where);
/* What the address of a block (GNU C's &&label) is: a number in its function's range. */
uint64_t block_number(struct translation *t, LLVMValueRef function, LLVMBasicBlockRef block);
/* Element of an aggregate constant. */
LLVMValueRef constant_element(LLVMValueRef constant, unsigned index);

/* ---- lowering a function ------------------------------------------------------------------------------------------- */

struct emitter {
	struct translation *t;
	LLVMValueRef function;
	struct image_insn *code;
	size_t count, capacity;
	struct image_insn *prologue; /* static stack objects, put in front at the end */
	size_t nprologue;
	uint32_t *labels; /* label -> instruction, IMAGE_NONE while unknown */
	size_t nlabels;
	struct map *values; /* LLVM value -> first slot */
	struct map *blocks; /* basic block -> label */
	struct map *loops;  /* basic blocks that some back-edge leads to */
	uint32_t registers;
	uint32_t area;      /* slot of the address of the variable arguments, or IMAGE_NONE */
	uint32_t location;
	unsigned results;
};

void emit(struct emitter *e, enum image_opcode op, unsigned bits, unsigned aux, uint32_t dst, uint32_t a, uint32_t b, uint32_t c);
uint32_t new_register(struct emitter *e, unsigned slots);
uint32_t new_label(struct emitter *e);
void place_label(struct emitter *e, uint32_t label);
uint32_t number(struct emitter *e, uint64_t value); /* operand */
/* Give a register a value that was never set; `symbol`: of what variable, or IMAGE_NONE. */
void emit_undefined(struct emitter *e, uint32_t reg, unsigned bits, uint32_t symbol);
/* The operand for slot `slot` of a value: register or constant. */
uint32_t operand_at(struct emitter *e, LLVMValueRef value, unsigned slot);
uint32_t operand_of(struct emitter *e, LLVMValueRef value);
/* First slot of the registers that hold an instruction's result. */
uint32_t result_of(struct emitter *e, LLVMValueRef instruction);
/* Operands of all slots of a value, appended to a list. */
struct operands {
	uint32_t *items;
	unsigned count, capacity;
};
void operands_add(struct operands *list, uint32_t operand);
void operands_value(struct emitter *e, struct operands *list, LLVMValueRef value);
/* A stack object of the whole call, made in the prologue; register with its address. */
uint32_t static_object(struct emitter *e, uint64_t size, uint64_t align, uint32_t symbol, bool escapes);
/* An address plus a constant; `address` is an operand. */
uint32_t add_offset(struct emitter *e, uint32_t address, uint64_t offset);

/* Finish: put the prologue in front, resolve labels, find live registers, add all to the image's code. */
void finish_function(struct emitter *e, struct image_function *f);

/* Lower a function with a body (lower.c), and those we make up (program.c). */
void lower_function(struct translation *t, LLVMValueRef function, struct image_function *f);
/* Each true if it took the instruction. */
bool lower_wide(struct emitter *e, LLVMValueRef instruction);
bool lower_arithmetic(struct emitter *e, LLVMValueRef instruction);
/* addresses.c: before an instruction that looks at where things lie, say so. */
void note_address(struct emitter *e, LLVMValueRef instruction);
bool lower_memory(struct emitter *e, LLVMValueRef instruction);
void lower_call(struct emitter *e, LLVMValueRef call);
void lower_assembly(struct emitter *e, LLVMValueRef call);
bool lower_atomic(struct emitter *e, LLVMValueRef call, const char *name);
/* Call what was registered by atexit(), if anything can be; `status` is an operand. */
void call_exit_handlers(struct emitter *e, uint32_t status);
bool lower_intrinsic(struct emitter *e, LLVMValueRef call, const char *name);
void call_abort(struct emitter *e); /* a trap */
uint32_t sign_extended(struct emitter *e, LLVMValueRef value); /* an integer as 64 bits */
uint32_t zero_extended(struct emitter *e, LLVMValueRef value);

/* Fill in the live sets of a function's code (liveness.c).  With `leaks`, what it holds where it ends the program is live. */
void find_live_registers(struct builder *b, struct image_insn *code, size_t count, const struct image_function *f, bool leaks);

#endif
