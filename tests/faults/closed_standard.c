/* SPDX-License-Identifier: MIT
 *
 * A standard stream is used after fclose.
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
 */
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void close_output(void)
{
	fclose(stdout); /* ERROR */
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
	/* clang-format on */
	}
	return 0;
}
