/* SPDX-License-Identifier: MIT
 *
 * A program state, in its two forms.
 *
 * Stored: blobs in the table (table.h).  The state blob is an array of words:
 *
 *     flags, number of thread slots n, ref of the globals' map, ref of what properties read (an array of ranges; 0: nothing),
 *     ref of the records of accesses (records.h; 0: none),
 *     then for each slot: ref of the thread, of its locals' map (thread-local and stack objects), of its heap map,
 *     then n bytes: outcomes of each thread's next operation (0: the thread cannot go on), capped at 255,
 *     and, if there are propositions, 8 bytes: their values, a bit each; and, if some property asks which threads have ended,
 *     which have been started (struct vm).
 *
 * A map is an array of refs to object blobs; 0 where there is no object, a header alone where one is buried.  An object blob is
 * a struct vm_object_header and the object's bytes, and with OBJECT_SHADOWED as many shadow bytes (shadow.h); those of an object
 * of more than OBJECT_WHOLE bytes are refs to pages, so that states share what did not change.  A thread blob is a struct
 * vm_thread_header, its open segment, its frames, and the values of their live registers only; behind them, if one of these is
 * not set, the shadows of them all.
 *
 * Loaded: struct vm below, the one working state of this process, which instructions change.  Objects and threads are
 * unpacked when first touched, and copied when first written.
 *
 * Invariants (check.c has them as asserts; debug builds call it after every step):
 * - no host address, clock or uninitialised byte ever reaches a blob;
 * - a map has no trailing zeros; segment ranges are not empty, sorted by object, kind and bytes, and those of a kind do not touch;
 * - slots at the end without thread, locals and heap are dropped;
 * - what is loaded and not dirty is equal to what is stored;
 * - a state that is loaded and stored again has the same ref.
 */
#ifndef BITSPIN_STATE_H
#define BITSPIN_STATE_H

#include "../image/image.h"
#include "end.h"
#include "met.h"
#include "table.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* ---- objects ------------------------------------------------------------------------------------------------------- */

enum vm_object_flag {
	OBJECT_SHARED = 1,    /* some other thread may have its address */
	OBJECT_CONSTANT = 2,  /* must not be written */
	OBJECT_HEAP = 4,      /* from malloc: may be freed */
	OBJECT_MARKER = 8,    /* names a frame that called setjmp, see jump.c */
	OBJECT_SHADOWED = 16, /* some of its bits are uninitialized, see shadow.h */
	OBJECT_ENDED = 32,    /* a variable whose block has been left, perhaps to be entered again */
	OBJECT_HIDDEN = 64,   /* its address may be kept in a form that is no pointer, see hidden.h */
	OBJECT_BURIED = 128,  /* no object any more, but its number is not used again */
};
#define OBJECT_LEVELS 8 /* flags from this bit on: the number of its levels, from 1, or 0; see levels.h */

#define OBJECT_WHOLE 512u                 /* bytes */
#define OBJECT_PAGE  256u                 /* the least bytes of a page */
#define OBJECT_SMALL (UINT32_C(16) << 10) /* objects with more bytes are large (large.h) */
#define OBJECT_MOST  (UINT32_C(32) << 10) /* the most bytes of a page */

struct vm_object_header {
	uint32_t size;  /* bytes */
	uint32_t flags; /* enum vm_object_flag */
	uint32_t depth; /* stack object: number of its frame, from 1; else 0 */
	uint32_t order; /* stack object: how many objects its frame had when this one was made; else 1 for a part (whole.h) */
};
_Static_assert(sizeof(struct vm_object_header) == 16, "it is hashed as it is: no padding");

/* Return the bytes of a page of an object of `size` bytes: so many that a page is about as large as the refs of all pages. */
static inline uint32_t vm_object_page(uint32_t size)
{
	uint64_t page = OBJECT_PAGE;
	while (page * page < UINT64_C(4) * size && page < OBJECT_MOST)
		page *= 2;
	return (uint32_t)page;
}

static inline uint32_t vm_page_count(uint32_t size)
{
	return (size + vm_object_page(size) - 1) / vm_object_page(size);
}

/* Return the bytes of page number `page`: of the last one, those that are left. */
static inline uint32_t vm_page_size(uint32_t size, uint32_t page)
{
	uint32_t bytes = vm_object_page(size);
	return size - page * bytes < bytes ? size - page * bytes : bytes;
}

struct vm_object {
	struct vm_object_header header;
	uint8_t *bytes;      /* in the table or the image while clean, in scratch memory once dirty or when made of pages */
	uint8_t *shadow;     /* where `bytes` may be, too; NULL: all bits are initialized */
	uint64_t epoch;      /* valid iff equal to the map's */
	vm_ref ref;          /* stored form, valid unless dirty */
	uint64_t generation; /* not 0: `bytes` lie in scratch memory of this age */
	uint32_t number;     /* object number, as in addresses */
	bool present, dirty;
	bool buried;   /* not present, and its number is taken for ever */
	uint8_t blank; /* a bit for each area (large.h): no byte of it has been written */
};

struct vm_map {
	vm_ref ref;     /* stored form, valid unless dirty */
	uint32_t count; /* objects (0 .. count-1) that may be present */
	uint32_t capacity;
	uint32_t first;     /* object number of index 0 */
	uint32_t numbers;   /* how many indices can be used */
	uint32_t taken[2];  /* no index below is free (lowest_free()) */
	uint32_t passed[2]; /* an index below is free only if some pointer named it at the last look */
	uint32_t bound;     /* vm_map_bound(), if `bounded` */
	bool bounded;
	uint64_t epoch;
	bool dirty;
	struct vm_object *objects; /* loaded when their epoch is the map's */
};

/* ---- threads ------------------------------------------------------------------------------------------------------- */

/* What a thread at rest needs before it can go on. */
enum vm_wait {
	WAIT_NONE,      /* nothing */
	WAIT_CHOICE,    /* nothing; `count` outcomes */
	WAIT_MUTEX,     /* the mutex at `address` to be free for the thread */
	WAIT_CONDITION, /* a signal on `address`; then the mutex at `other` */
	WAIT_SIGNAL,    /* nothing; one outcome for each thread waiting on the condition variable at `address` */
	WAIT_JOIN,      /* the thread `address` to finish */
	WAIT_INJECTION, /* nothing; one more outcome while the fault number `count` may still happen */
	WAIT_EXIT,      /* nothing: its function has returned, the thread is about to finish */
	WAIT_READ,      /* the read-write lock at `address` to be free for reading */
	WAIT_WRITE,     /* the read-write lock at `address` to be free for writing */
	WAIT_SPIN,      /* the spin lock at `address` to be free */
	WAIT_BARRIER,   /* the other threads at the barrier at `address` */
	WAIT_SEMAPHORE, /* the semaphore at `address` to be above zero */
	WAIT_DEATH,     /* nothing: the process is about to die of what the thread has done, see suppress.h */
	WAIT_ONCE,      /* another thread to end the initialisation under way at `address` */
	WAIT_FUTEX,     /* a wake-up on the futex at `address`, with one of the bits `count` */
	WAIT_PRIVATE,   /* a wake-up on the private futex at `address`, with one of the bits `count` */
	WAIT_OWNED,     /* to be given the futex at `address`, which other threads own (futex_owned.c) */
	WAIT_EVENT,     /* one of several words to change (await.c); whoever changes one of them also writes to `address` */
	WAIT_OPERATION, /* no other thread to be in an operation, as the word at `address` says */
	WAIT_END,       /* nothing: its next step ends the program, or the path (bitspin_assume) */
	WAIT_ACCESS, /* nothing; an outcome for each message that the access may meet, or flush that it demands (calls/atomic.h) */
	WAIT_DRAIN,  /* the same, before a call or an end that drains the buffer of stores */
	WAIT_WAKE,   /* nothing; one outcome for each set of threads that it may wake on the futex at `address` */
	VM_WAITS
};

enum vm_status {
	THREAD_UNUSED,
	THREAD_RUNNING,
	THREAD_FINISHED,
	THREAD_DEAD, /* ended while locks named it, or its slot is spent, so that no other thread may have it; otherwise as unused */
};

/* Why a thread no longer sleeps at the two-step wait that it is in. */
enum vm_woken {
	WOKEN_NOT,
	WOKEN_SIGNAL,
	WOKEN_TIMEOUT,
	WOKEN_CANCEL,
	WOKEN_SPURIOUSLY,
	WOKEN_INTERRUPTED, /* a handler has run, and the call is to fail with EINTR */
	WOKEN_AT_LABEL,    /* the thread does not sleep: it has arrived at a label (run_label()) and has not left the label */
};

/* Flags of a thread for cancellation. */
enum vm_cancel {
	CANCEL_PENDING = 1,  /* cancellation was asked for, and has not been acted upon */
	CANCEL_DISABLED = 2, /* pthread_setcancelstate */
	CANCEL_ENDING = 4,   /* the thread runs its cleanup handlers and destructors; `result` is set */
	CANCEL_LAST = 8,     /* the thread has ended as the last one, and runs exit(0) */
	CANCEL_AT_ONCE = 16, /* pthread_setcanceltype: a request is acted upon anywhere */
};

enum { LIBRARY_SECTION = 1 << 16 }; /* above the depth of the program's own sections */

struct vm_thread_header {
	uint8_t status; /* enum vm_status */
	uint8_t detached;
	uint8_t wait;    /* enum vm_wait */
	uint8_t woken;   /* enum vm_woken */
	uint8_t timed;   /* the wait may end by a time-out */
	uint8_t cancel;  /* set of enum vm_cancel */
	uint8_t rounds;  /* ending: in which round the destructors of thread-specific values are; `key`: at which key */
	uint8_t parted;  /* the thread rests in an atomic section because it had to wait: others may run until it can go on */
	uint32_t atomic; /* depth of the atomic sections that the thread is in; LIBRARY_SECTION for each of the C library */
	uint32_t held;   /* locks that name the thread as their holder */
	uint64_t address, other;
	uint64_t result;        /* finished or ending: the thread's value */
	uint64_t result_shadow; /* finished or ending: which bits of the value are uninitialized */
	uint64_t cleanup;       /* the innermost buffer of pthread_cleanup_push, 0 if there is none */
	uint64_t peers; /* where threads are symmetric (symmetry.h): for main, the slots that main has yet to join, a bit each; for
				 * others, the function that the thread began with */
	uint32_t low,
		count; /* WAIT_CHOICE: outcomes are low .. low + count - 1; WAIT_SIGNAL, WAIT_WAKE: the same once narrowed, else 0 */
	uint32_t ranges; /* of the open segment */
	uint32_t frames;
	uint32_t stack;   /* KB of the thread's stack, if the attributes give it; 0: VM_STACK_BYTES */
	uint16_t escaped; /* a handler has interrupted a call that is not async-signal-safe, and has not returned; see safety.h */
	uint16_t key;
};
_Static_assert(sizeof(struct vm_thread_header) == 88, "it is hashed as it is: no padding");

/* Leave one of the program's atomic sections, if the thread is in one: a program may leave more sections than it enters. */
static inline void vm_section_leave(struct vm_thread_header *header)
{
	if (header->atomic % LIBRARY_SECTION)
		header->atomic--;
}

/* A thread's header as it lies in the table, whose blobs begin at multiples of 4 bytes. */
typedef struct vm_thread_header vm_stored_header __attribute__((aligned(4)));

/* Bytes [low, high) of an object. */
struct vm_range {
	uint32_t object, low, high;
	uint32_t write; /* in an open segment: the kind of access (memory/race.h); elsewhere: are the bytes written? */
};
_Static_assert(sizeof(struct vm_range) == 16, "it is hashed as it is: no padding");

/* A set K of records.h, sorted. */
struct vm_holders {
	uint64_t *items;
	uint32_t count, capacity;
};

/* A record of an access (records.h): bytes [low, high) of an object. */
struct vm_record {
	uint32_t object, low, high;
	uint32_t kind; /* as in an open segment */
	uint32_t set;  /* the number of its set K */
};
_Static_assert(sizeof(struct vm_record) == 20, "it is hashed as it is: no padding");

/* A store that not all threads know of (memory/messages.h), to `size` bytes at `low` of an object. */
enum { MESSAGE_KNOWN, MESSAGE_BEFORE, MESSAGE_TOTAL, MESSAGE_FENCED, MESSAGE_NEXT_TOTAL, MESSAGE_NEXT_FENCED, MESSAGE_SETS };
struct vm_message {
	uint32_t object, low, size;
	uint32_t attached;            /* it is that of a read-modify-write */
	uint32_t set[MESSAGE_SETS];   /* numbers of sets of holders; IMAGE_NONE: not needed */
	uint64_t value[2], shadow[2]; /* what it has replaced */
};
_Static_assert(sizeof(struct vm_message) == 72, "it is hashed as it is: no padding");

struct vm_frame {
	uint32_t function, pc; /* pc: index in the function of the next instruction; in a caller, of the call */
	uint32_t base;         /* first register in struct vm_thread's registers */
};
_Static_assert(sizeof(struct vm_frame) == 12, "it is hashed as it is: no padding");

/* Where an uninitialized value comes from; see vm_shadow_note(). */
struct vm_origin {
	char *place; /* where in memory, for people; NULL: a variable in a register */
	uint32_t symbol, location;
};

struct vm_thread {
	vm_ref ref; /* stored form, valid unless dirty */
	bool loaded, dirty;
	unsigned slot;
	struct vm_thread_header header;
	struct vm_range *ranges;
	uint32_t range_capacity;
	struct vm_frame *frames;
	uint32_t frame_capacity;
	uint64_t *registers;
	uint32_t register_capacity;
	uint64_t *shadows; /* of registers, all zero unless `shadowed`; at least as many as registers then */
	uint32_t shadow_capacity;
	bool shadowed;
	struct vm_origin origin; /* no part of a state: for messages */
	struct vm_map locals, heap;
};

/* A stack has 8 MB by default, as on Linux, and a call takes some 64 bytes of it beside its variables in memory. */
#define VM_STACK_BYTES   (UINT64_C(8) << 20)
#define VM_FRAME_BYTES   64u
#define VM_MAX_REGISTERS (16u << 20)

/* ---- the working state --------------------------------------------------------------------------------------------- */

/* Flags of final states: a state with a flag has no successors. */
enum vm_state_flag {
	STATE_ENDED = 1,    /* the program ended */
	STATE_PRUNED = 2,   /* an assumption of the program cut this path */
	STATE_VIOLATED = 4, /* a violation was reported */
};

enum vm_end { END_NONE, END_VIOLATION, END_PRUNED, END_PROGRAM, END_DEATH, END_INCONCLUSIVE, END_SPLIT };

/* How a step ended that did not come to rest. */
struct vm_ending {
	enum vm_end end;
	unsigned kind;       /* of a violation: enum vm_violation_kind */
	enum vm_limit limit; /* inconclusive: what was too small */
	uint32_t location;
	unsigned slot; /* thread that ran */
	bool wild;     /* the fault is of a kind that kills processes, and perhaps this one does not */
	char message[600];
};

#define LOOP_BUDGET      5000u /* rounds of invisible loops in one step */
#define VM_MAX_SLOTS     256u
#define STATE_GLOBALS    2u /* which word has the globals */
#define STATE_RECORDS    4u /* ... and the records */
#define STATE_WORDS      5u /* before the slots */
#define STATE_SLOT_WORDS 3u

struct vm {
	struct image image;
	unsigned max_threads;
	unsigned thread_capacity;    /* how many of `threads` have memory */
	uint32_t span;               /* object numbers of one thread: first of its locals, then of its heap */
	uint32_t locals;             /* how many of these are for locals */
	unsigned tls_count;          /* thread-local variables */
	uint32_t *tls_global;        /* which global each of them is */
	uint32_t *global_index;      /* of each global: index in the globals' map, IMAGE_NONE for constants and thread-locals */
	uint32_t *global_number;     /* of each index in that map: the object number */
	struct vm_object *constants; /* by global; present only for constant ones */
	vm_ref initial;              /* state before the program starts */
	bool initial_unvalued;       /* a proposition could not be evaluated in the initial state */
	vm_ref cut;                  /* final state of paths that were given up */

	vm_ref ref; /* the state that was loaded; 0 once something has been changed */
	struct vm_map globals;
	unsigned slots;            /* thread slots in use, 0 .. slots-1 */
	struct vm_thread *threads; /* the one behind the last evaluates properties */
	struct vm_thread *current; /* the thread that runs */
	struct vm_thread *born;    /* a thread that the call under way has made, and that has not come to a scheduling point yet */
	uint32_t choice;           /* outcome chosen for the step under way */
	uint64_t budget;           /* instructions left before an invisible loop must rest */
	bool freeing;       /* for reports: the access under way is the end of memory from malloc; false when a step begins */
	bool noticeable;    /* the step under way has done what other threads or properties could tell, see cuts_path() in exec.c */
	bool protects;      /* the program may protect memory: see memory/protect.c */
	bool exclusive;     /* in the state stored last, somebody in an atomic section keeps the others out */
	uint32_t forgotten; /* outermost frames of the running thread whose variables are gone, see vm_check_remembered() */
	uint64_t forgotten_bytes;                /* how much stack these frames took */
	const struct image_property *evaluating; /* a property is evaluated: nothing may change */
	unsigned propositions;                   /* of formulas: how many the image has */
	/* names of threads by their creators (sync/names.c, search/step/trial.c); the same in all states */
	struct vm_names {
		uint8_t kept
			[VM_MAX_SLOTS]; /* of each slot: 1 + the slot of the creator whose threads it is kept for; 0: of nobody */
		bool trial;             /* a trial run finds out how many slots each creator needs */
		bool once; /* the slot of a thread that has ended detached is spent: it is used again only if no other is free */
		unsigned wanted; /* slots that all names need; 0: nothing is kept */
	} names;
	bool ends; /* some property asks which threads have ended: `started` is part of the state */
	unsigned
		reductions; /* enum image_reduction: those the image asks for that go with its properties; less those with fields here */
	bool owned;         /* ... of which one leaves out steps of loads (translator/analyse/owners.c) */
	bool apart;         /* ... of which one keeps records of accesses beside the states, see search/reduce/histories.h */
	bool orders;        /* the step under way has let other threads know more of what came before it, see memory/records.h */
	bool slicing;       /* ... which is on: in a state, data on which nothing depends are 0 (translator/analyse/relevance.c) */
	bool trusting;      /* ... without the checks of levels.h, for tests */
	bool slices;        /* ... so they are in the working state; in a replay, not in all (search/replay/whole_states.h) */
	uint8_t poison;  /* for tests: what they are instead of 0 */
	uint64_t unseen; /* values that were left out so far */
	/* of these, while steps are tried, values in memory that others can see: other ones than before, for sure; and the rest */
	uint64_t unseen_changes, unseen_shared;
	bool outward; /* a step has printed, looked at a clock or looked for threads to wake: set, and never cleared, by steps */
	bool silent;  /* steps are tried: what they print is dropped */
	/* ranges that properties have read, see proposition.c */
	struct vm_watch {
		struct vm_range *ranges;
		uint32_t count, capacity;
		uint32_t written; /* location of the last write to one of them in the step under way; 0: none */
	} watch;
	/* of accesses that other threads may not know of, see records.h */
	struct vm_records {
		vm_ref ref; /* stored form, valid unless dirty */
		bool loaded, dirty;
		struct vm_record *items;
		struct vm_holders *sets;
		struct vm_message *messages;
		uint32_t count, capacity, set_count, set_capacity, message_count, message_capacity;
	} records;
	uint64_t valuation;                             /* of the working state, when it was last evaluated */
	uint64_t started[VM_MAX_SLOTS / 64];            /* threads that have been started, a bit each */
	void (*view)(const void *bytes, uint64_t size); /* takes what an abstraction says of the state; NULL: none is evaluated */
	FILE *trace;                                    /* where a replay writes its instructions and states; NULL: nowhere */
	bool in_library;         /* the running thread is in the C library: its accesses are no news in a story */
	uint32_t location;       /* of the instruction under way */
	jmp_buf escape;          /* where vm_violation() and the like go while a step is under way */
	jmp_buf *doom;           /* where a fault goes that is suppressed and after which the thread cannot go on; NULL: nowhere */
	bool keeps_unset;        /* reports of uninitialized values are suppressed: such bits are those of computing with zeros */
	bool stepping;           /* a step is under way */
	bool symbolic;           /* inputs are sets of values, see symbolic/symbolic.h */
	struct vm_ending ending; /* how the last step ended */
	unsigned step;           /* in a replay: the number of pan's step */
	unsigned most_slots;     /* the most slots in use at once in any state so far */
	struct vm_met met;       /* what the steps so far have met */
	unsigned preemptions;    /* how many came before the step under way, when preemptions are bounded */
};

extern struct vm vm_this;

/* Is any of these reductions on? */
static inline bool vm_reduces(unsigned reductions)
{
	return vm_this.reductions & reductions;
}

/* Set up the working state for up to `slots` threads at once, with no thread, and the globals as they are before the program
 * starts. The image must be loaded.  vm_state_arrange: change how many threads there may be; there must be none now. */
void vm_state_init(unsigned slots);
void vm_state_close(void);
void vm_state_arrange(unsigned slots);

/* Store a blob and return its ref.  The step is inconclusive if there is no more room. */
vm_ref vm_state_put(const void *bytes, uint64_t size);

/* Load state `ref` as the working state; or a state that has these words and is not stored yet. */
void vm_state_load(vm_ref ref);
void vm_state_load_words(const uint32_t *words);

/* Store the working state, in which all threads are at scheduling points, and return its ref.  `outcomes` has the number of
 * outcomes of each slot, `records` is the ref of the stored records of accesses, 0 if there are none. */
vm_ref vm_state_store(const uint8_t *outcomes, vm_ref records);

/* Store the working state as a final one, with its globals only, and return its ref. */
vm_ref vm_state_store_final(enum vm_state_flag flag);

/* Return the ref in the table proper of a state that may be transient (table.h). */
vm_ref vm_state_keep(vm_ref ref);

/* Forget the working state, because the state that it was loaded from may be gone. */
void vm_state_forget(void);
/* Store the globals as they are now, and return the ref of their map. */
vm_ref vm_state_store_globals(void);

/* Debug: assert the invariants above of the working state, or of a stored one. */
void vm_state_check(void);
void vm_state_check_stored(vm_ref ref);

/* Debug: load state `ref` and take all of it for changed, so that storing it again must give the same ref. */
void vm_state_reload(vm_ref ref);

/* Return the thread in a slot, with header, segment and frames unpacked.  vm_thread_look: without refusing a summary of the step,
 * as looking at another thread does otherwise (reads.h).  vm_thread_change: ready to be changed. */
struct vm_thread *vm_thread_load(unsigned slot);
struct vm_thread *vm_thread_look(unsigned slot);
struct vm_thread *vm_thread_change(unsigned slot);

/* Return the live registers of a frame where it is: a count, then as many slots.  Other registers hold whatever was there before,
 * and nothing may depend on them.  The word before the count says how many of the live registers only count rounds of a loop that
 * the frame is in; these registers stand before that word. */
const uint32_t *vm_frame_live(const struct vm_frame *frame);

/* Return the words of a stored state, which stay until some dozens of other states have been asked for or stored. */
const uint32_t *vm_state_words(vm_ref ref);

/* Return how many bytes the words of a state have, with what stands behind the words.  vm_words_put, vm_state_put_words: store a
 * state with these words, and return its ref; if there is no more room, return 0, or let the step be inconclusive. */
uint32_t vm_words_size(const uint32_t *words);
vm_ref vm_words_put(const uint32_t *words);
vm_ref vm_state_put_words(const uint32_t *words);

/* Return the bytes that a state would take if it shared nothing with others. */
uint64_t vm_state_size(vm_ref state);

/* Are formulas checked, so that cycles and the values of propositions count? */
static inline bool vm_is_temporal(void)
{
	return vm_this.propositions > 0;
}

static inline const uint8_t *vm_state_outcomes(const uint32_t *words)
{
	return (const uint8_t *)(words + STATE_WORDS + words[1] * STATE_SLOT_WORDS);
}

/* Return the ref of the thread in a slot; 0 if there never was one. */
static inline vm_ref vm_state_thread(const uint32_t *words, unsigned slot)
{
	return slot < words[1] ? words[STATE_WORDS + slot * STATE_SLOT_WORDS] : 0;
}

/* Return the header of a thread in a stored state, where it lies in the table; NULL if there is no thread. */
static inline const vm_stored_header *vm_thread_stored(vm_ref state, unsigned slot)
{
	vm_ref thread = vm_state_thread(vm_state_words(state), slot);
	return thread ? vm_table_get(thread) : NULL;
}

/* Return where the values of propositions are, if vm_is_temporal(), with the started threads behind them; else where the started
 * threads are. */
static inline const uint8_t *vm_state_extra(const uint32_t *words)
{
	return vm_state_outcomes(words) + words[1];
}

/* Objects.  vm_map_find: return the object at an index, or NULL.  vm_map_look: the same of an index below the map's count, loading
 * the object if need be.  vm_map_add: make an object at an index, dirty and filled with zeros; with OBJECT_SHADOWED, all of it is
 * uninitialized.  vm_map_remove: remove the object, and bury it if it is OBJECT_HIDDEN.  vm_map_bury: bury an index at which there
 * is no object.  vm_map_is_taken: is an object at the index, or buried there?
 * vm_object_change: make bytes [low, high) of an object ready to be written, or only what is said of the object if these are none.
 * vm_object_change_all: make all bytes ready.  vm_object_shadow: give the object a shadow, filled with a byte, and return it.
 * vm_object_used: return the least offset from `at` on that is not in a page which is known to be zero. */
struct vm_object *vm_map_look(struct vm_map *map, uint32_t index);
static inline struct vm_object *vm_map_find(struct vm_map *map, uint32_t index)
{
	if (index >= map->count)
		return NULL;
	struct vm_object *object = &map->objects[index];
	if (object->epoch != map->epoch || object->generation)
		return vm_map_look(map, index);
	return object->present ? object : NULL;
}
struct vm_object *vm_map_add(struct vm_map *map, uint32_t index, const struct vm_object_header *header);
/* Return an index below the map's count from which on no object is present: far behind them, indices may be buried. */
uint32_t vm_map_bound(struct vm_map *map);
void vm_map_remove(struct vm_map *map, uint32_t index);
void vm_map_bury(struct vm_map *map, uint32_t index);
bool vm_map_is_taken(struct vm_map *map, uint32_t index);
void vm_object_change(struct vm_map *map, struct vm_object *object, uint32_t low, uint32_t high);
static inline void vm_object_change_all(struct vm_map *map, struct vm_object *object)
{
	vm_object_change(map, object, 0, object->header.size);
}
uint8_t *vm_object_shadow(struct vm_object *object, uint8_t byte);
uint64_t vm_object_used(const struct vm_object *object, uint64_t at);
/* Return the step by which vm_object_used() is to be asked: a page, or all of the object. */
static inline uint64_t vm_object_stride(const struct vm_object *object)
{
	return object->header.size > OBJECT_SMALL ? vm_object_page(object->header.size) : object->header.size + 8;
}

/* Return the word at an offset of an object; 0 if it does not lie in the object as a whole. */
static inline uint64_t vm_object_word(const struct vm_object *object, uint64_t at)
{
	uint64_t word = 0;
	if (at + sizeof word <= object->header.size)
		memcpy(&word, object->bytes + at, sizeof word);
	return word;
}

/* Push a frame of `function` to a thread that has been vm_thread_change()d.  Return the registers of the frame, which have no
 * values yet; NULL when the stack is full. */
uint64_t *vm_thread_push(struct vm_thread *thread, uint32_t function);

/* Grow an array from malloc() to `need` elements at least, or to twice its size; new elements are zero.  Return where it is now. */
void *vm_grow(void *array, uint32_t *capacity, uint64_t need, size_t element);

/* Return scratch memory that lives until the next vm_state_load().  vm_scratch_reset: use it again, while no state is loaded.
 * vm_scratch_free: free all scratch memory. */
void *vm_scratch(uint64_t bytes);
void vm_scratch_reset(void);
void vm_scratch_free(void);

/* Return the size of a thread's stack in bytes. */
uint64_t vm_stack_bytes(const struct vm_thread *thread);

/* Return the location of the operation that a thread is at; 0 if the thread has none left. */
uint32_t vm_thread_location(const struct vm_thread *thread);

/* Begin to keep shadows of a thread's registers, which are all 0 at first. */
void vm_shadow_begin(struct vm_thread *thread);

/* Drop these shadows, because all registers are initialized or will not be read again. */
void vm_shadow_clear(struct vm_thread *thread);

/* ---- registers ----------------------------------------------------------------------------------------------------- */

/* Return the instruction that a frame is at; vm_operand: the value of an operand. */
static inline const struct image_insn *vm_insn_at(const struct vm_frame *frame)
{
	return vm_this.image.code + vm_this.image.functions[frame->function].code + frame->pc;
}

static inline uint64_t vm_operand(uint32_t operand, const uint64_t *registers, const uint64_t *constants)
{
	return operand & IMAGE_CONST ? constants[operand & ~IMAGE_CONST] : registers[operand];
}

static inline uint64_t vm_mask(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline int64_t vm_signed(uint64_t value, unsigned bits)
{
	return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* ---- addresses (place.c) ------------------------------------------------------------------------------------------- */

enum vm_access {
	ACCESS_READ,
	ACCESS_WRITE, /* plain */
	ACCESS_SYNC_READ,
	ACCESS_SYNC_WRITE, /* atomic, or the inside of a lock: races only with plain accesses */
};

/* Where an address points: an object (NULL if there is none) and the offset in the object. */
struct vm_place {
	struct vm_map *map; /* NULL for constants and functions */
	struct vm_object *object;
	int64_t offset;
	uint32_t number; /* of the object that the address is in or near */
	bool heap;       /* the number is one of malloc's */
};
/* Return the place of an address.  vm_place_of() notes that the step reads the whole object (reads.h); callers of vm_place_look()
 * note what they read. */
struct vm_place vm_place_of(uint64_t address);
struct vm_place vm_place_look(uint64_t address);

/* Are there `size` bytes at an address, all of whose bits are initialized? */
bool vm_is_set(uint64_t address, uint64_t size);

/* Is the place in a dynamic object of another thread than the running one? */
bool vm_is_others(const struct vm_place *place);

/* Are `size` bytes all 0? */
bool vm_is_zero(const uint8_t *bytes, uint64_t size);

/* Can other threads see an access to this address? */
bool vm_is_shared(uint64_t address);

#endif
