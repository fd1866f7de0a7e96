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

enum vm_limit {
#define LIMIT(name, text, meaning, advice) LIMIT_##name,
#include "limit.def"
#undef LIMIT
	VM_LIMITS
};

/* The program does what it must not: end the step in a violation of this kind at the instruction under way. */
_Noreturn void vm_violation(enum vm_violation_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of a fault after which the machine goes on: returns if the user has suppressed it (suppress.h). */
void vm_fault(enum vm_violation_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The process has died of a fault that the user has suppressed. */
_Noreturn void vm_die(void);

/* An assumption of the program fails: this path does not exist. */
_Noreturn void vm_prune(void);

/* The program ends. */
_Noreturn void vm_exit(int status);

/* The search cannot be exhaustive: say why (once) and cut this path. */
_Noreturn void vm_inconclusive(enum vm_limit limit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An error of ours. */
#define VM_BUG(...) vm_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void vm_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Where vm_inconclusive() goes outside of a step.  It must not return.  At first: a message on stderr, exit status 2. */
extern void (*vm_give_up)(enum vm_limit limit, const char *reason, uint32_t location);

#endif
