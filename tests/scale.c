/* SPDX-License-Identifier: MIT
 *
 * A simulation of SCALE, after algorithms 2 to 6 of Florian's thesis (2010), to compare `--identity scale` with: small programs in
 * a language of their own, as C and as what SCALE does with them.  It is written to be seen to be right.  States are copied,
 * and representations are written down in full: for each action its thread, its outcome, what it accesses and its vector
 * clock, which is computed from all pairs of actions.
 *
 *     usage: scale program TEXT                 the program in C
 *            scale figures TEXT DEPTH [ss] [lcd] [all]    runs, representations, final ones of these, final states
 *            scale random SEED                  the text of a random program
 *
 * With "all", nodes that were seen before are visited again.
 *
 * A text has a part for each thread, with ; between them; the first is main.  A part is a list of words:
 *
 *     rN  read variable N         wN=V  write it       +N -N  write what was read last, plus or minus one
 *     R   read 0 and 1 as one     W=V   write them     aN qN  atomic variables: add one, read
 *     lN uN tN  lock, unlock, try to lock a mutex: 1 or 0 is then what was read last
 *     cN,M  wait on condition variable N with mutex M  sN bN  signal, broadcast
 *     iN=V pN vN  semaphores: initialize, wait, post   dN eN fN  read-write locks: lock to read, to write, unlock
 *     kN jN  create, join thread N   KN JN  the same with a global handle, which the join reads first, as an action of its own
 *     :A  a label     >A  go there     =V>A !V>A  go there if what was read last is V, is not V     z  return
 *     n  choose 0 or 1 as what was read last
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, OPS = 100, OBJECTS = 16, STEPS = 240, ACCESSES = 4, MOST_REPRESENTATIONS = 60000 };

struct op {
	char kind, label;
	int object, value;
};

static struct op ops[THREADS][OPS];
static int count[THREADS], threads;

static void die(const char *why, const char *what)
{
	fprintf(stderr, "scale: %s: %s\n", why, what);
	exit(2);
}

/* ---- programs ------------------------------------------------------------------------------------------------------ */

static struct op parse_word(const char *word)
{
	struct op op = { .kind = word[0] };
	const char *rest = word + 1;
	if (strchr("rwaq+-lutsbpvidefkjcKJ", op.kind))
		op.object = (int)strtol(rest, (char **)&rest, 10);
	if (strchr("=!", op.kind))
		op.value = (int)strtol(rest, (char **)&rest, 10);
	if (strchr(":>", op.kind) || *rest == '>')
		op.label = rest[op.kind != ':' && op.kind != '>'];
	else if (*rest == '=' || *rest == ',')
		op.value = (int)strtol(rest + 1, NULL, 10);
	if (op.object < 0 || op.object >= OBJECTS)
		die("no such object", word);
	return op;
}

static void parse(const char *text)
{
	char *copy = strdup(text), *parts = copy, *part, *word;
	while ((part = strsep(&parts, ";"))) {
		if (threads == THREADS)
			die("too many threads", text);
		while ((word = strsep(&part, " \n")))
			if (*word)
				ops[threads][count[threads]++] = parse_word(word);
		if (threads++ == 0)
			ops[0][count[0]++] = (struct op){ .kind = 'X' }; /* the program ends with main */
	}
	free(copy);
}

/* ---- the program in C ---------------------------------------------------------------------------------------------- */

static const char *const statements[] = {
	['r'] = "last = x.one[%d];", ['w'] = "x.one[%d] = %d;", ['+'] = "x.one[%d] = last + 1;", ['-'] = "x.one[%d] = last - 1;",
	['R'] = "last = (int)x.two;", ['W'] = "x.two = %2$d;", ['a'] = "y[%d]++;", ['q'] = "last = y[%d];",
	['l'] = "pthread_mutex_lock(&m[%d]);", ['u'] = "pthread_mutex_unlock(&m[%d]);",
	['t'] = "last = !pthread_mutex_trylock(&m[%d]);",
	['c'] = "pthread_cond_wait(&c[%d], &m[%d]);", ['s'] = "pthread_cond_signal(&c[%d]);", ['b'] = "pthread_cond_broadcast(&c[%d]);",
	['i'] = "sem_init(&s[%d], 0, %d);", ['p'] = "sem_wait(&s[%d]);", ['v'] = "sem_post(&s[%d]);",
	['d'] = "pthread_rwlock_rdlock(&w[%d]);",
	['e'] = "pthread_rwlock_wrlock(&w[%d]);", ['f'] = "pthread_rwlock_unlock(&w[%d]);",
	['n'] = "last = (int)bitspin_choose(0, 1);",
	['k'] = "pthread_create(&h[%1$d], 0, thread%1$d, 0);", ['j'] = "pthread_join(h[%d], 0);",
	['K'] = "pthread_create(&t[%1$d], 0, thread%1$d, 0);", ['J'] = "pthread_join(t[%d], 0);",
};

static void print_op(const struct op *op)
{
	switch (op->kind) {
	case ':': printf("%c:;\n", op->label); break;
	case '>': printf("\tgoto %c;\n", op->label); break;
	case '=': printf("\tif (last == %d)\n\t\tgoto %c;\n", op->value, op->label); break;
	case '!': printf("\tif (last != %d)\n\t\tgoto %c;\n", op->value, op->label); break;
	case 'z': case 'X': printf("\treturn 0;\n"); break;
	case 'W': printf("\tx.two = %d;\n", op->value); break;
	default:
		if (op->kind < 0 || !statements[(int)op->kind])
			die("no such word", (char[]){ op->kind, 0 });
		printf("\t");
		printf(statements[(int)op->kind], op->object, op->value);
		printf("\n");
	}
}

static void print(void)
{
	puts("#include <bitspin.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>");
	puts("static union { int one[16]; long long two; } x;\nstatic atomic_int y[16];\nstatic pthread_mutex_t m[16];");
	puts("static pthread_cond_t c[16];\nstatic sem_t s[16];\nstatic pthread_rwlock_t w[16];\nstatic pthread_t t[16];");
	for (int i = 1; i < threads; i++)
		printf("static void *thread%d(void *);\n", i);
	for (int i = threads - 1; i >= 0; i--) {
		if (i > 0)
			printf("static void *thread%d(void *unused)\n{\n\t(void)unused;\n", i);
		else
			puts("int main(void)\n{");
		puts("\tvolatile int last = 0;\n\tpthread_t h[16];\n\t(void)last;\n\t(void)h;");
		for (int k = 0; k < count[i]; k++)
			print_op(&ops[i][k]);
		puts("\treturn 0;\n}");
	}
}

/* ---- states -------------------------------------------------------------------------------------------------------- */

enum phase { NORMAL, READ_HANDLE, ASLEEP, WOKEN };

struct state {
	int at[THREADS], last[THREADS], number[THREADS], slot[THREADS]; /* number, slot: -1 if there is no such thread */
	enum phase phase[THREADS];
	int created, x[OBJECTS], y[OBJECTS], owner[OBJECTS], semaphore[OBJECTS], readers[OBJECTS]; /* owner: 0 free, thread + 1 */
	bool over;
};

struct action {
	int thread, number, choice; /* choice: the thread that a signal wakes, or what is chosen; -1: none */
	bool everything;
	int accesses, variable[ACCESSES];
	bool write[ACCESSES];
};

enum variable { PLAIN = 0, ATOMIC = 100, MUTEX = 200, CONDITION = 300, SEMAPHORE = 400, RWLOCK = 500, THREAD = 600, HANDLE = 700 };

static const struct op *next_op(const struct state *s, int thread)
{
	if (s->over || s->number[thread] < 0 || s->at[thread] == count[thread])
		return NULL;
	return &ops[thread][s->at[thread]];
}

static int label(int thread, char name)
{
	for (int i = 0; i < count[thread]; i++)
		if (ops[thread][i].kind == ':' && ops[thread][i].label == name)
			return i;
	die("no such label", (char[]){ name, 0 });
	return 0;
}

/* A thread goes on to its next action, or to its end. */
static void settle(struct state *s, int thread)
{
	for (;;) {
		const struct op *op = s->at[thread] < count[thread] ? &ops[thread][s->at[thread]] : NULL;
		if (!op || !strchr(":>=!z", op->kind))
			return;
		bool jumps = op->kind == '>' || (op->kind == '=' && s->last[thread] == op->value) ||
			     (op->kind == '!' && s->last[thread] != op->value);
		s->at[thread] = op->kind == 'z' ? count[thread] : jumps ? label(thread, op->label) : s->at[thread] + 1;
	}
}

static void start(struct state *s, int thread)
{
	int slot = 0;
	for (int i = 0; i < THREADS; i++)
		if (s->slot[i] == slot) {
			slot++;
			i = -1;
		}
	s->slot[thread] = slot;
	s->number[thread] = s->created++;
	settle(s, thread);
}

static bool ended(const struct state *s, int thread)
{
	return s->number[thread] >= 0 && s->at[thread] == count[thread];
}

static bool enabled(const struct state *s, int thread)
{
	const struct op *op = next_op(s, thread);
	if (!op)
		return false;
	switch (op->kind) {
	case 'l': return !s->owner[op->object];
	case 'c': return s->phase[thread] == NORMAL || (s->phase[thread] == WOKEN && !s->owner[op->value]);
	case 'j': return ended(s, op->object);
	case 'J': return s->phase[thread] == NORMAL || ended(s, op->object);
	case 'p': return s->semaphore[op->object] > 0;
	case 'd': return s->readers[op->object] >= 0;
	case 'e': return s->readers[op->object] == 0;
	default: return true;
	}
}

static void access(struct action *a, int variable, bool write)
{
	a->variable[a->accesses] = variable;
	a->write[a->accesses++] = write;
}

static struct action action_of(const struct state *s, int thread, int choice)
{
	const struct op *op = next_op(s, thread);
	struct action a = { .thread = thread, .number = s->number[thread], .choice = choice };
	switch (op->kind) {
	case 'r': access(&a, PLAIN + op->object, false); break;
	case 'w': case '+': case '-': access(&a, PLAIN + op->object, true); break;
	case 'R': case 'W':
		access(&a, PLAIN + 0, op->kind == 'W');
		access(&a, PLAIN + 1, op->kind == 'W');
		break;
	case 'a': case 'q': access(&a, ATOMIC + op->object, op->kind == 'a'); break;
	case 'l': case 'u': case 't': access(&a, MUTEX + op->object, true); break;
	case 'c':
		if (s->phase[thread] == NORMAL)
			access(&a, CONDITION + op->object, true);
		access(&a, MUTEX + op->value, true);
		break;
	case 's': case 'b': access(&a, CONDITION + op->object, true); break;
	case 'i': case 'p': case 'v': access(&a, SEMAPHORE + op->object, true); break;
	case 'd': case 'e': case 'f': access(&a, RWLOCK + op->object, true); break;
	case 'k': case 'K':
		if (op->kind == 'K')
			access(&a, HANDLE + op->object, true);
		access(&a, THREAD + s->created, true);
		break;
	case 'j': case 'J':
		if (op->kind == 'J' && s->phase[thread] == NORMAL)
			access(&a, HANDLE + op->object, false);
		else
			access(&a, THREAD + s->number[op->object], true);
		break;
	case 'X': a.everything = true; break;
	case 'n': break;
	default: die("no such word", (char[]){ op->kind, 0 });
	}
	return a;
}

static bool sleeps_on(const struct state *s, int thread, int condition)
{
	const struct op *op = next_op(s, thread);
	return op && op->kind == 'c' && op->object == condition && s->phase[thread] == ASLEEP;
}

/* False if the thread has another half of its operation before it. */
static bool perform(struct state *s, const struct op *op, int thread, int choice)
{
	int *x = s->x, last = s->last[thread];
	switch (op->kind) {
	case 'r': s->last[thread] = x[op->object]; break;
	case 'w': x[op->object] = op->value; break;
	case '+': x[op->object] = last + 1; break;
	case '-': x[op->object] = last - 1; break;
	case 'R': s->last[thread] = x[0]; break;
	case 'W': x[0] = op->value; x[1] = 0; break;
	case 'a': s->y[op->object]++; break;
	case 'q': s->last[thread] = s->y[op->object]; break;
	case 'l': s->owner[op->object] = thread + 1; break;
	case 'u': s->owner[op->object] = 0; break;
	case 't':
		s->last[thread] = !s->owner[op->object];
		if (s->last[thread])
			s->owner[op->object] = thread + 1;
		break;
	case 'c':
		s->owner[op->value] = s->phase[thread] == NORMAL ? 0 : thread + 1;
		s->phase[thread] = s->phase[thread] == NORMAL ? ASLEEP : NORMAL;
		return s->phase[thread] == NORMAL;
	case 's':
		if (choice >= 0)
			s->phase[choice] = WOKEN;
		break;
	case 'b':
		for (int i = 0; i < threads; i++)
			if (sleeps_on(s, i, op->object))
				s->phase[i] = WOKEN;
		break;
	case 'i': s->semaphore[op->object] = op->value; break;
	case 'p': s->semaphore[op->object]--; break;
	case 'v': s->semaphore[op->object]++; break;
	case 'd': s->readers[op->object]++; break;
	case 'e': s->readers[op->object] = -1; break;
	case 'f': s->readers[op->object] = s->readers[op->object] < 0 ? 0 : s->readers[op->object] - 1; break;
	case 'k': case 'K': start(s, op->object); break;
	case 'j': case 'J':
		s->phase[thread] = op->kind == 'J' && s->phase[thread] == NORMAL ? READ_HANDLE : NORMAL;
		if (s->phase[thread] == NORMAL)
			s->slot[op->object] = -1;
		return s->phase[thread] == NORMAL;
	case 'X': s->over = true; break;
	case 'n': s->last[thread] = choice; break;
	}
	return true;
}

static struct state after(const struct state *s, const struct action *a)
{
	struct state next = *s;
	if (perform(&next, next_op(s, a->thread), a->thread, a->choice))
		next.at[a->thread]++;
	settle(&next, a->thread);
	return next;
}

/* The actions that are enabled, threads in the order of their creation, waiters in that of their slots. */
static int actions_of(const struct state *s, struct action *to)
{
	int n = 0;
	for (int number = 0; number < s->created; number++)
		for (int i = 0; i < threads; i++) {
			if (s->number[i] != number || !enabled(s, i))
				continue;
			int before = n;
			for (int slot = 0; slot < THREADS && next_op(s, i)->kind == 's'; slot++)
				for (int k = 0; k < threads; k++)
					if (s->slot[k] == slot && sleeps_on(s, k, next_op(s, i)->object))
						to[n++] = action_of(s, i, k);
			for (int value = 0; value < 2 && next_op(s, i)->kind == 'n'; value++)
				to[n++] = action_of(s, i, value);
			if (n == before)
				to[n++] = action_of(s, i, -1);
		}
	return n;
}

/* Definition 9. */
static bool dependent(const struct action *a, const struct action *b)
{
	if (a->number == b->number || a->everything || b->everything)
		return true;
	for (int i = 0; i < a->accesses; i++)
		for (int k = 0; k < b->accesses; k++)
			if (a->variable[i] == b->variable[k] && (a->write[i] || b->write[k]))
				return true;
	return false;
}

static bool writes(const struct action *a)
{
	for (int i = 0; i < a->accesses; i++)
		if (a->write[i])
			return true;
	return a->everything;
}

/* ---- representations ----------------------------------------------------------------------------------------------- */

typedef unsigned char clock[THREADS];

static struct { /* the path; index 1 has the first action */
	struct action action;
	clock clock;
	struct local {
		int at, last;
		enum phase phase;
		bool is_thread;
	} local; /* of the thread that moved, after it */
	struct state state;
	struct superstep *step;
} path[STEPS + 1];
static int depth;

static void set_clock(int at)
{
	memset(path[at].clock, 0, sizeof path[at].clock);
	for (int i = 1; i < at; i++)
		for (int k = 0; k < THREADS; k++)
			if (dependent(&path[i].action, &path[at].action) && path[i].clock[k] > path[at].clock[k])
				path[at].clock[k] = path[i].clock[k];
	path[at].clock[path[at].action.number]++;
}

#define ACTION_BYTES (2 + 2 * ACCESSES + sizeof(clock))

/* The first `length` actions, by thread. */
static size_t represent(int length, unsigned char *to)
{
	size_t n = 0;
	for (int number = 0; number < THREADS; number++)
		for (int i = 1; i <= length; i++)
			if (path[i].action.number == number) {
				to[n++] = (unsigned char)number;
				to[n++] = (unsigned char)(path[i].action.choice + 1);
				for (int k = 0; k < ACCESSES; k++, n += 2) {
					int variable = k < path[i].action.accesses ? 1 + 2 * path[i].action.variable[k] : 0;
					memcpy(to + n, (unsigned short[]){ (unsigned short)(variable + path[i].action.write[k]) }, 2);
				}
				memcpy(to + n, path[i].clock, sizeof(clock));
				n += sizeof(clock);
			}
	return n;
}

static struct representation {
	struct representation *next;
	size_t size;
	unsigned char bytes[];
} *seen[1 << 16];
static int representations, ends, runs, finals;
static struct state final[MOST_REPRESENTATIONS];

static struct representation **slot_of(const unsigned char *bytes, size_t size)
{
	unsigned hash = 2166136261u;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	struct representation **at = &seen[(hash ^ hash >> 16) & 0xffff];
	while (*at && ((*at)->size != size || memcmp((*at)->bytes, bytes, size) != 0))
		at = &(*at)->next;
	return at;
}

static bool is_new(int length)
{
	unsigned char bytes[STEPS * ACTION_BYTES];
	size_t size = represent(length, bytes);
	return !*slot_of(bytes, size);
}

static bool note(int length)
{
	unsigned char bytes[STEPS * ACTION_BYTES];
	size_t size = represent(length, bytes);
	struct representation **at = slot_of(bytes, size);
	if (*at)
		return false;
	if (!(*at = malloc(sizeof **at + size)))
		die("memory", "full");
	(*at)->next = NULL;
	(*at)->size = size;
	memcpy((*at)->bytes, bytes, size);
	if (++representations > MOST_REPRESENTATIONS)
		die("too many representations", "-");
	return true;
}

static void note_final(void)
{
	const struct state *s = &path[depth].state;
	ends++;
	for (int i = 0; i < finals; i++)
		if (memcmp(&final[i], s, sizeof *s) == 0)
			return;
	final[finals++] = *s;
}

/* ---- filters ------------------------------------------------------------------------------------------------------- */

enum { MOST_SUPERSTEPS = 64 };

struct superstep {
	struct supernode *node;
	struct action last, intermediate[STEPS];
	int count;
};

struct supernode {
	struct superstep *steps[MOST_SUPERSTEPS];
	int count;
};

static bool with_supersteps, with_cycles, with_all;
static int bound;

/* Algorithm 5; the node before the first action has no last thread. */
static bool cycle(void)
{
	int thread = path[depth].action.number;
	if (!path[depth].local.is_thread)
		return false;
	for (int i = depth; i > 1; i--) {
		const struct action *a = &path[i].action;
		if (a->number == thread && writes(a))
			return false;
		for (int k = i + 1; k <= depth; k++)
			if ((a->number == thread) != (path[k].action.number == thread) && dependent(a, &path[k].action))
				return false;
		const struct local *x = &path[i - 1].local, *y = &path[depth].local;
		if (path[i - 1].action.number == thread && x->at == y->at && x->last == y->last && x->phase == y->phase)
			return true;
	}
	return false;
}

static struct superstep *add_superstep(struct supernode *node, const struct action *a)
{
	struct superstep *step = calloc(1, sizeof *step);
	if (!step || node->count == MOST_SUPERSTEPS)
		die("too many", "super-steps");
	step->node = node;
	step->last = *a;
	return node->steps[node->count++] = step;
}

/* The condition of algorithm 6, line 7. */
static bool extends(const struct action *list, int n)
{
	const struct superstep *step = path[depth].step;
	int thread = path[depth].action.number, own = 0;
	for (int i = 0; i < n; i++) {
		own += list[i].number == thread;
		if (list[i].number != thread && !enabled(&path[depth - 1].state, list[i].thread))
			return false;
	}
	for (int k = 0; k < step->node->count; k++) {
		const struct superstep *other = step->node->steps[k];
		if (other->last.number == thread)
			continue;
		if (dependent(&step->last, &other->last))
			return false;
		for (int m = 0; m < other->count; m++)
			for (int i = 0; i < n; i++)
				if (list[i].number == thread && dependent(&list[i], &other->intermediate[m]))
					return false;
	}
	return own > 0;
}

/* Algorithm 6.  An action of the same thread with more outcomes begins a super-step of its own for each but the first. */
static int filter(struct action *list, int n, struct superstep **steps)
{
	if (depth > 0 && extends(list, n)) {
		struct superstep *step = path[depth].step;
		int kept = 0;
		step->intermediate[step->count++] = step->last;
		for (int i = 0; i < n; i++) {
			if (list[i].number != path[depth].action.number)
				continue;
			steps[kept] = kept == 0 ? step : add_superstep(step->node, &list[i]);
			steps[kept]->last = list[i];
			list[kept++] = list[i];
		}
		return kept;
	}
	struct supernode *node = calloc(1, sizeof *node);
	for (int i = 0; node && i < n; i++)
		steps[i] = add_superstep(node, &list[i]);
	return n;
}

/* ---- the search ---------------------------------------------------------------------------------------------------- */

static void take(const struct action *a, struct superstep *step)
{
	path[depth + 1].state = after(&path[depth].state, a);
	depth++;
	const struct state *s = &path[depth].state;
	path[depth].action = *a;
	path[depth].step = step;
	path[depth].local = (struct local){
		.at = s->at[a->thread], .last = s->last[a->thread], .phase = s->phase[a->thread],
		.is_thread = !s->over && !ended(s, a->thread),
	};
	set_clock(depth);
}

static void visit(void)
{
	struct action list[THREADS * THREADS];
	struct superstep *steps[THREADS * THREADS] = { 0 };
	bool first = note(depth);
	int all = actions_of(&path[depth].state, list), n = 0;
	if (first && all == 0)
		note_final();
	for (int i = 0; i < all; i++) {
		if (depth == STEPS)
			die("a path is too long", "-");
		path[depth + 1].action = list[i];
		set_clock(depth + 1);
		if (with_all || is_new(depth + 1))
			list[n++] = list[i];
	}
	if (depth >= bound || (n && with_cycles && depth > 0 && cycle()))
		n = 0;
	if (n && with_supersteps)
		n = filter(list, n, steps);
	for (int i = 0; i < n; i++) {
		take(&list[i], steps[i]);
		visit();
		depth--;
	}
	runs += n == 0;
}

static void figures(void)
{
	struct state *s = &path[0].state;
	for (int i = 0; i < THREADS; i++)
		s->number[i] = s->slot[i] = -1;
	start(s, 0);
	visit();
	printf("%d %d %d %d\n", runs, representations, ends, finals);
}

/* ---- random programs ----------------------------------------------------------------------------------------------- */

static unsigned long seed;

static int any(int n)
{
	seed = seed * 6364136223846793005ul + 1442695040888963407ul;
	return (int)((seed >> 33) % (unsigned long)n);
}

static void random_access(void)
{
	switch (any(8)) {
	case 0: case 1: printf("r%d ", any(3)); break;
	case 2: case 3: printf("w%d=%d ", any(3), any(3)); break;
	case 4: printf("R "); break;
	case 5: printf("W=%d ", any(3)); break;
	case 6: printf("r2 +2 "); break;
	case 7: printf(any(2) ? "a0 " : "q0 "); break;
	}
}

/* Something that a thread does, of which all that it takes it gives back. */
static void random_part(int *labels)
{
	char label = (char)('A' + *labels);
	int mutex = any(2);
	switch (any(14)) {
	default: random_access(); break;
	case 0:
		printf("l%d ", mutex);
		random_access();
		printf("u%d ", mutex);
		break;
	case 1: printf("l%d u%d ", mutex, mutex); break;
	case 2:
		*labels += 1;
		printf("t%d =0>%c ", mutex, label);
		if (any(2))
			random_access();
		printf("u%d :%c ", mutex, label);
		break;
	case 3: /* wait for variable 2 */
		*labels += 2;
		printf("l0 :%c r2 !0>%c c0,0 >%c :%c u0 ", label, label + 1, label, label + 1);
		break;
	case 4: printf("l0 w2=1 %s0 u0 ", any(2) ? "s" : "b"); break;
	case 5: printf("%s0 ", any(2) ? "s" : "b"); break;
	case 6: printf("v0 "); break;
	case 7: printf("p0 "); break;
	case 8:
		printf("%s0 ", any(2) ? "d" : "e");
		if (any(2))
			random_access();
		printf("f0 ");
		break;
	case 9: /* spin, at times with a write in it */
		*labels += 1;
		printf(":%c ", label);
		if (any(4) == 0)
			random_access();
		printf("r%d =0>%c ", any(3), label);
		break;
	case 10:
		*labels += 1;
		printf("r%d =%d>%c ", any(3), any(2), label);
		random_access();
		printf(":%c ", label);
		break;
	}
}

static void random_text(void)
{
	int n = 2 + any(2), nested = n > 2 && any(3) == 0;
	bool joins = any(5) > 0, global = any(3) == 0;
	int labels = 0;
	printf("i0=%d ", any(3));
	for (int i = 1; i < n; i++) {
		if (!(nested && i == n - 1))
			printf("%c%d ", global ? 'K' : 'k', i);
		if (any(4) == 0)
			random_part(&labels);
	}
	for (int left = any(3); left > 0; left--)
		random_part(&labels);
	for (int i = 1; i < n && joins; i++)
		printf("%c%d ", global || (nested && i == n - 1) ? 'J' : 'j', i);
	for (int i = 1; i < n; i++) {
		printf("; ");
		labels = 0;
		if (nested && i == 1)
			printf("K%d ", n - 1);
		for (int left = (nested && i == 1 ? 0 : 1) + any(n == 2 ? 4 : 3); left > 0; left--)
			random_part(&labels);
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	if (strcmp(what, "random") == 0) {
		seed = strtoul(argv[2], NULL, 10) * 7919;
		any(2);
		random_text();
	} else if (strcmp(what, "program") == 0) {
		parse(argv[2]);
		print();
	} else if (strcmp(what, "figures") == 0 && argc > 3) {
		parse(argv[2]);
		bound = atoi(argv[3]);
		for (int i = 4; i < argc; i++) {
			with_supersteps |= strcmp(argv[i], "ss") == 0;
			with_cycles |= strcmp(argv[i], "lcd") == 0;
			with_all |= strcmp(argv[i], "all") == 0;
		}
		figures();
	} else {
		die("usage", "scale program TEXT | scale figures TEXT DEPTH [ss] [lcd] [all] | scale random SEED");
	}
	return 0;
}
