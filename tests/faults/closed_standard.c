/* SPDX-License-Identifier: MIT
 *
 * A stream is used after fclose, by its name or by a copy of the pointer.
 *
 * RUN: check -DCASE=0
 * EXPECT: verified
 * RUN: check -DCASE=1
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=2
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=3
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=4
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=5
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=6
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=7
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=8
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=9
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=10
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=11
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=12
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=13
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=14
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=15
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=16
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=17
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=18
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=19
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=20
 * EXPECT: violated use-after-free
 * RUN: check -DCASE=21
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void close_output(void)
{
	fclose(stdout); /* ERROR */
}

struct log {
	FILE *to;
};

static FILE *saved;

static void finish(FILE *stream)
{
	if (stream != stdin)
		fclose(stream);
}

static void say(FILE *stream)
{
	fprintf(stream, "a\n"); /* ERROR */
}

static void *prints(void *unused)
{
	printf("b\n"); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	int number;
	FILE *copy = stdout, *(*volatile opens)(void) = tmpfile;
	struct log log = { stderr };
	switch (CASE) {
	/* clang-format off */
	case 0: /* all streams, other streams, and what has no stream; then exit closes one */
		atexit(close_output);
		printf("a\n");
		fclose(stdin);
		fflush(NULL);
		fprintf(stderr, "a\n");
		fclose(stderr);
		dprintf(1, "a\n");
		puts("a");
		return 0;
	case 1: fclose(stdout); puts("a"); break; /* ERROR */
	case 2: fclose(stdout); putchar('a'); break; /* ERROR */
	case 3: fclose(stdout); fflush(stdout); break; /* ERROR */
	case 4: fclose(stderr); perror("a"); break; /* ERROR */
	case 5: fclose(stdin); getchar(); break; /* ERROR */
	case 6: fclose(stdin); return scanf("%d", &number); /* ERROR */
	case 7: fclose(stdout); fclose(stdout); break; /* ERROR */
	case 8: fclose(stdout); atexit(close_output); break;
	case 9: fclose(stderr); warnx("a"); break; /* ERROR */
	case 10: /* while another thread prints */
		pthread_create(&thread, NULL, prints, NULL);
		fclose(stdout);
		pthread_join(thread, NULL);
		break;
	case 11: fclose(copy); puts("a"); break; /* ERROR */
	case 12: fclose(stdout); fputs("a", copy); break; /* ERROR */
	case 13: finish(log.to); say(log.to); break;
	case 14: saved = stdin; fclose(saved); getchar(); break; /* ERROR */
	case 15: fclose(log.to); flockfile(stderr); break; /* ERROR */
	case 16: fclose(copy); ftrylockfile(copy); break; /* ERROR */
	case 17: fclose(copy); return fileno_unlocked(copy); /* ERROR */
	case 18: copy = tmpfile(); saved = copy; fclose(copy); copy = saved; fputs("x", copy); break; /* ERROR */
	case 19: log.to = opens(); saved = log.to; finish(log.to); say(saved); break;
	case 20: flockfile(copy); fclose(copy); funlockfile(stdout); break; /* ERROR */
	case 21: /* none is used that is closed */
		finish(stdin);
		saved = tmpfile();
		say(log.to);
		fclose(saved);
		finish(copy);
		fputs("a\n", stderr);
		return ftrylockfile(log.to);
		/* clang-format on */
	}
	return 0;
}
