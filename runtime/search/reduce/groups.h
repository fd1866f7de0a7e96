/* SPDX-License-Identifier: MIT
 *
 * Groups: some of the threads that are enabled in a state, explored by themselves, with the other ones frozen.  What they touch
 * tells whether anything they do can matter to the others (persistent.h).
 */
#ifndef BITSPIN_GROUPS_H
#define BITSPIN_GROUPS_H

#include "superstep.h"

#include <string.h>

#define MOST_GROUPS 256u /* for a state; and more than there are slots */

/* of slots */
struct set {
	uint64_t words[MOST_GROUPS / 64];
};

static inline void set_add(struct set *set, unsigned slot)
{
	set->words[slot / 64] |= UINT64_C(1) << slot % 64;
}

static inline bool set_has(const struct set *set, unsigned slot)
{
	return set->words[slot / 64] >> slot % 64 & 1;
}

static inline bool set_meets(const struct set *a, const struct set *b)
{
	for (unsigned i = 0; i < MOST_GROUPS / 64; i++)
		if (a->words[i] & b->words[i])
			return true;
	return false;
}

static inline bool set_equal(const struct set *a, const struct set *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

static inline void set_unite(struct set *to, const struct set *from)
{
	for (unsigned i = 0; i < MOST_GROUPS / 64; i++)
		to->words[i] |= from->words[i];
}

/* What is known of a group so far. */
struct group {
	struct set members, woken; /* woken: threads that the group has let go on, or created */
	struct footprint touched,  /* by the steps of the group */
		awaited;           /* what its threads, or those it woke, wait for where they cannot go on */
	struct sections sections;
	uint32_t reads;                /* what its steps read, see unread.c; 0: not known */
	unsigned spent;                /* steps */
	bool failed;                   /* the group can end the program */
	bool complete;                 /* all states of the group have been looked at */
	struct seen {                  /* states that the group has been in */
		vm_ref *stack, *table; /* to be looked at; open addressing, 0: free */
		unsigned depth, used;
		uint32_t capacity, size; /* of the stack; of the table, a power of two */
	} seen;
};

/* Begin with a state, and with the groups that are known from the state before it. */
void vm_groups_begin(const struct expansion *expansion);

/* Note to which ends the runs of the state lead; note which of them is taken next. */
void vm_groups_lead(const struct expansion *expansion);
void vm_groups_follow(vm_ref state, unsigned slot, uint32_t choice);

/* Look at each group of `state` that is known as a whole. */
void vm_groups_each(vm_ref state, void (*look)(struct group *group));

/* Forget what is known of all states, because the table has been renewed. */
void vm_groups_forget(void);

/* Return the group of these threads; NULL if there are too many groups.  A new group knows what the runs of each thread alone
 * do. */
struct group *vm_group_of(const struct set *members);

/* Unite two groups to one. */
struct group *vm_group_unite(const struct group *a, const struct group *b);

/* Does it hold of each state in which the group may be?  False also where these are not known, as the group is known from the state
 * before. */
bool vm_group_has_only(const struct group *group, bool (*holds)(vm_ref state));

/* Look at one more state of the group. */
void vm_group_explore(struct group *group);

bool vm_groups_have_detached(vm_ref state);

/* Is this main, at a join, and are its joins left out?  Where threads are symmetric, a join takes any of them that has ended, shows
 * nothing, and commutes with all that others do: in the other order the state is the same but for which thread is which
 * (sort_threads.c).  Main does nothing else before its last join, for which all must have ended, those too that a group is to keep
 * away from; but a detached one is not waited for.  If main does do something else, the search comes to it and ends. */
bool vm_groups_leave_out_joins(vm_ref state, unsigned slot);

#endif
