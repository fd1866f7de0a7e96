/* SPDX-License-Identifier: MIT
 *
 * Tables of pointers in initial data: to globals, into arrays, to functions, to strings, cyclic, differences.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct state { const char *name; const struct state *next; int (*run)(int); int *counter; };

static int counters[3];
static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }

extern const struct state stop;
static const struct state work = {"work", &stop, down, &counters[1]};
static const struct state start = {"start", &work, up, counters};
const struct state stop = {"stop", &start, NULL, counters + 2};
static const char *const words[] = {"alpha", "beta", "alpha" + 2, NULL};
static int *const past = counters + 3;
static char *middle = (char *)counters + 5;
static const ptrdiff_t distance = offsetof(struct state, counter);
static void *self = &self;

int main(void)
{
	int x = 0;
	for (const struct state *s = &start; s->run; s = s->next) {
		x = s->run(x) + 10;
		++*s->counter;
	}
	assert(x == 20 && counters[0] == 1 && counters[1] == 1 && counters[2] == 0);
	assert(stop.next->next->next == &stop && !strcmp(stop.next->name, "start"));
	assert(!strcmp(words[2], "pha") && words[3] == NULL && past[-1] == 0 && past - counters == 3);
	assert((char *)&counters[1] + 1 == middle && distance == 24 && *(void **)self == self);
	return 0;
}
