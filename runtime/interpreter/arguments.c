/* SPDX-License-Identifier: MIT
 *
 * What calls get: operands with their shadows, and of external functions, which of these have to be numbers.
 */
#include "exec.h"
#include "../externals/externals.h"
#include "../symbolic/symbolic.h"
#include "../sync/sync.h"

void exec_operands(const struct run *run, uint32_t list, uint32_t count, uint64_t *values, uint64_t *shadows)
{
	for (uint32_t i = 0; i < count; i++) {
		values[i] = exec_operand(run, vm_this.image.pool[list + i]);
		shadows[i] = exec_shadow(run, vm_this.image.pool[list + i]);
	}
}

/* Return what a call asks of an argument that is a term. */
static enum vm_question what_is_asked(const struct vm_call *call)
{
	bool truth = call->builtin->run == run_assume || call->builtin->run == run_assert || call->builtin->run == run_promise;
	bool size = call->builtin->run == run_malloc || call->builtin->run == run_calloc || call->builtin->run == run_realloc;
	return truth ? ASK_TRUTH : size ? ASK_SIZE : ASK_VALUE;
}

/* Does nothing depend on the number that is the first argument?  It is printed, or slept for. */
static bool takes_any(const struct vm_call *call)
{
	return (call->builtin->run == run_putchar && (call->insn->aux & IMAGE_BLIND)) || vm_sleep_is_any(call);
}

/* Does the call pass its argument number `i` on to a new thread? */
static bool passes_on(const struct vm_call *call, uint32_t i)
{
	return (call->builtin->run == run_thread_create && i == 3) || (call->builtin->run == run_thrd_create && i == 2);
}

void exec_take_arguments(const struct run *run, struct vm_call *call, uint64_t *arguments)
{
	uint64_t shadows[MAX_ARGUMENTS];
	exec_operands(run, call->insn->b, call->count, arguments, shadows);
	for (uint32_t i = 0; run->thread->shadowed && i < call->count; i++) {
		bool exits = call->builtin->run == run_exit, term = vm_symbolic_on() && vm_is_term(arguments[i], shadows[i]);
		if (term && (exits || (i == 0 && takes_any(call))))
			arguments[i] = 0; /* all that depends on an exit status is a note about one that is never 0 */
		else if (term && passes_on(call, i))
			call->passed = shadows[i];
		else if (term)
			arguments[i] = vm_symbolic_need((uint32_t)arguments[i], what_is_asked(call), 0, 0, call->builtin->name);
		else if (shadows[i] && exits)
			vm_refuse_unset("the exit status of the program");
		else if (shadows[i])
			vm_refuse_unset("argument %u of %s", (unsigned)i + 1, call->builtin->name);
	}
}
