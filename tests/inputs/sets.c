/* SPDX-License-Identifier: MIT
 *
 * Inputs as sets of values: kept in memory, copied, cast, cut in pieces, and asked for in every way.  The verdicts
 * are derived by hand.
 *
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=1
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=2
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=3
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=4
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=5
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=6
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=7
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=8
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=9
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=10
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=11
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=12
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=13
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=14
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=15
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=16
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=17
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=18
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=19
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=20
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=21
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=22
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=23
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=24
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=25
 * EXPECT: inconclusive: a condition asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=26
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=27
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=28
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=29
 * EXPECT: inconclusive: an operation on two inputs asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=30
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=31
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=32
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=33
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=34
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=35
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=36
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=37
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=38
 * EXPECT: inconclusive: pointer returns an input that is no integer of at most 64 bits (--inputs sets)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=39
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=40
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=41
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets --overflow --search dfs -DCASE=42
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets --overflow -DCASE=43
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=44
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=45
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=46
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=47
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets --max-values 256 -DCASE=48
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=49
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=50
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=51
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=52
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=53
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets --max-values 65536 -DCASE=54
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=55
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=56
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=56
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=57
 * EXPECT: inconclusive: malloc asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=57
 * EXPECT: inconclusive: malloc asks for more of an input than --inputs symbolic can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=58
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=58
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=59
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets --max-values 300 -DCASE=60
 * EXPECT: violated assertion
 */
#include "inputs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned box;
static int full;
static struct pair two;

static void *stores(void *p)
{
	int n = INT();
	__VERIFIER_assume(n < 100);
	global = n;
	return p;
}

static void *serves(void *p)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		unsigned v = box;
		if (full && v < 1000)
			check(v + 1 <= 1000);
		full = 0;
		pthread_mutex_unlock(&lock);
	}
	return p;
}

static void *adds(void *p)
{
	unsigned n = UINT();
	__VERIFIER_assume(n < 3);
	atomic += (int)n;
	return p;
}

static void *returns(void *p)
{
	(void)p;
	return (void *)(long)(UINT() % 3);
}

static int __VERIFIER_atomic_input(void)
{
	return INT() - 1;
}

#if CASE == 1
static void test(void)
{
	global = INT();
	check(global != 12345);
}
#elif CASE == 2
static void test(void)
{
	struct pair p = { INT(), 1 }, q = p;
	memcpy(&two, &q, sizeof q);
	check(two.a != 777);
}
#elif CASE == 3
static void test(void)
{
	struct pair p = { INT(), 1 }, q = p;
	if (q.a == 777)
		check(p.a == 777 && p.b == 1);
	else
		check(p.a != 777);
}
#elif CASE == 4
static void test(void)
{
	signed char c = (signed char)INT();
	check(c >= -128 && c <= 127);
}
#elif CASE == 5
static void test(void)
{
	unsigned char c = (unsigned char)INT();
	check(c != 200);
}
#elif CASE == 6
static void test(void)
{
	long l = SHORT();
	check(l <= 32767 && l >= -32768);
}
#elif CASE == 7
static void test(void)
{
	long l = SHORT();
	check(l != -5);
}
#elif CASE == 8
static void test(void)
{
	static const unsigned t[4] = { 3, 1, 0, 2 };
	unsigned u = UINT();
	__VERIFIER_assume(u < 4);
	check(t[u] != u);
}
#elif CASE == 9
static void test(void)
{
	static const unsigned t[4] = { 1, 0, 3, 2 };
	unsigned u = UINT();
	__VERIFIER_assume(u < 4);
	check(t[t[u]] == u);
}
#elif CASE == 10
static void test(void)
{
	static const int t[4] = { 1, 1, 1, 1 };
	check(t[UINT() % 4] == 1);
}
#elif CASE == 11
static void test(void)
{
	int d = INT();
	__VERIFIER_assume(d >= 1 && d <= 3);
	check(10 / d >= 3 && 10 % d < 3);
}
#elif CASE == 12
static void test(void)
{
	unsigned n = UINT();
	__VERIFIER_assume(n < 32);
	check((1u << n) != 0);
}
#elif CASE == 13
static void test(void)
{
	unsigned n = UINT();
	__VERIFIER_assume(n < 32);
	check(1u << n != 4096);
}
#elif CASE == 14
static void test(void)
{
	unsigned n = UINT();
	__VERIFIER_assume(n >= 1 && n <= 3);
	char *p = malloc(n);
	p[n - 1] = 1;
	free(p);
}
#elif CASE == 15
static void test(void)
{
	pthread_t t;
	pthread_create(&t, NULL, stores, NULL);
	pthread_join(t, NULL);
	check(global < 100);
}
#elif CASE == 16
static void test(void)
{
	pthread_t t;
	pthread_create(&t, NULL, stores, NULL);
	pthread_join(t, NULL);
	check(global != -77);
}
#elif CASE == 17
static void test(void)
{
	pthread_t t;
	pthread_create(&t, NULL, serves, NULL);
	for (;;) {
		unsigned v = UINT();
		pthread_mutex_lock(&lock);
		if (!full)
			full = 1, box = v;
		pthread_mutex_unlock(&lock);
	}
}
#elif CASE == 18
static void test(void)
{
	atomic = INT();
	atomic += 1;
	check(atomic != 6);
}
#elif CASE == 19
static void test(void)
{
	int e = 5;
	atomic = INT();
	if (atomic_compare_exchange_strong(&atomic, &e, 9))
		check(atomic == 9);
	else
		check(e != 5);
}
#elif CASE == 20
static void test(void)
{
	int e = 5;
	atomic = INT();
	check(!atomic_compare_exchange_strong(&atomic, &e, 9));
}
#elif CASE == 21
static void test(void)
{
	int old = atomic_exchange(&atomic, INT());
	check(old == 0);
}
#elif CASE == 22
static void test(void)
{
	global = INT();
	((char *)&global)[0] = 0;
	check((global & 255) == 0);
}
#elif CASE == 23
static void test(void)
{
	global = INT();
	((char *)&global)[0] = 0;
	check(global != 0x100);
}
#elif CASE == 24
static void test(void)
{
	union {
		int i;
		unsigned char b[4];
	} n = { INT() };
	check(n.b[3] != 0x12);
}
#elif CASE == 25
static void test(void)
{
	union {
		int i;
		unsigned char b[4];
	} n = { INT() };
	if (n.b[1] == 3)
		check((n.i & 0xff00) == 0x300);
}
#elif CASE == 26
static void test(void)
{
	union {
		unsigned short i;
		unsigned char b[2];
	} n = { USHORT() };
	if (n.b[1] == 3)
		check((n.i & 0xff00) == 0x300);
}
#elif CASE == 27
static void test(void)
{
	unsigned char x = UCHAR(), y = UCHAR();
	if (x < y)
		check(y > 0);
}
#elif CASE == 28
static void test(void)
{
	unsigned char x = UCHAR(), y = UCHAR();
	check(x + y != 510);
}
#elif CASE == 29
static void test(void)
{
	int x = INT(), y = INT();
	check(x < y || x >= y);
}
#elif CASE == 30
static void test(void)
{
	int r = 0;
	switch (INT()) {
	case 1:
	case 7: r = 1; break;
	case -3: r = 2;
	}
	check(r != 2);
}
#elif CASE == 31
static void test(void)
{
	int x = INT(), r = 0;
	switch (x) {
	case 1:
	case 7: r = 1; break;
	case -3: r = 2;
	}
	check(r == (x == 1 || x == 7) + 2 * (x == -3));
}
#elif CASE == 32
static void test(void)
{
	printf("%d\n", INT());
}
#elif CASE == 33
static void test(void)
{
	printf("%u\n", UINT() % 3);
}
#elif CASE == 34
static void test(void)
{
	check(through(INT()) != 99999);
}
#elif CASE == 35
static void test(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, adds, NULL);
	pthread_create(&u, NULL, adds, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	check(atomic <= 4);
}
#elif CASE == 36
static void test(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, adds, NULL);
	pthread_create(&u, NULL, adds, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	check(atomic != 3);
}
#elif CASE == 37
static void test(void)
{
	unsigned n = UINT(), sum = 0;
	__VERIFIER_assume(n <= 5);
	for (unsigned i = 0; i < n; i++)
		sum++;
	check(sum == n);
}
#elif CASE == 38
static void test(void)
{
	check(pointer() == NULL);
}
#elif CASE == 39
static void test(void)
{
	check(FLOAT() != 3);
}
#elif CASE == 40
static void test(void)
{
	int x = INT();
	if (x % 2 == 0)
		check((x & 1) == 0);
	else
		check(x & 1);
}
#elif CASE == 41
static void test(void)
{
	unsigned x = UINT();
	__VERIFIER_assume(x < 16);
	check(x * x != 49);
}
#elif CASE == 42
static void test(void)
{
	int x = INT();
	check(x + 1 != 0);
}
#elif CASE == 43
static void test(void)
{
	int x = INT();
	__VERIFIER_assume(x < INT_MAX);
	check(x + 1 > INT_MIN);
}
#elif CASE == 44
static void test(void)
{
	int x = INT();
	__VERIFIER_assume(x > -1000 && x < 1000);
	int y = x < 0 ? -x : x;
	check(y >= 0 && y < 1000);
}
#elif CASE == 45
static void test(void)
{
	int x = INT();
	check((x ^ -1) != 41);
}
#elif CASE == 46
static void test(void)
{
	check(__VERIFIER_atomic_input() != 7);
}
#elif CASE == 47
static void test(void)
{
	pthread_t t;
	void *result;
	pthread_create(&t, NULL, returns, NULL);
	pthread_join(t, &result);
	check((long)result < 3);
}
#elif CASE == 48
static void test(void)
{
	char text[4] = { CHAR(), CHAR(), CHAR(), 0 };
	check(strlen(text) != 2);
}
#elif CASE == 49
static void test(void)
{
	unsigned long x = ULONG();
	check(x / 3 != 1000000000000);
}
#elif CASE == 50
static void test(void)
{
	unsigned long x = ULONG();
	check(x >> 60 < 16 && (x & 7) < 8);
}
#elif CASE == 51
static void test(void)
{
	unsigned n = UINT() % 3;
	int *p = n ? &global : &other;
	*p = 1;
	check(global + other == 1 && global == (n > 0));
}
#elif CASE == 52
static void test(void)
{
	int x = INT();
	global = x - x;
	check(global == 0);
}
#elif CASE == 53
static void test(void)
{
	check(number() != 4711);
}
#elif CASE == 54
static void test(void)
{
	static unsigned char a[8];
	for (int i = 0; i < 3; i++)
		a[i] = UCHAR();
	check(a[0] + a[1] + a[2] != 3 * 255);
}
#elif CASE == 55
static void test(void)
{
	if (INT() == 3)
		global = 1;
	check(global != 1);
}
#elif CASE == 56 /* of a size with too many values, small ones are told apart */
static void test(void)
{
	unsigned n = UINT();
	int *p = malloc(n * 4ul);
	if (n == 7)
		p[7] = 1; /* ERROR */
	free(p);
}
#elif CASE == 57 /* a large one is never taken for checked */
static void test(void)
{
	unsigned n = UINT();
	char *p = malloc(n);
	if (n == 1000)
		p[1000] = 1;
	free(p);
}
#elif CASE == 58 /* few sizes, some of them large */
static void test(void)
{
	unsigned n = UINT() % 3;
	char *p = malloc(n + 255);
	p[254 + n] = 1;
	if (n == 2)
		p[256] = 1;
	free(p);
}
#elif CASE == 59 /* which status it is does not matter */
static void test(void)
{
	exit(INT());
}
#elif CASE == 60 /* ... but to what is called before the end */
static void last(int status, void *unused)
{
	(void)unused;
	check(status != 77);
}
static void test(void)
{
	on_exit(last, NULL);
	exit(INT());
}
#endif

int main(void)
{
	need_not_be_used();
	(void)lock, (void)box, (void)full, (void)two, (void)stores, (void)serves, (void)adds, (void)returns;
	(void)__VERIFIER_atomic_input;
	test();
	return 0;
}
