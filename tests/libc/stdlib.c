/* SPDX-License-Identifier: MIT
 *
 * stdlib.h: numbers, sorting, random numbers, memory, the environment, the end.  Compared with the same program run
 * natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUMBER(F, name, text, base) { char *end = (char *)text; errno = 0; printf(#name " " F, name(text, &end, base)); \
	printf(" %zd %d\n", end - text, errno); }
#define REAL(F, name, text) { char *end; errno = 0; printf(#name " " F, name(text, &end)); printf(" %zd %d\n", end - text, errno); }

static void numbers(void)
{
	static const char *const texts[] = { "42", "  -17x", "0x1fg", "077", "99999999999999999999", "-99999999999999999999",
		"", "z", "+5" };
	for (int i = 0; i < 9; i++) {
		const char *t = texts[i];
		printf("%d %ld %lld %g\n", i == 4 || i == 5 ? 0 : atoi(t), atol(t), atoll(t), atof(t));
		NUMBER("%ld", strtol, t, 0) NUMBER("%lld", strtoll, t, 16) NUMBER("%lu", strtoul, t, 10) NUMBER("%llu", strtoull, t, 36)
		NUMBER("%jd", strtoimax, t, 10) NUMBER("%ju", strtoumax, t, 8)
		errno = 0;
		printf("%ld", strtol(t, NULL, 1));
		printf(" %d\n", errno);
	}
	REAL("%a", strtod, "2.5e3rest") REAL("%a", strtod, "1e999") REAL("%a", strtof, "0.1") REAL("%La", strtold, "0.1")
	REAL("%a", strtod, "nothing") REAL("%a", strtod, "infinity") REAL("%a", strtod, "0x1.8p1")
}

static int by_key(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}

static int by_key_counted(const void *a, const void *b, void *count)
{
	++*(int *)count;
	return *(const char *)b - *(const char *)a;
}

static void sorting(void)
{
	char pairs[][2] = { "d1", "a1", "c1", "a2", "d2", "b1", "a3", "c2", "b2" };
	int count = 0;
	qsort(pairs, 9, 2, by_key);
	printf("%.18s\n", pairs[0]);
	for (char key = 'a' - 1; key < 'f'; key++) {
		char *found = bsearch(&key, pairs, 9, 2, by_key);
		printf("%c %td\n", key, found ? found - pairs[0] : -1);
	}
	qsort_r(pairs, 9, 2, by_key_counted, &count);
	printf("%.18s %d\n", pairs[0], count);
	qsort(pairs, 0, 2, by_key);
}

static int by_number(const void *key, const void *element)
{
	printf("(%d)", *(const int *)element);
	return *(const int *)key != *(const int *)element;
}

static void linear(void)
{
	int numbers[6] = { 5, 3, 5 };
	size_t count = 3;
	for (int key = 2; key < 6; key++) {
		int *found = lfind(&key, numbers, &count, sizeof key, by_number);
		printf(" %d is at %td\n", key, found ? found - numbers : -1);
	}
	for (int key = 2; key < 6; key++) {
		int *found = lsearch(&key, numbers, &count, sizeof key, by_number);
		printf(" %d is now at %td of %zu\n", key, found - numbers, count);
	}
}

static void random_numbers(void)
{
	unsigned state = 7;
	unsigned short parts[3] = { 1, 2, 3 };
	for (int i = 0; i < 40; i++)
		printf("%d ", rand());
	for (unsigned seed = 0; seed < 3; seed++) {
		srand(seed);
		printf("%d %d ", rand(), rand());
		srandom(seed + 100000 * seed * seed);
		printf("%ld ", random());
	}
	srand(4000000000u);
	printf("%d\n", rand());
	for (int i = 0; i < 10; i++)
		printf("%d ", rand_r(&state));
	printf("%ld %a\n", lrand48(), drand48());
	srand48(42);
	printf("%ld %ld %a\n", lrand48(), mrand48(), drand48());
	printf("%a %ld %ld %d\n", erand48(parts), nrand48(parts), jrand48(parts), parts[0]);
}

static void memory(void)
{
	volatile size_t huge = SIZE_MAX / 2 + 1, two = 2;
	errno = 0;
	printf("%d", malloc(huge) == NULL);
	printf(" %d", errno == ENOMEM);
	printf(" %d %d", calloc(huge, two) == NULL, reallocarray(NULL, huge, two) == NULL);
	void *p = NULL, *aligned = aligned_alloc(64, 128), *paged = valloc(10), *old = memalign(16, 10);
	printf(" %d %d", posix_memalign(&p, 3, 10), posix_memalign(&p, 64, 10));
	printf(" %d %d", (uintptr_t)p % 64 == 0, (uintptr_t)aligned % 64 == 0);
	printf(" %d\n", malloc_usable_size(p) >= 10 && malloc_usable_size(NULL) == 0);
	free(paged);
	free(p);
	free(aligned);
	free(old);
	char *s = malloc(4);
	strcpy(s, "abc");
	s = realloc(s, 100);
	s = reallocarray(s, 10, 20);
	printf("%s\n", s);
	s = realloc(s, 2);
	printf("%.2s\n", s);
	printf("%d\n", realloc(s, 0) == NULL);
	int *zeros = calloc(4, sizeof *zeros);
	printf("%d%d\n", zeros[0], zeros[3]);
	free(zeros);
	free(NULL);
	malloc_trim(0);
}

static void environment(void)
{
	static char own[] = "OWN=1";
	clearenv();
	printf("%s\n", getenv("NOTHING") ? "?" : "none");
	printf("%d %s\n", setenv("NAME", "value", 0), getenv("NAME"));
	printf("%d %s\n", setenv("NAME", "other", 0), getenv("NAME"));
	printf("%d %s\n", setenv("NAME", "other", 1), secure_getenv("NAME"));
	printf("%d %s\n", putenv(own), getenv("OWN"));
	errno = 0;
	printf("%d", setenv("A=B", "x", 1));
	printf(" %d\n", errno);
	printf("%d %d\n", unsetenv("NAME"), getenv("NAME") == NULL);
}

static void first(void) { puts("first registered"); }
static void last(void) { puts("last registered"); atexit(first); }
static void with_status(int status, void *argument) { printf("status %d %s\n", status, (char *)argument); }

int main(void)
{
	static char text[] = "argument";
	numbers();
	sorting();
	linear();
	random_numbers();
	memory();
	environment();
	atexit(first);
	on_exit(with_status, text);
	atexit(last);
	exit(5);
}
