/* SPDX-License-Identifier: MIT
 *
 * The VM as a generated Promela model sees it: a function from a program state, a thread and a choice to the next program
 * state.  A state is a handle: a small number that stands for a whole program state in the VM's table; equal states have
 * equal handles.  Handle 0 is the state before the program starts, so a model needs no initialisation.
 *
 * The VM starts itself before pan's main: it maps the image named by the environment variable BITSPIN_IMAGE, else the file
 * program.image beside the running executable.  Where no image can be had, it says so on stderr and exits with 2.
 *
 * While pan searches, the VM reports through pan's uerror(), and, if BITSPIN_RESULT names a file, appends to it one JSON
 * object a line:
 *
 *     {"type":"violation","kind","message","file","line","column","function","thread"}     in the order of pan's error numbers
 *     {"type":"inconclusive","limit","reason","file","line","column"}   a limit that cut the search; line 0: nowhere in
 * particular
 *     {"type":"suppressed","kind","message","file","line","column","function","thread","suppression","unknown"}
 *                                                   a fault that suppression number N of the image covers; "unknown": nobody
 *                                                   knows what follows.  Once for each kind, place and suppression
 *     {"type":"statistics","bytes","resident","ends","threads","met","cut","reasons","saved":{REDUCTION:number,...}}
 *                                                                                           once, at exit; see reduction.def
 *
 * Without such a file it says on stdout that the search is not exhaustive.  A limit that a path meets cuts that path; "cut" is
 * how many were, for so many "reasons".  "preemptions" and "stopped" cut no path; "depth", of SCALE's search, is not counted;
 * "memory" ends the search, and so does "threads" if BITSPIN_MORE_THREADS is set: there is a model with more.
 * If BITSPIN_MEMORY names a file, its first 8 bytes are the most memory that the process may take, in bytes, if that is less
 * than the image says; the number may change during the search.
 * "bytes" is what the table took at most; where pan stores only hashes, and so the VM keeps only what is on the search's path,
 * "renewed" says how often the table was made anew, without the rest.  "resident" is the most memory that the process has had,
 * in bytes; "whole" what a state would take on average if it shared nothing, 0 if that is not known.  "threads" is how many slots
 * were in use at most, "met" what steps have met (state/met.h).  Where the VM has the set of visited
 * states, "skipped" are steps that lead to such and that pan was not offered; "taken", in a crew, those that this process has
 * taken.  If formulas are checked, the statistics have "valuations", the values that the propositions had together in any
 * state, a bit each, unless these are too many; and a replay has, for each step,
 *
 *     {"type":"state","step","state","valuation","threads":[{"thread","enabled","waits","file","line","column","function"}]}
 *
 * where equal "state"s are equal states.  A search under a bound on preemptions has, for each bound that was completed,
 *
 *     {"type":"bound","preemptions","states","transitions","seconds"}
 *
 * with the states of the program that schedules with so many preemptions reach, the steps taken so far and the seconds since
 * the beginning; and its "statistics" have "states", "transitions" and "depth", since the search is the VM's.  "ends" is the
 * number of nodes that offer nothing; with the matches it tells how many paths a search without memory walks.
 * If BITSPIN_CHECKPOINT names a file, such a search leaves there all that it has, after each bound unless that took less than
 * BITSPIN_CHECKPOINT_AFTER seconds (0.5); and it goes on from what it finds there, if the same VM has left it with the same
 * image.  BITSPIN_CHECKPOINT_OF says which these are, in up to 79 characters.  It then repeats the records so far, and writes
 * {"type":"restored","preemptions"}.  If what is there is of no use, or nothing can be left, it writes
 * {"type":"snapshot","trouble"} and goes on.  The file begins with VM_SNAPSHOT_MAGIC.
 * SCALE's search (scale.h) counts by itself: "states" are its representations, "transitions" its actions, "ends" its runs.
 * "kind" is a name of violation.def.  Under `pan -r` (replay) each step also yields the lines of the story, in order:
 *
 *     {"type":"event","step","thread","file","line","column","function","action","detail"}
 *
 * with "callers":[{"function","file","line"}], innermost first, if BITSPIN_CALLERS is set and there are any,
 * and the violation has "stack":[{"function","file","line","column"}], innermost first, and if it is a race, "other": the other
 * access, with "thread", "file", "line", "column" and "stack".  Lines and columns count from 1, columns are bytes; 0: unknown.
 * What is reported once for each place is reported once for each line.  "threads" are those that have not ended: [{"thread",
 * "function","stack","holds","waits"}], with the function that the thread runs, the locks that it holds,
 * [{"object","file","line", "column"}] with the place where each was locked, and, if it waits, text for people on what it
 * waits for.  Of a very deep stack, a frame with "omitted" stands for so many that are left out.
 *
 * A leak is placed where the memory was allocated: so are its "stack" and "thread", and "end":{"file","line","column"} is
 * where the program ended.
 *
 * An event about an object or another thread has more of these, which programs can rely on where "detail" is for people:
 *
 *     "object"     what it is called, as in the detail: b.mutex
 *     "address"    "OBJECT:OFFSET": where it lies; equal for the same place.  The number of an object that is gone may be given
 *                  to a later one
 *     "bytes"      how many of them are read, written, allocated
 *     "value"      text: what was read, or is there now; of a semaphore too
 *     "write"      whether the object was changed: written, a lock taken or given back; of a join, whether the thread has ended
 *     "stale"      it has met a value that is not the newest (--memory c11, tso)
 *     "store"      of an atomic access under --memory c11: the step of the store whose value it has read, or behind which it was
 *                  put in modification order; 0: what was there before all of these
 *     "newer":[..] the steps of the stores that are newer in modification order
 *     "waiting":[..] under --memory tso: the steps of stores to the object that still wait in buffers of other threads, and are not
 *                  read; of a write that another thread's buffer has made, the step in which that thread stored the value
 *     "releases"   the address of the mutex that a wait on a condition variable gives back
 *     "to"         number of the thread that is created, joined, woken, asked to end, or waited for
 *     "woken":[..] the same, if several threads are woken at once
 *     "round"      of an action "again": so many of the last events are a round of a loop in this step,
 *     "times"      which the thread repeats so often
 *
 * and if BITSPIN_SCHEDULE names a file, the steps are written there one by one, without super-steps (search/base/schedule.h);
 * bitspin-drive (drive_main.c) takes such a schedule and has records of its own.
 *
 * If BITSPIN_TURNS is set, a replay also has what a native run needs to repeat it (trace/turns.h), in the order in which it
 * happens:
 *
 *     {"type":"turn","thread","step","choice"}        the thread takes its turn: it does what it rested before, and goes on
 *     {"type":"born","thread"}                a new thread, made in the turn under way, runs to where it first rests
 *     {"type":"rest","thread","file","line","operation","count","begun"}      it has come to rest before this operation, where
 * it
 *                                             gets for the count-th time; begun: in it, as in a wait; no "file": "exit", or one
 *                                             that has no counterpart in the program
 *     {"type":"value","thread","value"}       what a choice in this turn returns
 *     {"type":"fails","thread"}               the call in this turn fails (--faults)
 *     {"type":"given","thread","argument","text"}     the chosen argument of the program; 0: its standard input; null: it
 *                                             is not UTF-8
 *
 * A turn without a rest is the one in which the program ends or is wrong.
 *
 * "step" counts steps of pan from 1; "action" is one of the names in action.def; "detail" is text for people: the
 * variable, its value, who holds the lock.  "thread" is 0 for the thread that runs main.
 */
#ifndef BITSPIN_VM_H
#define BITSPIN_VM_H

#define VM_SNAPSHOT_MAGIC "bitspin states\n"

/* Outcomes a thread's next operation can have in one step; a wider choice is made in several steps. */
#define VM_CHOICES 8

/* Three more options: the only outcome, by a run that is a transaction; or that goes on to the end of its sections (superstep.c);
 * or by one step (worth.c).  A state offers a thread one of these or the run without, which depends on the search; so trails tell
 * them apart. */
#define VM_TRANSACTION VM_CHOICES
#define VM_SECTIONS    (VM_CHOICES + 1)
#define VM_STEP        (VM_CHOICES + 2)
#define VM_OPTIONS     (VM_CHOICES + 3)

/* One more, of thread 0, in a crew: a jump to where a step leads that another process has given (runtime/search/pan/crew.h). */
#define VM_JUMP VM_OPTIONS

/* May `thread` take its next step with outcome `choice` in `state`?  No side effects that a caller could see. */
int vm_enabled(int state, int thread, int choice);

/* Return the state after that step.  If the step ends in a violation, report it and return a state that offers nothing. */
int vm_step(int state, int thread, int choice);

/* Do what vm_step() does, for pan: with `choice` below VM_OPTIONS, under the reductions and the bound on preemptions that the image
 * tells.  With a bound, the VM does its search when pan asks for the first options, and what is allowed then leads to the
 * violations that were found; `place`, 0 at first, is where pan is on the way to them.  Without a bound it stays 0. */
void vm_take(int *state, int *place, int thread, int choice);
int vm_has_places(void); /* is there a bound? */

/* Return the options that are allowed to a thread, a bit each.  pan asks for each thread and each option, so the options of all
 * threads are kept for the state for which they were asked last. */
struct vm_options {
	int not_state, place;   /* ~ of the state: 0 is none */
	unsigned short of[256]; /* threads */
};
extern struct vm_options vm_options;
int vm_options_of(int state, int place, int thread);

/* A pan that stores hashes of states (-DBITSTATE, -DHC4 and its kin), and goes depth first in one process, needs no state that
 * is not on its path, so the VM keeps no others (search/pan/compact.h).  Then a state is told by a hash of all that it holds, of
 * 128 bits: those in `vm`, and the rest.  VM_STATE is its handle; VM_TAKE is vm_take().  Not with claims and views, whose
 * functions are given `vm` itself, nor for a pan that looks for cycles, which visits states twice: there `vm` is the handle.
 * -DVM_WHOLE keeps all states. */
#if !defined(VM_WHOLE) && !defined(VM_VISITED) && !defined(NP) && !defined(BFS) && !defined(BFS_PAR) && \
	!(defined(NCORE) && NCORE > 1) && \
	(defined(HC) || defined(HC0) || defined(HC1) || defined(HC2) || defined(HC3) || defined(HC4) || defined(BITSTATE))
#define VM_REST                             3
#define VM_STATE()                          vm_state_of(now.vm, now.vm_rest)
#define VM_OPTIONS_OF(state, place, thread) vm_options_of(state, place, thread)
#define VM_TAKE(thread, choice)             vm_take_kept(&now.vm, now.vm_rest, &now.place, thread, choice)
#define vm_enabled                          vm_enabled_kept
#define vm_terminated                       vm_terminated_kept
#else
#define VM_REST    0
#define VM_STATE() now.vm
#define VM_OPTIONS_OF(s, p, thread) \
	((s) == ~vm_options.not_state && (p) == vm_options.place ? vm_options.of[thread] : \
								   (VM_KEEP_VISITED(), vm_options_of(s, p, thread)))
#define VM_TAKE(thread, choice) vm_take(&now.vm, &now.place, thread, choice)
#endif

/* -DBITSTATE -DVM_VISITED, for a search for safety that goes depth first in one process, with neither bounds nor views: the VM
 * keeps the set of visited states, a bit for each, and pan asks it in the place of its own array.  So nothing is hashed and
 * nothing is missed: "Bit statespace search" is what pan calls it, but it is exhaustive.  pan's state ends with `vm` then: the
 * processes behind it never change, so they need not be saved and restored.  Said when pan looks at the first state, which it has
 * stored before.
 *
 * -DVM_CREW, too: several such pans search together (runtime/search/pan/crew.h). */
#ifdef VM_VISITED
#define VM_VISITS         1
#define VM_KEEP_VISITED() (b_store = vm_visit, vsize = (unsigned long)((char *)&now.vm - (char *)&now) + sizeof now.vm)
#else
#define VM_VISITS         0
#define VM_KEEP_VISITED() ((void)0)
#endif
extern int vm_visits;                 /* the model sets this to VM_VISITS */
int vm_visit(char *vector, int size); /* mark pan's state, of `size` bytes, as visited; had it been visited before? */

extern int vm_compacts; /* the model says whether VM_REST is not 0 */
int vm_enabled_kept(int state, int thread, int choice);
int vm_terminated_kept(int state);
int vm_state_of(int vm, const unsigned *rest);
void vm_take_kept(int *vm, unsigned *rest, int *place, int thread, int choice);

/* Write what pan writes, lines of a trail or something else; see runtime/search/pan/trail.c. */
long vm_trail_write(int file, const void *bytes, unsigned long count);

/* For claims with fairness built in, which give each of `threads` threads a turn.  `turn` is the thread that is waited for
 * (`threads`: none is left; more: there are no turns now), `left` has the threads whose turns are still to come, `idle` those that
 * have been given up, a bit each.  ..._begin: begin a round.  ..._move: do what a step of `thread` does that has led to `state`.
 * ..._give_up: give up the thread that is waited for.  Under weak fairness, turns of disabled threads are skipped.  vm_idle: is no
 * thread of a set enabled? */
void vm_weak_begin(int state, unsigned char *turn, int *left, int threads);
void vm_weak_move(int state, int thread, unsigned char *turn, int *left, int threads);
void vm_strong_begin(int idle, unsigned char *turn, int *left, int threads);
void vm_strong_move(int thread, int *idle, unsigned char *turn, int *left, int threads);
void vm_strong_give_up(int *idle, unsigned char *turn, int *left, int threads);
int vm_idle(int state, int idle);

/* Does pan search depth first, in one process?  The model says. */
extern int vm_depth_first;

/* Do several processes search together?  The model says. */
extern int vm_processes;

/* Which infinite schedules does the claim look at?  The model says; reductions depend on it. */
enum vm_schedules { VM_SCHEDULES_UNKNOWN, VM_SCHEDULES_ALL, VM_SCHEDULES_FAIR };
extern int vm_schedules;
#ifdef NOFAIR
#define VM_SCHEDULES_UNFAIR VM_SCHEDULES_ALL
#define VM_PAN_MAY_BE_FAIR  0
#else
#define VM_SCHEDULES_UNFAIR VM_SCHEDULES_UNKNOWN
#define VM_PAN_MAY_BE_FAIR  1
#endif
extern int vm_pan_may_be_fair; /* may pan be run with -f, its own fairness?  The model says */

/* Is pan run with -f?  It counts as disabled a process none of whose statements can be executed, but not always one that
 * `provided` holds back: then it misses violations.  So `provided` holds nobody back there. */
#if VM_PAN_MAY_BE_FAIR && !defined(SAFETY)
extern int fairness; /* pan's */
#define VM_IS_FAIR() fairness
#else
#define VM_IS_FAIR() 0
#endif

/* -DNP: pan looks for non-progress cycles, with no formula that the VM knows of.  The model says. */
#ifdef NP
#define VM_SEEKS_CYCLES 1
#else
#define VM_SEEKS_CYCLES 0
#endif
extern int vm_seeks_cycles;

/* What memset() does, for large parts of memory that is not shared: what is zero takes no room until it is written.  pan clears
 * its depth-first stack for as deep a search as was asked for. */
#define VM_LARGE (1ul << 20)
void *vm_clear(void *to, int byte, unsigned long size);

/* A search by several processes: what pan asks of System V's shared memory it gets from the VM (search/pan/several.h), so that
 * nothing stays behind.  The environment variable BITSPIN_CORES is the number of processes; the "statistics" then have
 * "states", those that any process has been led to, and "left", those of them that pan has not looked at: none, if the search
 * is complete. */
#if defined(BFS_PAR) || (defined(NCORE) && NCORE > 1)
#define ftok   vm_ftok
#define shmget vm_shmget
#define shmat  vm_shmat
#define shmdt  vm_shmdt
#define shmctl vm_shmctl
#endif

/* Does a proposition hold in `state`?  They have the numbers 0, 1, ... in the order of the image. */
int vm_holds(int state, int proposition);

/* Does `state` belong to an execution?  Not if an assumption of the program or a violation cut the path: its last state
 * does not go on for ever, as that of a program that has ended does. */
int vm_goes_on(int state);

/* Is `state` the state before the program starts, in which a proposition cannot be evaluated?  Then its valuation means nothing,
 * and the first step is a violation. */
int vm_unvalued(int state);

/* Return the view of a state, on which it is matched where the image says that not all of it counts (masks, abstractions): states
 * that differ only in what does not count have the same view.  Such a model keeps the state itself in a variable that takes
 * no part in matching: VM_UNMATCHED(name) says so to pan, each time before the variable changes.  pan can leave out bytes of
 * what it stores, but not of what it only hashes (-DHC4 and its kin, -DBITSTATE, -DBFS_PAR): there all of the state counts. */
int vm_view(int state);
#if defined(HC) || defined(HC0) || defined(HC1) || defined(HC2) || defined(HC3) || defined(HC4) || defined(BITSTATE) || \
	defined(BFS_PAR)
#define VM_UNMATCHED(name) ((void)0)
/* Threads are hashed, but always the same.  Of pan's two hashes, the one that it takes for tables of up to 2^32 places has 32
 * bits, so that of 200,000 states some are lost already; the other has more.  The first state comes before; it never comes
 * again. */
#define VM_THREADS_UNMATCHED() (hasher = d_hash)
#else
#define VM_UNMATCHED(name) memset(Mask + ((char *)&now.name - (char *)&now), 1, sizeof now.name)
/* The processes of threads never change for pan: they need no place in what it stores of a state.  Nor does what pan keeps before
 * the model's variables, where it looks for no cycles: the vector's size, and what lies between.  (A handle alone fits into the
 * smallest record that pan has.)  Once said, while pan is in one of the threads, this holds for all. */
#ifdef SAFETY
#define VM_BEFORE_VARIABLES ((unsigned long)((char *)&now.vm - (char *)&now))
#else
#define VM_BEFORE_VARIABLES 0
#endif
#define VM_THREADS_UNMATCHED() \
	do { \
		static char *vm_said; /* pan may have several masks */ \
		int vm_i; \
		for (vm_i = 0; vm_said != (char *)Mask && vm_i < (int)now._nr_pr; vm_i++) \
			if (((P0 *)pptr(vm_i))->_t == Pthread->_t) \
				memset(Mask + proc_offset[vm_i], 1, sizeof *Pthread); \
		if (vm_said != (char *)Mask) \
			memset(Mask, 1, VM_BEFORE_VARIABLES); \
		vm_said = (char *)Mask; \
	} while (0)
#endif

/* Tell which steps are allowed, and take one, under another identity of states than equality, which the image tells (identity.h).
 * `identity` stands beside the state and tells apart nodes with the same state, by what happened before what, or all of them.
 * `last` and `used` are for a bound on preemptions: the thread that moved last, and the preemptions so far.
 * vm_enabled_identified: can the thread go on in `state`? */
int vm_enabled_identified(int state, int thread);
int vm_allowed_identified(int state, int identity, unsigned char last, unsigned char used, int thread, int choice);
void vm_take_identified(int *state, int *identity, unsigned char *last, unsigned char *used, int thread, int choice);

/* Is the program over in `state` (ended, cut by an assumption, or in violation)? */
int vm_terminated(int state);

#endif
