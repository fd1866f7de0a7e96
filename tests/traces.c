/* SPDX-License-Identifier: MIT
 *
 * An oracle for --identity hb: a small random concurrent program, and the number of its happens-before graphs, found
 * without clocks or hashes.  All interleavings are walked one by one; two beginnings of interleavings are equivalent iff
 * they have the same actions and order each two dependent ones alike (Mazurkiewicz), so each beginning is written down as
 * the matrix of its ordered dependent pairs, and the different matrices are counted.  (No action of these programs depends
 * on a value that is read.)
 *
 *     usage: traces SEED program         the program, in C
 *            traces SEED count           happens-before graphs, beginnings of interleavings, complete interleavings, and graphs
 *                                        of these
 *
 * The program's main creates two or three threads, joins them in turn and returns; each thread does one to three operations:
 * an atomic load, store or addition, or a locked section with or without one in it.  There are two variables, and a third
 * that is both of them: accesses may overlap in part.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { START, CREATE, JOIN, RETURN, END, LOCK, UNLOCK, LOAD, STORE, ADD };

struct action {
	enum kind kind;
	int thread, object; /* object: a variable, a mutex, the thread that is created or joined */
};

enum { BOTH = 2 }; /* the variable that is all of them */

enum { MOST = 40, THREADS = 4, BYTES = MOST * MOST / 8 };

static struct action actions[MOST];
static int first[THREADS], count[THREADS], threads, total;

/* ---- the program --------------------------------------------------------------------------------------------------- */

static unsigned long seed;

static int any(int n)
{
	seed = seed * 6364136223846793005ul + 1442695040888963407ul;
	return (int)((seed >> 33) % (unsigned long)n);
}

static void add(int thread, enum kind kind, int object)
{
	actions[total++] = (struct action){ .kind = kind, .thread = thread, .object = object };
	count[thread]++;
}

static void add_thread(int thread)
{
	first[thread] = total;
	for (int left = 1 + any(3); left > 0; left--) {
		int mutex = any(2);
		bool locked = any(4) == 0 && left > 1;
		if (locked)
			add(thread, LOCK, mutex);
		if (!locked || any(2))
			add(thread, LOAD + any(3), any(3));
		if (locked) {
			add(thread, UNLOCK, mutex);
			left--;
		}
	}
	add(thread, END, 0);
}

static void make(void)
{
	threads = 3 + any(2);
	first[0] = total;
	add(0, START, 0);
	for (int i = 1; i < threads; i++)
		add(0, CREATE, i);
	for (int i = 1; i < threads; i++)
		add(0, JOIN, i);
	add(0, RETURN, 0);
	for (int i = 1; i < threads; i++)
		add_thread(i);
}

static void print(void)
{
	static const char *const text[] = {
		[LOCK] = "pthread_mutex_lock(&mutex%d)", [UNLOCK] = "pthread_mutex_unlock(&mutex%d)", [LOAD] = "atomic_load(&variable%d)",
		[STORE] = "atomic_store(&variable%d, 1)", [ADD] = "atomic_fetch_add(&variable%d, 1)",
	};
	puts("#include <pthread.h>\n#include <stdatomic.h>\nstatic union { atomic_int half[2]; atomic_llong both; } memory;");
	puts("#define variable0 memory.half[0]\n#define variable1 memory.half[1]\n#define variable2 memory.both");
	puts("static pthread_mutex_t mutex0 = PTHREAD_MUTEX_INITIALIZER, mutex1 = PTHREAD_MUTEX_INITIALIZER;");
	for (int i = 1; i < threads; i++) {
		printf("static void *thread%d(void *p)\n{\n", i);
		for (int k = first[i]; actions[k].kind != END; k++) {
			printf("\t");
			printf(text[actions[k].kind], actions[k].object);
			puts(";");
		}
		puts("\treturn p;\n}");
	}
	printf("int main(void)\n{\n\tpthread_t threads[%d];\n", threads);
	for (int i = 1; i < threads; i++)
		printf("\tpthread_create(&threads[%d], 0, thread%d, 0);\n", i, i);
	for (int i = 1; i < threads; i++)
		printf("\tpthread_join(threads[%d], 0);\n", i);
	puts("\treturn 0;\n}");
}

/* ---- counting ------------------------------------------------------------------------------------------------------ */

static bool synchronise(const struct action *a, const struct action *b)
{
	return (a->kind == CREATE && a->object == b->thread) || (a->kind == JOIN && a->object == b->thread && b->kind == END);
}

static bool dependent(const struct action *a, const struct action *b)
{
	if (a->thread == b->thread || synchronise(a, b) || synchronise(b, a))
		return true;
	bool locks = (a->kind == LOCK || a->kind == UNLOCK) && (b->kind == LOCK || b->kind == UNLOCK);
	bool accesses = a->kind >= LOAD && b->kind >= LOAD && (a->kind != LOAD || b->kind != LOAD);
	bool overlap = a->object == b->object || a->object == BOTH || b->object == BOTH;
	return (locks && a->object == b->object) || (accesses && overlap);
}

struct matrix {
	unsigned char bits[BYTES];
};

static struct matrix *seen;
static size_t seen_count, seen_capacity;

static bool insert(struct matrix *table, size_t capacity, const struct matrix *matrix)
{
	static const struct matrix none;
	unsigned long hash = 14695981039346656037ul;
	for (size_t i = 0; i < BYTES; i++)
		hash = (hash ^ matrix->bits[i]) * 1099511628211ul;
	size_t i = hash % capacity;
	for (; memcmp(&table[i], &none, sizeof none); i = (i + 1) % capacity)
		if (memcmp(&table[i], matrix, sizeof *matrix) == 0)
			return false;
	table[i] = *matrix;
	return true;
}

static int order[MOST], length, at[THREADS], holder[2];
static unsigned long complete_graphs;

static void remember(const struct matrix *matrix)
{
	if (2 * seen_count >= seen_capacity) {
		size_t capacity = 4 * seen_capacity + 1001;
		struct matrix *bigger = calloc(capacity, sizeof *bigger);
		if (!bigger)
			exit(2);
		for (size_t i = 0; i < seen_capacity; i++)
			insert(bigger, capacity, &seen[i]); /* an empty one is taken for the empty beginning, and no harm done */
		free(seen);
		seen = bigger;
		seen_capacity = capacity;
	}
	bool new = insert(seen, seen_capacity, matrix);
	seen_count += new;
	if (new && at[0] == count[0])
		complete_graphs++;
}

static bool enabled(int thread)
{
	if (at[thread] == count[thread])
		return false;
	const struct action *a = &actions[first[thread] + at[thread]];
	if (thread > 0 && at[0] <= thread) /* START, then one CREATE a thread */
		return false;
	return !(a->kind == LOCK && holder[a->object]) && !(a->kind == JOIN && at[a->object] < count[a->object]);
}

/* The beginning order[0 .. length-1]: every action (on the diagonal), every ordered dependent pair. */
static void note(void)
{
	struct matrix matrix = { 0 };
	for (int i = 0; i < length; i++)
		for (int k = i; k < length; k++)
			if (dependent(&actions[order[i]], &actions[order[k]])) {
				int bit = order[i] * MOST + order[k];
				matrix.bits[bit / 8] |= (unsigned char)(1 << bit % 8);
			}
	remember(&matrix);
}

static unsigned long beginnings = 1, complete;

static void walk(void)
{
	complete += at[0] == count[0];
	for (int thread = 0; thread < threads; thread++) {
		if (!enabled(thread))
			continue;
		int action = first[thread] + at[thread]++;
		const struct action *a = &actions[action];
		if (a->kind == LOCK || a->kind == UNLOCK)
			holder[a->object] = a->kind == LOCK;
		order[length++] = action;
		beginnings++;
		note();
		walk();
		length--;
		at[thread]--;
		if (a->kind == LOCK || a->kind == UNLOCK)
			holder[a->object] = a->kind == UNLOCK;
	}
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: traces SEED program | traces SEED count\n", stderr);
		return 2;
	}
	seed = strtoul(argv[1], NULL, 10) * 7919;
	any(2);
	make();
	if (strcmp(argv[2], "program") == 0) {
		print();
	} else {
		walk();
		printf("%zu %lu %lu %lu\n", seen_count + 1, beginnings, complete, complete_graphs); /* + 1: of the empty beginning */
	}
	return 0;
}
