/* SPDX-License-Identifier: MIT
 *
 * Opening and closing a VM, and the state before the program starts; the VM that a process begins with.
 */
#include "../../image/standard.h"
#include "single.h"
#include "start.h"
#include "../../interpreter/arith.h"
#include "../../interpreter/proposition.h"
#include "../../memory/protect.h"
#include "../../state/large.h"
#include "../../state/limit.h"
#include "../../state/suppress.h"
#include "../../state/symmetry.h"
#include "../../symbolic/symbolic.h"
#include "../../trace/record.h"
#include "../base/limits.h"
#include "../base/plan.h"
#include "../base/progress.h"
#include "../base/report.h"
#include "../base/schedule.h"
#include "../base/search.h"
#include "summary_parts.h"
#include "trial.h"
#include "../base/view.h"

#include <assert.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Evaluate the properties in the state before the program starts.  One that cannot be evaluated there is left to the first step,
 * which meets the same violation. */
static void evaluate_first(void)
{
	struct vm *vm = &vm_this;
	vm->stepping = true;
	vm->initial_unvalued = true;
	if (setjmp(vm->escape) == 0) {
		vm_properties_evaluate(false);
		vm->initial_unvalued = false;
	}
	vm->stepping = false;
	vm->evaluating = NULL;
}

static void begin_program(unsigned slots)
{
	struct vm *vm = &vm_this;
	vm_state_arrange(slots);
	vm_thread_start(0, vm->image.options->start);
	evaluate_first();
	vm->initial = vm_rest();
}

/* Try the program with so many slots.  Nothing stays of that run but the names of threads. */
static void try_first(unsigned slots)
{
	vm_transient_begin();
	begin_program(slots);
	vm_trial();
	vm_transient_end();
	vm_state_forget();
	vm_state_load(vm_this.cut); /* no thread, and the globals as they were */
	vm_transient_clear();
}

void vm_begin(void)
{
	struct vm *vm = &vm_this;
	builtin_resolve();
	vm_symbolic_open(vm_compute);
	vm->symbolic = image_inputs_are_whole(vm->image.options->inputs);
	for (uint64_t i = 0; i < vm->image.counts[IMAGE_SUPPRESSIONS]; i++)
		vm->keeps_unset = vm->keeps_unset || vm->image.suppressions[i].kind == VIOLATION_UNINITIALIZED_READ;
	vm->protects = vm_protects();
	vm_properties_init();
	vm_plan();
	bool symmetric = vm_is_symmetric();
	vm->reductions &= ~(unsigned)REDUCTION_SYMMETRY; /* threads have the same names with it and without */
	unsigned slots = vm->image.options->max_threads, more = vm_trial_slots();
	vm_state_init(slots > more ? slots : more);
	vm->cut = vm_state_store_final(STATE_PRUNED);
	if (more)
		try_first(more);
	assert(!(vm->reductions & REDUCTION_SYMMETRY) && vm->cut);
	if (symmetric && vm->names.wanted == 0)
		vm->reductions |= REDUCTION_SYMMETRY;
	else if (symmetric)
		vm_plan_names_threads();
	begin_program(slots);
	if (vm_is_temporal())
		vm_valuation_seen(vm->initial);
}

int vm_open(const char *path, char *error, size_t size)
{
	struct image *image = &vm_this.image;
	if (image_load(image, path, error, size) < 0)
		return -1;
	vm_limit_memory(image->options->max_memory);
	if (!vm_table_open(image->options->max_memory))
		vm_inconclusive(LIMIT_MEMORY, "there is no memory for the state table");
	vm_begin();
	return 0;
}

void vm_close(void)
{
	vm_scratch_free();
	vm_large_free();
	vm_parts_forget();
	vm_state_close();
	vm_table_close();
	image_release(&vm_this.image);
	vm_own_clear();
}

/* ---- the process ----------------------------------------------------------------------------------------------------- */

static const char *image_path(void)
{
	static VM_SHARED char path[4096 + 32];
	const char *named = getenv("BITSPIN_IMAGE");
	if (named && *named)
		return named;
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	exe[n < 0 ? 0 : n] = '\0';
	snprintf(path, sizeof path, "%s/program.image", dirname(exe));
	return path;
}

static void open_trace(void)
{
	const char *path = getenv("BITSPIN_TRACE");
	if (path && *path)
		vm_this.trace = fopen(path, "we");
	vm_schedule_open(getenv("BITSPIN_SCHEDULE"));
}

static void report_at_exit(void)
{
	vm_schedule_close();
	vm_report_statistics();
}

static void open_program(void)
{
	char error[4400];
	if (vm_open(image_path(), error, sizeof error) < 0) {
		fprintf(stderr, "bitspin: %s\n", error);
		exit(2);
	}
	vm_view_open();
}

void vm_open_again(void)
{
	vm_close();
	open_program();
}

void vm_start(void)
{
	image_open_standard();
	vm_record_open();
	open_trace();
	vm_give_up = vm_limit_end;
	vm_tell_suppressed = vm_report_suppressed;
	open_program();
	vm_progress_open();
	atexit(report_at_exit);
}
