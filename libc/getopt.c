/* SPDX-License-Identifier: MIT
 *
 * getopt and getopt_long, as GNU's: arguments that are no options are moved to the end, unless the option string begins
 * with '+'.
 */
#include "library.h"

#include <getopt.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static const char *cluster; /* the rest of an argument such as -abc */

/* Move argv[from] to position `to`, and what is between them up by one. */
static void move_down(char **argv, int from, int to)
{
	char *moved = argv[from];
	for (int i = from; i > to; i--)
		argv[i] = argv[i - 1];
	argv[to] = moved;
}

static int is_option(const char *argument)
{
	return argument[0] == '-' && argument[1];
}

static int complain(char **argv, const char *format, int silent)
{
	if (opterr && !silent)
		fprintf(stderr, format, argv[0], optopt);
	return '?';
}

static int short_option(char **argv, const char *known, int first, int argc)
{
	int letter = *cluster++;
	const char *row = letter == ':' ? NULL : strchr(known, letter);
	int silent = *known == ':', last = *cluster == '\0';
	(void)first;
	if (!row) {
		if (last)
			optind++;
		optopt = letter;
		return complain(argv, "%s: invalid option -- '%c'\n", silent);
	}
	optarg = NULL;
	if (row[1] != ':') {
		if (last)
			optind++;
		return letter;
	}
	optind++;
	if (!last) {
		optarg = (char *)cluster;
	} else if (row[2] != ':') {
		if (optind >= argc) {
			optopt = letter;
			complain(argv, "%s: option requires an argument -- '%c'\n", silent);
			return silent ? ':' : '?';
		}
		optarg = argv[optind++];
	}
	cluster = "";
	return letter;
}

static const struct option *find_long(const struct option *options, const char *name, size_t length, int *index, int *ambiguous)
{
	const struct option *found = NULL;
	*ambiguous = 0;
	for (int i = 0; options[i].name; i++) {
		if (strncmp(options[i].name, name, length) != 0)
			continue;
		if (strlen(options[i].name) == length) {
			*index = i;
			*ambiguous = 0;
			return &options[i];
		}
		if (found)
			*ambiguous = 1;
		else
			*index = i;
		found = found ? found : &options[i];
	}
	return found;
}

static int long_option(int argc, char **argv, const char *known, const struct option *options, int *chosen)
{
	const char *name = argv[optind] + 2, *sign = strchr(name, '=');
	int silent = *known == ':', index = 0, ambiguous;
	const struct option *option = find_long(options, name, sign ? (size_t)(sign - name) : strlen(name), &index, &ambiguous);
	optind++;
	optopt = 0;
	if (!option || ambiguous) {
		if (opterr && !silent)
			fprintf(stderr, ambiguous ? "%s: option '--%s' is ambiguous\n" : "%s: unrecognized option '--%s'\n", argv[0], name);
		return '?';
	}
	optarg = sign ? (char *)sign + 1 : NULL;
	optopt = option->val;
	if (sign && option->has_arg == no_argument) {
		if (opterr && !silent)
			fprintf(stderr, "%s: option '--%s' doesn't allow an argument\n", argv[0], option->name);
		return '?';
	}
	if (!sign && option->has_arg == required_argument) {
		if (optind >= argc) {
			if (opterr && !silent)
				fprintf(stderr, "%s: option '--%s' requires an argument\n", argv[0], option->name);
			return silent ? ':' : '?';
		}
		optarg = argv[optind++];
	}
	if (chosen)
		*chosen = index;
	if (!option->flag)
		return option->val;
	*option->flag = option->val;
	return 0;
}

/* Bring the next option to argv[optind].  False if there is none left. */
static int find_next(int argc, char **argv, int in_order)
{
	int i = optind;
	while (i < argc && !is_option(argv[i]) && !in_order)
		i++;
	if (i >= argc || !is_option(argv[i]))
		return 0;
	return i + 1;
}

/* Options come before the other arguments once they have been read: move the words [from, to) down to `first`. */
static void gather(char **argv, int first, int from, int to)
{
	for (int i = 0; from != first && i < to - from; i++)
		move_down(argv, from + i, first + i);
}

int getopt_long(int argc, char *const *words, const char *known, const struct option *options, int *chosen)
{
	char **argv = (char **)words;
	static int first, from; /* the argument under way stood at `from` and belongs at `first` */
	int in_order = *known == '+';
	known += in_order;
	if (optind == 0) {
		optind = 1;
		cluster = NULL;
	}
	if (!cluster || !*cluster) {
		int next = find_next(argc, argv, in_order);
		if (!next)
			return -1;
		first = optind;
		from = next - 1;
		optind = from;
		if (strcmp(argv[from], "--") == 0) {
			gather(argv, first, from, from + 1);
			optind = first + 1;
			return -1;
		}
		if (options && argv[from][1] == '-') {
			int result = long_option(argc, argv, known, options, chosen);
			gather(argv, first, from, optind);
			optind = first + (optind - from);
			return result;
		}
		cluster = argv[from] + 1;
	}
	int result = short_option(argv, known, first, argc);
	if (!*cluster) {
		gather(argv, first, from, optind);
		optind = first + (optind - from);
	}
	return result;
}

int getopt(int argc, char *const *argv, const char *known)
{
	return getopt_long(argc, argv, known, NULL, NULL);
}
