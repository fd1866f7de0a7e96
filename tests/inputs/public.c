/* SPDX-License-Identifier: MIT
 *
 * Threads with inputs in the shapes of public collections of programs to be verified (SV-COMP: pthread-nondet, goblint-regression,
 * weaver, ldv-races, pthread-ext and others), written anew, with small parameters.  The verdicts are derived by hand.
 *
 * RUN: check --profile svcomp --races ignore -DCASE=1
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=2
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --races ignore -DCASE=3
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=4
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=5
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=6
 * EXPECT: violated out-of-bounds
 * RUN: check --profile svcomp --races ignore -DCASE=7
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=8
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=9
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=10
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=11
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=12
 * EXPECT: verified
 * RUN: check --profile svcomp --races ignore -DCASE=13
 * EXPECT: violated assertion
 */
#include "inputs.h"

extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static void keep(int condition)
{
	if (!condition)
		abort();
}

static int *fresh(int size)
{
	keep(size >= 0 && (unsigned)size <= UINT_MAX / 4);
	int *a = malloc(sizeof *a * (size_t)size);
	keep(a != NULL);
	for (int i = 0; i < size; i++)
		a[i] = INT();
	return a;
}

static int minus(int a, int b)
{
	keep(b <= 0 || a >= b + INT_MIN);
	keep(b >= 0 || a <= b + INT_MAX);
	return a - b;
}

#if CASE == 1 /* threads of a number that is an input, and an array as long */
#define SIZE 4
static int a[SIZE];
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *thr(void *unused)
{
	pthread_mutex_lock(&m);
	int t = x;
	a[t] = 1;
	x = t + 1;
	pthread_mutex_unlock(&m);
	return unused;
}
static void test(void)
{
	pthread_t t[SIZE];
	int n = UINT();
	keep(n >= SIZE / 2 && n <= SIZE);
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], 0, thr, 0);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], 0);
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i];
	check(sum == n);
}
#elif CASE == 2 /* each thread guesses the bound */
#define SIZE 4
static _Atomic int x;
volatile int n;
static pthread_mutex_t mut = PTHREAD_MUTEX_INITIALIZER;
static void *thr1(void *unused)
{
	check(x < n);
	return unused;
}
static void *thr2(void *unused)
{
	int k = UINT();
	keep(k >= SIZE / 2 && k <= SIZE);
	pthread_mutex_lock(&mut);
	int t = x;
	if (k == n)
		x = t + 1;
	pthread_mutex_unlock(&mut);
	return unused;
}
static void test(void)
{
	pthread_t t1, t2;
	n = UINT();
	keep(n >= SIZE / 2 && n <= SIZE);
	pthread_create(&t1, 0, thr1, 0);
	for (int i = 0; i < n; i++)
		pthread_create(&t2, 0, thr2, 0);
	return;
}
#elif CASE == 3  /* a lock and its datum by an index */
static struct s {
	int datum;
	pthread_mutex_t mutex;
} a[10];
static void *t_fun(void *unused)
{
	int i = INT();
	keep(i >= 0 && i < 10);
	struct s *p = &a[i];
	pthread_mutex_lock(&p->mutex);
	i++;
	p->datum++;
	pthread_mutex_unlock(&p->mutex);
	return unused;
}
static void test(void)
{
	int i = INT();
	keep(i >= 0 && i < 10);
	pthread_t t1;
	for (int k = 0; k < 10; k++)
		pthread_mutex_init(&a[k].mutex, 0);
	pthread_create(&t1, 0, t_fun, 0);
	pthread_mutex_lock(&a[i].mutex);
	a[i].datum++;
	pthread_mutex_unlock(&a[i].mutex);
	return;
}
#elif CASE == 4  /* a function and its inverse, in arrays of any numbers */
static int *f, *g;
static int counter, N, n, m;
static void *t1(void *unused)
{
	for (int i = 0; i < N; i++) {
		__VERIFIER_atomic_begin();
		keep(counter >= 0 && counter < n);
		keep(f[counter] >= 0 && f[counter] < m);
		keep(g[f[counter]] == counter);
		counter = f[counter];
		__VERIFIER_atomic_end();
	}
	return unused;
}
static void *t2(void *unused)
{
	for (int i = 0; i < N; i++) {
		__VERIFIER_atomic_begin();
		keep(counter >= 0 && counter < m);
		keep(g[counter] >= 0 && g[counter] < n);
		keep(f[g[counter]] == counter);
		counter = g[counter];
		__VERIFIER_atomic_end();
	}
	return unused;
}
static void test(void)
{
	pthread_t a, b;
	N = 1;
	n = INT();
	m = INT();
	keep(n <= 2 && m <= 2);
	f = fresh(n);
	g = fresh(m);
	pthread_create(&a, 0, t1, 0);
	pthread_create(&b, 0, t2, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	keep(counter != 0);
	error();
}
#elif CASE == 5  /* a comparator of two fields is symmetric */
static int x0, x1, y0, y1, r1, r2;
static void *t1(void *unused)
{
	r1 = minus(x0, y0);
	if (r1 == 0)
		r1 = minus(x1, y1);
	return unused;
}
static void *t2(void *unused)
{
	r2 = minus(y0, x0);
	if (r2 == 0)
		r2 = minus(y1, x1);
	return unused;
}
static void test(void)
{
	pthread_t a, b;
	x0 = INT();
	x1 = INT();
	y0 = INT();
	y1 = INT();
	pthread_create(&a, 0, t1, 0);
	pthread_create(&b, 0, t2, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	keep(!((r1 < 0 && r2 > 0) || (r1 > 0 && r2 < 0) || (r1 == 0 && r2 == 0)));
	error();
}
#elif CASE == 6  /* memory of any size */
static int *A;
int N;
static _Atomic int last;
static void *t1(void *unused)
{
	if (N > 0)
		last = A[N - 1];
	return unused;
}
static void test(void)
{
	pthread_t a;
	N = INT();
	A = fresh(N);
	pthread_create(&a, 0, t1, 0);
	if (N == 3)
		A[N] = 1; /* ERROR */
	pthread_join(a, 0);
}
#elif CASE == 7  /* memory of few sizes */
static int *A;
int N;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int s;
static void *t1(void *unused)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&m);
		s += A[i];
		pthread_mutex_unlock(&m);
	}
	return unused;
}
static void test(void)
{
	pthread_t a;
	N = INT();
	__VERIFIER_assume(N > 0 && N < 10);
	A = calloc(N, sizeof *A);
	if (!A)
		return;
	pthread_create(&a, 0, t1, 0);
	pthread_mutex_lock(&m);
	s += A[0];
	pthread_mutex_unlock(&m);
	pthread_join(a, 0);
	check(s == 0);
	free(A);
}
#elif CASE == 8  /* an array of threads of variable length */
static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t1(void *unused)
{
	pthread_mutex_lock(&m);
	total++;
	pthread_mutex_unlock(&m);
	return unused;
}
static void test(void)
{
	int n = INT();
	__VERIFIER_assume(n >= 1 && n <= 3);
	pthread_t t[n];
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], 0, t1, 0);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], 0);
	check(total == n);
}
#elif CASE == 9  /* a pointer that is null or not */
static void *h;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *t1(void *unused)
{
	pthread_mutex_lock(&m);
	if (h)
		n = 1;
	else
		n = 2;
	pthread_mutex_unlock(&m);
	return unused;
}
static void test(void)
{
	pthread_t a;
	h = __VERIFIER_nondet_pointer();
	pthread_create(&a, 0, t1, 0);
	pthread_join(a, 0);
	check(n == (h ? 1 : 2));
}
#elif CASE == 10 /* a device with offsets and counts that are any */
#define Q 8
static char *data;
static int size;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *rd(void *unused)
{
	int off = INT(), cnt = INT();
	pthread_mutex_lock(&m);
	if (off < 0 || off >= size || cnt <= 0) {
		pthread_mutex_unlock(&m);
		return unused;
	}
	if (cnt > size - off)
		cnt = size - off;
	char b[Q];
	memcpy(b, data + off, cnt);
	pthread_mutex_unlock(&m);
	return unused;
}
static void *wr(void *unused)
{
	int off = INT(), cnt = INT();
	pthread_mutex_lock(&m);
	if (off >= 0 && off < Q && cnt > 0) {
		if (cnt > Q - off)
			cnt = Q - off;
		memset(data + off, 1, cnt);
		if (size < off + cnt)
			size = off + cnt;
	}
	pthread_mutex_unlock(&m);
	return unused;
}
static void test(void)
{
	pthread_t a, b;
	data = calloc(1, Q);
	if (!data)
		return;
	pthread_create(&a, 0, rd, 0);
	pthread_create(&b, 0, wr, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	check(size <= Q);
	free(data);
}
#elif CASE == 11 /* a lock that is assumed, rounds without end */
static int lock, x;
static void acq(void)
{
	__VERIFIER_atomic_begin();
	__VERIFIER_assume(lock == 0);
	lock = 1;
	__VERIFIER_atomic_end();
}
static void rel(void)
{
	__VERIFIER_atomic_begin();
	lock = 0;
	__VERIFIER_atomic_end();
}
static void *t1(void *unused)
{
	while (BOOL()) {
		acq();
		int y = INT();
		x = y;
		check(x == y);
		rel();
	}
	return unused;
}
static void test(void)
{
	pthread_t a;
	pthread_create(&a, 0, t1, 0);
	t1(0);
}
#elif CASE == 12 /* a buffer from one thread to another */
static int *q;
static int back, front, i, N, n, total, C;
static void *p(void *unused)
{
	while (i < N) {
		__VERIFIER_atomic_begin();
		keep(back >= 0 && back < n);
		keep(q[back] == C);
		back++;
		__VERIFIER_atomic_end();
		__VERIFIER_atomic_begin();
		i++;
		__VERIFIER_atomic_end();
	}
	return unused;
}
static void *c(void *unused)
{
	for (;;) {
		__VERIFIER_atomic_begin();
		int go = i < N || front < back;
		__VERIFIER_atomic_end();
		if (!go)
			break;
		__VERIFIER_atomic_begin();
		keep(front < back && front >= 0 && front < n);
		total += q[front];
		front++;
		__VERIFIER_atomic_end();
	}
	return unused;
}
static void test(void)
{
	pthread_t a, b;
	N = INT();
	keep(N >= 0 && N <= 2);
	C = INT();
	keep(C > -1000 && C < 1000);
	front = back = 0;
	n = INT();
	keep(n <= 2);
	q = fresh(n);
	pthread_create(&a, 0, p, 0);
	pthread_create(&b, 0, c, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	keep(total != N * C);
	error();
}
#elif CASE == 13 /* temperatures that race past a limit */
static float t;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int over;
static void *t1(void *unused)
{
	float v = FLOAT();
	__VERIFIER_assume(v > -20.0f && v < 50.0f);
	pthread_mutex_lock(&m);
	t = v;
	if (t > 37.5f)
		over = 1;
	pthread_mutex_unlock(&m);
	return unused;
}
static void test(void)
{
	pthread_t a;
	pthread_create(&a, 0, t1, 0);
	t1(0);
	pthread_join(a, 0);
	check(!over || t > 37.5f);
}
#endif

int main(void)
{
	need_not_be_used();
	(void)keep, (void)fresh, (void)minus;
	test();
	return 0;
}
