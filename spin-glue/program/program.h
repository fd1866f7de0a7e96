/* SPDX-License-Identifier: MIT
 *
 * From the program's sources to its image.
 */
#ifndef BITSPIN_PROGRAM_H
#define BITSPIN_PROGRAM_H

#include "../base/base.h"
#include "../../runtime/image/image.h"
#include "../../translator/translator.h"

#include <jansson.h>

struct flags;
struct formula;
struct formulas;
struct inputs;
struct operations;
struct translator_place;
struct translator_request;
struct translator_result;

/* Atomic accesses weaker than sequential consistency, if threads can meet there. */
struct weaker_atomics {
	size_t count;
	char *file; /* of the first access; NULL if there is none, or if debug information does not tell */
	unsigned line;
};

/* A program on its way to an image.  The room fills in what becomes of the sources; the searches say what the image has to be like:
 * for which formula and bound, and what earlier images took for granted that is not so. */
struct program {
	struct inputs *inputs;
	char *work;     /* private directory, removed at the end */
	char *image;    /* a file in it */
	size_t members; /* how many of the last files of bitcode, members of archives, are linked only if needed */

	/* what it is made for */
	const struct formulas *formulas;     /* of the check; NULL: none */
	const struct formula *formula;       /* the formula whose violation is searched for; NULL: safety */
	const struct operations *operations; /* of linearize; NULL: none */
	unsigned bound;                      /* most preemptions in the search under way */
	struct list shown;   /* C bodies of functions that a simulation evaluates when it is asked to (PROPERTY_SHOWN) */
	bool variables_stay; /* a simulation wants to see all variables of the program */
	bool hidden;         /* a search has found that the program hides pointers */
	bool many;           /* a search has found that the program has very many objects at once */
	bool fewest;         /* the objects are so many that the model may have no process too many */
	const enum translator_order
		*orders; /* that atomic operations have instead of their own, by number; NULL: none (orders.c) */
	size_t norders;
	bool fences;                          /* behind stores there are fences that can get an order; see translator.h */
	unsigned staleness;                   /* how many values of a location can be read in this search; see options.h */
	enum image_interrupts interrupts;     /* where signals interrupt threads, as far as searches have asked for it */
	struct translator_place *interrupted; /* lines on which signals interrupt threads */
	size_t ninterrupted;
	struct translator_place *tolerated; /* in pairs: places whose races are not reported, or have been */
	size_t ntolerated;                  /* how many places, twice as many as pairs */
	unsigned without;                   /* reductions that did not suit, as searches have found */
	uint16_t most_related;              /* how many values sets try of inputs that meet others; 0: all */
	bool related;                       /* there were more, and terms have been tried */
	json_t *withdrawn;                  /* object: why they did not; NULL: there are none */

	/* what is known of it when it is made */
	struct list recorded; /* assumptions that builds have recorded in objects */
	struct list rules;    /* all suppressions by number, those of comments included, for people */
	struct list assumptions;
	struct translator_atomic *atomics; /* operations with a memory order, as they are written */
	size_t natomics;
	struct weaker_atomics weaker;
	char *memory_narrowed;           /* what of C11's memory model was not explored, in words; NULL: all was */
	bool narrowed;                   /* fewer inputs are tried than the profile means */
	char *input;                     /* such an input; NULL: none */
	bool reals;                      /* an input is a floating-point number, of which --inputs symbolic has no terms */
	json_t *left_out;                /* array: what slicing leaves out in all images, {name, file, line}; NULL: none was made */
	const char *why_off[REDUCTIONS]; /* why reductions are off, by the translator */
};

void program_init(struct program *program, struct inputs *inputs, char *work);
void program_release(struct program *program);

/* compile.c: compile C to bitcode in the work directory, and list the paths of all bitcode files in the order of the files
 * given. */
void compile_files(struct program *program, struct list *bitcode);
const char *clang_program(void);
/* Print what clang said on standard error, in words that users of bitspin understand. */
void repeat_errors(const char *said);
/* Compile the first C file again, with the functions of program->shown.  Return NULL, or what clang says against it, malloc'ed. */
char *compile_shown(const struct program *program);

/* How a file is compiled to bitcode. */
struct compilation {
	const char *source, *output;
	const char *language;         /* of clang's -x; NULL: the file's name tells */
	const char *quoted;           /* directory of headers in quotes, beside those of the flags; NULL: none */
	const struct flags *flags[2]; /* the second wins; NULL: none */
	bool optimized;
	bool functions_stay; /* no function is inlined */
	bool all_functions;  /* no function is left out */
};
void clang_command(struct list *argv, const struct compilation *compilation);

/* additions.c: what is appended to the first C file, if anything. */
bool additions_wanted(const struct program *program);
/* Write a file of the C file `source` (NULL: none) and the additions, and return its path. */
char *additions_write(const struct program *program, const char *source);
/* End the command if what clang said of that file is an error in an addition. */
void additions_check_errors(const struct program *program, const char *source, const char *path, bool failed);
/* End the command with an error if additions are left when all files have been compiled. */
void additions_need_source(const struct program *program, bool left);

/* harness.c: the main of --call, as an addition. */
bool harness_wanted(const struct program *program);
void harness_write(const struct program *program, FILE *out);
/* End the command if this error of clang is in an expression of --call.  `source` is the C file to which main is appended, or
 * NULL. */
void harness_check(const struct program *program, const char *source, const char *line, const char *error);

/* objects.c: write the bitcode that `bitspin cc` has put into a section of `file` to files of the work directory, and add these to
 * `bitcode`, or if they are of an archive's members, to `members`.  End the command if there is none. */
#define RECORDS_SECTION ".bitspin"
void objects_read(struct program *program, const char *file, struct list *bitcode, struct list *members);
bool elf_is(const char *bytes, size_t size);
/* Return the content of the section, of *length bytes; NULL if there is none. */
const char *elf_records(const char *bytes, size_t size, size_t *length);
/* Write a record: about a source file ("source"), what a check assumes ("assumptions"), why there is no bitcode ("refused"). */
bool record_write(FILE *out, json_t *about, const char *bitcode, size_t size);

/* translate.c: call translator_run() in a process of its own, with program->image as the output. */
int run_translator(const struct program *program, const struct translator_request *request, struct translator_result *result);

/* rules.c: read what the image says of suppressions into program->rules. */
void rules_read(struct program *program);
void rules_release(struct program *program);
/* left_out.c: read what the image says of slicing into program->left_out, less what it does not leave out. */
void left_out_read(struct program *program);
/* Return the number of the suppression that covers a race in a replay, which has its "stack" and "other"; -1 if there is none. */
int rules_cover_race(const struct program *program, const json_t *race);
/* Add a fault to those that were suppressed, unless it is known. */
void rules_note(json_t *suppressed, const json_t *fault);
/* Let accesses at two places race from now on.  Return false if they could before. */
bool rules_tolerate(struct program *program, const char *file, unsigned line, const char *other_file, unsigned other_line);

/* Let signals interrupt threads before each access on a line from now on.  Return false if they could before. */
bool rules_interrupt(struct program *program, const char *file, unsigned line);

/* identity.c: return a hash of the program, its version and how it is compiled; of its image, which holds all that a verdict
 * is about, and of the VM; malloc'ed. */
char *program_identity(const struct program *program);
char *image_identity(const struct program *program);

/* plan.c: return the reductions that the image is to ask for. */
unsigned plan_reductions(const struct program *program);
/* Note why a reduction is taken out, as a search has found that it does not suit. */
void plan_withdraw(struct program *program, unsigned reduction, const char *why);
/* Return an object that says why each reduction is off that the user has asked for; `off`: the same by the VM. */
json_t *plan_reasons(const struct program *program, const json_t *off);

/* build.c: translate bitcode to program->image, for `threads` processes, and add the assumptions of the program's external
 * functions. */
void translate_files(struct program *program, const struct list *bitcode, unsigned threads);
/* Translate bitcode to see what the program uses.  Problems are part of the result, which must be released. */
void audit_files(struct program *program, const struct list *bitcode, struct translator_result *result);
/* Add an assumption of the verdict about what the program does at a place (line 0: nowhere in particular). */
void assume_at(struct program *program, const char *assumption, const char *file, unsigned line);

/* Forget the operations with memory orders. */
void atomics_release(struct program *program);

/* narrow.c: name for people the first inputs of which fewer values are tried than the SV-COMP profile means, and how many more
 * there are; NULL if there is none. */
char *narrowed_input(const struct program *program, const struct translator_result *result);

/* Is an input a floating-point number? */
bool has_real_inputs(const struct translator_result *result);
/* Is the external function `name` an input of the SV-COMP profile, of which all values are tried that can make a difference? */
bool is_input_tried(const struct program *program, const struct translator_result *result, const char *name);

#endif
