/* SPDX-License-Identifier: MIT
 *
 * What the rooms of the VM say to each other: memory, threads, execution, reports.  The state they share is in state.h.
 * Functions that can end a step early (a violation, a limit) do so by leaving through vm_this.escape and do not return.
 */
#ifndef BITSPIN_VM_INTERNAL_H
#define BITSPIN_VM_INTERNAL_H

#include "state/state.h"

#include <stdarg.h>

/* ---- the ends of a step (vm.c) ------------------------------------------------------------------------------------- */

enum vm_fault {
#define FAULT(name, text, meaning) FAULT_##name,
#include "state/fault.def"
#undef FAULT
	VM_FAULTS
};

/* The program does what it must not: end the step in a violation of this kind at the instruction under way. */
_Noreturn void vm_fault(enum vm_fault kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An assumption of the program fails: this path does not exist. */
_Noreturn void vm_prune(void);

/* The program ends. */
_Noreturn void vm_exit(void);

/* The search cannot be exhaustive: say why (once) and cut this path.  `limit` names what was too small, for the glue. */
_Noreturn void vm_inconclusive(const char *limit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An error of ours. */
#define VM_BUG(...) vm_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void vm_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- memory (memory.c) --------------------------------------------------------------------------------------------- */

enum vm_access {
	ACCESS_READ, ACCESS_WRITE, /* plain */
	ACCESS_SYNC_READ, ACCESS_SYNC_WRITE, /* atomic, or the inside of a lock: races only with plain accesses */
};

/* Where an address points: its object (NULL if none) and the offset in it. */
struct vm_place {
	struct vm_map *map; /* NULL for constants and functions */
	struct vm_object *object;
	int64_t offset;
	uint32_t number; /* of the object the address is in or near */
	bool heap;       /* it is one of the numbers of malloc */
};
struct vm_place vm_place(uint64_t address);

/* The host memory of `size` bytes at `address` for the running thread, checked for bounds, life time and races, recorded
 * in its open segment, and ready to be changed when the access writes.  After writing, call vm_published().
 * A fault if a byte that is read is not set (shadow.h); ACCESS_WRITE is about to write them all, ACCESS_SYNC_WRITE reads
 * them, too. */
uint8_t *vm_access(uint64_t address, uint64_t size, enum vm_access access);

/* The same of an object of pthread.h that must be set up by `init` first. */
uint8_t *vm_access_initialised(uint64_t address, uint64_t size, enum vm_access access, const char *init);

/* The same without regard to what is set: for who copies values with their shadows. */
struct vm_bytes {
	uint8_t *bytes;
	uint8_t *shadow; /* NULL: all are set */
};
struct vm_bytes vm_access_bits(uint64_t address, uint64_t size, enum vm_access access);

/* Write bytes and, unless NULL, their shadows. */
void vm_write(uint64_t address, const void *bytes, const void *shadow, uint64_t size, enum vm_access access);
/* The same, from where offsets are less by `shift`, modulo 8, so that words may have been taken apart (hidden.h). */
void vm_write_moved(uint64_t address, const void *bytes, const void *shadow, uint64_t size, enum vm_access access, uint64_t shift);

/* Are there so many bytes at an address, and is every bit of them set? */
bool vm_is_set(uint64_t address, uint64_t size);

/* Bytes from `address` to the end of its object; faults if there is none. */
uint64_t vm_room(uint64_t address, enum vm_access access);

/* Pointers may have been written to these bytes: what they point to is shared if the bytes are. */
void vm_published(uint64_t address, uint64_t size);

/* Mark what `address` points to as reachable by other threads. */
void vm_share(uint64_t address);

/* Would an access to this address be seen by other threads? */
bool vm_is_shared(uint64_t address);

/* May a property read any of these bytes, in whatever state; and does any property read memory at all (proposition.c)? */
bool vm_property_may_read(uint64_t address, uint64_t size);
bool vm_property_reads(void);

uint64_t vm_load64(uint64_t address, unsigned bytes, enum vm_access access);
void vm_store64(uint64_t address, unsigned bytes, uint64_t value, enum vm_access access);

/* New heap or stack object of the running thread; its address.  Its bytes are not set, unless they are to be `zeroed`. */
uint64_t vm_allocate_heap(uint64_t size, bool zeroed);
uint64_t vm_allocate_stack(uint64_t size, bool escapes);
void vm_free(uint64_t address);

/* Forget which numbers were free and unnamed earlier in the step. */
void vm_look_again(void);

/* The block of a variable of the running thread's top frame, the `order`-th one, is entered or left. */
void vm_begin_local(uint32_t order);
void vm_end_local(uint32_t order);

/* End of life of the stack objects of the frame `depth` of a thread whose order is at least `order`. */
void vm_release_stack(struct vm_thread *thread, uint32_t depth, uint32_t order);
uint32_t vm_stack_order(struct vm_thread *thread);
void vm_release_locals(struct vm_thread *thread); /* and of its thread-local variables: it ends */

/* The running thread has recursed so deep that variables of its older frames have been given up, to see whether its stack
 * will be full (memory.c).  Before anything else that could need them: the step is inconclusive if there are such. */
void vm_check_remembered(void);

/* Clear the stack objects of a thread that has come to rest which it cannot read again. */
void vm_forget_dead(struct vm_thread *thread);

/* At the end of the program, whose state is not needed any more: report heap objects that nothing refers to (leak.c). */
void vm_check_leaks(void);

/* ---- what a step depends on (footprint.c) -------------------------------------------------------------------------- */

/* Things that are no bytes of memory but that steps can depend on, as object numbers. */
enum { FOOTPRINT_THREAD = IMAGE_END_DYNAMIC, /* + slot: its life and end */
       FOOTPRINT_SLOTS = IMAGE_END_DYNAMIC + 512, /* which slots are free */
       FOOTPRINT_PROPOSITIONS, /* what properties may read */
};

/* The step under way touches bytes [low, high) of an object, or one of the things above. */
void vm_footprint_add(uint32_t object, uint32_t low, uint32_t high, bool write);
void vm_footprint_add_thread(unsigned slot);
/* ... may change what a property says: writes to what it has read (which is all that could change what it will read); and,
 * when it is about threads, where they are.  Such steps depend on one another, and on all writes to shared memory. */
void vm_footprint_add_proposition(void);
void vm_footprint_add_written(bool watched); /* shared memory; do properties read it? */
void vm_footprint_add_control(void);
/* ... depends on whatever a thread that cannot go on waits for: all that could let it go on writes to one of these. */
void vm_footprint_add_awaited(const struct vm_thread *thread);

/* ---- races (race.c) ------------------------------------------------------------------------------------------------ */

/* The running thread accesses bytes [low, high) of an object: report a race with another thread's open segment, and add
 * plain accesses to its own. */
void vm_race_access(uint32_t object, uint32_t low, uint32_t high, enum vm_access access);

/* The running thread synchronises: its segment closes. */
void vm_race_synchronise(struct vm_thread *thread);

/* ---- threads (thread.c) -------------------------------------------------------------------------------------------- */

/* Put a new thread that will run `function` into a slot; its first registers, for the arguments. */
uint64_t *vm_thread_start(unsigned slot, uint32_t function);

/* A free slot for a new thread. */
unsigned vm_thread_slot(void);

/* The running thread ends with a value. */
void vm_thread_finish(struct vm_thread *thread, uint64_t result);
void vm_thread_forget(struct vm_thread *thread);

/* pthread_t <-> slot; a value that is no thread gives max_threads. */
uint64_t vm_thread_name(unsigned slot);
unsigned vm_thread_of(uint64_t name);

/* Threads that wait in this way for this address. */
unsigned vm_waiting(enum vm_wait wait, uint64_t address);

/* What they wait for `how` ("on", "at") is "destroyed" or the like: a fault if there are any. */
void vm_refuse_waiters(enum vm_wait wait, uint64_t address, const char *what, const char *how);

/* The thread blocks, although a time-out can let it go on: leaving it is no preemption, and no break of an atomic section. */
bool vm_thread_idles(struct vm_thread *thread);

/* It sleeps, and nothing but a spurious wakeup can let it go on.  That is no remedy: if all do, that is a deadlock. */
bool vm_thread_only_wakes_spuriously(const struct vm_thread *thread);

/* Is the thread blocked until the one in this slot has let go of what it holds, or has ended, with nothing else that could
 * end the wait: no deadline, no cancellation? */
bool vm_thread_waits_on(const struct vm_thread *thread, unsigned slot);

/* Fault if threads that the step under way has changed wait for each other in a circle (circle.c). */
void vm_check_circles(void);

/* A thread has become the holder of a lock, or has ceased to be. */
void vm_thread_holds(unsigned slot);
void vm_thread_releases(unsigned slot);

/* Bytes of a thread's stack; and the violation when it needs more. */
uint64_t vm_stack_bytes(const struct vm_thread *thread);
_Noreturn void vm_stack_overflow(const struct vm_thread *thread);

/* Location of the operation a thread is at, 0 if it has none left. */
uint32_t vm_thread_location(const struct vm_thread *thread);

/* Does a thread with this wait want a lock? */
bool vm_wait_is_lock(enum vm_wait wait);

/* What a thread that cannot go on waits for, for people; in a static buffer. */
const char *vm_thread_waits_for(const struct vm_thread *thread);

/* Slot that holds the mutex at `address`; max_threads if none. */
unsigned vm_mutex_holder(uint64_t address);

/* Does a request of cancellation end this wait? */
bool vm_wait_is_cancellable(enum vm_wait wait);

struct builtin;

/* ---- execution (exec.c) -------------------------------------------------------------------------------------------- */

/* Run a thread: its next operation, then on until it rests before another visible one.  With `start`, the thread has just
 * been made and comes to rest before its first visible operation. */
void vm_run(struct vm_thread *thread, bool start);

/* The value of a property's function in the working state, which stays as it is. */
uint64_t vm_evaluate(const struct image_property *property);

/* The external function that a thread is at a call of, by name or through a pointer: at rest before it, or inside of it,
 * which has called back.  NULL if it is at no such call.  And an argument of that call; 0 if it has not so many. */
const struct builtin *vm_resting_call(const struct vm_thread *thread);
uint64_t vm_resting_argument(const struct vm_thread *thread, unsigned number);

/* The text that the first argument of the call it rests at points to; "" if it is none. */
const char *vm_label_of(const struct vm_thread *thread);

/* ---- external functions (libc.c and others) ------------------------------------------------------------------------ */

enum vm_outcome {
	CALL_DONE,    /* go on after the call */
	CALL_REST,    /* the operation has two halves: rest at the same call */
	CALL_ENTERED, /* a frame was pushed: go on there, then after the call */
	CALL_GONE,    /* the thread has ended */
};

struct vm_call {
	struct vm_thread *thread;
	const struct image_insn *insn;
	const struct builtin *builtin;
	uint32_t function;
	const uint64_t *arguments;
	uint32_t count;      /* slots of arguments */
	uint64_t results[2];
};

enum builtin_flag {
	BUILTIN_VISIBLE = 1, /* other threads can tell when it happens: a scheduling point */
	BUILTIN_MEMORY = 2,  /* a scheduling point if an argument points to shared memory and plain accesses count */
	BUILTIN_SYNC = 4,    /* closes the open segment */
	BUILTIN_TWICE = 8,   /* setjmp: the call may return again */
	BUILTIN_ALLOCATES = 16, /* memory: it may fail under --faults malloc */
};

struct builtin {
	const char *name;
	enum vm_outcome (*run)(struct vm_call *call);
	/* Set the thread's wait (enum vm_wait) before it rests at this call; NULL: it can always go on. */
	void (*prepare)(struct vm_call *call);
	unsigned arguments; /* slots needed at least */
	unsigned flags;     /* enum builtin_flag */
	const char *data;   /* for `run`: what row of a family this is */
	const char *assumption; /* what a verdict assumes when the program calls this, or NULL */
};

/* The row of libc.def with this name, or NULL. */
const struct builtin *builtin_find(const char *name);
const struct builtin *builtin_of(uint32_t function);
void builtin_resolve(void); /* once, after the image is loaded */

/* ---- handles (step.c) ---------------------------------------------------------------------------------------------- */

vm_ref vm_ref_of(int handle);

/* ---- reports (report.c) -------------------------------------------------------------------------------------------- */

enum vm_action {
#define ACTION(name, text) ACTION_##name,
#include "trace/action.def"
#undef ACTION
	VM_ACTIONS
};

extern bool vm_tracing; /* replay: events are wanted */

void vm_event(enum vm_action action, const char *format, ...) __attribute__((format(printf, 2, 3)));
void vm_event_access(enum vm_action action, uint64_t address, unsigned bytes, uint64_t value);
void vm_output(const char *text, size_t length);
/* What happens here rests on an assumption that the report must name, with the place; told once. */
void vm_report_assumption(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* In replay: remember which variable a stack object is. */
void vm_name_stack(uint64_t address, uint32_t symbol);
void vm_name_heap(uint64_t address); /* ... and where a heap object comes from */

/* In replay: remember that a mutex is locked here; where it was, 0 if unknown. */
void vm_note_lock(uint64_t address);
uint32_t vm_locked_at(uint64_t address);

/* "name.field[3]", or what is known of an address that has no name; in a static buffer of its own for each of 8 calls. */
const char *vm_describe(uint64_t address);
/* What the object that an address lies in is called; and, if it is not the object's own, the address. */
const char *vm_describe_object(uint64_t address);
const char *vm_describe_whole(uint64_t address);

#endif
