/* SPDX-License-Identifier: MIT
 *
 * What the program asks the world for, and no outcome depends on (runtime/state/untried.def): calls of which the answer is only
 * shown, and loads that decide nothing.
 */
#include "analyse.h"
#include "relevance.h"
#include "../read/read.h"
#include "../../runtime/image/policy.h"

#include <string.h>

/* Functions that ask for what is not tried in all ways (runtime/state/untried.def), and return it as a number or write it where
 * an argument points.  What others return is asked for to decide something: whether a file is there. */
static const struct question {
	const char *name;
	unsigned argument, size; /* where it writes to, and how much; size 0: nowhere */
	bool seeded;             /* what it returns comes of a seed */
} questions[] = {
	{ "time", 0, 8, false },           { "clock", 0, 0, false },         { "gettimeofday", 0, 16, false },
	{ "clock_gettime", 1, 16, false }, { "timespec_get", 0, 16, false }, { "rand", 0, 0, true },
	{ "random", 0, 0, true },          { "drand48", 0, 0, true },        { "lrand48", 0, 0, true },
	{ "mrand48", 0, 0, true },         { "getpid", 0, 0, false },        { "getppid", 0, 0, false },
	{ "gettid", 0, 0, false },         { "getuid", 0, 0, false },        { "geteuid", 0, 0, false },
	{ "getgid", 0, 0, false },         { "getegid", 0, 0, false },       { "getchar", 0, 0, false },
	{ "sysconf", 0, 0, false },        { "get_nprocs", 0, 0, false },    { "get_nprocs_conf", 0, 0, false },
};

static const struct question *question_of(const struct translation *t, const struct image_insn *insn)
{
	if (insn->op != IMAGE_CALL)
		return NULL;
	const struct image_function *f = builder_at((struct builder *)&t->builder, IMAGE_FUNCTIONS, insn->a);
	const char *name = builder_at((struct builder *)&t->builder, IMAGE_STRINGS, f->name);
	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
		if (f->flags & (FUNCTION_LIBRARY | FUNCTION_EXTERN) && strcmp(questions[i].name, name) == 0)
			return &questions[i];
	return NULL;
}

static bool is_shown_only(struct relevance *r, uint32_t function, const struct image_insn *insn, const struct question *question)
{
	if (relevance_of_result(r, function, insn) == LEVEL_VALUE)
		return false;
	const uint32_t *arguments = insn->c ? builder_at(r->p.b, IMAGE_POOL, insn->b) : NULL;
	if (question->size == 0 || insn->c <= question->argument)
		return true;
	uint32_t to = arguments[question->argument];
	return ((to & IMAGE_CONST) && relevance_pointers(r, function, to)->count == 0) ||
		relevance_of_memory(r, function, to, question->size) != LEVEL_VALUE;
}

/* May the program sleep?  A thread that sleeps in a loop may read for how long, and does not wait for that to change
 * (runtime/search/hang/hangs.h). */
static bool sleeps(const struct translation *t)
{
	for (uint32_t i = 0; t->request->options.waits && i < t->nfunctions; i++) {
		const struct image_function *f = builder_at((struct builder *)&t->builder, IMAGE_FUNCTIONS, i);
		const char *name = builder_at((struct builder *)&t->builder, IMAGE_STRINGS, f->name);
		if ((f->flags & FUNCTION_EXTERN) && (builtin_flags(name) & BUILTIN_SLEEPS))
			return true;
	}
	return false;
}

void mark_questions(struct translation *t)
{
	struct relevance r = { .t = t, .deciding = true };
	struct builder *b = &t->builder;
	bool begun = false, loads = sleeps(t), seeded = seeds_itself(t);
	for (uint32_t i = 0; i < t->nfunctions; i++) {
		const struct image_function *f = builder_at(b, IMAGE_FUNCTIONS, i);
		for (uint32_t k = 0; !(f->flags & FUNCTION_LIBRARY) && k < f->ncode; k++) {
			struct image_insn *insn = builder_at(b, IMAGE_CODE, f->code + k);
			const struct question *question = question_of(t, insn);
			bool load = loads && insn->op == IMAGE_LOAD && !(insn->aux & IMAGE_ATOMIC);
			if (question && question->seeded && seeded) {
				insn->aux |= IMAGE_SHOWN_ONLY;
				continue;
			}
			if (!question && !load)
				continue;
			if (!begun && !relevance_find(&r)) {
				relevance_release(&r);
				return;
			}
			begun = true;
			if (load && relevance_of_result(&r, i, insn) != LEVEL_VALUE)
				insn->aux |= IMAGE_IDLE;
			if (question && is_shown_only(&r, i, insn, question))
				insn->aux |= IMAGE_SHOWN_ONLY;
		}
	}
	if (begun)
		relevance_release(&r);
}
