/* SPDX-License-Identifier: MIT
 *
 * A stream is used after fclose: the last function is the one that notices.
 *
 * RUN: check --fs-write -DCASE=1
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=2
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=3
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=4
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=5
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=6
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=7
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=8
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=9
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=10
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=11
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=12
 * EXPECT: violated use-after-free
 * RUN: check --fs-write -DCASE=0
 * EXPECT: verified
 */
#include <stdio.h>

int main(void)
{
	FILE *file = fopen("new", "w+");
	if (CASE)
		fclose(file);
	switch (CASE) {
	/* clang-format off */
	case 0: setvbuf(file, NULL, _IONBF, 0); fputc('x', file); fflush(file); fflush(NULL); fclose(file); break;
	case 1: fflush(file); break; /* ERROR */
	case 2: setvbuf(file, NULL, _IONBF, 0); break; /* ERROR */
	case 3: setbuf(file, NULL); break; /* ERROR */
	case 4: return fileno(file); /* ERROR */
	case 5: return feof(file); /* ERROR */
	case 6: clearerr(file); break; /* ERROR */
	case 7: rewind(file); break; /* ERROR */
	case 8: return (int)ftell(file); /* ERROR */
	case 9: ungetc('x', file); break; /* ERROR */
	case 10: fclose(file); break; /* ERROR */
	case 11: fprintf(file, "x"); break; /* ERROR */
	case 12: return fgetc(file); /* ERROR */
	/* clang-format on */
	}
	return 0;
}
