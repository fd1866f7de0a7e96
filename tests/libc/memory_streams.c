/* SPDX-License-Identifier: MIT
 *
 * Streams in memory: open_memstream, open_wmemstream, fmemopen in all modes, and tmpfile.  Compared with the same program run
 * natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void show(const char *text, size_t size)
{
	putchar('[');
	for (size_t i = 0; i < size; i++)
		printf(text[i] >= ' ' && text[i] < 127 ? "%c" : "\\%x", (unsigned char)text[i]);
	printf("] ");
}

static void growing(void)
{
	char *text = NULL;
	size_t size = 77;
	FILE *file = open_memstream(&text, &size);
	fprintf(file, "a%dc", 5);
	printf("%zu %d", size, text == NULL);
	printf(" %d %zu %s", fflush(file), size, text);
	fputs("defgh", file);
	printf(" %ld %zu", ftell(file), size);
	printf(" %d %ld %zu", fseek(file, 1, SEEK_SET), ftell(file), size);
	fflush(NULL);
	printf(" %zu %s", size, text);
	fputc('X', file);
	fwrite("YZ", 1, 2, file);
	fflush(file);
	printf(" %zu %s\n", size, text);
	printf("%d %d", fseek(file, 20, SEEK_SET), fseek(file, -1, SEEK_SET));
	putc('!', file);
	fflush(file);
	show(text, size);
	errno = 0;
	printf("%d %d %d", fileno(file), errno, ferror(file));
	fseek(file, 3, SEEK_SET);
	printf(" %d %zu ", fclose(file), size);
	show(text, size + 1);
	free(text);
	file = open_memstream(&text, &size);
	printf("%d %zu %d\n", fclose(file), size, *text);
	free(text);
	file = open_memstream(&text, &size);
	for (int i = 0; i < 100; i++)
		fprintf(file, "%d,", i);
	fclose(file);
	printf("%zu %zu %s\n", size, strlen(text), text + size - 6);
	free(text);
}

static void given(const char *mode)
{
	char bytes[12] = "abc\0efghij", line[20] = "-";
	FILE *file = fmemopen(bytes, 8, mode);
	printf("%s: %ld ", mode, ftell(file));
	show(bytes, 10);
	printf("%d", fgetc(file));
	clearerr(file);
	fseek(file, 0, SEEK_CUR);
	printf(" %d", fputs("XY", file));
	show(bytes, 10);
	printf(" %d", fflush(file));
	show(bytes, 10);
	printf(" %d", fseek(file, 0, SEEK_END));
	printf(" %ld %d", ftell(file), fputs("123456789", file));
	errno = 0;
	printf(" %d", fflush(file));
	printf(" %d %d ", errno, ferror(file));
	show(bytes, 10);
	clearerr(file);
	rewind(file);
	printf("%d", fgets(line, 20, file) != NULL);
	printf(" %s %d %ld", line, feof(file), ftell(file));
	printf(" %d ", fclose(file));
	show(bytes, 10);
	puts("");
}

static void short_buffer(const char *text)
{
	char bytes[8];
	memset(bytes, 'z', sizeof bytes);
	FILE *file = fmemopen(bytes, 5, "w");
	printf("%d ", fprintf(file, "%s", text));
	printf("%d ", fclose(file));
	show(bytes, 8);
}

static void from_memory(void)
{
	char bytes[12] = "hello 42\nx\n", word[9], *line = NULL;
	size_t size = 0;
	int n = 0;
	FILE *file = fmemopen(bytes, 11, "r");
	printf("\n%d %d %ld", fgetc(file), fseek(file, 19, SEEK_SET), ftell(file));
	printf(" %d %ld", fseek(file, 11, SEEK_SET), ftell(file));
	printf(" %d %d", fgetc(file), feof(file));
	printf(" %d %ld", fseek(file, -2, SEEK_END), ftell(file));
	rewind(file);
	printf(" %d", fscanf(file, "%8s%d", word, &n));
	printf(" %s %d", word, n);
	printf(" %zd", getline(&line, &size, file));
	printf(" %zd %s", getline(&line, &size, file), line);
	printf("%zd %d", getline(&line, &size, file), feof(file));
	free(line);
	fclose(file);
	file = fmemopen(NULL, 10, "w+");
	fputs("own", file);
	rewind(file);
	printf(" %s", fgets(word, 9, file));
	fclose(file);
	errno = 0;
	printf(" %d", fmemopen(word, 3, "q") == NULL);
	printf(" %d\n", errno);
}

static void temporary(void)
{
	char bytes[20], *line = NULL;
	size_t size = 0;
	FILE *file = tmpfile();
	fprintf(file, "one\ntwo\n");
	rewind(file);
	while (getline(&line, &size, file) > 0)
		printf("<%s>", line);
	free(line);
	printf("%d %ld", feof(file) != 0, ftell(file));
	fseek(file, 0, SEEK_SET);
	fputs("ONE", file);
	fseek(file, 10, SEEK_SET);
	fputc('!', file);
	fseek(file, 0, SEEK_SET);
	size = fread(bytes, 1, 20, file);
	printf(" %zu ", size);
	show(bytes, size);
	printf("%d\n", fclose(file));
}

static void wide(void)
{
	wchar_t *text;
	size_t size;
	FILE *file = open_wmemstream(&text, &size);
	printf("%d", fwide(file, 0) > 0);
	fwprintf(file, L"w%dx", 5);
	fputws(L"yz\x100", file);
	fputwc(L'!', file);
	printf(" %d", fflush(file));
	printf(" %zu", size);
	printf(" %d", fclose(file));
	printf(" %zu %lc %x %d\n", size, text[0], text[5], text[7]);
	free(text);
}

int main(void)
{
	static const char *const modes[] = { "r", "r+", "w", "w+", "a", "a+", "rb", "wb+" };
	growing();
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		given(modes[i]);
	short_buffer("1234567");
	short_buffer("abcde");
	short_buffer("abc");
	short_buffer("");
	from_memory();
	temporary();
	wide();
}
