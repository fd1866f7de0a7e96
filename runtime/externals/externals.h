/* SPDX-License-Identifier: MIT
 *
 * The functions that the rows of builtin.def name.  Each runs one call of an external function by the running thread; see
 * calls/builtin.h.  And what these share.
 */
#ifndef BITSPIN_EXTERNALS_H
#define BITSPIN_EXTERNALS_H

#include "../sync/sync.h"

#define ROW(policy, name, run, prepare, arguments, flags, data, assumption) \
	enum vm_outcome run_##run(struct vm_call *call); \
	void prepare_##prepare(struct vm_call *call);
#include "builtin.def"
#undef ROW

/* The row of FUNCTION_HAVOC, which returns anything of its type, and which is not in the table. */
extern const struct builtin builtin_havoc;

/* Return the row for a function that the user has described (struct image_extern; extern.c). */
const struct builtin *builtin_declared(uint32_t name);
void prepare_declared_choice(struct vm_call *call);
void prepare_declared_pure(struct vm_call *call);
enum vm_outcome run_declared_nop(struct vm_call *call);
enum vm_outcome run_declared_native(struct vm_call *call);
enum vm_outcome run_declared_fresh(struct vm_call *call);
enum vm_outcome run_declared_argument(struct vm_call *call);
enum vm_outcome run_declared_refusal(struct vm_call *call);
enum vm_outcome run_unsupported(struct vm_call *call);
enum vm_outcome run_declared_choice(struct vm_call *call);
enum vm_outcome run_declared_pure(struct vm_call *call);

/* Give the call `count` outcomes, so that vm_this.choice will be 0 .. count - 1 (claims.c). */
void vm_offer(struct vm_call *call, uint64_t count);

/* Let the call return any number of `bits` bits from `low` on, up to `low` + `most`, as a set (symbolic/symbolic.h).
 * vm_input_given: return the one that the thread has awaited; in the replay that tells of it, it is a number, unsigned or not. */
void vm_await_input(struct vm_call *call, unsigned bits, uint64_t low, uint64_t most);
enum vm_outcome vm_input_given(struct vm_call *call, bool is_unsigned);

/* Allocate memory as malloc() does, with an event (heap.c).  vm_copy: copy memory as memmove() does, with what is known of its bits
 * and pointers (string.c). */
uint64_t vm_allocate(uint64_t size, bool zeroed);
void vm_copy(uint64_t to, uint64_t from, uint64_t size);

/* Does `is` say so of an argument of a call; or, if the call is of printf or its kin, of a variable argument (print.c)? */
bool vm_passes(const struct vm_call *call, bool (*is)(uint64_t word));

/* Return the host's function of this name; NULL if there is none (host.c). */
typedef void host_function(void);
host_function *host_find(const char *name);

/* Call a function of the host, with arguments as the signature says (see host.c). */
void host_call(struct vm_call *call, host_function *function, const char *signature);

/* Report a violation if `what`, whose parameters are restrict-qualified, reads and writes memory that overlaps. */
void vm_refuse_overlap(const char *what, uint64_t to, uint64_t written, uint64_t from, uint64_t read);

#endif
