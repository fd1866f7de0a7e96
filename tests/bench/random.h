/* SPDX-License-Identifier: MIT
 *
 * What the generators of random programs share: numbers that follow from the seed, which is put into `state`, indentation,
 * names, threads that are created and joined, and what they print around their programs.
 */
#ifndef BITSPIN_BENCH_RANDOM_H
#define BITSPIN_BENCH_RANDOM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;

static unsigned pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static inline void indent(int depth)
{
	for (int i = 0; i < depth; i++)
		putchar('\t');
}

/* Give these names, with a blank between two, to what belongs to the program of this seed: a file can have several programs. */
static inline void own_names(const char *names, unsigned long seed)
{
	for (int length; *names; names += length + (names[length] == ' ')) {
		length = (int)strcspn(names, " ");
		printf("#undef %.*s\n#define %.*s %.*s_%lu\n", length, names, length, names, length, names, seed);
	}
}

/* The numbers and the names of the program of this seed. */
static inline void begin(const char *names, unsigned long seed)
{
	state = (seed + 1) * 0x9e3779b97f4a7c15;
	pick(2);
	own_names(names, seed);
}

/* The function t0, t1, ... as a thread, with its handle in id[]; the first `count` of them. */
static inline void create_thread(unsigned t)
{
	printf("\tpthread_create(&id[%u], 0, t%u, 0);\n", t, t);
}

static inline void create_threads(unsigned count)
{
	for (unsigned t = 0; t < count; t++)
		create_thread(t);
}

static inline void join_thread(unsigned t)
{
	printf("\tpthread_join(id[%u], 0);\n", t);
}

static inline void join_threads(unsigned count)
{
	for (unsigned t = 0; t < count; t++)
		join_thread(t);
}

/* The main of a file with one program; that which can look at the state at the end, too: after all other handlers. */
#define RETURNS_PROGRAM "int main(void)\n{\n\treturn program();\n}"
#define LOOKS_AT_END \
	"#ifdef FINAL\n#include <stdlib.h>\nstatic void look(void)\n{\n#include FINAL\n}\n#endif\n" \
	"int main(void)\n{\n#ifdef FINAL\n\tatexit(look);\n#endif\n\treturn program();\n}"

/* Print a file for the arguments SEED [COUNT]: the heading, then that program and its main; or so many programs, of which
 * `selected` is run. */
static inline int print_file(int argc, char **argv, const char *heading, void (*program)(unsigned long seed),
			     const char *main_of_one)
{
	unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, count = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	puts(heading);
	for (unsigned long s = seed; s < seed + (count ? count : 1); s++)
		program(s);
	if (!count) {
		puts(main_of_one);
		return 0;
	}
	puts("int selected;\nint main(void)\n{\n\tswitch (selected) {");
	for (unsigned long s = seed; s < seed + count; s++)
		printf("\tcase %lu: return program_%lu();\n", s, s);
	puts("\t}\n\treturn 0;\n}");
	return 0;
}

#endif
