/* SPDX-License-Identifier: MIT
 *
 * Records for the glue, besides the events that vm.h declares.
 */
#ifndef BITSPIN_REPORT_H
#define BITSPIN_REPORT_H

#include "../vm.h"

/* What each reduction has saved so far, in the unit of its row in reduction.def. */
extern uint64_t vm_saved[REDUCTIONS];

void vm_report_open(void);
void vm_report_violation(enum vm_fault kind, const char *message, uint32_t location, const struct vm_thread *thread);
void vm_report_inconclusive(const char *limit, const char *reason, uint32_t location); /* 0: nowhere in particular */
void vm_report_statistics(uint64_t ends); /* nodes that offer nothing */
void vm_event_blocked(const struct vm_thread *thread, const char *detail);
/* In a replay under a formula: the state after a step, what has become true or false in it, and its threads. */
void vm_report_state(vm_ref before, vm_ref state);

const char *vm_fault_name(enum vm_fault kind);

/* A value of up to 8 bytes as the type of what lies at the address has it. */
const char *vm_describe_value(uint64_t address, unsigned bytes, uint64_t value);

/* "x = 5": what is at an address and the value read or written there. */
const char *vm_describe_access(uint64_t address, unsigned bytes, uint64_t value, bool writes);

#endif
