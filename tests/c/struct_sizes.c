/* SPDX-License-Identifier: MIT
 *
 * Structs of every size from 1 to 64 bytes, and mixtures of integers and floating point in every order, as arguments, as
 * results, through pointers to functions and as variable arguments: the ABI puts each in other registers, or in memory.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

#define SIZES(X) \
	X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) \
	X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(34) X(35) X(36) X(37) X(38) X(39) X(40) X(41) \
	X(42) X(43) X(44) X(45) X(46) X(47) X(48) X(49) X(50) X(51) X(52) X(53) X(54) X(55) X(56) X(57) X(58) X(59) X(60) X(61) \
	X(62) X(63) X(64)

#define BYTES(n) \
	struct bytes##n { unsigned char c[n]; }; \
	__attribute__((noinline)) static struct bytes##n reverse##n(int before, struct bytes##n s, double after) \
	{ \
		struct bytes##n r; \
		for (int i = 0; i < n; i++) \
			r.c[i] = (unsigned char)(s.c[n - 1 - i] + before + (int)after); \
		s.c[0] = 0; /* the caller's must not change */ \
		return r; \
	} \
	static struct bytes##n (*volatile pointer##n)(int, struct bytes##n, double) = reverse##n; \
	static int variable##n(int count, ...) \
	{ \
		va_list list; \
		int sum = 0; \
		va_start(list, count); \
		while (count-- > 0) { \
			struct bytes##n s = va_arg(list, struct bytes##n); \
			sum += s.c[0] + 2 * s.c[n - 1]; \
		} \
		sum += va_arg(list, int); \
		va_end(list); \
		return sum; \
	} \
	static void test##n(void) \
	{ \
		struct bytes##n s, r; \
		for (int i = 0; i < n; i++) \
			s.c[i] = (unsigned char)(i + 1); \
		r = reverse##n(1, s, 2.0); \
		assert(r.c[0] == n + 3 && r.c[n - 1] == 4 && s.c[0] == 1); \
		r = pointer##n(0, pointer##n(0, s, 0), 0); \
		assert(memcmp(&r, &s, n) == 0); \
		assert(variable##n(2, s, r, 7) == 2 * (1 + 2 * n) + 7); \
	}
SIZES(BYTES)

#define MIX(name, A, B, C) \
	struct mix_##name { A a; B b; C c; }; \
	__attribute__((noinline)) static struct mix_##name next_##name(struct mix_##name s, int by) \
	{ \
		return (struct mix_##name){ (A)(s.a + (A)by), (B)(s.b + (B)by), (C)(s.c + (C)by) }; \
	} \
	static double many_##name(int count, ...) \
	{ \
		va_list list; \
		double sum = 0; \
		va_start(list, count); \
		while (count-- > 0) { \
			struct mix_##name s = va_arg(list, struct mix_##name); \
			sum += (double)s.a + 10 * (double)s.b + 100 * (double)s.c; \
		} \
		va_end(list); \
		return sum; \
	} \
	static void mix_test_##name(void) \
	{ \
		struct mix_##name s = { 1, 2, 3 }, r = next_##name(s, 4); \
		assert(r.a == 5 && r.b == 6 && r.c == 7 && s.a == 1); \
		assert(many_##name(7, s, r, s, s, s, s, s) == 6 * 321 + 765); \
	}

#define MIXES(X) \
	X(ccf, char, char, float) X(cfc, char, float, char) X(fcc, float, char, char) X(iff, int, float, float) \
	X(fif, float, int, float) X(ffi, float, float, int) X(fff, float, float, float) X(ffd, float, float, double) \
	X(fdf, float, double, float) X(dff, double, float, float) X(ldc, long, double, char) X(dlf, double, long, float) \
	X(ddc, double, double, char) X(Lic, long double, int, char) X(fLc, float, long double, char) X(cis, char, int, short) \
	X(sls, short, long, short) X(csf, char, short, float) X(fsd, float, short, double) X(iid, int, int, double) \
	X(idi, int, double, int) X(dii, double, int, int)
MIXES(MIX)

struct nested { struct { float x; struct { char c; } in; } a[2]; };
struct pair { float x, y; };
struct four { struct pair a, b; };

__attribute__((noinline)) static struct nested twist(struct nested n)
{
	return (struct nested){ { { n.a[1].x, { n.a[0].in.c } }, { n.a[0].x, { n.a[1].in.c } } } };
}

__attribute__((noinline)) static struct four cross(struct pair p, double d, struct pair q, struct four f)
{
	return (struct four){ { p.x + f.b.x, q.y }, { q.x, (float)(p.y + d) } };
}

int main(void)
{
#define CALL(n) test##n();
	SIZES(CALL)
#define CALL_MIX(name, A, B, C) mix_test_##name();
	MIXES(CALL_MIX)
	struct nested n = twist((struct nested){ { { 1.5f, { 'a' } }, { 2.5f, { 'b' } } } });
	assert(n.a[0].x == 2.5f && n.a[0].in.c == 'a' && n.a[1].x == 1.5f && n.a[1].in.c == 'b');
	struct four f = cross((struct pair){ 1, 2 }, 0.5, (struct pair){ 3, 4 }, (struct four){ { 5, 6 }, { 7, 8 } });
	assert(f.a.x == 8 && f.a.y == 4 && f.b.x == 3 && f.b.y == 2.5f);
	return 0;
}
