/* SPDX-License-Identifier: MIT
 *
 * What the generators of random programs share: numbers that follow from the seed, which is put into `state`, indentation, and
 * what they print around their programs.
 */
#ifndef BITSPIN_BENCH_RANDOM_H
#define BITSPIN_BENCH_RANDOM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

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

/* The main of a file with one program; that which can look at the state at the end, too. */
#define RETURNS_PROGRAM "int main(void)\n{\n\treturn program();\n}"
#define LOOKS_AT_END    "int main(void)\n{\n\tint status = program();\n#ifdef FINAL\n#include FINAL\n#endif\n\treturn status;\n}"

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
