/* SPDX-License-Identifier: MIT
 *
 * The program image: what the translator writes and the VM interprets.
 *
 * An image is one file: a header, then sections, each an array of one of the structs below, in host byte order.  All
 * references are indices into sections; nothing in an image is a host pointer, so it can be mapped and used in place.
 * image_load() checks every index once; after that the interpreter trusts the image.
 *
 * Addresses in the checked program are 64-bit numbers made of an object's number and an offset (see vm address section
 * below); initial data contains them already resolved.
 */
#ifndef BITSPIN_IMAGE_H
#define BITSPIN_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define IMAGE_MAGIC   0x49505342u /* "BSPI" */
#define IMAGE_VERSION 33u
#define SOLVER_BUDGET 100000u /* conflicts, where --solver-budget is not given */

#define IMAGE_NONE  0xffffffffu
#define IMAGE_CONST 0x80000000u /* set in an operand: the rest is an index into the constants */

/* ---- addresses ----------------------------------------------------------------------------------------------------
 *
 * address = object number << IMAGE_OFFSET_BITS, plus a signed offset.  All of it fits in 47 bits, as user-space addresses
 * of x86-64 do, so programs that keep a tag in the low bits (objects are aligned) or in the 16 high bits of a pointer work.
 * An object of IMAGE_MAX_SIZE bytes or more is a sequence of parts with consecutive numbers (state/whole.h).
 * Number 0 is no object: NULL and its surroundings.  Globals are 1 + index, functions IMAGE_FIRST_FUNCTION + index; what
 * a thread creates (thread-local, stack, heap) lies from IMAGE_FIRST_DYNAMIC on.
 */
#define IMAGE_OFFSET_BITS    28
#define IMAGE_OBJECT_BITS    19
#define IMAGE_MAX_SIZE       (UINT64_C(1) << (IMAGE_OFFSET_BITS - 1)) /* of an object, bytes */
#define IMAGE_PART           (UINT64_C(1) << IMAGE_OFFSET_BITS)       /* of each part of a larger object but the last, bytes */
#define IMAGE_FIRST_FUNCTION 0x8000u
#define IMAGE_FIRST_DYNAMIC  0x10000u
#define IMAGE_END_DYNAMIC    (1u << IMAGE_OBJECT_BITS)
#define IMAGE_POINTER_MASK   ((UINT64_C(1) << (IMAGE_OBJECT_BITS + IMAGE_OFFSET_BITS)) - 1) /* without a tag in the high bits */

static inline uint64_t image_address(uint32_t object, int64_t offset)
{
	return ((uint64_t)object << IMAGE_OFFSET_BITS) + (uint64_t)offset;
}

#define IMAGE_NOWHERE (UINT64_C(1) << 63) /* no address */

/* Return the number of the object that an address lies in, or just before. */
static inline uint64_t image_number(uint64_t address)
{
	return (address + IMAGE_MAX_SIZE) >> IMAGE_OFFSET_BITS;
}

/* Is `word` the address of an object, dead or alive, that a thread has created? */
static inline bool image_names_dynamic(uint64_t word)
{
	return image_number(word) - IMAGE_FIRST_DYNAMIC < IMAGE_END_DYNAMIC - IMAGE_FIRST_DYNAMIC;
}

static inline uint64_t image_global_address(uint32_t global, int64_t offset)
{
	return image_address(1 + global, offset);
}

static inline uint64_t image_function_address(uint32_t function)
{
	return image_address(IMAGE_FIRST_FUNCTION + function, 0);
}

/* ---- sections ------------------------------------------------------------------------------------------------------ */

enum image_section {
	IMAGE_STRINGS,      /* char: NUL-terminated, string 0 is "" */
	IMAGE_FILES,        /* uint32_t: string, absolute path of a source file; file 0 is "" */
	IMAGE_LOCATIONS,    /* struct image_location; location 0 is "unknown" */
	IMAGE_TYPES,        /* struct image_type; type 0 is "unknown" */
	IMAGE_MEMBERS,      /* struct image_member */
	IMAGE_SYMBOLS,      /* struct image_symbol: local variables that live in memory */
	IMAGE_GLOBALS,      /* struct image_global */
	IMAGE_DATA,         /* uint8_t: initial values of globals */
	IMAGE_FUNCTIONS,    /* struct image_function */
	IMAGE_CODE,         /* struct image_insn */
	IMAGE_POOL,         /* uint32_t: operand lists, switch tables, live sets */
	IMAGE_CONSTANTS,    /* uint64_t */
	IMAGE_PROPERTIES,   /* struct image_property */
	IMAGE_VIEWS,        /* struct image_view: what distinguishes states, if that is not all */
	IMAGE_EXTERNS,      /* struct image_extern */
	IMAGE_SUPPRESSIONS, /* struct image_suppression */
	IMAGE_TOLERATED,    /* struct image_tolerated: races that have been found, and that the search goes past */
	IMAGE_LEFT_OUT,     /* struct image_left_out: for people */
	IMAGE_LEVELS,       /* struct image_levels: under REDUCTION_SLICING, what depends on the bytes of objects */
	IMAGE_MAKERS,       /* struct image_maker: which objects have IMAGE_LEVELS, in the order of `maker` */
	IMAGE_UNNAMED,      /* struct image_unnamed */
	IMAGE_OPTIONS,      /* struct image_options: exactly one */
	IMAGE_SECTIONS
};

/* What follows is written to the file as it is, and hashed: no structure may have bytes between its fields. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct image_header {
	uint32_t magic, version;
	struct {
		uint64_t offset; /* bytes from the start of the file; a multiple of 8 */
		uint64_t count;  /* elements */
	} sections[IMAGE_SECTIONS];
	uint64_t checksum; /* XXH3 of all that follows the header */
};

enum image_opcode {
#define OPCODE(name, roles, rests) IMAGE_##name,
#include "opcode.def"
#undef OPCODE
	IMAGE_OPCODES
};

/* The field `aux` of arithmetic and memory instructions. */
enum image_flag {
	IMAGE_NSW = 1,
	IMAGE_NUW = 2,
	IMAGE_EXACT = 4,
	IMAGE_ATOMIC = 1,
	IMAGE_VOLATILE = 2,
	IMAGE_WEAK = 128, /* CMPXCHG: it may fail for no reason */
	/* What an atomic access lacks; with none of these it is sequentially consistent. */
	IMAGE_WEAKER = 4,           /* its order is not memory_order_seq_cst; only the translator asks for this */
	IMAGE_RELAXED_READ = 8,     /* what it reads does not acquire (of CMPXCHG: when it succeeds) */
	IMAGE_RELAXED_WRITE = 16,   /* what it writes does not release */
	IMAGE_RELAXED_FAILURE = 64, /* CMPXCHG: what it reads does not acquire when it fails */
	IMAGE_BLIND = 64,           /* RMW, CALL of an external function: nobody uses what it returns */
	/* STORE, RMW: nothing depends on the value, so that under REDUCTION_SLICING the VM writes 0 (translator/analyse/relevance.c).
	 * LOAD: nothing depends on what it reads.  CALL: it only prints, so something depends at most on which bits are set.  CMPXCHG
	 * never has this flag, because what it reads decides what it writes. */
	IMAGE_UNSEEN = 32,
	IMAGE_SHOWN_ONLY = 1,  /* CALL: it asks the world (state/untried.def), and no outcome depends on what that says */
	IMAGE_REGIONS = 2,     /* CALL: of an input, for which the translator has chosen the values; see image_input_values() */
	IMAGE_IDLE = 16,       /* LOAD that is not atomic: it decides nothing but text and how long a thread sleeps */
	IMAGE_SHADOW_ONLY = 4, /* LOAD, STORE, RMW with IMAGE_UNSEEN: something depends on which bits are set */
	/* LOAD, STORE: for stories. */
	IMAGE_FIELD = 64,     /* the address was made as that of a member of a struct */
	IMAGE_FLOATING = 128, /* the value is a floating-point number */
	IMAGE_ACQUIRES = 1,
	IMAGE_RELEASES = 2, /* FENCE */
	IMAGE_ESCAPES = 1,  /* ALLOCA: its address may outlive the frame */
};

/* The field `order` of accesses and fences. */
enum image_total {
	IMAGE_TOTAL = 1,         /* its order is memory_order_seq_cst (of CMPXCHG: when it succeeds) */
	IMAGE_TOTAL_FAILURE = 2, /* CMPXCHG: when it fails */
	IMAGE_STALE = 4,         /* it may meet a value that is not the newest; FENCE: it decides who may (memory/messages.h) */
	IMAGE_OWNED = 8, /* LOAD, atomic or not: no thread writes there but the one that loads (translator/analyse/owners.c) */
};

/* clang-format off */
enum image_icmp {
	ICMP_EQ, ICMP_NE, ICMP_UGT, ICMP_UGE, ICMP_ULT, ICMP_ULE, ICMP_SGT, ICMP_SGE, ICMP_SLT, ICMP_SLE, ICMP_PREDICATES
};

enum image_rmw {
	RMW_XCHG, RMW_ADD, RMW_SUB, RMW_AND, RMW_NAND, RMW_OR, RMW_XOR,
	RMW_MAX, RMW_MIN, RMW_UMAX, RMW_UMIN, RMW_FADD, RMW_FSUB, RMW_OPERATIONS
};
/* clang-format on */

struct image_insn {
	uint8_t op, order; /* enum image_opcode; enum image_total */
	uint8_t bits, aux;
	uint32_t dst, a, b, c;
	uint32_t location;
	uint32_t live; /* pool: a count, then that many register slots in rising order; IMAGE_NONE when the opcode does not rest.
	                * The registers whose values are needed from here on.  At a CALL of a function with a body: those
	                * needed after it returns, without its destination.  Under REDUCTION_SLICING, image_seen_registers() has the
	                * ones among them on which something depends. */
};

/* A place in the source.  Locations that differ in their columns only are one place for what is reported once for each place; see
 * image_same_line(). */
struct image_location {
	uint32_t file;
	uint32_t line : 31;
	uint32_t interrupted : 1; /* accesses here rest first, under INTERRUPTS_PLACES and INTERRUPTS_SHARED */
	uint16_t place;           /* number, from 1, of a place whose races are tolerated; else 0 */
	uint16_t column;          /* in bytes, from 1; 0: unknown, or too large for this field */
};

/* clang-format off */
enum image_type_kind {
	TYPE_UNKNOWN, TYPE_BOOL, TYPE_CHAR, TYPE_SIGNED, TYPE_UNSIGNED, TYPE_FLOAT, TYPE_ENUM, TYPE_POINTER, TYPE_STRUCT,
	TYPE_UNION, TYPE_ARRAY, TYPE_KINDS
};
/* clang-format on */

struct image_type {
	uint32_t kind;    /* enum image_type_kind */
	uint32_t name;    /* string, as in C, "" if anonymous */
	uint64_t size;    /* bytes */
	uint32_t element; /* array: type of an element; pointer: type of the target; else 0 */
	uint32_t members; /* struct, union, enum: first member */
	uint32_t count;   /* members, or elements of an array (one array type a dimension) */
	uint32_t tagged;  /* the name is that of a struct, union or enum, and no typedef */
};

struct image_member {
	uint32_t name, type;
	uint64_t offset;               /* bytes; for an enum, the enumerator's value */
	uint32_t bit_offset, bit_size; /* of a bit-field, from `offset` on; else 0, 0 */
};

struct image_symbol {
	uint32_t name, type, location;
	uint32_t function;  /* string: the function that has the variable; "" if unknown */
	uint32_t arguments; /* of variable arguments: string with a letter for each word (format.c), then for each word its
			     * argument: '!' + its number, or + IMAGE_ORDERS for all from there on; else 0 */
};

enum image_global_flag {
	GLOBAL_CONSTANT = 1,
	GLOBAL_THREAD_LOCAL = 2,
	GLOBAL_INTERNAL = 4,  /* no variable of the user's: string literals and the like */
	GLOBAL_ERRNO = 8,     /* errno, a thread-local one */
	GLOBAL_BUDGETS = 16,  /* a uint32_t for each fault of inject.def: how often it may still happen; UINT32_MAX: any number */
	GLOBAL_ATOMIC = 64,   /* all accesses are atomic, or those of locks */
	GLOBAL_HANDLES = 128, /* the program only keeps handles of threads there, from creating to joining them */
	GLOBAL_PROVIDED = 32, /* memory of a function of the runtime, which finds the memory by its name */
};

struct image_global {
	uint32_t name, type, location, flags;
	uint64_t size;     /* bytes */
	uint64_t align;    /* bytes */
	uint64_t data;     /* index of the first byte in IMAGE_DATA; the initial value is `size` bytes */
	uint32_t tls;      /* thread-local: number among the thread-local globals; else IMAGE_NONE */
	uint32_t function; /* string: the function that has this static variable, "" if none has */
};

/* What a call passes for its variable arguments: overflow_arg_area, reg_save_area, gp_offset and fp_offset of a va_list. */
#define IMAGE_AREA_OPERANDS 3
#define IMAGE_ORDERS        90

enum image_function_flag {
	FUNCTION_EXTERN = 1,    /* no body: the runtime's own, by name */
	FUNCTION_VARIADIC = 2,  /* the last IMAGE_AREA_OPERANDS parameter slots tell where the variable arguments are */
	FUNCTION_ATOMIC = 4,    /* runs without interruption (svcomp: __VERIFIER_atomic_*) */
	FUNCTION_HAVOC = 8,     /* EXTERN and unknown to the runtime: returns anything of its type (svcomp) */
	FUNCTION_WATCHED = 128, /* a proposition asks whether a thread is in the function: entering and leaving are visible */
	FUNCTION_LIBRARY = 16,  /* of the C library in C: reports name the caller */
	FUNCTION_TWICE = 32,    /* EXTERN: setjmp() and the like, which may return again */
	FUNCTION_DECLARED = 64, /* EXTERN: described by the user, see struct image_extern */
	FUNCTION_INVOKED = 256, /* under REDUCTION_SLICING: the runtime may call the function, as the function of a thread */
};

struct image_function {
	uint32_t name, location, flags;
	uint32_t code, ncode;         /* instructions */
	uint32_t registers;           /* slots of a frame */
	uint32_t parameters, results; /* slots; parameters are registers 0, 1, ... */
	uint32_t result_bits;         /* width of the result if it is one integer, else 0 */
	uint32_t signature;           /* string, see signature.h */
	uint32_t asked;               /* under REDUCTION_SLICING, in the pool: a bit for each register, whether it has LEVEL_SET */
	uint32_t stand_in;            /* EXTERN: the function that calls it, for the runtime to enter in its place; 0: none */
	uint32_t waits; /* in the pool: struct image_waits, for loops that may be bounded waits; 0: nothing is known of any */
};

/* What decides how many rounds the loops of a function have that may be bounded waits (translator/lower/bounded_waits.c).  Behind
 * it are its counters, and then its bounds.  All arithmetic is modulo 2^bits. */
struct image_waits {
	uint32_t counters, bounds; /* how many */
};

/* A register that each round changes by the same. */
struct image_counter {
	uint32_t reg, bits;
	uint32_t variable;  /* the number in the function of a variable of the loop that ... */
	uint32_t exact;     /* ... is this register less `offset`, or only moves in some way with it */
	uint32_t offset[2]; /* low half first */
};

enum image_extension { EXTENSION_NONE, EXTENSION_ZERO, EXTENSION_SIGN, EXTENSIONS };

/* A comparison that ends the loop: wide_sign * extended(sign * variable + add) + wide_add, with limit_factor * extended(register) +
 * limit_add, or with limit_add where there is no such register. */
struct image_bound {
	uint32_t variable, bits, negated, add[2]; /* sign: -1 if negated, else 1 */
	uint32_t extension, wide_bits, wide_negated, wide_add[2];
	uint32_t predicate; /* enum image_icmp */
	uint32_t reg;       /* or IMAGE_NONE */
	uint32_t reg_bits, reg_extension, limit_factor[2], limit_add[2];
};

enum image_property_kind {
	PROPERTY_INVARIANT,  /* the function, or if there is none, the formula, must be true in every state */
	PROPERTY_EXPRESSION, /* a proposition: what the function returns */
	/* Propositions about `thread`, or with IMAGE_NONE about any thread: */
	PROPERTY_IN,         /* the thread is in a call of the function */
	PROPERTY_AT,         /* the thread is at bitspin_label(label) */
	PROPERTY_ENABLED,    /* the thread can go on */
	PROPERTY_BLOCKED,    /* the thread cannot go on, and has not ended */
	PROPERTY_LOCKING,    /* the thread is about to get a lock, or waits for one */
	PROPERTY_DONE,       /* the thread has ended */
	PROPERTY_TERMINATED, /* the program has ended */
	PROPERTY_SHOWN,      /* the function is evaluated when somebody asks, and decides nothing; see runtime/drive */
	PROPERTY_KINDS
};

#define IMAGE_MAX_PROPOSITIONS 64u

/* Words of an invariant's formula, which is in postfix order, other than numbers of properties. */
/* clang-format off */
enum image_formula {
	FORMULA_FALSE = 0xfffffff0, FORMULA_TRUE, FORMULA_NOT, FORMULA_AND, FORMULA_OR, FORMULA_IMPLIES, FORMULA_EQUIVALENT,
};
/* clang-format on */
#define IMAGE_FORMULA_DEPTH 64u /* most values on the stack in its evaluation */

struct image_property {
	uint32_t kind;     /* enum image_property_kind; propositions have numbers in the order of this section */
	uint32_t function; /* INVARIANT, EXPRESSION: `int f(void)`, evaluated in every state; IN: that function */
	uint32_t text;     /* as the user wrote it */
	uint32_t label;    /* AT: string */
	uint32_t thread;   /* slot, or IMAGE_NONE */
	uint32_t part;     /* the property is a part of the formula of the next invariant, and has no number */
	uint32_t formula;  /* INVARIANT: in the pool, the words of the formula; IMAGE_NONE: the function decides */
	uint32_t nformula;
	uint32_t reads;  /* in the pool, ranges that the function may read; IMAGE_NONE: any memory that threads share */
	uint32_t nreads; /* how many ranges; each is three words: a global, the first byte, the byte after the last one */
};

/* Is a property a proposition with a number? */
static inline bool image_property_is_numbered(const struct image_property *property)
{
	return property->kind != PROPERTY_INVARIANT && property->kind != PROPERTY_SHOWN && !property->part;
}

enum image_view_kind {
	VIEW_MASK,        /* bytes of a global that do not distinguish states */
	VIEW_ABSTRACTION, /* a function `void f(void)` that tells, by bitspin_view(), what stands for globals and heap */
	VIEW_KINDS
};

struct image_view {
	uint32_t kind, index, text; /* index: of a constant global with address and size (mask), or of a function (abstraction) */
	uint32_t reserved;
};

/* Faults of the environment that may happen; see inject.def. */
enum image_injection {
#define INJECTION(name, text, usual, meaning) INJECT_##name,
#include "inject.def"
#undef INJECTION
	IMAGE_INJECTIONS
};

enum image_extern_policy {
	EXTERN_NOP,         /* does nothing and returns 0 */
	EXTERN_CHOOSE,      /* returns any value from low to high */
	EXTERN_PURE,        /* returns any value from low to high, always the same for the same arguments */
	EXTERN_NATIVE,      /* the host's function of this name */
	EXTERN_FRESH,       /* returns new memory of `low` bytes, all zero */
	EXTERN_ARGUMENT,    /* returns its argument number `low`, from 1 */
	EXTERN_REFUSE,      /* a path that calls it ends, as inconclusive */
	EXTERN_UNSUPPORTED, /* the same, as bitspin has no model of it, and the user says nothing of it */
	EXTERN_POLICIES
};

/* The memo of a PURE function: a count, then rows, each of arguments and a result. */
#define IMAGE_MEMO_ROWS  16
#define IMAGE_MEMO_WIDTH 9 /* words of a row: 8 arguments, one result */
#define IMAGE_MEMO_WORDS (1 + IMAGE_MEMO_ROWS * IMAGE_MEMO_WIDTH)

/* What the user says of a function. */
struct image_extern {
	uint32_t name, policy; /* string; enum image_extern_policy */
	int64_t low, high;
	uint32_t signature; /* string: letters of host.c */
	uint32_t memo;      /* PURE: the global with the memo (extern.c); else IMAGE_NONE */
};

/* Which faults are not to be reported.  A pattern has * for any characters; see image_suppression_matches(). */
struct image_suppression {
	uint32_t kind;     /* enum vm_violation_kind */
	uint32_t function; /* pattern: of a function on the stack; IMAGE_NONE: any */
	uint32_t file;     /* pattern: of the path of a file in which some frame of the stack is; IMAGE_NONE: any */
	uint32_t line;     /* the line there; 0: any */
	uint32_t here;     /* file and line are those of the fault itself, and no pattern */
	uint32_t text;     /* string: for people */
};

#define IMAGE_MOST_PLACES UINT16_MAX

/* Two accesses at these places (see struct image_location) may race. */
struct image_tolerated {
	uint32_t place[2]; /* the smaller one first */
};

/* A variable of the user's, or a part of one, whose value slicing leaves out: the name, and the place of the declaration. */
struct image_left_out {
	uint32_t name, location;
};

/* A function of the program that is not in the image, because nothing that may run names it: for people. */
struct image_unnamed {
	uint32_t name, location;
};

/* What depends on a value, or on the bytes of an object; see translator/analyse/relevance.c. */
enum image_level { LEVEL_NOTHING, LEVEL_SET, LEVEL_VALUE };

/* The levels of the bytes of an object. */
struct image_levels {
	uint64_t modulus; /* byte number i has the level of byte i modulo this */
	uint64_t data;    /* where the levels, enum image_level, begin in IMAGE_DATA, a byte each */
};

#define IMAGE_MADE_BY 0x80000000u /* set in `maker`: the rest is the index of an instruction that makes objects */

/* Objects not all of whose bytes have LEVEL_VALUE. */
struct image_maker {
	uint32_t maker;  /* index of a global variable, or IMAGE_MADE_BY */
	uint32_t levels; /* the struct image_levels of the objects */
};

enum image_races { RACES_REPORT, RACES_IGNORE };

/* Where a signal can interrupt a thread; see memory/interrupts.h. */
enum image_interrupts {
	INTERRUPTS_NONE,   /* nowhere: to send a signal to another thread that handles it takes another image */
	INTERRUPTS_PLACES, /* at its scheduling points, and before accesses on some lines (struct image_location) */
	INTERRUPTS_SHARED, /* also before each access to shared memory */
	INTERRUPTS_ALL,    /* before each access to memory */
};

/* How far happens-before can differ from the order in which things happen; see records.h. */
enum image_order {
	ORDER_WEAK = 1,           /* a thread may read what another has written without synchronizing with it */
	ORDER_ACQUIRE_FENCES = 2, /* the program has acquire fences */
	ORDER_STALE = 4,          /* a thread may read a value that is not the newest (memory/messages.h) */
	ORDER_SC_FENCES = 8,      /* ... and there are fences with memory_order_seq_cst */
	ORDER_SC_ACCESSES = 16,   /* ... and accesses */
	ORDER_SC_VIEWS = 32,      /* ... whose order need not be that of the schedule */
	ORDER_SC_NODES = 64,      /* ... and so it is with the order of fences */
};

/* What threads see of each other's atomic accesses. */
enum image_memory {
	MEMORY_SC,  /* memory is sequentially consistent */
	MEMORY_C11, /* what C11 says of memory orders, in the reading of RC11 */
	MEMORY_TSO, /* that of x86, for the program as it is compiled without optimization (memory/buffers.h) */
	MEMORY_MODELS,
};
#define IMAGE_MOST_STALENESS 64

/* Reductions of the schedules that are explored; none changes a verdict.  The sets are those of reduction.def. */
enum image_reduction_set { REDUCES_RUNS = 1, REDUCES_THREADS = 2, REDUCES_STEPS = 4, KEEPS_BOUND = 8 };
enum image_reduction {
#define REDUCTION(name, text, sets, meaning, saved) REDUCTION_##name##_NUMBER,
#include "reduction.def"
#undef REDUCTION
	REDUCTIONS, /* how many there are */
#define REDUCTION(name, text, sets, meaning, saved) REDUCTION_##name = 1 << REDUCTION_##name##_NUMBER,
#include "reduction.def"
#undef REDUCTION
	REDUCTION_ALL = (1 << REDUCTIONS) - 1,
	REDUCTIONS_OF_RUNS = 0
#define REDUCTION(name, text, sets, meaning, saved) | ((sets)&REDUCES_RUNS ? REDUCTION_##name : 0)
#include "reduction.def"
#undef REDUCTION
	,
	REDUCTIONS_OF_THREADS = 0
#define REDUCTION(name, text, sets, meaning, saved) | ((sets)&REDUCES_THREADS ? REDUCTION_##name : 0)
#include "reduction.def"
#undef REDUCTION
	,
	REDUCTIONS_OF_STEPS = 0
#define REDUCTION(name, text, sets, meaning, saved) | ((sets)&REDUCES_STEPS ? REDUCTION_##name : 0)
#include "reduction.def"
#undef REDUCTION
	,
	REDUCTIONS_IN_BOUND = 0
#define REDUCTION(name, text, sets, meaning, saved) | ((sets)&KEEPS_BOUND ? REDUCTION_##name : 0)
#include "reduction.def"
#undef REDUCTION
	,
};

enum image_identity {
#define IDENTITY(name, text, meaning) IDENTITY_##name,
#include "identity.def"
#undef IDENTITY
};

/* Which deadlocks are reported. */
enum image_deadlock {
	DEADLOCK_IGNORED,  /* none */
	DEADLOCK_TOTAL,    /* no thread can go on */
	DEADLOCK_CIRCULAR, /* no thread can go on, or some wait for each other in a circle */
};

/* What the user has asked of this check. */
/* vm_turn_given(): from this number on, what a program is given are variables of the environment. */
#define IMAGE_GIVEN_VARIABLE 1000000u

/* Which values an input has: some that the runtime tries, each one by one, or all of its type as a set (symbolic/symbolic.h). */
enum image_inputs { INPUTS_FEW, INPUTS_ENUMERATED, INPUTS_SETS, INPUTS_SYMBOLIC };

/* Is an input all of its values at once? */
static inline bool image_inputs_are_whole(uint32_t inputs)
{
	return inputs >= INPUTS_SETS;
}

struct image_options {
	uint32_t start;        /* function that runs constructors, then the entry function, then exit */
	uint32_t exit;         /* exit(), if it has handlers or destructors to run; else IMAGE_NONE */
	uint32_t races;        /* enum image_races */
	uint16_t deadlock;     /* enum image_deadlock */
	uint16_t waits;        /* report threads that wait in loops for ever */
	uint32_t svcomp;       /* the SV-COMP reading of abort, reach_error, nondet */
	uint16_t leaks;        /* report memory leaks at exit */
	uint16_t overflow;     /* report signed overflow */
	uint32_t all;          /* go on after the first violation */
	uint32_t optimised;    /* an optimiser has run, and may compute values that nothing uses, such as an oversized shift */
	uint32_t reductions;   /* enum image_reduction */
	uint16_t preemptions;  /* 1 + the most preemptions of a schedule; 0: any number */
	uint16_t iterate;      /* under such a bound: no more preemptions than the first violation needs */
	uint32_t identity;     /* enum image_identity: when two nodes of the search are one */
	uint32_t local_cycles; /* cut a path that comes back to a program state */
	uint32_t alignment;    /* report misaligned accesses */
	uint32_t unmarked;     /* some module does not mark the blocks of variables, so one in a loop may be initialised again */
	uint32_t calls;        /* report calls through a pointer of another type, and arguments that a format does not ask for */
	uint32_t zeroed;       /* memory and variables to which nothing was written are zero; otherwise see shadow.h */
	uint32_t max_threads;  /* Promela processes in the model that goes with this image */
	uint32_t order;        /* set of enum image_order */
	uint16_t hidden;       /* the program hides pointers, see hidden.h */
	uint16_t interrupts;   /* enum image_interrupts */
	uint16_t many;         /* most object numbers are for malloc, few for variables on stacks */
	uint16_t handles;      /* nothing is done with handles of threads but to join and to detach threads */
	uint64_t max_memory;   /* bytes for the state table; 0: the default */
	uint64_t fs_write;     /* the program may write files */
	uint64_t clock_step;   /* nanoseconds by which a clock goes forward when it is looked at; 0: it stands still */
	uint64_t clock_moves;  /* how often it may go forward as a wait times out or a sleep ends */
	uint64_t coverage;     /* note which instructions have run */
	uint32_t memory;       /* enum image_memory */
	uint32_t staleness;    /* under another model than sc: how many values of a location can be read, or how many stores can
			       * wait, at least 1 */
	uint16_t inputs;       /* enum image_inputs */
	uint16_t max_related;  /* with sets: how many values are tried of inputs as they meet others, and no more; 0: all */
	uint32_t max_values;   /* where inputs are whole: the most values of one that are told apart */
	uint32_t conflicts;    /* with a solver: after how many it gives up a question of usual size */
	uint32_t rests;        /* reductions may rest where they cost more time than they save */
};

#pragma GCC diagnostic pop

/* To add a field, or to make one larger, changes the format: give IMAGE_VERSION a new number, then change these. */
_Static_assert(sizeof(struct image_header) == 16 + 16 * IMAGE_SECTIONS, "the format has changed");
_Static_assert(sizeof(struct image_insn) == 28, "the format has changed");
_Static_assert(sizeof(struct image_location) == 12, "the format has changed");
_Static_assert(sizeof(struct image_type) == 32, "the format has changed");
_Static_assert(sizeof(struct image_member) == 24, "the format has changed");
_Static_assert(sizeof(struct image_symbol) == 20, "the format has changed");
_Static_assert(sizeof(struct image_global) == 48, "the format has changed");
_Static_assert(sizeof(struct image_function) == 52, "the format has changed");
_Static_assert(sizeof(struct image_property) == 40, "the format has changed");
_Static_assert(sizeof(struct image_view) == 16, "the format has changed");
_Static_assert(sizeof(struct image_extern) == 32, "the format has changed");
_Static_assert(sizeof(struct image_suppression) == 24, "the format has changed");
_Static_assert(sizeof(struct image_tolerated) == 8, "the format has changed");
_Static_assert(sizeof(struct image_left_out) == 8, "the format has changed");
_Static_assert(sizeof(struct image_unnamed) == 8, "the format has changed");
_Static_assert(sizeof(struct image_levels) == 16, "the format has changed");
_Static_assert(sizeof(struct image_maker) == 8, "the format has changed");
_Static_assert(sizeof(struct image_options) == 144, "the format has changed");

/* ---- a loaded image ------------------------------------------------------------------------------------------------ */

struct image {
	const char *strings;
	const uint32_t *files;
	const struct image_location *locations;
	const struct image_type *types;
	const struct image_member *members;
	const struct image_symbol *symbols;
	const struct image_global *globals;
	const uint8_t *data;
	const struct image_function *functions;
	const struct image_insn *code;
	const uint32_t *pool;
	const uint64_t *constants;
	const struct image_property *properties;
	const struct image_view *views;
	const struct image_extern *externs;
	const struct image_suppression *suppressions;
	const struct image_tolerated *tolerated;
	const struct image_left_out *left_out;
	const struct image_levels *levels;
	const struct image_maker *makers;
	const struct image_unnamed *unnamed;
	const struct image_options *options;
	uint64_t counts[IMAGE_SECTIONS];
	void *base; /* the mapping */
	size_t size;
};

/* One row of opcode.def. */
struct image_opcode_info {
	const char *name;
	const char *roles; /* four letters, for dst, a, b, c */
	bool rests;
};
extern const struct image_opcode_info image_opcodes[IMAGE_OPCODES];

/* Return where in the pool the set of registers is that are needed under REDUCTION_SLICING; it follows the set at `live`. */
static inline uint32_t image_seen_registers(const uint32_t *pool, uint32_t live)
{
	return live + pool[live] + pool[live - 1] + 2;
}

static inline uint64_t image_halves(const uint32_t halves[2])
{
	return halves[0] | (uint64_t)halves[1] << 32;
}

/* Return the functions that an indirect call may call, under REDUCTION_SLICING: a count, then the functions. */
static inline const uint32_t *image_callees(const uint32_t *pool, const struct image_insn *insn)
{
	return pool + insn->b + insn->c;
}

/* Return the values of an input at a call with IMAGE_REGIONS: a count, then so many numbers in halves, low half first.  The word
 * before the list of operands says where they are. */
static inline const uint32_t *image_input_values(const uint32_t *pool, const struct image_insn *insn)
{
	return pool + pool[insn->b - 1];
}

/* Does register `at`, under REDUCTION_SLICING, have LEVEL_SET? */
static inline bool image_is_asked(const uint32_t *pool, const struct image_function *function, uint32_t at)
{
	return pool[function->asked + at / 32] >> at % 32 & 1;
}

/* Return the bytes of one element of a section. */
size_t image_element_size(enum image_section section);

/* Map and check the image at `path`.  Return 0, or -1 with a line in `error` (of `size` bytes) that says what is wrong. */
int image_load(struct image *image, const char *path, char *error, size_t size);
void image_release(struct image *image);

/* Print the whole image as text. */
void image_print(const struct image *image, FILE *out);

/* Print one instruction as a line. */
void image_print_insn(const struct image *image, FILE *out, const struct image_insn *insn);

/* Is `op` an instruction that control does not run on from to the next one? */
bool image_ends_block(uint16_t op);
const char *image_string(const struct image *image, uint32_t string);
/* Return the absolute path of a location's file, "" if it is unknown; the line and the column, 0 if unknown. */
const char *image_file(const struct image *image, uint32_t location);
uint32_t image_line(const struct image *image, uint32_t location);
uint32_t image_column(const struct image *image, uint32_t location);
bool image_same_line(const struct image *image, uint32_t location, uint32_t other);

/* Does the runtime provide an external function of this name (see builtin.def)? */
bool image_builtin_exists(const char *name);

#endif
