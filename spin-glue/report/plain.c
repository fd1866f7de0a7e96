/* SPDX-License-Identifier: MIT
 *
 * Text on a terminal.
 */
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void print_plain(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		putchar((unsigned char)bytes[i] < ' ' || bytes[i] == 127 ? ' ' : bytes[i]);
}

const char *colour(enum colour colour)
{
	static const char *const sequences[] = { "\033[0m", "\033[1m", "\033[31;1m", "\033[32;1m", "\033[33;1m" };
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
	bool wanted = isatty(1) && !(no && *no) && terminal && strcmp(terminal, "dumb") != 0;
	return wanted ? sequences[colour] : "";
}
