/* SPDX-License-Identifier: MIT
 *
 * The translator: LLVM bitcode in, program image out.  The only room that knows LLVM.
 */
#ifndef BITSPIN_TRANSLATOR_H
#define BITSPIN_TRANSLATOR_H

#include "../runtime/image/image.h"

/* A property of the program; see struct image_property. */
struct translator_property {
	enum image_property_kind kind;
	const char *function; /* NULL where the kind has none */
	const char *text;
	const char *label;       /* NULL where the kind has none */
	int thread;              /* slot, or -1: any */
	bool part;               /* the property is a part of the next invariant */
	const uint32_t *formula; /* of an invariant that is made of parts, in postfix order; NULL: `function` computes it */
	size_t nformula;
};

/* What does not distinguish states. */
struct translator_view {
	enum image_view_kind kind;
	const char *symbol; /* mask: a constant { address, size }; abstraction: a function `void f(void)` */
	const char *text;   /* as the user wrote it */
};

/* Memory orders, and the operations of programs that have one.  The second order of a compare-exchange, for when it fails, counts
 * as an operation of its own. */
enum translator_order { TO_AS_WRITTEN, TO_RELAXED, TO_ACQUIRE, TO_RELEASE, TO_ACQ_REL, TO_SEQ_CST, TO_ORDERS };
enum translator_atomic_kind {
	ATOMIC_LOAD,
	ATOMIC_STORE,
	ATOMIC_CHANGE,
	ATOMIC_EXCHANGE,
	ATOMIC_FAILURE,
	ATOMIC_FENCE,
	ATOMIC_KINDS,
};

struct translator_atomic {
	enum translator_atomic_kind kind;
	enum translator_order order; /* as written */
	char *file, *function;
	unsigned line;
};

/* Does the translator itself write the function `name`, which therefore has no row in builtin.def? */
bool translator_provides(const char *name);

/* A file of the checked program's file system. */
struct translator_file {
	const char *name; /* without a leading slash */
	const void *bytes;
	size_t size;
};

/* A function without a body, and what the user says of it.  The name "*" stands for all functions that no other row names and that
 * bitspin does not provide. */
struct translator_extern {
	const char *name;
	enum image_extern_policy policy;
	int64_t low, high;
	const char *origin; /* "--extern", or the place of the row in a file of --stubs; NULL: the row is not the user's */
	bool required;      /* it is an error if the program has no such function */
};

/* An argument of the program: any of these values, of which there is one at least. */
struct translator_argument {
	const char *const *values;
	size_t count;
	size_t most; /* not 0: it is any text of at most so many bytes, and has one value, which is "" */
};

/* Standard input, if it is to be chosen: one of several files, or any text. */
struct translator_input {
	const struct translator_file *files; /* `name` is for people */
	size_t nfiles;
	const char *alphabet; /* the bytes that a text is made of, all different */
	size_t letters;       /* how many bytes the alphabet has; 0: each byte is an input of any value */
	size_t most;          /* bytes of the longest text; 0: one of the files is chosen */
};

/* A fault that is not to be reported; see struct image_suppression. */
struct translator_suppression {
	uint32_t kind;               /* enum vm_violation_kind */
	const char *function, *file; /* patterns; NULL: any */
	unsigned line;               /* 0: any */
	const char *text;            /* for people */
};

/* A line of a file. */
struct translator_place {
	const char *file; /* as the image names it */
	unsigned line;
};

/* What loads and stores through volatile count as. */
enum translator_volatiles { VOLATILES_PLAIN, VOLATILES_RELAXED, VOLATILES_SEQ_CST };

struct translator_request {
	const char *const *paths; /* .bc or .ll files, linked in this order */
	size_t npaths;
	const char *const *members; /* files of which each is linked only if it defines something that is missing without it */
	size_t nmembers;
	const char *own;   /* directory of modules that bitspin compiled; other modules are inspected.  NULL: there is none */
	const char *entry; /* function to run, normally "main" */
	bool ends;         /* the process ends soon: it need not give LLVM's memory back */
	const struct translator_argument *arguments; /* argv of the program, argv[0] included */
	size_t narguments;
	const char *library;                 /* bitcode of the C library's functions that are written in C, or NULL */
	const struct translator_file *files; /* what fopen() finds; number 0 is standard input */
	size_t nfiles;
	struct translator_input input;  /* what file number 0 may be instead */
	const char *const *environment; /* NAME=VALUE */
	const size_t *environment_most; /* of each: 0, or it is NAME= and then any text of at most so many bytes */
	size_t nenvironment;
	const struct translator_extern *externs;
	size_t nexterns;
	uint32_t budgets[IMAGE_INJECTIONS]; /* how often each fault may happen; UINT32_MAX: any number of times */
	const struct translator_property *properties;
	size_t nproperties;
	/* Guess for messages which of the names was meant by `word`; NULL: none was.  The pointer may be NULL. */
	const char *(*nearest)(const char *word, const char *const *names, size_t count);
	enum translator_volatiles volatiles;
	bool variables_stay; /* all variables stay in memory, where a simulation can look at them */
	const struct translator_view *views;
	size_t nviews;
	const struct translator_suppression *suppressions;
	size_t nsuppressions;
	const struct translator_place *tolerated;   /* in pairs: places whose accesses may race with one another */
	size_t ntolerated;                          /* places, twice as many as pairs */
	const struct translator_place *interrupted; /* lines where threads can be interrupted before each access */
	size_t ninterrupted;
	const enum translator_order *orders; /* of operations with a memory order, by number; beyond the last: as written */
	size_t norders;
	bool fences; /* behind each store to memory that others may reach there is a fence, which is relaxed as it is written: none */
	struct image_options options; /* copied into the image; `start` is filled in */
};

/* Why a program cannot be translated. */
struct translator_message {
	char *file;     /* NULL if unknown */
	unsigned line;  /* 0 if unknown */
	char *function; /* NULL if unknown */
	char *text;
};

/* Something that is not C of the program itself. */
enum translator_use_kind { USE_FUNCTION, USE_INTRINSIC, USE_ASSEMBLY, USE_INSTRUCTION, USE_KINDS };

struct translator_use {
	enum translator_use_kind kind;
	char *name; /* of the function or intrinsic, the text of the assembly, or why an instruction is not supported */
	char *file; /* NULL if unknown, or if only its address is taken */
	unsigned line;
	char *function; /* that uses it */
	bool supported; /* else a path that comes there is inconclusive */
	bool missing;   /* there is no such thing: a message says so */
};

/* An input under the SV-COMP profile, which may have any value; a few values are tried. */
struct translator_input_use {
	char *name;  /* of the function that returns it; of a variable, "the undefined variable x" */
	char *place; /* " at FILE:LINE", or "" */
	bool truth;  /* the program only asks whether it is zero */
	bool exact;  /* no values but those that are tried can make a difference (analyse/inputs.c) */
};

struct translator_result {
	struct translator_message *messages;
	size_t nmessages;
	char **externals; /* names of the external functions that the program can reach, sorted */
	size_t nexternals;
	struct translator_use *uses; /* in the order in which they were met; each place once */
	size_t nuses;
	struct translator_input_use *inputs; /* each place once */
	size_t ninputs;
	char **notes; /* what a verdict about this program assumes, beyond what its external functions say */
	size_t nnotes;
	struct translator_atomic *atomics; /* of the program, not of the C library, in the order of the code */
	size_t natomics;
	size_t weaker_atomics; /* atomic accesses weaker than sequential consistency */
	char *orders_narrow; /* under another model than sc: the place of a seq_cst access whose location has weaker ones, or NULL */
	char *weaker_file;   /* where the first of them is; NULL if there is none, "" if it is not known */
	unsigned weaker_line;
	const char *why_off
		[REDUCTIONS]; /* why the program or the request does not allow a reduction; NULL: it does, or has nothing for it */
};

/* Translate what `request` names into the file `output`, and fill in `result`, which must be released in any case.  Return 0; or
 * leave no file, give one message at least, and return -1. */
int translator_run(const struct translator_request *request, const char *output, struct translator_result *result);
void translator_result_release(struct translator_result *result);

/* A place in a schedule; see runtime/trace/turns.h. */
struct translator_key {
	const char *file; /* as the image names it */
	unsigned line;
	const char *operation;
};

/* A module to be made ready for a native run (native.c). */
struct translator_native {
	const char *path, *output; /* bitcode in, bitcode out */
	const struct translator_key *keys;
	size_t nkeys;
	const char *const *renamed; /* functions whose names get the prefix "bitspin_native_" where the module only declares them */
	size_t nrenamed;
	const char *attribute; /* an attribute for all functions of the module, such as "sanitize_address"; NULL: none */
};

/* Put bitspin_native_before(K) before each operation of keys[K] of `request`, and bitspin_native_after(K) behind the operation if
 * it is a call.  Return NULL, or what went wrong, malloc'ed. */
char *translator_make_native(const struct translator_native *request);

/* Optimise the bitcode in the file `path`, which clang made for -O but without LLVM's passes, as -O1, 2 or 3 does, into the file
 * `output`, which may be the same.  Return NULL, or what went wrong, malloc'ed. */
char *translator_optimise(const char *path, const char *output, int level);

/* Return the version of the LLVM library that bitspin was built with, such as "14.0.6". */
const char *translator_llvm_version(void);

#endif
