/* SPDX-License-Identifier: MIT
 *
 * An oracle for data races: random programs with atomics of all orders, fences and most of what pthreads
 * wait for, and whether they have
 * a race by the happens-before relation of C11 (release sequences as in C23), found without the VM.  All interleavings are
 * walked, each instruction a step.  An access is an event, and an event is a bit; what a thread knows, what a fence has
 * published or is yet to take in, and what an object passes on are sets of events.  An access races with an earlier one that
 * conflicts and that its thread does not know.
 *
 *     usage: clocks program SEED          the program, in C
 *            clocks verdicts FIRST COUNT  lines "SEED racy OBJECT...", "SEED free" or "SEED large"
 *            clocks rules FIRST COUNT     each rule of happens-before is left out in turn: in how many programs the verdict
 *                                         changes; ends with the number of rules that make no difference
 *
 * weak_program.h makes the programs.
 */
#include <stdint.h>

#include "weak_program.h"

enum { MOST_STATES = 150000, MOST_ATTEMPTS = 8 };

/* ---- what the instructions mean ------------------------------------------------------------------------------------ */

/* Rules of happens-before, to be left out one at a time. */
#define RULES(RULE) \
	RULE(release_store) RULE(relaxed_store_ends_sequence) RULE(acquire_load) RULE(release_modify) RULE(relaxed_modify_keeps) \
	RULE(acquire_modify) RULE(failed_cas_reads_by_failure_order) RULE(consume_acquires) RULE(acquire_fence) RULE(release_fence) \
	RULE(acq_rel_fence_acquires) RULE(acq_rel_fence_releases) RULE(modify_after_release_fence) RULE(store_after_release_fence) \
	RULE(signal_fence_orders_nothing) RULE(relaxed_load_waits_for_fence) RULE(relaxed_load_alone) RULE(relaxed_store_alone) \
	RULE(lock_acquires) RULE(unlock_releases) RULE(failed_trylock_orders_nothing) RULE(trylock_acquires) RULE(post_releases) \
	RULE(post_keeps) RULE(wait_acquires) RULE(wait_releases_nothing) RULE(wait_keeps) RULE(failed_trywait_orders_nothing) \
	RULE(getvalue_orders_nothing) RULE(readers_follow_writers) RULE(writers_follow_writers) RULE(writers_follow_readers) \
	RULE(readers_do_not_follow_readers) RULE(all_readers_count) RULE(sleeping_releases_the_mutex) RULE(waking_acquires_the_mutex) \
	RULE(signal_orders) RULE(time_out_orders_nothing) RULE(barrier_orders) RULE(barrier_orders_the_last) RULE(rounds_are_apart) \
	RULE(initialisation_orders) RULE(create) RULE(join) RULE(atomic_write_conflicts) \
	RULE(atomic_read_conflicts) RULE(atomics_do_not_race) RULE(reads_do_not_race) RULE(acquire_before_check)
#define NUMBER(name) RULE_##name,
#define NAME(name) #name,
enum rule { RULES(NUMBER) ALL_RULES };
static const char *const rule_names[] = { RULES(NAME) };
static enum rule left_out = ALL_RULES;

static bool rule(enum rule number)
{
	return left_out != number;
}

enum kind { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, KINDS };

/* in the middle of an instruction */
enum stage { NOT_IN, ASLEEP, WOKEN, ARRIVED, INITIALISES, HAS_INITIALISED, STUCK }; /* STUCK: AWAIT has read another value */
enum { DONE = UINT8_MAX }; /* value of ONCE; under way: 1 + the thread */

typedef uint64_t events; /* a set: 16 bits a thread */

struct world { /* no padding: worlds are compared as bytes */
	events known[THREADS], published[THREADS], pending[THREADS]; /* published: by a release fence; pending: for an acquire fence */
	events passed_on[OBJECTS];
	events past[LOCATIONS][KINDS];
	uint8_t value[OBJECTS], at[THREADS], accesses[THREADS], begun[THREADS], stage[THREADS];
	int8_t r[THREADS];
};
_Static_assert(sizeof(struct world) % 8 == 0, "no padding");

static unsigned racy; /* objects, as bits */

static bool acquires(enum order order)
{
	return order == ACQUIRE || order == ACQ_REL || order == SEQ_CST || (order == CONSUME && rule(RULE_consume_acquires));
}

static bool releases(enum order order)
{
	return order == RELEASE || order == ACQ_REL || order == SEQ_CST;
}

static bool conflict(enum kind a, enum kind b)
{
	bool both_atomic = a >= ATOMIC_READ && b >= ATOMIC_READ;
	bool writes = a == PLAIN_WRITE || a == ATOMIC_WRITE || b == PLAIN_WRITE || b == ATOMIC_WRITE;
	if ((a == ATOMIC_WRITE || b == ATOMIC_WRITE) && !rule(RULE_atomic_write_conflicts))
		return false;
	if ((a == ATOMIC_READ || b == ATOMIC_READ) && !rule(RULE_atomic_read_conflicts))
		return false;
	return (writes || !rule(RULE_reads_do_not_race)) && (!both_atomic || !rule(RULE_atomics_do_not_race));
}

static void access_to(struct world *w, int t, int object, enum kind kind)
{
	events self = UINT64_C(1) << (16 * t + w->accesses[t]++);
	for (enum kind other = 0; other < KINDS; other++)
		if (conflict(kind, other) && (w->past[object][other] & ~w->known[t] & ~(UINT64_C(0xffff) << 16 * t)))
			racy |= 1u << object;
	w->past[object][kind] |= self;
	w->known[t] |= self;
}

/* The thread reads the object and takes in what that passes on, now or at a fence. */
static void take_in(struct world *w, int t, int object, bool now)
{
	if (now)
		w->known[t] |= w->passed_on[object];
	else if (!rule(RULE_relaxed_load_alone))
		w->known[t] |= w->passed_on[object];
	else if (rule(RULE_relaxed_load_waits_for_fence))
		w->pending[t] |= w->passed_on[object];
}

static void plain(struct world *w, int t, const struct insn *insn)
{
	access_to(w, t, insn->object, insn->op == READ ? PLAIN_READ : PLAIN_WRITE);
	if (insn->op == READ)
		return;
	w->value[insn->object] = insn->op == INIT ? (uint8_t)insn->value : 7;
	w->passed_on[insn->object] = 0; /* without a race nobody can tell: the write is ordered after all that this hides */
}

static void store(struct world *w, int t, const struct insn *insn)
{
	access_to(w, t, insn->object, ATOMIC_WRITE);
	w->value[insn->object] = (uint8_t)insn->value;
	events passed = rule(RULE_store_after_release_fence) ? w->published[t] : 0;
	if (!rule(RULE_relaxed_store_alone) || (releases(insn->order) && rule(RULE_release_store)))
		passed = w->known[t];
	if (!releases(insn->order) && !rule(RULE_relaxed_store_ends_sequence))
		passed |= w->passed_on[insn->object];
	w->passed_on[insn->object] = passed;
}

static void modify(struct world *w, int t, const struct insn *insn)
{
	int f = insn->object, old = w->value[f], new = insn->op == ADD ? old + 1 : insn->op == EXCHANGE ? insn->value : insn->more;
	bool fails = insn->op == CAS && old != insn->value;
	enum order order = fails && rule(RULE_failed_cas_reads_by_failure_order) ? insn->failure : insn->order;
	bool takes_in = acquires(order) && (fails || rule(RULE_acquire_modify));
	w->r[t] = (int8_t)(insn->op == CAS ? !fails : old);
	if (rule(RULE_acquire_before_check))
		take_in(w, t, f, takes_in);
	access_to(w, t, f, fails ? ATOMIC_READ : ATOMIC_WRITE);
	take_in(w, t, f, takes_in);
	if (fails)
		return;
	w->value[f] = (uint8_t)new;
	if (!rule(RULE_relaxed_modify_keeps))
		w->passed_on[f] = 0;
	if (releases(insn->order) && rule(RULE_release_modify))
		w->passed_on[f] |= w->known[t];
	else if (rule(RULE_modify_after_release_fence))
		w->passed_on[f] |= w->published[t];
}

static void load(struct world *w, int t, const struct insn *insn)
{
	bool takes_in = acquires(insn->order) && rule(RULE_acquire_load);
	w->r[t] = (int8_t)w->value[insn->object];
	if (rule(RULE_acquire_before_check))
		take_in(w, t, insn->object, takes_in);
	access_to(w, t, insn->object, ATOMIC_READ);
	take_in(w, t, insn->object, takes_in);
}

static void fence(struct world *w, int t, const struct insn *insn)
{
	bool both = insn->order == ACQ_REL || insn->order == SEQ_CST;
	if (insn->op == SIGNAL_FENCE && rule(RULE_signal_fence_orders_nothing))
		return;
	if (acquires(insn->order) && rule(RULE_acquire_fence) && (!both || rule(RULE_acq_rel_fence_acquires)))
		w->known[t] |= w->pending[t];
	if (releases(insn->order) && rule(RULE_release_fence) && (!both || rule(RULE_acq_rel_fence_releases)))
		w->published[t] = w->known[t];
}

/* A call that waits, or tries; `fails` if it does not get what it is for. */
static void get(struct world *w, int t, const struct insn *insn, bool fails)
{
	int o = insn->object;
	bool mutex = o < SEM, tries = insn->op != LOCK && insn->op != WAIT;
	enum rule when_failed = mutex ? RULE_failed_trylock_orders_nothing : RULE_failed_trywait_orders_nothing;
	enum rule when_got = !mutex ? RULE_wait_acquires : tries ? RULE_trylock_acquires : RULE_lock_acquires;
	if (tries)
		w->r[t] = !fails;
	if (fails ? !rule(when_failed) : rule(when_got))
		w->known[t] |= w->passed_on[o];
	if (fails)
		return;
	w->value[o] = mutex ? (uint8_t)(t + 1) : (uint8_t)(w->value[o] - 1);
	if (!mutex && !rule(RULE_wait_keeps))
		w->passed_on[o] = 0;
	if (!mutex && !rule(RULE_wait_releases_nothing))
		w->passed_on[o] |= w->known[t];
}

static void give(struct world *w, int t, const struct insn *insn)
{
	int o = insn->object;
	if (insn->op == UNLOCK && w->value[o] != t + 1)
		return;
	w->value[o] = o < SEM ? 0 : (uint8_t)(w->value[o] + 1);
	if (o < SEM || !rule(RULE_post_keeps))
		w->passed_on[o] = 0;
	if (rule(o < SEM ? RULE_unlock_releases : RULE_post_releases))
		w->passed_on[o] |= w->known[t];
}

/* ---- read-write locks, condition variables, the barrier, pthread_once ----------------------------------------------- */

/* RWLOCK is the thread that writes, READERS a set of threads, a bit each. */
static bool keeps(const struct world *w, int t)
{
	return w->value[RWLOCK] == t + 1 || (w->value[READERS] >> t & 1);
}

static bool can_have(const struct world *w, enum op op)
{
	return w->value[RWLOCK] == 0 && (op == RDLOCK || op == TRYRDLOCK || w->value[READERS] == 0);
}

static void get_rwlock(struct world *w, int t, enum op op)
{
	bool tries = op == TRYRDLOCK || op == TRYWRLOCK, reads = op == RDLOCK || op == TRYRDLOCK, fails = !can_have(w, op);
	if (keeps(w, t))
		return;
	if (tries)
		w->r[t] = !fails;
	if (fails ? !rule(RULE_failed_trylock_orders_nothing) : rule(reads ? RULE_readers_follow_writers : RULE_writers_follow_writers))
		w->known[t] |= w->passed_on[RWLOCK];
	if (reads ? !rule(RULE_readers_do_not_follow_readers) : !fails && rule(RULE_writers_follow_readers))
		w->known[t] |= w->passed_on[READERS];
	if (!fails)
		w->value[reads ? READERS : RWLOCK] = (uint8_t)(reads ? w->value[READERS] | 1 << t : t + 1);
}

static void give_rwlock(struct world *w, int t)
{
	if (!keeps(w, t))
		return;
	bool wrote = w->value[RWLOCK] == t + 1;
	w->value[wrote ? RWLOCK : READERS] = (uint8_t)(wrote ? 0 : w->value[READERS] & ~(1 << t));
	if (!wrote && !rule(RULE_all_readers_count))
		w->passed_on[READERS] = 0;
	w->passed_on[wrote ? RWLOCK : READERS] |= w->known[t];
}

/* A wait on the condition variable is several steps: fall asleep; time out; get the mutex again. */
static void sleep_on(struct world *w, int t)
{
	if (w->stage[t] == NOT_IN && w->value[M0] == t + 1) {
		w->value[M0] = 0;
		w->passed_on[M0] = rule(RULE_sleeping_releases_the_mutex) ? w->known[t] : 0;
		w->stage[t] = ASLEEP;
	} else if (w->stage[t] == ASLEEP) {
		w->stage[t] = WOKEN;
		w->r[t] = 0;
		if (!rule(RULE_time_out_orders_nothing))
			w->known[t] |= w->passed_on[CONDITION];
	} else {
		if (w->stage[t] == WOKEN) {
			w->value[M0] = (uint8_t)(t + 1);
			w->known[t] |= rule(RULE_waking_acquires_the_mutex) ? w->passed_on[M0] : 0;
		}
		w->stage[t] = NOT_IN;
		w->at[t]++;
	}
}

static int sleepers(const struct world *w)
{
	int count = 0;
	for (int t = 0; t < program.threads; t++)
		count += w->stage[t] == ASLEEP;
	return count;
}

/* A signal wakes one of the sleepers, any.  What the condition variable passes on matters to a wrong rule only. */
static void wake_up(struct world *w, int t, bool all, int choice)
{
	w->passed_on[CONDITION] = rule(RULE_time_out_orders_nothing) ? 0 : w->passed_on[CONDITION] | w->known[t];
	for (int other = 0; other < program.threads; other++) {
		if (w->stage[other] != ASLEEP || (!all && choice-- != 0))
			continue;
		w->stage[other] = WOKEN;
		w->r[other] = 1;
		w->known[other] |= rule(RULE_signal_orders) ? w->known[t] : 0;
	}
}

static void arrive(struct world *w, int t)
{
	w->passed_on[BARRIER] |= w->known[t];
	if (++w->value[BARRIER] < program.parties) {
		w->stage[t] = ARRIVED;
		return;
	}
	w->value[BARRIER] = 0;
	for (int other = 0; other < program.threads; other++) {
		if (other != t && w->stage[other] != ARRIVED)
			continue;
		w->stage[other] = NOT_IN;
		w->at[other]++;
		if (rule(RULE_barrier_orders) && (other != t || rule(RULE_barrier_orders_the_last)))
			w->known[other] |= w->passed_on[BARRIER];
	}
	w->passed_on[BARRIER] = rule(RULE_rounds_are_apart) ? 0 : w->passed_on[BARRIER];
}

/* The first to call it begins the initialisation, accesses, and is done. */
static void call_once(struct world *w, int t)
{
	if (w->stage[t] == INITIALISES) {
		access_to(w, t, program.once.object, program.once.op == READ ? PLAIN_READ : PLAIN_WRITE);
		w->stage[t] = HAS_INITIALISED;
	} else if (w->stage[t] == NOT_IN && w->value[ONCE] == 0) {
		w->value[ONCE] = (uint8_t)(t + 1);
		w->stage[t] = INITIALISES;
	} else {
		if (w->stage[t] == HAS_INITIALISED) {
			w->value[ONCE] = DONE;
			w->passed_on[ONCE] = w->known[t];
		}
		w->known[t] |= rule(RULE_initialisation_orders) ? w->passed_on[ONCE] : 0;
		w->stage[t] = NOT_IN;
		w->at[t]++;
	}
}

/* ---- steps --------------------------------------------------------------------------------------------------------- */

static bool is_free(const struct world *w, int object)
{
	return object < SEM ? w->value[object] == 0 : w->value[object] > 0;
}

static bool finished(const struct world *w, int t)
{
	return w->begun[t] && w->stage[t] == NOT_IN && w->at[t] == program.count[t];
}

/* How many outcomes does the thread's next instruction have? */
static int outcomes(const struct world *w, int t)
{
	if (!w->begun[t] || finished(w, t) || (finished(w, 0) && !program.main_exits))
		return 0;
	const struct insn *insn = &program.code[t][w->at[t]];
	switch ((enum stage)w->stage[t]) {
	case NOT_IN: break;
	case ASLEEP: return insn->op == TIMEDSLEEP;
	case WOKEN: return is_free(w, M0);
	case ARRIVED: case STUCK: return 0;
	case INITIALISES: case HAS_INITIALISED: return 1;
	}
	switch (insn->op) {
	case RDLOCK: case WRLOCK: return keeps(w, t) || can_have(w, insn->op);
	case SIGNAL: return sleepers(w) > 1 ? sleepers(w) : 1;
	case CALL: return w->value[ONCE] == 0 || w->value[ONCE] == DONE;
	case LOCK: case WAIT: return is_free(w, insn->object);
	case JOIN: return finished(w, insn->object);
	default: return 1;
	}
}

static void step(struct world *w, int t, int choice)
{
	const struct insn *insn = &program.code[t][w->at[t]];
	switch (insn->op) {
	case SLEEP: case TIMEDSLEEP: sleep_on(w, t); return;
	case ARRIVE: arrive(w, t); return;
	case CALL: call_once(w, t); return;
	default: w->at[t]++;
	}
	switch (insn->op) {
	case SLEEP: case TIMEDSLEEP: case ARRIVE: case CALL: case RETURN: break;
	case RDLOCK: case WRLOCK: case TRYRDLOCK: case TRYWRLOCK: get_rwlock(w, t, insn->op); break;
	case RWUNLOCK: give_rwlock(w, t); break;
	case SIGNAL: case BROADCAST: wake_up(w, t, insn->op == BROADCAST, choice); break;
	case READ: case WRITE: case INIT: plain(w, t, insn); break;
	case LOAD: load(w, t, insn); break;
	case AWAIT:
		load(w, t, insn);
		w->stage[t] = w->r[t] == insn->value ? NOT_IN : STUCK;
		break;
	case STORE: store(w, t, insn); break;
	case ADD: case EXCHANGE: case CAS: modify(w, t, insn); break;
	case FENCE: case SIGNAL_FENCE: fence(w, t, insn); break;
	case LOCK: case TRYLOCK: case TIMEDLOCK: case WAIT: case TRYWAIT: case TIMEDWAIT:
		get(w, t, insn, !is_free(w, insn->object));
		break;
	case UNLOCK: case POST: give(w, t, insn); break;
	case GETVALUE:
		w->r[t] = (int8_t)w->value[insn->object];
		w->known[t] |= rule(RULE_getvalue_orders_nothing) ? 0 : w->passed_on[insn->object];
		break;
	case CREATE:
		w->begun[insn->object] = 1;
		w->known[insn->object] = rule(RULE_create) ? w->known[t] : 0;
		break;
	case JOIN: w->known[t] |= rule(RULE_join) ? w->known[insn->object] : 0; break;
	case SKIP: w->at[t] = (uint8_t)(w->at[t] + (w->r[t] == insn->value ? insn->more : 0)); break;
	}
}

/* ---- all interleavings --------------------------------------------------------------------------------------------- */

static struct world *worlds; /* all that were met, in that order */
static uint32_t *places;     /* their numbers plus one, by hash */
static uint32_t met;

enum { PLACES = 1 << 19 };

static void meet(const struct world *world)
{
	uint64_t hash = 14695981039346656037u, words[sizeof *world / 8];
	memcpy(words, world, sizeof words);
	for (size_t i = 0; i < sizeof words / 8; i++)
		hash = (hash ^ words[i] ^ hash >> 29) * 1099511628211u;
	uint32_t at = (uint32_t)(hash >> 32) & (PLACES - 1);
	for (; places[at]; at = (at + 1) & (PLACES - 1))
		if (memcmp(&worlds[places[at] - 1], world, sizeof *world) == 0)
			return;
	worlds[met++] = *world;
	places[at] = met;
}

/* The objects that race; all bits if there are too many states. */
static unsigned judge(void)
{
	if (!worlds) {
		worlds = malloc((MOST_STATES + THREADS + 1) * sizeof *worlds);
		places = malloc(PLACES * sizeof *places);
	}
	if (!worlds || !places)
		exit(2);
	memset(places, 0, PLACES * sizeof *places);
	met = 0;
	racy = 0;
	struct world start = { .begun = { 1 }, .value = { [SEM] = (uint8_t)program.units } };
	meet(&start);
	for (uint32_t next = 0; next < met; next++) {
		if (met > MOST_STATES)
			return ~0u;
		for (int t = 0; t < program.threads; t++)
			for (int choice = outcomes(&worlds[next], t); choice-- > 0;) {
				struct world after = worlds[next];
				step(&after, t, choice);
				meet(&after);
			}
	}
	return racy;
}

/* Does one of the rules decide, alone, whether the program has a race? */
static bool is_critical(unsigned found)
{
	bool critical = false;
	for (enum rule number = 0; number < ALL_RULES && !critical; number++) {
		bool basic = number == RULE_create || number == RULE_join || number == RULE_atomics_do_not_race ||
			number == RULE_reads_do_not_race;
		left_out = number;
		critical = !basic && !judge() != !found;
	}
	left_out = ALL_RULES;
	return critical;
}

/* Three of four seeds stand for a program in which some rule matters, if a few attempts give one.  The verdict. */
static unsigned make(unsigned long seed)
{
	unsigned found;
	for (unsigned attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
		make_one(seed, attempt);
		found = judge();
		if (seed / 4 % 4 == 0 || (found != ~0u && is_critical(found)))
			break;
	}
	return found;
}

static void verdict(unsigned long seed)
{
	unsigned found = make(seed);
	printf("%lu %s", seed, found == ~0u ? "large" : found ? "racy" : "free");
	for (int i = 0; i < LOCATIONS && found != ~0u; i++)
		if (found >> i & 1)
			printf(" %s", objects[i]);
	putchar('\n');
}

static int try_rules(unsigned long first, unsigned long count)
{
	unsigned missed[ALL_RULES] = { 0 }, invented[ALL_RULES] = { 0 };
	int same = 0;
	for (unsigned long seed = first; seed < first + count; seed++) {
		unsigned found = make(seed);
		for (enum rule number = 0; number < ALL_RULES && found != ~0u; number++) {
			left_out = number;
			unsigned other = judge();
			missed[number] += found && !other;
			invented[number] += !found && other;
		}
		left_out = ALL_RULES;
	}
	for (enum rule number = 0; number < ALL_RULES; number++) {
		printf("without %-36s %u missed, %u invented\n", rule_names[number], missed[number], invented[number]);
		same += !missed[number] && !invented[number];
	}
	printf("%d of %d rules make no difference\n", same, ALL_RULES);
	return same != 0;
}

int main(int argc, char **argv)
{
	unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 0, count = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	if (argc == 3 && strcmp(argv[1], "program") == 0) {
		make(first);
		print();
	} else if (argc == 4 && strcmp(argv[1], "verdicts") == 0) {
		for (unsigned long seed = first; seed < first + count; seed++)
			verdict(seed);
	} else if (argc == 4 && strcmp(argv[1], "rules") == 0) {
		return try_rules(first, count);
	} else {
		fputs("usage: clocks program SEED | verdicts FIRST COUNT | rules FIRST COUNT\n", stderr);
		return 2;
	}
	return 0;
}
