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

static int short_option(char **argv, const char *known, int argc)
{
	int letter = *cluster++;
	const char *row = letter == ':' ? NULL : strchr(known, letter);
	int silent = *known == ':', last = *cluster == '\0';
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
	optopt = option->val;
	if (sign && option->has_arg == no_argument) {
		if (opterr && !silent)
			fprintf(stderr, "%s: option '--%s' doesn't allow an argument\n", argv[0], option->name);
		return '?';
	}
	optarg = sign ? (char *)sign + 1 : NULL;
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

/* Words that are no options and have been passed: argv[first..last).  They are moved behind the options after them only when
 * the next option is looked for, as GNU's getopt does, which shows in optind. */
static int first = 1, last = 1;

static void move_passed(char **argv)
{
	for (int i = last; first != last && i < optind; i++)
		move_down(argv, i, first + (i - last));
	first += optind - last;
	last = optind;
}

/* Go to the next word that is an option.  False if there is none. */
static int find_next(int argc, char **argv, int in_order)
{
	if (last > optind)
		last = optind;
	if (first > optind)
		first = optind;
	if (!in_order) {
		move_passed(argv);
		while (optind < argc && !is_option(argv[optind]))
			optind++;
		last = optind;
	}
	if (optind < argc && strcmp(argv[optind], "--") == 0) {
		optind++;
		move_passed(argv);
		last = optind = argc;
	}
	if (optind < argc)
		return is_option(argv[optind]);
	if (first != last)
		optind = first;
	return 0;
}

int getopt_long(int argc, char *const *words, const char *known, const struct option *options, int *chosen)
{
	char **argv = (char **)words;
	int in_order = *known == '+';
	known += in_order;
	optarg = NULL;
	if (optind == 0) {
		first = last = optind = 1;
		cluster = NULL;
	}
	if (!cluster || !*cluster) {
		if (!find_next(argc, argv, in_order))
			return -1;
		if (options && argv[optind][1] == '-')
			return long_option(argc, argv, known, options, chosen);
		cluster = argv[optind] + 1;
	}
	return short_option(argv, known, argc);
}

int getopt(int argc, char *const *argv, const char *known)
{
	return getopt_long(argc, argv, known, NULL, NULL);
}
