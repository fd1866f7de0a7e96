/* SPDX-License-Identifier: MIT
 *
 * Inputs that are printed.  What is printed decides nothing, so no value is asked for; the story has the true text.  But the length
 * of a text may decide, and a buffer may be looked at.
 *
 * RUN: check -DCASE=1
 * EXPECT: verified
 * RUN: check -DCASE=1 --inputs symbolic
 * EXPECT: verified
 * RUN: check -DCASE=1 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=1 -DBUG --inputs symbolic
 * EXPECT: violated assertion
 * RUN: check -DCASE=2 --inputs sets
 * EXPECT: verified
 * RUN: check -DCASE=2 -DBUG --inputs symbolic
 * EXPECT: violated assertion
 * RUN: check -DCASE=3 --inputs sets
 * EXPECT: verified
 * RUN: check -DCASE=3 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=4 --inputs sets
 * EXPECT: inconclusive: what is printed asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -DCASE=5
 * EXPECT: violated uninitialized-read
 * RUN: check -DCASE=6
 * EXPECT: violated null-dereference
 * RUN: check -DCASE=7
 * EXPECT: violated data-race
 * RUN: check -DCASE=8
 * EXPECT: verified
 * RUN: check -DCASE=8 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=9 --arg 1=any:5
 * EXPECT: verified
 * RUN: check -DCASE=9 --arg 1=any:5 --inputs symbolic
 * EXPECT: verified
 * RUN: check -DCASE=9 --arg 1=any:5 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=10 --arg 1=any:3 --inputs sets
 * EXPECT: violated uninitialized-read
 * RUN: check -DCASE=11 --arg 1=any:3
 * EXPECT: violated out-of-bounds
 * RUN: check -DCASE=12
 * EXPECT: inconclusive: an operation on memory asks for more of an input than --inputs symbolic can tell (--max-values 256)
 * RUN: check -DCASE=13 --inputs sets
 * EXPECT: verified
 * RUN: check -DCASE=14 --inputs sets
 * EXPECT: violated assertion
 * RUN: check -DCASE=15 --inputs symbolic
 * EXPECT: verified
 * RUN: check -DCASE=15 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=16
 * EXPECT: verified
 * RUN: check -DCASE=16 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DCASE=17
 * EXPECT: verified
 * RUN: check -DCASE=18
 * EXPECT: violated out-of-bounds
 * RUN: check -DCASE=19 --inputs symbolic
 * EXPECT: verified
 * RUN: check -DCASE=20
 * EXPECT: verified
 * RUN: check -DCASE=20 --inputs sets
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
double __VERIFIER_nondet_double(void);
unsigned char __VERIFIER_nondet_uchar(void);

static int n;

static void note(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
}

#if CASE == 1 /* all kinds of numbers, by several functions and threads */

static void *show(void *unused)
{
	printf("%d %5.3x %c%%\n", n, (unsigned)n + 1, n);
	return unused;
}

int main(void)
{
	pthread_t thread;
	n = __VERIFIER_nondet_int();
	pthread_create(&thread, NULL, show, NULL);
	note("%i and %hhd, %ld\n", n, n, (long)n * 2);
	putchar(n);
	fputc(n, stderr);
	pthread_join(thread, NULL);
#ifdef BUG
	if (n > 1000000 && n % 1000 == 77)
		assert(n != 5000077); /* ERROR */
#endif
	return 0;
}

#elif CASE == 2 /* the length of the text is used */

int main(void)
{
	int length = printf("%d\n", __VERIFIER_nondet_int());
	assert(length >= 2 && length <= 12);
#ifdef BUG
	assert(length < 12); /* ERROR */
#endif
	return 0;
}

#elif CASE == 3 /* it is stored */

int main(void)
{
	int length;
	printf("%d%n\n", __VERIFIER_nondet_int(), &length);
	assert(length >= 1 && length <= 11);
#ifdef BUG
	assert(length != 11); /* ERROR */
#endif
	return 0;
}

#elif CASE == 4 /* a width */

int main(void)
{
	printf("%*d\n", __VERIFIER_nondet_int(), 1);
	return 0;
}

#elif CASE == 5 /* a part of what is printed was never set */

int main(void)
{
	union {
		int whole;
		unsigned char parts[4];
	} *u = malloc(sizeof *u);
	if (!u)
		return 0;
	u->parts[0] = u->parts[1] = __VERIFIER_nondet_uchar();
	printf("%d\n", u->whole); /* ERROR */
	free(u);
	return 0;
}

#elif CASE == 6 /* an input is no string */

int main(void)
{
	printf("%s\n", (char *)(long)(__VERIFIER_nondet_int() | 1)); /* ERROR */
	return 0;
}

#elif CASE == 7 /* what is printed is read */

static void *change(void *unused)
{
	n++; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	n = __VERIFIER_nondet_int() & 0xffff;
	pthread_create(&thread, NULL, change, NULL);
	printf("%d\n", n); /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}

#elif CASE == 8 /* floating-point numbers */

int main(void)
{
	double x = __VERIFIER_nondet_double();
	printf("%f %g\n", x, -x);
	if (x > 2.5 && x < 3)
		printf("%d\n", (int)x);
#ifdef BUG
	assert(!(x > 2.5 && x < 2.75)); /* ERROR */
#endif
	return 0;
}

#elif CASE == 9 /* strings of any bytes */

int main(int argc, char **argv)
{
	if (argc < 2)
		return 0;
	puts(argv[1]);
	printf("[%s] [%.2s] [%7s]\n", argv[1], argv[1], argv[1]);
	fputs(argv[1], stderr);
	fwrite(argv[1], 1, 1, stdout);
#ifdef BUG
	assert(argv[1][0] != 'a' || argv[1][1] != 'b' || argv[1][2]); /* ERROR */
#endif
	return 0;
}

#elif CASE == 10 /* of which some were never set */

int main(int argc, char **argv)
{
	char *text = malloc(8);
	if (!text || argc < 2)
		return 0;
	text[0] = argv[1][0];
	if (text[0])
		puts(text); /* ERROR */
	free(text);
	return 0;
}

#elif CASE == 11 /* that do not end */

int main(int argc, char **argv)
{
	char text[3];
	for (int i = 0; i < 3 && argc > 1; i++)
		text[i] = argv[1][0] ? argv[1][0] : 'x';
	if (argc > 1)
		printf("%s\n", text); /* ERROR */
	return 0;
}

#elif CASE == 12 /* whose length is used */

int main(void)
{
	int x = __VERIFIER_nondet_int();
	unsigned long written = fwrite(&x, 1, sizeof x, stdout);
	assert(written <= sizeof x);
	return 0;
}

#elif CASE == 13 /* a buffer */

int main(void)
{
	char text[8];
	n = __VERIFIER_nondet_int() & 7;
	snprintf(text, sizeof text, "%d", n);
	assert(text[0] == '0' + n && text[1] == 0);
	return 0;
}

#elif CASE == 14 /* a wide character that is none in the C locale */

int main(void)
{
	errno = 0;
	printf("%lc\n", (wint_t)(__VERIFIER_nondet_int() & 255));
	assert(errno == 0); /* ERROR */
	return 0;
}

#elif CASE == 15 /* to text and back */

int main(void)
{
	char text[16];
	n = __VERIFIER_nondet_int();
	if (n < -99 || n > 999)
		return 0;
	sprintf(text, "%d", n);
	assert(atoi(text) == n);
#ifdef BUG
	assert(strcmp(text, "-42") != 0); /* ERROR */
#endif
	return 0;
}

#elif CASE == 16 /* a message that is cut, and printed later */

int main(void)
{
	char text[12];
	unsigned u = (unsigned)__VERIFIER_nondet_int();
	int length = snprintf(text, sizeof text, "id=%u, %s", u, "long");
	puts(text);
	assert(length >= 10 && text[2] == '=' && text[3] >= '0' && text[3] <= '9' && strlen(text) < sizeof text);
	assert(u >= 10 || text[4] == ',');
#ifdef BUG
	assert(text[10] != '7' || text[3] != '1'); /* ERROR */
#endif
	return 0;
}

#elif CASE == 17 /* a new string */

int main(void)
{
	char *text;
	long l = __VERIFIER_nondet_int();
	if (asprintf(&text, "<%ld>", l) < 0)
		return 0;
	assert(text[0] == '<' && (text[1] == '-') == (l < 0));
	free(text);
	return 0;
}

#elif CASE == 18 /* into a buffer that is too small for the longest number */

int main(void)
{
	char text[11];
	sprintf(text, "%d", __VERIFIER_nondet_int()); /* ERROR */
	puts(text);
	return 0;
}

#elif CASE == 19 /* through the streams of the library */

int main(void)
{
	FILE *file = fopen("/dev/null", "w");
	n = __VERIFIER_nondet_int();
	printf("%d\n", n);
	if (file) {
		fprintf(file, "%d and %d\n", n, 5);
		fclose(file);
	}
	return 0;
}

#elif CASE == 20 /* the ends of types */

int main(void)
{
	char text[24];
	unsigned long u = (unsigned long)__VERIFIER_nondet_long();
	sprintf(text, "%lu", u);
	assert(u != ULONG_MAX || strcmp(text, "18446744073709551615") == 0);
	sprintf(text, "%ld", (long)u);
	assert(u != 1ul << 63 || strcmp(text, "-9223372036854775808") == 0);
	n = __VERIFIER_nondet_int();
	sprintf(text, "%d", n);
	assert(n != INT_MIN || strcmp(text, "-2147483648") == 0);
	assert(n != 0 || strcmp(text, "0") == 0);
	assert(n != -10 || strcmp(text, "-10") == 0);
	return 0;
}

#endif
