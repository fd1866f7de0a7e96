/* SPDX-License-Identifier: MIT
 *
 * The interpreter: runs one thread from rest to rest.
 *
 * A thread rests before each visible operation; a step is that operation and all invisible ones after it.  These operations are
 * visible: external calls marked so in builtin.def, atomic accesses to shared memory, and, under --races=ignore, every access to
 * shared memory.  Whether memory is shared is a fact of the state, so the same instruction may rest once and not another time.
 *
 * Two things keep a step finite and honest: an invisible loop comes to rest after a number of rounds, so that state
 * matching can close it; and inside an atomic section the thread does not rest unless it must wait or choose.  Where it must
 * wait, the section is in two parts: others run in between, and what it has done so far is ordered with what they do, as at
 * the section's end.
 */
#include "../state/levels.h"
#include "exec.h"
#include "stale.h"
#include "../calls/builtin.h"
#include "../memory/hidden.h"
#include "../calls/safety.h"
#include "../memory/interrupts.h"
#include "../trace/history.h"
#include "../trace/turns.h"
#include "../calls/inject.h"
#include "../state/limit.h"
#include "../memory/records.h"
#include "shadow.h"
#include "../calls/signature.h"
#include "../state/suppress.h"
#include "../sync/sync.h"

#include <assert.h>
#include <string.h>

#define EVALUATION_BUDGET 1000000u /* rounds of loops in the evaluation of a property */

static void enter_frame(struct run *run)
{
	assert(run->thread->header.frames > run->floor);
	struct vm_thread *thread = run->thread;
	run->frame = &thread->frames[thread->header.frames - 1];
	run->code = vm_this.image.code + vm_this.image.functions[run->frame->function].code;
	run->registers = thread->registers + run->frame->base;
	run->jump = NULL;
	run->outer = 0;
	vm_this.in_library = vm_this.image.functions[run->frame->function].flags & FUNCTION_LIBRARY;
	if (vm_this.in_library)
		run->outer = vm_thread_location(thread);
}

uint64_t exec_asked_shadowed(const struct run *run, uint32_t at, enum vm_question question, const char *what)
{
	uint64_t value = exec_operand(run, at), shadow = exec_shadow(run, at);
	if (vm_is_term(value, shadow) && vm_symbolic_on())
		return vm_symbolic_need((uint32_t)value, question, 0, 0, what);
	if (shadow)
		vm_refuse_unset("%s", what);
	return value;
}

/* Return the address of an operand.  Of one that is a term, first ask whether it is in the object.  Those that are not, but near
 * it, are all out of bounds, so one of them stands for them. */
uint64_t exec_address_shadowed(const struct run *run, uint32_t at, uint64_t size)
{
	static const char what[] = "the address of an access";
	struct vm_bits64 address = { exec_operand(run, at), exec_shadow(run, at) };
	if (!vm_is_term(address.value, address.shadow) || !vm_symbolic_on())
		return exec_deciding(run, at, what);
	uint64_t some = vm_symbolic_some((uint32_t)address.value), near = UINT64_C(1) << (IMAGE_OFFSET_BITS - 1);
	struct vm_place place = vm_place_look(some);
	if (!place.object)
		return exec_deciding(run, at, what);
	uint64_t start = some - (uint64_t)place.offset, room = place.object->header.size;
	struct vm_bits64 offset = vm_symbolic_binary(IMAGE_SUB, 64, 0, address, (struct vm_bits64){ start, 0 });
	struct vm_bits64 inside = { 0, 0 };
	if (room >= size)
		inside = vm_symbolic_binary(IMAGE_ICMP, 64, ICMP_ULE, offset, (struct vm_bits64){ room - size, 0 });
	if (inside.shadow)
		inside.value = vm_symbolic_need((uint32_t)inside.value, ASK_TRUTH, 0, 0, what);
	if (inside.value)
		return exec_deciding(run, at, what);
	offset = vm_symbolic_binary(IMAGE_SUB, 64, 0, address, (struct vm_bits64){ start - near, 0 });
	struct vm_bits64 close = vm_symbolic_binary(IMAGE_ICMP, 64, ICMP_ULT, offset, (struct vm_bits64){ 2 * near, 0 });
	if (close.shadow)
		close.value = vm_symbolic_need((uint32_t)close.value, ASK_TRUTH, 0, 0, what);
	return close.value ? vm_symbolic_some((uint32_t)address.value) : exec_deciding(run, at, what);
}

void exec_set_shadows(struct run *run, uint32_t first, const uint64_t *shadows, unsigned count)
{
	uint64_t any = 0;
	for (unsigned i = 0; i < count; i++)
		any |= shadows[i];
	if (!any && !run->thread->shadowed)
		return;
	vm_shadow_begin(run->thread);
	memcpy(run->thread->shadows + run->frame->base + first, shadows, count * sizeof *shadows);
}

bool exec_plain_is_visible(void)
{
	const struct image *image = &vm_this.image;
	return image->options->races == RACES_IGNORE ||
		(image->counts[IMAGE_TOLERATED] && image->locations[vm_this.location].place);
}

/* ---- rest ---------------------------------------------------------------------------------------------------------- */

bool exec_rests_before(struct run *run, const struct image_insn *insn)
{
	if (run->pending == insn) {
		run->pending = NULL;
		return false;
	}
	vm_check_remembered();
	if (vm_this.evaluating)
		vm_violation(VIOLATION_INVARIANT, "it waits, synchronizes or makes a choice; it must only read");
	struct vm_thread *thread = run->thread;
	bool awaits = vm_symbolic_waits(&thread->header); /* the input must be there when a step begins */
	if (thread->header.atomic && vm_thread_outcomes(thread) == 1 && !vm_thread_idles(thread) && !awaits) {
		vm_this.choice = thread->header.low;
		return false;
	}
	run->resting = true;
	return true;
}

/* ---- control ------------------------------------------------------------------------------------------------------- */

static void jump(struct run *run, const struct image_insn *insn, uint32_t label)
{
	run->jump = insn;
	run->frame->pc = label;
}

static void run_switch(struct run *run, const struct image_insn *insn)
{
	uint64_t value = exec_operand(run, insn->a), shadow = exec_shadow(run, insn->a);
	if (vm_is_term(value, shadow) && vm_symbolic_on())
		value = vm_symbolic_need((uint32_t)value, ASK_CASE, insn->b, insn->c, "where a switch goes");
	else
		value = exec_deciding(run, insn->a, "where a switch goes");
	const uint32_t *entry = vm_this.image.pool + insn->b;
	for (uint32_t i = 0; i < insn->c; i++, entry += 3) {
		if ((entry[0] | (uint64_t)entry[1] << 32) == value) {
			jump(run, insn, entry[2]);
			return;
		}
	}
	jump(run, insn, insn->dst);
}

static void run_loop(struct run *run, const struct image_insn *insn)
{
	if (run->pending == insn) {
		run->pending = NULL;
	} else if (run->jump == NULL || run->jump >= insn) {
		vm_limit_look();
		if (vm_this.budget == 0 && vm_this.evaluating)
			vm_inconclusive(LIMIT_EVALUATION, "the evaluation of a property takes more than %u rounds of loops",
					EVALUATION_BUDGET);
		if (vm_this.budget == 0) {
			run->resting = true;
			return;
		}
		if (vm_this.budget)
			vm_this.budget--;
	}
	run->frame->pc++;
}

/* Return the number of values of a call, which must be so few that they can be handed over. */
static uint32_t few(uint32_t values)
{
	if (values > MAX_ARGUMENTS)
		vm_inconclusive(LIMIT_ARGUMENTS, "a call passes more than %u words of arguments", MAX_ARGUMENTS);
	return values;
}

/* Does a proposition ask whether the thread is in the function? */
static bool is_watched(const struct vm_thread *thread, uint32_t function)
{
	return (vm_this.image.functions[function].flags & FUNCTION_WATCHED) && !vm_this.evaluating &&
		vm_asks_in(function, thread->slot);
}

static void call_function(struct run *run, const struct image_insn *insn, uint32_t function)
{
	const struct image_function *f = &vm_this.image.functions[function];
	uint64_t arguments[MAX_ARGUMENTS], shadows[MAX_ARGUMENTS];
	uint32_t count = few(f->parameters);
	bool watched = is_watched(run->thread, function);
	bool visible = ((f->flags & FUNCTION_ATOMIC) && !run->thread->header.atomic) || watched ||
		((f->flags & FUNCTION_LIBRARY) && vm_interrupts_rest_here());
	if (run->pending != insn)
		vm_check_signal_safety(function, insn->op == IMAGE_CALLI);
	if (visible && exec_rests_before(run, insn))
		return;
	if (watched)
		vm_footprint_add_proposition();
	exec_operands(run, insn->b, count, arguments, shadows);
	uint64_t *registers = vm_thread_push(run->thread, function);
	if (registers == NULL)
		vm_stack_overflow(run->thread);
	memcpy(registers, arguments, count * sizeof *arguments);
	if (f->flags & FUNCTION_ATOMIC) {
		vm_race_synchronise(run->thread);
		vm_order_section(true);
		run->thread->header.atomic++;
	}
	enter_frame(run);
	exec_set_shadows(run, 0, shadows, count);
}

/* Does the path end at this call: is it an assumption that fails, or what the SV-COMP profile takes for one? */
static bool cuts_path(const struct vm_call *call)
{
	if (call->builtin->run == run_assume)
		return (uint32_t)call->arguments[0] == 0;
	return call->builtin->run == run_abort && vm_this.image.options->svcomp;
}

/* Could other threads or properties notice what the step under way has done? */
static bool is_noticed(const struct vm_thread *thread)
{
	bool others = vm_this.image.counts[IMAGE_PROPERTIES] > 0;
	for (unsigned i = 0; i < vm_this.slots && !others; i++)
		others = i != thread->slot && vm_thread_load(i)->header.status == THREAD_RUNNING;
	return others && vm_this.noticeable;
}

/* Is it the beginning or the end of an operation of linearize? */
static bool is_operation(const struct builtin *builtin)
{
	return builtin->run == run_operation_begin || builtin->run == run_operation_end;
}

/* Must the thread rest before the call?  It rests before an assumption that fails, so that what it did before is seen: others
 * read what it wrote, and race with its open segment.  The state there is no deadlock, as the thread can go on, if only to cut
 * the path.  If the step has done nothing that could be noticed, all that others can do here they can do before the step: the
 * path is cut at once.  The path is cut at once in an atomic section, too (exec_rests_before()): nobody sees what is done in a
 * section that does not end, and an access that races with it may come before it. */
static bool call_is_visible(const struct vm_call *call)
{
	const struct builtin *builtin = call->builtin;
	if (cuts_path(call))
		return !vm_this.evaluating && is_noticed(call->thread);
	if (is_operation(builtin))
		return vm_operation_is_visible(call);
	if ((builtin->flags & BUILTIN_VISIBLE) || vm_injection_of(builtin) != IMAGE_INJECTIONS)
		return true;
	if (vm_interrupts_rest_unsafe() && vm_is_signal_unsafe(call->function))
		return true;
	if (!(builtin->flags & BUILTIN_MEMORY))
		return false;
	if (vm_interrupts_rest_here())
		return true;
	if (!exec_plain_is_visible() && !vm_property_reads())
		return false;
	return vm_passes(call, vm_is_shared);
}

static void store_results(struct run *run, const struct image_insn *insn, const struct vm_call *call)
{
	const struct image_function *f = &vm_this.image.functions[call->function];
	if (insn->dst == IMAGE_NONE || f->results == 0)
		return;
	uint64_t mask = f->result_bits && !call->shadow ? vm_mask(f->result_bits) : UINT64_MAX; /* a term is a number of any size */
	exec_set_shadows(run, insn->dst, (const uint64_t[]){ call->shadow, 0 }, f->results > 1 ? 2 : 1);
	run->registers[insn->dst] = call->results[0] & mask;
	if (f->results > 1)
		run->registers[insn->dst + 1] = call->results[1];
}

void exec_clear_wait(struct vm_thread_header *header)
{
	header->wait = WAIT_NONE;
	header->address = 0;
	header->timed = 0;
	header->low = header->count = 0;
}

/* Let a thread that the call has made run to its first scheduling point. */
static void run_born(struct vm_thread *creator)
{
	struct vm *vm = &vm_this;
	struct vm_thread *born = vm->born;
	uint32_t location = vm->location;
	bool in_library = vm->in_library;
	assert(born != creator && born->header.status == THREAD_RUNNING && !vm->evaluating);
	vm->born = NULL;
	vm_run(born, true);
	vm_symmetry_born(born);
	vm->current = creator;
	vm->location = location;
	vm->in_library = in_library;
}

/* Let a call fail because a handler has run while the thread was in it. */
static void fail_interrupted(struct run *run, struct vm_call *call)
{
	assert(vm_has_interrupts() && run->pending == call->insn);
	run->pending = NULL;
	run->thread->header.woken = WOKEN_NOT;
	vm_interrupt_fails(call);
	store_results(run, call->insn, call);
	run->frame->pc++;
}

static void take_input(struct vm_call *call)
{
	struct vm_bits64 input = vm_symbolic_awaited(&call->thread->header);
	call->awaited = true;
	call->results[0] = input.value;
	call->shadow = input.shadow;
}

static void call_external(struct run *run, const struct image_insn *insn, uint32_t function)
{
	uint64_t arguments[MAX_ARGUMENTS];
	struct vm_call call = {
		.thread = run->thread,
		.insn = insn,
		.builtin = builtin_of(function),
		.function = function,
		.arguments = arguments,
		.count = few(insn->c),
	};
	if (call.builtin == NULL || call.count < call.builtin->arguments)
		vm_violation(VIOLATION_UNREACHABLE, "call of %s with fewer arguments than it takes",
			     image_string(&vm_this.image, vm_this.image.functions[function].name));
	exec_take_arguments(run, &call, arguments);
	if (vm_has_buffers() && !is_operation(call.builtin) && exec_call_drains(&call) && exec_drains(run, insn))
		return;
	if (run->thread->header.woken == WOKEN_INTERRUPTED) {
		fail_interrupted(run, &call);
		return;
	}
	if (run->pending != insn)
		vm_check_signal_safety(function, insn->op == IMAGE_CALLI);
	enum image_injection injection = vm_injection_of(call.builtin);
	if (run->pending == insn || call_is_visible(&call)) {
		if (run->pending != insn && !vm_this.evaluating) {
			call.builtin->prepare(&call);
			if (injection != IMAGE_INJECTIONS)
				vm_injection_offer(run->thread, injection);
		}
		if (exec_rests_before(run, insn))
			return;
	}
	if (vm_symbolic_waits(&run->thread->header))
		take_input(&call);
	exec_clear_wait(&run->thread->header);
	enum vm_outcome outcome = CALL_DONE;
	if (injection != IMAGE_INJECTIONS && vm_injection_happens(injection))
		vm_injection_fail(&call, injection);
	else
		outcome = call.builtin->run(&call);
	if (vm_this.born)
		run_born(run->thread);
	if (call.builtin->flags & BUILTIN_SYNC)
		vm_race_synchronise(run->thread);
	if (outcome == CALL_DONE) {
		store_results(run, insn, &call);
		run->frame->pc++;
	} else if (outcome == CALL_ENTERED) {
		enter_frame(run);
	} else {
		run->resting = true;
		if (vm_turns_wanted())
			vm_turn_waits(run->thread);
	}
}

static void run_call(struct run *run, const struct image_insn *insn)
{
	if (vm_this.image.functions[insn->a].flags & FUNCTION_EXTERN)
		call_external(run, insn, insn->a);
	else
		call_function(run, insn, insn->a);
}

static void run_indirect_call(struct run *run, const struct image_insn *insn)
{
	uint64_t address = exec_deciding(run, insn->a, "what function is called");
	uint64_t number = address >> IMAGE_OFFSET_BITS, function = number - IMAGE_FIRST_FUNCTION;
	if (address == 0)
		vm_violation(VIOLATION_NULL_DEREFERENCE, "call through a null pointer");
	if (number < IMAGE_FIRST_FUNCTION || function >= vm_this.image.counts[IMAGE_FUNCTIONS] ||
	    address != image_function_address((uint32_t)function))
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "call of %s, which is no function", vm_describe(address));
	const struct image_function *f = &vm_this.image.functions[function];
	vm_check_signature(image_string(&vm_this.image, vm_this.image.pool[insn->b - 1]), (uint32_t)function);
	vm_levels_called(insn, (uint32_t)function);
	if (f->parameters > insn->c || (insn->dst != IMAGE_NONE && f->results != insn->aux))
		vm_violation(VIOLATION_UNDEFINED_CALL, "%s is called as a function of another type",
			     image_string(&vm_this.image, f->name));
	if (f->flags & FUNCTION_EXTERN)
		call_external(run, insn, (uint32_t)function);
	else
		call_function(run, insn, (uint32_t)function);
}

/* Let the thread end next, as its outermost function has returned `value`. */
static void return_from_thread(struct run *run, uint64_t value, uint64_t shadow)
{
	struct vm_thread_header *header = &run->thread->header;
	header->frames = 0;
	exec_clear_wait(header);
	header->wait = WAIT_EXIT;
	if (!(header->cancel & CANCEL_ENDING)) {
		header->result = value;
		header->result_shadow = shadow;
	}
	run->resting = true;
}

static bool is_external_call(const struct run *run, const struct image_insn *call)
{
	uint32_t function = call->a;
	if (call->op == IMAGE_CALLI)
		function = (uint32_t)((exec_operand(run, call->a) >> IMAGE_OFFSET_BITS) - IMAGE_FIRST_FUNCTION);
	return vm_this.image.functions[function].flags & FUNCTION_EXTERN;
}

/* Go on where the thread was interrupted: at rest, or in a call that fails for that. */
static void return_to_interrupted(struct run *run)
{
	run->resting = true;
	if (run->thread->header.frames == 0)
		return;
	enter_frame(run);
	run->recalled = true;
	if (run->thread->header.woken == WOKEN_INTERRUPTED) {
		run->resting = false;
		run->pending = run->code + run->frame->pc;
	}
}

static void run_return(struct run *run, const struct image_insn *insn)
{
	struct vm_thread *thread = run->thread;
	if (thread->header.frames == 1 && exec_drains(run, insn))
		return;
	if (is_watched(thread, run->frame->function)) {
		if (exec_rests_before(run, insn))
			return;
		vm_footprint_add_proposition();
	}
	uint64_t values[MAX_ARGUMENTS], shadows[MAX_ARGUMENTS];
	uint32_t count = few(insn->b);
	exec_operands(run, insn->a, count, values, shadows);
	bool leaves = thread->header.frames == run->floor + 1;
	bool asks = leaves && (vm_this.evaluating || vm_this.image.options->memory != MEMORY_SC); /* else a join may store a term */
	if (asks && count && vm_is_term(values[0], shadows[0]) && vm_symbolic_on()) {
		values[0] = vm_symbolic_need((uint32_t)values[0], ASK_VALUE, 0, 0, "the result of a thread or a property");
		shadows[0] = 0;
	}
	if (vm_this.evaluating && leaves && count && shadows[0])
		vm_refuse_unset("the value of a property");
	vm_release_stack(thread, thread->header.frames, 0);
	if (vm_this.image.functions[run->frame->function].flags & FUNCTION_ATOMIC) {
		vm_race_synchronise(thread);
		vm_order_section(false);
		vm_section_leave(&thread->header);
	}
	if (thread->header.frames - 1 <= vm_this.forgotten)
		vm_check_remembered();
	if (vm_is_interrupt(run->frame->function)) {
		thread->header.frames--;
		return_to_interrupted(run);
		return;
	}
	if (--thread->header.frames == run->floor) {
		run->value = count ? values[0] : 0;
		if (vm_this.evaluating)
			run->resting = true;
		else
			return_from_thread(run, run->value, count ? shadows[0] : 0);
		return;
	}
	enter_frame(run);
	const struct image_insn *call = run->code + run->frame->pc;
	if (is_external_call(run, call)) {
		run->recalled = true;
		return; /* an external function had called back: its call is done once more */
	}
	if (call->dst != IMAGE_NONE) {
		memcpy(run->registers + call->dst, values, count * sizeof *values);
		exec_set_shadows(run, call->dst, shadows, count);
	}
	run->frame->pc++;
}

static void run_alloca(struct run *run, const struct image_insn *insn)
{
	uint64_t address = vm_allocate_stack(exec_asked(run, insn->a, ASK_SIZE, "the size of a variable"),
					     insn->aux & IMAGE_ESCAPES);
	run->registers[insn->dst] = address;
	vm_name_stack(address, insn->b);
	run->frame->pc++;
}

/* End the path: what stood here is not supported. */
static _Noreturn void refuse(const struct run *run, const struct image_insn *insn)
{
	const struct image *image = &vm_this.image;
	const char *function = image_string(image, image->functions[run->frame->function].name),
		   *why = image_string(image, insn->a);
	if (run->thread->slot == 0 && run->frame <= run->thread->frames + 1) /* where the program begins */
		vm_inconclusive(LIMIT_CODE, "%s; a path comes there, in %s", why, function);
	vm_inconclusive(LIMIT_CODE, "%s; a path comes there, in %s (--extern can say what %s does instead)", why, function,
			function);
}

static void run_undefined(struct run *run, const struct image_insn *insn)
{
	uint64_t none[2] = { 0, 0 }, all[2] = { vm_mask(insn->bits), insn->bits > 64 ? vm_mask(insn->bits - 64) : 0 };
	unsigned slots = exec_slots(insn->bits);
	memcpy(run->registers + insn->dst, none, slots * sizeof *none);
	exec_set_shadows(run, insn->dst, vm_this.image.options->zeroed ? none : all, slots);
	vm_shadow_note(0, insn->a);
	run->frame->pc++;
}

/* Return an address whose order counts; of one that depends on an input, any: all of them are in one object, or in none. */
static uint64_t ordered(const struct run *run, uint32_t at)
{
	uint64_t address = exec_operand(run, at), shadow = exec_shadow(run, at);
	return vm_is_term(address, shadow) && vm_symbolic_on() ? vm_symbolic_some((uint32_t)address) : address;
}

static void run_one(struct run *run, const struct image_insn *insn)
{
	struct vm_thread *thread = run->thread;
	switch ((enum image_opcode)insn->op) {
	case IMAGE_LOAD: exec_load(run, insn); break;
	case IMAGE_STORE: exec_store(run, insn); break;
	case IMAGE_RMW: exec_rmw(run, insn); break;
	case IMAGE_CMPXCHG: exec_cmpxchg(run, insn); break;
	case IMAGE_MEMCPY:
	case IMAGE_MEMMOVE:
	case IMAGE_MEMSET: exec_block(run, insn); break;
	case IMAGE_FENCE: exec_fence(run, insn); break;
	case IMAGE_ALLOCA: run_alloca(run, insn); break;
	case IMAGE_LIFETIME:
		(insn->b ? vm_begin_local : vm_end_local)(insn->a);
		run->frame->pc++;
		break;
	case IMAGE_ORDER:
		vm_address_ordered(ordered(run, insn->a), ordered(run, insn->b));
		run->frame->pc++;
		break;
	case IMAGE_NOTE:
		if (vm_tracing)
			vm_note_pointer(exec_operand(run, insn->a), vm_this.image.symbols[insn->b].type,
					image_string(&vm_this.image, vm_this.image.symbols[insn->b].name));
		run->frame->pc++;
		break;
	case IMAGE_STACKSAVE:
		run->registers[insn->dst] = vm_stack_order(thread);
		run->frame->pc++;
		break;
	case IMAGE_STACKRESTORE:
		vm_release_stack(thread, thread->header.frames, (uint32_t)exec_operand(run, insn->a));
		run->frame->pc++;
		break;
	case IMAGE_TLSADDR:
		run->registers[insn->dst] = image_address(thread->locals.first + vm_this.image.globals[insn->a].tls, 0);
		run->frame->pc++;
		break;
	case IMAGE_BR: jump(run, insn, insn->a); break;
	case IMAGE_BRCOND: jump(run, insn, exec_asked(run, insn->a, ASK_TRUTH, "a condition") & 1 ? insn->b : insn->c); break;
	case IMAGE_SWITCH: run_switch(run, insn); break;
	case IMAGE_LOOP: run_loop(run, insn); break;
	case IMAGE_CALL: run_call(run, insn); break;
	case IMAGE_CALLI: run_indirect_call(run, insn); break;
	case IMAGE_RET: run_return(run, insn); break;
	case IMAGE_UNREACHABLE: vm_violation(VIOLATION_UNREACHABLE, "the program reaches code that it marks as unreachable");
	case IMAGE_REFUSE: refuse(run, insn);
	case IMAGE_UNDEF: run_undefined(run, insn); break;
	default:
		if (thread->shadowed)
			vm_compute_shadowed(insn, run->registers, thread->shadows + run->frame->base, run->constants);
		else
			vm_compute(insn, run->registers, run->constants, true);
		if (vm_hidden_concerns(insn, run->registers))
			vm_hidden_computed(insn, run->registers);
		run->frame->pc++;
		break;
	}
}

/* Print the next instruction, in a replay. */
static void trace_insn(const struct run *run, const struct image_insn *insn)
{
	const struct image *image = &vm_this.image;
	const char *file = image_file(image, insn->location), *slash = strrchr(file, '/');
	fprintf(vm_this.trace, "    thread %u  %s+%u  (%s:%u)  ", run->thread->slot,
		image_string(image, image->functions[run->frame->function].name), (unsigned)run->frame->pc,
		slash ? slash + 1 : file, (unsigned)image_line(image, insn->location));
	image_print_insn(image, vm_this.trace, insn);
}

/* Note where the thread gets to, in a replay that a native run is to repeat.  An instruction that the thread was before already is
 * not counted again, nor a call that is done once more because it had called back. */
static void note_arrival(struct run *run, const struct image_insn *insn)
{
	static const char *const names[IMAGE_OPCODES] = {
		[IMAGE_LOAD] = "load",    [IMAGE_STORE] = "store",   [IMAGE_RMW] = "rmw",      [IMAGE_CMPXCHG] = "cmpxchg",
		[IMAGE_MEMCPY] = "block", [IMAGE_MEMMOVE] = "block", [IMAGE_MEMSET] = "block", [IMAGE_FENCE] = "fence",
	};
	const char *name = names[insn->op];
	bool again = run->pending == insn || run->recalled;
	run->recalled = false;
	if (insn->op == IMAGE_CALL && (vm_this.image.functions[insn->a].flags & FUNCTION_EXTERN) && builtin_of(insn->a))
		name = builtin_of(insn->a)->name;
	if (again)
		return;
	if (name && !run->outer)
		vm_turn_arrives(run->thread, insn->location, name);
	else if (image_opcodes[insn->op].rests)
		vm_turn_elsewhere(run->thread, run->outer ? "library" : insn->op == IMAGE_LOOP ? "loop" : "call");
}

static void run_frames(struct run *run)
{
	enter_frame(run);
	vm_this.location = 0;
	while (!run->resting) {
		const struct image_insn *insn = run->code + run->frame->pc;
		/* What calls main and ends the program is our own code: that stays at what led there. */
		if (vm_this.location == 0 || run->frame->function != vm_this.image.options->start)
			vm_this.location = run->outer ? run->outer : insn->location;
		if (vm_this.met.code && !vm_this.evaluating)
			vm_this.met.code[insn - vm_this.image.code] = true;
		if (vm_tracing && vm_this.trace && !vm_this.evaluating)
			trace_insn(run, insn);
		if (vm_turns_wanted())
			note_arrival(run, insn);
		run_one(run, insn);
	}
}

/* Note whether a thread that has come to rest in an atomic section must wait, and so lets others in. */
static void part(struct vm_thread *thread)
{
	bool waits = thread->header.atomic && (vm_thread_outcomes(thread) == 0 || vm_thread_idles(thread));
	thread->header.parted = waits;
	if (waits)
		vm_race_synchronise(thread);
}

static void run_on(struct vm_thread *thread, bool start)
{
	const struct vm *vm = &vm_this;
	struct run run = { .thread = thread, .constants = vm->image.constants };
	assert(thread->header.frames > 0);
	const struct vm_frame *top = &thread->frames[thread->header.frames - 1];
	const struct image_insn *insn = vm_insn_at(top);
	run.pending = start || !image_opcodes[insn->op].rests ? NULL : insn;
	run_frames(&run);
}

/* Let the thread do nothing more but end the program in its next step (state/suppress.h).  Its frames and its variables stay, for
 * others and for properties; which registers are live at the fault does not matter any more. */
static void doom(struct vm_thread *thread)
{
	if (vm_this.ending.kind == VIOLATION_STACK_OVERFLOW)
		vm_this.forgotten = 0;
	exec_clear_wait(&thread->header);
	thread->header.wait = WAIT_DEATH;
}

/* Run the thread, or doom it.  It may run in the step of another, which has created it. */
static void run_or_doom(struct vm_thread *thread, bool start)
{
	jmp_buf here, *outer = vm_this.doom;
	vm_this.doom = &here;
	if (setjmp(here) == 0)
		run_on(thread, start);
	else
		doom(thread);
	vm_this.doom = outer;
}

void vm_run(struct vm_thread *thread, bool start)
{
	struct vm *vm = &vm_this;
	assert(vm->stepping && !vm->evaluating && !vm->born && thread->header.status == THREAD_RUNNING);
	vm->current = thread;
	thread->dirty = true;
	if (vm_turns_wanted())
		vm_turn_begins(thread, start);
	if (thread->header.wait == WAIT_DEATH)
		vm_die();
	bool exiting = thread->header.wait == WAIT_EXIT;
	if (exiting && !vm_thread_leave(thread, true))
		return;
	if (exiting)
		exec_clear_wait(&thread->header);
	vm_operation_begins(thread);
	if (vm->image.counts[IMAGE_SUPPRESSIONS])
		run_or_doom(thread, start || exiting);
	else
		run_on(thread, start || exiting);
	vm_check_remembered();
	part(thread);
	if (vm_turns_wanted() && thread->header.wait == WAIT_EXIT)
		vm_turn_ends(thread, vm_ending_position(thread));
	if (vm_turns_wanted())
		vm_turn_rests(thread);
}

uint64_t vm_evaluate_word(const struct image_property *property)
{
	struct vm *vm = &vm_this;
	assert(!vm->evaluating);
	struct vm_thread *thread = &vm->threads[vm->max_threads], *current = vm->current;
	uint32_t location = vm->location;
	bool in_library = vm->in_library;
	memset(&thread->header, 0, sizeof thread->header);
	thread->loaded = true;
	vm->current = thread;
	uint64_t budget = vm->budget;
	vm->evaluating = property;
	vm_look_again();
	vm->budget = EVALUATION_BUDGET;
	struct run run = { .thread = thread, .constants = vm->image.constants };
	if (!vm_thread_push(thread, property->function))
		VM_BUG("no stack to evaluate a property");
	run_frames(&run);
	assert(thread->header.frames == 0 && run.resting);
	vm_shadow_clear(thread);
	vm->evaluating = NULL;
	vm->budget = budget;
	vm->current = current;
	vm->location = location;
	vm->in_library = in_library;
	return run.value;
}

uint64_t vm_evaluate(const struct image_property *property)
{
	return (uint32_t)vm_evaluate_word(property);
}
