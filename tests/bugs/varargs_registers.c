/* SPDX-License-Identifier: MIT
 *
 * Variable arguments that the ABI of x86-64 treats each in its own way: in registers as long as the whole of one fits, else
 * in the overflow area, aligned.
 *
 * RUN: check -O0
 * EXPECT: verified
 * RUN: check -O2
 * EXPECT: verified
 */
#include <assert.h>
#include <complex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int four __attribute__((vector_size(16)));
typedef float two_floats __attribute__((vector_size(8)));
struct pair { long a, b; };
struct mixed { long a; double b; };
struct swapped { double a; int b; };
struct doubles { double a, b; };
struct floats { float a, b, c; };
struct aligned { _Alignas(16) long a; };
struct full { _Alignas(16) long a; long b; };
struct wider { _Alignas(32) long a[4]; };
struct large { long a[5]; };
struct extended { long double a; };
struct tagged { char tag; long double a; };
struct wide_integer { __int128 a; };
struct vector { four a; };
struct tiny { char a; };
struct odd { char a[3]; };
union either { long a; double b; };

/* A sum in which each argument counts by its place. */
static double take(const char *kinds, va_list *list)
{
	double sum = 0, place = 1;
	for (; *kinds && *kinds != '|'; kinds++, place += 1) {
		double value = 0;
		switch (*kinds) {
		case 'i': value = va_arg(*list, int); break;
		case 'l': value = (double)va_arg(*list, long); break;
		case 'd': value = va_arg(*list, double); break;
		case 'p': value = *va_arg(*list, int *); break;
		case 'I': value = (double)va_arg(*list, __int128); break;
		case 'L': value = (double)va_arg(*list, long double); break;
		case 'P': { struct pair x = va_arg(*list, struct pair); value = (double)(x.a + 2 * x.b); break; }
		case 'M': { struct mixed x = va_arg(*list, struct mixed); value = (double)x.a + 2 * x.b; break; }
		case 'S': { struct swapped x = va_arg(*list, struct swapped); value = x.a + 2 * x.b; break; }
		case 'D': { struct doubles x = va_arg(*list, struct doubles); value = x.a + 2 * x.b; break; }
		case 'F': { struct floats x = va_arg(*list, struct floats); value = x.a + 2 * x.b + 3 * x.c; break; }
		case 'A': { struct aligned x = va_arg(*list, struct aligned); value = (double)x.a; break; }
		case 'U': { struct full x = va_arg(*list, struct full); value = (double)(x.a + 2 * x.b); break; }
		case 'W': {
			struct wider x = va_arg(*list, struct wider);
			assert((uintptr_t)&x % 32 == 0);
			value = (double)(x.a[0] + 2 * x.a[3]);
			break;
		}
		case 'B': { struct large x = va_arg(*list, struct large); value = (double)(x.a[0] + 2 * x.a[4]); break; }
		case 'X': { struct extended x = va_arg(*list, struct extended); value = (double)x.a; break; }
		case 'G': { struct tagged x = va_arg(*list, struct tagged); value = (double)x.a + 2 * x.tag; break; }
		case 'Q': { struct wide_integer x = va_arg(*list, struct wide_integer); value = (double)x.a; break; }
		case 'V': { four x = va_arg(*list, four); value = x[0] + 2 * x[3]; break; }
		case 'v': { two_floats x = va_arg(*list, two_floats); value = x[0] + 2 * x[1]; break; }
		case 'w': { struct vector x = va_arg(*list, struct vector); value = x.a[0] + 2 * x.a[3]; break; }
		case 't': { struct tiny x = va_arg(*list, struct tiny); value = x.a; break; }
		case 'o': { struct odd x = va_arg(*list, struct odd); value = x.a[0] + 2 * x.a[2]; break; }
		case 'e': { union either x = va_arg(*list, union either); value = (double)x.a; break; }
		case 'c': { float complex x = va_arg(*list, float complex); value = crealf(x) + 2 * cimagf(x); break; }
		case 'C': { double complex x = va_arg(*list, double complex); value = creal(x) + 2 * cimag(x); break; }
		case 'E': {
			long double complex x = va_arg(*list, long double complex);
			value = (double)(creall(x) + 2 * cimagl(x));
			break;
		}
		default: assert(0);
		}
		sum += place * value;
	}
	return sum;
}

static double of(const char *kinds, ...)
{
	va_list list, again;
	va_start(list, kinds);
	va_copy(again, list);
	double sum = take(kinds, &list), twice = take(kinds, &again);
	va_end(again);
	va_end(list);
	assert(sum == twice);
	return sum;
}

/* The same after named arguments in registers of both kinds, and in memory. */
static double after(int a, double b, struct pair c, struct mixed d, struct large e, long double f, const char *kinds, ...)
{
	va_list list;
	va_start(list, kinds);
	double sum = take(kinds, &list);
	va_end(list);
	return sum + a + b + (double)(c.a + c.b + d.a + e.a[0]) + d.b + (double)f;
}

static const struct pair c = { 1, 1 };
static const struct mixed d = { 1, 1 };
static const struct large e = { { 1 } };
#define AFTER(...) (after(1, 1, c, d, e, 1, __VA_ARGS__) - 8)

static struct large many(struct large start, const char *kinds, ...)
{
	va_list list;
	va_start(list, kinds);
	start.a[0] += (long)take(kinds, &list);
	va_end(list);
	return start;
}

static char text[200];

/* What is left of a list that is partly taken. */
static const char *rest(const char *kinds, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	take(kinds, &list);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	return text;
}

#define T(n)  ((__int128)(n))
#define Q(n)  ((struct wide_integer){ n })
#define P(n)  ((struct pair){ n, n + 1 })
#define M(n)  ((struct mixed){ n, n + 1 })
#define S(n)  ((struct swapped){ n, n + 1 })
#define D(n)  ((struct doubles){ n, n + 1 })
#define F(n)  ((struct floats){ n, n + 1, n + 2 })
#define A(n)  ((struct aligned){ n })
#define U(n)  ((struct full){ n, n + 1 })
#define W(n)  ((struct wider){ { n, 0, 0, n + 1 } })
#define B(n)  ((struct large){ { n, 0, 0, 0, n + 1 } })
#define X(n)  ((struct extended){ n })
#define G(n)  ((struct tagged){ n, n + 1 })
#define V(n)  ((four){ n, 0, 0, n + 1 })
#define VS(n) ((struct vector){ { n, 0, 0, n + 1 } })
#define v(n)  ((two_floats){ n, n + 1 })

int main(void)
{
	int one = 1;
	/* wide integers: two general registers or none, then aligned */
	assert(of("iIi", 1, T(6), 7) == 1 + 12 + 21);
	assert(of("I", T(5)) == 5 && of("II", T(5), T(6)) == 17 && of("IIIi", T(1), T(2), T(3), 4) == 1 + 4 + 9 + 16);
	assert(of("iiiIi", 1, 2, 3, T(4), 5) == 55 && of("iiiiIii", 1, 2, 3, 4, T(5), 6, 7) == 140);
	assert(of("iiiiiIi", 1, 2, 3, 4, 5, T(6), 7) == 140 && of("iiiiiiIi", 1, 2, 3, 4, 5, 6, T(7), 8) == 204);
	assert(of("iiiiiiiII", 1, 2, 3, 4, 5, 6, 7, T(8), T(9)) == 285 && of("I", T(1) << 100) == 0x1p100);
	assert(of("iQi", 1, Q(6), 7) == 34 && of("iiiiQi", 1, 2, 3, 4, Q(5), 6) == 91 && of("QiQiQ", Q(1), 2, Q(3), 4, Q(5)) == 55);
	/* structures aligned to more than a word */
	assert(of("iAi", 1, A(2), 3) == 14 && of("iUi", 1, U(2), 3) == 1 + 2 * 8 + 9);
	assert(of("iiiiAii", 1, 2, 3, 4, A(5), 6, 7) == 140 && of("iiiiiUi", 1, 2, 3, 4, 5, U(6), 7) == 55 + 6 * 20 + 49);
	assert(of("iWi", 1, W(2), 3) == 1 + 2 * 8 + 9 && of("BW", B(1), W(2)) == 5 + 2 * 8);
	assert(of("BWBi", B(1), W(2), B(3), 4) == 5 + 16 + 33 + 16);
	/* long double: always in the overflow area */
	assert(of("LiL", 1.0L, 2, 3.0L) == 14 && of("iXiG", 1, X(2), 3, G(4)) == 1 + 4 + 9 + 4 * 13);
	assert(of("iiiiiiLi", 1, 2, 3, 4, 5, 6, 7.0L, 8) == 204 && of("BLB", B(1), 2.0L, B(3)) == 5 + 4 + 33);
	/* complex numbers */
	assert(of("cCEi", (float complex)(1 + 2 * I), (double complex)(1 + 2 * I), (long double complex)(1 + 2 * I), 4) ==
	       5 + 10 + 15 + 16);
	assert(of("iEdC", 1, (long double complex)(1 + 2 * I), 3., (double complex)(1 + 2 * I)) == 1 + 10 + 9 + 20);
	/* vectors */
	assert(of("iVi", 1, V(2), 3) == 1 + 16 + 9 && of("VV", V(1), V(2)) == 5 + 16 && of("vdv", v(1), 2., v(3)) == 5 + 4 + 33);
	assert(of("ddddddddiV", 1., 1., 1., 1., 1., 1., 1., 1., 1, V(1)) == 45 + 50 && of("iww", 1, VS(2), VS(3)) == 1 + 16 + 33);
	/* two registers of one structure */
	assert(of("PMSDF", P(1), M(1), S(1), D(1), F(1)) == 5 * 10 + 5 * 14);
	assert(of("iiiiPi", 1, 2, 3, 4, P(5), 6) == 30 + 5 * 17 + 36);
	assert(of("iiiiiMdi", 1, 2, 3, 4, 5, M(6), 7., 8) == 55 + 6 * 20 + 49 + 64);
	assert(of("dddddddDd", 1., 2., 3., 4., 5., 6., 7., D(8), 9.) == 140 + 8 * 26 + 81);
	assert(of("ddddddddMi", 1., 2., 3., 4., 5., 6., 7., 8., M(9), 10) == 204 + 9 * 29 + 100);
	assert(of("toeti", (struct tiny){ 1 }, (struct odd){ { 1, 2, 3 } }, (union either){ 3 }, (struct tiny){ 4 }, 5) ==
	       1 + 14 + 9 + 16 + 25);
	/* more of each kind than there are registers, mixed */
	assert(of("idididididididididid", 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1., 1, 1.) == 210);
	assert(of("plpddlldddiddddddLI", &one, 1L, &one, 1., 1., 1L, 1L, 1., 1., 1., 1, 1., 1., 1., 1., 1., 1., 1.0L, T(1)) == 190);
	assert(of("") == 0);
	/* after named ones */
	assert(AFTER("") == 0 && AFTER("i", 1) == 1 && AFTER("Ii", T(1), 2) == 5 && AFTER("iiI", 1, 2, T(3)) == 14);
	assert(AFTER("dddddddd", 1., 1., 1., 1., 1., 1., 1., 1.) == 36);
	assert(AFTER("VPMDLW", V(1), P(1), M(1), D(1), 1.0L, W(1)) == 5 + 10 + 15 + 20 + 5 + 30);
	assert(many(B(1), "iiiiI", 1, 2, 3, 4, T(5)).a[0] == 56 && many(B(1), "iiI", 1, 2, T(3)).a[0] == 15);
	/* printf and the rest of a list */
	assert(strcmp(rest("iId", "%d %g %s %Lg", 1, T(2), 3., 4, 5., "six", 7.0L), "4 5 six 7") == 0);
	assert(strcmp(rest("Xiiii", "%d %d %d %g", X(1), 2, 3, 4, 5, 6, 7, 8, 9.), "6 7 8 9") == 0);
	assert(strcmp(rest("ddddddd", "%g %g %d %Lg %g", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10, 11.0L, 12.), "8 9 10 11 12") == 0);
	assert(strcmp(rest("", "%4$Lg %1$d %3$s %2$g", 1, 2., "3", 4.0L), "4 1 3 2") == 0);
	return 0;
}
