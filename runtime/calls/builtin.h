/* SPDX-License-Identifier: MIT
 *
 * External functions: the arguments and results of a call, and what the tables say about each function.
 */
#ifndef BITSPIN_BUILTIN_H
#define BITSPIN_BUILTIN_H

#include "../image/policy.h"
#include "../memory/memory.h"

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
	uint32_t count; /* slots of arguments */
	uint64_t results[2];
	uint64_t shadow; /* of the first result; all ones: that is a term (symbolic/symbolic.h) */
	uint64_t passed; /* of the argument that the call passes on to a new thread: all ones: that is a term */
	bool awaited;    /* the thread has awaited an input: it is in the first result, with its shadow */
};

struct builtin {
	const char *name;
	enum vm_outcome (*run)(struct vm_call *call);
	/* Set the thread's wait (enum vm_wait) before it rests at this call; NULL: it can always go on. */
	void (*prepare)(struct vm_call *call);
	unsigned arguments;     /* slots needed at least */
	unsigned flags;         /* enum builtin_flag */
	const char *data;       /* for `run`: what row of a family this is */
	const char *assumption; /* what a verdict assumes when the program calls this, or NULL */
};

/* Return the row of builtin.def with this name, or NULL. */
const struct builtin *builtin_find(const char *name);

/* Return the row of a function of the image, NULL if there is none (resting.c).  builtin_resolve() finds all rows once, after the
 * image has been loaded. */
const struct builtin *builtin_of(uint32_t function);
void builtin_resolve(void);

/* Does the program call, by name or perhaps through a pointer, an external function that `is_wanted` accepts? */
bool builtin_is_used(bool (*is_wanted)(const struct builtin *builtin));
void builtin_bind(const struct builtin *const *rows);

/* Return the function at whose call a frame is that has not entered it; IMAGE_NONE if the frame is at no call. */
uint32_t vm_called_by(const struct vm_thread *thread, const struct vm_frame *frame);

/* Return the external function at whose call, by name or through a pointer, a thread is: at rest before it, or inside of it after
 * it has called back; NULL if there is none.  vm_resting_argument: return an argument of that call; 0 if the call has fewer. */
const struct builtin *vm_resting_call(const struct vm_thread *thread);
uint64_t vm_resting_argument(const struct vm_thread *thread, unsigned number);

/* Return the text to which the first argument points of the call that a thread rests at; "" if it points to none. */
const char *vm_label_of(const struct vm_thread *thread);

/* Set errno of the running thread, if the program can read it; read it (errno.c). */
void vm_set_errno(int value);
int vm_errno(void);

#endif
