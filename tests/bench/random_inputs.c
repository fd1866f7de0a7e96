/* SPDX-License-Identifier: MIT
 *
 * Prints random programs that move one or two inputs about and compare them with constants, in most cases; each comparison that is
 * true sets a bit of `met`.  With -DWANTED=N a program fails if it ends with met == N.
 *
 * With -DNATIVE, it runs for all values of its inputs if these are of 8 or 16 bits, else for those near constants, and prints the
 * rarest value of `met`, and then one that `met` never has.
 *
 *     usage: random_inputs SEED
 */
#include "random.h"

enum { TESTS = 8 };

/* The first ones have as many bits as an int, or more. */
static const char *const places[] = { "i",    "u",    "l",    "global",   "atomic",   "pair.a", "other.a",
				      "a[0]", "a[2]", "*p",   "number.i", "number.u", "c",      "uc",
				      "s",    "us",   "byte", "pair.b",   "pair.c",   "other.b" };
enum { WIDE = 12 };
#define PLACES (sizeof places / sizeof *places)

static const char *const constants[] = {
	"0",     "1",    "2",    "5",     "9",      "77",    "100",   "126",    "127",        "128",
	"129",   "200",  "254",  "255",   "256",    "-1",    "-2",    "-7",     "-127",       "-128",
	"-129",  "1000", "2000", "32766", "32767",  "32768", "65535", "-32767", "-32768",     "65536",
	"-5000", "1u",   "255u", "128u",  "40000u", "-1u",   "3l",    "-3l",    "0x7fffffff", "(-0x7fffffff - 1)"
};
#define CONSTANTS (sizeof constants / sizeof *constants)

static const char *const types[] = { "char", "uchar", "short", "ushort", "int", "uint", "long" };
static const char *const names[] = { "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long" };
enum { TYPES = sizeof types / sizeof *types };

enum { FEW = 5 };

static bool narrow;
static unsigned tests, last, few[FEW]; /* few: the places of this program */

/* One place in three is the one that was written last. */
static const char *source(void)
{
	return places[pick(3) == 0 ? last : few[pick(FEW)]];
}

static const char *target(void)
{
	last = few[pick(FEW)];
	return places[last];
}

static const char *constant(void)
{
	return constants[pick(CONSTANTS)];
}

static const char *comparison(void)
{
	static const char *const all[] = { "==", "==", "!=", "<", "<=", ">", ">=" };
	return all[pick(sizeof all / sizeof *all)];
}

static void move(void)
{
	const char *from = source(), *to = target();
	switch (pick(narrow ? 14 : 40)) {
	case 0:
	case 1: printf("%s = %s + %s;\n", to, from, constant()); break;
	case 2: printf("%s = %s - %s;\n", to, from, constant()); break;
	case 12: printf("%s = (%s)%s;\n", to, names[pick(TYPES)], from); break;
	case 3: printf("%s = %s & %u;\n", to, from, (2u << pick(6)) - 1); break;
	case 5: printf("%s = %s %% %uu;\n", to, from, 2u << pick(3)); break;
	case 6: printf("%s = same(%s);\n", to, from); break;
	case 7: printf("%s = through(%s);\n", to, from); break;
	case 8: puts("other = pair;"); break;
	case 9: puts("memcpy(&a[2], &global, sizeof global);"); break;
	case 4: printf("%s = pick ? %s : %s;\n", to, from, source()); break;
	default: printf("%s = %s;\n", to, from); break;
	}
}

/* What stands for no few values. */
static void compute(void)
{
	const char *from = source(), *to = target();
	switch (pick(7)) {
	case 0: printf("%s = %s * 3;\n", to, from); break;
	case 1: printf("%s = %s ^ %s;\n", to, from, constant()); break;
	case 2: printf("%s = %s + %s;\n", to, from, source()); break;
	case 3: printf("%s = (unsigned)%s >> 2;\n", to, from); break;
	case 4: puts("memcpy((char *)&global + 1, &byte, 1);"); break;
	case 5: puts("memset(&pair.c, 0, sizeof pair.c);"); break;
	default: printf("atomic += %s;\n", from); break;
	}
}

static void test(void)
{
	if (tests == TESTS)
		return;
	unsigned bit = 1u << tests++;
	switch (pick(8)) {
	case 0: printf("if (%s) met |= %u;\n", source(), bit); break;
	case 1:
		printf("switch (+%s) { case 3: case 77: met |= %u; break; case 100: pick = !pick; break; case 127: met |= %u; }\n",
		       source(), bit, bit);
		break;
	case 2: printf("if (%s %s %s) { met |= %u; pick = 1; }\n", source(), comparison(), constant(), bit); break;
	case 3: printf("if (%s > %s && %s <= %s) met |= %u;\n", source(), constant(), source(), constant(), bit); break;
	case 4: printf("if (%s + %s %s %s) met |= %u;\n", source(), constant(), comparison(), constant(), bit); break;
	default: printf("if (%s %s %s) met |= %u;\n", source(), comparison(), constant(), bit); break;
	}
}

static void statements(unsigned count)
{
	while (count-- > 0) {
		putchar('\t');
		unsigned kind = pick(30);
		if (kind < 14)
			move();
		else if (kind < 29 || pick(2))
			test(), puts("\t;");
		else
			compute();
	}
}

static void inputs(unsigned type, unsigned count)
{
	for (unsigned k = 0; k < count; k++)
		printf("\t%s = __VERIFIER_nondet_%s();\n", target(), types[type]);
}

static const char heading[] =
	"#include <limits.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <string.h>\n"
	"extern void reach_error(void);\n"
	"static int global, met, pick;\nstatic _Atomic int atomic;\nstatic unsigned char byte;\nstatic int a[3], *p;\n"
	"static struct { int a; signed char b; short c; } pair, other;\nstatic union { int i; unsigned u; } number;\n"
	"static int same(int x) { return x; }\nstatic long plus(long x) { return x + 2; }\nstatic long (*function)(long) = plus;\n"
	"static long through(long x) { return function(x); }\n"
	"static signed char c; static unsigned char uc; static short s; static unsigned short us;\n"
	"static int i; static unsigned u; static long l;\n";

static void driver(unsigned type, unsigned count)
{
	printf("#ifdef NATIVE\nstatic long given[2];\nstatic int asked;\nstatic long long counts[257];\n"
	       "%s __VERIFIER_nondet_%s(void) { return (%s)given[asked++]; }\n"
	       "static void once(void)\n{\n\tasked = global = met = pick = 0, atomic = byte = 0, c = uc = s = us = i = u = l = 0;\n"
	       "\tmemset(a, 0, sizeof a), memset(&pair, 0, sizeof pair);\n\tmemset(&other, 0, sizeof other);\n"
	       "\tmemset(&number, 0, sizeof number);\n"
	       "\tprogram();\n\tcounts[met]++;\n}\n",
	       names[type], types[type], names[type]);
	puts("int main(void)\n{\n\tint rarest = -1, never = -1;");
	if (type < 4) {
		printf("\tfor (long x = 0; x < %d; x++)\n", type < 2 ? 256 : 65536);
		printf("\t\tfor (long y = 0; y < %d; y++)\n\t\t\tgiven[0] = x, given[1] = y, once();\n", count > 1 ? 256 : 1);
	} else {
		printf("\tstatic const long near[] = { 0");
		for (unsigned k = 0; k < CONSTANTS; k++)
			printf(", %s", constants[k]);
		puts(", LONG_MIN, LONG_MAX };");
		puts("\tfor (unsigned k = 0; k < sizeof near / sizeof *near; k++)\n\t\tfor (long d = -300; d <= 300; d++)\n"
		     "\t\t\tgiven[0] = (long)((unsigned long)near[k] + d), once();");
	}
	puts("\tfor (int k = 0; k < 257; k++)\n\t\tif (counts[k] ? rarest < 0 || counts[k] < counts[rarest] : never < 0)\n"
	     "\t\t\t*(counts[k] ? &rarest : &never) = k;");
	printf("\tprintf(\"%%d %%d\\n\", rarest, %s);\n\treturn 0;\n}\n", type < 4 ? "never" : "256");
	printf("#else\nint main(void)\n{\n\tprogram();\n\tif (met == WANTED)\n\t\treach_error();\n\treturn 0;\n}\n#endif\n");
}

int main(int argc, char **argv)
{
	unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	state = (seed + 1) * 0x9e3779b97f4a7c15;
	narrow = (pick(2), pick(4) == 0); /* what is made narrow, and compared as an int too, has no few values */
	unsigned type = (pick(2), pick(TYPES)), count = type < 2 ? 1 + pick(2) : 1;
	puts(heading);
	printf("%s __VERIFIER_nondet_%s(void);\n", names[type], types[type]);
	puts("static void *thread(void *argument)\n{");
	for (unsigned k = 0; k < FEW; k++)
		few[k] = narrow ? pick(PLACES) : pick(WIDE);
	last = few[0];
	statements(3 + pick(4));
	puts("\treturn argument;\n}");
	puts("static void program(void)\n{");
	printf("\tp = &%s;\n", pick(2) ? "global" : "pair.a");
	inputs(type, count);
	statements(4 + pick(6));
	puts("#ifdef NATIVE\n\tthread(NULL);\n#else\n\tpthread_t id;\n"
	     "\tpthread_create(&id, NULL, thread, NULL);\n\tpthread_join(id, NULL);\n#endif");
	statements(4 + pick(5));
	puts("}");
	driver(type, count);
	return 0;
}
