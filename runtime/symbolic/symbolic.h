/* SPDX-License-Identifier: MIT
 *
 * Inputs as sets of values (--inputs sets).
 *
 * A symbol is an input, or what has become of some; it may have each value of its set, whatever other symbols have.  A term
 * is a function of one symbol.  A state stands for the concrete states that the choices of a value for each symbol make of
 * it: exactly these.  So a violation that is found is real, and one that no path finds is none.
 *
 * Where a value is a term: its shadow (interpreter/shadow.h) is all ones, and its bits are the number of the term, from 1 on;
 * those of an uninitialized value are 0.  In memory each byte with the shadow 0xff is the number of a slot, from 1 on, and a
 * slot is a byte of a term.  So copies carry terms along as they do with shadows, and who needs a number meets the shadow.
 *
 * Who needs one calls vm_symbolic_need().  The step ends there, as if it had never begun, and the state is stored again with
 * a split: a thread, and a question about a term.  From there the search has an outcome for each answer, in which the set of
 * the symbol has only the values with that answer, and the step is taken again.  So steps are those of the concrete program,
 * and what needs a number may be anywhere: in a property, or deep in a function of the C library.  A state with a split is
 * the same set of concrete states as the one before it, and its other threads wait, as all they can do they can do before it.
 *
 * Formulas (--ltl).  A split is a step in which no proposition changes: it takes the valuation of the state before it.  Formulas
 * cannot count steps, and claims that can are refused.  A proposition that meets a term asks as any code does, so that each state
 * has one valuation: that of all concrete states that it stands for.  The splits of a step are finitely many, as each narrows a
 * set.  So a concrete run that violates a formula is one along states.  There are finitely many, so some cycle does.  Conversely,
 * let a state S be on a cycle that violates the formula.  A step leads from S to exactly the concrete states that it makes of
 * those of S.  So each concrete state of S has one of S from which the steps of the cycle lead to it.  Going back for ever, as
 * these are finitely many, one comes again: it is on a concrete cycle with the same valuations and moves, and can be reached as
 * all of S can.  That cycle may be several rounds of the one of S, with other values in each.
 *
 * Fairness: who can go on beside a split has been looked at in the state before it (reduce/turn.c).
 *
 * A set that the question cannot be answered for, because there are too many answers or parts, ends the path as inconclusive.
 */
#ifndef BITSPIN_SYMBOLIC_H
#define BITSPIN_SYMBOLIC_H

#include "../state/state.h"

/* What is asked of a term. */
enum vm_question {
	ASK_TRUTH, /* is it 0? */
	ASK_CASE,  /* which case of a switch is it? */
	ASK_VALUE, /* which number is it? */
	ASK_SIZE,  /* the same of a size of memory: if there are too many, small ones are told apart all the same */
	ASK_BELOW, /* is it less than `count`? */
};

/* Are inputs sets of values? */
static inline bool vm_symbolic_on(void)
{
	return vm_this.symbolic;
}

/* Are they terms, which are related to each other (relations.h)? */
static inline bool vm_symbolic_relates(void)
{
	return vm_this.symbolic && vm_this.image.options->inputs == INPUTS_SYMBOLIC;
}

/* Return what people call that: a value of --inputs. */
static inline const char *vm_symbolic_name(void)
{
	return vm_this.image.options->inputs == INPUTS_SYMBOLIC ? "symbolic" : "sets";
}

/* Does a thread wait for an input, which may be known? */
static inline bool vm_symbolic_waits(const struct vm_thread_header *header)
{
	return header->wait == WAIT_CHOICE && header->address;
}

/* Is a register with this value and shadow a term? */
static inline bool vm_is_term(uint64_t value, uint64_t shadow)
{
	return (value & shadow) != 0;
}

/* a register */
struct vm_bits64 {
	uint64_t value, shadow;
};

/* Make a symbol with the values [low, high] of a term of `bits` bits, and return the term. */
uint32_t vm_symbolic_new(unsigned bits, uint64_t low, uint64_t high);

/* Carry out an instruction of arith.c of which an operand may be a term.  Return false if none is any more, as each has one
 * value: it is not carried out then.  `compute` is vm_compute(). */
typedef void vm_symbolic_computer(const struct image_insn *insn, uint64_t *registers, const uint64_t *constants, bool certain);
void vm_symbolic_open(vm_symbolic_computer *compute);
bool vm_symbolic_compute(const struct image_insn *insn, uint64_t *registers, uint64_t *shadows, const uint64_t *constants);

/* Return what an operation of opcode.def with the operands `a` and `b` makes, in which there is a term. */
struct vm_bits64 vm_symbolic_binary(enum image_opcode op, unsigned bits, unsigned aux, struct vm_bits64 a, struct vm_bits64 b);

/* Do so with a constant. */
struct vm_bits64 vm_symbolic_with(enum image_opcode op, unsigned bits, unsigned aux, struct vm_bits64 a, uint64_t b);

/* Is the value not 0?  That is asked of it if it is a term: `what`, for people, depends on it. */
bool vm_symbolic_is_true(struct vm_bits64 value, const char *what);

/* Return a value of the term that answers the question, when the set is such that all values answer it alike; else do not return.
 * `what`, for people: what depends on the term.  `cases` (ASK_CASE): in the pool, `count` of them as in a switch. */
uint64_t vm_symbolic_need(uint32_t term, enum vm_question question, uint32_t cases, uint32_t count, const char *what);

/* Return the values of a term that has few, one for each row of its symbol, and how many rows there are; NULL if it has many.
 * vm_symbolic_mapped: return what has values[i] in row i. */
const uint64_t *vm_symbolic_rows(uint32_t term, uint32_t *count);
struct vm_bits64 vm_symbolic_mapped(uint32_t term, const uint64_t *values, unsigned bits);

/* Return one of the values of a term. */
uint64_t vm_symbolic_some(uint32_t term);

/* Do the same as vm_symbolic_need() of the first symbolic byte in memory, which must not be there; return if there is none. */
void vm_symbolic_need_bytes(const uint8_t *bytes, const uint8_t *shadow, uint64_t size, const char *what);

/* Do the same where `size` bytes are at an address, if they are there at all. */
void vm_symbolic_need_at(uint64_t address, uint64_t size, const char *what);

/* Are there parts of terms among the bytes at an address, and all others initialized? */
bool vm_symbolic_is_at(uint64_t address, uint64_t size);

/* Is one of `size` bytes a slot? */
bool vm_symbolic_bytes(const uint8_t *bytes, const uint8_t *shadow, uint64_t size);

/* Make the register of `size` bytes in memory, of which one is a slot; make bytes of a register that is a term. */
struct vm_bits64 vm_symbolic_gather(const uint8_t *bytes, const uint8_t *shadow, unsigned size, unsigned bits);
void vm_symbolic_scatter(uint32_t term, unsigned size, uint8_t *bytes, uint8_t *shadow);

/* Let the thread rest before a call that returns an input, any number of `bits` bits from `low` on, up to low + most, modulo
 * 2^bits (externals/claims.c).  vm_symbolic_awaits: does it?  vm_symbolic_awaited: return the input. */
void vm_symbolic_await(struct vm_thread_header *header, unsigned bits, uint64_t low, uint64_t most);
struct vm_bits64 vm_symbolic_awaited(struct vm_thread_header *header);
bool vm_symbolic_awaits(const struct vm_thread_header *header);

/* Take the symbols of the state that has been loaded.  vm_symbolic_settle: bring them into a canonical form, in all registers and
 * bytes, before the state is stored. */
void vm_symbolic_load(void);
void vm_symbolic_settle(void);

/* The canonical form forgets which of the values of a set a value was before a step: if x has any value, it has any value after
 * x = x + 1, too, and the state is the same.  vm_symbolic_keep: from now on, the symbols, terms and slots of the state keep their
 * numbers and stand for the same values in all states that follow without a split; 0: no longer. */
void vm_symbolic_keep(vm_ref state);

/* exchange.c: threads that are sorted.  vm_symbolic_neutral: return a state like this one to sort threads by, in which each thread
 * has, instead of terms, what says the same of them whichever slot it is in; `state` itself if it has no symbols; 0 if its
 * threads cannot be exchanged, as bytes that stand for slots look like an address.  vm_symbolic_exchanged: return the state in its
 * canonical form, after its threads were exchanged, the one in slot i with all that is its own to to[i]; 0 if that is too
 * much. */
vm_ref vm_symbolic_neutral(vm_ref state);
vm_ref vm_symbolic_exchanged(vm_ref state, const uint8_t *to);

/* Splits.  vm_symbolic_answers: how many answers the loaded state's split has, 0 without one; its thread goes to *slot.
 * vm_symbolic_answer: take one, and return the outcome of the thread's step that is to be taken then; or narrow the answers and
 * return false.  vm_symbolic_split: make the split that a step has ended for, whose outcome was `choice`. */
uint32_t vm_symbolic_answers(unsigned *slot);
bool vm_symbolic_answer(uint32_t choice, uint32_t *outcome);
void vm_symbolic_split(unsigned slot, uint32_t choice);

/* history.c: in a replay, from now on note what becomes of inputs; keep what the last step has noted, as it is one of the
 * path; write the inputs of the path into a file, a line each, in the order in which threads begin to wait for them.
 * vm_history_finish: the path has ended: write the smallest that are found with some effort, and a line if they may not be.
 * vm_given_read: take such a file; vm_given_next: return the next of its inputs. */
void vm_history_begin(bool on);
void vm_history_keep(void);
void vm_history_pause(bool on); /* what follows is not of the path */
bool vm_history_is_on(void);
bool vm_history_write(const char *path);
bool vm_history_finish(const char *path);
void vm_given_read(const char *path);
uint64_t vm_given_next(void);

/* Is the stored state that has been loaded one with a split?  Then the outcome that the thread's step has been asked for goes to
 * *choice. */
bool vm_symbolic_is_split(uint32_t *choice);

/* Has the stored state a split?  It is loaded if inputs are sets. */
bool vm_symbolic_has_split(vm_ref state);

#endif
