/* SPDX-License-Identifier: MIT
 *
 * Threads end, and call the destructors of their thread-specific values before that: one in each turn, as in the VM.
 *
 * The system would call all of them in a row.  So the program's keys have no destructors there.  One key of the library has one,
 * which the system calls when the thread has returned or was cancelled and its cleanup handlers have run; that one calls the
 * destructors of the program, in POSIX's order as the VM has it.
 */
#include "native.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

#define OURS(name) bitspin_native_##name

/* The program calls them; that they have no prototypes is of no use to anybody. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum { KEYS = PTHREAD_KEYS_MAX };

/* the keys of the program that have a destructor or had none; a free one is the next to be used, as in the VM */
static struct key {
	pthread_key_t key;
	bool used;
	void (*destructor)(void *);
} keys[KEYS];
static pthread_key_t own;
static int busy;

/* ---- keys ------------------------------------------------------------------------------------------------------------ */

int OURS(pthread_key_create)(pthread_key_t *key, void (*destructor)(void *))
{
	native_lock(&busy);
	int i = 0;
	while (i < KEYS && keys[i].used)
		i++;
	int error = pthread_key_create(key, i < KEYS ? NULL : destructor);
	if (i < KEYS && error == 0)
		keys[i] = (struct key){ .key = *key, .used = true, .destructor = destructor };
	native_unlock(&busy);
	return error;
}

int OURS(pthread_key_delete)(pthread_key_t key)
{
	native_lock(&busy);
	for (int i = 0; i < KEYS; i++)
		if (keys[i].used && keys[i].key == key)
			keys[i].used = false;
	native_unlock(&busy);
	return pthread_key_delete(key);
}

int OURS(tss_create)(tss_t *key, tss_dtor_t destructor)
{
	return OURS(pthread_key_create)(key, destructor) == 0 ? thrd_success : thrd_error;
}

void OURS(tss_delete)(tss_t key)
{
	OURS(pthread_key_delete)(key);
}

/* ---- the end of a thread --------------------------------------------------------------------------------------------- */

/* Find the destructor to call for the calling thread's value of keys[i]; clear that value and return it.  Return NULL if there is
 * none. */
static void *take_value(int i, void (**destructor)(void *))
{
	native_lock(&busy);
	struct key key = keys[i];
	native_unlock(&busy);
	void *value = key.used && key.destructor ? pthread_getspecific(key.key) : NULL;
	if (value)
		pthread_setspecific(key.key, NULL);
	*destructor = key.destructor;
	return value;
}

static void end(void *thread)
{
	struct thread *me = thread;
	unsigned position = 1;
	native_ending(me, position);
	for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
		for (int i = 0; i < KEYS; i++) {
			void (*destructor)(void *);
			void *value = take_value(i, &destructor);
			if (!value)
				continue;
			destructor(value);
			position = 1 + (unsigned)round * PTHREAD_KEYS_MAX + (unsigned)i + 1;
			native_ending(me, position);
		}
	native_end(me);
}

void native_prepare_ends(void)
{
	pthread_key_create(&own, end);
}

void native_will_end(struct thread *me)
{
	pthread_setspecific(own, me);
}
