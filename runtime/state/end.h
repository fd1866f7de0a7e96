/* SPDX-License-Identifier: MIT
 *
 * How a step ends before it comes to a scheduling point: these functions leave it through vm_this.escape and do not return.
 */
#ifndef BITSPIN_END_H
#define BITSPIN_END_H

#include "own.h"

#include <stdarg.h>
#include <stdint.h>

enum vm_violation_kind {
#define VIOLATION(name, text, after, meaning, advice) VIOLATION_##name,
#include "violation.def"
#undef VIOLATION
	VM_VIOLATIONS
};

/* What a limit does to a search; see limit.def. */
enum vm_limit_effect { VM_LIMIT_CUTS, VM_LIMIT_NOTES, VM_LIMIT_ENDS, VM_LIMIT_AGAIN, VM_LIMIT_WIDENS };
enum vm_limit {
#define LIMIT(name, text, what, meaning, advice) LIMIT_##name,
#include "limit.def"
#undef LIMIT
	VM_LIMITS
};

/* End the step in a violation of this kind at the instruction under way. */
_Noreturn void vm_violation(enum vm_violation_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* End the step in a violation after which a machine would go on; return instead if the user has suppressed it (suppress.h). */
void vm_fault(enum vm_violation_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* End the step because the process has died of a fault that the user has suppressed. */
_Noreturn void vm_die(void);

/* End the step because an assumption of the program fails, so that this path does not exist. */
_Noreturn void vm_prune(void);

/* End the step because it needs to know more of an input (symbolic/symbolic.h): it is taken back. */
_Noreturn void vm_split(void);

/* End the program with a status. */
_Noreturn void vm_exit(int status);

/* Cut this path, and say why (once): the search cannot be exhaustive.  vm_cut_after: the same, when the step is over. */
_Noreturn void vm_inconclusive(enum vm_limit limit, const char *format, ...) __attribute__((format(printf, 2, 3)));
void vm_cut_after(enum vm_limit limit, const char *reason);

/* Abort because of an error in bitspin itself. */
#define VM_BUG(...) vm_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void vm_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What vm_inconclusive() calls outside of a step.  It must not return.  At first it writes a message to stderr and exits with 2. */
extern void (*vm_give_up)(enum vm_limit limit, const char *reason, uint32_t location);

#endif
