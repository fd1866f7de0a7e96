/* SPDX-License-Identifier: MIT
 *
 * Creating, joining and detaching threads; their names for one another.
 */
#include "../state/reads.h"
#include "../state/levels.h"
#include "attributes.h"
#include "../calls/signature.h"
#include "../memory/messages.h"
#include "../memory/records.h"
#include "../state/symmetry.h"
#include "../symbolic/symbolic.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

/* Return the function at address `entry`, which `what` is to run as a function of type `type`. */
static uint32_t function_at(uint64_t entry, const char *what, const char *type)
{
	const struct image *image = &vm_this.image;
	uint64_t function = (entry >> IMAGE_OFFSET_BITS) - IMAGE_FIRST_FUNCTION;
	bool known = entry == image_function_address((uint32_t)function) && function < image->counts[IMAGE_FUNCTIONS];
	if (!known)
		vm_violation(entry ? VIOLATION_OUT_OF_BOUNDS : VIOLATION_NULL_DEREFERENCE, "%s is to run %s, which is no function",
			     what, entry ? "this address" : "a null pointer");
	vm_check_signature(type, (uint32_t)function);
	if (image->functions[function].flags & FUNCTION_EXTERN) {
		if (!image->functions[function].stand_in)
			vm_inconclusive(LIMIT_CALLBACK, "%s is to run %s, which has variable arguments: wrap it in a function",
					what, image_string(image, image->functions[function].name));
		function = image->functions[function].stand_in;
		assert(!(image->functions[function].flags & FUNCTION_EXTERN));
	}
	vm_levels_invoked((uint32_t)function);
	return (uint32_t)function;
}

uint64_t *vm_enter(struct vm_thread *thread, uint64_t entry, const char *what, const char *type)
{
	uint32_t function = function_at(entry, what, type);
	if (vm_asks_in(function, thread->slot))
		vm_footprint_add_proposition();
	uint64_t *registers = vm_thread_push(thread, function);
	if (registers == NULL)
		vm_stack_overflow(thread);
	return registers;
}

enum { NAME_BYTES = 16 };

/* Return the address at which the name of the thread in `slot` is kept; 0 if no thread asks for names. */
static uint64_t name_of(unsigned slot)
{
	uint64_t table = vm_provided("names of threads");
	return table ? table + (uint64_t)slot * NAME_BYTES : 0;
}

/* Give a new thread the name of its creator, as Linux does. */
static void inherit_name(unsigned creator, unsigned slot)
{
	if (!name_of(slot))
		return;
	uint8_t name[NAME_BYTES];
	memcpy(name, vm_access(name_of(creator), NAME_BYTES, ACCESS_SYNC_READ), NAME_BYTES);
	memcpy(vm_access(name_of(slot), NAME_BYTES, ACCESS_SYNC_WRITE), name, NAME_BYTES);
}

static void create(struct vm_call *call, bool detached, uint64_t stack, uint64_t entry, uint64_t argument, const char *type)
{
	struct vm *vm = &vm_this;
	uint32_t function = function_at(entry, "a thread", type);
	if (vm_is_symmetric() && call->thread->slot != 0)
		vm_symmetry_ends("a thread other than main creates one");
	if (vm_is_symmetric()) {
		vm_reads_refuse();
		vm_symmetry_creates();
		vm_messages_words(0, vm_symmetry_keeps, NULL);
	}
	unsigned slot = vm_thread_slot(call->thread->slot);
	assert(slot != call->thread->slot && !vm->born);
	vm_store64(call->arguments[0], sizeof(pthread_t), vm_thread_name(slot), ACCESS_WRITE);
	if (!call->passed)
		vm_share(argument);
	vm_race_synchronise(call->thread);
	vm_footprint_add_handle(slot, true);
	if (vm_asks_in(function, slot) || vm_asks_done(slot)) /* it is there; who had the slot before is not done any more */
		vm_footprint_add_proposition();
	vm->met.facts.threads[slot / 64] |= UINT64_C(1) << slot % 64;
	struct vm_thread *child = &vm->threads[slot];
	uint64_t *registers = vm_thread_start(slot, function);
	if (vm->image.functions[function].parameters) {
		registers[0] = argument;
		if (call->passed) {
			vm_shadow_begin(child);
			child->shadows[0] = call->passed;
		}
	}
	vm_signals_inherit(call->thread->slot, slot);
	inherit_name(call->thread->slot, slot);
	assert(child->header.status == THREAD_RUNNING && child->header.frames == 1);
	child->header.detached = detached;
	if (vm_is_symmetric())
		child->header.peers = function;
	if (stack != VM_STACK_BYTES)
		child->header.stack = stack >> 10 < UINT32_MAX ? (uint32_t)((stack + 1023) >> 10) : UINT32_MAX;
	vm_event_about(ACTION_CREATE, VM_ABOUT(VM_ABOUT_SLOT(slot)), "%s, to run %s", vm_thread_title(slot, call->thread->slot),
		       image_string(&vm->image, vm->image.functions[function].name));
	vm_order_start(slot);
	vm->born = child;
}

enum vm_outcome run_thread_create(struct vm_call *call)
{
	uint64_t attributes = call->arguments[1];
	bool detached = attributes && vm_attribute_value(attributes, &vm_attribute_thread_detached);
	uint64_t stack = attributes ? vm_attribute_value(attributes, &vm_attribute_thread_stack) : VM_STACK_BYTES;
	create(call, detached, stack, call->arguments[2], call->arguments[3], "pointer (pointer)");
	return CALL_DONE;
}

enum vm_outcome run_thrd_create(struct vm_call *call)
{
	create(call, false, VM_STACK_BYTES, call->arguments[1], call->arguments[2], "int (pointer)");
	return CALL_DONE;
}

void prepare_thread_join(struct vm_call *call)
{
	vm_wait_for(call, WAIT_JOIN);
	if (call->thread->header.timed && !call->arguments[builtin_deadline(call->builtin->flags)])
		call->thread->header.timed = false; /* a NULL deadline of pthread_timedjoin_np() never comes */
	vm_joins_begin(call->thread);
}

/* Return the thread that `name` stands for, for an operation that `what` names.  It must not be detached; return NULL if it is,
 * and the user has suppressed that.  If the operation `only_detaches` the thread and gives no slot back, it does not depend on
 * whether the thread has ended (names.c). */
static struct vm_thread *find_thread(uint64_t name, const char *what, bool only_detaches)
{
	unsigned slot = vm_thread_of(name);
	if (slot == vm_this.max_threads)
		vm_violation(VIOLATION_THREAD_MISUSE, "%s of a thread that does not exist, or has been joined or detached", what);
	struct vm_thread *thread = vm_thread_change(slot);
	vm_footprint_add_handle(slot, !only_detaches);
	if (!only_detaches)
		vm_footprint_add(FOOTPRINT_SLOTS, slot, slot + 1, true); /* it may become free */
	if (!thread->header.detached)
		return thread;
	vm_fault(VIOLATION_THREAD_MISUSE, "%s of thread %u, which is detached", what, slot);
	return NULL;
}

static struct vm_thread *thread_named(uint64_t name, const char *what)
{
	return find_thread(name, what, false);
}

/* Return the thread that a call asks about.  A detached thread may always ask about itself. */
static struct vm_thread *thread_asked_about(const struct vm_call *call, const char *what)
{
	uint64_t name = call->arguments[0];
	return name == vm_thread_name(call->thread->slot) ? call->thread : thread_named(name, what);
}

static struct vm_thread *thread_to_join(const struct vm_call *call)
{
	uint64_t name = call->arguments[0];
	bool begun = vm_is_symmetric() && call->thread->header.peers;
	struct vm_thread *named = begun ? NULL : thread_named(name, "join");
	if (!vm_is_symmetric() || (!begun && !named))
		return named;
	return thread_named(vm_thread_name(vm_joins_any(call->thread, name)), "join");
}

static enum vm_outcome returns(struct vm_call *call, int error)
{
	call->results[0] = (uint64_t)error;
	return CALL_DONE;
}

/* Store the result of a thread that has ended. */
static void store_result(uint64_t to, const struct vm_thread_header *header, unsigned size)
{
	uint8_t bytes[8], shadow[8];
	memcpy(bytes, &header->result, 8);
	memcpy(shadow, &header->result_shadow, 8);
	if (vm_symbolic_on() && vm_is_term(header->result, header->result_shadow))
		vm_symbolic_scatter((uint32_t)header->result, size, bytes, shadow);
	vm_write(to, bytes, shadow, size, ACCESS_WRITE);
}

enum vm_outcome run_thread_join(struct vm_call *call)
{
	if (!vm_only_tries(call) && vm_cancel_due(call->thread))
		return vm_unwind(call->thread, (uint64_t)PTHREAD_CANCELED);
	struct vm_thread *joined = thread_to_join(call);
	if (!joined)
		return returns(call, EINVAL);
	if (joined == call->thread) {
		vm_fault(VIOLATION_THREAD_MISUSE, "a thread joins itself");
		return returns(call, EDEADLK);
	}
	if (joined->header.status != THREAD_FINISHED) {
		call->results[0] = (uint64_t)(vm_only_tries(call) ? EBUSY : vm_timed_out(call));
		vm_event_about(ACTION_JOIN, VM_ABOUT(VM_ABOUT_SLOT(joined->slot), .reads = true), "thread %u: it has not ended",
			       joined->slot);
		return CALL_DONE;
	}
	assert(joined->header.frames == 0 && !joined->header.detached);
	vm_order_follow(joined->slot, call->thread->slot, "join");
	if (call->arguments[1])
		store_result(call->arguments[1], &joined->header, call->builtin->run == run_thrd_join ? sizeof(int) : 8);
	vm_thread_forget(joined);
	vm_event_about(ACTION_JOIN, VM_ABOUT(VM_ABOUT_SLOT(joined->slot), .writes = true), "thread %u", joined->slot);
	return CALL_DONE;
}

enum vm_outcome run_thread_detach(struct vm_call *call)
{
	struct vm_thread *thread = find_thread(call->arguments[0], "detach", vm_this.names.once);
	if (!thread)
		return returns(call, EINVAL);
	thread->header.detached = 1;
	if (thread->header.status == THREAD_FINISHED)
		vm_thread_forget(thread);
	return CALL_DONE;
}

enum vm_outcome run_thread_exit(struct vm_call *call)
{
	return vm_unwind(call->thread, call->arguments[0]);
}

enum vm_outcome run_thread_self(struct vm_call *call)
{
	call->results[0] = vm_thread_name(call->thread->slot);
	return CALL_DONE;
}

enum vm_outcome run_thread_equal(struct vm_call *call)
{
	call->results[0] = call->arguments[0] == call->arguments[1];
	return CALL_DONE;
}

bool vm_takes_handle(const struct builtin *builtin)
{
	return builtin->run == run_thread_setname || builtin->run == run_thread_getname || builtin->run == run_thread_getattr ||
		builtin->run == run_thread_detach || builtin->run == run_thread_number || builtin->run == run_cancel;
}

bool vm_detaches(const struct builtin *builtin)
{
	return builtin->run == run_thread_detach || builtin->run == run_set_thread_detached;
}

/* ---- names and attributes -------------------------------------------------------------------------------------------- */

enum vm_outcome run_thread_setname(struct vm_call *call)
{
	uint64_t length;
	const char *name = vm_string(call->arguments[1], UINT64_MAX, &length);
	const struct vm_thread *thread = thread_asked_about(call, "name");
	if (!thread)
		return returns(call, ESRCH);
	if (length >= NAME_BYTES)
		return returns(call, ERANGE);
	if (!name_of(thread->slot))
		return CALL_DONE;
	char bytes[NAME_BYTES] = { 0 };
	memcpy(bytes, name, length);
	memcpy(vm_access(name_of(thread->slot), NAME_BYTES, ACCESS_SYNC_WRITE), bytes, NAME_BYTES);
	return CALL_DONE;
}

/* Copy the name of a thread.  The first thread is called as the program is, until it gets a name. */
enum vm_outcome run_thread_getname(struct vm_call *call)
{
	const struct vm_thread *thread = thread_asked_about(call, "ask for the name");
	if (!thread)
		return returns(call, ESRCH);
	if (call->arguments[2] < NAME_BYTES)
		return returns(call, ERANGE);
	char name[NAME_BYTES];
	memcpy(name, vm_access(name_of(thread->slot), NAME_BYTES, ACCESS_SYNC_READ), NAME_BYTES);
	if (!name[0])
		strcpy(name, "program");
	memcpy(vm_access(call->arguments[1], strlen(name) + 1, ACCESS_WRITE), name, strlen(name) + 1);
	return CALL_DONE;
}

enum vm_outcome run_thread_getattr(struct vm_call *call)
{
	const struct vm_thread *thread = thread_asked_about(call, "ask for the attributes");
	if (!thread)
		return returns(call, ESRCH);
	vm_attributes_of_thread(call->arguments[1], thread->header.detached, vm_stack_bytes(thread));
	return CALL_DONE;
}

enum vm_outcome run_yield(struct vm_call *call)
{
	bool sleeps = call->builtin->flags & BUILTIN_SLEEPS;
	if (sleeps && vm_cancel_due(call->thread)) {
		call->thread->header.other = 0;
		return vm_unwind(call->thread, (uint64_t)PTHREAD_CANCELED);
	}
	if (sleeps && vm_sleep_fails(call))
		return CALL_DONE;
	if (sleeps)
		vm_sleep_is_over(call);
	vm_event(ACTION_CALL, "%s", sleeps ? call->builtin->name : "yield");
	return CALL_DONE;
}

enum vm_outcome run_gettid(struct vm_call *call)
{
	enum { PROCESS = 1000 }; /* getpid() in libc/ */
	if (!vm_this.in_library) /* which only compares it with what the program has got */
		vm_met_untried(UNTRIED_PROCESS, "");
	call->results[0] = PROCESS + call->thread->slot;
	return CALL_DONE;
}

/* Arrive at a label, or leave it.  To arrive is a step of its own, so that a formula can tell what comes before it from what comes
 * after it. */
enum vm_outcome run_label(struct vm_call *call)
{
	struct vm_thread *thread = call->thread;
	if (thread->header.woken != WOKEN_NOT) {
		assert(thread->header.woken == WOKEN_AT_LABEL);
		vm_footprint_add_proposition();
		thread->header.woken = WOKEN_NOT;
		return CALL_DONE;
	}
	if (!vm_asks_at(NULL, thread->slot))
		return CALL_DONE;
	const char *name = call->builtin->data ? call->builtin->data : vm_string(call->arguments[0], UINT64_MAX, NULL);
	if (!vm_asks_at(name, thread->slot))
		return CALL_DONE;
	vm_footprint_add_proposition();
	thread->header.woken = WOKEN_AT_LABEL;
	vm_event(ACTION_CALL, "at %s", name);
	return CALL_REST;
}
