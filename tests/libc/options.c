/* SPDX-License-Identifier: MIT
 *
 * getopt and getopt_long.  Compared with the same program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static void run(int count, const char *const words[], const char *known, int with_long)
{
	static const struct option options[] = {
		{ "alpha", no_argument, NULL, 'a' }, { "beta", required_argument, NULL, 'b' }, { "best", optional_argument, NULL,
		'B' }, { 0 },
	};
	char *argv[20], copies[20][20];
	int c, which = -1;
	for (int i = 0; i < count; i++)
		argv[i] = strcpy(copies[i], words[i]);
	argv[count] = NULL;
	optind = 0;
	opterr = 0;
	while ((c = with_long ? getopt_long(count, argv, known, options, &which) : getopt(count, argv, known)) != -1)
		printf("%c(%d) '%s' opt %d ind %d; ", c, c, optarg ? optarg : "-", c == '?' || c == ':' ? optopt : 0, optind);
	printf("rest at %d:", optind);
	for (int i = optind; i < count; i++)
		printf(" %s", argv[i]);
	putchar('\n');
}

#define RUN(known, with_long, ...) { const char *const words[] = { "prog", __VA_ARGS__ }; run(sizeof words / sizeof \
	*words, words, known, with_long); }

int main(void)
{
	RUN("ab:c::", 0, "-a", "-b", "value", "-bjoined", "-c", "-cx", "file")
	RUN("ab:", 0, "one", "-a", "two", "-ab", "v", "three")
	RUN("+ab:", 0, "-a", "stop", "-b", "v")
	RUN("ab:", 0, "-a", "--", "-b", "v")
	RUN("ab:", 0, "x", "--", "-b", "v")
	RUN(":ab:", 0, "-z", "-b")
	RUN("ab:", 0, "-b")
	RUN("ab:", 0, "-", "-a")
	RUN("ab:", 1, "--alpha", "--beta=3", "--beta", "4", "--best", "--best=5", "rest")
	RUN("ab:", 1, "one", "--alp", "two", "-b6", "--nothing", "--be", "--alpha=1", "--beta")
	return 0;
}
