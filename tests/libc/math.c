/* SPDX-License-Identifier: MIT
 *
 * math.h: double, float and long double, values and errno.  Compared with the same program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <wctype.h>

/* Through pointers, so that no compiler makes an instruction of the call; the floats as bits. */
#define SAY1(T, F, name, x) { T (*volatile f)(T) = name; errno = 0; T r = f((T)x); printf(#name "(" #x ") " F " %d\n", r, errno); }
#define SAY2(T, F, name, x, y) { T (*volatile f)(T, T) = name; errno = 0; T r = f((T)x, (T)y); printf(#name " " F " %d\n", \
	r, errno); }
#define ONE(name) SAY1(double, "%a", name, 0.7) SAY1(float, "%a", name##f, 0.7) SAY1(long double, "%La", name##l, 0.7) \
	SAY1(double, "%a", name, 1.6) SAY1(double, "%a", name, -2.5) SAY1(double, "%a", name, 0.0)
#define TWO(name) SAY2(double, "%a", name, 5.3, 2) SAY2(float, "%a", name##f, 5.3, 2) SAY2(long double, "%La", name##l, 5.3, 2) \
	SAY2(double, "%a", name, -1.5, 0)
#define SAYL(R, T, F, name, x) { R (*volatile f)(T) = name; printf(#name " " F "\n", f((T)x)); }
#define ROUND(R, F, name) SAYL(R, double, F, name, 2.5) SAYL(R, float, F, name##f, -3.5) SAYL(R, long double, F, name##l, 4.4)
#define CLASS(name, T, x) { int (*volatile f)(T) = name; printf(#name " %d\n", !!f(x)); }

static void scale(void)
{
	double (*volatile ldexp_)(double, int) = ldexp, (*volatile scalbn_)(double, int) = scalbn, (*volatile
		scalbln_)(double, long) = scalbln;
	float (*volatile ldexpf_)(float, int) = ldexpf, (*volatile scalbnf_)(float, int) = scalbnf, (*volatile
		scalblnf_)(float, long) = scalblnf;
	long double (*volatile ldexpl_)(long double, int) = ldexpl, (*volatile scalbnl_)(long double, int) = scalbnl,
		(*volatile scalblnl_)(long double, long) = scalblnl;
	printf("%a %a %a %a\n", ldexp_(0.75, 4), scalbn_(3, -2), scalbln_(3, 5L), ldexp_(1, 5000));
	printf("%a %a %a %La %La %La\n", ldexpf_(0.75f, 4), scalbnf_(3, 2), scalblnf_(3, 2), ldexpl_(0.75L, 4), scalbnl_(3,
		1), scalblnl_(3, 1));
	double (*volatile fma_)(double, double, double) = fma;
	float (*volatile fmaf_)(float, float, float) = fmaf;
	long double (*volatile fmal_)(long double, long double, long double) = fmal;
	printf("%a %a %La\n", fma_(2, 3, 4), fmaf_(2, 3, 4), fmal_(2, 3, 4));
	int e = 0, q = 0, sign = 0;
	double (*volatile frexp_)(double, int *) = frexp;
	float (*volatile frexpf_)(float, int *) = frexpf;
	long double (*volatile frexpl_)(long double, int *) = frexpl;
	printf("%a", frexp_(40.5, &e)); printf(" %d", e);
	printf(" %a", frexpf_(0.1f, &e)); printf(" %d", e);
	printf(" %La", frexpl_(9.0L, &e)); printf(" %d\n", e);
	double whole; float wholef; long double wholel;
	double (*volatile modf_)(double, double *) = modf;
	float (*volatile modff_)(float, float *) = modff;
	long double (*volatile modfl_)(long double, long double *) = modfl;
	printf("%a", modf_(-3.25, &whole)); printf(" %a", whole);
	printf(" %a", modff_(3.25f, &wholef)); printf(" %a", wholef);
	printf(" %La", modfl_(7.5L, &wholel)); printf(" %La\n", wholel);
	double (*volatile remquo_)(double, double, int *) = remquo;
	float (*volatile remquof_)(float, float, int *) = remquof;
	long double (*volatile remquol_)(long double, long double, int *) = remquol;
	printf("%a", remquo_(29, 3, &q)); printf(" %d", q & 7);
	printf(" %a", remquof_(29, 3, &q)); printf(" %d", q & 7);
	printf(" %La", remquol_(29, 3, &q)); printf(" %d\n", q & 7);
	void (*volatile sincos_)(double, double *, double *) = sincos;
	void (*volatile sincosf_)(float, float *, float *) = sincosf;
	void (*volatile sincosl_)(long double, long double *, long double *) = sincosl;
	double s, c; float sf, cf; long double sl, cl;
	sincos_(1, &s, &c); sincosf_(1, &sf, &cf); sincosl_(1, &sl, &cl);
	printf("%a %a %a %a %La %La\n", s, c, sf, cf, sl, cl);
	double (*volatile lgamma_r_)(double, int *) = lgamma_r, (*volatile nexttoward_)(double, long double) = nexttoward;
	printf("%a", lgamma_r_(-0.5, &sign)); printf(" %d %a\n", sign, nexttoward_(1, 2));
	double (*volatile nan_)(const char *) = nan;
	float (*volatile nanf_)(const char *) = nanf;
	printf("%d %d\n", isnan(nan_("")) != 0, isnan(nanf_("1")) != 0);
}

int main(void)
{
	ONE(sin)
	ONE(cos)
	ONE(tan)
	ONE(asin)
	ONE(acos)
	ONE(atan)
	ONE(sinh)
	ONE(cosh)
	ONE(tanh)
	ONE(asinh)
	ONE(acosh)
	ONE(atanh)
	ONE(exp)
	ONE(exp2)
	ONE(expm1)
	ONE(exp10)
	ONE(log)
	ONE(log2)
	ONE(log10)
	ONE(log1p)
	ONE(logb)
	ONE(sqrt)
	ONE(cbrt)
	ONE(floor)
	ONE(ceil)
	ONE(round)
	ONE(trunc)
	ONE(rint)
	ONE(roundeven)
	ONE(nearbyint)
	ONE(fabs)
	ONE(erf)
	ONE(erfc)
	ONE(lgamma)
	ONE(tgamma)
	TWO(atan2)
	TWO(pow)
	TWO(hypot)
	TWO(fmod)
	TWO(remainder)
	TWO(fmin)
	TWO(fmax)
	TWO(fdim)
	TWO(copysign)
	TWO(nextafter)
	SAY1(double, "%a", j0, 1.5)
	SAY1(double, "%a", j1, 1.5)
	SAY1(double, "%a", y0, 1.5)
	SAY1(double, "%a", y1, 1.5)
	ROUND(int, "%d", ilogb)
	ROUND(long, "%ld", lround)
	ROUND(long long, "%lld", llround)
	ROUND(long, "%ld", lrint)
	ROUND(long long, "%lld", llrint)
#undef isnan
#undef isinf
#undef finite
	CLASS(isnan, double, 0.0) CLASS(isinf, double, 1.0 / 0.0) CLASS(finite, double, 1)
	CLASS(__finite, double, -1.5)
	CLASS(__isinf, double, -1.5)
	CLASS(__isnan, double, -1.5)
	CLASS(__fpclassify, double, -1.5)
	CLASS(__signbit, double, -1.5)
	scale();
	return 0;
}
