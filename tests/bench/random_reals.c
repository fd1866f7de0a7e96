/* SPDX-License-Identifier: MIT
 *
 * Prints random programs with inputs that are floating-point numbers: through arithmetic, conversions, bits, memory, locks and
 * atomics, and the program decides by them.
 *
 * As random_inputs does: each test that is true sets a bit of `met`, and with -DWANTED=N a program fails if it ends with met == N.
 * In most programs the input is one of 65,536: these are the upper bits of a number, or the lower ones near an edge, or an integer
 * that becomes a number.  With -DNATIVE they run for all of these.  Else the input is any number; then the numbers near edges and
 * constants are tried, and random ones.  It prints the rarest value of `met`, one that it has not had, and whether that is "exact"
 * or all that was "tried".
 *
 * Or programs of several threads, for sets.sh, in which each input is one of at most 16.
 *
 *     usage: random_reals SEED [states]
 */
#include "random.h"

enum { TESTS = 8 };

static bool states;
static unsigned tests, depth;

static const char *const floats[] = { "f", "g", "af[0]", "af[1]", "rf.x", "*pf", "shared.f" };
static const char *const doubles[] = { "d", "e", "ad[1]", "rf.y", "un.d", "shared.d" };
static const char *const integers[] = { "i", "u", "l", "s", "un.n[0]", "un.n[1]", "shared.i" };
static const char *const constants[] = { "0.0",          "0.0",      "-0.0",        "1",          "-1",
					 "0.5",          "2",        "3",           "-1.5",       "7",
					 "100",          "0.1",      "0.1f",        "1e-45f",     "-5e-324",
					 "1e300",        "-3.4e38f", "16777216.0f", "16777217.0", "9007199254740993.0",
					 "2147483648.0", "1e-310",   "(1/0.0)",     "(-1/0.0)",   "0x1.fffffep127f",
					 "0x1p-126f",    "1e-40f",   "65504.0" };
#define ANY(list) list[pick(sizeof list / sizeof *list)]

/* The last place of each kind is shared: without a lock, that is a race.  One place in two is the one that was written last. */
static bool races;
#define PLACE(list) list[pick(sizeof list / sizeof *list - !races)]
static const char *last_float = "f", *last_double = "d", *last_integer = "i";

static const char *float_place(void)
{
	return pick(2) ? last_float : PLACE(floats);
}

static const char *double_place(void)
{
	return pick(2) ? last_double : PLACE(doubles);
}

static const char *integer(void)
{
	return pick(2) ? last_integer : PLACE(integers);
}

static const char *real(void)
{
	return pick(2) ? float_place() : double_place();
}

static const char *target(void)
{
	return pick(2) ? (last_float = PLACE(floats)) : (last_double = PLACE(doubles));
}

static const char *target_integer(void)
{
	return last_integer = PLACE(integers);
}

static const char *comparison(void)
{
	static const char *const all[] = { "==", "==", "!=", "<", "<=", ">", ">=" };
	return ANY(all);
}

/* Print one of the operations of a number of arguments. */
static void compute(void)
{
	static const char *const functions[] = { "fabs", "floor", "ceil", "trunc", "rint", "round", "fabsf", "floorf", "ceilf" };
	const char *x = real(), *y = pick(5) ? ANY(constants) : pick(2) ? x : real(), *to = target();
	switch (pick(16)) {
	case 0:
	case 1: printf("%s = %s + %s;\n", to, x, y); break;
	case 2: printf("%s = %s - %s;\n", to, x, y); break;
	case 3: printf("%s = %s - %s;\n", to, y, x); break;
	case 4:
	case 5: printf("%s = %s * %s;\n", to, x, y); break;
	case 6: printf("%s = %s / %s;\n", to, x, y); break;
	case 7: printf("%s = %s / %s;\n", to, y, x); break;
	case 8: printf("%s = -%s;\n", to, x); break;
	case 9: printf("%s = (float)%s;\n", to, x); break;
	case 10: printf("%s = %s(%s);\n", to, ANY(functions), x); break;
	case 11: printf("%s = %s(%s, %s);\n", to, pick(2) ? "fmin" : "fmax", x, y); break;
	case 12: printf("%s = %s %s %s ? %s : %s;\n", to, x, comparison(), ANY(constants), real(), ANY(constants)); break;
	case 13: printf("%s = %s;\n", to, integer()); break;
	case 14: printf("%s = (unsigned)%s;\n", to, integer()); break;
	default: printf("%s = %s;\n", to, x); break;
	}
}

/* What turns numbers into integers, and bits into both. */
static void convert(void)
{
	static const char *const types[] = { "int", "int", "unsigned", "long", "unsigned long", "short", "unsigned char" };
	const char *x = real(), *from = integer();
	bool small; /* whether it fits all types */
	switch (pick(10)) {
	case 0: printf("%s = %s %s %s;\n", target_integer(), x, comparison(), ANY(constants)); break;
	case 1:
	case 2:
		small = pick(2);
		if (!states || pick(4))
			printf("if (%s > %s && %s < %s) ", x, small ? "-1" : "-100.5", x, small ? "100.5" : "16777300.0");
		printf("%s = (%s)%s;\n", target_integer(), small ? ANY(types) : pick(2) ? "int" : "long", x);
		break;
	case 3: printf("%s = of_float(%s);\n", target_integer(), float_place()); break;
	case 4: printf("l = of_double(%s), un.n[0] = (int)l;\n", double_place()); break;
	case 5: printf("%s = to_float(%s + %du);\n", last_float = PLACE(floats), from, pick(3) ? 0 : 0x3f800000); break;
	case 6: printf("%s = to_float(of_float(%s) ^ 0x80000000u);\n", last_float = PLACE(floats), float_place()); break;
	case 7: printf("memcpy(&af[1], &%s, sizeof af[1]);\n", pick(2) ? "f" : "un.n[1]"); break;
	case 8: printf("%s = %s %c %u;\n", target_integer(), from, "+-*"[pick(3)], 1 + pick(3)); break;
	default: printf("%s = %s;\n", target_integer(), from); break;
	}
}

static void share(void)
{
	switch (pick(8)) {
	case 0:
	case 1: printf("pthread_mutex_lock(&mutex); shared.f = %s; pthread_mutex_unlock(&mutex);\n", real()); break;
	case 2: printf("pthread_mutex_lock(&mutex); %s = shared.f; pthread_mutex_unlock(&mutex);\n", target()); break;
	case 3: printf("atomic_bits = of_float(%s);\n", float_place()); break;
	case 4: printf("%s = to_float(atomic_bits);\n", last_float = PLACE(floats)); break;
	case 5: printf("atomic_real = %s;\n", float_place()); break;
	case 6: printf("%s = atomic_real;\n", target()); break;
	default: printf("swap(&rf, &af[%u]);\n", pick(2)); break;
	}
}

/* Print a condition; a free input of one kind is compared with another now and then. */
static void condition(void)
{
	static const char *const classes[] = { "isnan", "isinf", "isfinite", "signbit", "isnormal", "!" };
	const char *x = real();
	switch (pick(12)) {
	case 0: printf("%s(%s)", ANY(classes), x); break;
	case 1: printf("%s %s %s", x, comparison(), x); break;
	case 2: printf("%s %s %s", x, comparison(), pick(3) ? ANY(constants) : real()); break;
	case 3: printf("%s > %s && %s <= %s", x, ANY(constants), x, ANY(constants)); break;
	case 4: printf("%s %s %s %c %s", ANY(constants), comparison(), x, "+-*/"[pick(4)], ANY(constants)); break;
	case 5: printf("%s %s (int)%uu", integer(), comparison(), pick(2) ? pick(8) : 0x7f800000 - pick(3)); break;
	case 6: printf("(float)%s %s %s", x, comparison(), ANY(constants)); break;
	case 7: printf("of_float(%s) %s 0x%xu", float_place(), comparison(), (pick(2) ? 0x7f800000 : 0xbf800000) + pick(3)); break;
	case 8: printf("is%s(%s, %s)", pick(2) ? "less" : "unordered", x, ANY(constants)); break;
	default: printf("%s %s %s", x, comparison(), ANY(constants)); break;
	}
}

static void statements(unsigned count);

static void test(void)
{
	const char *x = real();
	unsigned bit = tests < TESTS ? 1u << tests++ : 0;
	switch (pick(states ? 9 : 7)) {
	case 0:
		printf("if (%s >= 0 && %s < 9) switch ((int)%s) { case 1: case 3: met |= %u; break; case 7: f = 1; }\n", x, x, x,
		       bit);
		break;
	case 1: printf("if (%s >= 0 && %s < 4) met |= ai[(int)%s] ? %u : 0;\n", x, x, x, bit); break;
	case 7: printf("bitspin_assume("), condition(), printf(");\n"); break;
	case 8: printf("assert(!("), condition(), printf("));\n"); break;
	default:
		printf("if ("), condition(), printf(") ");
		if (depth > 2 || pick(3)) {
			printf("met |= %u;\n", bit);
			break;
		}
		printf("{\n");
		depth++;
		statements(1 + pick(2));
		depth--;
		indent((int)depth), printf("\tmet |= %u;\n", bit);
		indent((int)depth), printf("}\n");
	}
}

static void statements(unsigned count)
{
	while (count-- > 0) {
		indent((int)depth);
		unsigned kind = pick(12);
		if (kind < 4)
			compute();
		else if (kind < 6)
			convert();
		else if (kind < 7 || (states && kind < 8))
			share();
		else
			test();
	}
}

/* ---- inputs ------------------------------------------------------------------------------------------------------------ */

/* Print a number that is made of some bits of an input: of `bits` bits, the integer `x`. */
static void made_of(const char *x, unsigned bits)
{
	static const char *const float_edges[] = { "0",           "0x7f800000u", "0x80000000u", "0x3f800000u",
						   "0xff800000u", "0x7fc00000u", "0x4b800000u" };
	static const char *const double_edges[] = { "0",
						    "0x7ff0000000000000",
						    "0x8000000000000000",
						    "0x3ff0000000000000",
						    "0xfff0000000000000",
						    "0x47efffffe0000000",
						    "0x36a0000000000000" };
	switch (pick(8)) {
	case 0: printf("(signed char)%s * 0.25f", x); break;
	case 1: printf("(float)(%s - %u)", x, 1u << (bits - 1)); break;
	case 2:
	case 3: printf("to_float((%s + %uu) << %u)", x, pick(3) ? 0 : pick(256), bits == 16 ? 16 : 32 - bits - pick(4)); break;
	case 4: printf("to_float(%s + %s - %uu)", x, ANY(float_edges), 1u << (bits - 1)); break;
	case 5: printf("to_double(%s << %u)", x, 64 - bits); break;
	case 6: printf("to_double(%s + %sul - %uul)", x, ANY(double_edges), 1u << (bits - 1)); break;
	default: printf("to_double((%s << 52) + 0x7fc0000000000000ul)", x); break;
	}
}

static void input(void)
{
	unsigned bits = 2 + pick(3);
	char text[60];
	indent((int)depth);
	snprintf(text, sizeof text, "(0ul + bitspin_choose(0, %u))", (1u << bits) - 1);
	printf("%s = ", target());
	made_of(text, bits);
	puts(";");
}

static const char heading[] = "#include <math.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n"
			      "#include <stdlib.h>\n#include <string.h>\n"
			      "static float to_float(unsigned bits) { float f; memcpy(&f, &bits, sizeof f); return f; }\n"
			      "static double to_double(unsigned long bits) { double d; memcpy(&d, &bits, sizeof d); return d; }\n"
			      "static unsigned of_float(float f) { unsigned bits; memcpy(&bits, &f, sizeof f); return bits; }\n"
			      "static long of_double(double d) { long bits; memcpy(&bits, &d, sizeof d); return bits; }\n"
			      "static struct { float f; double d; int i; } shared;\nstruct pair { float x; double y; };\n"
			      "static _Atomic unsigned met, atomic_bits;\nstatic _Atomic float atomic_real;\n"
			      "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n"
			      "static void swap(struct pair *p, float *f) { float x = p->x; p->x = *f; *f = x; }\n";

static void locals(void)
{
	puts("\tfloat f = 1, g = 2, af[2] = { 0 }, *pf = &g;\n\tdouble d = 0.5, e = 0, ad[2] = { 0 };\n"
	     "\tint i = 1, ai[4] = { 0, 1, 0, 1 };\n"
	     "\tunsigned u = 2;\n\tlong l = 3;\n\tshort s = 4;\n"
	     "\tstruct pair rf = { 1, 2 };\n\tunion { double d; int n[2]; } un = { 0 };");
	last_float = "f", last_double = "d", last_integer = "i";
}

static void uses(const char *result)
{
	printf("\t(void)f, (void)e, (void)ad, (void)ai, (void)u, (void)l;\n"
	       "\t(void)s, (void)pf, (void)un, (void)af, (void)d, (void)i, (void)rf;\n"
	       "\treturn %s;\n}\n",
	       result);
}

/* ---- threads, and all their states ------------------------------------------------------------------------------------- */

static void thread(const char *name, unsigned count)
{
	printf("static void *%s(void *argument)\n{\n", name);
	locals();
	depth = 1;
	if (pick(3))
		input();
	statements(count);
	uses("argument");
}

static void program_of_states(void)
{
	unsigned threads = 1 + pick(2);
	puts("#include <assert.h>\n#include \"bitspin.h\"");
	puts(heading);
	for (unsigned t = 0; t < threads; t++) {
		char name[] = { 't', (char)('0' + t), '\0' };
		thread(name, 2 + pick(3));
	}
	thread("last", 2 + pick(5));
	printf("int main(void)\n{\n\tpthread_t id[%u];\n", threads);
	create_threads(threads);
	puts("\tlast(NULL);");
	join_threads(threads);
	puts("\tassert(met != 1000);\n\treturn 0;\n}");
}

/* ---- one thread after the other, natively ------------------------------------------------------------------------------ */

static void native_of_all(bool second)
{
	puts("unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)given[0]; }\n"
	     "unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)given[1]; }");
	printf("int main(void)\n{\n\tint rarest = -1, never = -1;\n\tfor (given[0] = 0; given[0] < 65536; given[0]++)\n"
	       "\t\tfor (given[1] = 0; given[1] < %d; given[1]++)\n\t\t\tonce();\n",
	       second ? 16 : 1);
	puts("\tfor (int k = 0; k < 257; k++)\n\t\tif (counts[k] ? rarest < 0 || counts[k] < counts[rarest] : never < 0)\n"
	     "\t\t\t*(counts[k] ? &rarest : &never) = k;\n\tprintf(\"%d %d exact\\n\", rarest, never);\n\treturn 0;\n}");
}

static void native_of_free(bool is_double)
{
	printf("float __VERIFIER_nondet_float(void) { return to_float((unsigned)given[0]); }\n"
	       "double __VERIFIER_nondet_double(void) { return to_double(given[0]); }\n"
	       "unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)given[1]; }\n"
	       "static unsigned long state = 88172645463325252ul;\n"
	       "static unsigned long draw(void) { state ^= state << 13, state ^= state >> 7, state ^= state << 17; return state; }\n"
	       "static void near(double x)\n{\n\tfor (long k = -40; k <= 40; k++)\n"
	       "\t\tfor (given[1] = 0; given[1] < 16; given[1]++)\n"
	       "\t\t\tgiven[0] = (unsigned long)(%s) + (unsigned long)k, once();\n}\n",
	       is_double ? "of_double(x)" : "of_float((float)x)");
	printf("int main(void)\n{\n\tint rarest = -1, never = -1;\n\tstatic const double constant[] = { ");
	for (unsigned k = 0; k < sizeof constants / sizeof *constants; k++)
		printf("%s, ", constants[k]);
	puts("NAN, -NAN, 4, 5, 8, 9, 99, 101, 255.5, 65536, 0x1p-1074, 0x1p-1022, 0x1p127, 0x1p128 };\n"
	     "\tfor (unsigned k = 0; k < sizeof constant / sizeof *constant; k++)\n"
	     "\t\tfor (unsigned j = 0; j < sizeof constant / sizeof *constant; j++)\n\t\t\tnear(constant[k]), near(-constant[k]),\n"
	     "\t\t\tnear(1 / constant[k]), near(constant[k] + constant[j]), near(constant[k] - constant[j]),\n"
	     "\t\t\tnear(constant[k] * constant[j]), near(constant[k] / constant[j]);\n"
	     "\tfor (long k = 0; k < 1000000; k++)\n\t\tgiven[0] = draw(), given[1] = draw() >> 60, once();");
	puts("\tfor (int k = 0; k < 257; k++)\n\t\tif (counts[k] ? rarest < 0 || counts[k] < counts[rarest] : never < 0)\n"
	     "\t\t\t*(counts[k] ? &rarest : &never) = k;\n\tprintf(\"%d %d tried\\n\", rarest, never);\n\treturn 0;\n}");
}

static void program_of_inputs(void)
{
	bool all = pick(3) != 0, is_double = pick(2), second = pick(4) == 0;
	puts(heading);
	puts("extern void reach_error(void);\nextern float __VERIFIER_nondet_float(void);\n"
	     "extern double __VERIFIER_nondet_double(void);\n"
	     "extern unsigned short __VERIFIER_nondet_ushort(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);");
	puts("static void *thread(void *argument)\n{");
	locals();
	depth = 1;
	puts("\tf = shared.f, d = shared.d;");
	statements(2 + pick(4));
	puts("\tpthread_mutex_lock(&mutex); shared.f = f, shared.d = d; pthread_mutex_unlock(&mutex);");
	uses("argument");
	puts("static int program(void)\n{");
	locals();
	if (second)
		puts("\tg = (__VERIFIER_nondet_uchar() & 15) - 8;");
	if (all) {
		puts("\tunsigned long given = __VERIFIER_nondet_ushort();");
		printf("\t%s = ", target());
		made_of("given", 16);
		puts(";");
	} else {
		printf("\t%s = __VERIFIER_nondet_%s();\n", target(), is_double ? "double" : "float");
	}
	statements(2 + pick(4));
	puts("\tpthread_mutex_lock(&mutex); shared.f = f, shared.d = d; pthread_mutex_unlock(&mutex);\n"
	     "#ifdef NATIVE\n\tthread(NULL);\n#else\n\tpthread_t id;\n"
	     "\tpthread_create(&id, NULL, thread, NULL);\n\tpthread_join(id, NULL);\n#endif\n\tf = shared.f, d = shared.d;");
	statements(2 + pick(4));
	uses("0");
	puts("#ifdef NATIVE\nstatic unsigned long given[2];\nstatic long counts[257];\n"
	     "static void once(void)\n{\n\tmet = atomic_bits = 0, atomic_real = 0;\n\tmemset(&shared, 0, sizeof shared);\n"
	     "\tprogram();\n\tcounts[met]++;\n}");
	if (all)
		native_of_all(second);
	else
		native_of_free(is_double);
	puts("#else\nint main(void)\n{\n\tprogram();\n\tif (met == WANTED)\n\t\treach_error();\n\treturn 0;\n}\n#endif");
}

int main(int argc, char **argv)
{
	unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	state = (seed + 1) * 0x9e3779b97f4a7c15;
	pick(2);
	states = argc > 2;
	races = !states || pick(4) == 0;
	if (states)
		program_of_states();
	else
		program_of_inputs();
	return 0;
}
